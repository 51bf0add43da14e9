"""Commands about items, and the options of commands about items."""

from __future__ import annotations

from solver.cli.settings import setting_option, setting_options
from solver.eventhop.engines import ItemSettings

spatial = setting_option(ItemSettings, "spatial")
domain = setting_option(ItemSettings, "domain")
names = setting_option(ItemSettings, "names")
reading = setting_options("settings", ItemSettings, "spatial", "domain", "mapping")
"""``--spatial``, ``--domain`` and ``--map``, as the settings of a run with the local policy."""

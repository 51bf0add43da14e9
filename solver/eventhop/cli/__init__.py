"""Commands about items, and the options of commands about items."""

from __future__ import annotations

from solver.cli.settings import setting_option, setting_options
from solver.eventhop.engines import ItemSettings

spatial = setting_option(ItemSettings, "spatial")
domain = setting_option(ItemSettings, "domain")
names = setting_option(ItemSettings, "names")
phrases = setting_option(ItemSettings, "phrases")
labels = setting_option(ItemSettings, "labels")
reading = setting_options("settings", ItemSettings, "spatial", "domain", "mapping", "phrases")
"""The options of how texts are read, as the settings of a run with the local policy."""
labelled = setting_options(
    "settings", ItemSettings, "spatial", "domain", "mapping", "labels", "phrases"
)
"""The same, with the words of labels."""

"""``generate tkg``: generates a temporal knowledge graph from patterns and labels every fact."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generators.levels import level_option, settled
from generators.tkg.config import LEVELS, Cycles, Mode
from generators.tkg.presets import Preset
from solver.cli.options import EnumChoice, as_json, out_folder, seed
from solver.io.sources import output_name
from solver.patterns.model import Lag
from solver.tkg.planted import LagProfile

if TYPE_CHECKING:
    from generators.tkg.config import Config
    from generators.tkg.presets import PublishedRow


class _Parsed(click.ParamType[Any]):
    """A value parsed by a function, which raises ``ValueError`` with what it expected."""

    name = "value"

    def __init__(self, parse: Callable[[str], object]) -> None:
        self._parse = parse

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> object:
        """Parse the value."""
        try:
            return self._parse(str(value))
        except ValueError as error:
            self.fail(f"found {str(value)!r}, expected {error}.", param, ctx)


def _hop_counts(text: str) -> tuple[int, ...]:
    """Numbers of patterns of one, two and three hops: ``35,78,39``."""
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 3 or not all(part.isdecimal() for part in parts):
        raise ValueError("three counts such as 35,78,39")
    return tuple(map(int, parts))


def _lags(text: str) -> dict[str, int] | str:
    """A window such as ``1,3``, or the name of a profile."""
    if text in set(LagProfile):
        return text
    low, _, high = text.partition(",")
    if not (low.strip().isdecimal() and high.strip().isdecimal()):
        raise ValueError(f"a window such as 1,3, or {', '.join(LagProfile)}")
    window = Lag(low=int(low), high=int(high))
    return {"low": window.low, "high": window.high}


def _depth(text: str) -> int | str:
    """A number, or ``none``."""
    if not text.isdecimal() and text != "none":
        raise ValueError("a whole number or none")
    return text if text == "none" else int(text)


def _weights(text: str) -> dict[str, object]:
    """``uniform``, ``gamma:SHAPE,SCALE`` or ``zipf:EXPONENT``."""
    name, _, numbers = text.partition(":")
    names = _NUMBERS.get(name)
    given = [part.strip() for part in numbers.split(",")] if numbers else []
    if names is None or len(given) not in (0, len(names)) or not all(map(_numeric, given)):
        raise ValueError("weights such as uniform, gamma:1,2 or zipf:1.1")
    return {"distribution": name, **dict(zip(names, map(float, given), strict=False))}


_NUMBERS = {"uniform": (), "gamma": ("shape", "scale"), "zipf": ("exponent",)}


def _numeric(text: str) -> bool:
    return text.replace(".", "", 1).isdecimal()


@click.command()
@click.option(
    "--preset",
    type=EnumChoice(Preset),
    metavar="PRESET",
    help=f"Published data set to approximate: {', '.join(Preset)}.",
)
@click.option(
    "--config",
    "config_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Config file, such as config.json of a graph; command-line options override it.",
)
@click.option(
    "--presets", "listed", is_flag=True, help="List the presets with the statistics of Table 1."
)
@click.option(
    "--mode",
    type=EnumChoice(Mode),
    help="Facts added to the planted instances: none (forced), all consequences (forward), or "
    "the output of the algorithms as printed (literal).",
)
@level_option(LEVELS)
@click.option("--entities", type=int, help="Size of the entity vocabulary.")
@click.option("--relations", type=int, help="Size of the relation vocabulary.")
@click.option("--steps", type=int, help="Number of time steps.")
@click.option(
    "--patterns",
    type=_Parsed(_hop_counts),
    metavar="N,N,N",
    help="Numbers of patterns of 1, 2 and 3 hops.",
)
@click.option(
    "--flags", metavar="FLAGS", help="Validity flags of the templates, four digits such as 1000."
)
@click.option(
    "--lags", type=_Parsed(_lags), metavar="LAGS", help="Lag window such as 1,3, or a lag profile."
)
@click.option(
    "--probability", type=float, help="Probability of planting an instance in each trial."
)
@click.option("--trials", type=int, help="Number of trials per pattern and time step.")
@click.option(
    "--entity-weights",
    type=_Parsed(_weights),
    metavar="WEIGHTS",
    help="Distribution of the entity weights: uniform, gamma:1,2 or zipf:1.1.",
)
@click.option(
    "--relation-weights",
    type=_Parsed(_weights),
    metavar="WEIGHTS",
    help="Distribution of the relation weights.",
)
@click.option(
    "--injective",
    is_flag=True,
    default=None,
    help="Bind distinct placeholders of planted instances to distinct entities.",
)
@click.option(
    "--depth", type=_Parsed(_depth), metavar="N", help="Maximum depth of derivation, or none."
)
@click.option(
    "--cycles",
    type=EnumChoice(Cycles),
    help="Treatment of patterns that close a cycle of relations.",
)
@seed
@out_folder(required=False)
@as_json
def command(
    *,
    preset: Preset | None,
    config_file: Path | None,
    listed: bool,
    seed: int,
    out: Path | None,
    as_json: bool,
    **given: Any,  # noqa: ANN401 - the fields of the config
) -> None:
    """Generate a temporal knowledge graph from patterns and label every fact.

    \b
    Examples:
      python -m solver generate tkg --preset ent-u-rel-u --seed 0 --out data/graph
      python -m solver generate tkg --mode forward --entities 300 --lags 1,3 --out data/small
      python -m solver generate tkg --level 3 --steps 150 --out data/level-3
      python -m solver generate tkg --config data/graph/config.json --seed 1 --out data/again
      python -m solver generate tkg --presets
    """  # noqa: D301 - click reads the backslash
    if preset is not None and config_file is not None:
        raise click.UsageError("Pass --preset or --config, not both.")
    if listed:
        _list_presets(as_json=as_json)
        return
    if out is None:
        raise click.UsageError("Missing option '--out'.")
    _make(_config(preset, config_file, settled(LEVELS, given)), seed, out, preset, as_json=as_json)


def _config(preset: Preset | None, file: Path | None, given: Mapping[str, object]) -> Config:
    """The config of the preset or file, with the options that are not None."""
    from generators.tkg.config import Config, read_config
    from generators.tkg.presets import config_of

    base = Config() if preset is None else config_of(preset)
    if file is not None:
        base = read_config(file)
    value: dict[str, Any] = base.as_json()
    for name, option in given.items():
        if option is not None:
            part = value["closure"] if name in ("depth", "cycles") else value
            part[name] = None if (name, option) == ("depth", "none") else option
    return Config.of_json(value)


def _make(config: Config, seed: int, out: Path, preset: Preset | None, *, as_json: bool) -> None:
    from generators.tkg.files import statistics, write_graph
    from generators.tkg.presets import PUBLISHED
    from generators.tkg.run import generate
    from solver.cli.printing import note_skipped, print_json
    from solver.report.page import PAGE

    note_skipped("Parquet files are not written", "pyarrow")
    graph = generate(config, seed)
    write_graph(out, graph, config, seed, page=True, preset=preset)
    measured = statistics(graph)
    if as_json:
        print_json({"out": out.name, "seed": seed, "mode": config.mode} | measured)
        return
    _print_row(measured, None if preset is None else PUBLISHED[preset])
    made = f"{len(graph.facts):,} facts and {len(graph.labels):,} labels"
    click.echo(f"made: {made} in {output_name(out)}, with {PAGE}")


def _print_row(statistics: Mapping[str, float], published: PublishedRow | None) -> None:
    from generators.tkg.files import COLUMNS, cells, figures
    from solver.cli.printing import narrow_table
    from solver.io.terminal import wide_console

    table = narrow_table("Graph statistics", "", tuple(COLUMNS.values()))
    table.add_row("this graph", *cells(statistics))
    if published is not None:
        table.add_row(f"paper, {published.name}", *cells(figures(published)))
    wide_console().print(table)


def _list_presets(*, as_json: bool) -> None:
    from generators.tkg.files import COLUMNS, cells, figures
    from generators.tkg.presets import PUBLISHED, config_of
    from solver.cli.printing import narrow_table, print_json
    from solver.io.terminal import wide_console

    if as_json:
        print_json(
            {
                name.value: {"published": figures(row), "config": config_of(name).as_json()}
                for name, row in PUBLISHED.items()
            }
        )
        return
    table = narrow_table(
        "Presets, with the published statistics", "preset", tuple(COLUMNS.values())
    )
    for name, row in PUBLISHED.items():
        table.add_row(name.value, *cells(figures(row)))
    wide_console().print(table)

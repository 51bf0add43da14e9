"""What the config and the seed of a manifest give, compared with a data set; what stays open.

Only a generator knows this, so a kind names its function: see ``KindDeclaration.origin``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pkgutil import resolve_name

from grammar.errors import HopcheckError
from solver import NAMESPACE
from solver.dataset.copies import folders
from solver.dataset.seal import CARD, CERTIFIED, Breach, DataSet, opening
from solver.encodings import ENCODINGS
from solver.io.sources import sha256
from solver.manifest import versions
from solver.verification.kinds import KindDeclaration

_PAGES = (CARD, "report.html")
"""Files for people, which repeat figures of the others."""

_GIVEN = ("config", "seed")


def require_origin(paths: Iterable[object], kind: KindDeclaration) -> None:
    """Compare data sets with what their config and seed give, if this version made them.

    Raises:
        SealError: one differs, and broken seals are refused.
    """
    if not kind.origin:
        return
    made = [data for data in folders(paths) if made_here(data) and not exported(data)]
    if not made:
        return  # and no generator is imported
    disagreements: Callable[[DataSet], Iterable[Breach]] = resolve_name(NAMESPACE + kind.origin)
    with opening() as opened:
        for dataset in made:
            opened.add(_reported(dataset, disagreements))


def _reported(
    dataset: DataSet, disagreements: Callable[[DataSet], Iterable[Breach]]
) -> Iterator[Breach]:
    manifest = dataset.folder.path(dataset.name)
    try:
        yield from disagreements(dataset)
    except HopcheckError as error:
        yield Breach(where=error.where or manifest, message=error.message)
    except (KeyError, TypeError, ValueError) as error:
        message = f"found a config that generates nothing ({type(error).__name__}: {error})"
        yield Breach(where=manifest, message=message)


def made_here(dataset: DataSet) -> bool:
    """Whether the versions of a manifest are those that are installed."""
    return bool(dataset.manifest.get("versions") == versions())


def exported(dataset: DataSet) -> bool:
    """Whether ``export`` wrote a data set: its config names the folders, and generates nothing."""
    config = dataset.manifest.get("config")
    return isinstance(config, dict) and {"format", "folders"} <= config.keys()


def undecidable(paths: Iterable[object], kind: KindDeclaration) -> tuple[str, ...]:
    """What verification cannot decide about the data sets among some paths."""
    names: dict[str, None] = {}
    for dataset in folders(paths):
        for entry, listed in {} if exported(dataset) else kind.undecidable.items():
            names |= dict.fromkeys(listed if not entry or entry in dataset.manifest else ())
        if not made_here(dataset):
            names["versions"] = None
        if kind.origin and (exported(dataset) or not made_here(dataset)):
            names |= dict.fromkeys(_GIVEN)
        stated = dataset.manifest.get("encodings")
        for name, digest in stated.items() if isinstance(stated, dict) else ():
            if sha256(ENCODINGS / name) != digest:
                names["encodings"] = None
        if any(map(CERTIFIED.fullmatch, dataset.outputs)):
            names["certificate"] = None  # several prove a verdict
        names |= dict.fromkeys(page for page in _PAGES if page in dataset.outputs)
    return tuple(names)

"""Measures the cost of a search, and the time until a runaway generation stops."""

from __future__ import annotations

import resource
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from benchmarks.tkg.calibration.report import evaluate_best
from benchmarks.tkg.calibration.search import claim, open_journal, search
from benchmarks.tkg.calibration.trial import problem_of
from benchmarks.tkg.likeness import Likeness
from generators.tkg.config import Closure, Config, Cycles, Mode
from generators.tkg.plan import RunawayError
from generators.tkg.presets import Preset, config_of
from generators.tkg.run import generate
from solver.graph.model import Quadruples
from solver.graph.statistics import GraphProfile, graph_profile
from solver.io.writing import make_folder

_REFERENCE_SEED = 1_000
"""Seed of generated references, different from those of trials."""

_CHECKED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchCost:
    """Cost and result of a search.

    Attributes:
        seconds: wall-clock time.
        user_seconds: user time of all processes.
        best: the smallest objective.
        elsewhere: mean objective of the best config at other seeds.
        errors: errors of the best graph by metric; absolute differences for the baselines.
        likeness: differences and distances of the best graph and the reference, by name.
        likeness_elsewhere: the largest ones at other seeds.
    """

    reference: str
    facts: int
    trials: int
    jobs: int
    seconds: float
    user_seconds: float
    without_graph: int
    best: float
    elsewhere: float
    errors: Mapping[str, float]
    likeness: Mapping[str, float]
    likeness_elsewhere: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class StopCost:
    """A runaway generation: error message, and process time until it stopped."""

    config: str
    message: str
    seconds: float


def search_cost(
    name: str,
    facts: Quadruples,
    *,
    trials: int,
    jobs: int,
    seed: int = 0,
    work: Path | None = None,
    progress: Callable[[int], object] | None = None,
) -> SearchCost:
    """Calibrate to a graph and measure the search.

    Args:
        name: name of the graph.
        facts: its facts.
        trials: number of trials.
        jobs: number of worker processes.
        seed: random seed of the search.
        work: folder of the search, which resumes from it; by default a temporary one.
        progress: callback with the number of trials of each finished batch.
    """
    began, used = time.perf_counter(), _user_seconds()
    problem = problem_of(facts, seed=seed)
    reference = problem.reference
    with ExitStack() as stack:
        folder = work or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        journal = stack.enter_context(open_journal(claim(make_folder(folder), problem)))
        outcomes = search(problem, journal, trials, jobs=jobs, progress=progress)
    seconds, user = time.perf_counter() - began, _user_seconds() - used
    found = evaluate_best(name, problem, outcomes, _CHECKED)
    apart = {
        hit: abs(found.figures.baselines[hit] - wanted)
        for hit, wanted in reference.baselines.items()
    }
    errors = problem.objective.errors(found.figures, reference) | apart
    likeness, *others = [
        _likeness(found.config, problem.profile, index)
        for index in range(seed, seed + 1 + _CHECKED)
    ]
    return SearchCost(
        reference=name,
        facts=len(facts),
        trials=trials,
        jobs=jobs,
        seconds=round(seconds, 1),
        user_seconds=round(user, 1),
        without_graph=len(found.failures()),
        best=round(outcomes[found.best].score.total, 4),
        elsewhere=round(sum(found.elsewhere.values()) / _CHECKED, 4),
        errors={figure: round(error, 4) for figure, error in errors.items()},
        likeness=likeness,
        likeness_elsewhere={key: max(record[key] for record in others) for key in likeness},
    )


def _likeness(config: Config, reference: GraphProfile, seed: int) -> dict[str, float]:
    made = graph_profile(generate(config, seed).facts, len(reference.period))
    found = Likeness(names=("best", "reference"), profiles=(made, reference))
    return {key: round(value, 5) for key, value in (found.differences() | found.distances).items()}


def preset_facts(preset: Preset) -> Quadruples:
    """Generate the facts of a preset."""
    return generate(config_of(preset), _REFERENCE_SEED).facts


def stop_costs() -> list[StopCost]:
    """Time runaway generations from 21 thousand planted facts, in both modes."""
    preset = config_of(Preset.LAG_1_5)
    endless = Closure(depth=None, cycles=Cycles.FOLLOW)
    configs = {
        "lag-1-5, forward, no depth, cycles followed": replace(
            preset, mode=Mode.FORWARD, closure=endless
        ),
        "lag-1-5, literal": replace(preset, mode=Mode.LITERAL),
    }
    return [_stopped(name, config) for name, config in configs.items()]


def as_json(
    searches: Sequence[SearchCost],
    stops: Sequence[StopCost],
    earlier: Sequence[Mapping[str, object]] = (),
) -> dict[str, object]:
    """All figures as JSON values.

    Args:
        searches: searches that were measured.
        stops: runaway generations.
        earlier: JSON values of earlier searches; those of other references are kept.
    """
    found = {str(record["reference"]): record for record in earlier}
    found |= {cost.reference: asdict(cost) for cost in searches}
    return {
        "searches": [found[name] for name in sorted(found)],
        "stopped": [
            {"config": stop.config, "message": stop.message, "seconds": stop.seconds}
            for stop in stops
        ],
    }


def _stopped(name: str, config: Config) -> StopCost:
    # Fill the per-process cache of templates before timing.
    generate(replace(config, mode=Mode.FORCED), 0)
    began = time.process_time()
    message = "nothing: it was made"
    try:
        generate(config, 0)
    except RunawayError as error:
        message = error.message
    return StopCost(config=name, message=message, seconds=round(time.process_time() - began, 2))


def _user_seconds() -> float:
    """User time of this process and its finished children."""
    processes = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(resource.getrusage(process).ru_utime for process in processes)

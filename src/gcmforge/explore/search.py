# SPDX-License-Identifier: Apache-2.0
"""The front of a space that is too large to look at whole: NSGA-II, by Optuna."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from gcmforge.config import ConfigError, CoreConfig
from gcmforge.explore.pareto import Goal
from gcmforge.explore.space import Space
from gcmforge.tools import ToolError

Figures = tuple[float | None, ...]
Evaluate = Callable[[Sequence[CoreConfig]], Sequence[Figures]]
"""Figures of each configuration, one for each goal; None for one that is not known."""

POPULATION = 60
MOST_TRIES = 50
"""Drawn choices for each point that is wanted: most of a space may contradict itself."""


def search(
    space: Space,
    evaluate: Evaluate,
    goals: Sequence[Goal],
    *,
    points: int,
    seed: int,
) -> dict[CoreConfig, Figures]:
    """Up to `points` cores and their figures, in the order in which they were tried.

    The same seed and figures give the same points. Nothing is evaluated twice.
    """
    optuna = _optuna()
    study = optuna.create_study(
        directions=["maximize" if goal.more_is_better else "minimize" for goal in goals],
        sampler=optuna.samplers.NSGAIISampler(population_size=POPULATION, seed=seed),
    )
    known: dict[CoreConfig, Figures] = {}
    tries = 0
    while len(known) < points and tries < MOST_TRIES * points:
        asked = []
        for _ in range(POPULATION):
            trial = study.ask()
            tries += 1
            config = _draw(trial, space)
            if config is None:
                study.tell(trial, state=optuna.trial.TrialState.FAIL)
            else:
                asked.append((trial, config))
        fresh = list(dict.fromkeys(config for _, config in asked if config not in known))
        fresh = fresh[: points - len(known)]
        if fresh:
            known |= dict(zip(fresh, evaluate(fresh), strict=True))
        for trial, config in asked:
            values = known.get(config, (None,))
            if None in values:
                study.tell(trial, state=optuna.trial.TrialState.FAIL)
            else:
                study.tell(trial, values)
    return known


def _draw(trial: Any, space: Space) -> CoreConfig | None:
    choice = [trial.suggest_categorical(axis.name, range(len(axis.values))) for axis in space.axes]
    try:
        return space.config(choice)
    except ConfigError:
        return None


def _optuna() -> Any:
    try:
        import optuna
    except ImportError:
        raise ToolError(
            "searching a space needs Optuna: pip install 'gcmforge[explore]'; or name fewer values"
        ) from None
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna

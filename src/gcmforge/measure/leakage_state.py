# SPDX-License-Identifier: Apache-2.0
"""What is known after some batches of a test for leakage, in the cache."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from gcmforge.cache import cache_folder
from gcmforge.measure.leakage_traffic import BATCH
from gcmforge.power.ttest import THRESHOLD, TTest

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray


@dataclass(kw_only=True, slots=True)
class State:
    """The sums of a test, and since when it fails."""

    test: TTest
    fails_at: int | None = None

    def add(self, energy: NDArray[np.float64], fixed: NDArray[np.bool_]) -> None:
        """A batch more."""
        self.test.add(energy, fixed)
        self.fails_at = (self.fails_at or self.test.traces) if self.worst > THRESHOLD else None

    @property
    def worst(self) -> float:
        """The largest |t| of first order; of one batch none."""
        return float(abs(self.test.first()).max()) if self.test.traces > BATCH else 0.0

    @classmethod
    def open(cls, run: str, points: int, traces: int) -> Self:
        """What a run of that key knew, if it had no more than so many traces; else nothing."""
        import numpy as np

        state = cls(test=TTest(points))
        try:
            said = json.loads(_file(run).read_text(encoding="utf-8"))
            sums, around = np.array(said["sums"]), np.array(said["around"])
            count, fails_at = np.array(said["count"]), said["fails_at"]
        except (OSError, ValueError, KeyError, TypeError):
            return state
        if sums.shape == state.test.sums.shape and count.shape == (2,) and count.sum() <= traces:
            state.test.sums, state.test.around, state.test.count = sums, around, count
            state.fails_at = fails_at
        return state

    def save(self, run: str) -> None:
        """For another run of that key; the file is written whole or not at all."""
        if self.test.around is None:
            return
        said = {
            "sums": self.test.sums.tolist(),
            "around": self.test.around.tolist(),
            "count": self.test.count.tolist(),
            "fails_at": self.fails_at,
        }
        file = _file(run)
        file.parent.mkdir(parents=True, exist_ok=True)
        new = file.with_suffix(f".{os.getpid()}")
        new.write_text(json.dumps(said), encoding="utf-8")
        new.replace(file)


def _file(run: str) -> Path:
    return cache_folder() / "leakage" / f"{run}.json"

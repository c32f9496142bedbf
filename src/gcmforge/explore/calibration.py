# SPDX-License-Identifier: Apache-2.0
"""What a bit of each kind takes on a target, found from cores that were measured there.

The points are data: data/TARGET.json, written by `gcmforge-study run calibration`. Each block's
area and each path's delay is a sum of counts times unit costs. The unit costs are those with the
least squares of relative errors, held near what a gate of the kind takes (`ge`'s areas), so that
few points are enough and none that was rare among them runs away.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from gcmforge.circuit.cost import GE, GE_DFF
from gcmforge.circuit.ir import Op
from gcmforge.config import ConfigError, CoreConfig, options
from gcmforge.config.installed import every_engine
from gcmforge.explore.parts import BLOCKS, CIRCUITS, Leaves, Parts, parts
from gcmforge.explore.timing import PATHS, paths

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_ENABLED = GE_DFF + GE[Op.MUX]
AREA_PRIOR = {
    "sbox": 1.0, "column": 1.0,
    "product_xor": 1.0, "product_gate": 1.0,
    "stage": _ENABLED, "register": _ENABLED, "store": _ENABLED,
    "read": GE[Op.MUX], "mux": GE[Op.MUX], "xor": GE[Op.XOR],
    "table": 40.0, "one": 500.0, "expander": 1000.0, "step": 300.0,
    "lane": 2000.0, "lane_log": 600.0, "context": 20.0, "any_iv": 1500.0, "sharing": 300.0,
}  # fmt: skip
"""GE by kind, as the gates themselves would take."""

DELAY_PRIOR = {
    "one": 10.0, "control": 45.0, "ta": 1.0, "circuit": 1.0, "past": 1.0, "parallel": 1.0,
    "sizes": 4.0, "lanes": 2.0, "depth": 1.0, "contexts": 1.0, "any_iv": 2.0, "choice": 2.0,
    "sum": 4.0, "shared": 4.0, "karatsuba": 2.0, "loads": 0.05, "turn": 4.0, "chosen": 18.0,
    "table": 4.0, "ring": 2.0, "searched": 2.0, "cuts": 2.0,
}  # fmt: skip
"""T_A by kind; a measured leaf's delay counts as it is."""

STRENGTH = 0.004
"""Of the prior: 3 % of error in a point weighs as much as 50 % of difference in a unit cost."""

FIRM = {"leaf": 2500.0, "sbox": 25.0, "column": 25.0}
"""Times that strength for what was measured by itself: 10 % of difference in a leaf's area instead
of 50 %, and 1 % in its delay."""

LEAST = 0.1
"""Of its prior that a unit cost has at least."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Sample:
    """A core as it was measured."""

    config: CoreConfig
    area_ge: float
    delay: float
    """Slowest path, in ns, on `ge` in T_A."""
    blocks: Mapping[str, float]
    """GE."""
    ends: Mapping[str, float]
    """Slowest path that ends in each part of the core, in the same unit."""

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> Sample:
        own = {name: values[name] for name in ("area_ge", "delay", "blocks", "ends")}
        return cls(config=CoreConfig.from_mapping(_known(values["config"])), **own)


def _known(config: Mapping[str, Any]) -> dict[str, Any]:
    """Without the options of engines that are not installed; the core has none of these engines."""
    return {name: value for name, value in config.items() if name in options()}


def _installed(config: Mapping[str, Any]) -> bool:
    """Whether every engine of a measured core is there: those of the study may be taken away."""
    kinds = {engine.kind for engine in every_engine()}
    return all(config[kind] in options()[kind].choices for kind in kinds if kind in config)


@dataclass(frozen=True, kw_only=True, slots=True)
class Calibration:
    """Unit costs of a target, by block and by path."""

    target: str
    effort: str
    area: Mapping[str, Mapping[str, float]]
    delay: Mapping[str, Mapping[str, float]]
    leaves: Leaves = CIRCUITS

    def area_ge(self, config: CoreConfig) -> dict[str, float]:
        """GE by block."""
        counts = parts(config, self.leaves)
        return {block: _sum(count, self.area[block]) for block, count in counts.items()}

    def delays(self, config: CoreConfig) -> dict[str, float]:
        """By path, in ns, on `ge` in T_A."""
        counts = paths(config, self.leaves)
        return {path: _sum(count, self.delay[path]) for path, count in counts.items()}


def _sum(counts: Parts, units: Mapping[str, float]) -> float:
    return sum(number * units[kind] for kind, number in counts.items())


# Data ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Data:
    """The points of a target."""

    target: str
    effort: str
    leaves: Leaves
    samples: tuple[Sample, ...]


@cache
def data_of(target: str) -> Data:
    """The points that were measured there; ConfigError where none were."""
    file = files("gcmforge.explore") / "data" / f"{target}.json"
    if not file.is_file():
        raise ConfigError(
            f"estimates on {target}: nothing was measured there to calibrate them with; use "
            f"{' or '.join(calibrated())}, or --depth measure"
        )
    values = json.loads(file.read_text())
    return Data(
        target=values["target"],
        effort=values["effort"],
        leaves=Leaves(measured={name: tuple(two) for name, two in values["leaves"].items()}),
        samples=tuple(
            Sample.from_mapping(point) for point in values["points"] if _installed(point["config"])
        ),
    )


def calibrated() -> list[str]:
    """Targets that cores can be estimated on."""
    folder = files("gcmforge.explore") / "data"
    names = (file.name for file in folder.iterdir() if file.name.endswith(".json"))
    return sorted(name.removesuffix(".json") for name in names if name != "leaf_costs.json")


@cache
def calibration_of(target: str) -> Calibration:
    """Unit costs from all points of the target."""
    data = data_of(target)
    return calibrate(data.target, data.effort, data.samples, data.leaves)


# Finding unit costs -------------------------------------------------------------------------------


def calibrate(
    target: str, effort: str, samples: Sequence[Sample], leaves: Leaves = CIRCUITS
) -> Calibration:
    """Unit costs with the least squares of relative errors over the samples."""
    counts = [parts(sample.config, leaves) for sample in samples]
    area = {
        block: fit(
            [count[block] for count in counts],
            [sample.blocks[block] for sample in samples],
            AREA_PRIOR,
        )
        for block in BLOCKS
    }
    delay = _fit_delays(samples, leaves)
    return Calibration(target=target, effort=effort, area=area, delay=delay, leaves=leaves)


def _fit_delays(samples: Sequence[Sample], leaves: Leaves) -> dict[str, dict[str, float]]:
    """Paths one by one, each from the ends that it is the slowest into.

    Several paths end in the AES: what was measured there counts for the one that is the longest by
    what is known so far.
    """
    unit = leaves.time_unit or 1.0
    prior = {kind: unit * value for kind, value in DELAY_PRIOR.items()} | {"leaf": 1.0}
    units = {path: dict(prior) for path in PATHS}
    for _ in range(ROUNDS):
        seen: dict[str, tuple[list[Parts], list[float]]] = {path: ([], []) for path in PATHS}
        for sample in samples:
            counts = paths(sample.config, leaves)
            long = {path: _sum(counts[path], units[path]) for path in PATHS}
            for candidates, delay in _seen_delays(sample):
                path = max(candidates, key=lambda path: long[path])
                seen[path][0].append(counts[path])
                seen[path][1].append(delay)
        units = {path: fit(*seen[path], prior) for path in PATHS}
    return units


ROUNDS = 4
"""Times that samples are given to paths again."""


def _seen_delays(sample: Sample) -> list[tuple[tuple[str, ...], float]]:
    """The paths that may be seen in a part of a sample, and what was measured there."""
    stored = not sample.config.key_schedule_engine.travels
    inside_aes = ("round",) if stored else ("round", "key")
    of_its_own = {"u_aes", "u_ghash"} | ({"u_keys"} if stored else set())
    others = max(delay for end, delay in sample.ends.items() if end not in of_its_own)
    found = [(inside_aes, sample.ends["u_aes"]), (("product",), sample.ends["u_ghash"])]
    found += [(("key",), sample.ends["u_keys"])] if stored else []
    return [*found, (("control",), others)]


def fit(
    counts: Sequence[Parts], found: Sequence[float], prior: Mapping[str, float]
) -> dict[str, float]:
    """Unit costs by kind: of a kind that no sample has, its prior."""
    import numpy as np

    kinds = sorted({kind for count in counts for kind in count})
    if not kinds:
        return dict(prior)
    scale = np.array([prior[kind] for kind in kinds])
    rows = np.array([[count.get(kind, 0.0) for kind in kinds] for count in counts]) * scale
    rows = rows / np.array(found)[:, None]
    strength = STRENGTH * np.array([FIRM.get(kind, 1.0) for kind in kinds])
    units = _bounded_ridge(rows, np.ones(len(found)), np.sqrt(strength))
    return dict(prior) | dict(zip(kinds, (units * scale).tolist(), strict=True))


def _bounded_ridge(rows: Floats, wanted: Floats, weights: Floats) -> Floats:
    """x with small squares of rows @ x - wanted and of weights * (x - 1), none below LEAST."""
    import numpy as np

    size = rows.shape[1]
    held = np.zeros(size, dtype=bool)
    x = np.ones(size)
    while True:
        free = ~held
        x[held] = LEAST
        left = wanted - rows[:, held] @ x[held]
        stacked = np.vstack([rows[:, free], np.diag(weights[free])])
        x[free] = np.linalg.lstsq(stacked, np.concatenate([left, weights[free]]), rcond=None)[0]
        low = free & (x < LEAST)
        if not low.any():
            return x
        held |= low

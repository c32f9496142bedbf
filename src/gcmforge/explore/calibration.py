# SPDX-License-Identifier: Apache-2.0
"""What a bit of each kind takes on a target, found from cores that were measured there.

The points are data: data/TARGET.json, written by `python bench/explore.py gather`. Half of them
calibrate; the others, never used for that, say how far off estimates are. Each block's area and
each path's delay is a sum of counts times unit costs. The unit costs are those with the least
squares of relative errors, held near what a gate of the kind takes (`ge`'s areas), so that few
points are enough and none that was rare among them runs away.
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
from gcmforge.config import ConfigError, CoreConfig, check_names
from gcmforge.explore.parts import BLOCKS, Parts, parts
from gcmforge.explore.timing import ENDS, PATHS, paths

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_ENABLED = GE_DFF + GE[Op.MUX]
AREA_PRIOR = {
    "sbox_xor": 1.0, "sbox_gate": 1.0, "sbox_mux": 1.0, "column": 1.0,
    "product_xor": 1.0, "product_gate": 1.0,
    "stage": _ENABLED, "register": _ENABLED, "store": _ENABLED,
    "read": GE[Op.MUX], "mux": GE[Op.MUX], "xor": GE[Op.XOR],
    "one": 500.0, "expander": 1000.0, "step": 300.0,
    "lane": 2000.0, "lane_log": 600.0, "context": 20.0, "any_iv": 1500.0, "sharing": 300.0,
}  # fmt: skip
"""GE by kind, as the gates themselves would take."""

DELAY_PRIOR = {
    "one": 12.0, "ta": 1.0, "past": 4.0, "parallel": 4.0, "sizes": 4.0, "lanes": 2.0,
    "depth": 2.0, "contexts": 1.0, "any_iv": 2.0, "choice": 4.0, "sum": 4.0, "loads": 0.03,
}  # fmt: skip
"""T_A by kind."""

STRENGTH = 0.004
"""Of the prior: 3 % of error in a point weighs as much as 50 % of difference in a unit cost."""

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
        check_names(values["config"])
        return cls(**(dict(values) | {"config": CoreConfig.from_mapping(values["config"])}))


@dataclass(frozen=True, kw_only=True, slots=True)
class Calibration:
    """Unit costs of a target, by block and by path."""

    target: str
    effort: str
    area: Mapping[str, Mapping[str, float]]
    delay: Mapping[str, Mapping[str, float]]

    def area_ge(self, config: CoreConfig) -> dict[str, float]:
        """GE by block."""
        return {block: _sum(counts, self.area[block]) for block, counts in parts(config).items()}

    def delays(self, config: CoreConfig) -> dict[str, float]:
        """By path, in ns, on `ge` in T_A."""
        return {path: _sum(counts, self.delay[path]) for path, counts in paths(config).items()}


def _sum(counts: Parts, units: Mapping[str, float]) -> float:
    return sum(number * units[kind] for kind, number in counts.items())


# Data ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Data:
    """The points of a target."""

    target: str
    effort: str
    command: str
    versions: str
    calibrate: tuple[Sample, ...]
    validate: tuple[Sample, ...]


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
    samples = [Sample.from_mapping(point) for point in values["points"]]
    return Data(
        target=values["target"],
        effort=values["effort"],
        command=values["command"],
        versions=values["versions"],
        calibrate=tuple(samples[0::2]),
        validate=tuple(samples[1::2]),
    )


def calibrated() -> list[str]:
    """Targets that cores can be estimated on."""
    folder = files("gcmforge.explore") / "data"
    names = (file.name for file in folder.iterdir() if file.name.endswith(".json"))
    return sorted(name.removesuffix(".json") for name in names if name != "leaf_costs.json")


@cache
def calibration_of(target: str) -> Calibration:
    """Unit costs from the points that are for it."""
    data = data_of(target)
    return calibrate(data.target, data.effort, data.calibrate)


# Finding unit costs -------------------------------------------------------------------------------


def calibrate(target: str, effort: str, samples: Sequence[Sample]) -> Calibration:
    """Unit costs with the least squares of relative errors over the samples."""
    counts = [parts(sample.config) for sample in samples]
    area = {
        block: fit(
            [count[block] for count in counts],
            [sample.blocks[block] for sample in samples],
            AREA_PRIOR,
        )
        for block in BLOCKS
    }
    return Calibration(target=target, effort=effort, area=area, delay=_fit_delays(samples))


def _fit_delays(samples: Sequence[Sample]) -> dict[str, dict[str, float]]:
    """Paths one by one, each from the ends that are its alone.

    Where rounds are cut, `enable` is what arrives late everywhere: such samples say how late that
    is, and nothing of the other paths.
    """
    unit = _time_unit(samples)
    prior = {kind: unit * value for kind, value in DELAY_PRIOR.items()}
    seen: dict[str, tuple[list[Parts], list[float]]] = {path: ([], []) for path in PATHS}
    for sample in samples:
        for path, counts in paths(sample.config).items():
            delay = _seen_delay(path, sample)
            if delay:
                seen[path][0].append(counts)
                seen[path][1].append(delay)
    return {path: fit(*seen[path], prior) for path in PATHS}


def _seen_delay(path: str, sample: Sample) -> float:
    """What was measured of a path in a sample; 0 where it is not to be seen."""
    cut = sample.config.aes_substages > 1
    if path == "enable":
        return max(sample.ends.get(end, 0.0) for end in ("u_issue", "u_command", "u_slots"))
    ends = [end for end, found in ENDS.items() if path in found]
    if path == "key":
        inside = sample.config.key_schedule == "travelling"
        ends = ["u_aes"] if inside else ["u_keys"]
    if path == "round" and sample.config.key_schedule == "travelling":
        return 0.0  # the window's step ends in the same place, and is longer
    delay = max(sample.ends.get(end, 0.0) for end in ends)
    return 0.0 if cut and path != "product" else delay


def _time_unit(samples: Sequence[Sample]) -> float:
    """About what a T_A is there: by the products, which are long."""
    ratios = sorted(
        sample.ends["u_ghash"] / paths(sample.config)["product"]["ta"] for sample in samples
    )
    return ratios[len(ratios) // 2]


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
    units = _bounded_ridge(rows, np.ones(len(found)))
    return dict(prior) | dict(zip(kinds, (units * scale).tolist(), strict=True))


def _bounded_ridge(rows: Floats, wanted: Floats) -> Floats:
    """x near 1 with small squares of rows @ x - wanted, none below LEAST."""
    import numpy as np

    size = rows.shape[1]
    held = np.zeros(size, dtype=bool)
    x = np.ones(size)
    while True:
        free = ~held
        x[held] = LEAST
        left = wanted - rows[:, held] @ x[held]
        weight = np.sqrt(STRENGTH) * np.eye(int(free.sum()))
        stacked = np.vstack([rows[:, free], weight])
        x[free] = np.linalg.lstsq(stacked, np.concatenate([left, np.diag(weight)]), rcond=None)[0]
        low = free & (x < LEAST)
        if not low.any():
            return x
        held |= low

# SPDX-License-Identifier: Apache-2.0
"""Which figures cores have on a target, and of which of them a front is made.

Gate equivalents (`ge`) have no time unit, so no Fmax and no Gbit/s; an FPGA has LUTs and no gates,
and one that nothing places has no clock. A front of a figure that no core has would be empty.
"""

from __future__ import annotations

from collections.abc import Sequence

from gcmforge.config import ConfigError
from gcmforge.explore.point import GOALS, Point

_TIMED = ("gbit_per_s", "fmax_mhz", "latency_ns")
_ALWAYS = ("bits_per_cycle", "latency_cycles")


def own_front(target: str) -> tuple[str, str]:
    """Throughput against size, in the figures that the target has."""
    rate = "gbit_per_s" if is_timed(target) else "bits_per_cycle"
    return rate, "luts" if _is_fpga(target) else "area_ge"


def check_front(names: Sequence[str], target: str, *, measured: bool, power: bool) -> None:
    """ConfigError where a front is asked for of a figure that no core has on the target."""
    there = _figures(target, measured=measured, power=power)
    lacking = [name for name in names if name not in there]
    if not lacking:
        return
    why = {
        **dict.fromkeys(_TIMED, "the target has no unit of time"),
        "kbit_per_s_per_gate": "it takes both a clock and gates",
        "delay_ta": "only ge counts paths in T_A",
        "area_ge": "an FPGA has no gate equivalents",
        "luts": "only an FPGA has LUTs",
        "flip_flops": "they are not estimated, use --depth measure",
        "pj_per_bit": "it takes --depth measure and --power, on cells with energy figures",
    }
    if _is_fpga(target):
        why |= dict.fromkeys(_TIMED, "no tool here places this family, so it has no clock")
    said = "; ".join(f"{name}: {why[name]}" for name in lacking)
    raise ConfigError(
        f"front={','.join(names)} on {target}: no core would be on it ({said}); use two or more "
        f"of {', '.join(there)}, such as --front {','.join(own_front(target))}"
    )


def why_no_front(points: Sequence[Point], names: Sequence[str]) -> str:
    """Why none of these points, which all have figures, is on the front."""
    lacking = [name for name in names if all(getattr(p, name) is None for p in points)]
    there = [name for name in GOALS if any(getattr(p, name) is not None for p in points)]
    if lacking:
        said = f"no core has {' or '.join(lacking)}"
    else:
        said = f"no core has all of {', '.join(names)}"
    return f"{said} there; use --front with two or more of {', '.join(there)}"


def _figures(target: str, *, measured: bool, power: bool) -> list[str]:
    """In the order of GOALS."""
    there = {*_ALWAYS, "luts" if _is_fpga(target) else "area_ge"}
    if is_timed(target):
        there |= {*_TIMED} | (set() if _is_fpga(target) else {"kbit_per_s_per_gate"})
    there |= {"delay_ta"} if target == "ge" else set()
    there |= {"flip_flops"} if measured else set()
    there |= {"pj_per_bit"} if measured and power and _has_energy(target) else set()
    return [name for name in GOALS if name in there]


def _is_fpga(target: str) -> bool:
    from gcmforge.place.families import FAMILIES

    return target in FAMILIES


def is_timed(target: str) -> bool:
    """Whether measuring there gives a clock."""
    from gcmforge.place.families import FAMILIES

    return bool(FAMILIES[target].package) if target in FAMILIES else target != "ge"


def _has_energy(target: str) -> bool:
    return target != "ge" and not _is_fpga(target)

# SPDX-License-Identifier: Apache-2.0
"""ABC scripts that gates are mapped with, and which to try.

No script is best everywhere: the ranking changes with the library and with the circuit. What holds:
a leaf out of `circuit/` already shares its sums, and a script that rebuilds it (the speed script,
mostly) spends that sharing. Mapping what is there (`keep`, `amap`) preserves it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Effort = Literal["quick", "normal", "high"]
Goal = Literal["area", "delay", "balanced"]

AS_WRITTEN = "as written"
"""Not a script: each gate of the text becomes the library's gate of that kind (`ge` only)."""

PLAIN = "plain"
"""What Yosys runs by itself with `abc -liberty` and no constraint: nothing is buffered or sized."""

PLAIN_SIZED = "plain, sized"
"""The same with the buffers and sizes that all others get."""

BARE = "dc2, amap, bare"
"""Neither buffered nor sized, to compare areas with PLAIN."""

COMPARISONS = (PLAIN, PLAIN_SIZED, BARE)
"""Never tried unasked."""


LARGE_GATES = 2_000
"""With more, ABC buffers by `-p`: where thousands of gates read a net, `buffer -c` puts a buffer
after every second gate, whatever that drives (sg13g2: a third of a wide multiplier's area)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Script:
    """ABC commands: `maps` up to mapped gates, then `sizes` where loads cost time."""

    name: str
    maps: tuple[str, ...]
    sizes: tuple[str, ...] = ("buffer -c", "upsize", "dnsize")
    slow: bool = False
    """Takes long, or much memory, on a multiplier."""

    def text(self, *, sized: bool, gates: int) -> str:
        """The script's lines for so many; `sized` where the library's delays depend on load."""
        sizes = self.sizes if sized else ()
        if gates > LARGE_GATES:
            sizes = tuple(command.replace("buffer -c", "buffer -p") for command in sizes)
        return "\n".join([*self.maps, *sizes, "stime -p", ""])


_REBUILD = ("strash", "&get -n", "&fraig -x", "&put", "scorr", "dc2")
_PLAIN = (*_REBUILD, "dretime", "strash", "&get -n", "&dch -f", "&nf", "&put")

_ALL = (
    Script(name="keep", maps=("&get -n", "&nf", "&put")),
    Script(
        name="keep, fan-out 4",
        maps=("&get -n", "&nf", "&put"),
        sizes=("buffer -c -N 4", "upsize", "dnsize"),
    ),
    Script(name="amap", maps=("strash", "amap -F 20 -A 20", "topo")),
    Script(name="dc2, amap", maps=("strash", "dc2", "dc2", "amap -F 20 -A 20", "topo")),
    Script(name="map area", maps=("strash", "dch -f", "map -a", "topo"), slow=True),
    Script(
        name="rebuild",
        maps=(*_REBUILD, "strash", "&get -n", "&dch -f", "&nf", "&put"),
        sizes=("topo", "buffer -c", "upsize", "dnsize"),
    ),
    Script(
        name="rebuild, fan-out 4",
        maps=(*_REBUILD, "strash", "&get -n", "&dch -f", "&nf", "&put", "topo"),
        sizes=("buffer -c -N 4", "upsize", "dnsize"),
    ),
    Script(
        name="rebuild, amap",
        maps=(*_REBUILD, "dch -f", "amap -F 20 -A 20", "topo"),
        slow=True,
    ),
    Script(
        name="speed",
        maps=(
            *_REBUILD, "strash", "&get -n", "&st", "&if -g -K 6", "&dch -f", "&nf -D 1", "&put",
            "topo",
        ),
        sizes=("buffer -p", "upsize", "dnsize"),
    ),
    Script(
        name="speed, fan-out 4",
        maps=(
            *_REBUILD, "strash", "&get -n", "&st", "&if -g -K 6", "&dch -f", "&nf -D 1", "&put",
            "topo",
        ),
        sizes=("buffer -c -N 4", "upsize", "dnsize"),
    ),
    Script(name=PLAIN, maps=_PLAIN, sizes=()),
    Script(name=PLAIN_SIZED, maps=_PLAIN),
    Script(name=BARE, maps=("strash", "dc2", "dc2", "amap -F 20 -A 20", "topo"), sizes=()),
)  # fmt: skip

SCRIPTS = {script.name: script for script in _ALL}

_LEAF: dict[tuple[Effort, Goal], tuple[str, ...]] = {
    ("quick", "area"): ("keep",),
    ("quick", "delay"): ("keep", "keep, fan-out 4"),
    ("normal", "area"): ("keep", "amap", "dc2, amap", "rebuild"),
    ("normal", "delay"): ("keep", "keep, fan-out 4", "dc2, amap", "rebuild", "speed"),
    ("quick", "balanced"): ("keep", "keep, fan-out 4"),
    ("normal", "balanced"): ("keep", "keep, fan-out 4", "amap", "dc2, amap", "rebuild"),
}
_RTL: dict[tuple[Effort, Goal], tuple[str, ...]] = {
    ("quick", "area"): ("rebuild",),
    ("quick", "delay"): ("speed",),
    ("normal", "area"): ("dc2, amap", "rebuild"),
    ("normal", "delay"): ("rebuild", "speed"),
    ("quick", "balanced"): ("rebuild",),
    ("normal", "balanced"): ("dc2, amap", "rebuild", "speed"),
}
_SMALL = ("map area", "rebuild, amap", "speed", "rebuild, fan-out 4", "speed, fan-out 4")
"""Tried as well where a circuit is so small that they take no time."""
_SMALL_RTL = ("rebuild, amap",)

_LOADED = ("map area", "keep, fan-out 4", "rebuild, fan-out 4", "speed, fan-out 4")
"""Of no use where delays do not depend on load: ABC's `map` refuses such a library."""

SMALL_GATES = 3000


def scripts_for(
    *, leaf: bool, gates: int, effort: Effort, goal: Goal, as_written: bool
) -> tuple[str, ...]:
    """Names of the scripts to try on a module of that many gates, in the order to try them.

    `as_written` for the library that has a cell for each gate of a circuit.
    """
    if effort == "high":
        names = tuple(name for name in SCRIPTS if name not in COMPARISONS)
    else:
        names = (_LEAF if leaf else _RTL)[(effort, goal)]
        if effort == "normal" and gates <= SMALL_GATES:
            more = _SMALL if leaf else _SMALL_RTL
            names += tuple(name for name in more if name not in names)
    if as_written:
        names = tuple(name for name in names if name not in _LOADED)
    return (AS_WRITTEN, *names) if leaf and as_written else names

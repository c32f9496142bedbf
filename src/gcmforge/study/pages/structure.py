# SPDX-License-Identifier: Apache-2.0
"""Does mapping keep the sums that the circuits share? KO1 to KO6 on `ge` and on an ASIC library.

`gcmforge-study run structure` prints it. For each multiplier its own count in GE, the mapped area
on `ge`, and on the library area and slowest path of plain `abc -liberty` on the same text and of
ours, both as they come (plain neither buffers nor sizes) and both buffered and sized alike, as
`measure` reports ours.
"""

from dataclasses import dataclass

from gcmforge.circuit import cost
from gcmforge.leaf import leaf_text, library
from gcmforge.netlist.targets import Target, find_target, library_of
from gcmforge.sta.timing import analyse
from gcmforge.synth.scripts import BARE, PLAIN, PLAIN_SIZED
from gcmforge.synth.synthesis import Synthesis, synthesise

LEAVES = tuple(f"gf128_mul/ko{level}" for level in range(1, 7))
ALLOWED_ON_GE = 1.02


@dataclass(frozen=True, kw_only=True, slots=True)
class Mapped:
    """One way of mapping a leaf."""

    area_ge: float
    delay_ns: float

    def __str__(self) -> str:
        return f"{self.area_ge:,.0f}, {self.delay_ns:.2f} ns"


@dataclass(frozen=True, kw_only=True, slots=True)
class Kept:
    """Areas of one leaf in GE, and what mapping made of it on the library."""

    leaf: str
    circuit_ge: float
    ge: float
    plain: Mapped
    bare: Mapped
    plain_sized: Mapped
    ours: Mapped
    script: str
    """That won for `ours`."""

    @property
    def kept(self) -> bool:
        """As `measure` maps it: the sums stay on `ge`, and on the library plain abc is larger."""
        return (
            self.ge <= self.circuit_ge * ALLOWED_ON_GE
            and self.ours.area_ge < self.plain_sized.area_ge
        )

    @property
    def good(self) -> bool:
        """That, and plain abc is larger without buffers and sizes, too."""
        return self.kept and self.bare.area_ge < self.plain.area_ge

    @property
    def cells(self) -> tuple[str, ...]:
        areas = tuple(f"{area:,.0f}" for area in (self.circuit_ge, self.ge))
        return (*areas, *map(str, (self.plain, self.bare, self.plain_sized, self.ours)))


HEADINGS = ("circuit", "`ge`", "plain abc", "ours", "plain abc, sized", "ours, sized")


def measured(name: str, target: Target) -> Kept:
    """The areas of one leaf."""
    leaf = next(leaf for leaf in library() if leaf.name == name)
    text = leaf_text(leaf)
    plain, sized, bare = (
        synthesise(text, target, scripts=[script]) for script in (PLAIN, PLAIN_SIZED, BARE)
    )
    ours = synthesise(text, target, effort="normal")
    return Kept(
        leaf=name,
        circuit_ge=cost(leaf.circuit).ge,
        ge=synthesise(text, find_target("ge"), effort="quick").area_ge,
        plain=mapped(plain),
        bare=mapped(bare),
        plain_sized=mapped(sized),
        ours=mapped(ours),
        script=script_of(ours),
    )


def mapped(result: Synthesis) -> Mapped:
    """Area, and the slowest path with the target's driver and load."""
    target = result.target
    timing = analyse(
        result.netlist,
        library_of(target),
        driving_cell=target.driving_cell,
        load_ff=target.load_ff,
        clock_slew_ns=target.clock_transition_ns,
    )
    return Mapped(area_ge=result.area_ge, delay_ns=timing.critical_path_ns)


def script_of(result: Synthesis) -> str:
    """The script that won on a leaf's only module."""
    (module,) = result.modules.values()
    return module.script

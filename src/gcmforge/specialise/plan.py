# SPDX-License-Identifier: Apache-2.0
"""What a specialised GHASH is made as: its shape, and what its logic is minimised for."""

from dataclasses import dataclass
from typing import Any, Literal

from gcmforge.config import ConfigError
from gcmforge.config.engine import Parameters
from gcmforge.config.kinds import FixedShape, fixed_ghash
from gcmforge.emit.ports import Port

Shape = Literal["one_cycle", "two_cycle", "chain", "feedback", "lanes"]
EFFORTS = ("quick", "normal", "high")
MOST_BLOCKS = 16


@dataclass(frozen=True, kw_only=True, slots=True)
class Target:
    """What logic is minimised for: XOR gates, or LUTs of so many inputs, printed as assignments or
    with the LUT cells of a kind of device (circuit.lut_text)."""

    name: str
    lut_inputs: int = 0
    dual: bool = False
    cells: str = ""

    @property
    def unit(self) -> str:
        return f"LUT{self.lut_inputs}" if self.lut_inputs else "XOR"


TARGETS = {
    target.name: target
    for target in (
        Target(name="gates"),
        Target(name="lut4", lut_inputs=4),
        Target(name="lut6", lut_inputs=6),
        *(Target(name=name, lut_inputs=4, cells="xilinx4") for name in ("xc3s", "xcv4")),
        *(
            Target(name=name, lut_inputs=6, dual=True, cells="xilinx6")
            for name in ("xcv5", "xcv6", "xc7", "xcup")
        ),
        *(Target(name=name, lut_inputs=4, cells=name) for name in ("ecp5", "ice40", "gowin")),
    )
}
"""By name; the FPGA families are those of `gcmforge measure`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """One module: shape and number of blocks a beat, target and effort; nothing of any key."""

    shape: Shape = "one_cycle"
    blocks: int = 1
    skewed: bool = False
    target: Target = TARGETS["gates"]
    effort: str = "normal"

    @property
    def lanes(self) -> int:
        """Blocks that the leaf takes at once."""
        return self.blocks if self.shape == "lanes" else 1

    @property
    def multipliers(self) -> int:
        """Copies of the leaf."""
        return self.blocks if self.shape in ("chain", "feedback") else 1

    @property
    def _form(self) -> FixedShape:
        return fixed_ghash().shapes[self.shape]

    @property
    def module(self) -> str:
        return self._form.module

    @property
    def parameters(self) -> Parameters:
        """Of that module."""
        return self._form.parameters(self.blocks, self.skewed)

    @property
    def law(self) -> str:
        """Cycles, as the module's header states them."""
        return self._form.law(self.blocks, self.skewed)

    @property
    def latency_cycles(self) -> int:
        """From a message's last beat to its digest, or from its first block where skewed."""
        return self._form.latency_cycles(self.blocks)

    @property
    def beat_cycles(self) -> int:
        """From one beat to the next."""
        return self._form.beat_cycles

    @property
    def ports(self) -> tuple[Port, ...]:
        """Of every shape, the same, and where messages take turns, whose it is; blocks as in the
        standard."""
        rows = (
            ("clk", "input", 1, "clock"),
            ("rst", "input", 1, "reset, active high"),
            ("in_valid_i", "input", 1, "a beat is offered"),
            ("in_ready_o", "output", 1, "it is taken"),
            ("in_data_i", "input", 128 * self.blocks, "blocks, the first on top"),
            ("in_count_i", "input", self.blocks.bit_length(), self._count_meaning),
            ("in_last_i", "input", 1, "the message's last beat"),
            *(self._turn_ports if self.shape == "feedback" else ()),
            ("digest_valid_o", "output", 1, "a digest is there, for this cycle"),
            ("digest_o", "output", 128, "GHASH of the message"),
        )
        return tuple(Port(name=n, direction=d, width=w, meaning=m) for n, d, w, m in rows)

    @property
    def _turn_ports(self) -> tuple[tuple[str, str, int, str], ...]:
        turn = max(1, (self.blocks - 1).bit_length())
        return (
            ("in_open_o", "output", 1, "the beat goes on with the message whose turn it is"),
            ("in_turn_o", "output", turn, f"that turn, 0 to {self.blocks - 1}"),
        )

    @property
    def _count_meaning(self) -> str:
        if self.shape == "lanes":
            return f"how many of them, 1 to {self.blocks}"
        if self.multipliers > 1:
            return "not read: zeros before a shorter message"
        return "not read"

    def to_mapping(self) -> dict[str, Any]:
        """For TOML and JSON."""
        return {
            "shape": self.shape,
            "blocks": self.blocks,
            "skewed": self.skewed,
            "target": self.target.name,
            "effort": self.effort,
        }


def make_plan(
    *,
    stages: int = 0,
    lanes: int = 0,
    cycles: int = 1,
    skewed: bool = False,
    feedback: bool = False,
    target: str = "gates",
    effort: str = "normal",
) -> Plan:
    """The plan of a command's options. ConfigError says which options cannot be combined."""
    if target not in TARGETS:
        raise ConfigError(f"target={target}: not known here; use one of {', '.join(TARGETS)}")
    if effort not in EFFORTS:
        raise ConfigError(f"effort={effort}: not known; use {', '.join(EFFORTS)}")
    if stages and lanes:
        raise ConfigError(
            f"stages={stages} with lanes={lanes}: a module is a chain or has lanes; use one of them"
        )
    if cycles not in (1, 2):
        raise ConfigError(f"cycles={cycles}: use 1 or 2 cycles a block")
    if cycles == 2 and (stages or lanes):
        raise ConfigError("cycles=2 with stages or lanes: only the basic module takes two cycles")
    if skewed and not stages:
        raise ConfigError("skewed without stages: only a chain has blocks that come one by one")
    if feedback and (skewed or not stages):
        raise ConfigError(
            "feedback leads from a chain's last stage to its first, and its blocks come a beat at "
            "a time: use it with stages, without skewed"
        )
    for name, value in (("stages", stages), ("lanes", lanes)):
        if not 0 <= value <= MOST_BLOCKS:
            raise ConfigError(f"{name}={value}: use 1 to {MOST_BLOCKS}")
    shape: Shape = "two_cycle" if cycles == 2 else "one_cycle"
    if stages:
        shape = "feedback" if feedback else "chain"
    elif lanes > 1:
        shape = "lanes"
    return Plan(
        shape=shape, blocks=stages or max(1, lanes), skewed=skewed, target=TARGETS[target],
        effort=effort,
    )  # fmt: skip

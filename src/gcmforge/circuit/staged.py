# SPDX-License-Identifier: Apache-2.0
"""A Builder whose gates are put into stages by hand, for circuits in which a register is meant.

`pipeline` places registers where they cost least. In a masked circuit they stand where the proof
needs them: a value that is read in a later stage than its own has been through a register, and
through no gate since.
"""

from __future__ import annotations

from collections.abc import Sequence

from gcmforge.circuit.build import Builder
from gcmforge.circuit.ir import FIRST_INPUT, Net, Op, PipelinedCircuit


class StagedBuilder(Builder):
    """A Builder with a current stage: that of every gate made from now on."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.stage = 0
        self._stage_of: list[int] = [0, 0]
        self._marks: dict[str, tuple[Net, ...]] = {}

    def input(self, name: str, width: int) -> tuple[Net, ...]:
        """A new input bus, whose bits come in the current stage."""
        nets = super().input(name, width)
        self._stage_of += [self.stage] * width
        return nets

    def next_stage(self) -> None:
        """From here on gates stand after one more row of registers.

        A gate that is asked for again is made again: it costs less than the registers that would
        carry its value, and its wire stays within its stage.
        """
        self.stage += 1
        self._known.clear()

    def _make(self, op: Op, *args: Net) -> Net:
        if any(self._stage_of[arg] > self.stage for arg in args):
            raise ValueError(f"{self.name}: a gate of stage {self.stage} reads a later stage")
        net = super()._make(op, *args)
        if net == len(self._stage_of):
            self._stage_of.append(self.stage)
        return net

    def mark(self, name: str, nets: Sequence[Net]) -> None:
        """Remember these nets under a name; `marks` has their numbers in the frozen circuit."""
        self._check_nets(nets)
        self._marks[name] = tuple(nets)

    def marks(self) -> dict[str, tuple[Net, ...]]:
        """What was marked, as nets of the circuit that `staged` makes."""
        kept = [net for bus in self._inputs for net in bus.nets] + self._live()
        number = {net: n for n, net in enumerate(kept, FIRST_INPUT)} | {0: 0, 1: 1}
        return {name: tuple(number[net] for net in nets) for name, nets in self._marks.items()}

    def staged(self) -> PipelinedCircuit:
        """The frozen circuit in its stages."""
        circuit = self.build()
        kept = [net for bus in self._inputs for net in bus.nets] + self._live()
        return PipelinedCircuit(
            circuit=circuit,
            stages=self.stage + 1,
            stage_of=(0, 0, *(self._stage_of[net] for net in kept)),
            period=float("inf"),
        )

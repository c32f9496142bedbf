# SPDX-License-Identifier: Apache-2.0
"""What a circuit has for nothing: nets that never change, gates that nobody reads.

No proof of equality sees them, as they change no output. A net that shows a 0 and a 1 is not
constant; of a circuit with at most 16 input bits all patterns are tried, so that the others are. Of
a wider one they are suspects: each was the same under so many random patterns.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from gcmforge.circuit.build import Builder
from gcmforge.circuit.ir import (
    ONE,
    ZERO,
    Circuit,
    Net,
    PipelinedCircuit,
    combinational,
    fanout_counts,
)
from gcmforge.circuit.layout import lay_out
from gcmforge.circuit.patterns import MAX_EXHAUSTIVE_INPUTS, all_patterns
from gcmforge.circuit.simulate import net_values

RANDOM_PATTERNS = 4096
SEED = 26


@dataclass(frozen=True, kw_only=True, slots=True)
class Idle:
    """Of one circuit in its stages."""

    constant: tuple[tuple[str, int], ...]
    """Name in the printed text and value; a gate inside another's expression has a number."""
    unread: tuple[str, ...]
    """Gates that no gate and no output reads."""
    flip_flops: int
    """Those that hold such a net from stage to stage."""
    patterns: int
    complete: bool
    """Whether these were all patterns."""

    def __bool__(self) -> bool:
        return bool(self.constant or self.unread)

    def text(self) -> str:
        """One line."""
        found = [f"{name} is always {value}" for name, value in self.constant]
        found += [f"nobody reads {name}" for name in self.unread]
        how = "all" if self.complete else "random"
        end = f"; {self.flip_flops} flip-flops hold such nets" if self.flip_flops else ""
        return f"{', '.join(found) or 'every net changes and is read'}{end} ({self.patterns} " + (
            f"{how} patterns)"
        )


def idle(design: Circuit | PipelinedCircuit) -> Idle:
    """What that circuit has for nothing."""
    pipe = design if isinstance(design, PipelinedCircuit) else combinational(design)
    c = pipe.circuit
    constant, patterns = constant_nets(c)
    counts = fanout_counts(c)
    unread = [net for net in range(c.first_gate, c.net_count) if not counts[net]]
    last = pipe.last_use
    names = _names(pipe)
    return Idle(
        constant=tuple((names[net], value) for net, value in constant.items()),
        unread=tuple(names[net] for net in unread),
        flip_flops=sum(last[net] - pipe.stage_of[net] for net in {*constant, *unread}),
        patterns=patterns,
        complete=c.input_width <= MAX_EXHAUSTIVE_INPUTS,
    )


def constant_nets(c: Circuit) -> tuple[dict[Net, int], int]:
    """Gates whose value was the same under every pattern, with it; and how many patterns."""
    if c.input_width <= MAX_EXHAUSTIVE_INPUTS:
        chosen = all_patterns(c)
        count, sliced = chosen.count, chosen.sliced()
    else:
        count, rng = RANDOM_PATTERNS, random.Random(SEED)
        sliced = {bus.name: [rng.getrandbits(count) for _ in bus.nets] for bus in c.inputs}
    ones = (1 << count) - 1
    values = net_values(c, sliced, ones)
    gates = range(c.first_gate, c.net_count)
    return {net: values[net] & 1 for net in gates if values[net] in (0, ones)}, count


def _names(pipe: PipelinedCircuit) -> dict[Net, str]:
    """As the printed text has them."""
    c = pipe.circuit
    names = {net: f"gate {net - c.first_gate}" for net in range(c.first_gate, c.net_count)}
    for net, ref in lay_out(pipe).home.items():
        names[net] = ref.signal.name + ("" if ref.bit is None else f"[{ref.bit}]")
    return names


def without_constants(c: Circuit) -> Circuit:
    """The same function without nets that never change, for a circuit of which all patterns are
    tried. A gate that reads one becomes what is left of it; all others stay as they are."""
    constant, _ = constant_nets(c)
    if c.input_width > MAX_EXHAUSTIVE_INPUTS:
        raise ValueError(f"{c.name}: {c.input_width} input bits are too many to be tried")
    b = Builder(c.name)
    value = [ZERO, ONE]
    for bus in c.inputs:
        value += b.input(bus.name, bus.width)
    for net, (op, args) in enumerate(c.gates, c.first_gate):
        now = [value[arg] for arg in args]
        with b.section(c.sections[c.section_of[net - c.first_gate]]):
            if net in constant:
                value.append(b.const(constant[net]))
            else:
                value.append((b.gate if {ZERO, ONE} & set(now) else b.as_it_is)(op, now))
    for bus in c.outputs:
        b.output(bus.name, [value[net] for net in bus.nets])
    return b.build()

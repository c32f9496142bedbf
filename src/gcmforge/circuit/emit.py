# SPDX-License-Identifier: Apache-2.0
"""The SystemVerilog printer.

Bits of a vector that have the same form over consecutive operands are one assignment over slices;
sums that are read once are written where they are read, with the parentheses of the circuit, so
that the text has the circuit's gates and depth. A wire is declared where it is assigned, unless its
bits have several forms. The order follows the circuit's, so that a diff of two prints is a change
of the circuit.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gcmforge.circuit.ir import Circuit, Net, Op, PipelinedCircuit, combinational
from gcmforge.circuit.layout import Block, Layout, Node, Ref, Signal, Tree, constant, lay_out

COLUMNS = 100
_SYMBOL = {
    Op.XOR: "^", Op.XNOR: "^", Op.AND: "&", Op.NAND: "&", Op.OR: "|", Op.NOR: "|",
}  # fmt: skip
_INVERTED = {Op.XNOR, Op.NAND, Op.NOR}


def emit_systemverilog(
    c: Circuit | PipelinedCircuit,
    header_lines: Sequence[str] = (),
    *,
    clocked: bool = False,
    enable: bool = False,
) -> str:
    """One module named as the circuit, ports named as its buses.

    clocked adds the input clk (needed by a circuit with registers), enable adds en_i, which holds
    every register when 0. header_lines follow the SPDX line as // comments.
    """
    pipe = combinational(c) if isinstance(c, Circuit) else c
    if pipe.stages > 1 and not clocked:
        raise ValueError(f"{pipe.circuit.name}: {pipe.stages} stages need clocked=True")
    if enable and not clocked:
        raise ValueError(f"{pipe.circuit.name}: enable=True needs clocked=True")
    printer = _Printer(pipe, lay_out(pipe), clocked, enable)
    lines = ["// SPDX-License-Identifier: Apache-2.0"]
    for line in header_lines:
        lines += _comment(line)
    return "\n".join([*lines, *printer.module()]) + "\n"


def _comment(text: str, indent: str = "") -> list[str]:
    prefix = f"{indent}// "
    wrapped = textwrap.wrap(text, COLUMNS, initial_indent=prefix, subsequent_indent=prefix)
    return wrapped or [f"{indent}//"]


def _wrap(text: str, indent: str = "  ") -> list[str]:
    """Lines of at most COLUMNS; broken before an operator in the fewest parentheses, or at a comma.

    textwrap is not enough: it breaks inside parentheses.
    """
    lines = []
    room = COLUMNS - len(indent)
    while len(text) > room:
        at = _break(text, room)
        lines.append(indent + text[:at].rstrip())
        text = text[at:]
        if len(lines) == 1:
            indent, room = indent + "    ", room - 4
    return [*lines, indent + text]


def _break(text: str, room: int) -> int:
    """Where to end a line of at most `room` characters: the start of an operator or a new item."""
    depth = best = at_depth = 0
    for i, char in enumerate(text[: room + 1]):
        depth += (char in "({") - (char in ")}")
        operator = char in "^&|?:" and text[i - 1] == text[i + 1] == " "
        item = text[i - 2 : i] == ", "
        if (operator or item) and (best == 0 or depth <= at_depth):
            best, at_depth = i, depth
    return best or text.rindex(" ", 0, room + 1) + 1


class _Printer:
    def __init__(self, pipe: PipelinedCircuit, layout: Layout, clocked: bool, enable: bool) -> None:
        self.pipe = pipe
        self.c = pipe.circuit
        self.layout = layout
        self.clocked = clocked
        self.enable = enable
        self.declared: set[str] = set()
        for signals in layout.registers:
            self.declared |= {signal.name for signal in signals}
        self.declared |= {ref.signal.name for ref in layout.inputs.values()} | set(layout.outputs)

    def module(self) -> Iterator[str]:
        yield f"module {self.c.name} ("
        ports = list(self._ports())
        yield from (port + "," for port in ports[:-1])
        yield ports[-1]
        yield ");"
        yield from self._unused()
        for stage in range(self.pipe.stages):
            if self.pipe.stages > 1:
                yield ""
                yield f"  // ---- Stage {stage + 1} of {self.pipe.stages}"
            for block in self.layout.blocks:
                if block.stage == stage:
                    yield ""
                    yield from _comment(block.title, "  ") if block.title else ()
                    bits = [(self.layout.home[n], self._gate(n, stage)) for n in self._own(block)]
                    yield from self._wires(bits)
            if stage < self.pipe.stages - 1:
                yield from self._registers(stage)
        yield from self._outputs()
        yield "endmodule"

    def _own(self, block: Block) -> Iterator[Net]:
        return (net for net in block.gates if net not in self.layout.inlined)

    def _wires(self, bits: Sequence[tuple[Ref, Tree]]) -> Iterator[str]:
        """Assignments in the order of the circuit; wires are declared at their first mention."""
        for statement in _statements(bits):
            for read in _mentioned(statement.tree):
                yield from self._declare(read)
            signal = statement.target.signal
            text = _slice(statement.target, statement.n)
            if text == signal.name and signal.name not in self.declared:
                self.declared.add(signal.name)
                text = f"wire {_range_of(signal)}{signal.name}"
            else:
                yield from self._declare(signal)
                text = f"assign {text}"
            yield from _wrap(f"{text} = {statement.expression};")

    def _declare(self, signal: Signal) -> Iterator[str]:
        if signal.order >= 0 and signal.name not in self.declared:
            self.declared.add(signal.name)
            yield f"  wire {_range_of(signal)}{signal.name};"

    def _ports(self) -> Iterator[str]:
        scalars = [("input ", name) for name in self._controls()]
        wide = [("input ", b.name, b.width) for b in self.c.inputs]
        wide += [("output", b.name, b.width) for b in self.c.outputs]
        ranges = [_range(0, width - 1) if width > 1 else "" for *_, width in wide]
        pad = max(len(text) for text in ranges)
        pad += pad > 0
        for direction, name in scalars:
            yield f"  {direction} logic {'':{pad}}{name}"
        for (direction, name, _), text in zip(wide, ranges, strict=True):
            yield f"  {direction} logic {text:{pad}}{name}"

    def _controls(self) -> list[str]:
        return ["clk"] * self.clocked + ["en_i"] * self.enable

    def _unused(self) -> Iterator[str]:
        """Ports that nothing reads, gathered where lint tools look for them."""
        names = self._controls() if self.pipe.stages == 1 or not self.pipe.registers else []
        read = {arg for gate in self.c.gates for arg in gate.args} | set(self.c.output_nets)
        for bus in self.c.inputs:
            idle = [self.layout.inputs[net] for net in bus.nets if net not in read]
            pieces = _slices(idle)
            names += pieces
        if names:
            yield ""
            yield "  logic unused;"
            yield from _wrap(f"assign unused = &{{1'b0, {', '.join(names)}}};")

    def _value(self, net: Net, stage: int) -> Tree:
        """What is written for a net that is read in a stage."""
        if net < 2:
            return constant(net)
        if self.pipe.stage_of[net] < stage:
            return self.layout.register_of[net, stage]
        if net < self.c.first_gate:
            return self.layout.inputs[net]
        if net in self.layout.inlined:
            return self._gate(net, stage)
        return self.layout.home[net]

    def _gate(self, net: Net, stage: int) -> Node:
        op, args = self.c.gates[net - self.c.first_gate]
        trees = [self._value(arg, stage) for arg in args]
        if op is not Op.MUX:
            trees.sort(key=_operand_order)
            if len(trees) == 2 and _chains(op, trees[1]) and not _chains(op, trees[0]):
                trees.reverse()
        return Node(op, tuple(trees))

    def _registers(self, stage: int) -> Iterator[str]:
        """The boundary after a stage."""
        if not self.layout.registers[stage]:
            return
        yield ""
        count = self.pipe.cut_registers[stage]
        yield from _comment(f"{count} registers between stages {stage + 1} and {stage + 2}", "  ")
        yield from _declarations(self.layout.registers[stage])
        yield "  always_ff @(posedge clk)" + (" begin" if not self.enable else "")
        if self.enable:
            yield "    if (en_i) begin"
        bits = [
            (ref, self._value(net, stage))
            for (net, k), ref in self.layout.register_of.items()
            if k == stage + 1
        ]
        indent = "      " if self.enable else "    "
        yield from _assignments(bits, "", " <= ", indent)
        yield "    end" if self.enable else "  end"

    def _outputs(self) -> Iterator[str]:
        """Output bits that a named signal, an input or a constant drives."""
        bits = []
        for bus in self.c.outputs:
            signal = self.layout.outputs[bus.name]
            for i, net in enumerate(bus.nets):
                target = Ref(signal, None if bus.width == 1 else i)
                if self.layout.home.get(net) != target:
                    bits.append((target, self._value(net, self.pipe.stages - 1)))
        if bits:
            yield ""
            yield from _assignments(bits, "assign ", " = ", "  ")


def _operand_order(tree: Tree) -> tuple[int, int, int]:
    if isinstance(tree, Ref):
        return (0, tree.signal.order, tree.bit or 0)
    first = min(_operand_order(arg) for arg in tree.args)
    return (1, *first[1:])


def _chains(op: Op, tree: Tree) -> bool:
    """Whether tree can stand left of op without parentheses."""
    return isinstance(tree, Node) and tree.op is op and op not in _INVERTED


def _range(lo: int, hi: int) -> str:
    return f"[{hi}:{lo}]"


def _range_of(signal: Signal) -> str:
    if signal.lo is None or signal.hi is None:
        return ""
    return _range(signal.lo, signal.hi) + " "


def _declarations(signals: Sequence[Signal]) -> Iterator[str]:
    """Vectors on a line each, scalars gathered."""
    scalars = [s.name for s in signals if s.lo is None]
    for s in signals:
        if s.lo is not None and s.hi is not None:
            yield f"  logic {_range(s.lo, s.hi)} {s.name};"
    if scalars:
        yield from _wrap(f"logic {', '.join(scalars)};")


def _slices(refs: Sequence[Ref]) -> list[str]:
    """Refs of one bus, ascending, as text of maximal slices."""
    out = []
    start = 0
    for end in range(1, len(refs) + 1):
        if end == len(refs) or refs[end].bit != (refs[end - 1].bit or 0) + 1:
            out.append(_slice(refs[start], end - start))
            start = end
    return out


def _slice(ref: Ref, n: int) -> str:
    """n consecutive bits from ref up."""
    signal, i = ref
    if i is None or (signal.lo == i and signal.hi == i + n - 1):
        return signal.name
    return f"{signal.name}[{i}]" if n == 1 else signal.name + _range(i, i + n - 1)


class _Statement(NamedTuple):
    """n bits from target up get the form of tree; steps as in `_steps`."""

    target: Ref
    tree: Tree
    n: int
    steps: list[bool]

    @property
    def expression(self) -> str:
        return _expression(self.tree, iter(self.steps), self.n)


def _statements(bits: Sequence[tuple[Ref, Tree]]) -> list[_Statement]:
    """One statement for each run of bits of a signal that share a form, at its last bit's place."""
    by_signal: dict[str, list[tuple[Ref, Tree, int]]] = {}
    for place, (ref, tree) in enumerate(bits):
        by_signal.setdefault(ref.signal.name, []).append((ref, tree, place))
    found: list[tuple[int, _Statement]] = []
    for group in by_signal.values():
        group.sort(key=lambda bit: bit[0].bit or 0)
        forms = [(ref, tree) for ref, tree, _ in group]
        start = 0
        while start < len(group):
            n = _run_length(forms, start)
            ref, tree = forms[start]
            steps = _steps(tree, forms[start + 1][1]) if n > 1 else None
            place = max(place for _, _, place in group[start : start + n])
            found.append((place, _Statement(ref, tree, n, steps or [])))
            start += n
    return [statement for _, statement in sorted(found, key=lambda item: item[0])]


def _assignments(
    bits: Sequence[tuple[Ref, Tree]], before: str, arrow: str, indent: str
) -> Iterator[str]:
    """The statements for bits of signals that are declared already."""
    for s in _statements(bits):
        yield from _wrap(f"{before}{_slice(s.target, s.n)}{arrow}{s.expression};", indent)


def _mentioned(tree: Tree) -> Iterator[Signal]:
    """The signals that an expression reads."""
    if isinstance(tree, Ref):
        yield tree.signal
    else:
        for arg in tree.args:
            yield from _mentioned(arg)


def _run_length(group: Sequence[tuple[Ref, Tree]], start: int) -> int:
    """How many bits from start on can be one vector assignment."""
    first, tree = group[start]
    n = 1
    pattern: list[bool] | None = None
    while start + n < len(group):
        ref, other = group[start + n]
        if first.bit is None or ref.bit != first.bit + n:
            break
        if pattern is None:
            pattern = _steps(tree, other)
        if pattern is None or not _follows(tree, other, n, iter(pattern)):
            break
        n += 1
    return n


def _steps(tree: Tree, following: Tree) -> list[bool] | None:
    """For each operand whether it moves up by one bit (True) or stays; None: forms differ."""
    if isinstance(tree, Ref):
        if not isinstance(following, Ref) or tree.signal is not following.signal:
            both_constant = isinstance(following, Ref) and tree == following
            return [False] if both_constant else None
        if tree.bit == following.bit:
            return [False]
        return [True] if following.bit == (tree.bit or 0) + 1 else None
    if isinstance(following, Ref) or tree.op is not following.op:
        return None
    out: list[bool] = []
    for arg, other in zip(tree.args, following.args, strict=True):
        steps = _steps(arg, other)
        if steps is None or (tree.op is Op.MUX and not out and any(steps)):
            return None  # a vector ?: has one select for all bits
        out += steps
    return out


def _follows(tree: Tree, other: Tree, n: int, steps: Iterator[bool]) -> bool:
    """Whether other is tree moved up by n bits where steps say so."""
    if isinstance(tree, Ref):
        if not isinstance(other, Ref):
            return False
        moved = (tree.bit or 0) + n if next(steps) else tree.bit
        return tree.signal == other.signal and other.bit == moved
    if isinstance(other, Ref) or tree.op is not other.op:
        return False
    pairs = zip(tree.args, other.args, strict=True)
    return all(_follows(arg, twin, n, steps) for arg, twin in pairs)


def _expression(tree: Tree, steps: Iterator[bool], n: int, *, select: bool = False) -> str:
    """The text of a tree over n bits, without parentheses around it."""
    if isinstance(tree, Ref):
        if n == 1:
            return _slice(tree, 1)
        if next(steps):
            return _slice(tree, n)
        return _slice(tree, 1) if select else f"{{{n}{{{_slice(tree, 1)}}}}}"
    if tree.op is Op.NOT:
        return "~" + _operand(tree.args[0], steps, n)
    if tree.op is Op.MUX:
        sel = _operand(tree.args[0], steps, n, select=True)
        return f"{sel} ? {_operand(tree.args[1], steps, n)} : {_operand(tree.args[2], steps, n)}"
    left, right = tree.args
    print_left = _expression if _chains(tree.op, left) else _operand
    text = f"{print_left(left, steps, n)} {_SYMBOL[tree.op]} {_operand(right, steps, n)}"
    return f"~({text})" if tree.op in _INVERTED else text


def _operand(tree: Tree, steps: Iterator[bool], n: int, *, select: bool = False) -> str:
    text = _expression(tree, steps, n, select=select)
    bare = isinstance(tree, Ref) or tree.op is Op.NOT or tree.op in _INVERTED
    return text if bare else f"({text})"

# SPDX-License-Identifier: Apache-2.0
"""Evaluation: one pattern as ints, many patterns in the bits of Python ints or numpy words.

Bit-sliced form: a bus of width w over n patterns is w words of n bits each; bit k of word i is
bit i of the bus in pattern k. As numpy the words are rows: shape (w, ceil(n/64)), dtype uint64,
pattern k in bit k % 64 of column k // 64.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gcmforge.circuit.ir import Circuit, Op

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Words = NDArray[np.uint64]


def net_values(c: Circuit, inputs: Mapping[str, Sequence[Any]], ones: Any) -> list[Any]:
    """The word of every net; words may be ints or numpy rows, `ones` is the all-ones word."""
    _check_inputs(c, inputs)
    v: list[Any] = [ones ^ ones, ones]
    for bus in c.inputs:
        v.extend(inputs[bus.name])
    xor, and_ = Op.XOR, Op.AND  # most gates by far: looked up once
    for op, args in c.gates:
        p, q = v[args[0]], v[args[-1]]
        if op is xor:
            v.append(p ^ q)
        elif op is and_:
            v.append(p & q)
        elif op is Op.XNOR:
            v.append(p ^ q ^ ones)
        elif op is Op.NAND:
            v.append((p & q) ^ ones)
        elif op is Op.OR:
            v.append(p | q)
        elif op is Op.NOR:
            v.append((p | q) ^ ones)
        elif op is Op.NOT:
            v.append(p ^ ones)
        else:
            v.append(q ^ (p & (v[args[1]] ^ q)))
    return v


def _check_inputs(c: Circuit, inputs: Mapping[str, Sequence[Any]]) -> None:
    names = {bus.name for bus in c.inputs}
    if set(inputs) != names:
        raise ValueError(f"{c.name}: inputs are {sorted(names)}, not {sorted(inputs)}")
    for bus in c.inputs:
        if len(inputs[bus.name]) != bus.width:
            got = len(inputs[bus.name])
            raise ValueError(f"{c.name}.{bus.name}: needs {bus.width} words, one a bit, not {got}")


def evaluate(
    c: Circuit, inputs: Mapping[str, Sequence[int]], patterns: int
) -> dict[str, list[int]]:
    """Bit-sliced evaluation in ints of `patterns` bits: the fastest up to 10^5 patterns."""
    v = net_values(c, inputs, (1 << patterns) - 1)
    return {bus.name: [v[net] for net in bus.nets] for bus in c.outputs}


def simulate(c: Circuit, inputs: Mapping[str, Words]) -> dict[str, Words]:
    """Bit-sliced evaluation in numpy: arrays (width, words) of uint64 in, the same out."""
    import numpy as np

    columns = {np.asarray(array).shape[1] for array in inputs.values()}
    if len(columns) != 1:
        raise ValueError(f"{c.name}: input arrays must have the same number of words")
    ones = np.full(columns.pop(), 2**64 - 1, dtype=np.uint64)
    rows = {name: list(np.asarray(array, dtype=np.uint64)) for name, array in inputs.items()}
    v = net_values(c, rows, ones)
    return {bus.name: np.stack([v[net] for net in bus.nets]) for bus in c.outputs}


def call(c: Circuit, **inputs: int) -> dict[str, int]:
    """One pattern: input buses as ints by name, output buses as ints by name."""
    bits = {}
    for name, value in inputs.items():
        width = c.input_bus(name).width
        if not 0 <= value < 1 << width:
            raise ValueError(f"{c.name}.{name}: {value} does not fit in {width} bits")
        bits[name] = [value >> i & 1 for i in range(width)]
    out = evaluate(c, bits, 1)
    return {name: sum(bit << i for i, bit in enumerate(word)) for name, word in out.items()}


def slice_ints(values: Sequence[int], width: int) -> list[int]:
    """Patterns as ints -> bit-sliced ints: element i has bit i of values[k] as its bit k."""
    return _transpose(values, width)


def unslice_ints(words: Sequence[int], patterns: int) -> list[int]:
    """Bit-sliced ints -> patterns as ints, the inverse of `slice_ints`."""
    return _transpose(words, patterns)


def _transpose(rows: Sequence[int], columns: int) -> list[int]:
    """Element j of the answer has bit j of rows[i] as its bit i."""
    import numpy as np

    if not rows:
        return [0] * columns
    nbytes = (columns + 7) // 8
    raw = b"".join(row.to_bytes(nbytes, "little") for row in rows)
    packed = np.frombuffer(raw, dtype=np.uint8).reshape(len(rows), nbytes)
    bits = np.unpackbits(packed, axis=1, bitorder="little", count=columns)
    turned = np.packbits(bits.T, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in turned]


def pack(values: Sequence[int], width: int) -> Words:
    """Patterns as ints -> the array (width, ceil(n/64)) that `simulate` takes."""
    import numpy as np

    nbytes = (len(values) + 63) // 64 * 8
    raw = b"".join(word.to_bytes(nbytes, "little") for word in slice_ints(values, width))
    return np.frombuffer(raw, dtype="<u8").reshape(width, -1).astype(np.uint64)


def unpack(words: Words, patterns: int) -> list[int]:
    """The array (width, words) -> `patterns` ints."""
    import numpy as np

    rows = [int.from_bytes(row.astype("<u8").tobytes(), "little") for row in np.asarray(words)]
    mask = (1 << patterns) - 1
    return unslice_ints([row & mask for row in rows], patterns)

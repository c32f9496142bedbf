# SPDX-License-Identifier: Apache-2.0
"""Few LUTs for a linear map. Needs a C++ compiler.

A LUT of K inputs adds up to K terms. What several rows have in common becomes a term of its own,
where that saves more than its LUT: found greedily, from pairs of rows and from terms that many rows
have, with the depth bounded as Kraft has it; then some of these sums are taken back and chosen
again, for so many rounds. A LUT of six inputs has a second output over five of them (Xilinx, from
Virtex-5 on): `dual` puts two sums of together at most five terms into one LUT.

Nothing but the seed and the numbers given decide what is found.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gcmforge import tools
from gcmforge.circuit.build import Builder
from gcmforge.circuit.ir import Net
from gcmforge.circuit.minimise.kernel import StopFlag

MOST_ROWS = 128
DEEPEST = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class LutProgram:
    """Terms 0 .. width-1 are the inputs; sum k makes term width + k = XOR of earlier terms.

    outputs[i] is row i's term, or None for an empty row. luts lists the LUTs: the numbers of the
    one or two sums in each; two of them have at most lut_inputs - 1 terms together.
    """

    width: int
    lut_inputs: int
    sums: tuple[tuple[int, ...], ...]
    outputs: tuple[int | None, ...]
    luts: tuple[tuple[int, ...], ...]

    @property
    def depth(self) -> int:
        """LUTs on the longest path; both sums of a LUT are as late as the later one."""
        level = [0] * (self.width + len(self.sums))
        for lut in self.luts:
            at = 1 + max(level[t] for k in lut for t in self.sums[k])
            for k in lut:
                level[self.width + k] = at
        return max((level[t] for t in self.outputs if t is not None), default=0)

    def rows(self) -> list[int]:
        """The matrix that the program computes, bit j of row i: input j is in output i."""
        terms = [1 << j for j in range(self.width)]
        for args in self.sums:
            total = 0
            for t in args:
                total ^= terms[t]
            terms.append(total)
        return [0 if t is None else terms[t] for t in self.outputs]

    def apply(self, b: Builder, nets: Sequence[Net]) -> tuple[Net, ...]:
        """Make the sums over nets (one for each input); element i is row i."""
        terms = list(nets)
        for args in self.sums:
            terms.append(b.xor_sum([terms[t] for t in args]))
        return tuple(b.const(0) if t is None else terms[t] for t in self.outputs)

    def check(self) -> None:
        """ValueError unless every LUT has room for its sums, and LUTs form no loop."""
        made: set[int] = set()
        for lut in self.luts:
            read = {t for k in lut for t in self.sums[k]}
            if len(read) > self.lut_inputs - (len(lut) - 1):
                raise ValueError(f"a LUT has {len(read)} inputs and {len(lut)} outputs")
            if not all(t < self.width or t - self.width in made for t in read):
                raise ValueError("a LUT reads what is not made before it")
            made.update(lut)
        if made != set(range(len(self.sums))) or sum(map(len, self.luts)) != len(made):
            raise ValueError("a sum is in no LUT, or in two")


def search_luts(
    matrix: Sequence[int],
    lut_inputs: int,
    *,
    width: int,
    dual: bool = False,
    max_depth: int = DEEPEST,
    rounds: int = 0,
    tries: int = 64,
    most_taken: int = 20,
    seed: int = 1,
    stop: StopFlag | None = None,
) -> LutProgram:
    """A network of few LUTs for up to 128 rows given as ints (bit j of a row: input j takes part).

    rounds is the effort: each takes up to most_taken sums back, with the sums that read them, and
    chooses again. tries is how many pairs of rows, and how many terms, are looked at for each.
    """
    if not 3 <= lut_inputs <= 6 or (dual and lut_inputs != 6):
        raise ValueError(f"lut_inputs={lut_inputs}: 3 to 6, and 6 when a LUT has two outputs")
    if len(matrix) > MOST_ROWS or not 1 <= max_depth <= DEEPEST:
        raise ValueError(f"{len(matrix)} rows at max_depth={max_depth}: at most 128, 1 to 20")
    words = -(-width // 64)
    flat = [row >> 64 * w & (1 << 64) - 1 for row in matrix for w in range(words)]
    task = _Task(
        inputs=width, outputs=len(matrix), lut=lut_inputs, dual=dual, bound=max_depth, tries=tries,
        most_taken=most_taken, rounds=rounds, seed=seed, rows=(ctypes.c_uint64 * len(flat))(*flat),
        stop=ctypes.pointer((stop or StopFlag()).value),
    )  # fmt: skip
    room = sum(row.bit_count() for row in matrix) + MOST_ROWS
    found = _Listing(
        room, lut_inputs * room, *((ctypes.c_int32 * n)() for n in (room, room, lut_inputs * room)),
        (ctypes.c_int32 * len(matrix))(),
    )  # fmt: skip
    if tools.load_kernel(_SOURCE).gcm_lut_search(ctypes.byref(task), ctypes.byref(found)):
        raise ValueError(f"max_depth={max_depth}: too little for rows of that many terms")
    program = _program(found, width, lut_inputs, len(matrix))
    program.check()
    if program.rows() != list(matrix) or program.depth > max_depth:
        raise RuntimeError("the search changed the linear map")
    return program


class _Task(ctypes.Structure):
    _fields_ = (
        *(
            (name, ctypes.c_int32)
            for name in ("inputs", "outputs", "lut", "dual", "bound", "tries", "most_taken")
        ),
        ("rounds", ctypes.c_int64),
        ("seed", ctypes.c_uint64),
        ("rows", ctypes.POINTER(ctypes.c_uint64)),
        ("stop", ctypes.POINTER(ctypes.c_int32)),
    )


class _Listing(ctypes.Structure):
    _fields_ = (
        ("sums", ctypes.c_int32),
        ("terms", ctypes.c_int32),
        *((name, ctypes.POINTER(ctypes.c_int32))
          for name in ("sizes", "partners", "args", "outputs")),
    )  # fmt: skip


_SOURCE = Path(__file__).with_name("luts.cpp")


def _program(found: _Listing, width: int, lut_inputs: int, rows: int) -> LutProgram:
    """The listing with its sums in the order of their LUTs, the lowest level first."""
    args = iter(found.args[: found.terms])
    sums = [tuple(next(args) for _ in range(size)) for size in found.sizes[: found.sums]]
    partners = found.partners[: found.sums]
    level = [0] * width
    for terms in sums:
        level.append(1 + max(level[t] for t in terms))
    luts = [
        (k,) if partner < 0 else (k, partner)
        for k, partner in enumerate(partners)
        if partner < 0 or k < partner
    ]
    luts.sort(key=lambda lut: max(level[width + k] for k in lut))
    number = {k: at for at, k in enumerate(k for lut in luts for k in lut)}

    def renamed(t: int) -> int:
        return t if t < width else width + number[t - width]

    ordered = sorted(range(len(sums)), key=number.__getitem__)
    return LutProgram(
        width=width,
        lut_inputs=lut_inputs,
        sums=tuple(tuple(sorted(map(renamed, sums[k]))) for k in ordered),
        outputs=tuple(None if t < 0 else renamed(t) for t in found.outputs[:rows]),
        luts=tuple(tuple(number[k] for k in lut) for lut in luts),
    )

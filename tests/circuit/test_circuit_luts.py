# SPDX-License-Identifier: Apache-2.0
"""Networks of LUTs: the right map, no LUT too full, the depth, and fewer than without sharing."""

import random

import pytest

from gcmforge.circuit import Builder, prove_linear
from gcmforge.circuit.lut_text import LUT_CELLS, lut_text, parity_table, read_luts
from gcmforge.circuit.minimise.luts import LutProgram, search_luts
from gcmforge.field import BitMatrix


def random_rows(seed, height, width):
    rng = random.Random(seed)
    return [rng.getrandbits(width) for _ in range(height)]


@pytest.mark.parametrize(("lut", "dual", "depth"), [(6, True, 3), (6, False, 3), (4, False, 4)])
@pytest.mark.parametrize(
    ("height", "width"),
    [
        pytest.param(128, 128, marks=pytest.mark.slow),
        pytest.param(128, 200, marks=pytest.mark.slow),
        (5, 64),
        (1, 1),
    ],
)
def test_programs_compute_the_map_within_the_depth(lut, dual, depth, height, width):
    rows = random_rows(height * width, height, width)
    program = search_luts(
        rows, lut, width=width, dual=dual, max_depth=depth + (width > 128), rounds=3
    )
    assert program.rows() == rows
    assert program.depth <= depth + (width > 128)
    program.check()


def test_sharing_beats_trees_of_luts():
    rows = random_rows(1, 128, 128)
    trees = sum(-(-(row.bit_count() - 1) // 5) for row in rows)
    single = search_luts(rows, 6, width=128)
    dual = search_luts(rows, 6, width=128, dual=True)
    assert len(dual.luts) < len(single.luts) < 0.6 * trees
    assert any(len(lut) == 2 for lut in dual.luts)


@pytest.mark.slow
def test_rounds_never_make_it_worse_and_a_seed_repeats():
    rows = random_rows(2, 128, 128)
    first, again = (search_luts(rows, 4, width=128, rounds=20, seed=3) for _ in range(2))
    assert first == again
    assert len(first.luts) <= len(search_luts(rows, 4, width=128, seed=3).luts)


def test_empty_and_single_rows_take_no_lut():
    program = search_luts([0, 4, 0], 6, width=3)
    assert (program.outputs, program.luts) == ((None, 2, None), ())


def test_what_cannot_be_is_refused():
    with pytest.raises(ValueError, match="too little"):
        search_luts([(1 << 37) - 1], 6, width=37, max_depth=2)
    with pytest.raises(ValueError, match="at most 128"):
        search_luts([1] * 129, 6, width=1)
    with pytest.raises(ValueError, match="two outputs"):
        search_luts([1], 4, width=1, dual=True)


BAD = {
    "too many inputs": (((0, 1, 2), (0, 3, 4, 5)), ((0, 1),)),
    "a loop": (((0, 7), (1, 6)), ((0,), (1,))),
    "a sum in no LUT": (((0, 1), (2, 3)), ((0,),)),
}


@pytest.mark.parametrize("what", BAD)
def test_check_sees(what):
    sums, luts = BAD[what]
    with pytest.raises(ValueError, match="LUT"):
        LutProgram(width=6, lut_inputs=6, sums=sums, outputs=(6,), luts=luts).check()


def test_parity_tables_are_those_of_data_sheets():
    assert parity_table(2, 3) == 0x6
    assert parity_table(4, 15) == 0x6996
    assert parity_table(3, 1) == 0b10101010


@pytest.mark.parametrize("cells", ["", *LUT_CELLS])
def test_text_read_back_is_the_map(cells):
    rows = random_rows(3, 20, 24)
    lut = 6 if cells == "xilinx6" else 4
    program = search_luts(rows, lut, width=24, dual=lut == 6)
    b = Builder("leaf")
    b.output("c_o", program.apply(b, b.input("a_i", 24)))
    circuit = b.build()
    text = lut_text(program, circuit, ["A test."], cells)
    assert max(map(len, text.splitlines())) <= 100
    if cells:
        matrix = BitMatrix(rows=tuple(rows), columns=24)
        assert prove_linear(read_luts(circuit, text, cells), matrix.apply).passed

# SPDX-License-Identifier: Apache-2.0
"""examples/tile: gcm_nano behind the pins of a tile, as SystemVerilog and as a netlist of cells,
with vectors of NIST. All registers begin at random."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from bench import Bench, compile_bench

from gcmforge.config.codes import Status
from gcmforge.config.presets import preset
from gcmforge.emit.core import core_files
from gcmforge.mapped import netlist_text
from gcmforge.netlist.targets import TargetError, find_target, library_of
from gcmforge.sim.vectors import Vector, parse_vectors
from gcmforge.sim.verify import nist_files
from gcmforge.synth.synthesis import synthesise

pytestmark = [pytest.mark.verilator, pytest.mark.slow]
ROOT = Path(__file__).parents[2]
TILE = ROOT / "examples/tile/gcm_tile.sv"
KEY, COMMAND, AAD, TEXT = range(4)
LAST, NONE, TAKES = 8, 16, 32
MOST_CYCLES = 40_000

Word = tuple[int, int]
"""A byte, and the pins that tell what it is."""


@cache
def tile_texts() -> dict[str, str]:
    files, rtl, _ = core_files(preset("nano"), prove=False)
    texts = {Path(name).stem: files[name] for name in rtl if not name.startswith("bench/")}
    return {**texts, "gcm_tile": TILE.read_text()}


def netlist(target: str, place: Path) -> tuple[dict[str, str], dict[str, int]]:
    """The tile in cells of that library, and how many of each there are."""
    try:
        found = find_target(target)
    except TargetError as error:
        pytest.skip(str(error))
    files = []
    for name, text in tile_texts().items():
        files.append(place / f"{name}.sv")
        files[-1].write_text(text)
    made = synthesise(files, found, top="gcm_tile", effort="quick").netlist
    return {"gcm_tile": netlist_text(made, library_of(found))}, dict(made.counts)


def framed(frame: bytes, stream: int, *, last: bool = True) -> list[Word]:
    """A frame's bytes on that stream."""
    return [
        (byte, stream << 1 | LAST * (last and number == len(frame) - 1))
        for number, byte in enumerate(frame)
    ]


def words(vector: Vector) -> list[Word]:
    """All that a sender offers for a vector, in order."""
    first = vector.decrypt << 7 | len(vector.tag)
    command = framed(bytes([first]) + vector.iv, COMMAND)
    data = framed(vector.aad, AAD, last=not vector.text) + framed(vector.text, TEXT)
    empty = [(0, AAD << 1 | LAST | NONE)] if not data else []
    expected = framed(vector.tag, COMMAND) if vector.decrypt else []
    return [*framed(vector.key, KEY), *command, *data, *empty, *expected]


def played(bench: Bench, vector: Vector) -> bytes:
    """Every byte that leaves, to the status of the packet."""
    offered: Iterator[Word] = iter(words(vector))
    now = next(offered, None)
    tag = 1 if vector.decrypt else len(vector.tag)
    wanted = len(vector.text) + tag + 1
    out = bytearray()
    for _ in range(MOST_CYCLES):
        bench.put("ui_in", now[0] if now else 0)
        bench.put("uio_in", TAKES | (now[1] | 1 if now else 0))
        bench.settle()
        pins = bench.get("uio_out")
        if pins & 128:
            out.append(bench.get("uo_out"))
        taken = now is not None and bool(pins & 64)
        bench.edge()
        if taken:
            now = next(offered, None)
        if len(out) == wanted:
            return bytes(out)
    raise AssertionError(f"{vector.label}: {out.hex()} after {MOST_CYCLES} cycles")


def some_vectors() -> list[Vector]:
    """To encrypt and to decrypt, right and forged, with and without AAD and text."""
    found: dict[tuple[bool, bool, int, int], Vector] = {}
    for file in nist_files():
        if "128" not in file.name:
            continue
        for one in parse_vectors(file):
            if len(one.iv) == 12 and len(one.aad) in (0, 20) and len(one.text) in (0, 13, 32):
                kind = (one.decrypt, one.result is None, len(one.aad), len(one.text))
                found.setdefault(kind, one)
    return list(found.values())


def check(bench: Bench) -> int:
    vectors = some_vectors()
    for one in vectors:
        out = played(bench, one)
        text, tag, status = out[: len(one.text)], out[len(one.text) : -1], Status(out[-1])
        assert status is (Status.AUTH_FAIL if one.result is None else Status.OK), one.label
        assert one.result is None or text == one.result, one.label
        assert tag == (b"\0" if one.decrypt else one.tag), one.label
    return len(vectors)


def test_vectors_of_nist_pass_through_the_pins_of_the_tile():
    bench = Bench(compile_bench("gcm_tile", tile_texts()), clock="clk", reset="rst_n",
                  reset_level=0)  # fmt: skip
    bench.put("ena", 1)
    assert check(bench) == 18


@pytest.mark.yosys
@pytest.mark.parametrize("target", [pytest.param("osu018", marks=pytest.mark.osu018), "ihp-sg13g2"])
def test_vectors_of_nist_pass_through_the_tile_in_cells(target, tmp_path):
    texts, counts = netlist(target, tmp_path)
    assert sum(counts.values()) > 1_500
    bench = Bench(compile_bench("gcm_tile", texts), clock="clk", reset="rst_n", reset_level=0)
    bench.put("ena", 1)
    assert check(bench) == 18

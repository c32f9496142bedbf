# SPDX-License-Identifier: Apache-2.0
"""bench/gcm_axis_tb.sv: one of the bench's vectors in plain SystemVerilog."""

from collections.abc import Iterator
from typing import Any

from gcmforge.config import CoreConfig
from gcmforge.emit.bench_vectors import bench_vectors
from gcmforge.emit.ports import top_ports
from gcmforge.emit.rendering import render

TESTBENCH = "bench/gcm_axis_tb.sv"

COMMAND_IV_BYTES = 16
"""Of an IV that comes with its command."""


def testbench(config: CoreConfig) -> str:
    """The vector of NIST with the longest text whose packet is good, its IV with its command."""
    able = [
        vector
        for vector in bench_vectors(config)
        if not vector["expected_status"] and len(vector["iv"]) <= 2 * COMMAND_IV_BYTES
    ]
    vector = max(able, key=lambda one: ("NIST" in one["source"], len(one["text"])))
    beat = config.data_bits // 8
    aad, text = bytes.fromhex(vector["aad"]), bytes.fromhex(vector["text"])
    beats = [*_beats(aad, 0, beat), *_beats(text, 1, beat)]
    out = bytes.fromhex(vector["expected_text"])
    return render(
        "gcm_axis_tb.sv.j2",
        source=vector["source"],
        ports=top_ports(config),
        width=config.data_bits,
        key=_number(vector["key"]),
        key_size=len(vector["key"]) // 16 - 2,
        command=list(_command(config, vector, -(-len(text) // beat))),
        beats=beats or [(f"{8 * beat}'h0", f"{beat}'h0", 0)],
        expected=[data for data, _, _ in _beats(out, 1, beat)],
        tag=f"{int(_number(vector['expected_tag']), 16):032x}",
    )


def _number(text: str) -> str:
    """Bytes as a port has them, the first in the lowest bits: hexadecimal digits of a number."""
    return bytes.fromhex(text)[::-1].hex() or "0"


def _beats(data: bytes, text: int, size: int) -> Iterator[tuple[str, str, int]]:
    """tdata, tkeep and tuser of each beat."""
    for at in range(0, len(data), size):
        part = data[at : at + size]
        keep = (1 << len(part)) - 1
        yield f"{8 * size}'h{int.from_bytes(part, 'little'):x}", f"{size}'h{keep:x}", text


def _command(
    config: CoreConfig, vector: dict[str, Any], text_beats: int
) -> Iterator[tuple[str, str]]:
    yield "decrypt", f"1'b{int(vector['decrypt'])}"
    yield "tag", f"128'h{_number(vector['tag'])}"
    yield "tag_bytes", f"5'd{vector['tag_bytes']}"
    yield "iv_bytes", f"16'd{len(vector['iv']) // 2}"
    yield "iv", f"128'h{_number(vector['iv'])}"
    if config.ahead:
        yield "text_beats", f"32'd{text_beats}"

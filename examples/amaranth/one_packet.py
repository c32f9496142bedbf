# SPDX-License-Identifier: Apache-2.0
"""A packet of NIST through the design of sealer.py. The vector is one of the core's own bench."""

import json
import os
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

VECTORS = json.loads(Path(os.environ["CORE"], "bench", "vectors.json").read_text())["vectors"]
BEAT = 16  # bytes


def number(data):
    """Bytes as the number on a port: byte 0 in bits 7 to 0."""
    return int.from_bytes(data, "little")


def fits(vector):
    """Encrypting, 256 bits of key, 12 bytes of IV, a tag of 16 bytes, AAD, text that ends within a
    beat."""
    sizes = {name: len(vector[name]) // 2 for name in ("key", "iv", "aad", "text")}
    return (
        not vector["decrypt"]
        and (sizes["key"], sizes["iv"], vector["tag_bytes"]) == (32, 12, 16)
        and sizes["aad"] > 0
        and sizes["text"] % BEAT
    )


def beats(aad, text):
    """Payloads of `packets`: tdata in the lowest bits, then tkeep, tuser and tlast."""
    pieces = [
        (data[at : at + BEAT], user)
        for user, data in ((0, aad), (1, text))
        for at in range(0, len(data), BEAT)
    ]
    return [
        number(piece) | (1 << len(piece)) - 1 << 128 | user << 144 | (at == len(pieces)) << 145
        for at, (piece, user) in enumerate(pieces, 1)
    ]


async def send(dut, prefix, payloads):
    """Everything changes at a falling edge, so a transfer is seen just before the rising one."""
    valid, ready = getattr(dut, f"{prefix}__valid"), getattr(dut, f"{prefix}__ready")
    for payload in payloads:
        getattr(dut, f"{prefix}__payload").value = payload
        valid.value = 1
        taken = False
        while not taken:
            await ReadOnly()
            taken = bool(ready.value)
            await FallingEdge(dut.clk)
    valid.value = 0


async def take(dut, prefix, count):
    getattr(dut, f"{prefix}__ready").value = 1
    got = []
    while len(got) < count:
        await ReadOnly()
        if getattr(dut, f"{prefix}__valid").value:
            got.append(int(getattr(dut, f"{prefix}__payload").value))
        await FallingEdge(dut.clk)
    return got


@cocotb.test(timeout_time=100, timeout_unit="us")
async def a_packet_of_nist_is_sealed(dut):
    vector = next(filter(fits, VECTORS))
    key, iv, aad, text, expected, tag = (
        bytes.fromhex(vector[name])
        for name in ("key", "iv", "aad", "text", "expected_text", "expected_tag")
    )
    for name in ("key__valid", "packets__valid", "sealed__ready", "answers__ready"):
        getattr(dut, name).value = 0
    dut.rst.value = 1
    cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
    for _ in range(4):
        await FallingEdge(dut.clk)
    dut.rst.value = 0
    dut.iv.value = number(iv)
    await FallingEdge(dut.clk)
    await send(dut, "key", [number(key)])
    sending = cocotb.start_soon(send(dut, "packets", beats(aad, text)))
    answering = cocotb.start_soon(take(dut, "answers", 1))
    got = await take(dut, "sealed", -(-len(text) // BEAT))
    (answer,) = await answering
    await sending

    said = answer & (1 << 128) - 1, answer >> 128 & 1, answer >> 129
    assert said == (number(tag), 1, 0)
    sealed = b"".join((beat & (1 << 128) - 1).to_bytes(BEAT, "little") for beat in got)
    assert sealed[: len(text)] == expected
    keeps = [beat >> 128 & 0xFFFF for beat in got]
    assert keeps == [0xFFFF] * (len(got) - 1) + [(1 << len(text) % BEAT) - 1]
    assert [beat >> 144 for beat in got] == [0] * (len(got) - 1) + [1]
    dut._log.info("%s: text and tag as NIST's", vector["source"])

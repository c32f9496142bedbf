# SPDX-License-Identifier: Apache-2.0
"""Drives gcm_axis with the vectors of vectors.json over its five streams, under random stalls.

Inputs change at the falling edge and everything is looked at just before the rising edge that takes
it, so no simulator's order of events matters. Set SEED to change the stalls.
"""

import json
import os
import random
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

SEED = int(os.environ.get("SEED", "1"))
BENCH = json.loads((Path(__file__).parent / "vectors.json").read_text())
CONTEXTS, VECTORS = BENCH["contexts"], BENCH["vectors"]
KEY_SIZE_CODE = {16: 0, 24: 1, 32: 2}
TIMEOUT_CYCLES = 80_000


def le(data):
    """Bytes as the number on a port: byte 0 in bits 7..0."""
    return int.from_bytes(data, "little")


class Source:
    """Sends transfers on one stream; a transfer is a dict of field values.

    Before it shows a transfer for the first time it waits with probability `idle`, and until
    `may_send(index)`; then it holds tvalid until the transfer is taken.
    """

    def __init__(self, dut, prefix, transfers, idle, rng, may_send=lambda index: True):
        self.dut, self.prefix, self.transfers = dut, prefix, transfers
        self.idle, self.rng, self.may_send = idle, rng, may_send
        self.sent = 0
        self.valid = False

    def port(self, name):
        return getattr(self.dut, f"{self.prefix}_{name}")

    def drive(self):
        if not self.valid and self.sent < len(self.transfers) and self.may_send(self.sent):
            self.valid = self.rng.random() >= self.idle
        self.port("tvalid").value = int(self.valid)
        if self.valid:
            for name, value in self.transfers[self.sent].items():
                self.port(name).value = value

    def sample(self):
        if self.valid and int(self.port("tready").value):
            self.sent += 1
            self.valid = False


class Sink:
    """Takes transfers from one stream, ready with probability 1 - stall, and compares them.

    expected: (fields, whose transfer it is) for each, in order.
    """

    def __init__(self, dut, prefix, expected, stall, rng):
        self.dut, self.prefix, self.expected = dut, prefix, expected
        self.stall, self.rng = stall, rng
        self.taken = 0
        self.ready = False

    def port(self, name):
        return getattr(self.dut, f"{self.prefix}_{name}")

    def drive(self):
        self.ready = self.rng.random() >= self.stall
        self.port("tready").value = int(self.ready)

    def sample(self):
        if self.ready and int(self.port("tvalid").value):
            assert self.taken < len(self.expected), f"one transfer too many on {self.prefix}"
            fields, whose = self.expected[self.taken]
            got = {name: int(self.port(name).value) for name in fields}
            assert got == fields, f"{self.prefix}: {got}, not {fields}: {whose}, SEED={SEED}"
            self.taken += 1

    @property
    def complete(self):
        return self.taken == len(self.expected)


def key_transfer(vector, context, makes_ivs):
    """makes_ivs: the core has a port for the fixed field of its IVs, which is zero here."""
    key = bytes.fromhex(vector["key"])
    transfer = {"tdata": le(key), "size": KEY_SIZE_CODE[len(key)], "context": context}
    return transfer | {"fixed": 0} if makes_ivs else transfer


def command_transfers(vector, context, beat_bytes, says_beats):
    """One transfer, and one more for every 16 bytes of IV after the first 16; says_beats: with how
    many beats of text come, in a core that has a port for it."""
    iv = bytes.fromhex(vector["iv"])
    pieces = [iv[at : at + 16] for at in range(0, len(iv), 16)] or [b""]
    command = {
        "context": context,
        "decrypt": int(vector["decrypt"]),
        "tag": le(bytes.fromhex(vector["tag"])),
        "tag_bytes": vector["tag_bytes"],
        "iv_bytes": len(iv),
    }
    if says_beats:
        command["text_beats"] = -(-len(bytes.fromhex(vector["text"])) // beat_bytes)
    return [command | {"iv": le(piece)} for piece in pieces]


def data_transfers(vector, beat_bytes, side_bytes):
    """The AAD section, then the text section, each starting on a beat; at least one beat. AAD of up
    to side_bytes comes with the first beat instead, in a core that has ports for it."""
    aad, text = bytes.fromhex(vector["aad"]), bytes.fromhex(vector["text"])
    aside = aad if len(aad) <= side_bytes else b""
    sections = [(0, aad[len(aside) :]), (1, text)]
    beats = [
        {"tdata": le(piece), "tkeep": (1 << len(piece)) - 1, "tuser": user, "tlast": 0}
        for user, data in sections
        for piece in (data[at : at + beat_bytes] for at in range(0, len(data), beat_bytes))
    ] or [{"tdata": 0, "tkeep": 0, "tuser": 1, "tlast": 0}]
    beats[-1]["tlast"] = 1
    if side_bytes:
        for index, beat in enumerate(beats):
            aad = aside if index == 0 else b""
            beat |= {"aad": le(aad), "aad_keep": (1 << len(aad)) - 1}
    return beats


def expected_beats(vector, beat_bytes):
    text = bytes.fromhex(vector["expected_text"])
    pieces = [text[at : at + beat_bytes] for at in range(0, len(text), beat_bytes)]
    return [
        {
            "tdata": le(piece),
            "tkeep": (1 << len(piece)) - 1,
            "tlast": int(index == len(pieces) - 1),
        }
        for index, piece in enumerate(pieces)
    ]


def expected_tag(vector):
    status = vector["expected_status"]
    tag = le(bytes.fromhex(vector["expected_tag"]))
    return {"tag": tag, "ok": int(status == 0), "status": status}


async def reset(dut):
    for prefix in ("s_key", "s_cmd", "s_axis"):
        getattr(dut, f"{prefix}_tvalid").value = 0
    dut.m_axis_tready.value = 0
    dut.m_tag_tready.value = 0
    dut.aresetn.value = 0
    cocotb.start_soon(Clock(dut.aclk, 10, unit="ns").start())
    for _ in range(4):
        await FallingEdge(dut.aclk)
    dut.aresetn.value = 1
    await FallingEdge(dut.aclk)  # AXI: tvalid may rise after an edge that saw aresetn high


async def play(dut, vectors, idle, stall):
    """Send all vectors, each with its own key load, and compare everything that comes out."""
    rng = random.Random(f"{SEED} {idle} {stall}")
    beat_bytes = len(dut.s_axis_tkeep)
    side_bytes = len(dut.s_axis_aad_keep) if hasattr(dut, "s_axis_aad_keep") else 0
    used = [rng.randrange(CONTEXTS) for _ in vectors]

    makes_ivs = hasattr(dut, "s_key_fixed")
    keys = [key_transfer(v, c, makes_ivs) for v, c in zip(vectors, used, strict=True)]
    says_beats = hasattr(dut, "s_cmd_text_beats")
    commands = [
        command_transfers(v, c, beat_bytes, says_beats) for v, c in zip(vectors, used, strict=True)
    ]
    owner = [index for index, transfers in enumerate(commands) for _ in transfers]
    ends = [sum(map(len, commands[: index + 1])) for index in range(len(commands))]

    await reset(dut)
    # A packet's key is loaded before its command is sent, and not before the command ahead of it.
    key = Source(dut, "s_key", keys, idle, rng, lambda i: i == 0 or command.sent >= ends[i - 1])
    command = Source(
        dut,
        "s_cmd",
        [transfer for packet in commands for transfer in packet],
        idle,
        rng,
        lambda i: key.sent > owner[i],
    )
    beats = [beat for v in vectors for beat in data_transfers(v, beat_bytes, side_bytes)]
    data = Source(dut, "s_axis", beats, idle, rng)
    names = [f"packet {index} ({v['source']})" for index, v in enumerate(vectors)]
    named = list(zip(vectors, names, strict=True))
    beats = [(beat, name) for v, name in named for beat in expected_beats(v, beat_bytes)]
    text = Sink(dut, "m_axis", beats, stall, rng)
    tags = Sink(dut, "m_tag", [(expected_tag(v), name) for v, name in named], stall, rng)

    cycles = 0
    while not (tags.complete and text.complete):
        assert cycles < TIMEOUT_CYCLES, (
            f"{cycles} cycles, and {tags.taken} of {len(vectors)} tags and "
            f"{text.taken} of {len(beats)} beats of text have come out (SEED={SEED})"
        )
        for stream in (key, command, data, text, tags):
            stream.drive()
        await ReadOnly()
        for stream in (key, command, data, text, tags):
            stream.sample()
        await FallingEdge(dut.aclk)
        cycles += 1
    dut._log.info("%d packets, %d beats of text in %d cycles", len(vectors), len(beats), cycles)


@cocotb.test()
async def vectors_without_stalls(dut):
    await play(dut, VECTORS, idle=0.0, stall=0.0)


@cocotb.test()
async def vectors_with_idle_inputs(dut):
    await play(dut, VECTORS, idle=0.6, stall=0.0)


@cocotb.test()
async def vectors_with_stalled_outputs(dut):
    await play(dut, VECTORS, idle=0.0, stall=0.6)


@cocotb.test()
async def vectors_with_both(dut):
    await play(dut, VECTORS, idle=0.4, stall=0.4)

# SPDX-License-Identifier: Apache-2.0
"""A hundred random packets through a core of gcmforge, with the buses of cocotbext-axi.

Keys, commands and answers go through streams, packed into AXI4-Stream where the top is that one, or
through registers on AXI4-Lite where the core has these. What has to come out is computed by the
package `cryptography`. SEED changes the packets.
"""

import logging
import os
import random
import re
import struct
from itertools import zip_longest
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, with_timeout
from cocotbext.axi import (
    AxiLiteBus,
    AxiLiteMaster,
    AxiResp,
    AxiStreamBus,
    AxiStreamFrame,
    AxiStreamSink,
    AxiStreamSource,
)
from cocotbext.axi.stream import define_stream
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

import gcmforge

CONFIG = gcmforge.open_core(os.environ["CORE"]).config
SEED = int(os.environ.get("SEED", "1"))
PACKETS = 100
KEY_SIZES = {128: 0, 192: 1, 256: 2}
OK, AUTH_FAIL = 0, 1

# These streams have fields instead of tdata: a transfer is an object with an attribute for each.
KeyBus, KeyTransfer, KeySource, _, _ = define_stream(
    "Key", signals=["tvalid", "tready", "tdata", "size", "context"]
)
CommandBus, CommandTransfer, CommandSource, _, _ = define_stream(
    "Command",
    signals=["tvalid", "tready", "context", "decrypt", "tag", "tag_bytes", "iv_bytes", "iv"],
)
AnswerBus, _, _, AnswerSink, _ = define_stream(
    "Answer", signals=["tvalid", "tready", "tag", "ok", "status"]
)


def number(data: bytes) -> int:
    """Bytes as the number on a port: byte 0 in bits 7 to 0."""
    return int.from_bytes(data, "little")


def pauses(rng, probability):
    """For set_pause_generator: whether to pause, cycle by cycle."""
    while True:
        yield rng.random() < probability


class Streams:
    """Keys, commands and answers of the top gcm_axis."""

    def __init__(self, dut, clocked, rng):
        self.keys = KeySource(KeyBus.from_prefix(dut, "s_key"), *clocked)
        self.commands = CommandSource(CommandBus.from_prefix(dut, "s_cmd"), *clocked)
        self.answers = AnswerSink(AnswerBus.from_prefix(dut, "m_tag"), *clocked)
        for stream in (self.keys, self.commands, self.answers):
            stream.set_pause_generator(pauses(rng, 0.5))

    async def load_key(self, context, key):
        size = KEY_SIZES[8 * len(key)]
        await self.keys.send(KeyTransfer(tdata=number(key), size=size, context=context))

    async def command(self, packet):
        await self.commands.send(
            CommandTransfer(
                context=packet.context,
                decrypt=packet.decrypt,
                tag=number(packet.tag if packet.decrypt else b""),
                tag_bytes=16,
                iv_bytes=len(packet.iv),
                iv=number(packet.iv),
            )
        )

    async def answer(self):
        """Status and tag."""
        answer = await self.answers.recv()
        return int(answer.status), int(answer.tag).to_bytes(16, "little")


class PackedStreams(Streams):
    """The same through the top gcm_axis_packed, in whose folder README.md has each field's bits."""

    KEY, COMMAND, ANSWER = struct.Struct("<32sBB"), struct.Struct("<16s16sHBBB"), "<16sBB"

    def __init__(self, dut, clocked, rng):
        def stream(kind, prefix):
            made = kind(AxiStreamBus.from_prefix(dut, prefix), *clocked, byte_size=8)
            made.set_pause_generator(pauses(rng, 0.5))
            return made

        self.keys, self.commands = (stream(AxiStreamSource, one) for one in ("s_key", "s_cmd"))
        self.answers = stream(AxiStreamSink, "m_tag")

    async def load_key(self, context, key):
        await self.give(self.keys, self.KEY.pack(key, KEY_SIZES[8 * len(key)], context))

    async def command(self, packet):
        tag, bytes_ = packet.tag if packet.decrypt else b"", len(packet.iv)
        fields = tag, packet.iv, bytes_, packet.context, packet.decrypt, 16
        await self.give(self.commands, self.COMMAND.pack(*fields))

    async def give(self, stream, data):
        """One transfer, filled up with bytes that the core does not look at."""
        await stream.send(data + os.urandom(stream.byte_lanes - len(data)))

    async def answer(self):
        """Status and tag."""
        frame = bytes((await self.answers.recv()).tdata)
        tag, ok, status = struct.unpack_from(self.ANSWER, frame)
        assert ok == (status == OK) and not any(frame[18:]) and len(frame) == 32
        return status, tag


class Registers:
    """The same through the registers of the top gcm_axil; gcm_regs.h says where these are."""

    def __init__(self, dut, clocked):
        self.bus = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), *clocked)
        text = next(Path(os.environ["CORE"]).glob("*gcm_regs.h")).read_text()
        self.at = {
            name: int(value, 0) for name, value in re.findall(r"#define \w*?GCM_(\w+) (\w+)u", text)
        }

    async def write(self, name, *words):
        for index, word in enumerate(words):
            done = await self.bus.write(self.at[name] + 4 * index, word.to_bytes(4, "little"))
            assert done.resp == AxiResp.OKAY, f"{name}: {done.resp!r}"

    async def write_bytes(self, name, data):
        await self.write(name, *(number(data[at : at + 4]) for at in range(0, len(data), 4)))

    async def field(self, register, field):
        word = await self.bus.read_dword(self.at[register])
        return (word & self.at[f"{register}_{field}_MASK"]) >> self.at[f"{register}_{field}_SHIFT"]

    async def until(self, register, field, value):
        while await self.field(register, field) != value:
            pass

    async def load_key(self, context, key):
        await self.write_bytes("KEY", key)
        size = KEY_SIZES[8 * len(key)] << self.at["KEY_LOAD_SIZE_SHIFT"]
        await self.write("KEY_LOAD", context | size)
        await self.until("STATUS", "KEY_READY", 1)

    async def command(self, packet):
        await self.until("STATUS", "COMMAND_WAITS", 0)
        await self.write_bytes("IV", packet.iv)
        await self.write("IV_BYTES", len(packet.iv))
        if packet.decrypt:
            await self.write_bytes("EXPECTED_TAG", packet.tag)
        decrypt = packet.decrypt << self.at["COMMAND_DECRYPT_SHIFT"]
        tag_bytes = 16 << self.at["COMMAND_TAG_BYTES_SHIFT"]
        await self.write("COMMAND", packet.context | decrypt | tag_bytes)

    async def answer(self):
        """Status and tag."""
        await self.until("RESULT", "VALID", 1)
        status = await self.field("RESULT", "STATUS")
        tag = await self.bus.read(self.at["RESULT_TAG"], 16)
        await self.write("RESULT_NEXT", 0)
        return status, bytes(tag.data)


class Packet:
    """A random packet, and what has to become of it."""

    def __init__(self, rng, keys):
        self.context = rng.randrange(len(keys))
        self.decrypt = rng.randrange(2)
        self.iv, self.aad = rng.randbytes(12), rng.randbytes(rng.choice((0, 5, 20, 64)))
        plaintext = rng.randbytes(rng.choice((0, 1, 16, rng.randrange(300))))
        sealed = AESGCM(keys[self.context]).encrypt(self.iv, plaintext, self.aad)
        ciphertext, self.tag = sealed[:-16], sealed[-16:]
        self.text, self.out = plaintext, ciphertext
        self.expected = OK, self.tag
        if self.decrypt:
            self.text, self.out = ciphertext, plaintext
            forged = rng.random() < 0.2
            self.expected = (AUTH_FAIL if forged else OK), bytes(16)
            if forged:
                self.tag = bytes([self.tag[0] ^ 1]) + self.tag[1:]
                if CONFIG.release == "verified":
                    self.out = b""  # nothing leaves of a packet that fails

    def frame(self, beat_bytes):
        """AAD with tuser 0, then text with tuser 1. Text begins with a beat of its own, so AAD is
        filled up with bytes that tkeep leaves out. Without any data a frame is one such beat."""
        spare = -len(self.aad) % beat_bytes if self.text else 0
        data, keep = self.aad + bytes(spare) + self.text, [1] * len(self.aad) + [0] * spare
        user = [0] * (len(self.aad) + spare) + [1] * len(self.text)
        keep += [1] * len(self.text)
        return AxiStreamFrame(data or bytes(1), tkeep=keep or [0], tuser=user or [1])


@cocotb.test()
async def random_packets_come_out_right(dut):
    rng = random.Random(SEED)
    dut._log.info("SEED=%d", SEED)
    logging.getLogger("cocotb").setLevel(logging.WARNING)  # else every frame is printed
    dut._log.setLevel(logging.INFO)
    cocotb.start_soon(Clock(dut.aclk, 10, unit="ns").start())
    clocked = dut.aclk, dut.aresetn, False  # the reset is active low
    dut.aresetn.value = 0
    data = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis"), *clocked)
    text = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis"), *clocked)
    if CONFIG.registers == "axi4lite":
        core = Registers(dut, clocked)
    elif "TOP" in os.environ:
        core = PackedStreams(dut, clocked, rng)
    else:
        core = Streams(dut, clocked, rng)
    await ClockCycles(dut.aclk, 4)
    dut.aresetn.value = 1
    await ClockCycles(dut.aclk, 2)
    data.set_pause_generator(pauses(rng, 0.3))
    text.set_pause_generator(pauses(rng, 0.3))

    sizes = [rng.choice(CONFIG.key_sizes) for _ in range(CONFIG.contexts)]
    keys = [rng.randbytes(bits // 8) for bits in sizes]
    packets = [Packet(rng, keys) for _ in range(PACKETS)]

    async def give():
        for packet in packets:
            await data.send(packet.frame(data.byte_lanes))
            await core.command(packet)

    async def take():
        return [await core.answer() for _ in packets]

    async def play():
        for context, key in enumerate(keys):
            await core.load_key(context, key)
        if isinstance(core, Registers):  # one bus: a packet after the other
            answers = []
            for packet in packets:
                await data.send(packet.frame(data.byte_lanes))
                await core.command(packet)
                answers.append(await core.answer())
            return answers
        await core.keys.wait()
        cocotb.start_soon(give())
        return await take()

    answers = await with_timeout(play(), 2, "ms")
    await ClockCycles(dut.aclk, 100)
    for number_, (packet, answer) in enumerate(zip(packets, answers, strict=True)):
        assert answer == packet.expected, f"packet {number_}, SEED={SEED}: {answer}"
    frames = [bytes(text.recv_nowait().tdata) for _ in range(text.count())]
    outs = [packet.out for packet in packets if packet.out]
    for got, expected in zip_longest(frames, outs):
        assert got == expected, f"text, SEED={SEED}"
    encrypted = sum(not packet.decrypt for packet in packets)
    forged = sum(packet.expected[0] == AUTH_FAIL for packet in packets)
    dut._log.info(
        "%d packets right: %d encrypted, %d decrypted, %d refused",
        PACKETS, encrypted, PACKETS - encrypted - forged, forged,
    )  # fmt: skip

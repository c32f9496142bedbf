# SPDX-License-Identifier: Apache-2.0
"""A packet is sealed and opened in the memory of the SoC of soc.py, and a changed one is refused.
An interrupt tells of each answer. What has to come out is computed by the package `cryptography`.
"""

import json
import os
import random
import re
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

SEED = int(os.environ.get("SEED", "1"))
MAP = json.loads(Path("csr.json").read_text())
CSR = {name: entry["addr"] for name, entry in MAP["csr_registers"].items()}
RAM = MAP["memories"]["main_ram"]["base"]
REGISTERS = MAP["memories"]["gcm"]["base"]
HEADER = next(Path(os.environ["CORE"]).glob("*gcm_regs.h")).read_text()
AT = {name: int(text, 0) for name, text in re.findall(r"#define \w*?GCM_(\w+) (\w+)u", HEADER)}
AAD_AT, TEXT_AT, SEALED_AT, OPENED_AT = (RAM + 0x400 * index for index in range(4))
OK, AUTH_FAIL = 0, 1


class Host:
    """A master on the Wishbone pads. Everything changes at a falling edge."""

    def __init__(self, dut):
        self.dut = dut

    async def access(self, address, write, word=0):
        dut = self.dut
        dut.host_adr.value, dut.host_we.value, dut.host_dat_w.value = address // 4, write, word
        dut.host_cyc.value = dut.host_stb.value = 1
        acknowledged = False
        while not acknowledged:
            await ReadOnly()
            assert not dut.host_err.value, f"bus error at {address:#x}"
            acknowledged, word = bool(dut.host_ack.value), int(dut.host_dat_r.value)
            await FallingEdge(dut.sys_clk)
        dut.host_cyc.value = dut.host_stb.value = 0
        await FallingEdge(dut.sys_clk)
        return word

    async def write(self, address, data):
        """Bytes, or one word."""
        words = [data]
        if isinstance(data, bytes):
            pieces = (data[at : at + 4] for at in range(0, len(data), 4))
            words = [int.from_bytes(piece, "little") for piece in pieces]
        for index, word in enumerate(words):
            await self.access(address + 4 * index, 1, word)

    async def read(self, address, count):
        words = [await self.access(address + at, 0) for at in range(0, count, 4)]
        return b"".join(word.to_bytes(4, "little") for word in words)

    async def until(self, address, mask):
        while not (word := await self.access(address, 0)) & mask:
            pass
        return word

    # ---- the core

    async def enable_interrupts(self):
        causes = AT["IRQ_ENABLE_RESULT_MASK"] | AT["IRQ_ENABLE_FAILED_MASK"]
        await self.write(REGISTERS + AT["IRQ_ENABLE"], causes)

    async def interrupt(self):
        """Waits for it; its causes."""
        while not self.dut.irq.value:
            await FallingEdge(self.dut.sys_clk)
        return await self.access(REGISTERS + AT["IRQ_STATUS"], 0)

    async def load_key(self, key):
        await self.write(REGISTERS + AT["KEY"], key)
        await self.write(REGISTERS + AT["KEY_LOAD"], 2 << AT["KEY_LOAD_SIZE_SHIFT"])  # 256 bits
        await self.until(REGISTERS + AT["STATUS"], AT["STATUS_KEY_READY_MASK"])

    async def command(self, iv, tag=None):
        """Seals without a tag, opens with one."""
        await self.write(REGISTERS + AT["IV"], iv)
        await self.write(REGISTERS + AT["IV_BYTES"], len(iv))
        await self.write(REGISTERS + AT["EXPECTED_TAG"], tag or bytes(16))
        decrypt = int(tag is not None) << AT["COMMAND_DECRYPT_SHIFT"]
        await self.write(REGISTERS + AT["COMMAND"], decrypt | 16 << AT["COMMAND_TAG_BYTES_SHIFT"])

    async def answer(self):
        """Status and tag, when the interrupt comes. It is over when the answer was taken, and what
        failed was cleared."""
        causes = await self.interrupt()
        assert causes & AT["IRQ_STATUS_RESULT_MASK"]
        word = await self.access(REGISTERS + AT["RESULT"], 0)
        assert word & AT["RESULT_VALID_MASK"]
        status, tag = (
            word & AT["RESULT_STATUS_MASK"],
            await self.read(REGISTERS + AT["RESULT_TAG"], 16),
        )
        await self.write(REGISTERS + AT["RESULT_NEXT"], 0)
        failed = causes & AT["IRQ_STATUS_FAILED_MASK"]
        assert bool(failed) == (status != OK)
        if failed:
            assert self.dut.irq.value
            await self.write(REGISTERS + AT["IRQ_STATUS"], failed)
        await FallingEdge(self.dut.sys_clk)
        assert not self.dut.irq.value
        return status, tag

    # ---- the DMA

    async def start(self, which, address, count):
        await self.write(CSR[f"mover_{which}_enable"], 0)
        await self.write(CSR[f"mover_{which}_base"] + 4, address)  # its lower word
        await self.write(CSR[f"mover_{which}_length"], count)
        await self.write(CSR[f"mover_{which}_enable"], 1)

    async def done(self, which):
        await self.until(CSR[f"mover_{which}_done"], 1)

    async def send(self, address, count, *, text):
        await self.write(CSR["mover_text"], int(text))
        await self.start("reader", address, count)
        await self.done("reader")

    async def packet(self, iv, aad_bytes, source, target, text_bytes, tag=None):
        await self.start("writer", target, text_bytes)
        await self.command(iv, tag)
        await self.send(AAD_AT, aad_bytes, text=False)
        await self.send(source, text_bytes, text=True)
        return await self.answer()


async def started(dut):
    """The SoC after its reset, and the bus master on its pads."""
    host = Host(dut)
    dut.host_cyc.value = dut.host_stb.value = 0
    dut.host_sel.value = 0xF
    dut.host_cti.value = dut.host_bte.value = 0
    dut.sys_rst.value = 1
    cocotb.start_soon(Clock(dut.sys_clk, 10, unit="ns").start())
    for _ in range(4):
        await FallingEdge(dut.sys_clk)
    dut.sys_rst.value = 0
    for _ in range(4):
        await FallingEdge(dut.sys_clk)
    return host


async def play(host, write, read):
    """Seal, open and refuse a packet that `write` puts into memory; `read` reads what came of it.
    How many bytes of text it has."""
    rng = random.Random(SEED)
    key, iv, aad, text = (rng.randbytes(count) for count in (32, 12, 20, 244))
    sealed = AESGCM(key).encrypt(iv, text, aad)
    expected, tag = sealed[:-16], sealed[-16:]

    await host.enable_interrupts()
    await host.load_key(key)
    assert not host.dut.irq.value
    await write(AAD_AT, aad)
    await write(TEXT_AT, text)
    answer = await host.packet(iv, len(aad), TEXT_AT, SEALED_AT, len(text))
    assert answer == (OK, tag)
    await host.done("writer")
    assert await read(SEALED_AT, len(text)) == expected

    answer = await host.packet(iv, len(aad), SEALED_AT, OPENED_AT, len(text), tag)
    assert answer == (OK, bytes(16))
    await host.done("writer")
    assert await read(OPENED_AT, len(text)) == text

    wrong = bytes([tag[0] ^ 1]) + tag[1:]
    await write(OPENED_AT, bytes(len(text)))
    answer = await host.packet(iv, len(aad), SEALED_AT, OPENED_AT, len(text), wrong)
    assert answer == (AUTH_FAIL, bytes(16))
    assert await read(OPENED_AT, len(text)) == bytes(len(text))
    return len(text)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def a_packet_is_sealed_and_opened_in_memory(dut):
    host = await started(dut)
    count = await play(host, host.write, host.read)
    dut._log.info("sealed, opened, refused with a wrong tag: %d bytes in memory", count)

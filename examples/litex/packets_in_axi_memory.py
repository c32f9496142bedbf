# SPDX-License-Identifier: Apache-2.0
"""The same packets as packets_in_memory.py, in a memory on AXI4 outside of the SoC: AxiRam of
cocotbext-axi, which pauses at random on every channel."""

import logging
import random

import cocotb
from cocotbext.axi import AxiBus, AxiRam
from packets_in_memory import MAP, RAM, SEED, play, started


def pauses(rng):
    while True:
        yield rng.random() < 0.5


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def a_packet_is_sealed_and_opened_in_axi_memory(dut):
    size = MAP["memories"]["main_ram"]["size"]
    memory = AxiRam(AxiBus.from_prefix(dut, "memory"), dut.sys_clk, dut.sys_rst, size=size)
    logging.getLogger("cocotb.soc.memory").setLevel(logging.WARNING)
    channels = (
        memory.write_if.aw_channel,
        memory.write_if.w_channel,
        memory.write_if.b_channel,
        memory.read_if.ar_channel,
        memory.read_if.r_channel,
    )
    for index, channel in enumerate(channels):
        channel.set_pause_generator(pauses(random.Random(SEED + index)))

    async def write(address, data):
        memory.write(address - RAM, data)

    async def read(address, count):
        return memory.read(address - RAM, count)

    count = await play(await started(dut), write, read)
    dut._log.info("sealed, opened, refused with a wrong tag: %d bytes in AXI4 memory", count)

# SPDX-License-Identifier: Apache-2.0
"""Cycles of a built core, from its simulation: packets back to back, nothing ever stalled.

A figure counts only when every packet's answer was right. Packets are encrypted, have an IV of 96
bits and no AAD; the rate is the average from one packet's tag to another's, many packets later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from gcmforge.config import CoreConfig
from gcmforge.measure.result import Rate, Throughput
from gcmforge.sim import Answer, Core, Operation, Simulation
from gcmforge.sim.core import run_on
from gcmforge.sim.rates import equal_packets

Progress = Callable[[str], None]

PACKET_BYTES = (64, 576, 1_500, 9_000)
LONG_MESSAGE_BYTES = 65_536
_BLOCKS = 4_096
"""About as many blocks are simulated for each packet length."""
_FEWEST, _MOST = 24, 256
_LONG_MESSAGES = 3


class ThroughputError(RuntimeError):
    """The core's answers were wrong or it hung: it has no throughput."""


def measure_throughput(core_dir: Path, *, progress: Progress = lambda step: None) -> Throughput:
    """Rates for every key size and packet length that the core takes.

    ThroughputError when an answer is wrong. Compiles the simulator when it is not in the cache.
    """
    core = Core(core_dir)
    config = core.config
    progress("compiling the simulator")
    core.library()
    rates = []
    with core.simulation() as simulation:
        for key_bits in config.key_sizes:
            for size in packet_sizes(config):
                progress(f"simulating {size:,}-byte packets, {key_bits}-bit key")
                rates.append(packet_rate(simulation, config, key_bits, size))
    with core.simulation() as simulation:  # a packet on an idle core whose key is in place
        operations = list(equal_packets(config, max(config.key_sizes), 64, 2))
        _play(simulation, operations[:2])
        (last,) = _play(simulation, operations[2:])
    return Throughput(
        rates=tuple(rates),
        long_message_bytes=long_message_bytes(config),
        first_text_latency_cycles=_cycle(last.first_out_cycle) - _cycle(last.first_in_cycle),
        tag_latency_cycles=_cycle(last.tag_cycle) - _cycle(last.last_in_cycle),
        key_bits=max(config.key_sizes),
    )


def long_message_bytes(config: CoreConfig) -> int:
    """Length of the long message: less than usual on a core that takes short texts only."""
    return min(LONG_MESSAGE_BYTES, config.max_text_bytes)


def packet_sizes(config: CoreConfig) -> tuple[int, ...]:
    """Every packet length that is measured, in bytes."""
    fitting = {size for size in PACKET_BYTES if size <= config.max_text_bytes}
    return tuple(sorted(fitting | {long_message_bytes(config)}))


def packet_rate(simulation: Simulation, config: CoreConfig, key_bits: int, size: int) -> Rate:
    """Packets of that many bytes back to back; the key is loaded before them, and again where no IV
    is left."""
    blocks = -(-size // 16)
    long_size = long_message_bytes(config)
    count = _LONG_MESSAGES if size == long_size else min(_MOST, max(_FEWEST, _BLOCKS // blocks))
    answers = _play(simulation, equal_packets(config, key_bits, size, count))
    first = count // 3
    cycles = _cycle(answers[-1].tag_cycle) - _cycle(answers[first].tag_cycle)
    average = cycles / (count - 1 - first)
    return Rate(
        key_bits=key_bits,
        packet_bytes=size,
        cycles_per_packet=average,
        bits_per_cycle=8 * size / average,
    )


def _play(simulation: Simulation, operations: Iterable[Operation]) -> tuple[Answer, ...]:
    run = run_on(simulation, list(operations))
    if not run.clean:
        reason = str(run.failures[0]) if run.failures else f"the core hangs: {run.hang}"
        raise ThroughputError(f"no throughput of a core that does not work: {reason}")
    return run.answers


def _cycle(cycle: int | None) -> int:
    if cycle is None:
        raise ThroughputError("an answer without its cycle")
    return cycle

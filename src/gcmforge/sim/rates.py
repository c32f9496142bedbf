# SPDX-License-Identifier: Apache-2.0
"""Packets of one length back to back, and whether a core is as fast as its laws say."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gcmforge.config import CoreConfig
from gcmforge.config.rates import cycles_per_packet
from gcmforge.sim import reference
from gcmforge.sim.core import Core, Failure, RunResult
from gcmforge.sim.operations import LoadKey, Operation, Packet
from gcmforge.sim.packing import Answer

LONG_PACKET_BEATS = 512
PACKET_BYTES = (16, 64, 576)
_PACKETS = 24
_SETTLED = 8
"""Packets after which one follows the other as it will go on."""
_MORE = 1.02
"""Of a law, which is an average over many packets."""


def equal_packets(config: CoreConfig, key_bits: int, size: int, count: int) -> Iterator[Operation]:
    """A key, then packets with so many bytes of random text, no AAD and an IV of 96 bits, each with
    its right answer."""
    draw = random.Random(f"{key_bits} {size} {count}")
    key = draw.randbytes(key_bits // 8)
    yield LoadKey(context=0, key=key)
    for number in range(count):
        iv, text = number.to_bytes(12, "big"), draw.randbytes(size)
        yield Packet(
            context=0, decrypt=False, iv=iv, aad=b"", text=text, tag=None, tag_bytes=16,
            expect=reference.answer(
                key=key, decrypt=False, iv=iv, aad=b"", text=text, tag=None, tag_bytes=16,
                length_first=config.length_first,
            ),
            label=f"packet {number} of {size} bytes",
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class Probe:
    """Short packets with the largest key, played from a reset on while nothing stalls."""

    config: CoreConfig
    size: int
    operations: Sequence[Operation]

    def too_slow(self, result: RunResult) -> Failure | None:
        """What is slower than its law; nothing where an answer is missing."""
        law = cycles_per_packet(self.config, self.size)
        answers = result.answers[_SETTLED:]
        cycles = [one.tag_cycle for one in answers if one.tag_cycle is not None]
        if len(cycles) < len(answers):
            return None
        each = (cycles[-1] - cycles[0]) / (len(cycles) - 1)
        if each <= _MORE * law:
            return None
        return Failure(
            label=f"packets of {self.size} bytes, back to back", what="slower than the law",
            expected=f"{law:.1f} cycles a packet", got=f"{each:.1f}", seed=result.seed,
            packet=None, cycle=cycles[-1],
        )  # fmt: skip


def probes(config: CoreConfig) -> Iterator[Probe]:
    """One for each length that the core takes."""
    for size in PACKET_BYTES:
        if size <= config.max_text_bytes:
            operations = equal_packets(config, max(config.key_sizes), size, _PACKETS)
            yield Probe(config=config, size=size, operations=tuple(operations))


def rate_failures(core: Core) -> Iterator[Failure]:
    """What goes wrong with these packets, and which of them are too slow."""
    for probe in probes(core.config):
        result = core.run(probe.operations)
        yield from result.failures
        if slow := probe.too_slow(result):
            yield slow


def beats_per_cycle(core: Core) -> tuple[float, tuple[Failure, ...]]:
    """Text beats a cycle inside long packets when nothing stalls: the slowest of three packets,
    from the first to the last beat on m_axis (on s_axis where text is held back for its verdict),
    and what went wrong with them."""
    config = core.config
    size = 16 * config.lanes * (LONG_PACKET_BEATS if config.aes_engine.flows else 64)
    size = min(size, config.max_text_bytes)
    result = core.run(list(equal_packets(config, config.key_sizes[0], size, 3)))
    held_back = config.release_engine.holds  # then text leaves faster than it is made
    answers = result.answers[held_back:]  # the first one's data waits for its key, too
    return min(_rate(answer, of_input=held_back) for answer in answers), result.failures


def _rate(answer: Answer, *, of_input: bool) -> float:
    beats, cycles = (
        (answer.in_beats, answer.in_cycles) if of_input else (answer.out_beats, answer.out_cycles)
    )
    return beats / cycles if cycles else 0.0

# SPDX-License-Identifier: Apache-2.0
"""Packets of one length back to back, and whether a core is as fast as its laws say."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from gcmforge.config import CoreConfig
from gcmforge.config.rates import cycles_per_packet, first_text_latency_cycles
from gcmforge.sim import reference
from gcmforge.sim.core import Core, Failure, RunResult, run_on
from gcmforge.sim.directions import decrypts, opened
from gcmforge.sim.operations import LoadKey, Operation, Packet
from gcmforge.sim.packing import Answer

LONG_PACKET_BEATS = 512
PACKET_BYTES = (16, 64, 576)
_PACKETS = 24
_SETTLED = 8
"""Packets after which one follows the other as it will go on."""
_KEYS = 8
_MORE = 1.02
"""Of a law, which is an average over many packets."""


def equal_packets(config: CoreConfig, key_bits: int, size: int, count: int) -> Iterator[Operation]:
    """A key, then packets with so many bytes of random text, no AAD and an IV of 96 bits, each with
    its right answer.

    They are encrypted. With more than an `iv_limit` they are decrypted, which uses up no IV; on a
    core that only encrypts the key is loaded again each time that no IV is left.
    """
    draw = random.Random(f"{key_bits} {size} {count}")
    key = draw.randbytes(key_bits // 8)
    opens = decrypts(config, wish=count > config.iv_limit)
    for number in range(count):
        used = number if opens else number % config.iv_limit
        if not used:
            yield LoadKey(context=0, key=key)
        iv, text = used.to_bytes(12, "big"), draw.randbytes(size)
        expect = reference.answer(
            key=key, decrypt=False, iv=iv, aad=b"", text=text, tag=None, tag_bytes=16,
            length_first=config.length_first,
        )  # fmt: skip
        packet = Packet(
            context=0, decrypt=False, iv=iv, aad=b"", text=text, tag=None, tag_bytes=16,
            expect=expect, label=f"packet {number} of {size} bytes",
        )  # fmt: skip
        yield opened(packet) if opens else packet


Runs = tuple[Sequence[Operation], ...]
Took = Callable[[Sequence[RunResult]], float | None]
"""Cycles that runs took; None where an answer is missing."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Probe:
    """Runs one after the other from a reset on, each from an idle core, while nothing stalls; and
    how many cycles something takes in them, at most."""

    what: str
    law: float
    runs: Runs
    took: Took

    def too_slow(self, results: Sequence[RunResult]) -> Failure | None:
        """Where it takes longer than its law."""
        cycles = self.took(results)
        if cycles is None or cycles <= self.law:
            return None
        return Failure(
            label=self.what, what="slower than the law", expected=f"{self.law:.1f} cycles at most",
            got=f"{cycles:.1f}", seed=results[-1].seed, packet=None,
            cycle=results[-1].counters.cycles,
        )  # fmt: skip


def probes(config: CoreConfig) -> Iterator[Probe]:
    """Short packets back to back, a lone packet, and keys, all with the largest key."""
    largest = max(config.key_sizes)
    # With few places for tags, the law of a key stream made ahead is some cycles too low.
    lawful = not (config.slots_engine.ahead and config.tag_places)
    fitting = [size for size in PACKET_BYTES if size <= config.max_text_bytes]
    for size in fitting if lawful else ():
        packets = tuple(equal_packets(config, largest, size, _PACKETS))
        if len(packets) == 1 + _PACKETS:  # under one key
            yield Probe(
                what=f"packets of {size} bytes, each",
                law=_MORE * cycles_per_packet(config, size),
                runs=(packets,), took=_a_packet,
            )  # fmt: skip
    key, first, *more = equal_packets(config, largest, 16, 2)
    if not config.release_engine.holds and len(more) == 1:
        yield Probe(
            what="a lone packet to its text", law=first_text_latency_cycles(config),
            runs=((key, first), tuple(more)), took=_to_text,
        )  # fmt: skip
    yield Probe(  # the first packet each time: a core that makes the IVs counts from 0 after a key
        what="a key", law=config.key_load_cycles,
        runs=((key, first), (key, first), (*_KEYS * [key], key, first)), took=_a_key,
    )  # fmt: skip


def _a_packet(results: Sequence[RunResult]) -> float | None:
    answers = results[0].answers[_SETTLED:]
    cycles = [one.tag_cycle for one in answers if one.tag_cycle is not None]
    if len(cycles) < len(answers):
        return None
    return (cycles[-1] - cycles[0]) / (len(cycles) - 1)


def _to_text(results: Sequence[RunResult]) -> float | None:
    (answer,) = results[1].answers
    if answer.first_out_cycle is None or answer.first_in_cycle is None:
        return None
    return answer.first_out_cycle - answer.first_in_cycle


def _a_key(results: Sequence[RunResult]) -> float | None:
    """How much later the tag comes after so many more keys."""
    waits = []
    for before, result in pairwise(results):
        tag = result.answers[-1].tag_cycle
        if tag is None:
            return None
        waits.append(tag - before.counters.cycles)
    return (waits[1] - waits[0]) / _KEYS


def rate_failures(core: Core) -> Iterator[Failure]:
    """What goes wrong in these runs, and what takes too long in them."""
    for probe in probes(core.config):
        with core.simulation() as simulation:
            results = [run_on(simulation, list(run)) for run in probe.runs]
        for result in results:
            yield from result.failures
        if all(result.clean for result in results) and (slow := probe.too_slow(results)):
            yield slow


def beats_per_cycle(core: Core) -> tuple[float, tuple[Failure, ...]]:
    """Text beats a cycle inside long packets when nothing stalls: the slowest of three packets,
    from the first to the last beat on m_axis (on s_axis where text is held back for its verdict),
    and what went wrong with them."""
    config = core.config
    own = config.architecture
    flows = own.flows if own else config.aes_engine.flows
    size = 16 * config.lanes * (LONG_PACKET_BEATS if flows else 64)
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

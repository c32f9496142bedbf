# SPDX-License-Identifier: Apache-2.0
"""Cores that are erased amid packets: what is answered then, and that no key is left.

A core with `zeroise` answers every packet that it has accepted and not answered with ERASED, ends a
text that had begun to leave by a beat without a byte, and has no key any more (docs/reference/
ports.md). What it answered before stands. Commands that come after are refused, until keys come.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random

from gcmforge.config import CoreConfig
from gcmforge.sim import reference
from gcmforge.sim.core import Failure, judge, run_on
from gcmforge.sim.dice import Traffic
from gcmforge.sim.directions import decrypts
from gcmforge.sim.driver import PATIENCE_CYCLES, Batch, Erased, Simulation
from gcmforge.sim.operations import Expected, LoadKey, Operation, Status
from gcmforge.sim.packing import Answer
from gcmforge.sim.resets import fresh, near
from gcmforge.sim.stalls import Stalls
from gcmforge.sim.traffic import good_packet, load_key, sealed_lengths

MOMENTS = 60
"""How often a core is erased. Every other time something of a packet happens in that cycle or near
it, else the moments are spread evenly over the packets' time."""
_STALLS = (Stalls(), Stalls(text_wait=0.8), Stalls(tag_wait=0.9), Stalls.named("both"))
_PACKETS, _MOST_KEYS, _LONG_IV = 5, 3, 20


def erased_amid_packets(
    simulation: Simulation, config: CoreConfig, *, seed: int
) -> Iterator[Failure]:
    """What is wrong; ends with the first hang."""
    patience = max(PATIENCE_CYCLES, 2 * config.erase_cycles)
    for number in range(MOMENTS):
        operations = _under_way(config, seed + number)
        simulation.set_stalls(_STALLS[number % len(_STALLS)])
        simulation.play_and_reset((), 0)
        before = simulation.counters().cycles
        answers = simulation.play(operations, patience_cycles=patience).answers
        cycles = (simulation.counters().cycles - before) * number // MOMENTS
        if number % 2:
            cycles = near(Random(number), answers, first=simulation.first_cycle)
        simulation.play_and_reset((), 0)
        played, erased, keys = simulation.play_and_erase(
            operations, cycles, patience_cycles=patience
        )
        given, played = _as_erased(operations, played, erased, keys)
        failures = judge(given, played, 0, seed, verified=simulation.verified)
        if played.hang is None:
            left = any(taken >= erased.cycle for taken in keys.values())
            after = fresh(config, seed + number)[left:]
            result = run_on(simulation, after, seed=seed, patience_cycles=patience)
            failures += result.failures
        for failure in failures:
            yield replace(failure, label=f"erased in cycle {cycles}, {failure.label}")
        if played.hang is not None or result.hang is not None:
            return


def _under_way(config: CoreConfig, seed: int) -> Sequence[Operation]:
    """A key for each context, for three at most, and packets of both directions."""
    traffic = Traffic(core=config, seed=seed, rng=Random(f"erased {seed}"))
    contexts = min(config.contexts, _MOST_KEYS)
    for context in range(contexts):
        load_key(traffic, context)
    for number in range(_PACKETS):
        long_iv = config.iv == "any" and traffic.rng.random() < 0.3
        context = number % contexts
        sealed = sealed_lengths(
            traffic, traffic.keys[context], aad_bytes=min(20, config.max_aad_bytes),
            text_bytes=min(16 * config.lanes * (1 + number % 4) - 3, config.max_text_bytes),
            iv=traffic.rng.randbytes(_LONG_IV if long_iv else 12),
        )  # fmt: skip
        decrypt = decrypts(config, traffic.rng.random() < 0.5)
        traffic.operations.append(
            good_packet(traffic, number, context, sealed, 16, decrypt=decrypt)
        )
    return traffic.operations


def _as_erased(
    operations: Sequence[Operation], played: Batch, erased: Erased, keys: Mapping[int, int]
) -> tuple[Sequence[Operation], Batch]:
    """What packets must have been answered, and the answers. Of texts that the erase cut off any
    part may have left, but no more than that: it is taken out of both."""
    given: list[Operation] = []
    answers: list[Answer] = []
    usable: dict[int, bool] = {}
    for number, operation in enumerate(operations):
        if isinstance(operation, LoadKey):
            usable[operation.context] = keys[number] >= erased.cycle
            given.append(operation)
            continue
        answer = played.answers[len(answers)]
        expect = operation.expect
        if len(answers) >= erased.accepted:
            if not usable[operation.context]:
                expect = reference.refusal(operation.text, Status.NO_KEY)
        else:
            if expect.text.startswith(answer.text):
                expect, answer = replace(expect, text=b""), replace(answer, text=b"")
            if len(answers) >= erased.answered:
                expect = Expected(text=expect.text, tag=None, status=Status.ERASED)
        answers.append(answer)
        given.append(replace(operation, expect=expect))
    return given, replace(played, answers=tuple(answers))

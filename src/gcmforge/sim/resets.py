# SPDX-License-Identifier: Apache-2.0
"""A reset in every cycle of two packets: what comes after must be right, and nothing of before.

A key and two packets, one each way, are under way when `aresetn` falls, in another cycle each time.
Then nothing is sent for a while, and nothing may come. Then a packet without a key must be refused,
as a reset forgets which keys there are, and packets of a new key must be right, a forged one among
them. Some resets come near what happens to packets with long IVs, and the longest packet is the
first after them.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from gcmforge.config import CoreConfig
from gcmforge.sim import reference
from gcmforge.sim.core import Core, Failure, RunResult, run_on
from gcmforge.sim.dice import Traffic, flipped
from gcmforge.sim.directions import decrypts
from gcmforge.sim.driver import DRAIN_CYCLES, Simulation
from gcmforge.sim.operations import Operation, Packet, Status
from gcmforge.sim.packing import Answer
from gcmforge.sim.stalls import Stalls
from gcmforge.sim.traffic import good_packet, load_key, sealed_lengths

AAD_BYTES = 20
NEAR, LATER = 24, 8
LONG_BYTES = 2**16
_PACKETS, _LONG_IV = 4, 20


@dataclass(frozen=True, kw_only=True, slots=True)
class Resets:
    """`resets` is their number; `failures` are those of the packets after them."""

    resets: int = 0
    packets: int = 0
    failures: tuple[Failure, ...] = ()
    cycles: int = 0


def reset_in_every_cycle(
    core: Core,
    *,
    seed: int,
    every: int = 1,
    moments: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Resets:
    """Reset in cycle 0, 1, 2 and so on, up to the cycle in which the last tag leaves; in each
    `every`-th of them, or in that many, where all would be too many. Ends with the first hang."""
    failures: list[Failure] = []
    packets = resets = 0
    with core.simulation(seed=seed) as simulation:
        under_way = _under_way(core.config, seed)
        last = _cycles(simulation, under_way)
        every = max(every, last // moments) if moments else every
        for cycle in range(0, last + 1, every):
            simulation.set_stalls(Stalls())
            simulation.play_and_reset(under_way, cycle)
            resets += 1
            results = _after(simulation, core.config, seed + cycle)
            for result in results:
                packets += result.passed + result.failed
                where = f"reset in cycle {cycle}, then"
                failures += [replace(one, label=f"{where} {one.label}") for one in result.failures]
            if progress is not None:
                progress(cycle, last)
            if any(result.hang for result in results):
                break
        cycles = simulation.counters().cycles
    return Resets(resets=resets, packets=packets, failures=tuple(failures), cycles=cycles)


def _cycles(simulation: Simulation, operations: Sequence[Operation]) -> int:
    """Cycles from the reset to the last tag."""
    simulation.play_and_reset((), 0)
    before = simulation.counters().cycles
    simulation.play(operations)
    return simulation.counters().cycles - before - DRAIN_CYCLES


def _after(simulation: Simulation, config: CoreConfig, seed: int) -> Sequence[RunResult]:
    """Nothing for a while, then packets with pauses."""
    nothing = run_on(simulation, (), seed=seed)
    simulation.set_stalls(Stalls.named("both"))
    return nothing, run_on(simulation, fresh(config, seed), seed=seed)


# ---- near events ---------------------------------------------------------------------------------


def reset_near_events(
    simulation: Simulation, config: CoreConfig, *, seed: int
) -> Iterator[Failure]:
    """What goes wrong after resets near the begin or end of a packet's command, data, text or
    answer, where some IVs are long if the core takes such; after every fourth the first packet is
    as long as the core takes it. Ends with the first hang."""
    under_way = _busy(config, seed)
    simulation.play_and_reset((), 0)
    answers = simulation.play(under_way).answers
    first = simulation.first_cycle
    for number in range(NEAR):
        cycle = near(Random(number), answers, first=first, later=LATER)
        simulation.set_stalls(Stalls())
        simulation.play_and_reset((), 0)
        simulation.play_and_reset(under_way, cycle)
        after = fresh if number % 4 else _longest
        for operations in ((), after(config, seed + number)):
            result = run_on(simulation, operations, seed=seed)
            for failure in result.failures:
                yield replace(failure, label=f"reset in cycle {cycle}, then {failure.label}")
            if result.hang is not None:
                return


def near(rng: Random, answers: Sequence[Answer], *, first: int, later: int = 1) -> int:
    """A cycle around the begin or end of a packet's command, data, text or answer, up to so many
    later."""
    answer = rng.choice(answers)
    cycles = (
        answer.command_cycle, answer.first_in_cycle, answer.last_in_cycle, answer.first_out_cycle,
        answer.last_out_cycle, answer.tag_cycle,
    )  # fmt: skip
    cycle = rng.choice([cycle for cycle in cycles if cycle is not None] or [first])
    return max(0, cycle - first + rng.randint(-2, later))


def _busy(config: CoreConfig, seed: int) -> Sequence[Operation]:
    """A key and packets of some beats."""
    traffic = Traffic(core=config, seed=seed, rng=Random(f"reset {seed}"))
    load_key(traffic, 0)
    for number in range(_PACKETS):
        iv_bytes = _LONG_IV if config.iv == "any" and number % 2 else 12
        traffic.operations.append(_packet(traffic, 4, decrypt=number % 3 == 0, iv_bytes=iv_bytes))
    return traffic.operations


def _longest(config: CoreConfig, seed: int) -> Sequence[Operation]:
    """A key, and a packet of as much AAD and text as the core takes, where that is not much."""
    traffic = Traffic(core=config, seed=seed, rng=Random(f"longest {seed}"))
    load_key(traffic, 0)
    aad, text = (
        limit if limit <= LONG_BYTES else AAD_BYTES
        for limit in (config.max_aad_bytes, config.max_text_bytes)
    )
    sealed = sealed_lengths(
        traffic, traffic.keys[0], aad_bytes=aad, text_bytes=text, iv=traffic.rng.randbytes(12)
    )
    return (
        *traffic.operations,
        good_packet(traffic, 0, 0, sealed, 16, decrypt=decrypts(config, wish=True)),
    )


# ---- packets -------------------------------------------------------------------------------------


def _under_way(config: CoreConfig, seed: int) -> tuple[Operation, ...]:
    traffic = Traffic(core=config, seed=seed, rng=Random(seed))
    load_key(traffic, 0)
    _add_packets(traffic, 2, False, True)
    return tuple(traffic.operations)


def fresh(config: CoreConfig, seed: int) -> tuple[Operation, ...]:
    """A packet without a key, a key, packets under it; the second one is forged."""
    traffic = Traffic(core=config, seed=seed, rng=Random(f"after a reset {seed}"))
    text = traffic.rng.randbytes(20)
    decrypt = decrypts(config, wish=False)
    refused = Packet(
        context=0, decrypt=decrypt, iv=traffic.rng.randbytes(12), aad=b"", text=text,
        tag=bytes(16) if decrypt else None, tag_bytes=16, label="a packet without a key",
        expect=reference.refusal(text, Status.NO_KEY),
    )  # fmt: skip
    load_key(traffic, 0)
    second = _add_packets(traffic, 1, False, True, True)[1]
    packet = traffic.operations[second]
    assert isinstance(packet, Packet)
    if packet.decrypt:
        traffic.operations[second] = _forged(traffic, packet)
    return (refused, *traffic.operations)


def _add_packets(traffic: Traffic, beats: int, *wishes: bool) -> list[int]:
    """Packets that are decrypted or not, and where they stand: a key whose IVs are used up is
    loaded again between them."""
    places = []
    for wish in wishes:
        packet = _packet(traffic, beats, decrypt=wish)
        places.append(len(traffic.operations))
        traffic.operations.append(packet)
    return places


def _packet(traffic: Traffic, beats: int, *, decrypt: bool, iv_bytes: int = 12) -> Packet:
    config = traffic.core
    sealed = sealed_lengths(
        traffic, traffic.keys[0], aad_bytes=min(AAD_BYTES, config.max_aad_bytes),
        text_bytes=min(16 * config.lanes * beats - 3, config.max_text_bytes),
        iv=traffic.rng.randbytes(iv_bytes),
    )  # fmt: skip
    decrypt = decrypts(config, decrypt)
    return good_packet(traffic, len(traffic.operations), 0, sealed, 16, decrypt=decrypt)


def _forged(traffic: Traffic, packet: Packet) -> Packet:
    assert packet.tag is not None
    tag = flipped(packet.tag, traffic.rng.randrange(128))
    expect = replace(packet.expect, status=Status.AUTH_FAIL)
    return replace(packet, tag=tag, expect=expect, label=f"{packet.label}, forged")

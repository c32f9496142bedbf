# SPDX-License-Identifier: Apache-2.0
"""A reset in every cycle of two packets: what comes after must be right, and nothing of before.

A key and two packets, one each way, are under way when `aresetn` falls, in another cycle each time.
Then nothing is sent for a while, and nothing may come. Then a packet without a key must be refused,
as a reset forgets which keys there are, and packets of a new key must be right, a forged one among
them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

from gcmforge.config import CoreConfig
from gcmforge.sim import reference
from gcmforge.sim.core import Core, Failure, RunResult, run_on
from gcmforge.sim.dice import Traffic, flipped
from gcmforge.sim.driver import DRAIN_CYCLES, Simulation
from gcmforge.sim.operations import Operation, Packet, Status
from gcmforge.sim.stalls import Stalls
from gcmforge.sim.traffic import good_packet, load_key, sealed_lengths

AAD_BYTES = 20


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


# ---- packets -------------------------------------------------------------------------------------


def _under_way(config: CoreConfig, seed: int) -> tuple[Operation, ...]:
    traffic = Traffic(core=config, seed=seed, rng=Random(seed))
    load_key(traffic, 0)
    traffic.operations += [_packet(traffic, 2, decrypt=decrypt) for decrypt in (False, True)]
    return tuple(traffic.operations)


def fresh(config: CoreConfig, seed: int) -> tuple[Operation, ...]:
    """A packet without a key, a key, packets under it; the second one is forged."""
    traffic = Traffic(core=config, seed=seed, rng=Random(f"after a reset {seed}"))
    text = traffic.rng.randbytes(20)
    refused = Packet(
        context=0, decrypt=False, iv=traffic.rng.randbytes(12), aad=b"", text=text, tag=None,
        tag_bytes=16, expect=reference.refusal(text, Status.NO_KEY), label="a packet without a key",
    )  # fmt: skip
    load_key(traffic, 0)
    ones = [_packet(traffic, 1, decrypt=decrypt) for decrypt in (False, True, True)]
    ones[1] = _forged(traffic, ones[1])
    return (refused, *traffic.operations, *ones)


def _packet(traffic: Traffic, beats: int, *, decrypt: bool) -> Packet:
    config = traffic.core
    sealed = sealed_lengths(
        traffic, traffic.keys[0], aad_bytes=min(AAD_BYTES, config.max_aad_bytes),
        text_bytes=min(16 * config.lanes * beats - 3, config.max_text_bytes),
        iv=traffic.rng.randbytes(12),
    )  # fmt: skip
    return good_packet(traffic, len(traffic.operations), 0, sealed, 16, decrypt=decrypt)


def _forged(traffic: Traffic, packet: Packet) -> Packet:
    assert packet.tag is not None
    tag = flipped(packet.tag, traffic.rng.randrange(128))
    expect = replace(packet.expect, status=Status.AUTH_FAIL)
    return replace(packet, tag=tag, expect=expect, label=f"{packet.label}, forged")

# SPDX-License-Identifier: Apache-2.0
"""Senders that stop amid a packet, on a core with a timeout, and packets that are right after them.

What the core answers is in docs/reference/ports.md: BAD_FRAME, after as many cycles without an
offer as its timeout has. Data that breaks off ends as if a beat of AAD with a hole had come.
"""

from collections.abc import Iterator, Sequence
from random import Random

from gcmforge.config import CoreConfig
from gcmforge.sim.dice import Traffic
from gcmforge.sim.directions import directions
from gcmforge.sim.frames import frame_answer, frame_of, framed
from gcmforge.sim.operations import Expected, Operation, Packet, Status
from gcmforge.sim.packing import Beat, FramedPacket, Stops
from gcmforge.sim.traffic import good_packet, load_key, sealed_lengths

SEED = 40_000
LONGEST_CYCLES = 5_000
"""A timeout above this is not waited for."""
IN_DOUBT_CYCLES = 1_000
"""An answer takes fewer cycles than this; only then it comes before doubt has ended."""
_ROUNDS = 2
_LONG_IV = 20
_MORE = 200
"""Beats more than a timeout has cycles: its answer would come while they do."""
_LATE = 7
"""Tenths of a timeout from data to its command: with the third of one before it, more than one."""


def stopped_operations(config: CoreConfig) -> Sequence[Operation]:
    """Each way to stop some times, encrypting and decrypting, a packet that is right after each; at
    the end data that breaks off goes on for longer than the timeout, and no command is offered.
    Nothing on a core that waits for any time, or for a very long one."""
    if not 0 < config.timeout <= LONGEST_CYCLES:
        return ()
    traffic = Traffic(core=config, seed=SEED, rng=Random(SEED))
    load_key(traffic, 0)
    for _ in range(_ROUNDS):
        for decrypt in directions(config):
            for stopped in _ways(traffic, decrypt=decrypt):
                traffic.operations += stopped
                traffic.operations.append(_packet(traffic, decrypt=decrypt))
    if _may_break_off(config):
        last = _packet(traffic, decrypt=decrypt)
        traffic.operations.append(_broken_off(traffic, last, rest=config.timeout + _MORE))
    return traffic.operations


def _ways(traffic: Traffic, *, decrypt: bool) -> Iterator[Sequence[Operation]]:
    config = traffic.core
    assert isinstance(config, CoreConfig)
    silence = 2 * config.timeout

    def packet(iv_bytes: int = 12) -> Packet:
        return _packet(traffic, decrypt=decrypt, iv_bytes=iv_bytes)

    def nothing_leaves(one: Packet, what: str, stops: Stops) -> Packet:
        beats = frame_of(traffic.rng, config, one) if stops.data else [_MADE]
        expect = Expected(text=b"", tag=None, status=Status.BAD_FRAME)
        return _stopped(one, what, beats, stops, expect)

    if _may_break_off(config):
        yield [_broken_off(traffic, packet())]
    yield [nothing_leaves(packet(), "no data", Stops(silence=silence))]
    if config.timeout > IN_DOUBT_CYCLES:
        yield [
            nothing_leaves(packet(), "no data", Stops(silence=1)),
            *(
                nothing_leaves(packet(), "whose data it is", Stops(silence=after, data=True))
                for after in 4 * [config.timeout // 3]  # together longer than it lasts
            ),
            nothing_leaves(
                packet(),
                "whose data it is, which comes first",
                Stops(silence=_LATE * config.timeout // 10, data=True, late_command=True),
            ),
            nothing_leaves(packet(), "whose data it is", Stops(silence=silence, data=True)),
        ]
    before = dict(traffic.counts)
    stops = Stops(silence=silence, command=False, data=True)
    unasked = nothing_leaves(packet(), "no command", stops)
    traffic.counts |= before  # the core makes a command of its own, which uses no IV
    yield [unasked]
    if config.iv == "any":
        for data in (False, True):
            stops = Stops(silence=silence, one_word=True, data=data)
            yield [nothing_leaves(packet(_LONG_IV), "a word of an IV", stops)]


_MADE = Beat(data=b"", keep=0b10, text=False)
"""What the core makes of data that has broken off."""


def _may_break_off(config: CoreConfig) -> bool:
    """Whether a packet may have two beats."""
    return config.max_text_bytes > 16 * config.lanes


def _broken_off(traffic: Traffic, packet: Packet, *, rest: int = 0) -> FramedPacket:
    """A packet whose data breaks off; what is left of it comes later, and so many beats more, which
    are all dropped."""
    config = traffic.core
    assert isinstance(config, CoreConfig)
    *beats, last = frame_of(traffic.rng, config, packet)
    cut = traffic.rng.randint(1, len(beats))
    given = [*beats[:cut], _MADE]
    expect = frame_answer(config, packet, traffic.keys[0], given)
    left = (*beats[cut:], *rest * beats[-1:], last)
    stops = Stops(silence=2 * config.timeout, rest=left)
    return _stopped(packet, "data breaks off", given, stops, expect)


def _packet(traffic: Traffic, *, decrypt: bool, iv_bytes: int = 12) -> Packet:
    """Of two beats and more."""
    config, rng = traffic.core, traffic.rng
    sealed = sealed_lengths(
        traffic, traffic.keys[0], aad_bytes=min(rng.choice((0, 20)), config.max_aad_bytes),
        text_bytes=min(16 * config.lanes * rng.randint(2, 4) - rng.randint(0, 5),
                       config.max_text_bytes),
        iv=rng.randbytes(iv_bytes),
    )  # fmt: skip
    return good_packet(traffic, len(traffic.operations), 0, sealed, 16, decrypt=decrypt)


def _stopped(
    packet: Packet, what: str, beats: Sequence[Beat], stops: Stops, expect: Expected
) -> FramedPacket:
    return framed(packet, beats, expect, f"its sender stops: {what}", stops=stops)

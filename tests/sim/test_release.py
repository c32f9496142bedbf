# SPDX-License-Identifier: Apache-2.0
"""Cores with release=verified: of a packet whose status is not OK not one beat leaves."""

import random
from dataclasses import replace

import pytest

from gcmforge.config import CoreConfig
from gcmforge.emit.core import core_files
from gcmforge.sim import (
    Beat,
    Core,
    Expected,
    FramedPacket,
    LoadKey,
    Packet,
    Stalls,
    Status,
    reference,
)
from gcmforge.sim.aead import built
from gcmforge.sim.flips import FLIPPED_PARTS, flipped_traffic

pytestmark = pytest.mark.slow

MAX_TEXT = 200
CONFIG = CoreConfig(
    lanes=2, sbox="table", mix_columns="small", contexts=2, release="verified",
    max_text_bytes=MAX_TEXT, max_aad_bytes=100,
)  # fmt: skip
KEY = bytes(range(32))


@pytest.fixture(scope="module")
def core() -> Core:
    return Core(built(CONFIG))


def good(rng: random.Random, size: int, *, decrypt: bool = True) -> Packet:
    iv, aad, plaintext = rng.randbytes(12), rng.randbytes(5), rng.randbytes(size)
    ciphertext, tag = reference.seal(KEY, iv, plaintext, aad)
    return Packet(
        context=0, decrypt=decrypt, iv=iv, aad=aad, text=ciphertext if decrypt else plaintext,
        tag=tag if decrypt else None, tag_bytes=16, label=f"{size} bytes",
        expect=Expected(
            text=plaintext if decrypt else ciphertext, tag=None if decrypt else tag,
            status=Status.OK,
        ),
    )  # fmt: skip


def wrong(packet: Packet, status: Status) -> Packet:
    return replace(packet, expect=Expected(text=b"", tag=None, status=status))


def faults(rng: random.Random) -> list[Packet]:
    """A packet of each kind that must not come out, some with text before the fault shows."""
    a, b = good(rng, 100), good(rng, MAX_TEXT)
    text_then_aad = FramedPacket(
        context=0, decrypt=True, iv=bytes(12), aad=b"", text=b"", tag=bytes(16), tag_bytes=16,
        expect=Expected(text=b"", tag=None, status=Status.BAD_FRAME), label="AAD after text",
        beats=tuple(Beat(data=bytes(32), keep=2**32 - 1, text=t) for t in (True, True, False)),
    )  # fmt: skip
    return [
        wrong(replace(a, tag=bytes(16)), Status.AUTH_FAIL),
        wrong(replace(b, iv=b.iv[:11] + bytes([b.iv[11] ^ 1])), Status.AUTH_FAIL),
        wrong(replace(b, text=b.text + b"x"), Status.TOO_LONG),
        wrong(replace(b, text=b.text * 40), Status.TOO_LONG),
        wrong(replace(good(rng, MAX_TEXT + 33, decrypt=False)), Status.TOO_LONG),
        wrong(replace(a, aad=bytes(101)), Status.TOO_LONG),
        wrong(replace(a, context=1), Status.NO_KEY),
        wrong(replace(a, iv=b""), Status.BAD_IV),
        wrong(replace(a, tag_bytes=5), Status.BAD_TAG_LENGTH),
        text_then_aad,
    ]


@pytest.mark.parametrize("stalls", ["none", "backpressure", "both"])
def test_of_a_bad_packet_nothing_leaves_and_its_neighbours_are_whole(core, stalls):
    rng = random.Random(stalls)
    operations = [LoadKey(context=0, key=KEY)]
    for _ in range(12):
        mixed = [good(rng, rng.choice((0, 1, 32, 33, MAX_TEXT))) for _ in range(12)] + faults(rng)
        operations += rng.sample(mixed, len(mixed))
    result = core.run(operations, stalls=Stalls.named(stalls), seed=2)
    assert result.clean, [str(failure) for failure in result.failures[:5]]


def test_a_reader_that_waits_for_the_tag_gets_it(core):
    """One packet fits into the buffer: its tag comes although nobody takes its text."""
    rng = random.Random(0)
    operations = [LoadKey(context=0, key=KEY), good(rng, MAX_TEXT), good(rng, 40)]
    result = core.run(operations, stalls=Stalls(text_wait=0.998), seed=4)
    assert result.clean, [str(failure) for failure in result.failures[:5]]
    first, _ = result.answers
    assert first.tag_cycle < first.last_out_cycle


def in_cycles(config: CoreConfig, size: int, count: int) -> tuple[int, int]:
    """Cycles from the first beat in of packet 4 to the last of the last, and how many beats."""
    rng = random.Random(size)
    packets = [good(rng, size) for _ in range(count)]
    result = Core(built(config)).run([LoadKey(context=0, key=KEY), *packets])
    assert result.clean, [str(failure) for failure in result.failures[:5]]
    measured = result.answers[4:]
    cycles = measured[-1].last_in_cycle - measured[0].first_in_cycle + 1
    return cycles, sum(answer.in_beats for answer in measured)


@pytest.mark.slow
def test_packets_of_the_configured_size_go_at_full_rate_and_a_shallower_buffer_pauses():
    streaming = replace(CONFIG, release="streaming")
    shallow = replace(CONFIG, buffer_beats=CONFIG.full_release_depth - 4)
    for size in (1, 64, MAX_TEXT - 9, MAX_TEXT):
        assert in_cycles(CONFIG, size, 24) == in_cycles(streaming, size, 24)
    assert in_cycles(shallow, MAX_TEXT, 24) > in_cycles(streaming, MAX_TEXT, 24)


def test_text_leaves_three_cycles_after_its_verdict(core):
    """The tag's last cycle is the verdict's, and one more to m_tag."""
    result = core.run([LoadKey(context=0, key=KEY), good(random.Random(1), MAX_TEXT)])
    (answer,) = result.answers
    assert answer.first_out_cycle - answer.tag_cycle == 2
    assert answer.out_cycles == answer.out_beats == 7


@pytest.mark.parametrize("part", FLIPPED_PARTS)
def test_a_single_wrong_bit_releases_nothing(core, part):
    operations = flipped_traffic(core.config, packets=150, seed=6, parts=(part,))
    result = core.run(operations, stalls=Stalls.named("both"), seed=6)
    assert result.clean, [str(failure) for failure in result.failures[:5]]
    assert result.counters.out_beats == sum(answer.out_beats for answer in result.answers)


def test_the_flips_see_a_core_that_releases_at_once(core):
    """The same traffic on a core that streams, judged as if it held text back."""
    operations = flipped_traffic(core.config, packets=40, seed=6)
    streaming = Core(built(replace(CONFIG, release="streaming")))
    streaming.config = core.config
    assert not streaming.run(operations).clean


def test_the_core_says_what_it_promises():
    text = core_files(CONFIG, prove=False)[0]["README.md"]
    assert "Only whole packets whose status is OK leave" in text
    assert "releases plaintext before" not in text
    assert "do not wait for the buffer as long as the reader makes no pause" in text
    shallow = core_files(replace(CONFIG, buffer_beats=9), prove=False)[0]["README.md"]
    assert f"the buffer would need {CONFIG.full_release_depth} beats" in shallow

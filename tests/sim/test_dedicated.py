# SPDX-License-Identifier: Apache-2.0
"""Cores with a tail and a lane for J0 of their own and AAD with the text: random traffic, and AAD
where it may not be."""

import pytest

from gcmforge.config import CoreConfig
from gcmforge.emit import build_core
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
from gcmforge.sim.verify import VerifyJob, run_job

pytestmark = pytest.mark.slow

KEY, IV = bytes(range(16)), bytes(12)
BEAT = 32
FULL = 2**BEAT - 1

LEAN = CoreConfig(
    lanes=2, contexts=3, key_sizes=(128,), aes="loop", sbox="table", multiplier="ko6",
    tail="dedicated", ghash_stages=2,
)  # fmt: skip
CORES = {
    "tail, AAD with text": LEAN.with_settings(["aad_lanes=2"]),
    "tail and J0": LEAN.with_settings(["j0=dedicated", "ghash=dot", "ghash_stages=3"]),
    "AAD with text": LEAN.with_settings(["aad_lanes=1", "tail=shared", "iv=96"]),
    "tail after one serial lane": LEAN.with_settings(["lanes=1", "ghash=serial", "ghash_stages=1"]),
    "J0 and shared counters": LEAN.with_settings(
        ["j0=dedicated", "counter_sharing=on", "aes=pipelined", "aes_substages=2"]
    ),
    "key unit, serial": LEAN.with_settings(
        [
            "lanes=1",
            "ghash=serial",
            "ghash_stages=1",
            "key_unit=dedicated",
            "contexts=17",
            "key_sizes=128,192,256",
            "tail=shared",
        ]
    ),
    "key unit, travelling, 1000 contexts": LEAN.with_settings(
        [
            "key_unit=dedicated",
            "key_schedule=travelling",
            "aes_substages=3",
            "contexts=1000",
            "key_sizes=192,256",
            "ghash_stages=3",
        ]
    ),
    "many contexts, one stage": LEAN.with_settings(["contexts=20", "ghash_stages=1"]),
    "tail, shared counters": LEAN.with_settings(
        ["lanes=3", "counter_sharing=on", "aes=pipelined", "ghash=interleaved", "ghash_stages=1"]
    ),
}


@pytest.fixture(scope="module")
def core(tmp_path_factory):
    """Cores by name, built when first asked for."""
    folder = tmp_path_factory.mktemp("cores")
    made = {}

    def get(name):
        if name not in made:
            made[name] = Core(build_core(CORES[name], folder / name, prove=False).path)
        return made[name]

    return get


@pytest.mark.parametrize("name", CORES)
def test_random_traffic_is_right(name, core):
    for stalls in ("none", "both"):
        job = VerifyJob(core=core(name).path, packets=1_500, seed=7, stalls=stalls)
        report = run_job(job)
        assert report.ok, (stalls, report)
        assert report.passed == 1_500


def beat(keep=FULL, *, text=True, aside=0):
    return Beat(data=b"\xa5" * BEAT, keep=keep, text=text, aad=b"\x5a" * 32, aad_keep=2**aside - 1)


def good_packet(aad=b"aside!", text=b"t" * 40):
    expect = reference.answer(
        key=KEY, decrypt=False, iv=IV, aad=aad, text=text, tag=None, tag_bytes=16
    )
    return Packet(
        context=0, decrypt=False, iv=IV, aad=aad, text=text, tag=None, tag_bytes=16,
        expect=expect, label="good packet",
    )  # fmt: skip


WRONG = {
    "with a beat of AAD": (beat(text=False, aside=1), beat()),
    "with the second beat": (beat(), beat(aside=32)),
    "with the second beat, after AAD": (beat(text=False), beat(aside=3)),
    "before beats of AAD": (beat(0, text=False, aside=16), beat(text=False)),
    "gap": (Beat(data=bytes(BEAT), keep=FULL, text=True, aad=bytes(32), aad_keep=0b101),),
    "not from byte 0": (Beat(data=bytes(BEAT), keep=FULL, text=True, aad_keep=0xFFFF0000),),
    "without text, and then text": (beat(0, aside=7), beat()),
}


@pytest.mark.parametrize("stalls", ["none", "both"])
@pytest.mark.parametrize("name", WRONG)
def test_aad_beside_what_it_may_not_be_beside_is_refused(name, stalls, core):
    """Text of the beats before it is real; the next packet is right."""
    frame = WRONG[name]
    kept = [b.keep.bit_count() for b in frame if b.text]
    text = b""
    if name == "with the second beat":
        text, kept = reference.seal(KEY, IV, b"\xa5" * BEAT)[0], kept[1:]
    bad = FramedPacket(
        context=0, decrypt=False, iv=IV, aad=b"", text=b"", tag=None, tag_bytes=16, label=name,
        expect=Expected(text=text + bytes(sum(kept)), tag=None, status=Status.BAD_FRAME),
        beats=frame,
    )  # fmt: skip
    operations = [LoadKey(context=0, key=KEY), good_packet(), bad, bad, good_packet()]
    result = core("tail, AAD with text").run(operations, stalls=Stalls.named(stalls), seed=5)
    assert result.clean, [str(failure) for failure in result.failures]


@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize("aad_bytes", [1, 16, 27, 32])
def test_a_packet_of_nothing_but_aad_beside_its_beat(aad_bytes, text, core):
    """Whichever section its beat without a byte is marked as."""
    aad = b"\x5a" * aad_bytes
    packet = FramedPacket(
        context=0, decrypt=False, iv=IV, aad=b"", text=b"", tag=None, tag_bytes=16,
        expect=good_packet(aad, b"").expect, label="AAD alone",
        beats=(beat(0, text=text, aside=aad_bytes),),
    )  # fmt: skip
    operations = [LoadKey(context=0, key=KEY), good_packet(), packet, good_packet()]
    result = core("tail, AAD with text").run(operations)
    assert result.clean, [str(failure) for failure in result.failures]


@pytest.mark.parametrize("aad_bytes", [0, 1, 15, 16, 17, 31, 32, 33])
@pytest.mark.parametrize("text_bytes", [0, 1, 32, 33])
def test_aad_beside_the_beat_costs_none(aad_bytes, text_bytes, core):
    packet = good_packet(bytes(range(aad_bytes)), b"x" * text_bytes)
    result = core("tail, AAD with text").run([LoadKey(context=0, key=KEY), packet])
    assert result.clean, result.failures
    beats = max(1, -(-text_bytes // BEAT) + (2 if aad_bytes > 32 else 0))
    assert result.answers[0].in_beats == beats

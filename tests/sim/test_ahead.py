# SPDX-License-Identifier: Apache-2.0
"""Cores with slots=ahead: packets whose text comes in as many beats as their commands say, and in
more or fewer; text long before and long after its command; keys among packets that wait."""

import itertools
import random
import shutil
from collections.abc import Callable

import pytest

from gcmforge.config import CoreConfig
from gcmforge.emit import build_core
from gcmforge.sim import (
    Beat,
    Core,
    Expected,
    FramedPacket,
    LoadKey,
    Operation,
    Packet,
    Stalls,
    Status,
    reference,
)
from gcmforge.sim.stalls import STALL_PATTERNS
from gcmforge.sim.verify import VerifyJob, run_job, verify

pytestmark = pytest.mark.slow

AHEAD = CoreConfig(
    slots="ahead", iv="96", contexts=1, key_sizes=(128,), sbox="table", multiplier="ko6"
)
CORES = {
    "one lane": AHEAD,
    "one place": AHEAD.with_settings(
        ["ahead_places=1", "aes_substages=2", "key_sizes=128,192,256", "tag_places=1"]
    ),
    "three lanes, two places": AHEAD.with_settings(
        [
            "lanes=3",
            "ahead_places=2",
            "aad_lanes=1",
            "contexts=3",
            "key_unit=dedicated",
            "max_text_bytes=400",
            "max_aad_bytes=100",
        ]
    ),
    "four lanes": AHEAD.with_settings(
        [
            "lanes=4",
            "counter_sharing=on",
            "contexts=2",
            "key_unit=dedicated",
            "key_schedule=travelling",
            "ghash_stages=2",
        ]
    ),
    "four lanes, one place": AHEAD.with_settings(
        [
            "lanes=4",
            "counter_sharing=on",
            "key_sizes=128,256",
            "sbox=fast",
            "aes_substages=3",
            "aes_slack=25",
            "ghash_stages=5",
            "ahead_places=1",
            "tag_places=1",
        ]
    ),
    "verified": AHEAD.with_settings(["lanes=2", "release=verified", "max_text_bytes=200"]),
}
KEY, IV = bytes(range(16)), bytes(range(12))
PATTERN = bytes(range(3, 256)) * 5


@pytest.fixture(scope="module")
def core(tmp_path_factory) -> Callable[[str], Core]:
    """Cores by name, built when first asked for."""
    folder = tmp_path_factory.mktemp("cores")
    made: dict[str, Core] = {}

    def get(name: str) -> Core:
        if name not in made:
            made[name] = Core(build_core(CORES[name], folder / name, prove=False).path)
        return made[name]

    return get


@pytest.mark.parametrize("stalls", STALL_PATTERNS)
@pytest.mark.parametrize("name", CORES)
def test_random_traffic_is_right(name, stalls, core):
    """Keys loaded between packets and frames of more and fewer beats are among it."""
    report = run_job(VerifyJob(core=core(name).path, packets=3_000, seed=11, stalls=stalls))
    assert report.ok, report
    assert report.passed == 3_000


PACES = {
    "commands long before": Stalls(data_idle=0.95),
    "text long before": Stalls(command_idle=0.97),
    "each at its command": Stalls(data_after_command=1.0),
    "now the one, now the other": Stalls(
        command_idle=0.8, data_idle=0.8, key_idle=0.8, null_beats=0.3, bursts=True
    ),
    "text taken seldom": Stalls(text_wait=0.95),
    "tags taken seldom": Stalls(tag_wait=0.97),
    "keys come late": Stalls(key_idle=0.995),
}


def packet(rng: random.Random, key: bytes, aad: int, text: int, *, context: int = 0) -> Packet:
    """One of these lengths, to be encrypted or decrypted, without a fault."""
    iv, aad_bytes, plaintext = rng.randbytes(12), rng.randbytes(aad), rng.randbytes(text)
    ciphertext, tag = reference.seal(key, iv, plaintext, aad_bytes)
    decrypt = rng.random() < 0.5
    return Packet(
        context=context, decrypt=decrypt, iv=iv, aad=aad_bytes,
        text=ciphertext if decrypt else plaintext, tag=tag if decrypt else None, tag_bytes=16,
        expect=Expected(
            text=plaintext if decrypt else ciphertext, tag=None if decrypt else tag,
            status=Status.OK,
        ),
        label=f"{aad} bytes of AAD, {text} of text",
    )  # fmt: skip


def good_packets(seed: int, count: int, lanes: int) -> list[Operation]:
    """Of few beats each, some without text, under KEY."""
    rng = random.Random(seed)
    sizes = (0, 0, 1, 16, 16 * lanes - 1, 16 * lanes, 16 * lanes + 1, 48 * lanes)
    return [packet(rng, KEY, rng.choice(sizes[1:6]), rng.choice(sizes)) for _ in range(count)]


@pytest.mark.parametrize("pace", PACES)
@pytest.mark.parametrize("name", CORES)
def test_text_comes_long_before_and_long_after_its_command(name, pace, core):
    """With a new key now and then: it waits for packets whose key stream is made and whose text is
    still to come, and their text for no key."""
    rng, lanes = random.Random(5), CORES[name].lanes
    operations: list[Operation] = []
    for number in range(400):
        if number % 23 == 0:
            key = rng.randbytes(16)
            operations.append(LoadKey(context=0, key=key))
        sizes = (0, 1, 16, 16 * lanes, 16 * lanes + 1, 190)
        operations.append(packet(rng, key, rng.choice((0, 0, 3, 16 * lanes)), rng.choice(sizes)))
    result = core(name).run(operations, stalls=PACES[pace], seed=2)
    assert result.clean, [str(failure) for failure in result.failures[:3]]
    assert result.passed == 400
    if pace == "commands long before":
        waits = [answer.first_in_cycle - answer.command_cycle for answer in result.answers]
        assert sorted(waits)[200] > 10
    if pace == "text long before":
        waits = [answer.command_cycle - answer.first_in_cycle for answer in result.answers]
        assert sorted(waits)[200] > 10


@pytest.mark.parametrize("name", ["three lanes, two places", "four lanes"])
def test_a_key_of_another_context_is_loaded_while_commands_wait(name, core):
    """Its first packet comes after theirs, and is right."""
    rng = random.Random(8)
    keys = [rng.randbytes(16) for _ in range(2)]
    operations: list[Operation] = [LoadKey(context=0, key=keys[0])]
    for number in range(120):
        context = number // 3 % 2
        if number % 6 == 3:
            keys[1] = rng.randbytes(16)
            operations.append(LoadKey(context=1, key=keys[1]))
        operations.append(packet(rng, keys[context], 5, 60, context=context))
    result = core(name).run(operations, stalls=Stalls(data_idle=0.97), seed=3)
    assert result.clean, [str(failure) for failure in result.failures[:3]]


# Frames of more and of fewer beats than said -----------------------------------------------------

FRAMES: dict[str, tuple[int, str, int | None]] = {
    "as many": (2, "TT", None),
    "as many after AAD": (1, "AT", None),
    "as many, the last cut": (2, "ATt", None),
    "none, of AAD": (0, "AA", None),
    "none, of nothing": (0, ".", None),
    "none, of nothing marked as AAD": (0, ",", None),
    "null beats before and after are not counted": (2, ",TT.", None),
    "null beats after AAD are not counted": (0, "A.", None),
    "a null beat of AAD after AAD": (1, "A,t", None),
    "one too many": (2, "TTT", 2),
    "one too many, cut": (1, "Tt", 1),
    "one too many, and a null beat": (1, "TT.", 1),
    "text though none was said": (0, "T", 0),
    "text after AAD though none was told": (0, "AAt", 2),
    "many too many": (1, "T" * 40, 1),
    "one too few": (3, "TT", 1),
    "one too few, cut": (2, "t", 0),
    "one too few after AAD": (2, "AT", 1),
    "one too few, ended by a null beat": (3, "TT.", 2),
    "one too few, a null beat before": (2, ",t", 1),
    "more than the AES holds too few": (99, "TT", 1),
    "many too few": (1000, "AAt", 2),
    **{f"{said} said, and one": (said, "T", 0) for said in (62, 63, 64, 65, 66, 127, 128, 129)},
    **{f"{said} said, and ten": (said, "T" * 10, 9) for said in (73, 74, 75, 76, 2**31)},
    "a thousand said, and one": (1000, "T", 0),
    "a thousand said, and two": (1000, "TT", 1),
    "as many as can be said, and none": (2**32 - 1, "Aa", 1),
    "as many as can be said, and three": (2**32 - 1, "ATTT.", 4),
    "AAD though text was said": (1, "A", 0),
    "AAD cut though text was said": (1, "Aa", 1),
    "AAD, and a null beat though text was said": (2, "A.", 1),
    "nothing though text was said": (1, ".", 0),
    "nothing, marked as AAD, though text was said": (5, ",", 0),
    "wrong before it is too few": (3, "TAT", 1),
    "wrong before it is too many": (1, "tT", 1),
    "wrong, and as many": (2, "tT", 1),
}
"""Beats of text said; A and T a full beat, a and t one that is cut short, a comma and a full stop a
beat of AAD and of text without a byte; and the first beat that breaks a rule."""


def frame(name: str, size: int, decrypt: bool) -> FramedPacket:
    """With what a core must give: text of the beats before the wrong one, zeros from there on."""
    said, shape, first_bad = FRAMES[name]
    widths = [{"A": size, "T": size, "a": 3, "t": 5}.get(kind, 0) for kind in shape]
    in_text = [kind in "Tt." for kind in shape]
    beats, aad, text, wrong = [], b"", b"", 0
    for number, (width, is_text) in enumerate(zip(widths, in_text, strict=True)):
        data = PATTERN[number : number + size]
        beats.append(Beat(data=data, keep=(1 << width) - 1, text=is_text))
        if first_bad is not None and number >= first_bad:
            wrong += width * is_text
        elif is_text:
            text += data[:width]
        else:
            aad += data[:width]
    out, tag = reference.seal(KEY, IV, text, aad)
    if decrypt:
        tag = reference.seal(KEY, IV, out, aad)[1]
    expect = Expected(text=out + bytes(wrong), tag=None, status=Status.BAD_FRAME)
    if first_bad is None:
        expect = Expected(text=out, tag=None if decrypt else tag, status=Status.OK)
    return FramedPacket(
        context=0, decrypt=decrypt, iv=IV, aad=b"", text=b"", tag=tag if decrypt else None,
        tag_bytes=16, expect=expect, label=name, beats=tuple(beats), said=said,
    )  # fmt: skip


@pytest.mark.parametrize("stalls", ["none", "both", "commands long before", "text long before"])
@pytest.mark.parametrize("name", CORES)
def test_more_and_fewer_beats_than_said_are_a_bad_frame_and_the_packets_behind_are_right(
    name, stalls, core
):
    """Twelve of them follow each, whose key stream may be under way already."""
    lanes = CORES[name].lanes
    operations: list[Operation] = [LoadKey(context=0, key=KEY)]
    for number, what in enumerate(FRAMES):
        for decrypt in (False, True):
            bad = frame(what, 16 * lanes, decrypt)
            if sum(b.keep.bit_count() for b in bad.beats if b.text) > CORES[name].max_text_bytes:
                continue
            later = good_packets(2 * number + decrypt, 12, lanes)
            operations += [bad, *later[:2], bad, bad, *later]
    pace = PACES.get(stalls) or Stalls.named(stalls)
    result = core(name).run(operations, stalls=pace, seed=7)
    assert result.clean, [str(failure) for failure in result.failures[:5]]
    assert result.passed > 900


@pytest.mark.parametrize("name", CORES)
def test_text_that_does_not_come_holds_no_packet_up_longer_than_the_aes(name, core):
    """Key stream is made no further when a packet ends before the text that was said."""
    lanes, config = CORES[name].lanes, CORES[name]
    bad = frame("as many as can be said, and three", 16 * lanes, False)
    operations = [LoadKey(context=0, key=KEY), *[bad, *good_packets(3, 1, lanes)] * 20]
    result = core(name).run(operations, stalls=Stalls.named("none"), seed=1)
    assert result.clean, [str(failure) for failure in result.failures[:5]]
    ends = [answer.tag_cycle for answer in result.answers[::2]]
    longest = max(after - before for before, after in itertools.pairwise(ends))
    assert longest < 4 * config.aes_latency_cycles + 60


def behind_blocked_tags(lanes: int, given: str) -> list[Operation]:
    """Much text said and little given, after a packet of AAD alone, whose J0 is the only block in
    the AES, before a long one that is right."""
    size, rng = 16 * lanes, random.Random(1)
    cut = frame(f"a thousand said, and {given}", size, decrypt=False)
    operations: list[Operation] = [LoadKey(context=0, key=KEY)]
    for number in range(60):
        before, later = good_packets(number, 2, lanes), good_packets(number + 100, 3, lanes)
        operations += [*before, packet(rng, KEY, 40 * size, 0), cut]
        operations += [packet(rng, KEY, 5, 90 * size), *later]
    return operations


@pytest.mark.parametrize("tags,commands", [(0.97, 0.9), (0.995, 0.97)])
@pytest.mark.parametrize("given", ["one", "two"])
@pytest.mark.parametrize("name", ["one lane", "one place", "four lanes", "four lanes, one place"])
def test_key_stream_is_cut_for_its_own_packet_only_and_not_before_its_first_blocks(
    name, given, tags, commands, core
):
    pace = Stalls(tag_wait=tags, command_idle=commands)
    operations = behind_blocked_tags(CORES[name].lanes, given)
    for seed in (1, 2):
        result = core(name).run(operations, stalls=pace, seed=seed, patience_cycles=5_000)
        assert result.clean, [str(failure) for failure in result.failures[:5]]


def test_the_frames_above_are_as_the_reader_of_frames_reads_them():
    """Which is what random traffic is judged by."""
    from gcmforge.sim.frames import frame_answer

    for what in FRAMES:
        for lanes in (1, 3):
            packet = frame(what, 16 * lanes, decrypt=False)
            config = AHEAD.with_settings([f"lanes={lanes}"])
            got = frame_answer(config, packet, KEY, packet.beats, packet.said)
            tag = packet.expect.tag
            assert (got.text, got.status) == (packet.expect.text, packet.expect.status), what
            assert got.tag == tag, what


# A wrong core is noticed --------------------------------------------------------------------------

MUTANTS = {
    "no wrong number of beats": (
        "gcm_said_ahead", "(text_i && !more_q) || (last_i && more_streams_o);", "1'b0;",
    ),
    "too few are good": ("gcm_said_ahead", "|| (last_i && more_streams_o);", ";"),
    "too many are good": ("gcm_said_ahead", "= (text_i && !more_q) ||", "="),
    "J0 with text": ("gcm_closing_ahead", "short_i && !text_i && !more_i", "short_i"),
    "J0 before key stream that is left": (
        "gcm_issue", "in_close && more_streams", "1'b0",
    ),
    "J0 a beat early": ("gcm_ahead", "left_q == 32'd1", "left_q == 32'd2"),
    "null beats counted": (
        "gcm_issue", ".taken_i       (text_passes)", ".taken_i       (fire && data_slot)",
    ),
    "key stream that is not made is waited for": (
        "gcm_said_ahead", "many_q && still_i", "many_q && 1'b0",
    ),
    "a beat too much is cut": (
        "gcm_said_ahead", "+ 6'(!still_i);", "- 6'(still_i);",
    ),
    "cut before its first block": ("gcm_ahead", "busy_q && went_q[Slots-2] &&", "busy_q &&"),
    "cut before its second block": ("gcm_ahead", "went_q[Slots-2]", "went_q[0]"),
    "key stream of another with text that waits": (
        "gcm_middle_ahead", "there_o      = passes_o;", "there_o      = slot_valid;",
    ),
    "cut while it moves": ("gcm_said_ahead", "+ 6'(!still_i);", ";"),
    "a command taken twice": ("gcm_ahead_commands_queue", "some && !taken_q", "some"),
    "key stream a beat early": ("gcm_ahead", "valid_q[AesLatency-2]", "valid_q[AesLatency-3]"),
}  # fmt: skip
"""A module, what stands in it, and what is put in its place."""


CUTS = (
    "key stream that is not made is waited for",
    "a beat too much is cut",
    "cut before its first block",
    "cut before its second block",
    "cut while it moves",
)
"""Those that much text has to be said for."""
NOT_ONE_LANE = {
    "J0 with text": "verified",  # with one lane, there is none
    "cut before its second block": "four lanes, one place",  # where three slots are counted
}
"""Where a mutant shows, when it does not with one lane."""


@pytest.mark.parametrize("mutant", MUTANTS)
def test_verify_notices(mutant, core, tmp_path):
    module, old, new = MUTANTS[mutant]
    folder = tmp_path / "core"
    name = NOT_ONE_LANE.get(mutant, "one lane")
    lanes = CORES[name].lanes
    shutil.copytree(core(name).path, folder)
    file = folder / f"rtl/{module}.sv"
    file.chmod(0o644)
    text = file.read_text()
    assert text.count(old) == 1, f"{module}.sv has changed: {text.count(old)} of {old}"
    file.write_text(text.replace(old, new))
    if mutant in CUTS:
        cut = frame("as many as can be said, and three", 16 * lanes, decrypt=False)
        operations = [LoadKey(context=0, key=KEY), *[cut, *good_packets(4, 2, lanes)] * 300]
        paces = (Stalls(text_wait=0.5), Stalls(data_idle=0.5), PACES["text long before"])
        blocked = Stalls(tag_wait=0.97, command_idle=0.9)
        runs = [(operations, pace, 3) for pace in paces]
        runs += [(behind_blocked_tags(lanes, given), blocked, 1) for given in ("one", "two")]
        assert not all(
            Core(folder).run(what, stalls=pace, seed=seed).clean for what, pace, seed in runs
        )
    else:
        report = verify(folder, packets=1_000, seed=1, stalls="both", allow_changed=True)
        assert not report.ok

# SPDX-License-Identifier: Apache-2.0
"""Random traffic is right, varied and reproducible."""

import random
import re
import time
from collections import Counter
from dataclasses import dataclass

import pytest

from gcmforge import model
from gcmforge.config.presets import preset
from gcmforge.sim import reference
from gcmforge.sim.edges import edge_operations
from gcmforge.sim.frames import BREAKS
from gcmforge.sim.operations import (
    KEY_SIZE_CODE,
    LoadKey,
    Operation,
    Packet,
    Status,
    packets_of,
)
from gcmforge.sim.packing import Beat, FramedPacket
from gcmforge.sim.pairs import pair_operations
from gcmforge.sim.traffic import random_traffic


@dataclass(frozen=True, kw_only=True, slots=True)
class Core:
    """A core's abilities, without a core."""

    lanes: int = 1
    aad_lanes: int = 0
    direction: str = "both"
    key_sizes: tuple[int, ...] = (128, 192, 256)
    contexts: int = 4
    iv: str = "any"
    max_text_bytes: int = 2**36 - 32
    max_aad_bytes: int = 2**32 - 1
    length_first: bool = False
    own_key_unit: bool = False
    key_load_cycles: int = 169
    ahead: bool = False


CORES = [
    Core(),
    Core(lanes=4, contexts=3, key_sizes=(128, 256)),
    Core(lanes=3, contexts=1, key_sizes=(192,), iv="96"),
    Core(lanes=8, contexts=5, iv="96"),
    Core(lanes=2, max_text_bytes=100, max_aad_bytes=64),
    Core(lanes=2, max_text_bytes=64),
    Core(lanes=2, aad_lanes=2),
    Core(lanes=2, iv="96", ahead=True),
    Core(lanes=3, aad_lanes=1, iv="96", ahead=True),
]


def usable(load: LoadKey, core: Core) -> bool:
    code = load.wire_size_code()
    return code in {KEY_SIZE_CODE[bits // 8] for bits in core.key_sizes}


def cut_at_the_limit(packet: Packet, key: bytes, core: Core) -> bytes:
    """The text, beat by beat, zero from the beat that crosses the limit."""
    beat, out = 16 * core.lanes, b""
    whole, _ = model.encrypt(key, packet.iv, packet.text)
    while len(out) < len(whole):
        part = whole[len(out) : len(out) + beat]
        out += part if len(out) + len(part) <= core.max_text_bytes else bytes(len(part))
    return out


FRAME = re.compile("(aF)*(a[P0])?(tF)*(t[P0])?")
"""Sections in order, only their last beats not full; so is every beginning of such a frame."""


def good_beats(beats: tuple[Beat, ...], size: int, said: int | None) -> tuple[Beat, ...]:
    """The beats before the first that no frame can have there, with `said` beats of text if its
    command says how many."""
    shape = ""
    for number, beat in enumerate(beats):
        bits = f"{beat.keep:0{size}b}".lstrip("0")
        kind = "0" if not bits else "H" if "0" in bits else "F" if len(bits) == size else "P"
        section = "t" if beat.text else "a"
        if beat.aad_keep:
            alone = number == 0 and (beat.text or kind == "0")
            kind = kind if alone and "0" not in f"{beat.aad_keep:b}" else "H"
            section = "t"
        shape += section + kind
        too_many = said is not None and texts_in(beats[: number + 1]) > said
        if too_many or not FRAME.fullmatch(shape):
            return beats[:number]
    short = said is not None and texts_in(beats) < said
    return beats[:-1] if short else beats


def texts_in(beats: tuple[Beat, ...]) -> int:
    return sum(beat.text and beat.keep > 0 for beat in beats)


def in_beats(beats: tuple[Beat, ...], *, text: bool) -> bytes:
    parts = [b.data[: b.keep.bit_count()] for b in beats if b.text == text]
    aside = [] if text else [b.aad[: b.aad_keep.bit_count()] for b in beats]
    return b"".join(aside + parts)


def framed_answer(
    packet: FramedPacket, key: bytes | None, core: Core
) -> tuple[bytes, object, Status]:
    """As `model_answer`; zeros of the beats after the first bad one are not told apart."""
    good = good_beats(packet.beats, 16 * core.lanes, packet.said_beats if core.ahead else None)
    aad, text = in_beats(good, text=False), in_beats(good, text=True)
    whole = Packet(
        context=packet.context, decrypt=packet.decrypt, iv=packet.iv, aad=aad, text=text,
        tag=packet.tag, tag_bytes=packet.tag_bytes, expect=packet.expect, label=packet.label,
    )  # fmt: skip
    shown, tag, status = model_answer(whole, key, core)
    if len(good) == len(packet.beats):
        return shown, tag, status
    refused = (Status.NO_KEY, Status.BAD_IV, Status.BAD_TAG_LENGTH)
    return shown, None, status if status in refused else Status.BAD_FRAME


def model_answer(packet: Packet, key: bytes | None, core: Core) -> tuple[bytes, object, Status]:
    """What the specification says, read independently of how the traffic was made."""
    zeros = bytes(len(packet.text))
    if key is None:
        return zeros, None, Status.NO_KEY
    if not packet.iv or (core.iv == "96" and len(packet.iv) != 12):
        return zeros, None, Status.BAD_IV
    if packet.tag_bytes not in model.TAG_BYTES:
        return zeros, None, Status.BAD_TAG_LENGTH
    if len(packet.aad) > core.max_aad_bytes:
        return zeros, None, Status.TOO_LONG
    if len(packet.text) > core.max_text_bytes:
        return cut_at_the_limit(packet, key, core), None, Status.TOO_LONG
    if not packet.decrypt:
        text, tag = model.encrypt(
            key, packet.iv, packet.text, packet.aad, tag_bytes=packet.tag_bytes
        )
        return text, tag, Status.OK
    assert packet.tag is not None and len(packet.tag) == packet.tag_bytes
    good = model.decrypt(key, packet.iv, packet.text, packet.aad, tag=packet.tag) is not None
    text, _ = model.encrypt(key, packet.iv, packet.text)  # GCTR is its own inverse
    return text, None, Status.OK if good else Status.AUTH_FAIL


@pytest.mark.slow
@pytest.mark.parametrize("core", CORES, ids=str)
def test_every_expectation_agrees_with_the_model(core: Core) -> None:
    seed = 11
    keys: dict[int, bytes | None] = {}
    for operation in random_traffic(core, packets=300, seed=seed):
        if isinstance(operation, LoadKey):
            exists = 0 <= operation.context < core.contexts
            keys[operation.context] = operation.key if exists and usable(operation, core) else None
        else:
            expect, key = operation.expect, keys.get(operation.context)
            if isinstance(operation, FramedPacket):
                text, tag, status = framed_answer(operation, key, core)
                shown = expect.text.ljust(len(text), b"\0")
                assert shown.startswith(text) and not any(shown[len(text) :]), operation.label
                assert (expect.tag, expect.status) == (tag, status), operation.label
                assert len(expect.text) >= len(in_beats(operation.beats, text=True))
                continue
            got = (expect.text, expect.tag, expect.status)
            assert got == model_answer(operation, key, core), operation.label


@pytest.mark.parametrize("core", CORES, ids=str)
def test_the_same_seed_makes_the_same_traffic(core: Core) -> None:
    first = random_traffic(core, packets=300, seed=5)
    assert random_traffic(core, packets=300, seed=5) == first
    assert random_traffic(core, packets=300, seed=6) != first
    assert len(packets_of(first)) == 300


@pytest.fixture(scope="module")
def traffic() -> list[Operation]:
    return random_traffic(Core(lanes=4), packets=5_000, seed=1)


def test_lengths_lie_around_blocks_and_beats(traffic: list[Operation]) -> None:
    beat = 64
    edges = {0, 1, 15, 16, 17, beat - 1, beat, beat + 1, 2 * beat - 1, 2 * beat, 4 * beat + 1}
    packets = packets_of(traffic)
    assert edges <= {len(p.text) for p in packets}
    assert edges <= {len(p.aad) for p in packets}
    assert sum(not p.text and not p.aad for p in packets) > 50
    assert sum(bool(p.aad) and not p.text for p in packets) > 300
    assert max(len(p.text) for p in packets) > 16 * beat


def test_both_directions_all_tag_lengths_and_all_key_sizes_occur(
    traffic: list[Operation],
) -> None:
    packets = packets_of(traffic)
    assert 0.45 < sum(p.decrypt for p in packets) / len(packets) < 0.6
    good = Counter((p.decrypt, p.tag_bytes) for p in packets if p.expect.status is Status.OK)
    assert set(good) == {(d, n) for d in (False, True) for n in model.TAG_BYTES}
    sizes = Counter(len(op.key) for op in traffic if isinstance(op, LoadKey))
    assert set(sizes) == {16, 24, 32} and min(sizes.values()) > 50
    assert {len(p.iv) for p in packets} >= {0, 1, 8, 11, 12, 13, 16, 17, 60, 128, 256}


def test_keys_change_on_contexts_in_use(traffic: list[Operation]) -> None:
    used: set[int] = set()
    changed = 0
    for operation in traffic:
        if isinstance(operation, LoadKey):
            changed += operation.context in used
        else:
            used.add(operation.context)
    assert changed > 200


@pytest.mark.slow
@pytest.mark.parametrize("slow", [{"key_load_cycles": 1_001}, {"own_key_unit": True}])
def test_keys_change_seldom_where_a_load_takes_long(slow: dict[str, int]) -> None:
    loads = [
        sum(isinstance(one, LoadKey) for one in random_traffic(core, packets=2_000, seed=1))
        for core in (Core(), Core(**slow), Core(key_load_cycles=1_000))
    ]
    assert loads[1] < loads[0] / 2 and loads[2] == loads[0]


def test_a_share_of_the_packets_is_forged_and_some_are_refused(traffic: list[Operation]) -> None:
    packets = packets_of(traffic)
    statuses = Counter(p.expect.status for p in packets)
    assert 0.05 < statuses[Status.AUTH_FAIL] / len(packets) < 0.10
    assert min(statuses[s] for s in (Status.NO_KEY, Status.BAD_IV, Status.BAD_TAG_LENGTH)) > 10
    forged = [p.label for p in packets if "forged" in p.label]
    for part in ("tag", "ciphertext", "AAD", "IV"):
        assert any(f"of the {part} flipped" in label for label in forged)


def test_frames_break_the_rules_in_every_way_and_some_only_nearly() -> None:
    framed = [
        packet
        for packet in packets_of(random_traffic(Core(aad_lanes=1), packets=8_000, seed=1))
        if isinstance(packet, FramedPacket)
    ]
    assert 0.02 < len(framed) / 8_000 < 0.05
    labels = " ".join(packet.label for packet in framed)
    assert all(name in labels for name in BREAKS)
    statuses = Counter(packet.expect.status for packet in framed)
    assert statuses[Status.BAD_FRAME] > len(framed) / 2
    assert min(statuses[Status.OK], statuses[Status.AUTH_FAIL]) > 10
    assert any(p.expect.text.rstrip(b"\0") for p in framed if p.expect.status is Status.BAD_FRAME)


def test_commands_say_too_many_beats_of_text_and_too_few_and_mostly_what_there_are() -> None:
    core = Core(lanes=2, iv="96", ahead=True)
    framed = [
        packet
        for packet in packets_of(random_traffic(core, packets=8_000, seed=1))
        if isinstance(packet, FramedPacket)
    ]
    more = Counter(packet.said_beats - texts_in(packet.beats) for packet in framed)
    assert sum(more[n] for n in more if n > 0) > 20 and sum(more[n] for n in more if n < 0) > 20
    assert more[0] > len(framed) / 3
    plain = packets_of(random_traffic(Core(), packets=2_000, seed=1))
    assert all(p.said is None for p in plain if isinstance(p, FramedPacket))


def test_reasons_for_a_refusal_follow_the_core() -> None:
    small = Core(contexts=3, key_sizes=(128,), iv="96", max_text_bytes=256, max_aad_bytes=256)
    labels = "\n".join(p.label for p in packets_of(random_traffic(small, packets=5_000, seed=2)))
    for reason in (
        "context does not exist",
        "context holds no key",
        "key size code 3",
        "AES-192 not built",
        "AES-256 not built",
        "IV of 0 bytes",
        "IV of (11|13) bytes",
        "IV of (1[6-9]|[2-9][0-9]|1..|2..) bytes",
        "tag of [0-9] bytes",
        "tag of (1[7-9]|2.|3.) bytes",
        "text [0-9]+ bytes too long",
        "AAD [0-9]+ bytes too long",
    ):
        assert re.search(reason, labels), reason


def test_contexts_are_also_used_before_they_ever_held_a_key() -> None:
    early = 0
    for seed in range(10):
        loaded: set[int] = set()
        for operation in random_traffic(Core(), packets=50, seed=seed):
            if isinstance(operation, LoadKey):
                loaded.add(operation.context)
            elif operation.context not in loaded:
                assert operation.expect.status is Status.NO_KEY
                early += 1
    assert early >= 5


def test_some_counters_wrap_within_their_packet(traffic: list[Operation]) -> None:
    keys: dict[int, bytes] = {}
    wrapped = 0
    for operation in traffic:
        if isinstance(operation, LoadKey):
            keys[operation.context] = operation.key
        elif len(operation.iv) == 16 and operation.expect.status is Status.OK:
            h = model.encrypt_block(model.key_expansion(keys[operation.context]), 0)
            first = model.initial_counter(h, operation.iv) % 2**32
            wrapped += first + (len(operation.text) + 15) // 16 >= 2**32
    assert wrapped >= 5


def test_a_label_names_packet_and_seed(traffic: list[Operation]) -> None:
    labels = [p.label for p in packets_of(traffic)]
    assert labels[17].startswith("random packet 17 of seed 1, ")
    assert len(set(labels)) == len(labels)


@pytest.mark.slow
def test_ten_thousand_packets_take_a_few_seconds_at_most() -> None:
    start = time.process_time()
    random_traffic(Core(), packets=10_000, seed=3)
    assert time.process_time() - start < 5


# The reference itself --------------------------------------------------------------------------


@pytest.mark.parametrize("iv_bytes", [1, 2, 7, 8, 11, 12, 13, 128, 129, 144, 500])
def test_the_reference_agrees_with_the_model_on_every_kind_of_iv(iv_bytes: int) -> None:
    rng = random.Random(iv_bytes)
    for key_bytes in (16, 24, 32):
        key, iv = rng.randbytes(key_bytes), rng.randbytes(iv_bytes)
        aad, text = rng.randbytes(rng.randint(0, 40)), rng.randbytes(rng.randint(0, 70))
        sealed = reference.seal(key, iv, text, aad)
        assert sealed == model.encrypt(key, iv, text, aad)
        assert reference.open_unchecked(key, iv, sealed[0]) == text


@pytest.mark.parametrize("back", [0, 1, 2, 5])
def test_the_reference_wraps_the_counter_as_gcm_does(back: int) -> None:
    """Its road for unusual IVs, against OpenSSL's own GCM on a 16-byte IV."""
    key, text = bytes(range(32)), bytes(range(100))
    h = model.encrypt_block(model.key_expansion(key), 0)
    j0 = 0xABCDEF << 104 | (2**32 - 1 - back)
    by_parts = reference._gctr(key, j0.to_bytes(16, "big"), text)
    assert by_parts == reference.seal(key, model.iv_for_counter(h, j0), text)[0]


def test_the_reference_refuses_an_empty_iv() -> None:
    with pytest.raises(ValueError, match="nothing for an empty IV"):
        reference.seal(bytes(16), b"", b"")


@pytest.mark.parametrize("name", ["micro", "nano", "small"])
def test_arranged_packets_keep_to_the_shortest_limits(name: str) -> None:
    config = preset(name).with_settings(["max_text_bytes=16", "max_aad_bytes=16"])
    packets = [*packets_of(pair_operations(config)), *packets_of(edge_operations(config))]
    taken = [packet for packet in packets if packet.expect.status is Status.OK]
    assert len(taken) > 100
    assert max(len(packet.text) for packet in taken) == 16
    assert max(len(packet.aad) for packet in taken) == 16

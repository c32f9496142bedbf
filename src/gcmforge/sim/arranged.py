# SPDX-License-Identifier: Apache-2.0
"""What chance meets too rarely as it needs several streams at once, or a long packet: arranged, and
always the same.

A key comes in the same cycle as a packet's command, and a packet is encrypted while the next key of
its context is on offer and cannot be taken. Words of long IVs come with pauses. Texts end with a
beat without a byte. Where key stream is made before the text, a packet has more beats than 16 bits
count, and packets end long before they said, while the packet before them waits for its reader.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from gcmforge.config import CoreConfig
from gcmforge.sim.dice import Traffic
from gcmforge.sim.directions import decrypts, takes
from gcmforge.sim.frames import frame_answer, frame_of, framed
from gcmforge.sim.operations import LoadKey, Operation, Packet, Status
from gcmforge.sim.packing import Beat
from gcmforge.sim.reference import refusal
from gcmforge.sim.stalls import Stalls
from gcmforge.sim.traffic import crossing_packet, good_packet, load_key, sealed_lengths

SEED = 41_000
SHORTEST_TIMEOUT = 64
"""With a shorter one data cannot be held back for what is arranged with a key."""
CARRY_BLOCKS = 254
"""Blocks of text after which the counter's upper part is not J0's."""
WIDE_BEATS = 2**16 + 3
_KEYS, _ENDS = 4, 120
_WORDS = (17, 32, 33, 48, 49, 64, 65, 100, 160)
"""Lengths of IVs, of two words and more."""


def arranged_rounds(config: CoreConfig) -> Iterator[tuple[str, Sequence[Operation], Stalls]]:
    """Names, operations, how streams pause; what a core cannot meet is left out."""
    for name, operations, stalls in (
        ("key with a command", key_with_a_command(config, 12), Stalls()),
        ("key with a long command", key_with_a_command(config, _WORDS[-1]), Stalls()),
        ("key on offer amid packets", key_on_offer(config), Stalls()),
        ("words of IVs, pauses", words_of_ivs(config), Stalls(command_idle=0.8)),
        ("long texts, ends without a byte", ends_without_a_byte(config), Stalls()),
        ("short texts, ends without a byte", short_texts(config), Stalls(text_wait=0.97)),
        ("more beats than 16 bits", wide(config), Stalls()),
        (
            "early ends, slow tags", early_ends(config),
            Stalls(tag_wait=0.995, command_idle=0.99),
        ),
    ):  # fmt: skip
        if operations:
            yield name, operations, stalls


def key_with_a_command(config: CoreConfig, iv_bytes: int) -> list[Operation]:
    """After the reset, where both ports are ready in the same cycle: the packet is before the key,
    and the one after it waits for the key, also while words of the first one's IV still come.
    Nothing on a core of its own, see below."""
    several = iv_bytes > 16 and not _has_words(config)
    if config.architecture or several:
        return []
    traffic = _traffic(config)
    packet = _packet(traffic, 0, decrypt=True, iv_bytes=iv_bytes)
    refused = replace(packet, expect=refusal(packet.text, Status.NO_KEY))
    traffic.operations = [refused]
    _offer_key(traffic, 0)
    traffic.operations.append(_packet(traffic, 0, decrypt=True))
    return traffic.operations


def _has_words(config: CoreConfig) -> bool:
    """Whether commands may have more than one word: where they have IVs."""
    return config.iv != "counter" or takes(config, decrypt=True)


def offers_keys_amid_packets(config: CoreConfig) -> bool:
    """Whether a key may be on offer, and not taken, while a packet of its context begins: the key
    of another context waits for a packet whose data is held back. A core of its own takes a key
    after the data of the packets before it, so there a sender must not wait for the key first."""
    if config.architecture or config.contexts == 1:
        return False
    return not 0 < config.timeout < SHORTEST_TIMEOUT


def key_on_offer(config: CoreConfig) -> list[Operation]:
    """Context 1 has a packet without its data, so its next key is taken and waits; the next key of
    context 0 is on offer, and waits for that one. Only then a packet of context 0 begins, and then
    the data comes."""
    if not offers_keys_amid_packets(config):
        return []
    traffic = _traffic(config)
    load_key(traffic, 1)
    for _ in range(_KEYS):
        traffic.operations += [_packet(traffic, 0), replace(_packet(traffic, 1), held=1)]
        load_key(traffic, 1)
        traffic.operations.append(replace(_packet(traffic, 0), after_key=True))
        _offer_key(traffic, 0)
    traffic.operations += [_packet(traffic, 0), _packet(traffic, 1)]
    return traffic.operations


def words_of_ivs(config: CoreConfig) -> list[Operation]:
    """IVs of several words, taken or refused, where commands have more than one word."""
    if not _has_words(config):
        return []
    traffic = _traffic(config)
    for iv_bytes in _WORDS:
        packet = _packet(traffic, 0, decrypt=config.iv == "counter", iv_bytes=iv_bytes)
        if config.iv != "any":
            packet = replace(packet, expect=refusal(packet.text, Status.BAD_IV))
        traffic.operations += [packet, _packet(traffic, 0)]
    return traffic.operations


def has_ends_without_a_byte(config: CoreConfig) -> bool:
    """Whether texts may be long enough for that."""
    return 16 * config.lanes * -(-CARRY_BLOCKS // config.lanes) <= config.max_text_bytes


def ends_without_a_byte(config: CoreConfig) -> list[Operation]:
    """Texts after which the counter has carried, and after each a beat without a byte."""
    if not has_ends_without_a_byte(config):
        return []
    beats = -(-CARRY_BLOCKS // config.lanes)
    traffic = _traffic(config)
    for count in (beats, beats + 1):
        if 16 * config.lanes * count <= config.max_text_bytes:
            _end_without_a_byte(traffic, count)
    return traffic.operations


def short_texts(config: CoreConfig) -> list[Operation]:
    """Texts of a beat, each before a beat without a byte, so that what ends a packet waits for a
    place of the text before it."""
    traffic = _traffic(config)
    if 16 * config.lanes <= config.max_text_bytes:
        for _ in range(_ENDS):
            _end_without_a_byte(traffic, 1)
    return traffic.operations


def _end_without_a_byte(traffic: Traffic, count: int) -> None:
    """A packet of so many full beats, and one without a byte after these."""
    config = traffic.core
    packet = _packet(traffic, 0, text_bytes=16 * config.lanes * count)
    given = [*frame_of(traffic.rng, config, packet), Beat(data=b"", keep=0, text=True)]
    expect = frame_answer(config, packet, traffic.keys[0], given)
    what = "a beat without a byte after a text"
    traffic.operations.append(framed(packet, given, expect, f"frame: {what}"))


def wide(config: CoreConfig) -> list[Operation]:
    """On a core whose commands say beats of text: a packet with more than 2^16 of them, longer than
    the core takes it or not."""
    if not config.ahead:
        return []
    traffic = _traffic(config)
    size = 16 * config.lanes * WIDE_BEATS - 5
    if size <= config.max_text_bytes:
        traffic.operations.append(_packet(traffic, 0, text_bytes=size))
    else:
        over = size - config.max_text_bytes
        traffic.operations.append(crossing_packet(traffic, 0, 0, in_text=True, over=over))
    traffic.operations.append(_packet(traffic, 0))
    return traffic.operations


def early_ends(config: CoreConfig) -> list[Operation]:
    """On such a core: packets that end after a beat where many were said, each after one without
    text, whose data comes after the next command. So E(K, J0) is at the AES's end, and no key
    stream of the short one is made, when its beat comes while the end before it waits for a
    place."""
    if not config.ahead:
        return []
    traffic = _traffic(config)
    beat = 16 * config.lanes
    for _ in range(_ENDS):
        packet = replace(_packet(traffic, 0, aad_bytes=beat + 1, text_bytes=0), held=1)
        short = _packet(traffic, 0, text_bytes=beat)
        beats = frame_of(traffic.rng, config, short)
        said = 1 + (1 << traffic.rng.randint(7, 10))
        expect = frame_answer(config, short, traffic.keys[0], beats, said)
        what = f"frame: {said} beats of text said"
        traffic.operations += [packet, framed(short, beats, expect, what, said=said)]
    return traffic.operations


def _offer_key(traffic: Traffic, context: int) -> None:
    """A new key, on offer before the last packet of its context has been taken."""
    load_key(traffic, context)
    load = traffic.operations[-1]
    assert isinstance(load, LoadKey)
    traffic.operations[-1] = replace(load, early=1)


def _traffic(config: CoreConfig) -> Traffic:
    traffic = Traffic(core=config, seed=SEED, rng=Random(SEED))
    load_key(traffic, 0)
    return traffic


def _packet(
    traffic: Traffic,
    context: int,
    *,
    decrypt: bool = False,
    iv_bytes: int = 12,
    aad_bytes: int = 0,
    text_bytes: int = 20,
) -> Packet:
    config = traffic.core
    sealed = sealed_lengths(
        traffic, traffic.keys[context], aad_bytes=min(aad_bytes, config.max_aad_bytes),
        text_bytes=min(text_bytes, config.max_text_bytes), iv=traffic.rng.randbytes(iv_bytes),
    )  # fmt: skip
    decrypt = decrypts(config, decrypt)
    return good_packet(traffic, len(traffic.operations), context, sealed, 16, decrypt=decrypt)

# SPDX-License-Identifier: Apache-2.0
"""Whole cores with a profile, on the published vectors of its standard; and what the vectors do not
reach: salts that change, broken frames, forgeries."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

import ipsec_vectors
import macsec_vectors
import pytest
import tls13_vectors
from bench import Bench, Sink, Source, at_random, play
from core_bench import compiled
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from gcmforge.config import ConfigError, CoreConfig
from gcmforge.emit import build_core
from gcmforge.sim.operations import KEY_SIZE_CODE, Status

BASE = CoreConfig(
    contexts=3,
    aes="loop",
    sbox="table",
    multiplier="ko2",
    ghash="serial",
    key_schedule="travelling",
)
CORES = {
    "macsec": BASE.with_settings(["profile=macsec"]),
    "macsec, AAD with text": BASE.with_settings(
        ["profile=macsec", "lanes=2", "ghash=dot", "aad_lanes=2", "key_sizes=128,256", "iv=96"]
    ),
    "ipsec": BASE.with_settings(["profile=ipsec"]),
    "ipsec, AAD with text": BASE.with_settings(
        ["profile=ipsec", "lanes=2", "ghash=dot", "aad_lanes=1"]
    ),
    "tls13": BASE.with_settings(["profile=tls13"]),
}
PAUSES = (0.0, 0.4)
cores_of = {
    protocol: [name for name in CORES if name.startswith(protocol)]
    for protocol in ("macsec", "ipsec", "tls13")
}


def le(data: bytes) -> int:
    """Bytes as the number on a port: byte 0 in bits 7..0."""
    return int.from_bytes(data, "little")


@dataclass(kw_only=True)
class Packet:
    """What is sent on the ports, and what the core must answer: text, tag, status."""

    name: str
    key: bytes
    key_fields: dict[str, int]
    fields: dict[str, int]
    aad: bytes = b""
    text: bytes = b""
    tag: bytes | None = None
    """The tag to check; None when encrypting."""
    tag_bytes: int | None = None
    expect: tuple[bytes, bytes, int] = field(default=(b"", b"", 0))
    beats: list[tuple[bytes, int, int]] | None = None
    """(data, keep, section) of each beat, where they are not as they should be."""


# Vectors ------------------------------------------------------------------------------------------


def both_ways(packet: Packet, plain: bytes, sealed: bytes, icv: bytes) -> list[Packet]:
    """It and its reverse, and the reverse with a bit of the tag flipped."""
    common = {name: getattr(packet, name) for name in ("key", "key_fields", "fields", "aad")}
    size = packet.tag_bytes
    forged = bytes([icv[0] ^ 1]) + icv[1:]
    return [
        Packet(**common, name=f"{packet.name}, sealed", text=plain, tag_bytes=size,
               expect=(sealed, icv, Status.OK)),
        Packet(**common, name=f"{packet.name}, opened", text=sealed, tag=icv, tag_bytes=size,
               expect=(plain, b"", Status.OK)),
        Packet(**common, name=f"{packet.name}, forged", text=sealed, tag=forged, tag_bytes=size,
               expect=(plain, b"", Status.AUTH_FAIL)),
    ]  # fmt: skip


def macsec_iv(frame: macsec_vectors.Frame, xpn: bool) -> bytes:
    """802.1AE-2018, 14.5 and 14.7."""
    if not xpn:
        return frame.sci + frame.pn.to_bytes(4, "big")
    number = macsec_vectors.XPN_PN_HIGH << 32 | frame.pn
    nonce = macsec_vectors.XPN_SSCI.to_bytes(4, "big") + number.to_bytes(8, "big")
    return bytes(a ^ b for a, b in zip(nonce, macsec_vectors.XPN_SALT, strict=True))


def macsec_fields(frame: macsec_vectors.Frame, xpn: bool) -> dict[str, int]:
    high = macsec_vectors.XPN_PN_HIGH if xpn else 0xFFFFFFFF  # is not looked at then
    return {
        "destination": le(frame.destination), "source": le(frame.source),
        "tci_an": frame.tci_an, "sl": frame.sl, "pn": high << 32 | frame.pn,
        "sci": le(frame.sci), "ssci": macsec_vectors.XPN_SSCI,
    }  # fmt: skip


def macsec_packets() -> list[Packet]:
    made = []
    for frame in macsec_vectors.FRAMES:
        for (size, xpn), icv in frame.icv.items():
            packet = Packet(
                name=f"{frame.name}, {'XPN-' * xpn}{8 * size}",
                key=frame.keys[size],
                key_fields={"salt": le(macsec_vectors.XPN_SALT), "xpn": int(xpn)},
                fields=macsec_fields(frame, xpn),
                aad=b"" if frame.encrypted else frame.user_data,
            )
            plain = frame.user_data if frame.encrypted else b""
            made += both_ways(packet, plain, frame.secure.get((size, xpn), b""), icv)
    return made


def ipsec_packets() -> list[Packet]:
    """With the ICV of 16 bytes that the test cases have, and its first 12 and 8 (RFC 4106)."""
    made = []
    for number, vector in enumerate(ipsec_vectors.PACKETS):
        size = (16, 12, 8)[number % 3]
        upper = 0 if vector.extended else 0xFFFFFFFF << 32  # is not looked at then
        packet = Packet(
            name=f"case {number}",
            key=vector.key,
            key_fields={"salt": le(vector.salt), "esn": int(vector.extended)},
            fields={
                "spi": vector.spi, "sequence": upper | vector.sequence,
                "explicit_iv": le(vector.iv),
            },
            tag_bytes=size,
        )  # fmt: skip
        sealed, icv = vector.sealed[:-16], vector.sealed[-16:][:size]
        made += both_ways(packet, vector.plaintext, sealed, icv)
    return made


def tls13_packets() -> list[Packet]:
    made = []
    for record in tls13_vectors.RECORDS:
        packet = Packet(
            name=record.name,
            key=record.key,
            key_fields={"iv": le(record.iv)},
            fields={"sequence": record.sequence, "length": len(record.sealed) - 5},
        )
        made += both_ways(packet, record.inner, record.sealed[5:-16], record.sealed[-16:])
    return made


PACKETS: dict[str, Callable[[], list[Packet]]] = {
    "macsec": macsec_packets, "ipsec": ipsec_packets, "tls13": tls13_packets
}  # fmt: skip


def test_macsec_vectors_are_what_cryptography_computes():
    seen = 0
    for frame in macsec_vectors.FRAMES:
        header = frame.destination + frame.source + frame.sectag
        for (size, xpn), icv in frame.icv.items():
            plain, aad = frame.user_data, header
            if not frame.encrypted:
                plain, aad = b"", header + frame.user_data
            sealed = AESGCM(frame.keys[size]).encrypt(macsec_iv(frame, xpn), plain, aad)
            assert sealed == frame.secure.get((size, xpn), b"") + icv, frame.name
            seen += 1
    assert seen == 32


def test_ipsec_vectors_are_what_cryptography_computes():
    for vector in ipsec_vectors.PACKETS:
        nonce = vector.salt + vector.iv
        assert AESGCM(vector.key).encrypt(nonce, vector.plaintext, vector.aad) == vector.sealed
    assert len(ipsec_vectors.PACKETS) == 16
    assert {len(vector.key) for vector in ipsec_vectors.PACKETS} == {16, 24, 32}
    assert {vector.extended for vector in ipsec_vectors.PACKETS} == {False, True}


def test_tls13_records_open_with_the_keys_that_the_rfc_prints():
    for record in tls13_vectors.RECORDS:
        sequence = record.sequence.to_bytes(12, "big")
        nonce = bytes(a ^ b for a, b in zip(record.iv, sequence, strict=True))
        inner = AESGCM(record.key).decrypt(nonce, record.sealed[5:], record.header)
        assert inner == record.inner


# Cores --------------------------------------------------------------------------------------------


class Line:
    """A running core and its five streams."""

    def __init__(self, config, library, *, pause=0.0, seed=1):
        self.config, self.rng = config, random.Random(seed)
        bench = self.bench = Bench(library, clock="aclk", reset="aresetn", reset_level=0)
        self.beat = 16 * config.lanes
        self.keys: list[dict[str, int]] = []
        self.commands: list[dict[str, int]] = []
        self.beats: list[dict[str, int]] = []
        self.key, self.command, self.data = (
            Source(bench, f"{name}_tvalid", f"{name}_tready", words, idle=at_random(seed, pause))
            for name, words in (
                ("s_key", self.keys), ("s_cmd", self.commands), ("s_axis", self.beats)
            )
        )  # fmt: skip
        self.text, self.tag = (
            Sink(bench, f"{name}_tvalid", f"{name}_tready", [f"{name}_{part}" for part in parts],
                 wait=at_random(seed, pause))
            for name, parts in (("m_axis", ("tdata", "tkeep", "tlast")),
                                ("m_tag", ("tag", "ok", "status")))
        )  # fmt: skip

    def load(self, context: int, key: bytes, fields: dict[str, int]) -> None:
        size = KEY_SIZE_CODE[len(key)]
        word = {"tdata": le(key), "size": size, "context": context, **fields}
        self.keys.append({f"s_key_{name}": value for name, value in word.items()})

    def send(self, context: int, packet: Packet) -> None:
        word = {
            "context": context, "decrypt": int(packet.tag is not None),
            "tag": le(packet.tag or b""), **packet.fields,
        }  # fmt: skip
        if packet.tag_bytes is not None:
            word["tag_bytes"] = packet.tag_bytes
        self.commands.append({f"s_cmd_{name}": value for name, value in word.items()})
        names = ("s_axis_tdata", "s_axis_tkeep", "s_axis_tuser", "s_axis_tlast")
        beats = packet.beats or self.sections(packet)
        for number, (data, keep, user) in enumerate(beats):
            last = int(number == len(beats) - 1)
            self.beats.append(dict(zip(names, (le(data), keep, user, last), strict=True)))

    def sections(self, packet: Packet) -> list[tuple[bytes, int, int]]:
        made = [
            (data[at : at + self.beat], (1 << len(data[at : at + self.beat])) - 1, user)
            for user, data in ((0, packet.aad), (1, packet.text))
            for at in range(0, len(data), self.beat)
        ]
        return made or [(b"", 0, self.rng.getrandbits(1))]

    def until(self, done: Callable[[], bool]) -> None:
        streams = [self.key, self.command, self.data, self.text, self.tag]
        play(self.bench, streams, done, limit=40_000)

    def keys_in_place(self) -> None:
        self.until(lambda: self.key.done)
        self.until(lambda: bool(self.bench.get("s_key_tready")))

    def frames(self) -> list[bytes]:
        """Texts that came out, one a frame."""
        made, part = [], b""
        for data, keep, last in self.text.got:
            part += data.to_bytes(self.beat, "little")[: keep.bit_count()]
            if last:
                made, part = [*made, part], b""
        return made

    def check(self, packets: list[Packet]) -> None:
        """Everything is through; then compare it, packet by packet."""
        self.until(lambda: len(self.tag.got) == len(packets))
        for _ in range(30):
            self.until(iter([False, True]).__next__)
        assert self.frames() == [packet.expect[0] for packet in packets if packet.expect[0]]
        for packet, (tag, ok, status) in zip(packets, self.tag.got, strict=True):
            _, expected, expected_status = packet.expect
            assert (status, ok) == (expected_status, int(status == 0)), packet.name
            assert tag == le(expected), packet.name


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """Compiled cores by name, made when first asked for."""
    folder, made = tmp_path_factory.mktemp("profiles"), {}

    def get(name):
        if name not in made:
            core = build_core(CORES[name], folder / name, prove=False)
            made[name] = compiled(core, CORES[name].top)
        return made[name]

    return get


def some_cores(*protocols: str):
    """Parameters: every core of those profiles; the ones with several lanes are slow to compile."""
    return [
        pytest.param(name, marks=pytest.mark.slow)
        for protocol in protocols
        for name in cores_of[protocol]
    ]


@pytest.mark.parametrize("pause", PAUSES)
@pytest.mark.parametrize("name", some_cores("macsec", "ipsec", "tls13"))
def test_published_vectors_in_both_directions(library, name, pause):
    """Each with its own key load, packets of the three contexts one after the other."""
    line = Line(CORES[name], library(name), pause=pause)
    packets = [
        packet
        for packet in PACKETS[CORES[name].profile]()
        if 8 * len(packet.key) in CORES[name].key_sizes
    ]
    assert len(packets) >= 12
    for at in range(0, len(packets), 3):
        for context, packet in enumerate(packets[at : at + 3]):
            line.load(context, packet.key, packet.key_fields)
        line.keys_in_place()
        for context, packet in enumerate(packets[at : at + 3]):
            line.send(context, packet)
        line.until(lambda: line.command.done)
    line.check(packets)


@pytest.mark.parametrize("name", some_cores("macsec", "ipsec"))
def test_a_command_uses_the_salt_of_the_key_that_it_uses(library, name):
    """Keys with their salts and commands race; the cycles of their handshakes decide."""
    config, rng = CORES[name], random.Random(7)
    line = Line(config, library(name), pause=0.3, seed=8)
    vectors = PACKETS[config.profile]()[::3]
    salts = 12 if config.profile == "macsec" else 4
    kind = "xpn" if config.profile == "macsec" else "esn"
    loads, packets, used = [], [], []

    def load(context):
        loads.append((context, rng.randbytes(16), rng.randbytes(salts)))
        line.load(context, loads[-1][1], {"salt": le(loads[-1][2]), kind: 1})

    for context in range(config.contexts):
        load(context)
    line.keys_in_place()
    for number in range(40):
        if number % 3 == 0:
            load(rng.randrange(config.contexts))
        packet = rng.choice(vectors)
        packets.append(
            Packet(
                name=f"packet {number}", key=b"", key_fields={}, aad=packet.aad,
                fields=packet.fields, text=packet.text, tag_bytes=packet.tag_bytes,
            )
        )  # fmt: skip
        used.append(rng.randrange(config.contexts))
        line.send(used[-1], packets[-1])
        pauses = iter([*[False] * rng.randrange(120), True])
        line.until(lambda pauses=pauses: next(pauses))
    line.until(lambda: line.command.done and line.key.done)
    for packet, context, cycle in zip(packets, used, line.command.sent, strict=True):
        _, key, salt = [
            loaded
            for loaded, at in zip(loads, line.key.sent, strict=True)
            if at < cycle and loaded[0] == context
        ][-1]
        iv, aad = nonce_and_aad(config.profile, packet, salt)
        sealed = AESGCM(key).encrypt(iv, packet.text, aad + packet.aad)
        size = packet.tag_bytes or 16
        packet.expect = (sealed[:-16], sealed[-16:][:size], Status.OK)
    line.check(packets)


def nonce_and_aad(profile: str, packet: Packet, salt: bytes) -> tuple[bytes, bytes]:
    """Of a packet with XPN or ESN."""
    fields = packet.fields
    if profile == "ipsec":
        aad = fields["spi"].to_bytes(4, "big") + fields["sequence"].to_bytes(8, "big")
        return salt + fields["explicit_iv"].to_bytes(8, "little"), aad
    number = fields["pn"].to_bytes(8, "big")
    nonce = fields["ssci"].to_bytes(4, "big") + number
    header = fields["destination"].to_bytes(6, "little") + fields["source"].to_bytes(6, "little")
    header += b"\x88\xe5" + bytes([fields["tci_an"], fields["sl"]]) + number[4:]
    if fields["tci_an"] & 0x20:
        header += fields["sci"].to_bytes(8, "little")
    return bytes(a ^ b for a, b in zip(nonce, salt, strict=True)), header


@pytest.mark.parametrize("name", some_cores("macsec", "ipsec"))
def test_a_broken_frame_is_refused_and_the_next_is_right(library, name):
    config = CORES[name]
    line = Line(config, library(name), seed=3)
    good = next(packet for packet in PACKETS[config.profile]() if packet.text)
    full, n = (1 << line.beat) - 1, line.beat
    broken = {
        "AAD after text": [(bytes(n), full, 1), (bytes(3), 7, 0)],
        "AAD after a part of a beat": [(bytes(3), 7, 0), (bytes(n), full, 0), (bytes(n), full, 1)],
        "AAD after none": [(b"", 0, 0), (bytes(n), full, 0), (bytes(n), full, 1)],
        "text after a part of a beat": [(bytes(3), 7, 1), (bytes(n), full, 1)],
        "a hole in AAD": [(bytes(n), full & ~2, 0), (bytes(n), full, 1)],
        "a hole at the end of AAD": [(bytes(9), 0x105, 0)],
        "a hole in text": [(bytes(n), full & ~2, 1)],
        "no first byte": [(bytes(n), full & ~1, 0)],
    }
    line.load(0, good.key, good.key_fields)
    line.keys_in_place()
    packets = []
    for what, beats in broken.items():
        bad = Packet(name=what, key=b"", key_fields={}, fields=good.fields, beats=beats,
                     tag_bytes=good.tag_bytes, expect=(b"", b"", Status.BAD_FRAME))  # fmt: skip
        packets += [bad, good]
        line.send(0, bad)
        line.send(0, good)
    line.until(lambda: len(line.tag.got) == len(packets))
    for packet, (tag, _, status) in zip(packets, line.tag.got, strict=True):
        assert (tag, status) == (le(packet.expect[1]), packet.expect[2]), packet.name
    assert line.frames().count(good.expect[0]) == len(broken)


@pytest.mark.parametrize("name", some_cores("macsec"))
def test_any_field_of_a_header_that_differs_is_noticed(library, name):
    """One bit of each field flipped in turn: the tag does not match."""
    config = CORES[name]
    line = Line(config, library(name), seed=4)
    packet = next(p for p in macsec_packets() if "60-byte packet, conf" in p.name and p.tag)
    line.load(0, packet.key, packet.key_fields)
    line.keys_in_place()
    sent = []
    for field_name, width in (("destination", 48), ("source", 48), ("tci_an", 8), ("sl", 8),
                              ("pn", 32), ("sci", 64)):  # fmt: skip
        for bit in (0, width // 2, width - 1):
            changed = {**packet.fields, field_name: packet.fields[field_name] ^ 1 << bit}
            sent.append(Packet(name=f"{field_name} {bit}", key=b"", key_fields={}, fields=changed,
                               text=packet.text, tag=packet.tag))  # fmt: skip
            line.send(0, sent[-1])
    line.until(lambda: len(line.tag.got) == len(sent))
    assert [status for _, _, status in line.tag.got] == [Status.AUTH_FAIL] * len(sent)


# Configurations -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (["profile=macsec", "registers=axi4lite"], "registers=axi4lite with profile=macsec"),
        (["profile=macsec", "aad_lanes=1", "ghash=dot"], "aad_lanes=1 with profile=macsec"),
        (["profile=tls13", "max_aad_bytes=16"], "max_aad_bytes=16 with profile=tls13"),
        (
            ["profile=ipsec", "ghash=serial_length_first", "tags_not_of_gcm=yes", "iv=96"],
            "needs the tags of SP 800-38D",
        ),
        (["profile=ip"], "profile=ip: not allowed"),
    ],
)
def test_what_does_not_go_together_is_refused(settings, message):
    with pytest.raises(ConfigError, match=message):
        CoreConfig().with_settings(settings)

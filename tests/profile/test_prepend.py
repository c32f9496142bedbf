# SPDX-License-Identifier: Apache-2.0
"""profile_prepend puts a header before a packet's AAD, or with its first beat, in the stated
number of cycles, whatever the lengths."""

import itertools
import random
from dataclasses import dataclass

import pytest
from bench import (
    Bench,
    Instance,
    Sink,
    Source,
    at_random,
    compile_bench,
    ports,
    rtl,
    run,
    side_by_side,
)


@dataclass(frozen=True)
class Shape:
    """Parameters of the module."""

    lanes: int
    short: int
    long: int
    side: int = 0

    @property
    def beat(self) -> int:
        return 16 * self.lanes

    @property
    def prefix(self) -> str:
        return f"l{self.lanes}s{self.short}a{self.side}"


SHAPES = (
    Shape(1, 20, 28), Shape(2, 20, 28), Shape(4, 20, 28), Shape(1, 8, 12), Shape(3, 8, 12),
    Shape(1, 5, 5), Shape(1, 9, 31), Shape(4, 20, 28, 2), Shape(1, 8, 12, 1), Shape(2, 5, 5, 1),
    Shape(1, 20, 28, 2),
)  # fmt: skip
WORDS = ("in_data_i", "in_keep_i", "in_text_i", "in_last_i")
OUT = ("out_data_o", "out_keep_o", "out_text_o", "out_last_o", "side_o", "side_keep_o")


@dataclass(frozen=True)
class Packet:
    """`null` puts an empty section of AAD into a beat of its own; `broken` such a beat of text in
    front of the text, which the core must find."""

    header: bytes
    aad: bytes
    text: bytes
    null: bool = False
    broken: bool = False


@pytest.fixture(scope="module")
def library():
    instances = [
        Instance(
            prefix=shape.prefix,
            module="profile_prepend",
            parameters={
                "Lanes": shape.lanes, "ShortBytes": shape.short, "LongBytes": shape.long,
                "AadLanes": shape.side,
            },
            ports=ports(
                header_valid_i=1, header_ready_o=1, header_long_i=1, header_i=8 * shape.long,
                in_valid_i=1, in_ready_o=1, in_data_i=8 * shape.beat, in_keep_i=shape.beat,
                in_text_i=1, in_last_i=1, out_valid_o=1, out_ready_i=1, out_data_o=8 * shape.beat,
                out_keep_o=shape.beat, out_text_o=1, out_last_o=1,
                side_o=128 * max(1, shape.side), side_keep_o=16 * max(1, shape.side),
            ),
        )
        for shape in SHAPES
    ]  # fmt: skip
    texts = {**rtl("axis_skid", "profile_prepend"), "laws_top": side_by_side(instances)}
    return compile_bench("laws_top", texts)


def pieces(data: bytes, size: int) -> list[bytes]:
    return [data[at : at + size] for at in range(0, len(data), size)]


def word(data: bytes) -> tuple[int, int]:
    """Data and keep of a beat."""
    return int.from_bytes(data, "little"), (1 << len(data)) - 1


def beats_in(packet: Packet, size: int, rng: random.Random) -> list[tuple[int, int, int, int]]:
    """As a user sends the packet; bytes that are not kept are noise."""
    sections = [(0, piece) for piece in pieces(packet.aad, size)]
    if packet.null and not packet.aad:
        sections.append((0, b""))
    sections += [(1, b"")] * packet.broken + [(1, piece) for piece in pieces(packet.text, size)]
    sections = sections or [(rng.getrandbits(1), b"")]
    made = []
    for number, (user, piece) in enumerate(sections):
        noise = rng.randbytes(size - len(piece))
        last = number == len(sections) - 1
        made.append((word(piece + noise)[0], word(piece)[1], user, int(last)))
    return made


def beats_out(packet: Packet, shape: Shape) -> list[tuple[int, ...]]:
    """What the core must be given: data, keep, text, last, side, its keep."""
    aside = shape.side > 0 and not packet.aad
    aad = b"" if aside else packet.header + packet.aad
    sections = [(0, piece) for piece in pieces(aad, shape.beat)]
    text = [(1, piece) for piece in pieces(packet.text, shape.beat)]
    sections += [(1, b"")] * packet.broken + text
    sections = sections or [(1, b"")]
    side = word(packet.header) if aside else (0, 0)
    return [
        (*word(piece), user, int(number == len(sections) - 1), *(side if number == 0 else (0, 0)))
        for number, (user, piece) in enumerate(sections)
    ]


def law(packet: Packet, shape: Shape) -> int:
    """Cycles of a packet, as the header of the module states them."""
    text = -(-len(packet.text) // shape.beat)
    if shape.side and not packet.aad:
        return max(1, text)
    return -(-(len(packet.header) + len(packet.aad)) // shape.beat) + text


def played(library, shape, packets, *, seed=0, pause=0.0):
    """The output transfers and their cycles."""
    bench, rng = Bench(library), random.Random(seed)
    names = [f"{shape.prefix}_{name}" for name in WORDS]
    headers = [
        {f"{shape.prefix}_header_long_i": int(len(packet.header) == shape.long),
         f"{shape.prefix}_header_i": word(packet.header)[0]}
        for packet in packets
    ]  # fmt: skip
    beats = [
        dict(zip(names, beat, strict=True))
        for packet in packets
        for beat in beats_in(packet, shape.beat, rng)
    ]

    def stream(kind, side, words, **options):
        valid, ready = (
            (f"{side}_valid_i", f"{side}_ready_o")
            if kind is Source
            else (f"{side}_valid_o", f"{side}_ready_i")
        )
        return kind(bench, f"{shape.prefix}_{valid}", f"{shape.prefix}_{ready}", words, **options)

    head = stream(Source, "header", headers, idle=at_random(seed + 1, pause))
    data = stream(Source, "in", beats, idle=at_random(seed + 2, pause))
    out = stream(
        Sink, "out", [f"{shape.prefix}_{name}" for name in OUT], wait=at_random(seed + 3, pause)
    )
    lasts = f"{shape.prefix}_out_last_o"
    last_at = [f"{shape.prefix}_{name}" for name in OUT].index(lasts)
    ended = lambda: sum(got[last_at] for got in out.got) == len(packets)  # noqa: E731
    run(bench, [head, data, out], ended, limit=20_000)
    for _ in range(10):
        bench.settle()
        assert not bench.get(f"{shape.prefix}_out_valid_o"), "a beat too many"
        bench.edge()
    assert head.done and data.done
    return out


def random_packets(shape: Shape, seed: int, count: int) -> list[Packet]:
    rng = random.Random(seed)
    lengths = [0, 0, 1, 4, shape.beat - shape.short % shape.beat, shape.beat - 1, shape.beat,
               shape.beat + 1, 2 * shape.beat, 2 * shape.beat + 5]  # fmt: skip
    return [
        Packet(
            header=rng.randbytes(rng.choice((shape.short, shape.long))),
            aad=rng.randbytes(max(0, rng.choice(lengths))) if rng.random() < 0.5 else b"",
            text=rng.randbytes(max(0, rng.choice(lengths))),
            null=rng.random() < 0.2,
        )
        for _ in range(count)
    ]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.prefix)
@pytest.mark.parametrize("pause", [0.0, 0.4])
def test_every_packet_leaves_with_its_header_in_front(library, shape, pause):
    packets = random_packets(shape, seed=int(10 * pause), count=120)
    out = played(library, shape, packets, seed=3, pause=pause)
    got = [(kept(data, keep), keep, *rest) for data, keep, *rest in out.got]
    assert got == [beat for packet in packets for beat in beats_out(packet, shape)]


def kept(data: int, keep: int) -> int:
    """The bytes of a beat that count."""
    return data & sum(0xFF << 8 * at for at in range(keep.bit_length()) if keep >> at & 1)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.prefix)
def test_a_beat_of_text_without_a_byte_is_handed_on(library, shape):
    """It may not stand before text; the core says so, if it sees it."""
    packets = [
        Packet(bytes(range(shape.long)), b"a" * aad, b"t" * 20, broken=True) for aad in (0, 3, 40)
    ]
    out = played(library, shape, packets)
    got = [(kept(data, keep), keep, *rest) for data, keep, *rest in out.got]
    assert got == [beat for packet in packets for beat in beats_out(packet, shape)]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.prefix)
def test_every_length_takes_the_cycles_of_the_law(library, shape):
    """AAD of 0 to two beats and more, text of 0 to two beats: each packet's last beats are as far
    apart as the law says, without a pause between packets."""
    rng = random.Random(5)
    aads = sorted({*range(0, 33), shape.beat, 2 * shape.beat, 2 * shape.beat + 3})
    texts = sorted({0, 1, shape.beat - 1, shape.beat, shape.beat + 1, 2 * shape.beat})
    packets = [
        Packet(rng.randbytes(rng.choice((shape.short, shape.long))), bytes(aad), bytes(text))
        for aad in aads
        for text in texts
    ]
    out = played(library, shape, packets)
    ends = [cycle for cycle, got in zip(out.cycles, out.got, strict=True) if got[3]]
    distances = [b - a for a, b in itertools.pairwise(ends)]
    assert distances == [law(packet, shape) for packet in packets[1:]]


def test_a_packet_of_64_bytes_and_its_header_are_one_beat_of_512_bits(library):
    shape = Shape(4, 20, 28, 2)
    packets = [Packet(bytes([n] * 28), b"", bytes([n] * 64)) for n in range(40)]
    out = played(library, shape, packets)
    assert len(out.got) == 40 == out.cycles[-1] - out.cycles[0] + 1

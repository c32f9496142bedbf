# SPDX-License-Identifier: Apache-2.0
"""Beats that packets take, counted in simulation, against the law; bits a cycle and Yang 2005's.

gcmforge-study run beats [--complete] [--lanes 1 2 4 8 16] [--jobs 2]

Packets follow one another with no pause on any stream, each with a context, IV and direction of its
own. For every length 0..300 x AAD 0..40 (without --complete: a sample of it) the cycles from packet
to packet are compared with the law. A packet whose text or tag is wrong ends
the bench. Then bits a cycle, for IMIX and the lengths of Yang 2005, Table 2. Exit code 1 on any
mismatch.
"""

import argparse
import itertools
import random
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path

from gcmforge.config import CoreConfig
from gcmforge.config.presets import PRESETS
from gcmforge.emit import build_core
from gcmforge.measure.store import project_version
from gcmforge.place.families import FAMILIES
from gcmforge.sim import Core, LoadKey, Packet
from gcmforge.sim.core import compare
from gcmforge.sim.operations import Expected, Status
from gcmforge.sim.reference import open_unchecked, seal
from gcmforge.study.checkout import REFERENCE, write_page
from gcmforge.study.kept import Found, Kept, Step

YANG_2005_TABLE_2 = {
    16: 9.85, 20: 11.4, 40: 21.3, 44: 23.5, 64: 32.0, 128: 51.2, 256: 73.1, 552: 94.0,
    576: 96.0, 1024: 108.0, 1500: 113.0, 8192: 125.0,
}  # fmt: skip
"""Packet bytes -> bits a cycle of its GCM, one lane, no AAD."""

IMIX = {40: 7, 576: 4, 1500: 1}
"""Packet bytes -> packets in every twelve: the simple mix of Internet lengths."""

TEXT_BYTES, AAD_BYTES = range(301), range(41)
SAMPLE = 0.02
"""Share of the pairs that are tried without --complete; those at the edges of blocks always are."""

GROUP, SETTLED = 7, 3
"""Packets of one length in a row, and how many of the last count: a wait shows a packet late."""

WARM_UP = 40
"""Packets before the first that counts: they wait for their keys."""

KEY = bytes(range(16))
CONTEXTS = 3
"""Packets are under keys of so many contexts, or of as many as a core has."""

LANES = (1, 2, 4, 8, 16)
KEPT = Kept("beats")


def cores(lanes: int) -> dict[str, CoreConfig]:
    """What is compared for a number of lanes; of sixteen there are the presets."""
    if lanes > 8:
        return {}
    common = CoreConfig(
        lanes=lanes, key_sizes=(128,), contexts=3, key_schedule="travelling", sbox="table", iv="96",
        ghash="dot", multiplier="ko4_small", ghash_stages=2,
    )  # fmt: skip
    settings = {
        "shared": [],
        "dedicated tail": ["tail=dedicated"],
        "dedicated": ["tail=dedicated", "j0=dedicated"],
    }
    if lanes == 4:
        settings["dedicated, 2 lanes of AAD"] = [*settings["dedicated"], "aad_lanes=2"]
    return {name: common.with_settings(asked) for name, asked in settings.items()}


# The law ------------------------------------------------------------------------------------------


def law(config: CoreConfig, aad_bytes: int, text_bytes: int) -> int:
    """Cycles from packet to packet of a pipelined core: a cycle a slot, and two for a command with
    slots=ahead."""
    slots = config.packet_slots(aad_bytes, text_bytes)
    return max(2, slots) if config.ahead else slots


# Counting -----------------------------------------------------------------------------------------


def packets(
    rng: random.Random, sizes: Iterable[tuple[int, int]], contexts: int
) -> Iterator[Packet]:
    """A packet for each pair of AAD and text bytes, under the key of one of so many contexts."""
    for number, (aad_bytes, text_bytes) in enumerate(sizes):
        iv, aad, plain = rng.randbytes(12), rng.randbytes(aad_bytes), rng.randbytes(text_bytes)
        cipher, tag = seal(KEY, iv, plain, aad)
        decrypt = rng.random() < 0.5
        assert not decrypt or open_unchecked(KEY, iv, cipher) == plain
        yield Packet(
            context=rng.randrange(contexts), decrypt=decrypt, iv=iv, aad=aad,
            text=cipher if decrypt else plain, tag=tag if decrypt else None, tag_bytes=16,
            expect=Expected(
                text=plain if decrypt else cipher, tag=None if decrypt else tag, status=Status.OK
            ),
            label=f"packet {number}, {aad_bytes} bytes of AAD, {text_bytes} of text",
        )  # fmt: skip


def distances(core: Core, sizes: Sequence[tuple[int, int]], seed: int = 1) -> list[int]:
    """Cycles from the last beat of each packet to that of the next, for packets of these AAD and
    text bytes, the first after WARM_UP others; ValueError when an answer is wrong."""
    rng = random.Random(seed)
    contexts = min(core.config.contexts, CONTEXTS)
    lead = [(0, 16 * core.config.lanes)] * WARM_UP
    made = list(packets(rng, [*lead, *sizes], contexts))
    keys = [LoadKey(context=context, key=KEY) for context in range(contexts)]
    with core.simulation() as simulation:
        played = simulation.play([*keys, *made])
    wrong = [
        failure
        for number, (packet, answer) in enumerate(zip(made, played.answers, strict=True))
        for failure in compare(packet, answer, packet_number=number, seed=seed)
    ]
    if wrong or played.hang or played.violations_total:
        raise ValueError(f"{played.hang or ''} {played.violations[:3]} {wrong[:3]}")
    last = [answer.last_in_cycle or 0 for answer in played.answers]
    return [b - a for a, b in itertools.pairwise(last[WARM_UP - 1 :])]


def chosen_pairs(complete: bool, seed: int = 1) -> list[tuple[int, int]]:
    """AAD and text bytes of the packets that are tried, mixed."""
    rng = random.Random(seed)
    every = itertools.product(AAD_BYTES, TEXT_BYTES)
    edges = {0, 1, 15, 16, 17, 31, 32, 33, 40, 48, 63, 64, 65, 127, 128, 129, 255, 256, 257, 300}
    pairs = [
        (aad, text)
        for aad, text in every
        if complete or rng.random() < SAMPLE or {aad, text} <= edges
    ]
    rng.shuffle(pairs)
    return pairs


def mismatches(core: Core, pairs: Sequence[tuple[int, int]]) -> list[str]:
    """Pairs whose packets do not take the beats of the law, and a mix that does not."""
    found = distances(core, [pair for pair in pairs for _ in range(GROUP)])
    config, wrong = core.config, []
    for number, (aad, text) in enumerate(pairs):
        last = found[(number + 1) * GROUP - SETTLED : (number + 1) * GROUP]
        if set(last) != {law(config, aad, text)}:
            wrong.append(f"AAD {aad}, text {text}: {last} cycles, not {law(config, aad, text)}")
    mixed = distances(core, pairs)
    expected = [law(config, *pair) for pair in pairs]
    if config.j0 == "dedicated" and mixed != expected:
        wrong.append("packets of mixed lengths: not every one takes the beats of its own law")
    # The input buffer holds two beats, and the slot that a packet waits for is seen a packet late.
    waits = abs(sum(mixed) - sum(expected))
    if waits > 3:
        wrong.append(f"packets of mixed lengths: {waits} cycles off in {sum(expected)}")
    return wrong


def bits_per_cycle(core: Core, mix: dict[int, int]) -> float:
    """Of packets of these lengths in these numbers, mixed, without AAD."""
    rounds = max(4, 24_000 // sum(size * count for size, count in mix.items()))
    sizes = [(0, size) for size, count in mix.items() for _ in range(count * rounds)]
    random.Random(1).shuffle(sizes)
    lead = [(0, size) for size in mix]
    found = distances(core, [*lead, *sizes])[len(lead) :]
    return 8 * sum(size for _, size in sizes) / sum(found)


# Printing -----------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One core's figures."""

    lanes: int
    name: str
    pairs: int
    wrong: tuple[str, ...]
    imix: float
    yang: dict[int, float]


def asks(lanes_asked: Sequence[int]) -> Iterator[tuple[str, CoreConfig]]:
    """Name and configuration of each core: those compared, then the presets of a line rate with as
    many lanes. One for an FPGA has fewer places for tags than its shortest packets take."""
    for lanes in lanes_asked:
        yield from cores(lanes).items()
    for name, preset in PRESETS.items():
        own = preset.config.architecture  # study.evidence.segments counts those
        rate = preset.clock_mhz and preset.technology not in FAMILIES
        if own is None and rate and preset.config.lanes in lanes_asked:
            yield f"preset `{name}`", preset.config


def row(name: str, config: CoreConfig, complete: bool) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        core = Core(build_core(config, Path(folder, "core"), prove=False).path)
        pairs = chosen_pairs(complete)
        return Row(
            lanes=config.lanes,
            name=name,
            pairs=len(pairs),
            wrong=tuple(mismatches(core, pairs)),
            imix=bits_per_cycle(core, IMIX),
            yang={size: bits_per_cycle(core, {size: 1}) for size in YANG_2005_TABLE_2},
        )


def page(rows: Sequence[Row], versions: Sequence[str]) -> Iterator[str]:
    """The figures as a document."""
    counted = sum(row.pairs for row in rows)
    wrong = sum(len(row.wrong) for row in rows)
    lines = [
        "# Beats that packets take",
        "",
        "Written by `gcmforge-study pages beats` from what `gcmforge-study evidence beats` found,",
        f"version {', '.join(f'`{one}`' for one in versions)}: packets back to back in simulation,",
        "each with a context, IV and direction of its own, 96-bit IVs, pipelined AES,",
        "`ghash=dot` in two stages but for the presets, which have `aggregated` in three or five.",
        "The law is that of `gcm_issue`; with `tail` and `j0` dedicated a packet takes",
        "ceil(aad/beat) + ceil(text/beat) beats, an empty one takes one.",
        "",
        f"{counted:,} pairs of lengths (0 to 300 bytes of text, 0 to 40 of AAD) on {len(rows)}"
        f" cores: {wrong} differ from the law.",
        "",
        "Bits per cycle without AAD; Yang 2005 is its Table 2, one lane. IMIX is seven packets of",
        "40 bytes, four of 576, one of 1,500.",
        "",
        "| lanes | tail and J0 | IMIX | " + " | ".join(f"{n:,}" for n in YANG_2005_TABLE_2) + " |",
        "| --- | --- |" + " ---: |" * (len(YANG_2005_TABLE_2) + 1),
        "| 1 | Yang 2005 | | " + " | ".join(f"{x:g}" for x in YANG_2005_TABLE_2.values()) + " |",
    ]
    lines += [
        f"| {row.lanes} | {row.name} | {row.imix:.1f} | "
        + " | ".join(f"{row.yang[size]:.1f}" for size in YANG_2005_TABLE_2)
        + " |"
        for row in rows
    ]
    yield from lines


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--complete", action="store_true", help="every pair of lengths")
    parser.add_argument("--lanes", type=int, nargs="+", default=LANES)
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args(arguments)
    names, configs = zip(*asks(asked.lanes), strict=True)
    rows: list[Row] = []
    with ProcessPoolExecutor(asked.jobs, mp_context=get_context("spawn")) as pool:
        for found in pool.map(row, names, configs, [asked.complete] * len(names)):
            rows.append(found)
            print(told(found), flush=True)
    print("\n".join(page(rows, [project_version()])))
    return 1 if any(row.wrong for row in rows) else 0


def told(row: Row) -> str:
    return "\n    ".join(
        (f"{row.lanes} lanes, {row.name}: {row.pairs:,} pairs, {len(row.wrong)} wrong",
         *row.wrong[:5])
    )  # fmt: skip


# As evidence --------------------------------------------------------------------------------------


def steps() -> Iterator[Step]:
    """Every pair of lengths on each core."""
    for name, config in asks(LANES):
        yield Step(
            kind="beats", name=f"{config.lanes} lanes, {name}", seed=1, call=complete_row,
            arguments=(name, config), rtl=config,
            command=f"gcmforge-study run beats --complete --lanes {config.lanes}",
        )  # fmt: skip


def complete_row(name: str, config: CoreConfig) -> Found:
    found = row(name, config, complete=True)
    return Found(ok=not found.wrong, text=told(found), data=asdict(found))


def write() -> None:
    """The page, from what is kept."""
    records = KEPT.records()
    found = [
        Row(**{**one["found"], "wrong": tuple(one["found"]["wrong"]),
               "yang": {int(size): bits for size, bits in one["found"]["yang"].items()}})
        for one in records
    ]  # fmt: skip
    versions = sorted({one["version"] for one in records})
    write_page(REFERENCE / "beats.md", page(found, versions), "gcmforge-study pages beats")

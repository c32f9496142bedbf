# SPDX-License-Identifier: Apache-2.0
"""One wrong bit in tag, ciphertext, AAD or IV: cores with verified release must give nothing out.

gcmforge-study run flips [--packets 10000] [--seed S] [--core NAME]: that many
flipped packets on each core, with each stall pattern in turn. Exit code 1 if one of them is not
refused, or a byte of it leaves.
"""

import argparse
import secrets
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from gcmforge.config import CoreConfig
from gcmforge.sim import Core, RunResult, Stalls, Status
from gcmforge.sim.aead import built
from gcmforge.sim.flips import FLIPPED_PARTS, flipped_traffic
from gcmforge.sim.operations import packets_of
from gcmforge.sim.stalls import STALL_PATTERNS
from gcmforge.study.checkout import REFERENCE, write_page
from gcmforge.study.kept import Found, Kept, Step

VERIFIED: dict[str, Any] = {"release": "verified", "max_text_bytes": 2048}
CORES = {
    "default": CoreConfig(**VERIFIED),
    "quad": CoreConfig(lanes=4, ghash_stages=2, **VERIFIED),
    "two lanes, own tail, J0 and AAD in lanes of their own": CoreConfig(
        lanes=2,
        tail="dedicated",
        j0="dedicated",
        aad_lanes=2,
        ghash_stages=3,
        key_schedule="travelling",
        aes_substages=2,
        **VERIFIED,
    ),
    "small": CoreConfig(
        aes="loop", key_schedule="travelling", ghash="serial", sbox="small", **VERIFIED
    ),
    "segments": CoreConfig(
        core="segments",
        lanes=4,
        segments=4,
        key_sizes=(128,),
        iv="96",
        ghash_stages=2,
        release="verified",
        max_text_bytes=4096,
        max_aad_bytes=4096,
    ),
}
ROUND_PACKETS = 2_500
PACKETS, SEED = 10_000, 6
KEPT = Kept("flips")


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """What one core did with flipped packets and the good ones between them."""

    name: str
    summary: str
    flipped: Counter[str]
    """Packets by the part that has the wrong bit."""
    good: int
    good_beats: int
    out_beats: int
    failures: int

    @property
    def failed(self) -> int:
        return self.failures + (self.out_beats != self.good_beats)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--packets", type=int, default=PACKETS)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--core", choices=CORES, action="append")
    asked = parser.parse_args(arguments)
    seed = secrets.randbits(32) if asked.seed is None else asked.seed
    rows = []
    for name in asked.core or CORES:
        rows.append(flip(name, CORES[name], asked.packets, seed))
        print(told(rows[-1]), flush=True)
    failed = sum(row.failed for row in rows)
    print(f"{failed} failures (seed {seed})" if failed else f"nothing was released (seed {seed})")
    return 1 if failed else 0


def flip(name: str, config: CoreConfig, packets: int, seed: int) -> Row:
    """Flipped packets on one core."""
    core = Core(built(config))
    flipped: Counter[str] = Counter()
    good = failures = out_beats = good_beats = 0
    for number, first in enumerate(range(0, packets, ROUND_PACKETS)):
        stalls = list(STALL_PATTERNS)[number % len(STALL_PATTERNS)]
        count = min(ROUND_PACKETS, packets - first)
        operations = flipped_traffic(config, packets=count, seed=seed + number)
        result: RunResult = core.run(operations, stalls=Stalls.named(stalls), seed=seed + number)
        for failure in result.failures[:3]:
            print(f"    {failure}")
        sent = packets_of(operations)
        of_good = [packet for packet in sent if packet.expect.status == Status.OK]
        flipped.update(
            part for packet in sent for part in FLIPPED_PARTS if f"of the {part}" in packet.label
        )
        good += len(of_good)
        out_beats += result.counters.out_beats
        good_beats += sum(-(-len(packet.text) // (16 * config.lanes)) for packet in of_good)
        failures += len(result.failures)
    return Row(
        name=name, summary=config.summary, flipped=flipped, good=good, good_beats=good_beats,
        out_beats=out_beats, failures=failures,
    )  # fmt: skip


def told(row: Row) -> str:
    return (
        f"{row.name}: {row.flipped.total():,} packets with a flipped bit and {row.good:,} good "
        f"ones with {row.good_beats:,} beats of text; {row.out_beats:,} beats came out, "
        f"{row.failed} failures"
    )


INTRODUCTION = """\
Cores with `release=verified` decrypt packets with one wrong bit, and good ones between them, under
every stall pattern. A beat that leaves is either of a good packet or a failure; so is a status that
is not AUTH_FAIL, and a good packet that does not come out whole.
"""


def page(rows: Sequence[Row], versions: Sequence[str]) -> Iterator[str]:
    """Lines of the page."""
    yield "# One wrong bit\n"
    yield "Written by `gcmforge-study pages flips` from what `gcmforge-study evidence flips` found:"
    yield f"`gcmforge-study run flips --packets {PACKETS} --seed {SEED}`, version"
    yield f"{', '.join(versions)} of the project."
    yield INTRODUCTION
    parts = " | ".join(f"in the {part}" for part in FLIPPED_PARTS)
    yield f"| core | flipped | {parts} | good packets | their beats | beats out | failures |"
    yield "| --- |" + " ---: |" * (len(FLIPPED_PARTS) + 5)
    for row in rows:
        figures = (
            row.flipped.total(), *(row.flipped[part] for part in FLIPPED_PARTS),
            row.good, row.good_beats, row.out_beats, row.failed,
        )  # fmt: skip
        yield f"| `{row.name}` | {' | '.join(f'{figure:,}' for figure in figures)} |"
    yield ""
    yield from (f"- `{row.name}`: {row.summary}" for row in rows)


# As evidence --------------------------------------------------------------------------------------


def steps() -> Iterator[Step]:
    """Every core."""
    for name, config in CORES.items():
        yield Step(
            kind="flips", name=name, seed=SEED, call=kept_flip, arguments=(name,), rtl=config,
            command=f"gcmforge-study run flips --packets {PACKETS} --seed {SEED}",
        )  # fmt: skip


def kept_flip(name: str) -> Found:
    row = flip(name, CORES[name], PACKETS, SEED)
    data = {**asdict(row), "flipped": dict(row.flipped)}  # asdict makes pairs of a Counter's
    return Found(ok=not row.failed, text=told(row), data=data)


def write() -> None:
    """The page, from what is kept."""
    records = KEPT.records()
    rows = [Row(**{**one["found"], "flipped": Counter(one["found"]["flipped"])}) for one in records]
    versions = sorted({one["version"] for one in records})
    write_page(REFERENCE / "flips.md", page(rows, versions), "gcmforge-study pages flips")

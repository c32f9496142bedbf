# SPDX-License-Identifier: Apache-2.0
"""What is proven, watched or left open of the control of cores of each class.

gcmforge-study run control [--core NAME ...]: `gcmforge prove CORE --control` on each. Exit code 1
when a property is false.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gcmforge.cache import digest
from gcmforge.config import CoreConfig
from gcmforge.config.presets import preset
from gcmforge.emit.rtl import handwritten, simulated_of
from gcmforge.formal import texts
from gcmforge.formal.control import (
    BOUNDED,
    OPEN,
    REACHED,
    WATCHED,
    prove_control,
    without_properties,
)
from gcmforge.sim import properties
from gcmforge.sim.aead import built
from gcmforge.study.checkout import REFERENCE, write_page
from gcmforge.study.kept import Found, Kept, Step

CORES = {
    "default": preset("default"),
    "small": preset("small"),
    "quad": preset("quad"),
    "balanced": preset("balanced"),
    "100g": preset("100g"),
    "verified": CoreConfig(release="verified", max_text_bytes=2048),
    "guarded": CoreConfig(
        aes="loop", key_schedule="travelling", ghash="serial", sbox="small", contexts=3,
        release="verified", max_text_bytes=2048, zeroise="on", timeout=2_000, iv="counter",
    ),
    "ahead": CoreConfig(lanes=2, key_sizes=(128,), slots="ahead", iv="96", contexts=1),
    "encrypts": CoreConfig(direction="encrypt"),
    "decrypts": CoreConfig(
        direction="decrypt", release="verified", max_text_bytes=2048, zeroise="on"
    ),
    "nano": preset("nano"),
    "nano, any IV": preset("nano").with_settings(["iv=any"]),
    "micro": preset("micro"),
    "micro, four": preset("micro").with_settings(["sboxes=4"]),
    "micro, faults found": preset("micro").with_settings(["faults=detect"]),
}  # fmt: skip
PROVEN = "proven"
KEPT = Kept("control")


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One core."""

    name: str
    summary: str
    found: dict[str, dict[str, int]]
    """Module -> proven, reached, watched, bounded or open, and "false" -> properties."""
    without: list[str]
    """Modules of the core that have no property."""

    def count(self, what: str) -> int:
        return sum(one.get(what, 0) for one in self.found.values())


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--core", choices=CORES, action="append")
    asked = parser.parse_args(arguments)
    rows = []
    for name in asked.core or CORES:
        rows.append(prove(name, CORES[name]))
        print(told(rows[-1]), flush=True)
    return int(any(row.count("false") for row in rows))


def prove(name: str, config: CoreConfig) -> Row:
    """The control of one core."""
    found: dict[str, Counter[str]] = {}
    core = built(config)
    for one in prove_control(core):
        how = one.how if one.how in (WATCHED, BOUNDED, OPEN, REACHED) else PROVEN
        word = how if one.passed or how == OPEN else "false"
        found.setdefault(one.module, Counter())[word] += 1
    without = list(without_properties(core))
    return Row(
        name=name, summary=config.summary, without=without,
        found={module: dict(counts) for module, counts in sorted(found.items())},
    )  # fmt: skip


def told(row: Row) -> str:
    counts = ", ".join(f"{row.count(word)} {word}" for word in (PROVEN, REACHED, WATCHED, OPEN))
    return f"{row.name}: {counts}, {row.count('false')} false; {len(row.without)} modules without"


def steps() -> Iterator[Step]:
    """Every core."""
    for name, config in CORES.items():
        yield Step(
            kind="control", name=name, call=kept_row, arguments=(name,), rtl=config,
            digest=_digest_of_properties(),
            command=f"gcmforge-study run control --core {name}",
        )  # fmt: skip


def _digest_of_properties() -> str:
    """Of what is proven, required and taken for granted."""
    folders = Path(texts.__file__).parent, Path(properties.__file__).parent
    files = [file for folder in folders for file in sorted(folder.glob("*/*.sv"), key=str)]
    asserted = [simulated_of(file.read_text()) for file in handwritten().values()]
    return digest(*(file.read_text() for file in files), *asserted)[:16]


def kept_row(name: str) -> Found:
    row = prove(name, CORES[name])
    return Found(ok=not row.count("false"), text=told(row), data=asdict(row))


def rows(records: Sequence[dict[str, Any]]) -> list[Row]:
    return [Row(**one["found"]) for one in records]


INTRODUCTION = """\
`gcmforge prove CORE --control` on a core of each class. A cell has the properties of a module that
are *proven* for any time, then those that are *watched* in simulation because the proofs rely on
them. [Assurance](assurance.md#control-proven-module-by-module) says what each module's properties
are. Modules of these cores that are not in the table have none; cores with segments are
[on their own page](../theory/segments.md#what-was-verified).
"""


def page(found: Sequence[Row], versions: Sequence[str]) -> Iterator[str]:
    """Lines of the page."""
    yield "# Control, by class of core\n"
    yield "Written by `gcmforge-study pages control` from what `gcmforge-study evidence control`"
    yield f"found; version {', '.join(versions)} of the project.\n"
    yield INTRODUCTION
    yield f"| module | {' | '.join(f'`{row.name}`' for row in found)} |"
    yield "| --- |" + " ---: |" * len(found)
    modules = sorted({module for row in found for module in row.found})
    for module in modules:
        cells = []
        for row in found:
            counts = row.found.get(module, {})
            watched = f" + {counts[WATCHED]} watched" if counts.get(WATCHED) else ""
            cells.append(f"{counts.get(PROVEN, 0)}{watched}" if counts else "")
        yield f"| `{module}` | {' | '.join(cells)} |"
    for word, label in ((PROVEN, "all, proven"), (BOUNDED, "bounded"), (OPEN, "open")):
        yield f"| **{label}** | {' | '.join(str(row.count(word)) for row in found)} |"
    yield ""
    yield from (f"- `{row.name}`: {row.summary}" for row in found)


def write() -> None:
    """The page, from what is kept."""
    records = KEPT.records()
    versions = sorted({one["version"] for one in records})
    write_page(
        REFERENCE / "control.md", page(rows(records), versions), "gcmforge-study pages control"
    )

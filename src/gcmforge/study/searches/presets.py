# SPDX-License-Identifier: Apache-2.0
"""Whether each preset is the best core of its class, by what was measured.

    gcmforge-study search presets                      what is kept, each preset beside the best
    gcmforge-study search presets NAME [--measure 6]   measure more cores of its class
    gcmforge-study search presets NAME --set K=V ...   measure this one

A class is what a user asks for and a preset promises: lanes, key sizes, contexts, IVs, release,
what is dedicated, and the bits a cycle of 64-byte packets. Every other option is free. All of a
class are estimated; those with the most throughput for their gates are measured on osu018 with one
script (--effort quick), no two with the same S-box in as many stages, and kept in
data/presets.json with the command that measures them again. `tests/study/test_presets.py` fails
when one of them is more than 5 % better than the preset.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from gcmforge.config import ConfigError, CoreConfig
from gcmforge.config.presets import PRESETS, load_config
from gcmforge.explore.estimate import estimate
from gcmforge.explore.space import Space
from gcmforge.measure.measure import measure
from gcmforge.measure.store import project_version

DATA = Path(__file__).parent / "data" / "presets.json"
TARGET = "osu018"
PACKET = 64
MARGIN = 1.05
"""How much better than its preset a core of the class may be."""

FREE: Mapping[str, tuple[Any, ...]] = {
    "key_schedule": ("stored", "travelling"),
    "aes_substages": (1, 2, 3),
    "aes_slack": (2, 12),
    "sbox": ("fast", "faster", "low_depth", "medium"),
    "mix_columns": ("small", "depth3"),
    "ghash_stages": (1, 2, 3, 4, 5),
    "multiplier": ("mixed_15_small", "ko5_small", "ko4_small"),
    "slots": ("queue", "line"),
}
"""What a search varies of a pipelined core."""
SHARING = ("off", "on")
"""And of several lanes."""

SEARCHED = ("default", "balanced", "quad", "100g")
"""Presets whose class is searched: their figure is throughput for gates."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One measured core of a preset's class."""

    preset: str
    settings: tuple[str, ...]
    """Beside those of the preset as it was then; with them the command gives the core again."""
    config: Mapping[str, Any]
    """What differs from the defaults of all options."""
    area_ge: float
    fmax_mhz: float
    short_bits: float
    """A cycle, of packets of 64 bytes."""
    long_bits: float
    """A cycle, of long packets."""
    command: str
    version: str

    @property
    def core(self) -> CoreConfig:
        lists = {name: tuple(v) for name, v in self.config.items() if isinstance(v, list)}
        return CoreConfig(**{**self.config, **lists})

    @property
    def per_gate(self) -> float:
        """kbit/s per gate of long packets."""
        return self.long_bits * self.fmax_mhz * 1000 / self.area_ge


def rows() -> list[Row]:
    """What is kept."""
    if not DATA.exists():
        return []
    return [
        Row(**{**row, "settings": tuple(row["settings"])}) for row in json.loads(DATA.read_text())
    ]


def of_class(config: CoreConfig, other: CoreConfig) -> bool:
    """Whether a core promises all that another one does, but for its bits a cycle."""
    same = (
        "lanes", "key_sizes", "contexts", "iv", "release", "zeroise", "key_unit", "j0", "tail",
        "aad_lanes", "registers", "profile",
    )  # fmt: skip
    return all(config[name] == other[name] for name in same)


def best(name: str, kept: Sequence[Row]) -> tuple[Row | None, Row | None]:
    """Of the kept cores of a preset's class: the preset itself, and the best that is as good with
    short packets."""
    mine = [row for row in kept if row.preset == name]
    wanted = _differing(PRESETS[name].config)
    own = next((row for row in mine if row.config == wanted), None)
    if own is None:
        return None, None
    as_good = [row for row in mine if row.short_bits >= own.short_bits * 0.999]
    return own, max(as_good, key=lambda row: row.per_gate)


def candidates(config: CoreConfig, count: int) -> Iterator[tuple[str, ...]]:
    """Settings of so many cores of its class that are estimated best, the best first."""
    free = dict(FREE) | ({"counter_sharing": SHARING} if config.lanes > 1 else {})
    fixed = {name: [value] for name, value in config.to_mapping().items() if name not in free}
    axes = fixed | {name: list(values) for name, values in free.items()}
    cores = Space.from_mapping(axes).survey().points
    figures = ((estimate(core, TARGET, 9_000).kbit_per_s_per_gate, core) for core in cores)
    rated = [(figure, core) for figure, core in figures if figure is not None]
    rated.sort(key=lambda one: -one[0])
    firsts: dict[tuple[str, int], CoreConfig] = {}
    for _, core in rated:
        firsts.setdefault((core.sbox, core.aes_substages), core)
    for core in itertools.islice(firsts.values(), count):
        yield tuple(f"{name}={core[name]}" for name in free)


def add(name: str, settings: tuple[str, ...], console: Console) -> Row:
    """Measure a core of a preset's class and keep it."""
    config = load_config(None, name, settings)
    if not of_class(config, PRESETS[name].config):
        raise ConfigError(f"{' '.join(settings)}: not of the class of {name}")
    result = measure(
        what=name, target=TARGET, settings=settings, effort="quick",
        progress=lambda step: None,
    )  # fmt: skip
    largest = max(config.key_sizes)
    assert result.timing is not None and result.throughput is not None
    rates = [rate for rate in result.throughput.rates if rate.key_bits == largest]
    row = Row(
        preset=name,
        settings=settings,
        config=_differing(config),
        area_ge=round(result.area_ge or 0, 1),
        fmax_mhz=round(result.timing.fmax_mhz or 0, 2),
        short_bits=round(next(r.bits_per_cycle for r in rates if r.packet_bytes == PACKET), 2),
        long_bits=round(max(rates, key=lambda rate: rate.packet_bytes).bits_per_cycle, 2),
        command=_command(config, name, settings),
        version=project_version(),
    )
    kept = [one for one in rows() if (one.preset, one.config) != (row.preset, row.config)]
    DATA.write_text(json.dumps([asdict(one) for one in [*kept, row]], indent=1) + "\n")
    console.print(f"{row.per_gate:6.1f} kbit/s per gate  {row.command}", soft_wrap=True)
    return row


def _command(config: CoreConfig, name: str, settings: tuple[str, ...]) -> str:
    if config == PRESETS[name].config:
        return f"gcmforge measure {name} --target {TARGET} --effort quick"
    words = " ".join(f"--set {setting}" for setting in settings)
    return f"gcmforge measure {name} {words} --target {TARGET} --effort quick"


def _differing(config: CoreConfig) -> dict[str, Any]:
    """Options that are not the default, as JSON has them."""
    plain = asdict(CoreConfig())
    made = {name: value for name, value in asdict(config).items() if value != plain[name]}
    return dict(json.loads(json.dumps(made)))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument(
        "--measure", type=int, default=6, metavar="COUNT", help="0: the preset only"
    )
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    asked = parser.parse_args(arguments)
    console = Console()
    if unknown := set(asked.names) - set(SEARCHED):
        parser.error(f"{', '.join(sorted(unknown))}: there is {', '.join(SEARCHED)}")
    for name in asked.names:
        add(name, tuple(asked.set), console)
        if asked.set:
            continue
        for settings in candidates(PRESETS[name].config, asked.measure):
            add(name, settings, console)
    console.print(_table(rows()))
    return 0


def _table(kept: Sequence[Row]) -> Table:
    table = Table("preset", "cores", "GE", "MHz", "bits at 64 B", "kbit/s per gate", "best", "by")
    for name in SEARCHED:
        own, top = best(name, kept)
        if own is None or top is None:
            table.add_row(name, "not measured as it is now")
            continue
        table.add_row(
            name, str(sum(row.preset == name for row in kept)), f"{own.area_ge:,.0f}",
            f"{own.fmax_mhz:.0f}", f"{own.short_bits:.1f}", f"{own.per_gate:.1f}",
            f"{top.per_gate:.1f}", " ".join(top.settings) if top != own else "the preset",
        )  # fmt: skip
    return table

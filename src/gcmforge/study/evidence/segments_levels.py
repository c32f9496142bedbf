# SPDX-License-Identifier: Apache-2.0
"""GHASH of a core with segments by its parts, and what a second level of products would save.

gcmforge-study run segments-levels [--preset 400ge] [--set lanes=8 ...] [--target ihp-sg13g2]
                                   [--clock 2.55]

As it is built, a block is multiplied by H^R, with R up to lanes x stages + 1: each of these powers
is stored for each context. With two levels a segment of B blocks is summed with H to H^(2B - 1)
only, and a second product raises the sum by H^(kB). The sum that goes on from beat to beat joins
there, with H^R, which one more product makes of both factors. Parts that both need are mapped once
more with the sizes that each asks; powers that are stored count by their number.
"""

import argparse
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from gcmforge.config import CoreConfig
from gcmforge.config.presets import load_config
from gcmforge.emit.core import core_files
from gcmforge.emit.rtl import gather
from gcmforge.engines.gcm_segments.engine import answers, blocks
from gcmforge.netlist.targets import find_target, library_of
from gcmforge.synth.mapping import own_area

DOT, GHASH, FACTORS, TAGS = "gf128_dot", "segments_ghash", "segments_factors", "segments_tags"
Row = tuple[str, float, float]
"""What, and the gates of it in one level and in two."""


class Mapper:
    """Modules of a core mapped by themselves; what is below each, in GE."""

    def __init__(self, config: CoreConfig, target: str, clock_ns: float) -> None:
        self.config, self.clock_ns = config, clock_ns
        self.target = find_target(target)
        self.library = library_of(self.target)
        self.texts = _texts(config)

    def parts(self, top: str, leaf: str | None = None, **parameters: int) -> dict[str, float]:
        """By module, numbers of variants aside; `leaf` in place of the core's sum of products."""
        from gcmforge.synth.synthesis import synthesise

        texts = gather(top, {}, self.texts | ({DOT: leaf} if leaf else {}))
        texts[top] = with_parameters(texts[top], parameters)
        with tempfile.TemporaryDirectory() as folder:
            files = [Path(folder, f"{name}.sv") for name in texts]
            for file in files:
                file.write_text(texts[file.stem], encoding="utf-8")
            mapped = synthesise(
                files, self.target, top=top, clock_ns=self.clock_ns, effort="quick",
                goal="balanced", progress=lambda _: None,
            )  # fmt: skip
        found: dict[str, float] = {}
        for _, module in mapped.netlist.instances():
            cells = mapped.netlist.modules[module].cells.values()
            own = Counter(cell.type for cell in cells)
            name = re.sub(r"_\d+$", "", module)
            found[name] = found.get(name, 0.0) + (
                own_area(own, self.library, module) / self.target.nand2_area
            )
        return found

    def gates(self, top: str, leaf: str | None = None, **parameters: int) -> float:
        return sum(self.parts(top, leaf, **parameters).values())


def _texts(config: CoreConfig) -> dict[str, str]:
    files, rtl, _ = core_files(config, prove=False)
    return {Path(name).stem: files[name] for name in rtl}


def _with_lanes(config: CoreConfig, lanes: int) -> CoreConfig:
    """A core whose one sum of products has so many, of the same circuits."""
    return CoreConfig(
        lanes=lanes, ghash=config.ghash, multiplier=config.multiplier,
        ghash_stages=config.ghash_stages,
    )  # fmt: skip


def with_parameters(text: str, parameters: Mapping[str, int]) -> str:
    """A module's text with other defaults. ValueError where it has no such parameter."""
    for name, value in parameters.items():
        text, count = re.subn(rf"(parameter int {name} = )\d+", rf"\g<1>{value}", text)
        if count != 1:
            raise ValueError(f"parameter int {name}: {count} of them, and one was to be set")
    return text


def powers(config: CoreConfig) -> tuple[int, int, int]:
    """How many are stored in one level; of two levels, the low ones and those that raise."""
    count, size = config.lanes * config.ghash_stages + 1, blocks(config)
    return count, 2 * size - 1, count // size - 1


def rows(config: CoreConfig, target: str, clock_ns: float) -> Iterator[Row]:
    """Every part that is not the same in both."""
    mapper, segments, size = Mapper(config, target, clock_ns), config["segments"], blocks(config)
    stages, (count, low, raising) = config.ghash_stages, powers(config)
    built = mapper.parts(GHASH, Segments=segments, Stages=stages)

    stored = built["segments_store"] + built.get("gcm_ram", 0.0)  # this where one segment reads
    fewer = low + raising - 1  # H^B is one of both
    yield f"{count} powers of H stored, or {fewer}", stored, stored * fewer / count

    chosen = sum(
        mapper.gates(FACTORS, Blocks=size, Powers=count - segment * size)
        for segment in range(segments)
    )
    of_block = mapper.gates(FACTORS, Blocks=size, Powers=low)
    of_sum = mapper.gates(FACTORS, Blocks=1, Powers=raising + 1)  # 1 is one of them
    yield "choice of factors", chosen, segments * of_block + (segments + 1) * of_sum

    one, two = (mapper.gates(DOT, _texts(_with_lanes(config, lanes))[DOT]) for lanes in (1, 2))
    yield "products that raise sums, and the factor of what goes on", 0.0, segments * one + two

    flip_flop = min(
        cell.area / mapper.target.nand2_area
        for cell in mapper.library.cells.values()
        if cell.flip_flop
    )
    registers = 128 * (2 * segments + 2) + stages * segments * (raising.bit_length() + 5)
    yield f"{registers:,} flip-flops around them", 0.0, flip_flop * registers

    now, later = (
        mapper.gates(TAGS, Segments=segments, Depth=answers(config) + more) for more in (0, stages)
    )
    yield f"answers that wait {stages} cycles longer", now, later


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--preset", default="400ge")
    parser.add_argument("--set", dest="settings", nargs="*", default=[])
    parser.add_argument("--target", default="ihp-sg13g2")
    parser.add_argument("--clock", type=float, default=2.55)
    asked = parser.parse_args(arguments)
    config = load_config(None, asked.preset, tuple(asked.settings))
    if config.core != "segments" or blocks(config) < 2:
        parser.error(f"{asked.preset}: needs core=segments, with two blocks in a segment or more")
    table = Table("GE", "one level", "two levels", title=f"{config.summary}, {asked.target}")
    sums = [0.0, 0.0]
    for what, *both in rows(config, asked.target, asked.clock):
        table.add_row(what, *(f"{gates:,.0f}" for gates in both))
        sums = [total + gates for total, gates in zip(sums, both, strict=True)]
    table.add_section()
    table.add_row("sum", *(f"{gates:,.0f}" for gates in sums))
    Console(width=120).print(table)
    saved = sums[0] - sums[1]
    verb = "save" if saved > 0 else "cost"
    print(f"two levels {verb} {abs(saved):,.0f} GE, and take {config.ghash_stages} cycles more")
    return 0

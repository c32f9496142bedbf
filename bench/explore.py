# SPDX-License-Identifier: Apache-2.0
"""Estimates of cores: measure what calibrates and checks them, show how far off they are.

python bench/explore.py gather [--target osu018] [--effort quick] [--seed 3] [--points 90]
python bench/explore.py validate [--target osu018] [--within 10]
python bench/explore.py time [SPACE.toml]

    gather    measure seeded random cores, and write the points into the package's data; goes on
              where it stopped, and after each point what there is is written
    validate  the points that did not calibrate, estimated and measured side by side; exit code 1
              when area or Fmax of any is off by more than that many percent
    time      how long the estimates of a space take, from a fresh process
"""

import argparse
import json
import random
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from gcmforge.config import ConfigError, CoreConfig, default_of
from gcmforge.explore.calibration import data_of
from gcmforge.explore.estimate import accuracy, errors, estimate_all
from gcmforge.explore.space import Space
from gcmforge.measure.bound import bind
from gcmforge.measure.scripts import Effort
from gcmforge.measure.store import project_version
from gcmforge.measure.subject import find_subject
from gcmforge.measure.synthesis import synthesise
from gcmforge.measure.targets import Target, find_target, library_of
from gcmforge.measure.timing import TimingGraph
from gcmforge.tools import yosys_version

ROOT = Path(__file__).parents[1]
DATA = ROOT / "src" / "gcmforge" / "explore" / "data"

CHOICES: dict[str, list[Any]] = {
    "lanes": [1] * 17 + [2] * 3,
    "key_sizes": [(128,), (128,), (128, 192, 256), (128, 192, 256), (256,), (128, 256)],
    "contexts": [1, 1, 2, 4, 4, 8],
    "aes": ["pipelined"] * 4 + ["loop"] * 5 + ["loop_parallel"],
    "key_schedule": ["stored", "travelling"],
    "counter_sharing": ["off", "off", "on"],
    "sbox": [
        "table", "boyar_peralta", "mozaffari_2012", "small", "small", "fast", "fast", "fast",
        "merged_phi3_nu8", "mixed", "normal_phi1_nu2",
    ],
    "mix_columns": ["small", "depth3", "depth4"],
    "ghash": [
        *["aggregated"] * 6, *["serial"] * 3, "dot", "shared_reduction", "interleaved", "log_tail"
    ],
    "multiplier": [
        "mastrovito", "ko2", "ko3", "ko4", "ko5", "ko6", "ko4_fast", "ko5_fast", "mixed_14",
        "mixed_16", "ko4_small", "ko5_small", "mixed_15_small", "mixed_15_small",
    ],
    "iv": ["any", "any", "96"],
}  # fmt: skip
"""Mostly small cores, which are measured in half a minute each."""

ENGINE: dict[str, dict[str, list[Any]]] = {
    "loop": {"aes_rounds": [1, 1, 2, 3, 4, 5], "aes_substages": [1, 1, 1, 2]},
    "loop_parallel": {"aes_loops": [2, 3, 4]},
    "pipelined": {"aes_substages": [1, 1, 1, 2]},
}
STAGES = [1, 1, 1, 2, 2, 3]
ARCHITECTURE: dict[str, dict[str, list[Any]]] = {
    "aggregated": {"ghash_stages": STAGES},
    "dot": {"ghash_stages": STAGES},
    "shared_reduction": {"ghash_stages": STAGES},
    "log_tail": {"squarers": ["cascade", "parallel", "hybrid"]},
}


# Measuring ----------------------------------------------------------------------------------------


def drawn(seed: int) -> Iterator[CoreConfig]:
    """Random cores, the same for the same seed."""
    draw = random.Random(seed)
    while True:
        values = {name: draw.choice(choices) for name, choices in CHOICES.items()}
        more = ENGINE[values["aes"]] | ARCHITECTURE.get(values["ghash"], {})
        values |= {name: draw.choice(choices) for name, choices in more.items()}
        try:
            yield CoreConfig.from_mapping(values)
        except ConfigError:
            continue


def measured(config: CoreConfig, target: Target, effort: Effort) -> dict[str, Any]:
    """A point for the data: area by block, the slowest path, and that into each part."""
    subject = find_subject(config)
    with subject.folder() as folder:
        found = synthesise(
            [folder / name for name in subject.texts], target, top=subject.top, effort=effort,
            goal="balanced", jobs=1,
        )  # fmt: skip
    graph = TimingGraph(
        bind(found.netlist, library_of(target)),
        driving_cell=target.driving_cell,
        load_ff=target.load_ff,
    )
    ends: dict[str, float] = defaultdict(float)
    arrivals = graph.arrival[graph.checks.node] + graph.setup
    for cell, arrival in zip(graph.checks.cell.tolist(), arrivals.tolist(), strict=True):
        part = part_of(graph.bound.instance(cell))
        ends[part] = max(ends[part], arrival)
    changed = {
        name: value
        for name, value in config.to_mapping().items()
        if getattr(config, name) != default_of(name)
    }
    return {
        "config": changed,
        "area_ge": round(found.area_ge, 1),
        "delay": round(graph.timing().critical_path_ns, 4),
        "blocks": {name: round(block.area_ge, 1) for name, block in found.by_block.items()},
        "ends": {name: round(value, 3) for name, value in sorted(ends.items())},
    }


def part_of(instance: str) -> str:
    """The instance below the core that a cell is in."""
    names = instance.split(".")
    return next((name for name in names[1:2] if name.startswith("u_")), "core")


def gather(target_name: str, effort: Effort, seed: int, points: int) -> int:
    file = DATA / f"{target_name}.json"
    target = find_target(target_name)
    kept: list[dict[str, Any]] = json.loads(file.read_text())["points"] if file.is_file() else []
    known = [CoreConfig.from_mapping(point["config"]) for point in kept]
    wanted = drawn(seed)
    while len(kept) < points:
        config = next(wanted)
        if config in known:
            continue
        began = time.perf_counter()
        kept.append(measured(config, target, effort))
        known.append(config)
        command = (
            f"python bench/explore.py gather --target {target_name} --effort {effort} "
            f"--seed {seed} --points {points}"
        )
        written = {
            "target": target_name,
            "effort": effort,
            "command": command,
            "versions": f"gcmforge {project_version()}, yosys {yosys_version()}",
            "points": kept,
        }
        file.write_text(json.dumps(written, indent=1) + "\n")
        seconds = time.perf_counter() - began
        print(f"{len(kept)} of {points}: {config.summary}: {seconds:.0f} s", flush=True)
    return 0


# How far off --------------------------------------------------------------------------------------


def validate(target: str, within: float) -> int:
    data = data_of(target)
    table = Table("core", "GE", "estimated", "off", "slowest path", "estimated", "Fmax off")
    for error in errors(target, data.validate):
        sample = error.sample
        table.add_row(
            ", ".join(sample.config.settings),
            f"{sample.area_ge:,.0f}",
            f"{sample.area_ge * (1 + error.area):,.0f}",
            f"{error.area:+.1%}",
            f"{sample.delay:.2f}",
            f"{sample.delay * (1 + error.delay):.2f}",
            f"{1 / (1 + error.delay) - 1:+.1%}",
        )
    Console(width=160).print(table)
    told = accuracy(target)
    print(f"{told.text}; calibrated on {told.calibrated_on} others")
    return int(100 * max(told.worst_area, told.worst_fmax) > within)


def timed(file: Path, target: str) -> int:
    began = time.perf_counter()
    survey = Space.from_toml(file).survey()
    sorted_out = time.perf_counter()
    points = estimate_all(survey.points, target, 1_500)
    end = time.perf_counter()
    print(
        f"{len(points):,} points of {survey.combinations:,} combinations: sorted out in "
        f"{sorted_out - began:.1f} s, estimated in {end - sorted_out:.1f} s"
    )
    return int(end - began > 60)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("gather", "validate", "time"))
    parser.add_argument("space", type=Path, nargs="?", default=ROOT / "examples/explore-wide.toml")
    parser.add_argument("--target", default="osu018")
    parser.add_argument("--effort", choices=("quick", "normal", "high"), default="quick")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--points", type=int, default=90)
    parser.add_argument("--within", type=float, default=10.0)
    asked = parser.parse_args()
    if asked.what == "gather":
        return gather(asked.target, asked.effort, asked.seed, asked.points)
    if asked.what == "validate":
        return validate(asked.target, asked.within)
    return timed(asked.space, asked.target)


if __name__ == "__main__":
    sys.exit(main())

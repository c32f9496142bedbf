# SPDX-License-Identifier: Apache-2.0
"""What the estimates of cores are calibrated by: random cores and leaves, measured.

    gcmforge-study run calibration leaves [--target osu018] [--effort quick]
    gcmforge-study run calibration gather [--target osu018] [--effort quick] [--cores small]
                                          [--seed 4] [--points 60]
    gcmforge-study run calibration products
    gcmforge-study run calibration placed small examples/cores/smallest.toml [--target osu018]
                                          [--effort quick]

    leaves    measure every S-box and column of MixColumns by itself that the data does not have
    gather    measure so many seeded random cores, and write them into the package's data, each as
              it comes; goes on where it stopped
    products  gates, registers and depth of multipliers, from circuits, into the package's data
    placed    measure these cores with `gcmforge measure --placed`; what wires cost them is the
              package's data, in place of what was there

The data is src/gcmforge/explore/data, made from a clean commit only. `python bench/explore.py
validate` shows how far off the estimates are.
"""

import argparse
import json
import random
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from gcmforge.config import ConfigError, CoreConfig, default_of, options
from gcmforge.leaf.costs import DATA as LEAF_COSTS
from gcmforge.leaf.costs import make_product, shippable
from gcmforge.measure.measure import measure
from gcmforge.measure.result import Result
from gcmforge.measure.store import project_version
from gcmforge.measure.subject import find_subject
from gcmforge.netlist.targets import Target, find_target, library_of
from gcmforge.sta.bound import bind
from gcmforge.sta.graph import TimingGraph
from gcmforge.study.checkout import ROOT, clean_commit
from gcmforge.synth.scripts import Effort
from gcmforge.synth.synthesis import synthesise
from gcmforge.tools import yosys_version

DATA = ROOT / "src" / "gcmforge" / "explore" / "data"

Choices = dict[str, list[Any]]

MULTIPLIERS = [
    "mastrovito", "ko2", "ko3", "ko4", "ko5", "ko6", "ko4_fast", "ko5_fast", "mixed_14", "mixed_16",
    "ko4_small", "ko5_small", "mixed_15_small", "mixed_15_small",
]  # fmt: skip
SBOXES_DRAWN = [
    "table", "boyar_peralta", "mozaffari_2012", "small", "small", "fast", "fast", "fast",
    "merged_phi3_nu8", "mixed", "normal_phi1_nu2",
]  # fmt: skip
ARCHITECTURES = [
    *["aggregated"] * 6, *["serial"] * 3, "dot", "shared_reduction", "interleaved", "log_tail"
]  # fmt: skip
SIZES = [(128,), (128, 192, 256), (256,), (128, 256)]


def choices(
    lanes: list[int], sizes: list[tuple[int, ...]], contexts: list[int], engines: list[str]
) -> Choices:
    return {
        "lanes": lanes,
        "key_sizes": sizes,
        "contexts": contexts,
        "aes": engines,
        "key_schedule": ["stored", "travelling"],
        "counter_sharing": ["off", "off", "on"],
        "sbox": SBOXES_DRAWN,
        "mix_columns": ["small", "depth3", "depth4"],
        "ghash": ARCHITECTURES,
        "multiplier": MULTIPLIERS,
        "iv": ["any", "any", "96"],
    }


@dataclass(frozen=True, kw_only=True, slots=True)
class Cores:
    """What random cores are drawn from: options of all, of an engine, of a GHASH in stages."""

    every: Choices
    engine: dict[str, Choices]
    stages: list[int]


CORES = {
    "wide": Cores(
        every=choices(
            [1] * 17 + [2] * 3,
            [SIZES[0], SIZES[0], SIZES[1], SIZES[1], SIZES[2], SIZES[3]],
            [1, 1, 2, 4, 4, 8],
            ["pipelined"] * 4 + ["loop"] * 5 + ["loop_parallel"],
        ),
        engine={
            "loop": {"aes_rounds": [1, 1, 2, 3, 4, 5], "aes_substages": [1, 1, 1, 2]},
            "loop_parallel": {"aes_loops": [2, 3, 4]},
            "pipelined": {"aes_substages": [1, 1, 1, 2]},
        },
        stages=[1, 1, 1, 2, 2, 3],
    ),
    "small": Cores(
        every=choices(
            [1] * 19 + [2],
            [SIZES[0], SIZES[0], SIZES[0], SIZES[1], SIZES[2], SIZES[3]],
            [1, 1, 1, 2, 2, 4],
            ["pipelined"] * 3 + ["loop"] * 8 + ["loop_parallel"],
        ),
        engine={
            "loop": {"aes_rounds": [1, 1, 1, 2, 2, 4], "aes_substages": [1, 1, 1, 1, 1, 2]},
            "loop_parallel": {"aes_loops": [2, 3]},
            "pipelined": {"aes_substages": [1, 1, 1, 1, 1, 2]},
        },
        stages=[1, 1, 1, 1, 2, 2],
    ),
    "cut": Cores(
        every=choices(
            [1] * 9 + [2],
            [SIZES[0], SIZES[0], SIZES[0], SIZES[1], SIZES[2], SIZES[3]],
            [1, 1, 1, 2, 2, 4],
            ["pipelined"] * 2 + ["loop"] * 7 + ["loop_parallel"],
        ),
        engine={
            "loop": {"aes_rounds": [1, 1, 2, 2, 4], "aes_substages": [1, 1, 2, 2, 3]},
            "loop_parallel": {"aes_loops": [2, 3, 4]},
            "pipelined": {"aes_substages": [1, 2, 3]},
        },
        stages=[1, 1, 2, 2, 3],
    ),
    "line": Cores(
        every=choices([1] * 5 + [2], SIZES[:1] * 2 + SIZES[1:], [1, 1, 2, 4], ["pipelined"])
        | {"ghash": ["aggregated"], "slots": ["line"]},
        engine={"pipelined": {"aes_substages": [1, 1, 2, 2, 3]}},
        stages=[1, 2, 2, 3],
    ),
    "tables": Cores(
        every=choices([1], [SIZES[0]], [1], ["loop"])
        | {"ghash": ["window"], "multiplier": [default_of("multiplier")]},
        engine={"loop": {"aes_substages": [1, 2]}},
        stages=[1],
    ),
}
"""`small` and `cut` are measured in 20 s each of a processor that is free, `wide` in 40."""


# Measuring ----------------------------------------------------------------------------------------


def drawn(cores: Cores, seed: int) -> Iterator[CoreConfig]:
    """Random cores, the same for the same seed."""
    draw = random.Random(seed)
    staged = {"ghash_stages": cores.stages}
    architecture: dict[str, Choices] = {
        "aggregated": staged,
        "dot": staged,
        "shared_reduction": staged,
        "log_tail": {"squarers": ["cascade", "parallel", "hybrid"]},
        "window": {"window_bits": [2, 3]},
    }
    while True:
        values = {name: draw.choice(some) for name, some in cores.every.items()}
        more = cores.engine[values["aes"]] | architecture.get(values["ghash"], {})
        values |= {name: draw.choice(some) for name, some in more.items()}
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
        clock_slew_ns=target.clock_transition_ns,
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


def gather(target: Target, effort: Effort, name: str, seed: int, wanted: int) -> int:
    data = read(target, effort)
    mine = [p for p in data["points"] if (p["cores"], p["seed"]) == (name, seed)]
    for number, config in enumerate(islice(drawn(CORES[name], seed), wanted)):
        if number < len(mine):
            if CoreConfig.from_mapping(mine[number]["config"]) != config:
                raise SystemExit(f"point {number} of the data is not that of seed {seed}")
            continue
        began = time.perf_counter()
        point = measured(config, target, effort)
        data["points"].append({"cores": name, "seed": seed, **point})
        write(data)
        seconds = time.perf_counter() - began
        print(f"{number + 1} of {wanted}: {config.summary}: {seconds:.0f} s", flush=True)
    return 0


def leaves(target: Target, effort: Effort) -> int:
    data = read(target, effort)
    names = [f"aes_sbox/{name}" for name in options()["sbox"].choices]
    names += [f"aes_mix_column/{name}" for name in options()["mix_columns"].choices]
    for name in (name for name in names if name not in data["leaves"]):
        subject = find_subject(name)
        with subject.folder() as folder:
            found = synthesise(
                [folder / text for text in subject.texts], target, top=subject.top, effort=effort,
                goal="balanced", jobs=1,
            )  # fmt: skip
        module = found.modules[subject.top]
        assert module.delay_ns is not None
        data["leaves"][name] = [round(module.area_ge, 2), round(module.delay_ns, 4)]
        write(data)
        print(f"{name}: {module.area_ge:.1f} GE, {module.delay_ns:.2f}", flush=True)
    return 0


def products() -> int:
    found = {
        f"{scheme} {lanes} {stages}": asdict(make_product(scheme, lanes, stages))
        for scheme, lanes, stages in shippable()
    }
    lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(cost)}" for name, cost in found.items())
    (DATA / LEAF_COSTS).write_text(f"{{\n{lines}\n}}\n")
    return 0


def placed(target: Target, effort: Effort, cores: Sequence[str]) -> int:
    """What `gcmforge measure CORE --placed` finds, a core a line; written once all are there."""
    file = DATA / "placed" / f"{target.name}.json"
    points = []
    for core in cores:
        points.append(placed_point(measure(core, target, effort=effort, placed=True)))
        print(f"{points[-1]['command']}: {points[-1]['placed_fmax_mhz']} MHz placed", flush=True)
    lines = ",\n".join(f"  {json.dumps(point)}" for point in points)
    file.parent.mkdir(exist_ok=True)
    file.write_text(f'{{\n "target": "{target.name}",\n "cores": [\n{lines}\n ]\n}}\n')
    return 0


def placed_point(found: Result) -> dict[str, Any]:
    """A placed core for the data."""
    assert found.placed is not None and found.timing is not None
    return {
        "command": found.command,
        "version": found.project_version,
        "area_ge": round(found.area_ge or 0.0, 1),
        "fmax_mhz": round(found.timing.fmax_mhz or 0.0, 2),
        "placed_area_ge": round(found.placed.area_ge, 1),
        "placed_fmax_mhz": round(found.placed.fmax_mhz, 2),
    }


def read(target: Target, effort: Effort) -> dict[str, Any]:
    """The data of a target as they are so far."""
    file = DATA / f"{target.name}.json"
    if not file.is_file():
        return {"target": target.name, "effort": effort, "leaves": {}, "points": []}
    data: dict[str, Any] = json.loads(file.read_text())
    if data["effort"] != effort:
        raise SystemExit(f"{file} has effort {data['effort']}: use it, or remove the file")
    return data


def write(data: dict[str, Any]) -> None:
    """A point a line."""
    data["versions"] = f"gcmforge {project_version()}, yosys {yosys_version()}"
    head = {name: data[name] for name in ("target", "effort", "versions", "leaves")}
    points = ",\n".join(f"  {json.dumps(point)}" for point in data["points"])
    text = json.dumps(head, indent=1).removesuffix("\n}") + f',\n "points": [\n{points}\n ]\n}}\n'
    (DATA / f"{data['target']}.json").write_text(text)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("leaves", "products", "gather", "placed"))
    parser.add_argument("core", nargs="*", help="to be placed: presets, files of options")
    parser.add_argument("--target", default="osu018")
    parser.add_argument("--effort", choices=("quick", "normal", "high"), default="quick")
    parser.add_argument("--cores", choices=tuple(CORES), default="small")
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--points", type=int, default=60)
    asked = parser.parse_args(arguments)
    clean_commit(f"gcmforge-study run calibration {asked.what}")
    if asked.what == "products":
        return products()
    target = find_target(asked.target)
    if asked.what == "placed":
        if not asked.core:
            parser.error("which cores are to be placed? Name presets, or files of options")
        return placed(target, asked.effort, asked.core)
    if asked.what == "leaves":
        return leaves(target, asked.effort)
    return gather(target, asked.effort, asked.cores, asked.seed, asked.points)

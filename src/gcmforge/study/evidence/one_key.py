# SPDX-License-Identifier: Apache-2.0
"""What a multiplier by a fixed key takes, and Table I of Crenne 2011.

    gcmforge-study run one-key keys       100 random keys for each target, one after another
    gcmforge-study run one-key modules    whole modules of one key, mapped by Yosys
    gcmforge-study run one-key placed     Table I's on families that open tools place
    gcmforge-study run one-key wall       seconds on the clock, with nothing else running
    gcmforge-study run one-key text       the tables of docs/theory/fixed-key.md

Results are kept in data/one-key.json; what is there is not measured again. They are made from a
clean commit only.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gcmforge.measure.subject import find_subject
from gcmforge.place.figures import Fpga
from gcmforge.place.fpga import Design, measure_fpga
from gcmforge.specialise import Subkey, make_plan, specialise
from gcmforge.specialise.logic import make_logic
from gcmforge.specialise.plan import TARGETS as SPECIALISED
from gcmforge.study.checkout import clean_commit
from gcmforge.study.kept import FOLDER
from gcmforge.tools import ToolError

KEPT = FOLDER / "one-key.json"
SEED, KEYS = 2011, 100
TARGETS = {"xcv5": "Virtex-5, Virtex-6, 7-series", "xcv4": "Virtex-4, Spartan-3",
           "lut6": "any LUT6 with one output", "gates": "XOR gates"}  # fmt: skip
MODULES: dict[str, dict[str, Any]] = {
    "basic, 1 cycle": {},
    "basic, 2 cycles": {"cycles": 2},
    "chain of 4": {"stages": 4, "skewed": True},
    "chain of 8": {"stages": 8, "skewed": True},
    "2 lanes": {"lanes": 2},
    "4 lanes": {"lanes": 4},
}
PLACED: dict[str, dict[str, Any]] = {
    "basic, 2 cycles": {"cycles": 2},
    "chain of 1": {"stages": 1},
    "chain of 4": {"stages": 4, "skewed": True},
    "chain of 8": {"stages": 8, "skewed": True},
}
"""As in Table I."""
FAMILIES = ("ice40", "nexus", "gatemate")
"""ECP5 stands with the papers' tables. nextpnr's times of Gowin parts leave out most wires and the
flip-flops with an enable: 1,550 MHz for the basic module."""
COMMANDS = (
    ("gcmforge specialise --key-file key.txt -o out --target gates", 5),
    ("gcmforge specialise --key-file key.txt -o out --target xc7", 5),
    ("gcmforge-study zeros 100000000 --seed 2011", 60),
    ("gcmforge specialise --keys 1000-keys.txt -o out --target xc7", 600),
)
"""Commands, and the seconds that they may take on two processors."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("keys", "modules", "placed", "wall", "text"))
    what = parser.parse_args(arguments).what
    if what == "text":
        print(text())
        return 0
    clean_commit(f"gcmforge-study run one-key {what}")
    {
        "keys": measure_keys, "modules": measure_modules, "placed": measure_placed,
        "wall": measure_walls,
    }[what]()  # fmt: skip
    return 0


def kept() -> dict[str, Any]:
    """By what was asked: its rows."""
    found: dict[str, Any] = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    return {"keys": {}, "modules": {}, "placed": {}, "wall": {}} | found


def keep(kind: str, name: str, result: dict[str, Any]) -> None:
    results = kept()
    results.setdefault(kind, {})[name] = result
    KEPT.write_text(json.dumps(results, indent=1) + "\n")


def subkeys() -> list[Subkey]:
    """H itself is drawn: for a block cipher's key it would be as random."""
    rng = random.Random(SEED)
    return [Subkey(rng.getrandbits(128)) for _ in range(KEYS)]


def measure_keys() -> None:
    for target in TARGETS:
        if target in kept()["keys"]:
            continue
        made = [make_logic(subkey, make_plan(target=target), proven=False) for subkey in subkeys()]
        row: dict[str, list[float]] = {
            "units": [logic.units for logic in made],
            "levels": [logic.depth for logic in made],
            "seconds": [round(logic.seconds, 3) for logic in made],
        }
        keep("keys", target, row)
        print(target, statistics.fmean(row["units"]), flush=True)


def measure_modules() -> None:
    for family in ("xcv5", "xcv4"):
        for name, options in MODULES.items():
            row = f"{family}: {name}"
            if row in kept()["modules"]:
                continue
            found = mapped(family, options)
            keep("modules", row, found)
            print(row, found, flush=True)


def measure_placed() -> None:
    """Table I's rows with a clock, and the throughput at it."""
    for family in FAMILIES:
        for name, options in PLACED.items():
            row = f"{family}: {name}"
            if row in kept()["placed"]:
                continue
            try:
                _, found = _of_family(family, options, place=True)
            except ToolError as error:  # it does not fit, or the tool ends
                keep("placed", row, {"error": str(error).splitlines()[0]})
                print(row, error, flush=True)
                continue
            assert found.fmax_mhz is not None
            bits = 128 * options.get("stages", 1) / options.get("cycles", 1)
            result = {
                "device": found.device, "luts": found.luts, "fmax_mhz": found.fmax_mhz,
                "gbit_per_s": bits * found.fmax_mhz / 1000,
            }  # fmt: skip
            keep("placed", row, result)
            print(row, result, flush=True)


def mapped(family: str, options: dict[str, Any]) -> dict[str, int]:
    """Counts of the whole module of the first key, registers and all."""
    made, found = _of_family(family, options, place=False)
    return {"leaf": made, "luts": found.luts, "flip_flops": found.flip_flops}


def _of_family(family: str, options: dict[str, Any], *, place: bool) -> tuple[int, Fpga]:
    """LUTs of a multiplier, and the whole module of the first key."""
    target = family if family in SPECIALISED else "lut4"
    with tempfile.TemporaryDirectory() as folder:
        made = specialise(subkeys()[0], make_plan(target=target, **options), Path(folder) / "key")
        subject = find_subject(made.path)
        with subject.folder() as texts:
            files = tuple(texts / name for name in subject.texts)
            design = Design(files=files, top=subject.top, ports=subject.ports, clock="clk")
            return made.units, measure_fpga(design, family, place=place)


def measure_walls() -> None:
    """Each command as a user has it: a process, cold caches, its folder written."""
    modules = {"gcmforge": "gcmforge", "gcmforge-study": "gcmforge.study"}
    for command, goal in COMMANDS:
        if command in kept()["wall"]:
            continue
        program, *arguments = command.split()
        with tempfile.TemporaryDirectory() as folder:
            rng = random.Random(SEED)
            keys = [rng.randbytes(16).hex() for _ in range(1_000)]
            (Path(folder) / "key.txt").write_text(keys[0])
            (Path(folder) / "1000-keys.txt").write_text("\n".join(keys))
            load, begun = os.getloadavg()[0], time.perf_counter()
            subprocess.run(
                [sys.executable, "-m", modules[program], *arguments], check=True, cwd=folder,
                env=os.environ | {"GCMFORGE_CACHE": f"{folder}/cache"}, stdout=subprocess.DEVNULL,
            )  # fmt: skip
            seconds = round(time.perf_counter() - begun, 1)
        found = {"seconds": seconds, "goal": goal, "processors": os.cpu_count(), "load": load}
        keep("wall", command, found)
        print(command, found, flush=True)


def _told(error: str) -> str:
    """Why a module has no clock, for the table."""
    told = {"no BELs": "does not fit", "not done after": "not done within an hour"}
    return next(
        (words for found, words in told.items() if found in error), "nextpnr ends with a fault"
    )


def text() -> str:
    results = kept()
    lines = ["| for | least | mean | most | levels | seconds a key |", "|" + " --- |" * 6]
    for target, row in results["keys"].items():
        units = row["units"]
        lines.append(
            f"| {TARGETS[target]} | {min(units):,} | {statistics.fmean(units):,.1f} "
            f"| {max(units):,} | {min(row['levels'])} to {max(row['levels'])} "
            f"| {statistics.fmean(row['seconds']):.2f} |"
        )
    lines += ["", "| module | logic of a multiplier | LUTs | flip-flops |", "|" + " --- |" * 4]
    for name, row in results["modules"].items():
        lines.append(f"| {name} | {row['leaf']:,} | {row['luts']:,} | {row['flip_flops']:,} |")
    lines += ["", "| placed | on | LUTs | MHz | Gbit/s |", "|" + " --- |" * 2 + " ---: |" * 3]
    for name, row in results["placed"].items():
        if error := row.get("error"):
            lines.append(f"| {name} | {_told(error)} | | | |")
            continue
        figures = f"{row['luts']:,} | {row['fmax_mhz']:.1f} | {row['gbit_per_s']:.1f}"
        lines.append(f"| {name} | {row['device']} | {figures} |")
    lines += ["", "| command | seconds | goal | load before |", "| --- | ---: | ---: | ---: |"]
    for name, row in results["wall"].items():
        cells = (f"`{name}`", row["seconds"], row["goal"], f"{row['load']:.1f}")
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)

# SPDX-License-Identifier: Apache-2.0
"""What a multiplier by a fixed key takes, and Table I of Crenne 2011.

    python bench/specialise.py keys       100 random keys for each target, one after another
    python bench/specialise.py modules    whole modules of one key, mapped by Yosys
    python bench/specialise.py wall       seconds on the clock, with nothing else running
    python bench/specialise.py text       the tables of docs/theory/fixed-key.md

Results are kept in specialise.json next to this file; what is there is not measured again.
"""

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from gcmforge.measure.subject import find_subject
from gcmforge.place.fpga import Design, measure_fpga
from gcmforge.specialise import Subkey, make_plan, specialise
from gcmforge.specialise.logic import make_logic

KEPT = Path(__file__).with_suffix(".json")
SEED, KEYS = 2011, 100
TARGETS = {"xcv5": "Virtex-5, Virtex-6, 7-series", "xcv4": "Virtex-4, Spartan-3",
           "lut6": "any LUT6 with one output", "gates": "XOR gates"}  # fmt: skip
MODULES = {
    "basic, 1 cycle": {},
    "basic, 2 cycles": {"cycles": 2},
    "chain of 4": {"stages": 4, "skewed": True},
    "chain of 8": {"stages": 8, "skewed": True},
    "2 lanes": {"lanes": 2},
    "4 lanes": {"lanes": 4},
}
COMMANDS = (
    ("gcmforge specialise --key-file key.txt -o out --target gates", 5),
    ("gcmforge specialise --key-file key.txt -o out --target xc7", 5),
    ("gcmforge-study zeros 100000000 --seed 2011", 60),
    ("gcmforge specialise --keys 1000-keys.txt -o out --target xc7", 600),
)
"""Commands, and the seconds that they may take on two processors."""


def kept():
    return json.loads(KEPT.read_text()) if KEPT.exists() else {"keys": {}, "modules": {}}


def keep(kind, name, result):
    results = kept()
    results.setdefault(kind, {})[name] = result
    KEPT.write_text(json.dumps(results, indent=1) + "\n")


def subkeys():
    """H itself is drawn: for a block cipher's key it would be as random."""
    rng = random.Random(SEED)
    return [Subkey(rng.getrandbits(128)) for _ in range(KEYS)]


def measure_keys():
    for target in TARGETS:
        if target in kept()["keys"]:
            continue
        made = [make_logic(subkey, make_plan(target=target), proven=False) for subkey in subkeys()]
        row = {
            "units": [logic.units for logic in made],
            "levels": [logic.depth for logic in made],
            "seconds": [round(logic.seconds, 3) for logic in made],
        }
        keep("keys", target, row)
        print(target, statistics.fmean(row["units"]), flush=True)


def measure_modules():
    for family in ("xcv5", "xcv4"):
        for name, options in MODULES.items():
            row = f"{family}: {name}"
            if row in kept()["modules"]:
                continue
            found = mapped(family, options)
            keep("modules", row, found)
            print(row, found, flush=True)


def mapped(family, options):
    """Counts of the whole module of the first key, registers and all."""
    with tempfile.TemporaryDirectory() as folder:
        made = specialise(subkeys()[0], make_plan(target=family, **options), Path(folder) / "key")
        subject = find_subject(made.path)
        with subject.folder() as texts:
            files = tuple(texts / name for name in subject.texts)
            design = Design(files=files, top=subject.top, ports=subject.ports, clock="clk")
            found = measure_fpga(design, family, place=False)
    return {"leaf": made.units, "luts": found.luts, "flip_flops": found.flip_flops}


def measure_walls():
    """Each command as a user has it: a process, cold caches, its folder written."""
    modules = {"gcmforge": "gcmforge", "gcmforge-study": "gcmforge.study"}
    for command, goal in COMMANDS:
        if command in kept().get("wall", {}):
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


def text():
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
    lines += ["", "| command | seconds | goal | load before |", "| --- | ---: | ---: | ---: |"]
    for name, row in results.get("wall", {}).items():
        cells = (f"`{name}`", row["seconds"], row["goal"], f"{row['load']:.1f}")
        lines.append(f"| {' | '.join(map(str, cells))} |")
    print("\n".join(lines))


if __name__ == "__main__":
    commands = {
        "keys": measure_keys,
        "modules": measure_modules,
        "wall": measure_walls,
        "text": text,
    }
    if sys.argv[1:2] and sys.argv[1] in commands:
        commands[sys.argv[1]]()
    else:
        sys.exit(__doc__)

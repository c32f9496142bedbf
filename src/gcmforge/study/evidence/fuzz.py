# SPDX-License-Identifier: Apache-2.0
"""Files that are almost right, given to what reads them: taken, or refused in one line, or a
finding.

gcmforge-study run fuzz [--input liberty] [--seconds 60] [--files N] [--seed S] [--keep FOLDER]: one
input, or each of the four in turn. The seed is printed; the same seed makes the same files. One
file of each finding is kept in the folder. Exit code 1 where there is a finding.
"""

import argparse
import hashlib
import json
import secrets
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from gcmforge.cache import cache_folder
from gcmforge.study import fuzz as room
from gcmforge.study.checkout import REFERENCE, write_page
from gcmforge.study.fuzz.guard import LIMIT_S, MORE_MEMORY
from gcmforge.study.fuzz.runs import INPUTS, Report, fuzz
from gcmforge.study.kept import Found, Kept, Step

PAGE = REFERENCE / "fuzz.md"
KEPT = Kept("fuzz")
PARTS, SECONDS, SEED = 6, 600, 600
"""An hour of each input, in parts of ten minutes with seeds of their own."""
ENDING_S = 1800
"""After its seconds a run has so long to end what it began."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--input", choices=INPUTS, action="append")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--files", type=int)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args(arguments)
    seed = secrets.randbits(32) if asked.seed is None else asked.seed
    seconds = 60.0 if asked.seconds is None and asked.files is None else asked.seconds
    findings = 0
    for name in asked.input or INPUTS:
        found = fuzz(name, seed=seed, seconds=seconds, files=asked.files, keep=asked.keep)
        print(json.dumps(found.to_mapping()) if asked.json else found.text, flush=True)
        findings += len(found.findings)
    return 1 if findings else 0


# As evidence --------------------------------------------------------------------------------------


def steps() -> Iterator[Step]:
    """Every input, for an hour in parts."""
    for part in range(PARTS):
        for name in INPUTS:
            seed = SEED + part
            yield Step(
                kind="fuzz", name=f"{name}, part {part + 1}", seed=seed, call=kept_run,
                arguments=(name, seed), digest=sources_digest(name),
                command=f"gcmforge-study run fuzz --input {name} --seconds {SECONDS} --seed {seed}",
            )  # fmt: skip


def sources_digest(name: str) -> str:
    """Of what reads the files and of what makes them, without what makes those of other inputs."""
    made = {
        path for path in Path(room.__path__[0]).glob("*.py") if path.stem not in {*INPUTS} - {name}
    }
    files = sorted({*INPUTS[name].files, *map(str, made)})
    texts = b"\0".join(Path(file).read_bytes() for file in files)
    return hashlib.sha256(texts).hexdigest()[:16]


def kept_run(name: str, seed: int) -> Found:
    """In a process of its own, which may end in any way; files of findings stay in the cache."""
    words = ("run", "fuzz", "--input", name, "--seconds", str(SECONDS), "--seed", str(seed))
    run = subprocess.run(
        [sys.executable, "-m", "gcmforge.study", *words, "--json",
         "--keep", str(cache_folder() / "fuzz")],
        capture_output=True, text=True, timeout=SECONDS + ENDING_S,
    )  # fmt: skip
    try:
        data = json.loads(run.stdout)
    except ValueError:
        last = run.stderr.strip().splitlines()[-1:] or ["nothing said"]
        return Found(ok=False, text=f"{name}: ended with {run.returncode}: {last[0]}")
    report = Report(**data)
    return Found(ok=not report.findings, text=report.text, data=data)


INTRODUCTION = f"""\
Written by `gcmforge-study pages fuzz` from what `gcmforge-study evidence fuzz` found, which gives
files that are almost right to the programs that read them. They come from valid files, by changes
of bytes, words, lines and values; a file that reaches a line of the reader's code which none before
it did is changed further. `src/gcmforge/study/evidence/data/fuzz.json` has each run of
{SECONDS // 60} minutes with its seed and the command that repeats it.

A file has to be taken, or refused in one printable line that names it. All else is a finding:
another exception, more than {LIMIT_S:.0f} seconds of the processor, more than
{MORE_MEMORY >> 30} GB, a file that was changed or left by what failed. Some of the files that are
refused, and as many of those that are taken as fit into a third of the time, are given to the
command of `gcmforge` that reads them, too: its exit code and what it says have to be those of a
refusal, or it has to do its work.
"""

READ = {
    "configuration": "`build FILE`, `explore FILE`; `core.toml`, `gcmforge.lock`, "
    "`proofs/proofs.json` and `plan.json` in the folder of a core",
    "vectors": "`verify --vectors`: NIST `.rsp`, JSON in Wycheproof's schema",
    "stores": "results stores by `measure`, `explore` and datasheets; CSV of `explore --mine`",
    "liberty": "`measure --liberty`: `.lib` and `.lib.gz`",
}
LIMITS = """\
What this does not reach: files that only the synthesiser or the simulator reads, keys of
`gcmforge specialise`, and the configuration of a Dask cluster. Commands that work with a file which
was taken need seconds each, so that few were run on Liberty files and vectors.
"""


def write() -> None:
    """The page, from what is kept."""
    write_page(PAGE, page(KEPT.records()), "gcmforge-study pages fuzz")


def page(records: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Lines of the page."""
    yield "# Files that are almost right\n"
    yield INTRODUCTION
    headings = (
        "input", "read by", "minutes", "of the processor", "files", "taken", "refused",
        "commands", "findings", "seeds", "version",
    )  # fmt: skip
    yield f"| {' | '.join(headings)} |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- |"
    for name in INPUTS:
        if runs := [one for one in records if one["found"].get("input") == name]:
            yield row(name, runs)
    yield f"\n{LIMITS}"


def row(name: str, runs: Sequence[Mapping[str, Any]]) -> str:
    """All runs of an input."""
    found = [one["found"] for one in runs]
    sums = [sum(one[key] for one in found) for key in ("tried", "taken", "refused", "commands")]
    kinds = {kind for one in found for kind in one["findings"]}
    seeds = sorted(one["seed"] for one in runs)
    versions = ", ".join(f"`{one}`" for one in dict.fromkeys(one["version"] for one in runs))
    minutes = sum(one["seconds"] for one in runs) / 60
    processor = sum(one["processor_seconds"] for one in found) / 60
    cells = (
        f"`{name}`", READ[name], f"{minutes:.0f}", f"{processor:.1f}",
        *(f"{one:,}" for one in sums), str(len(kinds)), f"{seeds[0]} to {seeds[-1]}", versions,
    )  # fmt: skip
    return f"| {' | '.join(cells)} |"

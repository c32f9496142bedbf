# SPDX-License-Identifier: Apache-2.0
"""The page of rooms: what each part of the package is for, and what it may import.

`python docs/rooms.py` prints AFTER for the files as they are: run it, and name the commit, when the
figures of the page are to be renewed.
"""

import ast
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "gcmforge"

INTRO = """\
The package `src/gcmforge` has these rooms. A room imports only what stands below it in this table;
within a room there is no circle of files. `make lint` checks both, by the contract in
`pyproject.toml`. No file of Python or SystemVerilog has more than 400 lines, in `config/` 300;
a test checks that (the study is exempt).

The product is everything but the `study`, which nothing imports: without it a core is configured,
built, verified, measured and explored as before, which a test does.
"""
BEFORE = {
    "study": "`papers/` (3,160 lines; the largest file 915), searches and page writers among the "
    "30 scripts in `bench/`, and a circle of 23 files with `leaf/`",
    "cli": "`cli.py` (961 lines)",
    "api": "nothing: `import gcmforge` offered a version",
    "report": "`report/`",
    "explore": "`explore/` (its largest file 513 lines), which counted every engine's gates itself",
    "measure": "`measure/` (8,767 lines, its largest file 640)",
    "place": "`measure/`",
    "mapped": "nothing",
    "formal": "nothing",
    "power": "`measure/`",
    "synth": "`measure/`",
    "sta": "`measure/`",
    "netlist": "`measure/`",
    "sim": "`sim/` (its largest file 486 lines)",
    "specialise": "`specialise/` (its largest file 430 lines)",
    "emit": "`build/` (its largest file 428 lines)",
    "engines": "`rtl/`; an engine was described in ten files, and a new GHASH touched 18",
    "leaf": "`leaf/`",
    "circuit": "`circuit/`",
    "model": "`model/`",
    "field": "`field/`",
    "config": "`config.py` (1,025 lines) and `presets.py`",
    "rtl": "`rtl/`, of which a core's folder had files that it did not instantiate",
}
"""Where the content of each room was on commit d53a82b."""

AFTER = {
    "study": (11708, 396),
    "cli": (1819, 356),
    "api": (499, 187),
    "report": (1241, 223),
    "explore": (2362, 323),
    "measure": (1783, 340),
    "place": (535, 381),
    "power": (1333, 293),
    "formal": (1405, 247),
    "synth": (2643, 331),
    "sta": (1224, 395),
    "netlist": (1716, 326),
    "sim": (3859, 393),
    "specialise": (966, 233),
    "emit": (3979, 344),
    "engines": (5770, 306),
    "leaf": (3468, 344),
    "circuit": (5315, 398),
    "model": (331, 134),
    "field": (388, 168),
    "config": (2309, 296),
    "rtl": (6626, 400),
}
"""Lines of Python and SystemVerilog of each room on commit 78f27d8, and its longest file's."""

RTL = "SystemVerilog that every core has: streams, slots, keys, tags, registers, profiles"


def rooms_page(note: str) -> str:
    """A row for each room, the highest first."""
    lines = ["# Rooms\n", note, INTRO]
    lines.append(
        "| room | what it is for | before (d53a82b) | after: lines, longest file (78f27d8) |"
    )
    lines.append("| --- | --- | --- | ---: |")
    for room in [*_layers(), "rtl"]:
        after = "{:,}, {:,}".format(*AFTER[room]) if room in AFTER else "nothing"
        lines.append(f"| `{room}/` | {_says(room)} | {BEFORE[room]} | {after} |")
    lines.append(
        "\nNext to the rooms are `cache.py`, where results that took long are kept; `tools.py`, "
        "which finds the tools; and `version.py`."
    )
    return "\n".join(lines) + "\n"


def _layers() -> list[str]:
    """The rooms that are packages, in the order of the contract."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    contract = next(
        one for one in project["tool"]["importlinter"]["contracts"] if one["id"] == "layers"
    )
    names = [layer.strip("()") for layer in contract["layers"]]
    return [name for name in names if (PACKAGE / name / "__init__.py").is_file()]


def _says(room: str) -> str:
    """The first sentence of the package's docstring."""
    if room == "rtl":
        return RTL
    text = ast.get_docstring(ast.parse((PACKAGE / room / "__init__.py").read_text())) or ""
    return " ".join(text.split("\n\n")[0].split()).removesuffix(".")


def _sizes(room: str) -> tuple[int, int]:
    """Lines of a room's sources, and of the longest file."""
    files = [one for one in (PACKAGE / room).rglob("*") if one.suffix in (".py", ".sv")]
    lines = [len(one.read_text().splitlines()) for one in files]
    return sum(lines), max(lines)


if __name__ == "__main__":
    for name in [*_layers(), "rtl"]:
        print(f'    "{name}": {_sizes(name)},')

# SPDX-License-Identifier: Apache-2.0
"""A core with all mutants of its modules in one simulator; a file chooses which one is in force."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from gcmforge.config import CoreConfig
from gcmforge.emit.core import core_files
from gcmforge.emit.naming import LIST
from gcmforge.sim.core import Core
from gcmforge.study.mutants.sites import (
    CHOSEN,
    PACKAGE,
    Mutant,
    not_in_design,
    with_mutants,
)

CHOICE = "mutant.txt"
"""In the working directory of the simulation: the number of a mutant, or 0."""

_PACKAGE = f"package {PACKAGE};\n  int unsigned chosen = 0;\nendpackage\n"
_READ = f"""
  initial begin
    automatic int file = $fopen("{CHOICE}", "r");
    if (file != 0) begin
      void'($fscanf(file, "%d", {CHOSEN}));
      $fclose(file);
    end
  end
"""
_NOT_CHANGED = {"stream_rules.sv"}


def with_switches(
    files: Mapping[str, str], rtl: Sequence[str], *, leave: Collection[str] = ()
) -> tuple[dict[str, str], list[Mutant]]:
    """The core's SystemVerilog with its mutants, and what they are: the n-th has the number n.

    Changed is every file that is written by hand, but for those named in `leave`.
    """
    mutants: list[Mutant] = []
    texts = {}
    absent = not_in_design({name: files[name] for name in rtl})
    for name in rtl:
        text, own = files[name], Path(name).name
        if name.startswith("rtl/") and own not in {*_NOT_CHANGED, *leave}:
            elsewhere = absent.get(Path(name).stem, frozenset())
            text, found = with_mutants(own, text, len(mutants) + 1, elsewhere)
            mutants += found
        texts[name] = text
    return texts, mutants


def switched(
    config: CoreConfig, folder: Path, *, leave: Collection[str] = ()
) -> tuple[Core, list[Mutant]]:
    """The core in the folder, to be simulated, and its mutants."""
    files, rtl, _ = core_files(config, prove=False)
    texts, mutants = with_switches(files, rtl, leave=leave)
    for name, text in texts.items():
        if Path(name).name == "gcm_axis_core.sv":
            end = text.rindex("endmodule")
            texts[name] = text[:end] + _READ + text[end:]
    package = f"gen/{PACKAGE}.sv"
    texts[package] = _PACKAGE
    texts[LIST] = "".join(f"{name}\n" for name in [package, *rtl])
    texts["core.toml"] = config.to_toml()
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return Core(folder), mutants

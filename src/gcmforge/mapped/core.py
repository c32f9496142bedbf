# SPDX-License-Identifier: Apache-2.0
"""A core that runs as its netlist: synthesised as `gcmforge measure` does, and simulated cell by
cell under the bench, the packets and the scoreboard of every other core.

    core = MappedCore(Path("cores/small"), find_target("osu018"))
    result = core.run(random_traffic(core.config, packets=1_000, seed=1), seed=1)

Every flip-flop begins with a random value. Assertions and coverage points of the SystemVerilog are
not in a netlist; the rules of the streams are checked.
"""

import os
from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from gcmforge.cache import cached, digest
from gcmforge.config import ConfigError
from gcmforge.emit.naming import unnamed_sources
from gcmforge.mapped.text import netlist_text
from gcmforge.netlist.targets import Target, find_target, library_of
from gcmforge.sim.compile import TOP, compile_cells, core_sources
from gcmforge.sim.core import Core
from gcmforge.specialise.core import for_one_key
from gcmforge.synth.scripts import Effort
from gcmforge.tools import yosys_version

_ROOMS = ("netlist", "sta", "synth")


class MappedCore(Core):
    """A core's folder whose simulator is made of its netlist on a target.

    `effort` is that of synthesis: by `normal` the netlist is the one that `gcmforge measure` has
    figures of. It is kept in the cache. `text` is simulated instead where it is given.
    """

    def __init__(
        self,
        core_dir: str | os.PathLike[str],
        target: Target,
        *,
        effort: Effort = "normal",
        text: str = "",
        progress: Callable[[str], None] = lambda step: None,
    ) -> None:
        super().__init__(core_dir, gates=True)
        self.target = target
        self.effort: Effort = effort
        self._text = text
        self._progress = progress

    def library(self, *, waveform: str = "") -> Path:
        with TemporaryDirectory(prefix="gcmforge-mapped-") as folder:
            file = Path(folder, f"{TOP}.sv")
            file.write_text(self.text, encoding="utf-8")
            self._progress("compiling")
            return compile_cells(file, waveform=waveform)

    @property
    def text(self) -> str:
        """The netlist in SystemVerilog."""
        return self._text or str(self.netlist["text"])

    @property
    def summary(self) -> str:
        """What is simulated, in words."""
        cells, flip_flops = self.netlist["cells"], self.netlist["flip_flops"]
        return f"netlist on {self.target.name}: {cells:,} cells, {flip_flops:,} of them flip-flops"

    @cached_property
    def netlist(self) -> dict[str, Any]:
        """`text`, the number of `cells` and of `flip_flops`, and the `seconds` it took to make.
        ConfigError for a core that is made for one key: what holds a key is not kept."""
        if for_one_key(self.path):
            raise ConfigError(f"{self.path}: its gates hold a key; no netlist is kept of it")
        with unnamed_sources(self.path, core_sources(self.path)) as sources:
            texts = (file.read_text(encoding="utf-8") for file in sources)
            key = digest(_program(), yosys_version(), self.target.version, self.effort, *texts)
            return cached("netlist", key, lambda: self._made(sources))

    def _made(self, sources: tuple[Path, ...]) -> dict[str, Any]:
        from gcmforge.synth.synthesis import synthesise

        made = synthesise(
            list(sources), self.target, top=TOP, effort=self.effort, goal="balanced",
            progress=self._progress,
        )  # fmt: skip
        return {
            "text": netlist_text(made.netlist, library_of(self.target)),
            "cells": sum(made.netlist.counts.values()),
            "flip_flops": made.flip_flops,
            "seconds": round(made.seconds, 1),
        }


def mapped_core(
    core_dir: Path, target: str, *, progress: Callable[[str], None] = lambda step: None
) -> MappedCore:
    """The core as its netlist on the target of that name."""
    return MappedCore(core_dir, find_target(target), progress=progress)


@cache
def _program() -> str:
    """Digest of the sources that make a netlist and its text."""
    package = Path(__file__).parents[1]
    files = sorted(file for room in _ROOMS for file in (package / room).glob("*.py"))
    files += [Path(__file__), Path(__file__).with_name("text.py")]
    return digest(*(f"{file.name}\n{file.read_text(encoding='utf-8')}" for file in files))

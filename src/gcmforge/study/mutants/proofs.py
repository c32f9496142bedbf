# SPDX-License-Identifier: Apache-2.0
"""Mutants judged by what `gcmforge prove --control` proves of their module."""

from __future__ import annotations

from pathlib import Path

from gcmforge.config import CoreConfig
from gcmforge.emit.core import core_files
from gcmforge.emit.leaves import leaf_modules
from gcmforge.formal.control import proven_sizes, refuted
from gcmforge.study.mutants.sites import CHOSEN
from gcmforge.study.mutants.switched import with_switches
from gcmforge.tools import ToolError


class Proofs:
    """Those of one core, by the numbers of its mutants in `switched`."""

    def __init__(self, config: CoreConfig) -> None:
        files, rtl, _ = core_files(config, prove=False)
        self._leaves = leaf_modules(config)
        self._texts, _ = with_switches(files, rtl)
        self._sizes = proven_sizes({name: files[name] for name in rtl}, config.top)

    def refute(self, number: int, file: str) -> bool:
        """Whether a property of the mutant's module is false within a few cycles of its reset."""
        module = Path(file).stem
        texts = {name: text.replace(CHOSEN, f"32'd{number}") for name, text in self._texts.items()}
        try:
            return any(
                refuted(texts, self._leaves, module, parameters)
                for parameters in self._sizes.get(module, ())
            )
        except ToolError:
            return False

# SPDX-License-Identifier: Apache-2.0
"""What a core can be measured on: standard-cell libraries and FPGA families.

Nothing is looked for at import. A target that is not installed is a `TargetError` that says what
to install.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Kind = Literal["asic", "fpga"]


class TargetError(RuntimeError):
    """There is no such target, or it is not installed; the text says what to do."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Target:
    """A library of standard cells, or an FPGA family (then the fields about cells are empty)."""

    name: str
    kind: Kind
    liberty: tuple[Path, ...] = ()
    """Liberty files, plain or gzipped; several where a library is split by kind of cell."""
    nand2: str = ""
    """The cell that is one gate equivalent."""
    nand2_area: float = 0.0
    """Its area in the library's unit, um2 except for `ge`."""
    driving_cell: str = ""
    """What drives every input in mapping and timing."""
    load_ff: float = 0.0
    """What loads every output."""
    dont_use: tuple[str, ...] = ()
    """Cells that mapping must not take; * and ? stand for any letters."""
    family: str = ""
    """Technology in words, or the FPGA family's name in the flow."""
    version: str = ""
    """What tells two releases of it apart: the library's own version or date, else a digest."""

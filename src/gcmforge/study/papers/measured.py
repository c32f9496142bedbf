# SPDX-License-Identifier: Apache-2.0
"""What is measured for the papers' tables: asked for by name, made once, kept with the tables.

Making all of it takes most of an hour. So the figures are kept in data/measured.json, each with
the tools that made it; `gcmforge-study papers --measure` makes them again (what is in the
results store is not made twice), and `gcmforge-study evidence papers` writes the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

KEPT = Path(__file__).parent / "data" / "measured.json"


class NotMeasuredError(LookupError):
    """A figure that is not there; the text says why."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Need:
    """One measurement: a core, a part of one, or a leaf, on a target; or a core's cycles."""

    what: str
    """A preset or a leaf."""
    target: str = ""
    """Empty: only packets are played, and `packets` says of how many bytes."""
    settings: tuple[str, ...] = ()
    module: str = ""
    """gcm_aes or gcm_ghash: that part of the core alone."""
    goal: str = ""
    power: bool = False
    effort: str = "quick"
    packets: tuple[int, ...] = ()
    placed: bool = False
    seeds: int = 1
    """Placements of an FPGA."""
    after_shift: bool = False
    """Of gcm_aes with two stages a round: the register stands between ShiftRows and MixColumns, and
    not within the S-boxes."""

    @property
    def name(self) -> str:
        """What it is kept under, in the words of `gcmforge measure`."""
        words = [f"{self.module} of {self.what}" if self.module else self.what]
        words += [f"--set {setting}" for setting in self.settings]
        words += [f"--target {self.target}"] if self.target else []
        words += [f"--effort {self.effort}"] if self.target and self.effort != "normal" else []
        words += [f"--goal {self.goal}"] if self.goal else []
        words += ["--power"] if self.power else []
        words += ["--placed"] if self.placed else []
        words += [f"--seeds {self.seeds}"] if self.seeds != 1 else []
        words += ["with a register after ShiftRows"] if self.after_shift else []
        words += [f"packets of {', '.join(map(str, self.packets))} bytes"] if self.packets else []
        return " ".join(words)


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """Figures of one Need; None is what it does not have."""

    area_ge: float | None = None
    area_um2: float | None = None
    flip_flops: int | None = None
    delay_ns: float | None = None
    delay_ta: float | None = None
    fmax_mhz: float | None = None
    gbit_per_s: float | None = None
    average_uw: float | None = None
    peak_uw: float | None = None
    peak_at: str = ""
    """Bytes before and after, as hex."""
    luts: int | None = None
    lut_ram_luts: int | None = None
    blocks_ge: Mapping[str, float] = field(default_factory=dict)
    bits_per_cycle: Mapping[str, float] = field(default_factory=dict)
    """By bytes of a packet."""
    long_bits_by_key: Mapping[str, float] = field(default_factory=dict)
    """Bits a cycle of a long message, by bits of the key."""
    placed_area_ge: float | None = None
    placed_fmax_mhz: float | None = None
    """Of the same core once its cells are placed, with what that added."""
    layout_area_ge: float | None = None
    """By the library's LEF file."""
    first_text_latency_cycles: int | None = None
    values: Mapping[str, float] = field(default_factory=dict)
    """What else was counted, by name."""
    note: str = ""
    family: str = ""
    tools: str = ""
    at: str = ""
    """ISO 8601, UTC."""
    seconds: float = 0.0


def read_kept(path: Path = KEPT) -> dict[str, Measured]:
    """What the repository keeps, by the need's name."""
    found: dict[str, dict[str, Any]] = json.loads(path.read_text()) if path.exists() else {}
    return {name: Measured(**values) for name, values in found.items()}


def write_kept(figures: Mapping[str, Measured], path: Path = KEPT) -> None:
    """In order of names, empty figures left out."""
    shown = {
        name: {
            key: value
            for key, value in asdict(figures[name]).items()
            if value not in (None, {}, "")
        }
        for name in sorted(figures)
    }
    path.write_text(json.dumps(shown, indent=1) + "\n")


ONE_KEY = "one key"
"""What of a Need that asks for a GHASH fixed to a key: AES-128 of the bytes 0 to 15."""
CWC = "cwc"
"""What of a Need that asks for CWC's multiplier between registers; `module` says which."""
OTHERS = "satoh2007_others"
"""What of a Need that asks for what Satoh 2007 has around AES, multipliers and key schedule."""
FIG_6 = "abdellatif2012_fig6"
"""What of a Need that asks for Abdellatif 2012, Fig. 6, and no more than the paper has."""
ZEROS = Need(what="zeros in table T over 10^8 keys")


class Figures:
    """Where the tables get what was measured."""

    def __init__(
        self,
        known: Mapping[str, Measured] | None = None,
        failed: Mapping[str, str] | None = None,
    ) -> None:
        """What is kept, unless `known` says what there is; `failed` has the reasons of what could
        not be measured. Both by the need's name."""
        self._known = read_kept() if known is None else known
        self._failed = failed or {}
        self.missing: dict[str, Need] = {}
        """What was asked for, and neither is there nor has failed."""

    def get(self, need: Need) -> Measured:
        """NotMeasuredError where it is not there."""
        if need.name in self._known:
            return self._known[need.name]
        if need.name in self._failed:
            raise NotMeasuredError(self._failed[need.name])
        self.missing[need.name] = need
        raise NotMeasuredError("not measured yet: gcmforge-study papers --measure")

    def known(self, needs: Iterable[Need]) -> dict[str, Measured]:
        """Those of the needs that are there."""
        names = {need.name for need in needs}
        return {name: value for name, value in self._known.items() if name in names}

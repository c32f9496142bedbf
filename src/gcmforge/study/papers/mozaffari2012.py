# SPDX-License-Identifier: Apache-2.0
"""M. Mozaffari-Kermani, A. Reyhani-Masoleh, "Efficient and High-Performance Parallel Hardware
Architectures for the AES-GCM", IEEE Trans. Computers 61 (2012): Tables 1 to 7 and Fig. 8; STM 65 nm
(CORE65LPSVT, 25 degrees), post-synthesis; power at 50 MHz over all 65,280 transitions.

Table 1 as printed has 42 rows; the paper says "more than 40 S-boxes".  Table 2 has 40: the two that
use equation (3) are missing.  Rows bear the names that the S-boxes have in this library: Phi
and nu in decimal, so that Phi = {11}_2, nu = {1010}_2 is poly_phi3_nu10.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from gcmforge.study.papers.form import (
    Best,
    Claim,
    Column,
    Table,
    Value,
    Verdict,
    View,
    rows_of,
)
from gcmforge.study.papers.measured import Figures
from gcmforge.study.papers.mozaffari2012_cores import NEEDS as CORES
from gcmforge.study.papers.mozaffari2012_cores import (
    PARTS,
    PROPOSED,
    SATOH,
    SEQUENTIAL,
    TABLE_7,
    core,
)
from gcmforge.study.papers.mozaffari2012_ghash import (
    MULTIPLIERS,
    TABLE_3,
    TABLE_4,
    TABLE_5,
)
from gcmforge.study.papers.mozaffari2012_sboxes import (
    CIRCUITS,
    MEASURED_SBOXES,
    SBOXES_AT_7_NM,
    TABLE_1,
    TABLE_2,
    on_nodes,
)

# Table 6 ------------------------------------------------------------------------------------------

_WORDS = "words, next to the preset's options"
_COLUMNS_6 = (
    Column(key="sbox", head="AES", worked_out=_WORDS),
    Column(key="powers", head="exponents", worked_out=_WORDS),
    Column(key="multiplier", head="multiplier", worked_out=_WORDS),
)


def _preset(figures: Figures) -> Mapping[str, Value]:
    from gcmforge.config.presets import preset

    config = preset("mozaffari2012")
    return {
        "sbox": f"sbox={config.sbox}, aes={config.aes}",
        "powers": f"squarers={config['squarers']}",
        "multiplier": f"multiplier={config.multiplier} (and {', '.join(MULTIPLIERS.values())})",
    }


TABLE_6 = Table(
    paper="mozaffari2012",
    key="6",
    title="The proposed architecture",
    theirs="words",
    here="the preset `mozaffari2012`",
    columns=_COLUMNS_6,
    rows=rows_of(
        "AES-GCM | PB S-box (Phi = 11, nu = 1010, by (2)) | complexity-reduced parallel method | "
        "quadratic and six sub-quadratic (KO1 to KO6)",
        _COLUMNS_6,
        ours={"AES-GCM": _preset},
    ),
)


# Fig. 8 -------------------------------------------------------------------------------------------

NEEDS = (*CORES, *MEASURED_SBOXES.values(), *SBOXES_AT_7_NM.values())

_LENGTHS = {"long": 2**32 - 2, "short": 2**10}
_RATIOS = "ratios of Table 7, ours and theirs, as its bars have no numbers"
_COLUMNS_8 = (
    Column(key="long", head="n = 2^32 - 2", unit="% of [31], [32]", rank=True, worked_out=_RATIOS),
    Column(key="short", head="n = 2^10", unit="% of [31], [32]", rank=True, worked_out=_RATIOS),
)
_OWN_8 = tuple(
    Column(
        key=f"{column.key}_7", head=f"{column.head} on asap7", unit=column.unit, rank=True,
        against=column.key,
    )
    for column in _COLUMNS_8
)  # fmt: skip


def denominator(name: str, blocks: int) -> float:
    """Cycles for n blocks that Table 7 divides throughput and efficiency by."""
    if name == SEQUENTIAL:
        return blocks
    return blocks / 8 + (7 if name == SATOH else 3)


def relative(values: Mapping[str, float]) -> dict[str, dict[str, float]]:
    """By row, for both lengths: efficiency in percent of [31], [32]; values are Table 7's."""
    return {
        name: {
            key: 100 * value / denominator(name, n) / (values[SATOH] / denominator(SATOH, n))
            for key, n in _LENGTHS.items()
        }
        for name, value in values.items()
    }


def _efficiencies() -> dict[str, float]:
    return {row.name: row.number("efficiency") or 0.0 for row in TABLE_7.rows}


def _figure_8_text() -> str:
    lines = relative(_efficiencies()).items()
    return "\n".join(f"{name} | {v['long']:.0f} | {v['short']:.0f}" for name, v in lines)


def _bars(name: str, figures: Figures) -> Mapping[str, Value]:
    """On both nodes; on the second one where both rows are there."""
    bars: dict[str, Value] = {}
    for suffix in ("", "_7"):
        found = [core(one, figures).get(f"efficiency{suffix}") for one in (name, SATOH)]
        if all(isinstance(value, float) for value in found):
            values = dict(zip((name, SATOH), map(float, found), strict=True))  # type: ignore[arg-type]
            bars |= {f"{key}{suffix}": value for key, value in relative(values)[name].items()}
    return bars


FIG_8 = Table(
    paper="mozaffari2012",
    key="fig8",
    title="Efficiencies of nine AES-GCM architectures for long and short messages",
    theirs="bars without numbers: worked out from Table 7",
    here="worked out from our Table 7 in the same way",
    done="we worked the bars out from our Table 7",
    columns=(*_COLUMNS_8, *_OWN_8),
    rows=rows_of(_figure_8_text(), _COLUMNS_8, ours={name: partial(_bars, name) for name in PARTS}),
    claims=(
        Claim(
            text="KO4 has the highest efficiency for both lengths",
            unlike=CIRCUITS,
            where="section 5",
            check=on_nodes(Best, "short", row="Proposed (KO4)", most=True, among=PROPOSED),
        ),
        Claim(
            text="KO4 is 51 % and 44 % more efficient than the sequential method",
            done="we worked them out from its own Table 7, and from ours",
            where="section 5",
            check=lambda view, figures: _more_than_sequential(view),
        ),
    ),
)


def _more_than_sequential(view: View) -> Verdict:
    """The paper's percentages against its own Table 7, and ours."""
    values = _efficiencies()
    best = "Proposed (KO4)"

    def more(n: int) -> float:
        ratio = values[best] * denominator(SEQUENTIAL, n) / values[SEQUENTIAL]
        return 100 * (ratio / denominator(best, n) - 1)

    text = (
        f"by its own table they are {more(2**32 - 2):.0f} % and {more(2**10):.0f} % (44 % would "
        f"be n = 2^9: {more(2**9):.1f})"
    )
    ours = view.ours("long"), view.ours("short")
    if all(best in one and SEQUENTIAL in one for one in ours):
        here = [100 * (one[best] / one[SEQUENTIAL] - 1) for one in ours]
        text += f"; here {here[0]:.0f} % and {here[1]:.0f} %"
    return Verdict(holds=abs(more(2**32 - 2) - 51) < 1 and abs(more(2**10) - 44) < 1, evidence=text)


TABLES = (TABLE_1, TABLE_2, TABLE_3, TABLE_4, TABLE_5, TABLE_6, TABLE_7, FIG_8)

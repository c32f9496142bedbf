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
    Below,
    Best,
    Claim,
    Column,
    Table,
    Todo,
    Value,
    Verdict,
    View,
    rows_of,
    short,
)
from gcmforge.study.papers.measured import Figures, Need
from gcmforge.study.papers.mozaffari2012_ghash import (
    MULTIPLIERS,
    TABLE_3,
    TABLE_4,
    TABLE_5,
)
from gcmforge.study.papers.mozaffari2012_sboxes import (
    HERE,
    LIBRARY,
    MEASURED_SBOXES,
    SBOXES_AT_7_NM,
    TABLE_1,
    TABLE_2,
    TECHNOLOGY,
)

# Table 6 ------------------------------------------------------------------------------------------

_COLUMNS_6 = (
    Column(key="sbox", head="AES"),
    Column(key="powers", head="exponents"),
    Column(key="multiplier", head="multiplier"),
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


# Table 7 and Fig. 8 -------------------------------------------------------------------------------

_COLUMNS_7 = (
    Column(key="mm2", head="area", unit="mm2"),
    Column(key="mm2_aes", head="of it AES", unit="mm2"),
    Column(key="kge", head="area", unit="kGE", rank=True),
    Column(key="kge_aes", head="of it AES", unit="kGE", rank=True),
    Column(key="power", head="power", unit="mW"),
    Column(key="clock", head="frequency", unit="MHz", rank=True),
    Column(key="rate", head="throughput (1)", unit="Gbit/s", rank=True),
    Column(key="efficiency", head="efficiency (1)", unit="Gbit/s per mm2", rank=True),
)


def _part(module: str, *settings: str) -> Need:
    return Need(
        what="mozaffari2012", target="osu018", module=module, settings=settings, goal="balanced"
    )


_AES = _part("gcm_aes")
_AES_SATOH = _part("gcm_aes", "sbox=poly_phi2_nu12")
_AES_ONE = _part("gcm_aes", "lanes=1", "ghash=serial", "squarers=cascade")
PARTS: dict[str, tuple[Need, Need]] = {
    "[27], [28], [29]": (
        _AES_ONE,
        _part("gcm_ghash", "lanes=1", "ghash=serial", "squarers=cascade", "multiplier=quadratic"),
    ),
    "[31], [32]": (
        _AES_SATOH,
        _part("gcm_ghash", "ghash=interleaved", "squarers=cascade", "multiplier=quadratic"),
    ),
    "Proposed (quad.)": (_AES, _part("gcm_ghash", "multiplier=quadratic")),
    **{
        f"Proposed (KO{steps})": (_AES, _part("gcm_ghash", f"multiplier=ko{steps}"))
        for steps in range(1, 7)
    },
}
PROPOSED = tuple(name for name in PARTS if name.startswith("Proposed"))
SEQUENTIAL, SATOH = "[27], [28], [29]", "[31], [32]"

NEEDS = (
    *dict.fromkeys(need for pair in PARTS.values() for need in pair),
    *MEASURED_SBOXES.values(),
    *SBOXES_AT_7_NM.values(),
)


def _core(name: str, figures: Figures) -> Mapping[str, Value]:
    """AES and GHASH side by side, at the slower of their clocks."""
    aes, ghash = (figures.get(need) for need in PARTS[name])
    assert aes.area_um2 and ghash.area_um2 and aes.area_ge and ghash.area_ge
    assert aes.fmax_mhz and ghash.fmax_mhz
    area_mm2 = (aes.area_um2 + ghash.area_um2) / 1e6
    clock = min(aes.fmax_mhz, ghash.fmax_mhz)
    rate = 128 * clock / 1000
    return {
        "mm2": area_mm2, "mm2_aes": aes.area_um2 / 1e6,
        "kge": (aes.area_ge + ghash.area_ge) / 1000, "kge_aes": aes.area_ge / 1000,
        "clock": clock, "rate": rate, "efficiency": rate / area_mm2,
    }  # fmt: skip


_NO_POWER = Todo(
    "the power of cores of eight lanes: simulating half a million gates with their delays takes "
    "longer than all the rest; gcmforge measure --power does it for one core"
)
_NO_POWER_OF_PARTS = Todo(
    "the power of AES and GHASH alone: it is measured with packets, which need the whole core "
    "around them; and the table compares it with that of eight lanes, which is not measured"
)

TABLE_7 = Table(
    paper="mozaffari2012",
    key="7",
    title="AES-GCM, one lane or eight",
    theirs=TECHNOLOGY,
    here=f"{HERE}; `gcm_aes` and `gcm_ghash` of `mozaffari2012`, at the slower of their clocks",
    columns=_COLUMNS_7,
    rows=rows_of(
        """
        [27], [28], [29] | 0.23 | 0.12 | 110 | 57  | 19.6  | 568 | 72.7 | 316.0
        [31], [32]       | 1.86 | 1.02 | 894 | 490 | 144.3 | 568 | 72.7 | 39.1
        Proposed (quad.) | 1.82 | 0.92 | 875 | 442 | 142.5 | 641 | 82.0 | 45.1
        Proposed (KO1)   | 1.62 | 0.92 | 779 | 442 | 124.6 | 641 | 82.0 | 50.6
        Proposed (KO2)   | 1.46 | 0.92 | 702 | 442 | 113.0 | 641 | 82.0 | 56.2
        Proposed (KO3)   | 1.34 | 0.92 | 644 | 442 | 104.8 | 621 | 79.4 | 59.3
        Proposed (KO4)   | 1.31 | 0.92 | 630 | 442 | 101.2 | 613 | 78.4 | 59.8
        Proposed (KO5)   | 1.30 | 0.92 | 625 | 442 | 102.0 | 595 | 76.1 | 58.5
        Proposed (KO6)   | 1.33 | 0.92 | 639 | 442 | 105.2 | 578 | 73.9 | 55.6
        """,
        _COLUMNS_7,
        ours={name: partial(_core, name) for name in PARTS},
        why=dict.fromkeys(PARTS, _NO_POWER) | {SEQUENTIAL: _NO_POWER_OF_PARTS},
    ),
    note="(1) over n, n/8 + 7 and n/8 + 3 for the first row, the second and the rest. Queues and "
    "streams of our cores are left out, as the paper has none; the powers' squarers are in.",
    claims=(
        Claim(
            text="KO5 is the smallest core",
            unlike=LIBRARY,
            where="section 5",
            check=Best(column="kge", row="Proposed (KO5)", among=PROPOSED),
        ),
        Claim(
            text="KO4 has the highest efficiency of the proposed ones",
            unlike=LIBRARY,
            where="section 5",
            check=Best(column="efficiency", row="Proposed (KO4)", most=True, among=PROPOSED),
        ),
        Claim(
            text="quadratic, KO1 and KO2 are the fastest: AES bounds them",
            unlike=LIBRARY,
            where="section 5",
            check=lambda view, figures: _aes_bounds(figures),
        ),
        Claim(
            text="the clock falls from KO2 to KO6",
            unlike=LIBRARY,
            where="section 5",
            check=Below(
                column="clock",
                orders=(tuple(f"Proposed (KO{steps})" for steps in (6, 5, 4, 3, 2)),),
            ),
        ),
        Claim(
            text="the area falls up to KO5 and rises for KO6",
            unlike=LIBRARY,
            where="section 5",
            check=Below(
                column="kge",
                orders=(
                    (*(f"Proposed (KO{steps})" for steps in (5, 4, 3, 2, 1)), "Proposed (quad.)"),
                    ("Proposed (KO5)", "Proposed (KO6)"),
                ),
            ),
        ),
    ),
)


def _aes_bounds(figures: Figures) -> Verdict:
    """GHASH of those three is no slower than the AES, so that no core of these can be faster."""
    texts, good = [], []
    for name in PROPOSED:
        aes, ghash = (figures.get(need).fmax_mhz or 0.0 for need in PARTS[name])
        if name in ("Proposed (quad.)", "Proposed (KO1)", "Proposed (KO2)"):
            good.append(ghash >= aes)
        texts.append(f"{name.partition('(')[2].rstrip(')')} {short(ghash)}")
    text = f"AES {short(figures.get(_AES).fmax_mhz or 0)} MHz; GHASH: {', '.join(texts)}"
    return Verdict(holds=all(good), evidence=text)


_LENGTHS = {"long": 2**32 - 2, "short": 2**10}
_COLUMNS_8 = (
    Column(key="long", head="n = 2^32 - 2", unit="% of [31], [32]", rank=True),
    Column(key="short", head="n = 2^10", unit="% of [31], [32]", rank=True),
)


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
    values = {one: float(_core(one, figures)["efficiency"]) for one in (name, SATOH)}
    return dict(relative(values)[name])


FIG_8 = Table(
    paper="mozaffari2012",
    key="fig8",
    title="Efficiencies of nine AES-GCM architectures for long and short messages",
    theirs="bars without numbers: worked out from Table 7",
    here="worked out from our Table 7 in the same way",
    columns=_COLUMNS_8,
    rows=rows_of(_figure_8_text(), _COLUMNS_8, ours={name: partial(_bars, name) for name in PARTS}),
    claims=(
        Claim(
            text="KO4 has the highest efficiency for both lengths",
            unlike=LIBRARY,
            where="section 5",
            check=Best(column="short", row="Proposed (KO4)", most=True),
        ),
        Claim(
            text="KO4 is 51 % and 44 % more efficient than the sequential method",
            unlike=LIBRARY,
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
        f"by its Table 7 {more(2**32 - 2):.0f} % and {more(2**10):.0f} % (44 % would be n = 2^9: "
        f"{more(2**9):.1f})"
    )
    ours = view.ours("long"), view.ours("short")
    if all(best in one and SEQUENTIAL in one for one in ours):
        here = [100 * (one[best] / one[SEQUENTIAL] - 1) for one in ours]
        text += f"; here {here[0]:.0f} % and {here[1]:.0f} %"
    return Verdict(holds=abs(more(2**32 - 2) - 51) < 1 and abs(more(2**10) - 44) < 1, evidence=text)


TABLES = (TABLE_1, TABLE_2, TABLE_3, TABLE_4, TABLE_5, TABLE_6, TABLE_7, FIG_8)

# SPDX-License-Identifier: Apache-2.0
"""Write docs/reference/sboxes.md: every S-box, and the tables of Mozaffari 2012.

    gcmforge-study pages sboxes [--out FILE] [--jobs 2] [--any-version]

Measured figures come from the results store where they are there (the first run maps and simulates
all S-boxes, which takes minutes; --any-version takes what an earlier version of `measure` found for
the same circuit, too, and the page names all versions that it has figures of). Those of the search
over towers are from src/gcmforge/study/searches/data/towers.json, and what each S-box did inside a
core is from src/gcmforge/study/evidence/data/sbox-cores.json.
"""

import argparse
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gcmforge.config import SBOXES
from gcmforge.leaf.published import PUBLISHED_SBOXES as PAPER
from gcmforge.leaf.sbox_list import SboxFigures, sbox_figures
from gcmforge.measure.measure import history, measure
from gcmforge.measure.result import Result
from gcmforge.measure.store import Store
from gcmforge.measure.subject import find_subject
from gcmforge.measure.table import significant
from gcmforge.study.checkout import REFERENCE, write_page
from gcmforge.study.kept import Kept
from gcmforge.study.pages.sbox_towers import line, paragraph, search_table, towers
from gcmforge.study.papers.compare import spearman

PAGE = REFERENCE / "sboxes.md"
LIBRARY = "osu018"


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One S-box: its circuit, and the same mapped to standard cells."""

    figures: SboxFigures
    mapped: Any
    """A Result with area, timing and power."""

    @property
    def ge(self) -> float:
        return self.figures.cost.ge

    @property
    def delay_ta(self) -> float:
        return self.figures.cost.delay


Rows = Mapping[str, Row]
Value = Callable[[Row], float]

FASTEST = "T_A, fastest conjugate"

VALUES: dict[str, Value] = {
    "GE": lambda row: row.ge,
    "T_A": lambda row: row.delay_ta,
    FASTEST: lambda row: fastest_ta(row),
    f"{LIBRARY} GE": lambda row: row.mapped.area_ge,
    f"{LIBRARY} ns": lambda row: row.mapped.timing.delay_ns,
    f"{LIBRARY} uW": lambda row: row.mapped.power.average_uw,
    f"{LIBRARY} peak uW": lambda row: row.mapped.power.peak_uw,
}


def fastest_ta(row: Row) -> float:
    """Delay of the tower's fastest conjugate with linear maps of least depth; of the circuit where
    it is no tower in blocks."""
    found = search_table()["fastest"].get(row.figures.name)
    return row.delay_ta if found is None else float(found[1])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=PAGE)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--any-version", action="store_true")
    asked = parser.parse_args(arguments)
    with ProcessPoolExecutor(asked.jobs) as pool:
        mapped = list(pool.map(measured_before if asked.any_version else measured, SBOXES))
    rows = {
        name: Row(figures=sbox_figures(name, most_stages=1), mapped=result)
        for name, result in zip(SBOXES, mapped, strict=True)
    }
    write_page(asked.out, page(rows), "gcmforge-study pages sboxes")
    return 0


def measured(what: str) -> Result:
    """From the store, or made now."""
    return measure(f"aes_sbox/{what}", LIBRARY, power=True)


def measured_before(what: str) -> Result:
    """The latest of that circuit in the store, or made now."""
    subject = find_subject(f"aes_sbox/{what}")
    with Store() as store:
        found = history(f"aes_sbox/{what}", LIBRARY, power=True, store=store)
    same = [result for _, result in found if result.rtl_sha256 == subject.rtl_sha256]
    return same[-1] if same else measured(what)


def page(rows: Rows) -> Iterator[str]:
    yield "# S-boxes\n"
    yield from paragraph("""
        Written by `gcmforge-study pages sboxes`. `gcmforge sbox` lists the same library with gates
        by kind; any name can be given as `sbox`. Every circuit is proven equal to FIPS 197 for
        all 256 inputs, and its printed text to the circuit (`gcmforge prove aes_sbox/NAME`).
    """)
    yield from library(rows)
    yield from correlations(rows)
    yield from orderings(rows)
    yield from towers()
    yield from in_cores()


# The library ----------------------------------------------------------------------------------


def library(rows: Rows) -> Iterator[str]:
    note = next(iter(rows.values())).mapped.note
    versions = dict.fromkeys(pair for row in rows.values() for pair in row.mapped.tools.items())
    tools = ", ".join(f"{tool} {version}" for tool, version in versions)
    yield "## The library and Mozaffari 2012\n"
    yield from paragraph(f"""
        GE and T_A are those of the circuit. `osu018` is mapped for area, as by `gcmforge
        measure aes_sbox/NAME --target osu018 --power`: power over all 65,280 transitions at 50
        MHz, the peak the largest of any nanosecond. {note[0].upper()}{note[1:]}.
        Tools: {tools}. The paper's figures are its Tables 1 and 2: STM 65 nm, post-synthesis,
        50 MHz. The paper says more than 40 S-boxes; Table 1 as printed has 42 rows, Table 2 has
        40.
    """)
    heads = ["GE", "T_A", "path", f"{LIBRARY} GE", "ns", "uW", "peak uW"]
    heads += ["paper GE", "ns", "uW", "peak mW"]
    yield line("S-box", heads)
    yield line("---", ["---:"] * len(heads))
    for what, row in rows.items():
        yield line(f"`{what}`", cells(row))
    yield ""


def cells(row: Row) -> list[str]:
    timing, power, paper = row.mapped.timing, row.mapped.power, row.figures.paper
    shown = [
        f"{row.ge:.2f}", f"{row.delay_ta:.2f}", row.figures.cost.path,
        f"{row.mapped.area_ge:.1f}", f"{timing.delay_ns:.2f}",
        significant(power.average_uw, 4), significant(power.peak_uw, 4),
    ]  # fmt: skip
    if paper is None:
        return shown + [""] * 4
    power_cells = [paper.average_uw, paper.peak_mw]
    shown += [f"{paper.area_ge:.1f}", f"{paper.delay_ns:.2f}"]
    return shown + ["" if value is None else str(value) for value in power_cells]


# Rank correlations ----------------------------------------------------------------------------


def correlations(rows: Rows) -> Iterator[str]:
    yield "## Rank correlations with the paper\n"
    yield from paragraph("""
        Spearman's rho between a column of ours and the paper's, over the rows of its Table 1
        (42 with area and delay, 40 with power); +1 is the same order.
    """)
    pairs: dict[str, tuple[Sequence[str], Callable[[Any], Any]]] = {
        "area": (AREA, lambda p: p.area_ge),
        "delay": (DELAY, lambda p: p.delay_ns),
        "average power": (("GE", f"{LIBRARY} uW"), lambda p: p.average_uw),
        "peak power": (("GE", f"{LIBRARY} peak uW"), lambda p: p.peak_mw),
    }
    sets = {
        "all rows": list(PAPER),
        "without tables": [n for n in PAPER if not n.startswith("table")],
        "polynomial bases": [n for n in PAPER if n.startswith("poly")],
        "normal bases": [n for n in PAPER if n.startswith("normal")],
    }
    yield line("paper's", ["our column", *sets])
    yield line("---", ["---", *["---:"] * len(sets)])
    for what, (columns, of_paper) in pairs.items():
        for column in columns:
            shown = []
            for names in sets.values():
                known = [n for n in names if of_paper(PAPER[n]) is not None]
                ours = [VALUES[column](rows[n]) for n in known]
                shown.append(f"{spearman(ours, [of_paper(PAPER[n]) for n in known]):+.2f}")
            yield line(what, [column, *shown])
    yield ""
    yield from paragraph("""
        Within one kind of basis our areas follow the paper's. Over all rows they do not: its rows
        in normal basis lie some 18 GE above those in polynomial basis, ours do not (below). The
        library's towers are the conjugates of least area, whatever their delay; the line for the
        fastest conjugate takes the one of least delay for each row, with linear maps of least
        depth.
    """)


# The paper's orderings ------------------------------------------------------------------------

PLAIN = [n for n in PAPER if n.startswith(("poly", "normal")) and n.count("_") == 2]
POLYNOMIAL = [n for n in PAPER if n.startswith("poly")]
NORMAL = [n for n in PAPER if n.startswith("normal")]
LEMMA = [n for n in PAPER if n.endswith("lemma1") and n != "poly_phi3_nu10_lemma1"]
COMPOSITE = [n for n in PAPER if not n.startswith("table")]
TABLES = ["table", "table_inverse"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Ordering:
    """A statement of the paper: each of `lesser` is below each of `greater`, or each below its
    partner where pairs are meant."""

    claim: str
    columns: tuple[str, ...]
    lesser: Sequence[str]
    greater: Collection[str]
    pairs: bool = False
    why: str = ""
    """What makes it fail, where it does."""

    def holds(self, rows: Rows, column: str) -> tuple[int, int]:
        """How many of its comparisons hold, and of how many."""
        value = VALUES[column]
        if self.pairs:
            compared = list(zip(self.lesser, self.greater, strict=True))
        else:
            compared = [(p, q) for p in self.lesser for q in self.greater if p != q]
        return sum(value(rows[p]) < value(rows[q]) for p, q in compared), len(compared)


AREA = ("GE", f"{LIBRARY} GE")
DELAY = ("T_A", FASTEST, f"{LIBRARY} ns")
POWER = (f"{LIBRARY} uW",)
SHARED = (
    "with sums of bits shared both bases need the same operations; the paper's one reduced "
    "inversion in normal basis saves 27.7 GE (Lemma 1 saves 3 to 10), so its other rows in normal "
    "basis carry an inversion that was not minimised as those in polynomial basis were"
)
ORDERINGS = (
    Ordering(
        claim="tables are the largest", columns=AREA, lesser=COMPOSITE, greater=TABLES,
    ),
    Ordering(
        claim="tables are the fastest", columns=DELAY, lesser=TABLES, greater=COMPOSITE,
        why="a table of the inverse is followed by the affine map, and is mapped for area here",
    ),
    Ordering(
        claim="the table is smaller and faster than inverse table and affine map",
        columns=(*AREA, *DELAY), lesser=["table"], greater=["table_inverse"],
        why="`table` is a case statement, which this flow maps to nearly twice the multiplexers' "
        "area: compare `table_mux`, the same table printed as multiplexers",
    ),
    Ordering(
        claim="boyar_peralta is the smallest row", columns=AREA, lesser=["boyar_peralta"],
        greater=PAPER,
    ),
    Ordering(
        claim="boyar_peralta is the slowest composite field", columns=DELAY, lesser=COMPOSITE,
        greater=["boyar_peralta"],
        why="our towers are chosen for area, too: their linear maps are as deep as his",
    ),
    Ordering(
        claim="Lemma 1 makes each of its four fields smaller", columns=AREA, pairs=True,
        lesser=[*LEMMA, "poly_phi3_nu10_lemma1"],
        greater=[n.removesuffix("_lemma1") for n in [*LEMMA, "poly_phi3_nu10_lemma1"]],
    ),
    Ordering(
        claim="Lemma 1 makes each of its four fields faster", columns=DELAY, pairs=True,
        lesser=[*LEMMA, "poly_phi3_nu10_lemma1"],
        greater=[n.removesuffix("_lemma1") for n in [*LEMMA, "poly_phi3_nu10_lemma1"]],
    ),
    Ordering(
        claim="poly_phi3_nu10_lemma1 is the smallest in polynomial basis", columns=AREA,
        lesser=["poly_phi3_nu10_lemma1"], greater=POLYNOMIAL,
        why="the best conjugate differs by field (below): nu = {1000}_2 and, for Phi = {10}_2, "
        "{1110}_2 have one with fewer XORs",
    ),
    Ordering(
        claim="every field in polynomial basis is smaller than every one in normal basis",
        columns=AREA, lesser=[n for n in POLYNOMIAL if n in PLAIN],
        greater=[n for n in NORMAL if n in PLAIN], why=SHARED,
    ),
    Ordering(
        claim="the reduced inversion makes Canright's the smallest in normal basis", columns=AREA,
        lesser=["normal_phi2_nu1_reduced"], greater=NORMAL,
        why="mapping to compound gates takes back what the reduced inversion saves: all fields in "
        "normal basis end within 6 GE",
    ),
    Ordering(
        claim="GF((2^4)^2) is larger than every tower in polynomial basis", columns=AREA,
        lesser=POLYNOMIAL, greater=["gf16_nu14"],
    ),
    Ordering(
        claim="mixed bases are faster than every field without an optimised inversion",
        columns=DELAY, lesser=["mixed"], greater=PLAIN,
    ),
    Ordering(
        claim="tables take the most power on average", columns=POWER, lesser=COMPOSITE,
        greater=TABLES,
        why="glitches are a third of the table's toggles and three quarters of a tower's",
    ),
    Ordering(
        claim="boyar_peralta takes the least power on average", columns=POWER,
        lesser=["boyar_peralta"], greater=PAPER,
        why="it is a deep chain of XORs, each of which passes every glitch on",
    ),
)  # fmt: skip


def orderings(rows: Rows) -> Iterator[str]:
    yield "## The paper's orderings\n"
    yield from paragraph("""
        How many of the comparisons that a statement makes hold here, and why not where not.
    """)
    yield line("the paper has", ["column", "holds", "why not"])
    yield line("---", ["---", "---:", "---"])
    for ordering in ORDERINGS:
        for column in ordering.columns:
            good, total = ordering.holds(rows, column)
            why = "" if good == total else ordering.why
            verdict = "yes" if good == total else f"{good} of {total}"
            yield line(ordering.claim, [column, verdict, why])
    yield ""


# In cores -------------------------------------------------------------------------------------


def in_cores() -> Iterator[str]:
    """What gcmforge-study run sbox-cores found."""
    cores = [record["found"] for record in Kept("sbox-cores").records()]
    found = cores[0]
    files = " and ".join(found["files"])
    yield "## In a core\n"
    yield from paragraph(f"""
        A small core ({found["core"]}) has 20 S-boxes. `gcmforge-study run sbox-cores` puts 20
        different ones there, gate by gate as they are printed, and plays the NIST vectors of
        {files} with 96-bit IVs:
    """)
    yield line("core", ["passed", "failed", "S-boxes in it"])
    yield line("---", ["---:", "---:", "---"])
    for number, core in enumerate(cores, 1):
        names = ", ".join(f"`{name}`" for name in core["sboxes"])
        yield line(str(number), [f"{core['passed']:,}", f"{core['failed']:,}", names])

# SPDX-License-Identifier: Apache-2.0
"""The paper's tables as data, and what the list of S-boxes says."""

from pathlib import Path

from gcmforge.circuit import cost
from gcmforge.config import SBOXES, CoreConfig
from gcmforge.config.presets import PRESETS
from gcmforge.leaf import leaf_text, sbox
from gcmforge.leaf.published import PUBLISHED_SBOXES
from gcmforge.leaf.sbox import PAPER_ROW


def test_table_1_has_42_rows_and_table_2_has_40():
    rows = PUBLISHED_SBOXES
    assert len(rows) == 42
    without_power = [name for name, row in rows.items() if row.average_uw is None]
    assert without_power == ["poly_phi2_nu8_lemma1", "poly_phi2_nu14_lemma1"]


def test_the_extremes_of_the_tables_are_those_that_the_paper_names():
    """Section 3.2: areas of composite fields from 403.2 to 589.2 um^2, a NAND is 2.08 um^2;
    section 3.3.2: 44.39 to 58.96 uW and 1.013 to 1.324 mW."""
    tables = {"table", "table_inverse"}
    rows = [row for name, row in PUBLISHED_SBOXES.items() if name not in tables]
    areas = sorted(row.area_ge for row in rows)
    assert (areas[0], areas[-1]) == (round(403.2 / 2.08, 1), round(589.2 / 2.08, 1) - 0.1)
    average = sorted(row.average_uw for row in rows if row.average_uw)
    peak = sorted(row.peak_mw for row in rows if row.peak_mw)
    assert (average[0], average[-1], peak[0], peak[-1]) == (44.39, 58.96, 1.013, 1.324)
    assert min(row.delay_ns for row in rows) == 1.11


def test_the_library_has_every_row_of_table_1():
    assert set(PUBLISHED_SBOXES) <= set(SBOXES)
    assert set(PAPER_ROW) <= set(SBOXES)
    assert set(PAPER_ROW.values()) == set(PUBLISHED_SBOXES)


def page_rows():
    page = Path(__file__).parents[2] / "docs/reference/sboxes.md"
    for line in page.read_text().split("\n## ")[1].splitlines():
        if line.startswith("| `"):
            name, *cells = (cell.strip(" `") for cell in line.strip("|").split("|"))
            yield name, cells


def test_the_page_has_the_figures_of_the_circuits():
    rows = dict(page_rows())
    assert list(rows) == list(SBOXES), "run: gcmforge-study pages sboxes"
    for name, cells in rows.items():
        now = cost(sbox(name).circuit)
        assert cells[:3] == [f"{now.ge:.2f}", f"{now.delay:.2f}", now.path], name


def test_the_page_has_the_figures_of_the_paper():
    for name, cells in page_rows():
        if name in PAPER_ROW:
            row = PUBLISHED_SBOXES[PAPER_ROW[name]]
            assert [float(cell) for cell in cells[7:9]] == [row.area_ge, row.delay_ns]
            assert cells[9] == ("" if row.average_uw is None else str(row.average_uw))


def test_the_form_that_is_claimed_says_so_and_nobody_gets_it_unasked():
    assert "PATENT NOTE" in leaf_text(sbox("low_depth")).split("module")[0]
    assert CoreConfig().sbox != "low_depth"
    assert all(preset.config.sbox != "low_depth" for preset in PRESETS.values())
    others = (name for name in SBOXES if name != "low_depth")
    assert not any("PATENT" in note for name in others for note in sbox(name).notes)

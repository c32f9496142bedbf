# SPDX-License-Identifier: Apache-2.0
"""The tables as data: nothing of the printed ones is left out, every number is the printed one.

What the papers print is in printed.json, which seed_tables.py read from their texts.
"""

import os
from collections import Counter

import pytest
from seed_tables import IN_PART, PRINTED, kept

from gcmforge.leaf.published import PUBLISHED_SBOXES
from gcmforge.study.papers import PAPERS, PapersError, tables

EVERY = [pytest.param(one, id=f"{one.paper}-{one.key}") for one in tables()]
KEPT = kept()

if os.environ.get("GCMFORGE_SEEDS"):

    @pytest.mark.parametrize("table", EVERY)
    def test_the_kept_figures_are_those_of_the_texts(table):
        assert KEPT[table.paper, table.key] == PRINTED[table.paper, table.key]()


@pytest.mark.parametrize("table", EVERY)
def test_every_row_of_the_printed_table_is_there_with_its_numbers(table):
    place = table.paper, table.key
    printed = KEPT[place]
    assert len(table.rows) == len(printed)
    for row, expected in zip(table.rows, printed, strict=True):
        ours = [text.removesuffix("(steady status)") for text in row.printed.values()]
        assert not Counter(expected) - Counter(ours), row.name
        if place not in IN_PART:
            assert not Counter(ours) - Counter(expected), row.name


def test_no_table_of_the_papers_is_left_out():
    """What the five papers number as tables, and the figures that show measured numbers."""
    expected = {
        "yang2005": ["1", "2", "3"],
        "satoh2007": ["1", "2"],
        "mozaffari2012": ["1", "2", "3", "4", "5", "6", "7", "fig8"],
        "crenne2011": ["I", "fig3"],
        "abdellatif2012": ["I", "II"],
    }
    assert {name: [one.key for one in tables(name)] for name in PAPERS} == expected


def test_rows_are_as_many_as_were_counted_in_the_papers():
    """Counted by hand, and not by the parsers."""
    assert {(one.paper, one.key): len(one.rows) for one in tables()} == {
        ("yang2005", "1"): 6, ("yang2005", "2"): 13, ("yang2005", "3"): 13,
        ("satoh2007", "1"): 17, ("satoh2007", "2"): 3,
        ("mozaffari2012", "1"): 42, ("mozaffari2012", "2"): 40, ("mozaffari2012", "3"): 3,
        ("mozaffari2012", "4"): 3, ("mozaffari2012", "5"): 7, ("mozaffari2012", "6"): 1,
        ("mozaffari2012", "7"): 9, ("mozaffari2012", "fig8"): 9,
        ("crenne2011", "I"): 14, ("crenne2011", "fig3"): 3,
        ("abdellatif2012", "I"): 8, ("abdellatif2012", "II"): 7,
    }  # fmt: skip


@pytest.mark.parametrize("table", EVERY)
def test_a_row_is_measured_or_says_why_not(table):
    for row in table.rows:
        assert row.ours is not None or len(row.why) > 10, row.name


@pytest.mark.parametrize("table", EVERY)
def test_names_of_rows_and_columns_differ(table):
    names = [row.name for row in table.rows]
    assert len(set(names)) == len(names)
    keys = [column.key for column in table.columns]
    assert len(set(keys)) == len(keys)
    assert all(set(row.printed) <= set(keys) for row in table.rows)


def test_the_boxes_of_both_tables_are_one_row_each():
    best = PUBLISHED_SBOXES["poly_phi3_nu10_lemma1"]
    assert (best.area_ge, best.delay_ns, best.average_uw, best.peak_mw) == (
        239.6, 1.11, 53.78, 1.229,
    )  # fmt: skip
    assert best.peak_transition == (0xC9, 0x00)
    assert [n for n, row in PUBLISHED_SBOXES.items() if row.average_uw is None] == [
        "poly_phi2_nu8_lemma1", "poly_phi2_nu14_lemma1",
    ]  # fmt: skip


def test_a_table_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(PapersError, match=r"yang2005 7: there is 1, 2, 3"):
        tables("yang2005", "7")
    with pytest.raises(PapersError, match=r"paper nobody: there is yang2005, satoh2007"):
        tables("nobody")

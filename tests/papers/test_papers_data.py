# SPDX-License-Identifier: Apache-2.0
"""The tables as data: nothing of the printed ones is left out, every number is the printed one."""

import re
from collections import Counter

import pytest
from seed_tables import between, cells, numbers

from gcmforge.papers import PAPERS, PapersError, tables

Printed = list[list[str]]
"""Numbers of each row, in any order within it."""


def tabbed(paper: str, first: str, last: str, *, having: str = r"\t") -> Printed:
    """Rows of a table whose cells stand between tabs: what is behind the first cell."""
    lines = [line for line in between(paper, first, last) if re.search(having, line)]
    return [numbers(" ; ".join(cells(line)[1:]).replace("\u00d74", "")) for line in lines]


def columns(paper: str, first: str, last: str) -> Printed:
    """A table that is printed on its side: first line the names."""
    lines = [cells(line)[1:] for line in between(paper, first, last) if "\t" in line]
    return [list(column) for column in zip(*lines[1:], strict=True)]


def satoh_1() -> Printed:
    """The rows share cells, so each is known by its gates and what stands beside them: the
    throughput before and the efficiency behind."""
    text = "\t".join(between("satoh2007", "Table 1 Performance", "表 2"))
    found = [cell.strip() for cell in re.split(r"[\t ]+", text) if cell.strip()]
    return [
        found[place - 1 : place + 2]
        for place, cell in enumerate(found)
        if re.fullmatch(r"\d{2,3},\d{3}", cell)
    ]


def abdellatif_1() -> Printed:
    lines = [x for x in between("abdellatif2012", "| clk", "Figure") if re.match(r"\| \d", x)]
    return [
        [cell for cell in re.sub(r"[_{} ]", "", x).split("|")[2:-1] if cell != "-"] for x in lines
    ]


def abdellatif_2() -> Printed:
    lines = [x for x in between("abdellatif2012", "| Design", "An example") if "GHASH" in x]
    return [numbers(" ; ".join(line.split("|")[6:])) for line in lines]


PRINTED = {
    ("yang2005", "1"): lambda: tabbed("yang2005", "Table 1:", "An architecture", having=r"\t\d"),
    ("yang2005", "2"): lambda: columns("yang2005", "Table 2:", "Table 3:"),
    ("yang2005", "3"): lambda: columns("yang2005", "Table 3:", "consecutive"),
    ("satoh2007", "1"): satoh_1,
    ("satoh2007", "2"): lambda: tabbed("satoh2007", "Table 2 Sizes", "模", having=r"^\d"),
    ("abdellatif2012", "I"): abdellatif_1,
    ("abdellatif2012", "II"): abdellatif_2,
}
"""Each table out of the paper's own text."""

EVERY = [pytest.param(one, id=f"{one.paper}-{one.key}") for one in tables()]


@pytest.mark.parametrize("table", EVERY)
def test_every_row_of_the_printed_table_is_there_with_its_numbers(table):
    printed = PRINTED[table.paper, table.key]()
    assert len(table.rows) == len(printed)
    for row, expected in zip(table.rows, printed, strict=True):
        ours = [text for cell in row.printed.values() for text in (numbers(cell) or [cell])]
        if (table.paper, table.key) == ("abdellatif2012", "I"):
            ours = list(row.printed.values())
        missing = Counter(expected) - Counter(ours)
        assert not missing, f"{row.name}: {missing}"
        if (table.paper, table.key) != ("satoh2007", "1"):
            assert not Counter(ours) - Counter(expected), row.name


def test_no_table_of_the_papers_is_left_out():
    """What the five papers number as tables, and the figures that show measured numbers."""
    expected = {
        "yang2005": ["1", "2", "3"],
        "satoh2007": ["1", "2"],
        "abdellatif2012": ["I", "II"],
    }
    assert {name: [one.key for one in tables(name)] for name in PAPERS} == expected


@pytest.mark.parametrize("table", EVERY)
def test_a_row_is_measured_or_says_why_not(table):
    for row in table.rows:
        assert row.ours is not None or len(row.why) > 10, row.name


@pytest.mark.parametrize("table", EVERY)
def test_names_of_rows_differ_and_columns_have_units_or_words(table):
    names = [row.name for row in table.rows]
    assert len(set(names)) == len(names)
    assert len({column.key for column in table.columns}) == len(table.columns)
    assert all(set(row.printed) <= {column.key for column in table.columns} for row in table.rows)


def test_a_table_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(PapersError, match=r"yang2005 7: there is 1, 2, 3"):
        tables("yang2005", "7")
    with pytest.raises(PapersError, match=r"paper nobody: there is yang2005, satoh2007"):
        tables("nobody")

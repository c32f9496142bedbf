# SPDX-License-Identifier: Apache-2.0
"""The published cores that the explorer page shows: the product has them as data, made here.

`gcmforge-study pages published` writes the file. Figures are as printed, each in its own
technology.
"""

import json
from pathlib import Path
from typing import Any

import gcmforge
from gcmforge.study.papers import PAPERS, tables

FILE = Path(gcmforge.__file__).parent / "report" / "page" / "published.json"

PUBLISHED: tuple[tuple[str, str, str, str, float, float], ...] = (
    ("yang2005", "1", "GCM", "area", 1.0, 1.0),
    ("satoh2007", "1", "", "area", 1.0, 1.0),
    ("mozaffari2012", "7", "Proposed", "kge", 1000.0, 8.0),
)
"""Paper, table, how its rows of whole cores begin, column of areas, GE in its unit, and lanes that
its throughput is told for one of."""


def published_text() -> str:
    """The file as the tables say."""
    return json.dumps(published_marks(), indent=1) + "\n"


def published_marks() -> list[dict[str, Any]]:
    """Name, note and figures of every whole core that a paper prints with area and throughput."""
    marks = []
    for paper, key, begins, area, unit, lanes in PUBLISHED:
        (table,) = tables(paper, key)
        for row in table.rows:
            ge, rate = row.number(area), row.number("rate")
            if not row.name.startswith(begins) or ge is None or rate is None:
                continue
            gbit, clock = rate * lanes, row.number("clock")
            figures = {
                "area_ge": ge * unit,
                "gbit_per_s": gbit,
                "fmax_mhz": clock,
                "kbit_per_s_per_gate": 1e6 * gbit / (ge * unit),
                "bits_per_cycle": None if clock is None else 1000 * gbit / clock,
            }
            marks.append(
                {
                    "name": f"{PAPERS[paper]}: {row.name}",
                    "note": f"Table {key}, as printed"
                    + (f", {lanes:g} lanes" if lanes > 1 else ""),
                    "figures": {
                        name: None if value is None else float(f"{value:.6g}")
                        for name, value in figures.items()
                    },
                }
            )
    return marks

# SPDX-License-Identifier: Apache-2.0
"""Reads the papers' texts: what each printed table holds, row by row.

    GCMFORGE_SEEDS=FOLDER python tests/study/papers/seed_tables.py

writes printed.json, which the tests of the papers' tables compare with. The texts are not part of
the project; the folder holds them as .txt files. These parsers know nothing of the package's own
tables. Where GCMFORGE_SEEDS is set, a test compares printed.json with the texts again.
"""

import json
import os
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

MARKS = {
    "crenne2011": "Efficient Key-Dependent Message Authentication",
    "satoh2007": "High-speed Parallelized Hardware Implementation of GCM",
    "yang2005": "High Speed Architecture for Galois/Counter Mode",
    "mozaffari2012": "# Efficient and High-Performance Parallel Hardware Architectures",
    "abdellatif2012": "Efficient Parallel-Pipelined GHASH",
}
"""How a line near the beginning of each text begins."""

NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")

FILE = Path(__file__).with_name("printed.json")
SOURCES = {
    "yang2005": "Yang, Mishra, Karri: High Speed Architecture for Galois/Counter Mode of Operation"
    " (GCM), 2005",
    "satoh2007": "Satoh: High-speed Parallelized Hardware Implementation of GCM, 2007",
    "mozaffari2012": "Mozaffari-Kermani, Reyhani-Masoleh: Efficient and High-Performance Parallel"
    " Hardware Architectures for the AES-GCM, 2012",
    "crenne2011": "Crenne, Cotret, Gogniat, Tessier, Diguet: Efficient Key-Dependent Message"
    " Authentication in Reconfigurable Hardware, 2011",
    "abdellatif2012": "Abdellatif, Chotin-Avot, Mehrez: Efficient Parallel-Pipelined GHASH for"
    " Message Authentication, 2012",
}

Printed = list[list[str]]
"""What each row has, in any order within it; nothing where only the rows are counted."""


@cache
def seed(paper: str) -> list[str]:
    """Lines of a paper's text."""
    folder = os.environ["GCMFORGE_SEEDS"]
    for path in sorted(Path(folder).glob("*.txt")):
        text = path.read_text("utf-8")
        if any(line.startswith(MARKS[paper]) for line in text[:6000].splitlines()):
            return text.splitlines()
    raise FileNotFoundError(f"GCMFORGE_SEEDS={folder} has no text of {paper}")


def between(paper: str, first: str, last: str) -> Iterator[str]:
    """Lines after the first that begins with `first`, up to one that begins with `last`."""
    lines = iter(seed(paper))
    for line in lines:
        if line.startswith(first):
            break
    else:
        raise AssertionError(f"{paper}: no line begins with {first}")
    for line in lines:
        if line.startswith(last):
            return
        yield line


def plain(text: str) -> str:
    """Without footnote marks."""
    return re.sub(r"<sup>.*?</sup>|</?\w+>|[\u00b9\u00b2\u00b3]", " ", text)


def numbers(text: str) -> list[str]:
    """Its numbers; what is in square brackets is a reference."""
    return NUMBER.findall(re.sub(r"\[\d+\]", " ", plain(text)))


def cells(line: str) -> list[str]:
    """What stands between tabs, empty cells left out."""
    return [cell.strip() for cell in line.split("\t") if cell.strip()]


def tabbed(paper: str, first: str, last: str, having: str) -> Printed:
    """Rows whose cells stand between tabs: the numbers after the first cell."""
    lines = [line for line in between(paper, first, last) if re.search(having, line)]
    return [numbers(" ; ".join(cells(line)[1:]).replace("\u00d74", "")) for line in lines]


def columns(paper: str, first: str, last: str) -> Printed:
    """A table that is printed on its side: its first line has the names."""
    lines = [cells(line)[1:] for line in between(paper, first, last) if "\t" in line]
    return [list(column) for column in zip(*lines[1:], strict=True)]


def satoh_1() -> Printed:
    """The rows share cells, so each is known by its gates and what stands around them: the
    throughput before and the efficiency after."""
    text = "\t".join(between("satoh2007", "Table 1 Performance", "\u8868 2"))
    found = text.split()
    return [
        found[place - 1 : place + 2]
        for place, cell in enumerate(found)
        if re.fullmatch(r"\d{2,3},\d{3}", cell)
    ]


def mozaffari_1() -> Printed:
    """Five cells at the end of each row; the frequency stands in brackets."""
    lines = between("mozaffari2012", "TABLE 1", "1, 2, and 3")
    rows = [cells(line)[-5:] for line in lines if re.search(r"\d \[\d{3,4}\]", line)]
    return [NUMBER.findall(plain(" ; ".join(row))) for row in rows]


def mozaffari_2() -> Printed:
    rows = []
    for line in between("mozaffari2012", "TABLE 2", "1, 2, and 3"):
        powers = re.findall(r"\b\d\d\.\d\d\b|\b1\.\d{3}\b", line)
        change = re.search(r"\b([0-9A-F]{2})\s*\$\\rightarrow ([0-9A-F]{2})\$", line)
        if powers:
            rows.append([*powers, *([f"{change[1]} to {change[2]}"] if change else [])])
    return rows


def mozaffari_5() -> Printed:
    lines = [x for x in between("mozaffari2012", "TABLE 5", "a. Gate") if "T_A +" in x]
    return [numbers(" ; ".join(cells(line)[-3:])) for line in lines]


def mozaffari_7() -> Printed:
    """Of a fraction, what stands above."""
    rows = []
    for line in between("mozaffari2012", "TABLE 7", "a. For"):
        if r"\frac{7" in line or r"\frac{8" in line:
            above = re.sub(r"\\frac\{([\d.]+)\}\S*", r"\1", " ; ".join(cells(line)[1:]))
            rows.append(NUMBER.findall(plain(above)))
    return rows


def counted(paper: str, first: str, last: str, having: str) -> Printed:
    """Rows of words: only how many."""
    return [[] for line in between(paper, first, last) if re.search(having, line)]


def crenne_1() -> Printed:
    lines = [x for x in between("crenne2011", "Design\t", "TABLE I") if re.search(r"xc\d", x)]
    return [[plain(cell).strip() for cell in cells(line)[5:]] for line in lines]


def crenne_3() -> Printed:
    (found,) = re.findall(
        r"logic value 0 percentage of (\d+)%, (\d+)%, and (\d+)%", " ".join(seed("crenne2011"))
    )
    return [[one] for one in found]


def abdellatif_1() -> Printed:
    lines = [x for x in between("abdellatif2012", "| clk", "Figure") if re.match(r"\| \d", x)]
    rows = [re.sub(r"[_{} ]", "", line).split("|")[2:-1] for line in lines]
    return [[cell for cell in row if cell != "-"] for row in rows]


def abdellatif_2() -> Printed:
    lines = [x for x in between("abdellatif2012", "| Design", "An example") if "GHASH" in x]
    return [numbers(" ; ".join(line.split("|")[6:])) for line in lines]


PRINTED: dict[tuple[str, str], Callable[[], Printed]] = {
    ("yang2005", "1"): lambda: tabbed("yang2005", "Table 1:", "An architecture", r"\t\d"),
    ("yang2005", "2"): lambda: columns("yang2005", "Table 2:", "Table 3:"),
    ("yang2005", "3"): lambda: columns("yang2005", "Table 3:", "consecutive"),
    ("satoh2007", "1"): satoh_1,
    ("satoh2007", "2"): lambda: tabbed("satoh2007", "Table 2 Sizes", "\u6a21", r"^\d"),
    ("mozaffari2012", "1"): mozaffari_1,
    ("mozaffari2012", "2"): mozaffari_2,
    ("mozaffari2012", "3"): lambda: counted(
        "mozaffari2012", "Approach", "approach", r"\\frac\{128"
    ),
    ("mozaffari2012", "4"): lambda: tabbed("mozaffari2012", "TABLE 4", "TABLE 5", "XORs"),
    ("mozaffari2012", "5"): mozaffari_5,
    ("mozaffari2012", "6"): lambda: counted("mozaffari2012", "TABLE 6", "Fig. 7", "^PB S-box"),
    ("mozaffari2012", "7"): mozaffari_7,
    ("mozaffari2012", "fig8"): lambda: [[] for _ in mozaffari_7()],
    ("crenne2011", "I"): crenne_1,
    ("crenne2011", "fig3"): crenne_3,
    ("abdellatif2012", "I"): abdellatif_1,
    ("abdellatif2012", "II"): abdellatif_2,
}
"""Each table out of the paper's own text."""

IN_PART = {
    ("satoh2007", "1"), ("mozaffari2012", "3"), ("mozaffari2012", "6"), ("mozaffari2012", "fig8"),
}  # fmt: skip
"""Tables of which not every cell can be read like this."""


def place(paper: str, key: str) -> str:
    """Of a table in printed.json: `yang2005 table 1`, `mozaffari2012 figure 8`."""
    figure = key.startswith("fig")
    return f"{paper} {'figure' if figure else 'table'} {key.removeprefix('fig')}"


def kept() -> dict[tuple[str, str], Printed]:
    """What printed.json has of each table."""
    found = json.loads(FILE.read_text("ascii"))["tables"]
    return {(paper, key): found[place(paper, key)] for paper, key in PRINTED}


def write() -> None:
    """printed.json, a row a line."""
    tables = []
    for (paper, key), printed in PRINTED.items():
        rows = ",\n".join(f"  {json.dumps(row)}" for row in printed())
        tables.append(f"{json.dumps(place(paper, key))}: [\n{rows}\n]")
    head = json.dumps({"sources": SOURCES}, indent=1)[:-2]
    FILE.write_text(head + ',\n"tables": {\n' + ",\n".join(tables) + "\n}\n}\n", "ascii")


if __name__ == "__main__":
    write()

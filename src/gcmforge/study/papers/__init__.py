# SPDX-License-Identifier: Apache-2.0
"""The tables and figures of the five papers, as data, compared with what this project measures."""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gcmforge.study.papers.form import Table
    from gcmforge.study.papers.measured import Need

PAPERS = {
    "yang2005": "Yang, Mishra, Karri 2005",
    "satoh2007": "Satoh 2007",
    "mozaffari2012": "Mozaffari-Kermani, Reyhani-Masoleh 2012",
    "crenne2011": "Crenne, Cotret, Gogniat, Tessier, Diguet 2011",
    "abdellatif2012": "Abdellatif, Chotin-Avot, Mehrez 2012",
}
"""Name on the command line -> authors and year."""


class PapersError(ValueError):
    """A paper or a table that is not there: one line, fit to be shown to a user."""


def tables(paper: str | None = None, table: str | None = None) -> tuple["Table", ...]:
    """All tables, those of one paper, or one of them."""
    if paper is None:
        return tuple(one for name in PAPERS for one in tables(name))
    every: tuple[Table, ...] = _module(paper).TABLES
    if table is None:
        return every
    found = tuple(one for one in every if one.key.lower() == table.lower())
    if not found:
        raise PapersError(f"{paper} {table}: there is {', '.join(one.key for one in every)}")
    return found


def needs(paper: str | None = None) -> tuple["Need", ...]:
    """What has to be measured for the tables of all papers, or of one, and for its standing."""
    if paper is None:
        return tuple(dict.fromkeys(need for name in PAPERS for need in needs(name)))
    from gcmforge.study.papers.per_gate import RIVALS

    rivals = [need for rival in RIVALS if rival.paper == paper for need in rival.needs]
    return tuple(dict.fromkeys((*_module(paper).NEEDS, *rivals)))


def _module(paper: str) -> ModuleType:
    if paper not in PAPERS:
        raise PapersError(f"paper {paper}: there is {', '.join(PAPERS)}")
    return import_module(f"gcmforge.study.papers.{paper}")

# SPDX-License-Identifier: Apache-2.0
"""The published cores of the explorer page are those of the papers' tables."""

from gcmforge.report.explorer import paper_marks
from gcmforge.study.papers.marks import FILE, published_marks, published_text


def test_the_products_file_is_what_the_tables_say():
    assert FILE.read_text() == published_text(), "run: gcmforge-study pages published"


def test_the_page_shows_each_of_them():
    assert paper_marks() == published_marks()

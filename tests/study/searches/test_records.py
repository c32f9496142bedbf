# SPDX-License-Identifier: Apache-2.0
"""The records table: every kept program is checked, and none is worse than its record."""

import pytest

from gcmforge.study.searches import records


@pytest.fixture(scope="module")
def bench():
    return records


def test_every_record_is_reached(bench):
    for record in bench.records():
        program = record.kept()
        assert program is not None, record.name
        assert program.xors <= record.count, record.name
        seed, seconds = record.found_by()
        assert seed.isdigit(), record.name
        assert seconds.isdigit(), record.name


def test_a_kept_program_that_computes_another_map_is_noticed(bench, tmp_path, monkeypatch):
    record = next(r for r in bench.records() if r.name == "mix_columns_depth3")
    text = record.file.read_text()
    head, outputs = text.split("outputs\n")
    first, second, *rest = outputs.split()
    (tmp_path / record.file.name).write_text(f"{head}outputs\n{second} {first} {' '.join(rest)}\n")
    monkeypatch.setattr(bench, "DATA", tmp_path)
    with pytest.raises(SystemExit, match="computes another map"):
        record.kept()

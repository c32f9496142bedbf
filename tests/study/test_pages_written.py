# SPDX-License-Identifier: Apache-2.0
"""A page that cannot be written is told and the others are written; so is an interruption."""

import pytest

from gcmforge.netlist.targets import TargetError
from gcmforge.study import cli


def test_pages_after_one_that_fails_are_written(monkeypatch, capsys):
    written = []

    def write(name, arguments):
        if name == "papers":
            raise TargetError("target ihp-sg13g2 is not installed")
        written.append(name)

    monkeypatch.setattr(cli, "_write_page", write)
    assert cli._write_pages(["soak", "papers", "measured"], ()) == 1
    assert written == ["soak", "measured"]
    said = capsys.readouterr().err
    assert said == "gcmforge-study: pages papers: target ihp-sg13g2 is not installed\n"
    assert cli._write_pages(["soak"], ()) == 0


def test_an_interruption_says_that_what_was_finished_is_kept(monkeypatch, capsys):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "_evidence", interrupt)
    with pytest.raises(SystemExit) as ended:
        cli.main(["evidence", "zeros"])
    assert ended.value.code == 130
    assert "interrupted; what was finished is kept" in capsys.readouterr().err

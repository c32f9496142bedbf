# SPDX-License-Identifier: Apache-2.0
"""Files of the study are short enough to be read as one thing."""

from pathlib import Path

from gcmforge import study


def test_no_file_of_the_study_is_long():
    files = list(Path(study.__file__).parent.rglob("*.py"))
    assert len(files) > 30
    lines = {path.name: len(path.read_text("utf-8").splitlines()) for path in files}
    assert not {name: count for name, count in lines.items() if count > 400}

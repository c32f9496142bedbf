# SPDX-License-Identifier: Apache-2.0
"""Shell completion: what `gcmforge --install-completion` writes is evaluated by bash."""

import os
import re
import subprocess
import sys

import pytest

from gcmforge.cli import app

ASK = """
source ~/.bashrc
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
$(complete -p gcmforge | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A home in which completion was installed, as the command's reference says."""
    folder = tmp_path_factory.mktemp("home")
    paths = os.pathsep.join(filter(None, sys.path))
    run = subprocess.run(
        [sys.executable, "-m", "gcmforge", "--install-completion"],
        env={**os.environ, "HOME": str(folder), "SHELL": "/bin/bash", "PYTHONPATH": paths},
        cwd=folder, text=True, capture_output=True, timeout=60,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    return folder


def completed(home, *words):
    """What bash offers for the last of these words."""
    run = subprocess.run(
        ["bash", "--norc", "--noprofile", "-c", ASK, "bash", *words],
        env={"HOME": str(home), "PATH": os.environ["PATH"]},
        cwd=home, text=True, capture_output=True, timeout=30,
    )  # fmt: skip
    assert run.returncode == 0 and run.stderr == ""
    return set(run.stdout.split())


def test_bash_completes_the_commands(home):
    shown = {name for name in app if app[name].show and not name.startswith("-")}
    assert {"new", "build", "verify", "prove", "measure", "explore", "doctor"} <= shown
    assert completed(home, "gcmforge", "") == shown
    assert completed(home, "gcmforge", "me") == {"measure"}
    assert completed(home, "gcmforge", "no-such") == set()


@pytest.mark.parametrize("command", ["build", "verify", "measure", "explore"])
def test_bash_completes_the_options_of_a_command(home, command, capsys):
    app([command, "--help"])
    told = set(re.findall(r"--[a-z][a-z-]*", capsys.readouterr().out))
    offered = completed(home, "gcmforge", command, "--")
    assert offered <= told | {"--version", "--help"}
    assert {"--json", "--help"} < offered


def test_bash_completes_a_file_where_one_is_asked_for(home):
    (home / "my-core.toml").touch()
    assert completed(home, "gcmforge", "build", "my-") == {"my-core.toml"}


def test_one_line_of_the_start_up_file_loads_it(home):
    lines = (home / ".bashrc").read_text().splitlines()
    assert len([line for line in lines if "gcmforge" in line and not line.startswith("#")]) == 1

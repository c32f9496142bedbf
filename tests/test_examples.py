# SPDX-License-Identifier: Apache-2.0
"""Every file of examples/ is what it says: cores build by the command in their file, and answer
right; spaces hold cores."""

import re
import shlex
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import aead

import gcmforge
from gcmforge.cli import main
from gcmforge.config.presets import PRESETS
from gcmforge.explore.estimate import estimate_all

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
CORES = sorted((EXAMPLES / "cores").glob("*.toml"))
SPACES = sorted(EXAMPLES.glob("*.toml"))
EDGE_CASES = ROOT / "tests" / "data" / "aes_gcm_edge_cases.json"
KEY = bytes(range(16))


def commands(file: Path) -> list[list[str]]:
    """The commands in a file's comments."""
    lines = re.findall(r"^#\s+(gcmforge .*)$", file.read_text(), re.MULTILINE)
    return [shlex.split(line, comments=True) for line in lines]


def run(command: list[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(command[1:])
    assert end.value.code == 0, command


def by_name(name: str) -> Path:
    return EXAMPLES / "cores" / f"{name}.toml"


@pytest.fixture
def in_a_copy(tmp_path, monkeypatch):
    """The folder that the files' commands are run in."""
    (tmp_path / "examples").symlink_to(EXAMPLES)
    monkeypatch.chdir(tmp_path)


@pytest.mark.yosys
@pytest.mark.verilator
@pytest.mark.slow
@pytest.mark.parametrize(
    "file", [path for path in CORES if path.stem != "one-key"], ids=lambda path: path.stem
)
def test_a_core_is_built_by_its_files_command_and_answers_right(file, in_a_copy):
    build, verify, *others = commands(file)
    assert build[:3] == ["gcmforge", "build", f"examples/cores/{file.name}"]
    run([*build, "--no-datasheet"])
    folder = Path(build[build.index("-o") + 1])
    core = gcmforge.open_core(folder)
    assert core.config == gcmforge.load_config(file)
    assert (folder / "gen" / f"{core.config.top}.sv").is_file()
    assert verify[1] == "verify"
    assert {command[2] for command in [verify, *others]} == {str(folder)}
    assert {command[1] for command in others} <= {"measure"}
    report = gcmforge.verify(folder, random=200, seed=1, stalls="both")
    assert report.ok, report.failures
    report = gcmforge.verify(folder, vectors=[EDGE_CASES], seed=1)
    assert report.ok, report.failures


@pytest.mark.yosys
@pytest.mark.verilator
@pytest.mark.slow
def test_the_core_for_one_key_seals_with_its_key_and_refuses_others(in_a_copy):
    (command,) = commands(by_name("one-key"))
    Path("key.txt").write_text(KEY.hex() + "\n")
    run([*command, "--effort", "quick"])
    folder = Path(command[command.index("-o") + 1])
    with gcmforge.AESGCM(folder, KEY) as ours:
        for text, associated in (
            (b"", b"only protected"),
            (b"plaintext" * 20, b"header"),
            (b"x", b""),
        ):
            sealed = ours.encrypt(b"n" * 12, text, associated)
            assert sealed == aead.AESGCM(KEY).encrypt(b"n" * 12, text, associated)
            assert ours.decrypt(b"n" * 12, sealed, associated) == text
    with (
        gcmforge.AESGCM(folder, KEY[::-1]) as other,
        pytest.raises(gcmforge.CoreError, match="NO_KEY"),
    ):
        other.encrypt(b"n" * 12, b"x", None)


def test_the_files_are_what_they_say():
    assert gcmforge.load_config(by_name("default")) == gcmforge.preset("default")
    assert gcmforge.load_config(by_name("line-rate-100g")) == gcmforge.preset("100g")
    assert gcmforge.load_config(by_name("macsec")).top == "gcm_macsec"
    registers = gcmforge.load_config(by_name("registers"))
    assert (registers.top, registers.release) == ("gcm_axil", "verified")
    with pytest.raises(gcmforge.ConfigError, match="use registers=off, or profile=none"):
        gcmforge.load_config(by_name("macsec"), registers="axi4lite")


@pytest.mark.slow
def test_the_smallest_core_of_whole_blocks_is_smaller_than_every_preset_of_them():
    smallest = gcmforge.load_config(by_name("smallest"))
    whole = [preset.config for preset in PRESETS.values() if preset.config.core == "standard"]
    configs = [smallest, *whole]
    areas = [point.area_ge for point in estimate_all(configs, "osu018", 1500)]
    assert areas[0] < 0.9 * min(areas[1:])  # an estimate's area is off by 5 percent at most


def test_every_group_of_options_says_why():
    for file in CORES:
        text = file.read_text()
        assert max(map(len, text.splitlines())) <= 100, file.name
        groups = [group for group in text.split("\n\n") if re.match(r"\w+ = ", group)]
        assert groups
        for group in groups:
            assert "#" in group, f"{file.name}: {group}"


@pytest.mark.slow
@pytest.mark.parametrize("file", SPACES, ids=lambda path: path.stem)
def test_a_space_holds_cores(file):
    survey = gcmforge.Space.from_toml(file).survey()
    assert len(survey.points) > 1


def test_the_readme_lists_every_file_and_only_those():
    text = (EXAMPLES / "README.md").read_text()
    listed = re.findall(r"\]\((?!\.\.)([\w./-]+\.toml)\)", text)
    there = [path.relative_to(EXAMPLES).as_posix() for path in (*CORES, *SPACES)]
    assert sorted(listed) == sorted(there)

# SPDX-License-Identifier: Apache-2.0
"""The documents say what the code does."""

import importlib.util
import re
import shlex
import subprocess
from pathlib import Path

import pytest

import gcmforge
from gcmforge.cli import main
from gcmforge.config.installed import every_engine
from gcmforge.config.presets import preset
from gcmforge.emit.core import core_files
from gcmforge.tools import verilator_binary, verilator_environment

ROOT = Path(__file__).parents[1]


def generator():
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs/generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", generator().PAGES)
def test_the_reference_is_what_the_code_says(name):
    page = (ROOT / "docs/reference" / name).read_text()
    assert page == generator().PAGES[name](), "run: python docs/generate.py"


def test_links_between_documents_lead_somewhere():
    for page in [
        *ROOT.glob("*.md"),
        *(ROOT / "examples").glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
    ]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_readme_says_how_many_files_the_default_core_has():
    _, rtl, _ = core_files(preset("default"), prove=False)
    assert f"; {len(rtl)} SystemVerilog files, top gcm_axis" in (ROOT / "README.md").read_text()


def test_every_make_target_of_the_readme_exists():
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"^    make (\w+)", (ROOT / "README.md").read_text(), re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_no_pinned_version_names_a_registry():
    text = (ROOT / "constraints.txt").read_text()
    pins = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert pins
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", pin) for pin in pins)


def test_help_shows_no_python():
    page = (ROOT / "docs/reference/commands.md").read_text()
    assert "[default: yes]" in page
    assert not re.search(r"default: (\(|None|True|False)", page)


def test_the_cores_of_the_readme_are_those_of_the_measured_page():
    def rows(path: Path) -> set[tuple[str, ...]]:
        """Name, bits a cycle and GE of each core."""
        table = re.search(r"^\| core \| bits/cycle \|.*?\n\n", path.read_text(), re.M | re.S)
        cells = [line.split("|") for line in table.group().splitlines()[2:] if line]
        return {tuple(cell.strip(" `") for cell in row[1:4]) for row in cells}

    readme = rows(ROOT / "README.md")
    assert readme
    assert readme == rows(ROOT / "docs/reference/measured.md"), "run: gcmforge-study pages measured"


def test_what_the_page_of_parts_quotes_is_code():
    page = (ROOT / "docs/how-to/add-a-part.md").read_text()
    quoted = re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)
    sources = [
        (ROOT / file).read_text()
        for file in (
            "tests/house/horner/engine.py",
            "src/gcmforge/config/options.py",
            "src/gcmforge/config/rules.py",
        )
    ]
    assert len(quoted) == len(sources)
    for block, source in zip(quoted, sources, strict=True):
        assert block in source


def test_files_that_the_page_of_parts_names_exist():
    page = (ROOT / "docs/how-to/add-a-part.md").read_text()
    named = re.findall(r"`((?:src|tests|docs)/[\w/.]+)`", page)
    assert named
    for path in named:
        if path != "src/gcmforge/engines/ghash_horner":  # the one to be made
            assert (ROOT / path).exists(), path


def test_every_kind_of_engine_is_in_the_glossary_the_changes_and_the_page_of_parts():
    kinds = {engine.kind for engine in every_engine()}
    assert {"ghash", "profile"} <= kinds
    for page, heading in (
        ("docs/glossary.md", "## Engine"),
        ("docs/how-to/add-a-part.md", "## Another engine"),
        ("CHANGELOG.md", "- An engine is a folder"),
    ):
        _, _, text = (ROOT / page).read_text().partition(heading)
        told = text.partition("\n## ")[0]
        assert [kind for kind in sorted(kinds) if f"`{kind}`" not in told] == [], page


def test_the_glossary_is_in_order_and_its_terms_stand_once():
    terms = re.findall(r"^## (.*)$", (ROOT / "docs/glossary.md").read_text(), re.MULTILINE)
    assert terms == sorted(set(terms), key=str.lower)


def test_every_name_of_the_package_that_a_page_uses_is_public():
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    used = {name for page in pages for name in re.findall(r"\bgcmforge\.(\w+)\(", page.read_text())}
    assert {"build", "verify", "measure_core"} <= used
    assert used <= set(gcmforge.__all__)


@pytest.mark.verilator
@pytest.mark.yosys
@pytest.mark.slow
def test_the_code_of_the_page_about_python_runs(tmp_path, monkeypatch):
    page = (ROOT / "docs/how-to/use-from-python.md").read_text()
    (code,) = re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(compile(code, "use-from-python.md", "exec"), names)
    assert (tmp_path / "cores/mine/core.toml").is_file()
    assert names["report"].passed == 1000
    assert len(names["sealed"]) == len(b"secret") + 16


@pytest.mark.verilator
@pytest.mark.slow
@pytest.mark.parametrize(("tag", "verdict"), [("5a45e7a4", "passed"), ("00000000", "FAILED")])
def test_the_testbench_of_the_page_about_verifying_runs(tag, verdict, tmp_path):
    page = (ROOT / "docs/how-to/verify-a-core.md").read_text()
    (bench,) = re.findall(r"^```systemverilog\n(.*?)^```", page, re.M | re.S)
    gcmforge.build("compact", tmp_path / "CORE", prove=False, datasheet=False)
    (tmp_path / "tb.sv").write_text(bench.replace("5a45e7a4", tag))
    (command,) = re.findall(r"^    (verilator --binary .*)$", page, re.M)
    assert verdict_of(command, tmp_path).startswith(verdict)


def verdict_of(command: str, folder: Path) -> str:
    """What the bench says that a page's command for Verilator compiles."""
    words = shlex.split(command.replace('-CFLAGS "', '"-CFLAGS" "-O0 '))
    done = subprocess.run(
        [str(verilator_binary()), *words[1:]],
        cwd=folder, env=verilator_environment(), text=True, capture_output=True, timeout=600,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    out = subprocess.run([folder / "obj_dir/Vtb"], text=True, capture_output=True, check=True)
    return out.stdout


@pytest.mark.verilator
@pytest.mark.slow
@pytest.mark.parametrize("name", ["carry-ethernet", "serve-channels"])
def test_the_testbench_of_a_page_about_an_own_bus_runs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = (ROOT / f"docs/how-to/{name}.md").read_text()
    (bench,) = re.findall(r"^```systemverilog\n(.*?)^```", page, re.M | re.S)
    quick = ("--set", "sbox=table", "--no-prove", "--no-datasheet")  # to compile
    build, compiled = re.findall(r"^    ((?:gcmforge build|verilator) .* ?CORE.*)$", page, re.M)
    with pytest.raises(SystemExit) as end:
        main([*shlex.split(build)[1:], *quick])
    assert end.value.code == 0
    (tmp_path / "tb.sv").write_text(bench)
    assert verdict_of(compiled, tmp_path).startswith("passed")


def test_the_refusal_in_the_tutorial_is_the_one_that_is_printed(tmp_path, monkeypatch):
    page = (ROOT / "docs/tutorial/first-core.md").read_text()
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text("lanes = 2\n")
    with pytest.raises(gcmforge.ConfigError) as refused:
        gcmforge.load_config(Path("mine.toml"), ghash="serial")
    assert f"gcmforge: {refused.value}\n" in page

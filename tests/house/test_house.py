# SPDX-License-Identifier: Apache-2.0
"""What the tree promises: an engine is a folder of two files, and the product needs no study.

Each test works on a copy of the package, which a new interpreter imports in place of this one.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HORNER = Path(__file__).parent / "horner"
IGNORED = shutil.ignore_patterns("__pycache__")
SMALL = ("--set=aes=loop", "--set=key_sizes=128", "--set=contexts=1", "--set=iv=96")


class Copy:
    """The package in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.package = folder / "src" / "gcmforge"
        shutil.copytree(ROOT / "src" / "gcmforge", self.package, ignore=IGNORED)

    def run(self, *words: str, code: int = 0, at: Path | None = None) -> str:
        """What a command prints; it ends with that code."""
        cache = {"XDG_CACHE_HOME": str(self.folder / "cache")}
        done = subprocess.run(
            words, cwd=at or self.folder, text=True, capture_output=True, timeout=300, check=False,
            env={**os.environ, "PYTHONPATH": str(self.package.parent), **cache},
        )  # fmt: skip
        assert done.returncode == code, done.stdout[-3000:] + done.stderr[-3000:]
        return done.stdout

    def gcmforge(self, *words: str) -> str:
        return self.run(sys.executable, "-m", "gcmforge", *words)

    def python(self, code: str) -> str:
        return self.run(sys.executable, "-c", code)

    def pytest(self, *words: str, code: int = 0) -> str:
        """The tests of the copy, with temporary folders of their own."""
        program = str(Path(sys.executable).parent / "pytest")
        own = ("-p", "no:cacheprovider", "--basetemp", str(self.folder / "temporary"))
        return self.run(program, "-q", *own, *words, code=code)


@pytest.fixture
def with_horner(tmp_path):
    copy = Copy(tmp_path)
    shutil.copytree(HORNER, copy.package / "engines" / "ghash_horner", dirs_exist_ok=True)
    return copy


@pytest.fixture
def without_study(tmp_path):
    copy = Copy(tmp_path)
    shutil.rmtree(copy.package / "study")
    return copy


@pytest.mark.slow
def test_a_ghash_is_a_folder_of_two_files(with_horner):
    copy = with_horner
    assert len(list((copy.package / "engines" / "ghash_horner").glob("*.*"))) == 2
    copy.gcmforge("build", *SMALL, "--set=ghash=horner", "-o", "core", "--no-datasheet")
    verified = json.loads(copy.gcmforge("verify", "core", "--nist", "--seed", "1", "--json"))
    assert verified["failed"] == 0
    assert verified["passed"] > 1000


OPTIONS_PAGE = (
    "import sys; sys.path[:0] = ['docs']; import generate; print(generate.options_page())"
)
OWN_TESTS = ("laws/test_headers.py", "house/test_names.py", "test_config.py", "test_docs.py")
"""Those that go through all engines, and take no simulator."""


@pytest.mark.slow
def test_the_tests_pass_with_it_as_they_are(with_horner):
    """All that was written for it are its two files; the page of options is generated again."""
    copy = with_horner
    for folder in ("tests", "docs", "examples", "bench"):
        shutil.copytree(ROOT / folder, copy.folder / folder, ignore=IGNORED)
    for file in filter(Path.is_file, ROOT.iterdir()):
        shutil.copy(file, copy.folder)
    page = copy.python(OPTIONS_PAGE).removesuffix("\n")
    (copy.folder / "docs/reference/options.md").write_text(page)
    told = copy.pytest("-m", "not slow", "-rA", *(f"tests/{file}" for file in OWN_TESTS))
    assert "test_the_digest_comes_when_the_header_says[horner]" in told
    assert re.search(r"^\d+ passed(, \d+ deselected)? in ", told, re.MULTILINE), told[-2000:]


@pytest.mark.slow
def test_a_law_that_its_header_does_not_have_is_found(with_horner):
    """The digest a cycle later than the header says."""
    copy = with_horner
    shutil.copytree(ROOT / "tests", copy.folder / "tests", ignore=IGNORED)
    shutil.copy(ROOT / "pyproject.toml", copy.folder)
    engine = copy.package / "engines" / "ghash_horner" / "engine.py"
    law = "latency_cycles=lambda config: CYCLES,"
    assert law in engine.read_text()
    engine.write_text(engine.read_text().replace(law, law.replace("CYCLES", "CYCLES + 1")))
    told = copy.pytest("-k", "horner", "tests/laws/test_headers.py", code=1)
    assert re.findall(r"^FAILED .*::(\w+)\[horner\]", told, re.MULTILINE) == [
        "test_the_digest_comes_when_the_header_says"
    ]


@pytest.mark.slow
def test_its_options_and_documents_follow(with_horner):
    copy = with_horner
    shutil.copytree(ROOT / "docs", copy.folder / "docs")
    page = copy.python(OPTIONS_PAGE)
    row = next(line for line in page.splitlines() if line.startswith("| `ghash` |"))
    assert "horner multiplies by H in sixteen cycles by Horner's rule (one lane)" in row
    assert "window, horner" in row or ", horner," in row
    copy.run(
        sys.executable, "-m", "gcmforge", "build", "--set=ghash=horner", "--set=lanes=2",
        "-o", "core", code=1,
    )  # fmt: skip
    assert not (copy.folder / "core").exists()


@pytest.mark.slow
def test_it_is_explored(with_horner):
    copy = with_horner
    (copy.folder / "space.toml").write_text(
        'aes = "loop"\nkey_schedule = "travelling"\nghash = ["serial", "horner", "digit"]\n'
    )
    found = json.loads(copy.gcmforge("explore", "space.toml", "--json"))
    area = {one["config"]["ghash"]: one["area_ge"] for one in found["points"]}
    assert area.keys() == {"serial", "horner", "digit"}
    assert area["horner"] < area["digit"] < area["serial"]


@pytest.mark.slow
def test_a_profile_is_a_folder_of_two_files(tmp_path):
    """IPsec's under another name: the top, its ports and the options follow."""
    copy = Copy(tmp_path)
    engines = copy.package / "engines"
    (engines / "profile_other").mkdir()
    for file, name in (("engine.py", "engine.py"), ("profile_ipsec.sv", "profile_other.sv")):
        text = (engines / "profile_ipsec" / file).read_text()
        text = text.replace("profile_ipsec", "profile_other").replace('"ipsec"', '"other"')
        (engines / "profile_other" / name).write_text(text)
    copy.gcmforge(
        "build", "--set=profile=other", "-o", "core", "--no-datasheet", "--no-prove"
    )  # fmt: skip
    top = next((tmp_path / "core").rglob("gcm_other.sv")).read_text()
    assert "profile_other #(" in top
    assert "s_cmd_explicit_iv" in top
    meaning = copy.python(
        "from gcmforge.config import options; print(options()['profile'].meaning)"
    )
    assert "other (RFC 4106)" in meaning
    assert "gcm_other" in meaning


def test_without_the_study_a_refusal_tells_where_a_name_is(without_study):
    found = without_study.python("""
from gcmforge.config import ConfigError
from gcmforge.config.presets import load_plan
for name, settings in (
    (None, ["ghash=interleaved"]), (None, ["squarers=hybrid"]), ("satoh2007", []),
    (None, ["ghash=interleave"]), (None, ["lanes=2", "ghash=dot"]),
):
    try:
        load_plan(None, name, settings)
    except ConfigError as error:
        print(error)
""").splitlines()
    missing = "belongs to gcmforge.study, which is missing here: install gcmforge with it)"
    assert found[0].startswith("ghash=interleaved: not allowed; use aggregated")
    assert found[0].endswith(f" (interleaved {missing}")
    assert found[1].startswith(f"squarers: no such option (squarers {missing}; ")
    assert found[2].startswith(f"preset satoh2007: no such preset (satoh2007 {missing}; ")
    assert found[3].startswith("ghash=interleave: not allowed") and missing not in found[3]
    assert found[4].startswith("ghash=dot: not allowed; use aggregated")
    assert found[4].endswith(f" (dot {missing}")


@pytest.mark.slow
def test_without_the_study_a_core_for_one_key_has_any_number_of_lanes(without_study):
    found = without_study.python("""
from gcmforge.config import CoreConfig
from gcmforge.specialise.core import fixed_config
print(*(fixed_config(CoreConfig(lanes=lanes)).ghash for lanes in (1, 2, 16)))
""")
    assert found.split() == ["serial", "aggregated", "aggregated"]


@pytest.mark.slow
def test_the_product_works_without_the_study(without_study):
    copy = without_study
    copy.gcmforge("build", *SMALL, "--set=ghash=digit", "-o", "core", "--no-datasheet")
    verified = json.loads(copy.gcmforge("verify", "core", "--random", "100", "--json"))
    assert (verified["passed"], verified["failed"]) == (100, 0)
    space = 'aes = "loop"\nghash = ["serial", "digit"]\n'
    (copy.folder / "space.toml").write_text(space)
    found = json.loads(copy.gcmforge("explore", "space.toml", "--json"))
    assert len(found["points"]) == 2
    measured = json.loads(
        copy.gcmforge("measure", "aes_sbox/table", "--target", "ge", "--effort", "quick", "--json")
    )
    assert measured
    names = copy.python("from gcmforge.config.presets import PRESETS; print(*PRESETS)").split()
    assert "default" in names
    assert "yang2005" not in names


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("config/option.py", "import gcmforge.study.papers.form\n"),
        ("sim/core.py", "from gcmforge.measure import store\n"),
        ("netlist/liberty.py", "from gcmforge.netlist import targets\n"),
    ],
    ids=["study", "upwards", "circle"],
)
def test_the_contract_of_the_rooms_refuses(file, line, tmp_path):
    copy = Copy(tmp_path)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    lint = str(Path(sys.executable).parent / "lint-imports")
    assert "0 broken" in copy.run(lint, "--no-logo", "--no-cache")
    path = copy.package / file
    path.write_text(path.read_text() + line)
    told = copy.run(lint, "--no-logo", "--no-cache", code=1)
    assert "BROKEN" in told
    assert f".{Path(file).stem}" in told


def lines(file: Path) -> int:
    return len(file.read_text().splitlines())


def test_no_file_of_the_product_is_long():
    product = [
        file
        for file in (ROOT / "src" / "gcmforge").rglob("*.*")
        if file.suffix in (".py", ".sv") and "study" not in file.relative_to(ROOT).parts
    ]
    assert len(product) > 250
    long = {
        str(file.relative_to(ROOT)): lines(file)
        for file in product
        if lines(file) > (300 if file.parent.name == "config" else 400)
    }
    assert long == {}, "more than 400 lines, or 300 in config: move what stands alone to a new file"


def test_benchmarks_keep_nothing():
    files = [file for file in (ROOT / "bench").rglob("*") if file.suffix != ".pyc"]
    kept = [file.name for file in files if file.is_file() and file.suffix != ".py"]
    assert files
    assert kept == []
    for file in files:
        text = file.read_text(encoding="utf-8") if file.is_file() else ""
        assert "gcmforge/explore/data" not in text and "gcmforge.study.evidence" not in text

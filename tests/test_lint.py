# SPDX-License-Identifier: Apache-2.0
"""Every hand-written file and every leaf is clean: Verilator -Wall, read_verilog -sv, no latch, no
combinational loop.

A core's gates are thousands of lines of one form, many times over: cores are read with outlines in
place of their leaves, each kind of leaf is read by itself; `gcmforge-study run lint` reads all of
it.
"""

import dataclasses
import re
from pathlib import Path

import pytest
from engine_cores import cores_of

from gcmforge.config import CoreConfig, options
from gcmforge.config.installed import every_engine
from gcmforge.config.kinds import fixed_ghash
from gcmforge.config.presets import preset
from gcmforge.emit import build_core
from gcmforge.emit.leaves import LEAF_MODULES, leaf_file
from gcmforge.emit.naming import WIDE
from gcmforge.emit.rtl import handwritten
from gcmforge.measure.subject import find_subject, leaf_names
from gcmforge.sim.properties import with_properties
from gcmforge.specialise import Subkey, make_plan, specialise
from gcmforge.specialise.core import specialise_core
from gcmforge.study.evidence import lint as bench
from gcmforge.tools import ToolError, run_yosys

pytestmark = [pytest.mark.verilator, pytest.mark.yosys]

CORES = {
    "default": preset("default"),
    "small": preset("small"),
    "nano": preset("nano"),
    "block RAM": preset("ecp5"),
    "block RAM in a ring": preset("ice40"),
    "nano of two key sizes": preset("nano").with_settings(["key_sizes=128,256"]),
    "nano of two key sizes, block RAM": preset("ice40").with_settings(["key_sizes=128,256"]),
    "nano, IVs of any length": preset("nano").with_settings(["iv=any"]),
    "nano, IVs of any length, all else, too": preset("ice40").with_settings(
        ["iv=any", "key_sizes=128,256"]
    ),
    "nano encrypts": preset("nano").with_settings(["direction=encrypt"]),
    "nano decrypts": preset("nano").with_settings(["direction=decrypt"]),
    **{
        f"Yang 2005, Fig. 5, {direction}": CoreConfig(
            core="yang2005", key_sizes=(128,), contexts=1, iv="96", sbox="table",
            direction=direction,
        )
        for direction in ("both", "encrypt", "decrypt")
    },
    "micro": preset("micro"),
    "micro of four S-boxes": preset("micro").with_settings(["sboxes=4"]),
    "micro of four memories": preset("micro").with_settings(
        ["sboxes=4", "sbox=bram", "key_sizes=128", "registers=axi4lite"]
    ),
    "micro that finds faults": preset("micro").with_settings(["faults=detect"]),
    "micro that finds faults, short keys": preset("micro").with_settings(
        ["faults=detect", "key_sizes=128", "direction=decrypt", "registers=axi4lite"]
    ),
    "micro encrypts, with registers": preset("micro").with_settings(
        ["direction=encrypt", "key_sizes=128", "registers=axi4lite"]
    ),
    "masked": CoreConfig(
        core="masked", key_sizes=(128,), contexts=1, iv="96",
        max_text_bytes=65_536, max_aad_bytes=65_536,
    ),
    "masked line": CoreConfig(
        core="masked_line", key_sizes=(128,), contexts=1, iv="96",
        max_text_bytes=65_536, max_aad_bytes=65_536,
    ),
    "masked fast": CoreConfig(
        core="masked_fast", key_sizes=(128,), contexts=1, iv="96",
        max_text_bytes=65_536, max_aad_bytes=65_536,
    ),
    **{
        f"{core.replace('_', ' ')}, generator": CoreConfig(
            core=core, key_sizes=(128,), contexts=1, iv="96", randomness="generator",
            max_text_bytes=65_536, max_aad_bytes=65_536,
        )
        for core in ("masked", "masked_fast")
    },
    **{
        f"segments, {release}": CoreConfig(
            core="segments", segments=2, lanes=2, key_sizes=(128,), contexts=2, iv="96",
            sbox="table", release=release, max_text_bytes=4_096, max_aad_bytes=4_096,
        )
        for release in ("streaming", "verified")
    },
    **{
        f"streams, {stages} stage{'s' * (stages > 1)}": CoreConfig(
            core="streams", streams=streams, key_sizes=sizes, contexts=contexts, iv="96",
            sbox="table", ghash_stages=stages, direction=direction, aes_substages=substages,
            max_text_bytes=4_100, max_aad_bytes=100,
        )
        for stages, streams, sizes, contexts, direction, substages in (
            (1, 4, (128,), 2, "both", 1),
            (2, 1, (128, 256), 1, "encrypt", 2),
            (3, 5, (256,), 20, "decrypt", 1),
        )
    },
    "lean": CoreConfig(
        key_sizes=(128,), contexts=1, iv="96", aes="loop", ghash="serial_length_first",
        tags_not_of_gcm="yes",
        sbox="table",
        aes_rounds=5, aes_substages=2, key_schedule="travelling",
        max_text_bytes=2**16, max_aad_bytes=1024,
    ),
    "odd": CoreConfig(
        lanes=3, contexts=3, key_sizes=(192, 256), aes="loop", ghash="dot", ghash_stages=3
    ),
    "evaluated": CoreConfig(
        lanes=2, contexts=2, aes="loop", sbox="table", ghash="evaluated", multiplier="ko5",
        ghash_stages=2,
    ),
    "fast": CoreConfig(aes_substages=3, ghash_stages=4, mix_columns="depth3", multiplier="ko2"),
    "aggregated": CoreConfig(
        lanes=2, contexts=3, aes="loop", ghash="aggregated", ghash_stages=3, multiplier="ko4",
    ),
    "guarded": CoreConfig(
        contexts=3, aes="loop", sbox="table", ghash="serial", iv="counter", zeroise="on",
        timeout=100,
    ),
    "waits an end": CoreConfig(
        contexts=1, aes="loop", sbox="table", ghash="serial", iv="96", timeout=100,
    ),
    "erased": CoreConfig(
        contexts=1, aes="loop", sbox="table", ghash="serial", iv="96", zeroise="on",
    ),
    "verified": CoreConfig(
        lanes=2, aes="loop", sbox="table", iv="96", release="verified", max_text_bytes=1500
    ),
    "encrypting": CoreConfig(
        contexts=1, aes="loop", sbox="table", ghash="serial", direction="encrypt"
    ),
    "decrypting": CoreConfig(
        contexts=1, aes="loop", sbox="table", ghash="serial", direction="decrypt"
    ),
    "decrypting, held and erased": CoreConfig(
        contexts=1, aes="loop", sbox="table", ghash="serial", direction="decrypt", zeroise="on",
        release="verified", max_text_bytes=1500,
    ),
    "quad": preset("quad"),
    "many powers": CoreConfig(
        lanes=8, aes="loop", sbox="table", ghash="aggregated", ghash_stages=4, multiplier="ko4"
    ),
    "turns": CoreConfig(aes="loop_parallel", aes_loops=3, contexts=3, ghash="serial"),
    "turns, keys travel": CoreConfig(
        aes="loop_parallel", aes_loops=2, contexts=1, sbox="table", ghash="serial",
        key_schedule="travelling",
    ),
    "shared": CoreConfig(
        lanes=3, contexts=1, key_sizes=(128,), iv="96", counter_sharing="on", sbox="table"
    ),
    "travelling": CoreConfig(key_schedule="travelling", aes_substages=2, mix_columns="depth3"),
    "fixed": CoreConfig(key_schedule="travelling", contexts=1, key_sizes=(192,), ghash="serial"),
    "line": CoreConfig(
        slots="line", sbox="table", contexts=1, iv="96", key_sizes=(128,), tag_places=2
    ),
    "line, all dedicated": CoreConfig(
        slots="line", lanes=2, contexts=3, sbox="table", tail="dedicated", j0="dedicated",
        aad_lanes=2, counter_sharing="on", ghash_stages=2, key_unit="dedicated",
        release="verified", max_text_bytes=1500,
    ),
    "ahead": CoreConfig(
        slots="ahead", contexts=1, iv="96", key_sizes=(128,), aes_substages=3, ahead_places=1,
        multiplier="ko2",
    ),
    "ahead lanes": CoreConfig(
        slots="ahead", lanes=4, contexts=3, iv="96", sbox="table", counter_sharing="on",
        key_unit="dedicated", ghash_stages=2, release="verified", max_text_bytes=1500,
    ),
    "digit": CoreConfig(contexts=2, aes="loop", sbox="table", ghash="digit", digit_bits=13),
    "digits in one context": CoreConfig(
        contexts=1, iv="96", aes="loop", sbox="table", ghash="digit", digit_bits=32, tag_places=1
    ),
    "interleaved": CoreConfig(lanes=3, contexts=2, aes="loop", sbox="table", ghash="interleaved"),
    "shared_reduction": CoreConfig(
        lanes=2, contexts=2, aes="loop", sbox="table", ghash="shared_reduction", ghash_stages=3
    ),
    "dedicated": CoreConfig(
        lanes=2, contexts=3, sbox="table", tail="dedicated", j0="dedicated", aad_lanes=2,
        counter_sharing="on", ghash_stages=2, key_unit="dedicated",
    ),
    "tail": CoreConfig(contexts=1, aes="loop", sbox="table", ghash="serial", tail="dedicated"),
    "memories": CoreConfig(
        contexts=1000, aes="loop", sbox="table", multiplier="ko2", key_unit="dedicated",
        key_schedule="travelling",
    ),
    "window": CoreConfig(aes="loop", sbox="table", contexts=3, ghash="window"),
    "window8": CoreConfig(
        lanes=2, contexts=1, aes="loop", sbox="table", ghash="window", window_bits=8
    ),
    "residues": CoreConfig(lanes=2, aes="loop", sbox="table", contexts=3, ghash="residues"),
    "window-parts": CoreConfig(
        lanes=2, contexts=1, aes="loop", sbox="table", ghash="window", window_splits=2
    ),
    "log_tail": CoreConfig(
        lanes=2, contexts=1, aes="loop", sbox="table", ghash="log_tail", squarers="parallel"
    ),
    "registers": CoreConfig(
        lanes=2, contexts=1, key_sizes=(128,), aes="loop", sbox="table", ghash="dot",
        registers="axi4lite", aad_lanes=1,
    ),
    "macsec": CoreConfig(
        lanes=2, contexts=3, key_sizes=(128,), aes="loop", sbox="table", ghash="dot",
        aad_lanes=2, profile="macsec",
    ),
    "ipsec": CoreConfig(aes="loop", sbox="table", ghash="serial", profile="ipsec"),
    "tls13": CoreConfig(contexts=1, aes="loop", sbox="table", ghash="serial", profile="tls13"),
}  # fmt: skip
HELD = {(kind, core[kind]) for core in CORES.values() for kind in options()}
NEW = {
    f"{engine.kind} {engine.name}": dataclasses.replace(cores_of(engine)[0], sbox="table")
    for engine in every_engine()
    if engine.kind in options() and (engine.kind, engine.name) not in HELD
}
"""A core of every engine that none of those has."""
CORES |= NEW
LARGE = ("gf128_mul/", "gf128_dot/", "gf128_dot_stored/", "gf128_key/")
"""Leaves of thousands of gates."""
SLOW = {
    *NEW,
    "nano, IVs of any length", "nano, IVs of any length, all else, too",
    "nano encrypts", "nano decrypts", "nano of two key sizes", "nano of two key sizes, block RAM",
    "masked", "masked fast", "masked, generator", "masked fast, generator",
    "micro encrypts, with registers", "micro of four memories",
    "micro that finds faults, short keys",
    "segments, streaming", "segments, verified",
    "streams, 1 stage", "streams, 2 stages", "streams, 3 stages",
    *(f"Yang 2005, Fig. 5, {direction}" for direction in ("both", "encrypt", "decrypt")),
    "macsec", "ipsec", "tls13",
    "window", "window8", "window-parts", "residues",
    "default", "erased", "evaluated", "fast", "lean", "registers", "verified",
    "quad", "odd", "shared", "aggregated", "interleaved", "log_tail", "shared_reduction", "turns",
    "turns, keys travel",
    "travelling", "fixed", "dedicated", "memories", "many powers", "ahead lanes",
    "line, all dedicated",
}  # fmt: skip

some_cores = [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in CORES]


@pytest.fixture(scope="module")
def lint():
    return bench


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Cores by name with outlines of their leaves, built when first asked for."""
    folder = tmp_path_factory.mktemp("cores")
    cores = {}

    def get(name):
        if name not in cores:
            core = cores[name] = build_core(CORES[name], folder / name, prove=False)
            for leaf in {f"gen/{module}.sv" for module in LEAF_MODULES} & set(core.rtl):
                path = core.path / leaf
                path.chmod(0o644)
                path.write_text(outline(path.read_text()))
        return cores[name]

    return get


def outline(leaf):
    """A leaf's ports around a body in which every output bit hangs on every input bit, after a
    register where the leaf has registers: a loop through the leaf is a loop through this."""
    head, body = re.search(r"(module \w+ \(\n.*?\n\);\n)(.*)", leaf, re.DOTALL).groups()
    ports = re.findall(r"(input|output) +logic +(?:\[(\d+):0\] )? *(\w+)", head)
    inputs = [name for way, _, name in ports if way == "input" and name != "clk"]
    outputs = [(name, int(top or 0) + 1) for way, top, name in ports if way == "output"]
    lines = ["  logic all;", f"  wire any = ^{{{', '.join(inputs)}}};"]
    if "always_ff" in body:
        lines.append("  always_ff @(posedge clk) all <= any;")
    else:
        lines.append("  assign all = any;")
        lines += ["  wire unused = &{1'b0, clk};"] * any(name == "clk" for _, _, name in ports)
    lines += [f"  assign {name} = {{{width}{{all}}}};" for name, width in outputs]
    return head + "\n".join([*lines, "endmodule", ""])


@pytest.mark.parametrize("name", some_cores)
def test_core_is_clean_in_verilator(name, built, lint):
    core = built(name)
    assert lint.verilator_lint(core.rtl, core.config.listed_top, core.path) == ""


@pytest.mark.slow
@pytest.mark.parametrize("name", some_cores)
def test_core_has_what_its_properties_name(name, built, lint, tmp_path):
    """Otherwise it would be simulated without them."""
    core = built(name)
    files = with_properties({path: (core.path / path).read_text() for path in core.rtl})
    for path, text in files.items():
        (tmp_path / Path(path).name).write_text(text)
    names = [Path(path).name for path in files]
    flags = ("--no-timing", "--assert", "-Wno-lint", "-Wno-style")
    assert lint.verilator_lint(names, core.config.listed_top, tmp_path, flags) == ""


@pytest.mark.slow
@pytest.mark.parametrize("name", some_cores)
def test_core_has_no_latch_and_no_loop(name, built, lint):
    core = built(name)
    lint.yosys_checks(core.rtl, core.config.listed_top, core.path)


@pytest.mark.parametrize("name", some_cores)
def test_core_is_read_by_a_strict_front_end(name, built):
    """slang refuses what others let pass, such as a name used before its declaration."""
    core = built(name)
    run_yosys(
        [f"read_slang --top {core.config.listed_top} {' '.join(core.rtl)}"],
        time_limit_s=300,
        cwd=core.path,
    )


FIXED = {
    "one_cycle": {"target": "xcv5"},
    "two_cycle": {"cycles": 2},
    "chain": {"stages": 3, "target": "ecp5"},
    "lanes": {"lanes": 2, "target": "lut6"},
    "feedback": {"stages": 2, "feedback": True},
}
"""Options of modules for one key, by shape."""


@pytest.mark.slow
@pytest.mark.parametrize("shape", FIXED)
def test_module_for_one_key_is_clean_in_both_tools(shape, tmp_path, lint):
    plan = make_plan(effort="quick", **FIXED[shape])
    made = specialise(Subkey(0x66E94BD4EF8A2C3B884CFA59CA342B2E), plan, tmp_path / "key")
    files = (made.path / "ghash_key.f").read_text().split()
    files += [str(path) for path in made.path.glob("sim/*.sv")]
    assert lint.complaints(files, "ghash_key", made.path) == ""


@pytest.mark.slow
@pytest.mark.parametrize("lanes", [1, 3])
def test_core_for_one_key_is_clean_in_both_tools(lanes, tmp_path, lint):
    config = dataclasses.replace(CORES["small"], lanes=lanes, ghash="dot", sbox="table")
    core = specialise_core(Subkey(1), config, tmp_path / "core", effort="quick")
    assert lint.complaints(core.rtl, "gcm_axis", core.path) == ""


@pytest.mark.slow
def test_what_is_linted_holds_every_hand_written_file(built):
    held = {name for core in map(built, CORES) for name in core.rtl}
    held.add(f"{fixed_ghash().core_module}.sv")
    held |= {f"{make_plan(**options).module}.sv" for options in FIXED.values()}
    missing = {path.name for path in handwritten().values()} - {
        name.removeprefix("rtl/").removeprefix(f"{WIDE}/") for name in held
    }
    assert not missing


def test_hand_written_files_keep_to_the_common_form():
    for path in handwritten().values():
        text = path.read_text()
        keyword = "package" if path.stem.endswith("_pkg") else "module"
        assert text.startswith("// SPDX-License-Identifier: Apache-2.0\n"), path.name
        assert f"\n{keyword} {path.stem}" in text, path.name
        assert text.count(f"\nend{keyword}") == 1, path.name
        assert "`" not in text, f"{path.name}: no macros"
        long = [n for n, line in enumerate(text.split("\n"), 1) if len(line) > 100]
        assert not long, f"{path.name}: lines {long} have more than 100 columns"


@pytest.mark.parametrize("each", [pytest.param(1, marks=pytest.mark.slow), 10])
def test_small_leaves_are_clean_in_both_tools(each, tmp_path, lint):
    """S-boxes and linear leaves, all or one in ten, each a module of its own name in one top."""
    names = [name for name in leaf_names() if not name.startswith(LARGE)]
    assert len(names) > 50
    names = names[::each]
    modules, body, taken = [], [], []
    for number, subject in enumerate(map(find_subject, names)):
        (text,) = subject.texts.values()
        modules.append(text.replace(f"module {subject.top} (", f"module leaf_{number} ("))
        *inputs, (_, _, out) = subject.ports
        taken += inputs
        pins = ", ".join(f"x_i[{width - 1}:0]" for _, _, width in inputs)
        body.append(f"wire [{out - 1}:0] y_{number};")
        body.append(f"leaf_{number} u_{number} ({pins}, y_{number});")
    outputs = ", ".join(f"y_{number}" for number in range(len(names)))
    widest = max(width for _, _, width in taken)
    top = f"module leaves (input logic [{widest - 1}:0] x_i, output logic y_o);"
    text = [*modules, top, *body, f"assign y_o = ^{{{outputs}}};", "endmodule", ""]
    (tmp_path / "leaves.sv").write_text("\n".join(text))
    command = ["-Wno-DECLFILENAME", "leaves.sv"]
    assert lint.verilator_lint(command, "leaves", tmp_path) == ""
    lint.yosys_checks(["leaves.sv"], "leaves", tmp_path)


@pytest.mark.parametrize(
    "name",
    [
        "gf128_key/fft",
        pytest.param("gf128_mul/fft", marks=pytest.mark.slow),
        pytest.param("gf128_mul/ko5_small", marks=pytest.mark.slow),
        pytest.param("gf128_mul/schoolbook", marks=pytest.mark.slow),
        pytest.param("gf128_mul/mastrovito", marks=pytest.mark.slow),
        pytest.param("gf128_dot_stored/ko6x4", marks=pytest.mark.slow),
    ],
)
def test_large_leaf_is_clean_in_both_tools(name, lint):
    subject = find_subject(name)
    with subject.folder() as folder:
        assert lint.complaints(list(subject.texts), subject.top, folder) == ""


@pytest.mark.parametrize(
    ("core", "module"),
    [
        ("fast", "aes_sbox"),
        ("evaluated", "gf128_key"),
        pytest.param("odd", "gf128_mul", marks=pytest.mark.slow),
        pytest.param("aggregated", "gf128_dot", marks=pytest.mark.slow),
    ],
)
def test_leaf_with_registers_is_clean_in_both_tools(core, module, tmp_path, lint):
    text = leaf_file(CORES[core], module, prove=False).text
    assert "always_ff" in text
    (tmp_path / f"{module}.sv").write_text(text)
    assert lint.complaints([f"{module}.sv"], module, tmp_path) == ""


@pytest.mark.slow
def test_a_core_is_clean_with_its_gates(tmp_path, lint):
    core = build_core(CORES["window"], tmp_path / "core", prove=False)
    assert lint.complaints(core.rtl, "gcm_axis", core.path) == ""


def test_an_outline_has_the_loops_and_the_registers_of_its_leaf(tmp_path, lint):
    """Its output at its input is a loop when it is combinational, and none after a register."""
    single = find_subject("gf128_square").texts["gf128_square.sv"]
    cut = leaf_file(CORES["fast"], "gf128_mul", prove=False).text
    for module, text, data in (
        ("gf128_square", single, ".a_i(y_o ^ x_i)"),
        ("gf128_mul", cut, ".clk(clk), .a_i(y_o), .b_i(x_i)"),
    ):
        (tmp_path / "leaf.sv").write_text(outline(text))
        (tmp_path / "top.sv").write_text(
            "module top (input logic clk, input logic [127:0] x_i, output logic [127:0] y_o);"
            f" {module} u_leaf ({data}, .c_o(y_o)); endmodule\n"
        )
        if module == "gf128_mul":
            lint.yosys_checks(["leaf.sv", "top.sv"], "top", tmp_path)
        else:
            with pytest.raises(ToolError, match="loop"):
                lint.yosys_checks(["leaf.sv", "top.sv"], "top", tmp_path)


BAD = {
    "latch": "always_comb if (a_i) y_o = b_i;",
    "combinational loop": "logic t; assign t = a_i & y_o; assign y_o = t ^ b_i;",
    "undriven wire": "logic t; assign y_o = a_i & b_i & t;",
}


@pytest.mark.parametrize("what", BAD)
def test_the_checks_see_a(what, tmp_path, lint):
    ports = "input logic a_i, input logic b_i, output logic y_o"
    (tmp_path / "bad.sv").write_text(f"module bad ({ports}); {BAD[what]} endmodule\n")
    assert lint.verilator_lint(["bad.sv"], "bad", tmp_path) != ""
    with pytest.raises(ToolError):
        lint.yosys_checks(["bad.sv"], "bad", tmp_path)


SYNTHESISED = [path for path in sorted(handwritten().values()) if path.stem != "stream_rules"]
"""All but the module of rules itself, whose instances stand between the marks."""


@pytest.mark.parametrize("path", SYNTHESISED, ids=lambda path: path.stem)
def test_no_assertion_is_left_for_synthesis(path):
    """A checker is no cell of a library: a core that holds one cannot be mapped."""
    text = path.read_text(encoding="utf-8")
    synthesised = re.sub(
        r"// synthesis translate_off.*?// synthesis translate_on", "", text, flags=re.DOTALL
    )
    code = re.sub(r"//[^\n]*", "", synthesised)
    assert not re.search(r"\b(assert|assume|cover)\b", code)

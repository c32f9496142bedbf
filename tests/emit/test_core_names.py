# SPDX-License-Identifier: Apache-2.0
"""A core's name: on every module, file and symbol of its folder, and two cores in one design."""

import dataclasses
import json
import random
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from bench import Bench, Sink, Source, compile_bench, play

from gcmforge.config import ConfigError, CoreConfig
from gcmforge.config.identifiers import RESERVED
from gcmforge.config.presets import preset
from gcmforge.emit import BuildError, build_core, changes, open_core, prove_core
from gcmforge.emit.core import core_files
from gcmforge.emit.layers import public_ports
from gcmforge.emit.naming import declared, find_list, renamed, unnamed
from gcmforge.measure.subject import find_subject
from gcmforge.sim.compile import compile_core
from gcmforge.sim.core import Core
from gcmforge.tools import cxx_command, verilator_binary, verilator_environment

RX = CoreConfig(name="rx", aes="loop", ghash="digit", iv="96", contexts=1, key_sizes=(128,))
TX = CoreConfig(name="tx", aes="loop", ghash="digit", digit_bits=32, contexts=3, aes_rounds=2,
                key_sizes=(256,), registers="axi4lite")  # fmt: skip


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    made = tmp_path_factory.mktemp("named")
    return {c.name: build_core(c, made / c.name, prove=False).path for c in (RX, TX)}


def texts_of(folder: Path) -> dict[str, str]:
    return {name: (folder / name).read_text() for name in open_core(folder).rtl}


# Which names --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["", "a", "rx", "core_0", "x1_y2", "abcdefghijklmnopqrstuvwx"])
def test_a_name_may_be(name):
    assert CoreConfig(name=name).named("gcm_axis") == (f"{name}_gcm_axis" if name else "gcm_axis")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Core", "not a name of lower-case letters, digits and single underscores"),
        ("1st", "not a name of lower-case letters"),
        ("a__b", "not a name of lower-case letters"),
        ("a_", "not a name of lower-case letters"),
        ("_a", "not a name of lower-case letters"),
        ("a-b", "not a name of lower-case letters"),
        ("ä", "not a name of lower-case letters"),
        ("a\n", "not a name of lower-case letters"),
        ("a" * 25, "25 characters"),
        ("module", "a reserved word of SystemVerilog;"),
        ("signal", "a reserved word of VHDL;"),
        ("register", "a reserved word of VHDL and C;"),
        (7, "int instead of text in quotes"),
    ],
)
def test_a_name_is_refused_with_the_reason(name, reason):
    with pytest.raises(ConfigError, match=re.escape(reason)) as error:
        CoreConfig(name=name)
    assert "use at most 24 lower-case letters, digits and single underscores" in str(error.value)


def test_reserved_words_are_those_of_the_languages(tmp_path):
    """All of C; of SystemVerilog those that are drawn, as Verilator stops at some of them."""
    seed = random.getrandbits(32)
    print(f"seed {seed}")
    stops_at = RESERVED["SystemVerilog"] - {"global"}  # which Verilator takes
    drawn = random.Random(seed).sample(sorted(stops_at), 8)
    for word in [*drawn, "rx"]:
        (tmp_path / "word.sv").write_text(f"module {word};\nendmodule\n")
        run = subprocess.run(
            [verilator_binary(), "--lint-only", "-Wno-DECLFILENAME", "word.sv"],
            cwd=tmp_path, env=verilator_environment(), text=True, capture_output=True,
        )  # fmt: skip
        assert (run.returncode == 0) == (word == "rx"), word
    words = sorted(RESERVED["C"])
    run = subprocess.run(
        [*cxx_command(), "-x", "c", "-std=c11", "-fmax-errors=0", "-fsyntax-only", "-"],
        input="".join(f"int {word} = 1;\n" for word in words), text=True, capture_output=True,
    )  # fmt: skip
    refused = {int(line) - 1 for line in re.findall(r"<stdin>:(\d+):\d+: error", run.stderr)}
    assert [word for number, word in enumerate(words) if number not in refused] == []


def test_a_space_of_cores_has_no_names():
    from gcmforge.explore.space import Space

    with pytest.raises(ConfigError, match="name: cores of any name are the same core"):
        Space.from_mapping({"name": ["a", "b"]})


# What is renamed ----------------------------------------------------------------------------------

SOURCE = """// see gcm_fifo
module top (input logic gcm_fifo, output logic [gcm_pkg::WIDTH-1:0] o);
  /* gcm_fifo #( */
  wire [7:0] a = 8'hff, b = gcm_fifo ? gcm_pkg::ONE : \\gcm_fifo ;
  gcm_fifo u_fifo (.gcm_fifo(gcm_fifo), .o);
  gcm_fifo #(.Depth(2)) gcm_fifo [1:0] (.a);
  initial $display("gcm_fifo #(");
  assign o = gcm_fifo ();
endmodule : top
"""


def test_only_modules_and_packages_are_renamed():
    names = {"gcm_fifo": "x_gcm_fifo", "gcm_pkg": "x_gcm_pkg", "top": "x_top"}
    made = renamed(SOURCE, names)
    changed = [
        ("module top (", "module x_top ("), ("[gcm_pkg::WIDTH", "[x_gcm_pkg::WIDTH"),
        ("? gcm_pkg::ONE", "? x_gcm_pkg::ONE"), ("  gcm_fifo u_", "  x_gcm_fifo u_"),
        ("  gcm_fifo #(.D", "  x_gcm_fifo #(.D"), ("endmodule : top", "endmodule : x_top"),
    ]  # fmt: skip
    expected = SOURCE
    for old, new in changed:
        assert expected.count(old) == 1
        expected = expected.replace(old, new)
    assert made == expected
    assert renamed(made, {new: old for old, new in names.items()}) == SOURCE
    assert list(declared(made)) == ["x_top"]


@pytest.mark.parametrize("config", [RX, TX], ids=lambda config: config.name)
def test_the_folder_is_that_of_the_core_without_a_name(config, folders):
    plain, order, _ = core_files(dataclasses.replace(config, name=""), prove=False)
    folder = folders[config.name]
    found = unnamed(folder, open_core(folder).rtl)
    assert list(found) == list(order)
    assert found == {name: plain[name] for name in order}


@pytest.mark.parametrize("config", [RX, TX], ids=lambda config: config.name)
def test_every_module_file_and_symbol_has_the_name(config, folders):
    folder, prefix = folders[config.name], f"{config.name}_"
    texts = texts_of(folder)
    modules = [name for text in texts.values() for name in declared(text)]
    assert modules and all(name.startswith(prefix) for name in modules)
    assert all(Path(name).name.startswith(prefix) for name in texts)
    tops = {path.name for path in folder.iterdir()} - {
        "README.md", "component.xml", "core.toml", "gcmforge.lock", "bench", "gen", "rtl", "proofs",
        "sw", "ip",
    }  # fmt: skip
    assert all(name.startswith(prefix) for name in tops), tops
    drivers = [path.name for path in folder.glob("sw/*")]
    assert all(name.startswith(f"{prefix}gcm") for name in drivers)
    assert bool(drivers) == (config.registers == "axi4lite")
    assert f"gcmforge:core:{prefix}gcm_axis:" in (folder / f"{prefix}gcm_axis.core").read_text()
    readme = (folder / "README.md").read_text()
    assert f"top module `{prefix}{config.top}`" in readme
    assert f"`{prefix}gcm_axis.f`" in readme
    assert f"| `{prefix}aes_sbox` " not in readme  # nothing was proven here
    listed = re.findall(r"- (\S+\.sv)", (folder / f"{prefix}gcm_axis.core").read_text())
    assert tuple(one for one in listed if not one.startswith("bench/")) == open_core(folder).rtl


def test_registers_have_the_name(folders):
    header = (folders["tx"] / "tx_gcm_regs.h").read_text()
    symbols = re.findall(r"#(?:define|ifndef) (\w+)", header)
    assert len(symbols) > 80 and all(name.startswith("TX_GCM_") for name in symbols)
    assert len({name[:63] for name in (f"{'X' * 22}{name}" for name in symbols)}) == len(
        set(symbols)
    )  # C11 tells macros apart by 63 characters
    described = (folders["tx"] / "tx_gcm_regs.rdl").read_text()
    assert "addrmap tx_gcm_regs {" in described and " gcm_" not in described


@pytest.mark.slow
def test_a_word_of_the_core_is_no_name(monkeypatch, tmp_path):
    config = dataclasses.replace(preset("small"), name="u")
    build_core(config, tmp_path / "u", prove=False)
    files, order, proofs = core_files(config, prove=False)
    name = "rtl/gcm_fifo.sv"
    changed = files | {name: f"{files[name]}// u_gcm_ram\nmodule u_gcm_ram; endmodule\n"}
    from gcmforge.emit.core import write_core

    with pytest.raises(ConfigError, match=r"name=u: u_gcm_ram is a word of this core"):
        write_core(config, changed, order, proofs, tmp_path / "v")


# Commands on a folder with a name -----------------------------------------------------------------


def test_its_own_configuration_builds_it_again(folders, tmp_path):
    config = CoreConfig.from_toml(folders["rx"] / "core.toml")
    assert config == RX
    assert not changes(folders["rx"])
    again = build_core(config, tmp_path / "again", prove=False).path
    assert texts_of(again) == texts_of(folders["rx"])


@pytest.mark.slow
def test_it_is_simulated_by_the_simulator_of_the_core_without_a_name(folders, tmp_path):
    plain = build_core(dataclasses.replace(RX, name=""), tmp_path / "plain", prove=False).path
    assert compile_core(folders["rx"]) == compile_core(plain)
    assert Core(folders["rx"]).config == RX


@pytest.mark.slow
def test_its_leaves_are_proven_as_they_stand_there(folders, tmp_path):
    assert {proof.module for proof in prove_core(folders["rx"]) if proof.passed} == {
        "aes_sbox", "aes_mix_column"
    }  # fmt: skip
    core = build_core(RX, tmp_path / "core", prove=False)
    leaf = core.path / "gen/rx_aes_mix_column.sv"
    leaf.write_text(leaf.read_text().replace(" ^ ", " | ", 1))
    failed = [(proof.module, proof.kind) for proof in prove_core(core.path, allow_changed=True)
              if not proof.passed]  # fmt: skip
    assert failed == [("aes_mix_column", "readback")]


def test_it_is_measured_as_the_core_without_a_name(folders):
    named, plain = find_subject(folders["tx"]), find_subject(dataclasses.replace(TX, name=""))
    assert named.rtl_sha256 == plain.rtl_sha256
    assert (named.top, named.ports) == ("gcm_axil", plain.ports)
    assert named.configuration == plain.configuration
    assert "name" not in plain.configuration  # results that are stored keep their keys


def test_a_module_without_its_name_is_told(tmp_path):
    core = build_core(RX, tmp_path / "core", prove=False)
    file = core.path / "rtl/rx_gcm_tag.sv"
    file.write_text(file.read_text().replace("rx_gcm_fifo #(", "gcm_fifo #(", 1))
    assert "gcm_fifo #(" in file.read_text()
    with pytest.raises(BuildError, match=r"uses a module both with and without rx_"):
        compile_core(core.path)


def test_a_folder_without_a_list_or_with_two_is_told(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"it holds no gcm_axis.f"):
        find_list(tmp_path)
    for name in ("a_gcm_axis.f", "b_gcm_axis.f"):
        (tmp_path / name).touch()
    with pytest.raises(FileNotFoundError, match=r"it holds 2 files NAME_gcm_axis.f"):
        find_list(tmp_path)


# Two cores in one design --------------------------------------------------------------------------


def design(configs: list[CoreConfig]) -> str:
    """A top with a core of each configuration; the ports of each begin with its name."""
    shared = ("aclk", "aresetn")
    declared_ports, made = [f"input logic {name}" for name in shared], []
    for config in configs:
        ports = public_ports(config)
        wires = [f".{name}" for name in shared]
        for port in ports:
            if port.name not in shared:
                declared_ports.append(
                    f"{port.direction} logic {port.range} {one(config)}{port.name}"
                )
                wires.append(f".{port.name}({one(config)}{port.name})")
        made.append(f"  {config.named(config.top)} u_{one(config)} ({', '.join(wires)});")
    return "\n".join(["module two_cores (", ",\n".join(declared_ports), ");", *made, "endmodule\n"])


def one(config: CoreConfig) -> str:
    return f"{config.name}_"


def streams(bench: Bench, config: CoreConfig, vector: dict) -> tuple[list, Sink, Sink]:
    """What a vector is on the streams of the core of that name, and what comes out."""

    def le(text: str) -> int:
        return int.from_bytes(bytes.fromhex(text), "little")

    def source(stream: str, words: list[dict[str, int]]) -> Source:
        own = f"{one(config)}{stream}_"
        named = [{f"{own}{name}": value for name, value in word.items()} for word in words]
        return Source(bench, f"{own}tvalid", f"{own}tready", named)

    def beats(text: str, user: int) -> Iterator[dict[str, int]]:
        for at in range(0, len(text), 32):
            part = text[at : at + 32]
            keep = (1 << len(part) // 2) - 1
            yield {"tdata": le(part), "tkeep": keep, "tuser": user, "tlast": 0}

    data = [*beats(vector["aad"], 0), *beats(vector["text"], 1)]
    data[-1]["tlast"] = 1
    key = {"tdata": le(vector["key"]), "size": len(vector["key"]) // 16 - 2, "context": 0}
    command = {
        "context": 0, "decrypt": 0, "tag": 0, "tag_bytes": len(vector["expected_tag"]) // 2,
        "iv_bytes": len(vector["iv"]) // 2, "iv": le(vector["iv"]),
    }  # fmt: skip
    out, tag = f"{one(config)}m_axis_", f"{one(config)}m_tag_"
    text = Sink(bench, f"{out}tvalid", f"{out}tready", [f"{out}tdata", f"{out}tkeep"])
    tags = Sink(bench, f"{tag}tvalid", f"{tag}tready", [f"{tag}tag", f"{tag}status"])
    return [source("s_key", [key]), source("s_cmd", [command]), source("s_axis", data)], text, tags


@pytest.mark.slow
def test_two_cores_stand_in_one_design_and_each_answers_a_vector_of_nist(folders, tmp_path):
    """Of other sizes, engines and packages, at the same time."""
    tx = dataclasses.replace(TX, registers="off")
    cores = {c: build_core(c, tmp_path / one(c), prove=False).path for c in (RX, tx)}
    texts: dict[str, str] = {}
    for path in cores.values():
        for name, text in texts_of(path).items():
            assert Path(name).stem not in texts, name
            texts[Path(name).stem] = text
    modules = [name for text in texts.values() for name in declared(text)]
    assert len(modules) == len(set(modules))
    library = compile_bench("two_cores", texts | {"two_cores": design(list(cores))})
    bench = Bench(library, clock="aclk", reset="aresetn", reset_level=0)
    running, expected = [], []
    for config, path in cores.items():
        vectors = json.loads((path / "bench/vectors.json").read_text())["vectors"]
        vector = next(
            v for v in vectors
            if "NIST" in v["source"] and not v["decrypt"] and v["text"] and len(v["iv"]) <= 32
        )  # fmt: skip
        running.append(streams(bench, config, vector))
        expected.append((vector["expected_text"], vector["expected_tag"]))
    tags = [tag for _, _, tag in running]
    every = [stream for sources, *sinks in running for stream in (*sources, *sinks)]
    keys = [sources[0] for sources, _, _ in running]
    play(bench, keys, lambda: all(key.done for key in keys), limit=100)
    ready = [f"{one(config)}s_key_tready" for config in cores]
    play(bench, keys, lambda: all(map(bench.get, ready)), limit=500)
    play(bench, every, lambda: all(tag.got for tag in tags), limit=1_000)
    for (_, text, tag), (ciphertext, expected_tag) in zip(running, expected, strict=True):
        got = b"".join(data.to_bytes(16, "little")[: keep.bit_length()] for data, keep in text.got)
        assert got.hex() == ciphertext
        value, status = tag.got[0]
        assert status == 0
        assert value.to_bytes(16, "little").hex()[: len(expected_tag)] == expected_tag

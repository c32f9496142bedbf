# SPDX-License-Identifier: Apache-2.0
"""What the page about the driver shows is what happens: its commands, their output, its code."""

import re
import shlex
import shutil

import c_driver
import pytest
from bench import _made
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from test_driver import Script, folder_of

from gcmforge.cli import main
from gcmforge.config import CoreConfig
from gcmforge.tools import verilator_binary, verilator_environment

PAGE = c_driver.ROOT / "docs/how-to/drive-a-core.md"
CORE = c_driver.ROOT / "examples/cores/registers.toml"


def section(heading):
    """The lines of code under a heading, commands and what they print."""
    _, _, text = PAGE.read_text().partition(f"\n## {heading}\n")
    return re.findall(r"^    (\S.*)$", text.partition("\n## ")[0], re.MULTILINE)


COMMANDS = [line for line in section("Try it on a simulated core") if ": " not in line]
OUTPUT = [line for line in section("Try it on a simulated core") if ": " in line]


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A folder in which the page's commands were run, but for the last."""
    place = tmp_path_factory.mktemp("page")
    (place / "examples").symlink_to(c_driver.ROOT / "examples")
    build, compile_c, verilate, _ = map(shlex.split, COMMANDS)
    with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit) as end:
        patch.chdir(place)
        main([*build[1:], "--no-datasheet"])
    assert end.value.code == 0
    sources = [path for word in compile_c[1:] for path in expanded(word, place)]
    c_driver.run([compile_c[0], *sources], place)
    shutil.copytree(_made(content(place), lambda work: verilated(verilate, place, work)),
                    place / "obj_dir")  # fmt: skip
    return place


def expanded(word, place):
    return sorted(place.glob(word)) if "*" in word else [word]


def content(place):
    """All that the program is made of, and how."""
    files = [place / "examples/driver", place / "cores/registers"]
    texts = [
        path.read_text() for file in files for path in sorted(file.rglob("*.*")) if path.is_file()
    ]
    return "\n".join([*COMMANDS, *texts])


def verilated(words, place, work):
    assert words[0] == "verilator"
    quick = [word.replace("-std=c++20", "-std=c++20 -O0") for word in words[1:]]
    c_driver.run([verilator_binary(), *quick], place, environment=verilator_environment())
    shutil.copytree(place / "obj_dir", work, dirs_exist_ok=True)
    shutil.rmtree(place / "obj_dir")


@pytest.mark.slow
@pytest.mark.yosys
@pytest.mark.verilator
@pytest.mark.cc
def test_the_commands_print_what_the_page_says(built):
    command = shlex.split(COMMANDS[-1])
    assert c_driver.run(command, built).stdout.splitlines() == OUTPUT
    key, iv, aad, text = "5a" * 32, "a5" * 12, "", "x" * 200
    said = c_driver.run([command[0], key, iv, aad, text], built).stdout
    sealed = AESGCM(bytes.fromhex(key)).encrypt(bytes.fromhex(iv), text.encode(), aad.encode())
    assert f"sealed:    {sealed.hex()}\nopened:    {text}\n" in said
    refused = c_driver.run([command[0], "5a" * 24, iv, aad, text], built, code=1)
    assert refused.stderr == "seal: key: Invalid argument\n"


@pytest.mark.slow
@pytest.mark.yosys
@pytest.mark.verilator
@pytest.mark.cc
def test_random_packets_come_out_right_where_text_waits_for_its_tag(built, tmp_path):
    """The page's core: release=verified, zeroise=on."""
    config = CoreConfig.from_toml(CORE)
    assert config.release_engine.holds and config.zeroise == "on"
    model = c_driver.of_verilator(built / "obj_dir", "gcm_axil")
    program = c_driver.player(built / "cores/registers", tmp_path, model)
    script = Script(config, 9)
    script.add("init")
    script.add("test")
    script.add("counters", None)
    script.random_packets(200, 600)
    script.packet(5, config.max_text_bytes, seals=True)
    script.packet(5, config.max_text_bytes, seals=False, wrong="tag")
    script.counters()
    assert script.wrong(c_driver.play(program, script.lines, seed=3)) == []


@pytest.mark.cc
@pytest.mark.parametrize("number", range(3))
def test_the_code_of_the_page_compiles_without_a_warning(number, tmp_path):
    blocks = re.findall(r"^```c\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    assert len(blocks) == 3
    core = folder_of(CoreConfig.from_toml(CORE), tmp_path)
    (tmp_path / "code.c").write_text(blocks[number])
    c_driver.run(
        ["cc", *c_driver.STRICT, *c_driver.headers(core), "-fsyntax-only", "code.c"], tmp_path
    )


@pytest.mark.cc
@pytest.mark.parametrize("name", ["alg.c", "seal.c"])
def test_the_example_compiles_without_a_warning(name, tmp_path):
    core = folder_of(CoreConfig.from_toml(CORE), tmp_path)
    source = c_driver.EXAMPLE / name
    c_driver.run(
        ["cc", *c_driver.STRICT, *c_driver.headers(core), "-fsyntax-only", source], tmp_path
    )

# SPDX-License-Identifier: Apache-2.0
"""The examples that put a built core into what others use: the commands of docs/how-to/
use-in-a-design.md do what the page says."""

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/how-to/use-in-a-design.md"
EXAMPLES = ROOT / "examples"


def section(heading):
    """The lines of code under a heading."""
    _, _, text = PAGE.read_text().partition(f"\n## {heading}\n")
    return re.findall(r"^    (\S.*)$", text.partition("\n## ")[0], re.MULTILINE)


def commands(heading):
    return [line for line in section(heading) if re.match("(gcmforge|python) ", line)]


def run(line, place):
    """What a command of the page does in a folder; gcmforge and python are those of the tests."""
    program, *words = shlex.split(line)
    start = [sys.executable, *(["-m", "gcmforge"] if program == "gcmforge" else [])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    for name in ("MAKEFLAGS", "MAKELEVEL"):
        environment.pop(name, None)
    return subprocess.run(
        [*start, *words], cwd=place, env=environment, capture_output=True, text=True, timeout=900
    )


def succeeds(line, place):
    done = run(line, place)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


@pytest.fixture
def place(tmp_path):
    (tmp_path / "examples").symlink_to(EXAMPLES)
    return tmp_path


# ---- cocotbext-axi -------------------------------------------------------------------------------

STREAMS, REGISTERS = "A bench with cocotbext-axi", "The same through registers"
PACKED = "The same through packed ports"


def altered(place, old, new):
    """The bench with one thing wrong."""
    text = (EXAMPLES / "cocotbext-axi/random_packets.py").read_text()
    assert text.count(old) == 1
    (place / "wrong_packets.py").write_text(text.replace(old, new))
    return "wrong_packets.py"


@pytest.mark.slow
@pytest.mark.yosys
@pytest.mark.verilator
@pytest.mark.cocotbext_axi
@pytest.mark.parametrize(
    ("heading", "old", "new"),
    [
        (STREAMS, "iv=number(packet.iv)", "iv=number(packet.iv[::-1])"),
        (REGISTERS, 'write_bytes("KEY", key)', 'write_bytes("KEY", key[::-1])'),
        (PACKED, "KEY.pack(key,", "KEY.pack(key[::-1],"),
    ],
    ids=["streams", "registers", "packed"],
)
def test_random_packets_through_the_buses_of_cocotbext_axi(heading, old, new, place):
    build, simulate = commands(heading)
    succeeds(f"{build} --no-datasheet", place)
    told = next(line for line in section(heading) if "packets right" in line)
    assert told in succeeds(simulate, place)
    done = run(f"{simulate} {altered(place, old, new)}", place)
    assert done.returncode == 1
    assert "AssertionError: packet 0, SEED=1" in done.stdout


def test_cocotbext_axi_is_pinned_as_its_requirements_say():
    wanted = (EXAMPLES / "cocotbext-axi/requirements.txt").read_text().splitlines()
    pins = set((ROOT / "constraints.txt").read_text().splitlines())
    named = [line for line in wanted if not line.startswith("#")]
    assert len(named) == 2
    assert set(named) <= pins


@pytest.mark.slow
@pytest.mark.cocotbext_axi
def test_pip_misses_nothing_but_what_is_left_out_for_its_licence():
    """scapy, under the GPL; CONTRIBUTING.md says what pip prints."""
    check = [sys.executable, "-m", "pip", "--disable-pip-version-check", "check"]
    said = subprocess.run(check, capture_output=True, text=True, timeout=60).stdout.splitlines()
    (told,) = re.findall(r"`(cocotb-bus \S+ requires .*?)`", (ROOT / "CONTRIBUTING.md").read_text())
    assert [line.rstrip(".") for line in said] == [told]
    assert importlib.util.find_spec("scapy") is None


# ---- Amaranth and LiteX --------------------------------------------------------------------------


def refuses(line, place, *settings):
    """That an example refuses a core which has other ports than it knows; what it says."""
    other = [word for setting in settings for word in ("--set", setting)]
    succeeds(shlex.join(["gcmforge", "build", *other, "-o", "other", "--no-datasheet"]), place)
    program, script, _ = shlex.split(line)
    done = run(f"{program} {script} other", place)
    assert done.returncode == 1
    return done.stderr.splitlines()[-1]


def played(title, words, place):
    """The section's core is built and simulated, and tells what the page shows; how it is run."""
    build, simulate = commands(title)
    succeeds(f"{build} --no-datasheet", place)
    told = next(line for line in section(title) if words in line)
    assert told in succeeds(simulate, place)
    return simulate


@pytest.mark.slow
@pytest.mark.yosys
@pytest.mark.verilator
@pytest.mark.amaranth
def test_a_packet_of_nist_through_a_design_in_amaranth(place):
    simulate = played("A design in Amaranth", "NIST", place)
    said = refuses(simulate, place, "iv=counter")
    assert "build such a core, or add the ports that yours has more" in said


@pytest.mark.slow
@pytest.mark.yosys
@pytest.mark.verilator
@pytest.mark.litex
@pytest.mark.cocotbext_axi
def test_packets_through_axi_memory_outside_of_a_soc_in_litex(place):
    played("Packets in AXI4 memory", "sealed, opened", place)


@pytest.mark.slow
@pytest.mark.yosys
@pytest.mark.verilator
@pytest.mark.litex
def test_packets_through_memory_and_core_of_a_soc_in_litex(place):
    simulate = played("A SoC in LiteX", "sealed, opened", place)
    said = refuses(simulate, place, "lanes=1")
    assert "registers=axi4lite and aad_lanes=0; build such a core" in said


@pytest.mark.slow
@pytest.mark.yosys
@pytest.mark.verilator
@pytest.mark.litex
def test_the_soc_in_litex_takes_its_answers_by_interrupt(place):
    """Its bench waits for them, so with interrupts that are not enabled it does not end."""
    build, simulate = commands("A SoC in LiteX")
    succeeds(f"{build} --no-datasheet", place)
    own = place / "own"
    shutil.copytree(EXAMPLES, own, ignore=shutil.ignore_patterns("__pycache__"))
    bench = own / "litex/packets_in_memory.py"
    enabled = "    await host.enable_interrupts()\n"
    assert bench.read_text().count(enabled) == 1
    bench.write_text(bench.read_text().replace(enabled, ""))
    done = run(simulate.replace("examples/", "own/"), place)
    assert done.returncode == 1
    assert "SimTimeoutError" in done.stdout

# SPDX-License-Identifier: Apache-2.0
"""Netlists under the bench of every core: right ones pass, a wrong cell is found, registers begin
at random. Shown on a toy; `gcmforge-study run mapped` does it with cores."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from toy import TOY_CORE, toy_traffic

from gcmforge.cli import main
from gcmforge.mapped import netlist_text
from gcmforge.netlist.netlist import Netlist
from gcmforge.netlist.targets import find_target, library_of
from gcmforge.sim.compile import compile_cells
from gcmforge.sim.core import RunResult, run_on
from gcmforge.sim.driver import Simulation
from gcmforge.sim.stalls import PRESSURE, Stalls, patterns_of
from gcmforge.synth.synthesis import synthesise

SEED = 5


def toy_text() -> str:
    """The toy without its assertion, which is no gate."""
    lines = TOY_CORE.read_text().splitlines(keepends=True)
    return "".join(line for line in lines if ": assert (" not in line)


def mapped(text: str) -> Netlist:
    return synthesise(text, find_target("ge"), effort="quick").netlist


@pytest.fixture(scope="module")
def toy() -> Netlist:
    return mapped(toy_text())


@pytest.fixture(scope="module")
def compiled(tmp_path_factory) -> Callable[[Netlist], Path]:
    def make(netlist: Netlist) -> Path:
        file = tmp_path_factory.mktemp("netlist") / "gcm_axis.sv"
        file.write_text(netlist_text(netlist, library_of(find_target("ge"))))
        return compile_cells(file)

    return make


def played(library: Path, stalls: Stalls, *, seed: int = SEED, count: int = 150) -> RunResult:
    with Simulation(library, seed=seed, stalls=stalls) as simulation:
        return run_on(simulation, toy_traffic(count, seed=seed), seed=seed)


@pytest.mark.slow
def test_a_netlist_passes_under_every_stall_pattern(toy, compiled):
    library = compiled(toy)
    for stalls in patterns_of(PRESSURE):
        result = played(library, stalls)
        assert result.clean and (result.passed, result.failed) == (150, 0)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "other"), [("XOR2", "XNOR2"), ("XNOR2", "OR2")])
def test_a_cell_of_another_function_is_found(toy, compiled, kind, other):
    """A cell of that kind, drawn at random; NANDs may belong to faults that no key asks for."""
    module = toy.modules["gcm_axis"]
    name = Random(SEED).choice(sorted(n for n, c in module.cells.items() if c.type == kind))
    cell = module.cells[name]
    cells = {**module.cells, name: replace(cell, type=other)}
    wrong = Netlist(modules={"gcm_axis": replace(module, cells=cells)}, top="gcm_axis")
    result = played(compiled(wrong), Stalls.named("both"), count=1_500)
    assert result.failures, f"{name}, a {cell.type}"


@pytest.mark.slow
def test_a_register_without_a_reset_is_found_as_it_begins_at_random(compiled):
    text, reset = toy_text(), "    if (!aresetn) loaded_q <= '0;\n    else if (s_key_tvalid"
    assert text.count(reset) == 1
    library = compiled(mapped(text.replace(reset, "    if (s_key_tvalid")))
    wrong = [bool(played(library, Stalls(), seed=seed, count=4).failures) for seed in range(12)]
    assert any(wrong) and not all(wrong)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--mapped", "nothing"], "target nothing: there is ge, osu018"),
        (["--mapped", "xc7"], "target xc7 is an FPGA: it has no cells to map to"),
        (["--sample", "5"], "sample=5: that many of some vectors; give files, too"),
    ],
)
def test_what_cannot_be_is_refused(options, words, small_core, capsys):
    with pytest.raises(SystemExit, match="1"):
        main(["verify", str(small_core), *options])
    assert words in capsys.readouterr().err


@pytest.fixture(scope="module")
def small_core() -> Path:
    from gcmforge.config.presets import preset
    from gcmforge.sim.aead import built

    return built(preset("small"))

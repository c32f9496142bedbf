# SPDX-License-Identifier: Apache-2.0
"""bench/ghash.py: its sums over parts are the circuits'. It and bench/key_agile.py have the cycles
that the headers of the engines state."""

import importlib.util
import json
import sys
from pathlib import Path

import pytest

from gcmforge.circuit import cost
from gcmforge.config import CoreConfig
from gcmforge.leaf import dot, key, multiplier, stored_dot

BENCH = Path(__file__).parents[2] / "bench"


def program(name):
    spec = importlib.util.spec_from_file_location(f"bench_{name}", BENCH / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def ghash():
    return program("ghash")


@pytest.fixture(scope="module")
def key_agile():
    return program("key_agile")


@pytest.mark.yosys
@pytest.mark.parametrize(
    "variant",
    [
        "ko3",
        *(
            pytest.param(v, marks=pytest.mark.slow)
            for v in ("ko4_small", "mixed_15", "fft", "fft_transposed")
        ),
    ],
)
def test_area_of_shared_lanes_is_that_of_their_circuit(ghash, variant):
    row = ghash.row(ghash._by_name("aggregated"), variant, 2, 1)
    found = ghash.engine("aggregated", 2, 1)
    circuit = cost(dot(variant, 2).circuit)
    assert row.and_ == circuit.nand
    assert row.xor == circuit.xor + circuit.xnor + found.xors
    assert row.ge_per_lane == round((circuit.ge + 2.25 * found.xors) / 2, 2)
    assert row.depth == circuit.path
    assert row.ge_per_lane_key_stored < row.ge_per_lane


@pytest.mark.yosys
@pytest.mark.slow
@pytest.mark.parametrize("variant", ["ko5", "fft"])
def test_area_with_evaluated_keys_is_that_of_its_circuits(ghash, variant):
    """The lanes' sum, one evaluation for all of them, and the multiplier of the running sums."""
    row = ghash.row(ghash._by_name("evaluated"), variant, 2, 1)
    outside = 2.25 * ghash.engine("evaluated", 2, 1, row.key_bits_stored).xors
    leaves = (stored_dot(variant, 2), key(variant), multiplier(variant))
    total = sum(cost(leaf.circuit).ge for leaf in leaves) + outside
    assert row.ge_per_lane == row.ge_per_lane_key_stored == round(total / 2, 2)
    found = ghash.engine("evaluated", 2, 1, row.key_bits_stored)
    assert found.flip_flops > 2 * row.key_bits_stored


@pytest.mark.slow
@pytest.mark.yosys
def test_engines_have_the_multipliers_and_state_of_their_figures(ghash):
    assert ghash.engine("serial", 1, 1).multipliers == 1
    assert ghash.engine("serial_length_first", 1, 1).multipliers == 2
    assert ghash.engine("interleaved", 4, 1).multipliers == 4
    assert ghash.engine("dot", 4, 1).multipliers == 5
    assert ghash.engine("aggregated", 4, 1).multipliers == 1
    assert ghash.engine("dot", 4, 1).flip_flops > 128 * (4 + 1)  # H .. H^4, the running sum
    assert ghash.engine("serial", 1, 1).xors >= 128


@pytest.mark.parametrize(
    ("name", "lanes", "stages", "size", "cycles"),
    [
        ("serial", 1, 1, 64, 5 - 1 + 2),
        ("serial_length_first", 1, 1, 64, 5 - 1 + 2),
        ("interleaved", 4, 1, 64, 2 - 1 + 2 + 2),  # one block in the last beat: a tail of 2
        ("interleaved", 4, 1, 9_000, 141 - 1 + 3 + 2),  # four: a tail of 3
        ("log_tail", 8, 1, 64, 1 - 1 + 3 + 2),
        ("dot", 4, 3, 1_500, 24 - 1 + 2 * 3 + 2),
        ("evaluated", 4, 2, 1_500, 24 - 1 + 2 * 2 + 2),
        ("shared_reduction", 4, 2, 1_500, 24 - 1 + 2 * 2 + 1),
        ("aggregated", 4, 3, 1_500, 24 - 1 + 2 * 3),
        ("aggregated", 8, 4, 1_500, 12 - 1 + 2 * 4 + 1),  # 32 powers: a cycle more
    ],
)
def test_cycles_are_beats_and_the_latency_of_the_header(ghash, name, lanes, stages, size, cycles):
    """Beats of the packet's text and its length block, and what the engine's header says."""
    assert ghash._cycles(ghash._by_name(name), lanes, stages, size) == cycles


@pytest.mark.parametrize("lanes", [1, 4])
def test_a_new_key_costs_what_the_headers_say(key_agile, lanes):
    """(cycles to its use, those without blocks) by ghash_window, ghash_residues, ghash_aggregated
    with one stage."""
    found = {e.name: (e.usable_after, e.blocked) for e in key_agile.engines(lanes)}
    assert found["tables of 5 bits"] == (34 * lanes, 34 * lanes - 1)
    assert found["tables of 8 bits"] == (258 * lanes, lanes - 1)
    assert found["tables of residues"] == (20 * lanes - 1, 20 * lanes - 2)
    assert found["one sum of products, ko6"] == (3 * (lanes - 1) + 2, lanes - 1)
    assert found["key in the logic"] == (None, None)


@pytest.mark.yosys
@pytest.mark.slow
def test_json_has_the_promised_fields(ghash, capsys, monkeypatch):
    asked = ["ghash.py", "--json", "--lanes", "2", "--multipliers", "ko2"]
    monkeypatch.setattr(sys, "argv", asked)
    assert ghash.main() == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert {row["architecture"] for row in rows} == {
        "serial", "serial_length_first", "interleaved", "log_tail", "dot", "evaluated",
        "shared_reduction",
        "aggregated",
    }  # fmt: skip
    promised = {"architecture", "multiplier", "lanes", "stages", "ge_per_lane", "depth"}
    assert all(promised <= set(row) for row in rows)
    cycles = {row["architecture"]: row["cycles_1500"] for row in rows}
    assert cycles["serial"] == 95 + 1 and cycles["log_tail"] == 48 - 1 + 3


@pytest.mark.yosys
@pytest.mark.slow
def test_mapped_counts_products_in_their_circuits(ghash):
    """The products of four lanes share one leaf, and nothing of the stub stays in the figure."""
    config = CoreConfig(lanes=4, ghash="aggregated", multiplier="ko2", contexts=1)
    found = ghash.mapped(config)
    assert (found.products, found.product_registers) == (1, 0)
    assert found.product_gates_ge == pytest.approx(cost(dot("ko2", 4).circuit).ge)
    assert found.other_registers > 128 * (4 + 1)  # H .. H^4, the running sum
    assert 0 < found.other_gates_ge < found.product_gates_ge
    own, more = ghash.around_the_lanes(config)
    assert more == 0  # no product but those of the lanes
    assert own == pytest.approx(found.other_gates_ge + 5.5 * found.other_registers)


@pytest.mark.parametrize("name", ["evaluated", "serial_length_first"])
def test_mapped_refuses_what_it_does_not_know(ghash, name, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["ghash.py", "--mapped", "--architectures", name])
    with pytest.raises(SystemExit) as exit_:
        ghash.main()
    assert exit_.value.code == 2
    assert f"do not know {name}" in capsys.readouterr().err

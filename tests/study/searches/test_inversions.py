# SPDX-License-Identifier: Apache-2.0
"""What is kept of the search on GF(2^4): right for all inputs, and no larger than the library's."""

import pytest

from gcmforge.circuit import call, cost, parse_listing
from gcmforge.study.searches import inversions


@pytest.fixture
def bench():
    return inversions


def test_every_kept_circuit_computes_its_functions(bench):
    kept = bench.load()
    assert set(kept) == set(bench.SUBJECTS)
    for name, entry in kept.items():
        for text in {entry["circuit"], entry.get("fewest", entry["circuit"])}:
            circuit = parse_listing(text, "exact")
            values = [call(circuit, x_i=t)["y_o"] for t in range(16)]
            assert values == [bench.SUBJECTS[name].spec(t) for t in range(16)], name


def test_what_is_kept_is_no_larger_than_the_circuits_of_the_library(bench):
    for name, entry in bench.load().items():
        circuit = parse_listing(entry["circuit"], "exact")
        assert cost(circuit).ge == entry["ge"] <= cost(bench.SUBJECTS[name].circuit()).ge
        fewest = parse_listing(entry.get("fewest", entry["circuit"]), "exact")
        asked = [gates for gates, answer, _ in entry["sat"] if answer == "found"]
        assert bench.gates_of(fewest)[0] == min(asked, default=bench.gates_of(circuit)[0])


def test_a_kept_circuit_of_another_function_is_noticed(bench):
    circuit = parse_listing(bench.load()["low"]["circuit"], "exact")
    with pytest.raises(SystemExit, match="another function"):
        bench.check("high", circuit)

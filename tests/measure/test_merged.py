# SPDX-License-Identifier: Apache-2.0
"""A design costs the same whether it is written as one module or as several."""

from collections import Counter

import pytest

from gcmforge.netlist.targets import find_target
from gcmforge.synth.merged import modules_to_merge
from gcmforge.synth.synthesis import Synthesis, synthesise
from gcmforge.synth.yosys import YosysError

# A state that nothing enters: its register can go, and with it the count in that state.
_STATES = """
  logic drop_q, data_q, drop;
  assign drop = drop_q;
  always_ff @(posedge clk)
    if (rst) begin
      drop_q <= 1'b0;
      data_q <= 1'b0;
    end else begin
      if (last_i) drop_q <= 1'b0;
      data_q <= start_i || (drop_q && last_i) || (data_q && !last_i);
    end
  assign data_o = data_q;
"""
_COUNT = """
  logic [15:0] left_q;
  always_ff @(posedge clk)
    if (start_i) left_q <= bytes_i;
    else if (drop) left_q <= left_q - 16'd1;
  assign none_o = drop && left_q == 16'd0;
"""
_PORTS = """
    input logic clk,
    input logic rst,
    input logic start_i,
    input logic last_i,
    input logic [15:0] bytes_i,
    output logic data_o,
    output logic none_o
"""
_TOGETHER = f"module whole ({_PORTS});\n{_STATES}{_COUNT}endmodule\n"
_APART = f"""
module states (
    input logic clk, input logic rst, input logic start_i, input logic last_i,
    output logic data_o, output logic drop
);
{_STATES.replace("drop_q, data_q, drop;", "drop_q, data_q;")}endmodule
module whole ({_PORTS});
  logic drop;
  states u_states (.*);
{_COUNT}endmodule
"""


def _mapped(text: str, **settings: object) -> Synthesis:
    return synthesise(text, find_target("ge"), effort="quick", **settings)  # type: ignore[arg-type]


def test_a_module_with_one_instance_costs_what_its_text_costs_in_place() -> None:
    together, apart = _mapped(_TOGETHER), _mapped(_APART)
    assert together.flip_flops == 1  # data_q: nothing else can ever change
    assert (apart.flip_flops, apart.area_ge) == (together.flip_flops, together.area_ge)
    assert set(apart.modules) == {"whole"}


def test_a_loop_of_gates_through_two_modules_is_refused() -> None:
    text = """
module half (input logic a, input logic b, output logic y);
  assign y = a & b;
endmodule
module whole (input logic a, output logic y);
  logic back;
  half u_half (.a(a), .b(back), .y(y));
  assign back = ~y;
endmodule
"""
    with pytest.raises(YosysError, match="problems in 'check -assert'"):
        _mapped(text)


def test_a_leaf_stays_a_module() -> None:
    kept = _mapped(_APART, leaves=("states",))
    assert set(kept.modules) == {"whole", "states"}


@pytest.mark.parametrize(
    ("cells", "merged"),
    [
        pytest.param({"top": ["a", "a"], "a": []}, set(), id="two instances"),
        pytest.param({"top": ["a", "b"], "a": ["c"], "b": ["c"], "c": []}, {"a", "b"}, id="two"),
        pytest.param({"top": ["a"], "a": ["b"], "b": []}, {"a", "b"}, id="a chain"),
        pytest.param({"top": ["gf128_mul"], "gf128_mul": ["a"], "a": []}, set(), id="leaf"),
        pytest.param({"gcm_axis": ["gcm_aes"], "gcm_aes": ["x"], "x": []}, {"x"}, id="a block"),
        pytest.param({"gcm_keys": ["gcm_ram"], "gcm_ram": ["x"], "x": []}, set(), id="contexts"),
        pytest.param({"gcm_step": ["gcm_copy"], "gcm_copy": []}, set(), id="copies"),
        pytest.param(
            {"gcm_axis": ["$paramod\\gcm_join\\Width=8"], "$paramod\\gcm_join\\Width=8": []},
            {"$paramod\\gcm_join\\Width=8"},
            id="parameters",
        ),
    ],
)
def test_which_modules_are_merged(cells: dict[str, list[str]], merged: set[str]) -> None:
    counted = {name: Counter(inside) for name, inside in cells.items()}
    assert modules_to_merge(counted, ("gf128_mul",)) == merged

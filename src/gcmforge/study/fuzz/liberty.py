# SPDX-License-Identifier: Apache-2.0
"""Liberty files that `gcmforge measure --liberty` takes, plain and compressed."""

import gzip
from pathlib import Path

from gcmforge.netlist import ge_library
from gcmforge.netlist.liberty_syntax import LibertyError
from gcmforge.netlist.targets import TargetError, liberty_target, library_of
from gcmforge.study.fuzz.mutate import Form
from gcmforge.study.fuzz.reader import Reader
from gcmforge.study.fuzz.trees import liberty_changed

_WORDS = (
    "library", "cell", "pin", "bus", "bundle", "ff", "latch", "timing", "internal_power", "area",
    "leakage_power", "values", "index_1", "index_2", "variable_1", "variable_3", "direction",
    "input", "output", "inout", "internal", "function", "related_pin", "timing_sense",
    "timing_type", "rising_edge", "setup_rising", "three_state", "capacitance", "max_capacitance",
    "rise_capacitance_range", "time_unit", '"1ps"', '"1e1e1s"', "voltage_unit", "power", "scalar",
    "capacitive_load_unit", "cell_rise", "rise_transition", "table_lookup", "true", "false",
    '"!(A & B)"', "\"(A' + B)\"", '"A^B C"', "dont_use", "clock_gating_integrated_cell",
)  # fmt: skip
_FORM = Form(
    words=_WORDS, change=liberty_changed,
    nests=(("a () {", "}"), ("(", ")"), ('"', '"'), ("!", ""), ("/*", "*/"), ("\\\n", "")),
)  # fmt: skip

_TEXT = """\
library ("mini") { /* every kind of groups that are read */
  delay_model : "table_lookup";
  time_unit : "1ns"; voltage_unit : "1V"; leakage_power_unit : "1nW";
  capacitive_load_unit (1.0, "pf");
  nom_voltage : 1.8;
  default_input_pin_cap : 0.01; default_cell_leakage_power : 0.1;
  lu_table_template (d) {
    variable_1 : "input_net_transition"; variable_2 : "total_output_net_capacitance";
    index_1 ("0.01, 0.5"); index_2 ("0.001, 0.1");
  }
  lu_table_template (c) {
    variable_1 : "related_pin_transition"; variable_2 : "constrained_pin_transition";
    index_1 ("0.01, 0.5"); index_2 ("0.01, 0.5");
  }
  power_lut_template (p) { variable_1 : "input_transition_time"; index_1 ("0.01, 0.5"); }
  cell ("INV") {
    area : 1.0; cell_leakage_power : 0.5;
    pin ("A") { direction : "input"; capacitance : 0.01;
      rise_capacitance_range (0.009, 0.011); }
    pin ("Y") { direction : "output"; max_capacitance : 0.3; function : "(!A)";
      @ARC(A, negative_unate) } }
  cell (BUF) { area : 1.5;
    leakage_power () { value : 0.5; when : "A"; } leakage_power () { value : 0.7; when : "!A"; }
    pin (A) { direction : input; capacitance : 0.01; }
    pin (Y) { direction : output; function : "A"; @ARC(A, positive_unate) } }
  cell (NAND2) { area : 1.25; dont_use : false;
    pin (A) { direction : input; capacitance : 0.01; }
    pin (B) { direction : input; capacitance : 0.01; }
    pin (Y) { direction : output; function : "(A B)'"; @ARC(A, negative_unate)
      @ARC(B, negative_unate)
      internal_power () { related_pin : "A B"; when : "B";
        rise_power (p) { values ("0.01, 0.02"); } fall_power (p) { values ("0.01, \\
          0.02"); } } } }
  cell (DFF) { area : 5; ff ("IQ", "IQN") { clocked_on : "CK"; next_state : "D"; }
    pin (D) { direction : input; capacitance : 0.01;
      timing () { related_pin : "CK"; timing_type : setup_rising;
        rise_constraint (c) { values ("0.1, 0.2", "0.1, 0.2"); }
        fall_constraint (c) { values ("0.1, 0.2", "0.1, 0.2"); } } }
    pin (CK) { direction : input; clock : true; capacitance : 0.01;
      internal_power () { power (p) { values ("0.01, 0.02"); } } }
    pin (Q) { direction : output; function : "IQ";
      timing () { related_pin : "CK"; timing_type : rising_edge;
        cell_rise (d) { values ("0.1, 0.2", "0.2, 0.3"); }
        cell_fall (d) { values ("0.1, 0.2", "0.2, 0.3"); }
        rise_transition (scalar) { values ("0.1"); }
        fall_transition (d) { values ("0.1, 0.2", "0.2, 0.3"); } } } }
  cell (LATCH) { area : 4; latch (IQ, IQN) { enable : "G"; data_in : "D"; }
    bundle (X) { members (D, E); pin (D, E) { direction : input; capacitance : 0.01; } }
    pin (G) { direction : input; capacitance : 0.01; } pin (Q) { direction : output;
      function : "IQ"; three_state : "E"; } }
}
"""
_ARC = """timing () {{ related_pin : "{0}"; timing_sense : {1};
        cell_rise (d) {{ index_1 ("0.01, 0.6"); values ("0.1, 0.2", "0.2, 0.3"); }}
        cell_fall (d) {{ values ("0.1, 0.2", "0.2, 0.3"); }}
        rise_transition (d) {{ values ("0.1, 0.2", "0.2, 0.3"); }}
        fall_transition (d) {{ values ("0.1, 0.2", "0.2, 0.3"); }} }}"""


def _mini() -> bytes:
    text = _TEXT
    for pin, sense in (("A", "negative_unate"), ("B", "negative_unate"), ("A", "positive_unate")):
        text = text.replace(f"@ARC({pin}, {sense})", _ARC.format(pin, sense))
    return text.encode()


def readers() -> tuple[Reader, ...]:
    plain = (_mini(), ge_library.liberty_text().encode())
    packed = tuple(gzip.compress(text, mtime=0) for text in plain)
    return (
        Reader(
            name="liberty", file="cells.lib", samples=plain, read=_library, form=_FORM,
            refusals=(TargetError, LibertyError), command=_measure, whole=_measure,
        ),
        Reader(
            name="liberty packed", file="cells.lib.gz", samples=packed, read=_library,
            form=Form(text=False, change=None), refusals=(TargetError, LibertyError),
            command=_measure,
        ),
    )  # fmt: skip


def _library(path: Path) -> None:
    library_of(liberty_target([path]))


def _measure(path: Path) -> list[str]:
    leaf = "aes_mix_column/small"
    return ["measure", leaf, "--liberty", str(path), "--effort", "quick"]

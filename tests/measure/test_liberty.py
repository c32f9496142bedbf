# SPDX-License-Identifier: Apache-2.0
"""Reader of Liberty files."""

import gzip
import itertools
from math import log
from pathlib import Path

import mapped_leaves as mapped
import numpy as np
import pytest
from small_cells import delay_ns, library_text, small_library

from gcmforge.netlist.functions import truth_table
from gcmforge.netlist.liberty import parse_liberty, parse_liberty_text, read_liberty
from gcmforge.netlist.liberty_syntax import LibertyError
from gcmforge.netlist.targets import find_target, library_of


def header(time: str = "1ns", cap: str = "1, pf", leakage: str = "1nW") -> str:
    return (
        f'library (l) {{ time_unit : "{time}"; capacitive_load_unit ({cap});\n'
        f'leakage_power_unit : "{leakage}"; voltage_unit : "1V"; nom_voltage : 1.8;\n'
        "lu_table_template (t) { variable_1 : input_net_transition;\n"
        'variable_2 : total_output_net_capacitance; index_1 ("1, 2"); index_2 ("1, 2, 3"); }\n'
        "lu_table_template (u) { variable_1 : total_output_net_capacitance;\n"
        'variable_2 : input_net_transition; index_1 ("1, 2, 3"); index_2 ("1, 2"); }\n'
        'power_lut_template (e) { variable_1 : input_transition_time; index_1 ("1, 2"); }\n'
    )


def cell_with(table: str) -> str:
    return (
        "cell (C) { area : 3.5; cell_leakage_power : 7; pin (A) { direction : input;\n"
        'capacitance : 4; internal_power () { rise_power (e) { values ("5, 6"); } } }\n'
        'pin (Y) { direction : output; function : "A";\n'
        f'timing () {{ related_pin : "A"; {table} }} }} }} }}\n'
    )


PLAIN = 'cell_rise (t) { values ("1, 2, 3", \\\n "4, 5, 6"); }'


def test_units_of_the_file_become_ns_pf_nw_and_pj() -> None:
    for time, cap, leakage, t, c, w in (
        ("1ns", "1, pf", "1nW", 1, 1, 1),
        ("1ps", "1, ff", "1pW", 1e-3, 1e-3, 1e-3),
        ("10ps", "0.1, pf", "1uW", 1e-2, 0.1, 1e3),
    ):
        cell = parse_liberty_text(header(time, cap, leakage) + cell_with(PLAIN)).cell("C")
        rise = cell.pins["Y"].timing[0].cell_rise
        assert rise is not None
        np.testing.assert_allclose(rise.first, [1 * t, 2 * t])
        np.testing.assert_allclose(rise.second, [1 * c, 2 * c, 3 * c])
        np.testing.assert_allclose(rise.values, np.array([[1, 2, 3], [4, 5, 6]]) * t)
        assert cell.pins["A"].capacitance == pytest.approx(4 * c)
        assert cell.leakage_nw == pytest.approx(7 * w)
        energy = cell.pins["A"].power[0].rise
        assert energy is not None
        np.testing.assert_allclose(energy.values[:, 0], np.array([5, 6]) * c)


def test_a_table_over_load_and_transition_is_turned() -> None:
    turned = 'cell_rise (u) { values ("1, 4", "2, 5", "3, 6"); }'
    for text in (PLAIN, turned):
        cell = parse_liberty_text(header() + cell_with(text)).cell("C")
        rise = cell.pins["Y"].timing[0].cell_rise
        assert rise is not None
        np.testing.assert_array_equal(rise.values, [[1, 2, 3], [4, 5, 6]])
        assert (rise.first.size, rise.second.size) == (2, 3)


def test_comments_with_braces_and_line_continuations_are_read_over() -> None:
    library = small_library()
    assert set(library.cells) == {"INV", "NAND2", "XOR2", "DFF", "DFFN", "LAT"}
    assert library.voltage == 2.0
    rise = library.cell("NAND2").pins["Y"].timing[0].cell_rise
    assert rise is not None
    assert rise.values[1, 1] == pytest.approx(delay_ns("NAND2", True, 1.0, 0.5))
    assert library.cell("DFF").flip_flop is not None
    assert library.cell("LAT").latch is not None


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ("A B + C", lambda a, b, c: (a & b) | c),
        ("A ^ B C", lambda a, b, c: (a ^ b) & c),
        ("A + B ^ C", lambda a, b, c: a | (b ^ c)),
        ("A' B + !C", lambda a, b, c: ((1 - a) & b) | (1 - c)),
        ("!(A*B)|C&A", lambda a, b, c: (1 - (a & b)) | (c & a)),
        ("(A (B + C)')'", lambda a, b, c: 1 - (a & (1 - (b | c)))),
        ("!!A ^ 1", lambda a, b, c: 1 - a),
        ("C 0 + B", lambda a, b, c: b),
    ],
)
def test_functions_have_the_value_that_the_format_says(function, expected) -> None:  # type: ignore[no-untyped-def]
    value = truth_table(function, "ABC")
    for pattern, (c, b, a) in enumerate(itertools.product((0, 1), repeat=3)):
        assert value >> pattern & 1 == expected(a, b, c), (function, a, b, c)


@pytest.mark.parametrize(
    ("function", "text"),
    [
        ("A +", "ends too early"),
        ("(A", "not closed"),
        ("A)", "from"),
        ("A + D", "D is no input"),
        ("(" * 20_000 + "A", "nested too deeply"),
        ("!" * 20_000 + "A", "nested too deeply"),
        ("A" * 5000, "A{80}\\.\\.\\. is no input"),
    ],
    ids=["end", "open", "closed", "name", "depth", "nots", "length"],
)
def test_a_bad_function_is_refused(function: str, text: str) -> None:
    with pytest.raises(LibertyError, match=text):
        truth_table(function, "ABC")


GOOD = (header() + cell_with(PLAIN)).splitlines()


def broken(line: int, text: str) -> str:
    """The good file with one line (from 1) replaced."""
    return "\n".join([*GOOD[: line - 1], text, *GOOD[line:]])


def line_of(part: str) -> int:
    return next(n for n, line in enumerate(GOOD, 1) if part in line)


def test_the_line_that_is_no_liberty_is_named() -> None:
    line = line_of("nom_voltage")
    with pytest.raises(LibertyError, match=rf"bad\.lib, line {line}: not Liberty: '%% nonsense"):
        parse_liberty_text(broken(line, "%% nonsense"), "bad.lib")


def test_a_cut_file_names_the_group_that_is_left_open() -> None:
    text = "\n".join(GOOD)
    cut = text[: text.index("pin (Y)")]
    with pytest.raises(LibertyError, match=r"line \d+: .*never closed"):
        parse_liberty_text(cut, "cut.lib")


def test_a_name_in_a_message_is_printable_and_short() -> None:
    with pytest.raises(LibertyError, match=r"1: library \(a\\nb\\x1b\) is never closed"):
        parse_liberty_text('library ("a\nb\x1b") {', "bad.lib")
    with pytest.raises(LibertyError, match=r"library \(x{71}\.\.\.: there is no cell"):
        parse_liberty_text(f"library ({'x' * 5000}) {{ }}", "bad.lib")


def test_a_closing_brace_too_many_is_refused_with_its_line() -> None:
    with pytest.raises(LibertyError, match=rf"line {len(GOOD) + 1}: a closing brace"):
        parse_liberty_text("\n".join([*GOOD, "}"]), "bad.lib")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"4, 5, 6"', '"4, 5"', "5 values for a table of 2 x 3"),
        ('"4, 5, 6"', '"4, 5, six"', "not all numbers"),
        ("cell_rise (t)", "cell_rise (nowhere)", "no such template"),
        ('index_2 ("1, 2, 3")', 'index_2 ("1, 3, 2")', "does not rise"),
        ("area : 3.5", "area : big", "not a number"),
        ("direction : input", "direction : sideways", "direction sideways"),
        ("(1, pf)", "(1, furlong)", "neither ff nor pf"),
        ('"1ns"', '"fast"', "time_unit : fast is not understood"),
        ('"1ns"', '"0ns"', "time_unit : 0ns is not above 0"),
        ("(1, pf)", "(-1, pf)", r"capacitive_load_unit \(-1, pf\) is not above 0"),
        ("area : 3.5", "area : nan", "area : nan is not a number"),
        ("capacitance : 4", "capacitance : 1e999", "capacitance : 1e999 is not a number"),
        ('"4, 5, 6"', '"4, 5, inf"', "not all numbers"),
        ('"1ns"', '"1e1e1s"', "time_unit : 1e1e1s is not a number"),
        ("(1, pf)", "({}, pf)", r"capacitive_load_unit \(\{\}, pf\) is not a number"),
        ("direction : input", 'direction : "a\x1b[2J\nb"', r"direction a\\x1b\[2J\\nb$"),
        ("area : 3.5", f"area : {'x' * 5000}", r"area : x+\.\.\. is not a number"),
    ],
)
def test_what_is_wrong_in_a_group_is_said_with_its_line(old: str, new: str, message: str) -> None:
    text = "\n".join(GOOD)
    assert old in text
    with pytest.raises(LibertyError, match=rf"bad\.lib, line \d+: .*{message}"):
        parse_liberty_text(text.replace(old, new, 1), "bad.lib")


def test_a_file_without_a_library_or_without_cells_is_refused() -> None:
    with pytest.raises(LibertyError, match="no library group"):
        parse_liberty_text("")
    with pytest.raises(LibertyError, match="no cell"):
        parse_liberty_text(header() + "}")


def test_gzipped_files_are_read_and_damaged_ones_refused(tmp_path: Path) -> None:
    data = gzip.compress(library_text().encode())
    (tmp_path / "a.lib.gz").write_bytes(data)
    assert set(parse_liberty(tmp_path / "a.lib.gz").cells) == set(small_library().cells)
    (tmp_path / "b.lib.gz").write_bytes(data[:-50])
    with pytest.raises(LibertyError, match="cannot be read"):
        parse_liberty(tmp_path / "b.lib.gz")
    with pytest.raises(LibertyError, match="No such file"):
        parse_liberty(tmp_path / "c.lib")


def test_a_file_is_read_once_until_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "a.lib"
    path.write_text(library_text())
    first = parse_liberty(path)
    assert parse_liberty(path) is first
    path.write_text(library_text().replace("area : 2;", "area : 22;"))
    assert parse_liberty(path).cell("INV").area == 22


@pytest.mark.parametrize(
    ("stated", "of_step"),
    [
        ("", log(4)),
        ("slew_lower_threshold_pct_rise : 10; slew_upper_threshold_pct_rise : 90;", log(9)),
        ("slew_upper_threshold_pct_rise : 70; slew_lower_threshold_pct_rise : 30;\n"
         "slew_derate_from_library : 0.5;", 2 * log(7 / 3)),
    ],
)  # fmt: skip
def test_a_transition_is_between_the_thresholds_of_the_file(stated: str, of_step: float) -> None:
    """A step that a resistance and a capacitance slow down leaves a part of e^-t to go."""
    text = header() + stated + cell_with(PLAIN)
    assert parse_liberty_text(text).slew_of_step == pytest.approx(of_step)


@pytest.mark.parametrize("stated", [
    "slew_lower_threshold_pct_rise : 80;", "slew_upper_threshold_pct_rise : 100;",
    "slew_lower_threshold_pct_rise : 0;", "slew_derate_from_library : 0;",
])  # fmt: skip
def test_thresholds_that_no_edge_passes_are_refused(stated: str) -> None:
    with pytest.raises(LibertyError, match=r"library \(l\): transitions from"):
        parse_liberty_text(header() + stated + cell_with(PLAIN))


@pytest.mark.slow
@pytest.mark.asap7
def test_asap7_states_transitions_from_10_to_90_per_cent() -> None:
    assert library_of(find_target("asap7")).slew_of_step == pytest.approx(log(9))


def test_several_files_make_one_library(tmp_path: Path) -> None:
    (tmp_path / "a.lib").write_text(library_text())
    (tmp_path / "b.lib").write_text(library_text().replace("cell (INV)", "cell (INV9)"))
    library = read_liberty([tmp_path / "a.lib", tmp_path / "b.lib"])
    assert {"INV", "INV9"} <= set(library.cells)
    assert len(library.paths) == 2


@pytest.mark.osu018
def test_osu018_is_read_as_its_text_says() -> None:
    library = mapped.library()
    assert len(library.cells) == 32
    assert library.voltage == 1.8
    gate = library.cell("AND2X1")
    assert gate.area == 32
    assert gate.pins["A"].capacitance == 0.0129077
    arc = gate.pins["Y"].timing[0]
    assert (arc.related_pin, arc.timing_sense) == ("A", "positive_unate")
    assert arc.cell_rise is not None
    assert arc.cell_rise.values[0, 1] == 0.078318  # least transition, second load
    assert library.cell("DFFPOSX1").flip_flop is not None
    assert library.cell("LATCH").latch is not None


def test_rails_of_one_state_add_up_and_states_are_averaged() -> None:
    """The mean over states of leakage; the energy of a transition is that of all rails."""
    rails = "".join(
        f'leakage_power () {{ value : {value}; when : "{when}"; related_pg_pin : {rail}; }}\n'
        for when, values in (("A", (3, 1)), ("!A", (5, 2)))
        for rail, value in zip(("VDD", "VSS"), values, strict=True)
    )
    energy = "".join(
        f"internal_power () {{ related_pg_pin : {rail};\n"
        f'rise_power (e) {{ values ("{values}"); }} }}\n'
        for rail, values in (("VDD", "5, 6"), ("VSS", "0.5, 0.25"))
    )
    text = header() + (
        f"cell (C) {{ area : 1; {rails} pin (A) {{ direction : input; capacitance : 1;\n"
        f"{energy} }} }} }}\n"
    )
    cell = parse_liberty_text(text).cell("C")
    assert cell.leakage_nw == pytest.approx((3 + 1 + 5 + 2) / 2)
    (power,) = cell.pins["A"].power
    assert power.rise is not None
    np.testing.assert_allclose(power.rise.values[:, 0], [5.5, 6.25])
    assert power.fall is None


def test_groups_without_a_rail_are_states_of_their_own() -> None:
    text = header() + (
        "cell (C) { area : 1; leakage_power () { value : 3; } leakage_power () { value : 5; }\n"
        "pin (A) { direction : input; capacitance : 1; } } }\n"
    )
    assert parse_liberty_text(text).cell("C").leakage_nw == pytest.approx(4)

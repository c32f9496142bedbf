# SPDX-License-Identifier: Apache-2.0
"""Ratios, ranks and verdicts, on made-up figures; and the command."""

import json
import re

import pytest

from gcmforge.study import cli
from gcmforge.study.pages import papers as papers_page
from gcmforge.study.papers import needs, tables
from gcmforge.study.papers.compare import compare, spearman
from gcmforge.study.papers.form import (
    AllBelow,
    Below,
    Best,
    Claim,
    Column,
    OnNodes,
    Table,
    Todo,
    View,
    rows_of,
)
from gcmforge.study.papers.making import make_all
from gcmforge.study.papers.measured import (
    Figures,
    Measured,
    Need,
    NotMeasuredError,
    read_kept,
    write_kept,
)
from gcmforge.study.papers.mozaffari2012_ghash import cycles, efficiency, plain_xors
from gcmforge.study.papers.text import (
    counts_sentence,
    missing,
    overview_row,
    told,
    verdict,
    worked_out_markdown,
)
from gcmforge.study.papers.yang2005 import most_terms
from gcmforge.study.papers.yang2005_model import MIX, bits_per_cycle, gcm_cycles

AREA = Column(key="area", head="area", unit="gates", rank=True)
SMALL, LARGE = (Need(what=name, target="ge") for name in ("small", "quad"))


def area_of(need):
    return lambda figures: {"area": figures.get(need).area_ge}


def table(*claims):
    rows = rows_of(
        """
        small | 1,000
        large | 4000
        sold  | 2000
        """,
        (AREA,),
        ours={"small": area_of(SMALL), "large": area_of(LARGE)},
        why={"sold": "only its data sheet is published"},
    )
    return Table(
        paper="yang2005", key="9", title="made up", theirs="theirs", here="ours", columns=(AREA,),
        rows=rows, claims=claims,
    )  # fmt: skip


def figures(small=500.0, large=3000.0):
    known = {SMALL.name: Measured(area_ge=small), LARGE.name: Measured(area_ge=large)}
    return Figures({name: value for name, value in known.items() if value.area_ge})


def test_ratio_is_ours_over_theirs():
    small, large, sold = compare(table(), figures()).rows
    assert [small.cells[0].ratio, large.cells[0].ratio] == [0.5, 0.75]
    assert (sold.measured, sold.excused, sold.why) == (
        False, True, "only its data sheet is published",
    )  # fmt: skip


def test_a_row_that_is_not_measured_yet_is_not_excused():
    found = compare(table(), figures(large=0.0))
    assert (len(found.cells), found.measured, found.excused, found.pending) == (3, 1, 1, 1)
    assert found.rows[1].pending and not found.rows[1].excused
    assert found.rows[1].why == "not measured yet: gcmforge-study papers --measure"


def test_figures_are_counted_and_each_that_is_missing_says_why():
    clock = Column(key="clock", head="clock", why="nothing places it")
    columns = (AREA, clock, Column(key="x", head="x"))
    rows = rows_of(
        """
        small | 1,000 | 5   | -
        other | 2,000 | n/a | 7
        """,
        columns,
        ours={"small": area_of(SMALL)},
        why={"other": Todo("it takes a day")},
    )
    one = Table(
        paper="yang2005", key="9", title="made up", theirs="theirs", here="ours", columns=columns,
        rows=rows,
    )  # fmt: skip
    found = compare(one, figures())
    assert (len(found.cells), found.measured, found.excused, found.pending) == (4, 1, 1, 2)
    assert found.unexplained == ()
    assert overview_row(found)[2:6] == ["4", "1", "1", "2"]
    assert {why: len(cells) for why, cells in missing(found).items()} == {
        "nothing places it": 1, "it takes a day": 2,
    }  # fmt: skip


def test_a_figure_that_is_missing_without_a_reason_is_told():
    columns = (AREA, Column(key="clock", head="clock"))
    rows = rows_of("small | 1,000 | 5", columns, ours={"small": area_of(SMALL)})
    one = Table(
        paper="yang2005", key="9", title="made up", theirs="theirs", here="ours", columns=columns,
        rows=rows,
    )  # fmt: skip
    assert compare(one, figures()).unexplained == ("small, clock",)


def test_what_is_worked_out_is_counted_apart():
    clock = Column(key="clock", head="clock", worked_out="a formula")
    columns = (AREA, clock)
    rows = rows_of(
        """
        small | 1,000 | 5
        large | 2,000 | -
        none  | 3,000 | 7
        """,
        columns,
        ours={
            "small": lambda figures: {"area": 1.0, "clock": 5.0},
            "large": lambda figures: {"area": 1.0, "clock": 6.0},
        },
        why={"none": "it is a product"},
    )
    one = Table(
        paper="yang2005", key="9", title="made up", theirs="theirs", here="ours", columns=columns,
        rows=rows,
    )  # fmt: skip
    found = compare(one, figures())
    assert (found.measured, found.worked_out) == (3, {"a formula": 1})
    assert worked_out_markdown([found]) == (
        "1 of the 3 measured ones are worked out here and not measured on a circuit: 1 of Yang "
        "2005's Table 9 (a formula)."
    )
    assert counts_sentence([found]).endswith(
        "5 figures: 3 have one of ours beside them, 2 cannot have one (2 in Yang 2005's Table 9), "
        "as nothing more is published of a design or no open tool routes its counterpart"
    )


@pytest.mark.slow
def test_of_the_papers_every_printed_figure_has_one_of_ours_or_a_reason():
    found = papers_page.compared()
    assert [one.unexplained for one in found] == [()] * len(found)
    assert sum(len(one.cells) for one in found) == 800


@pytest.mark.parametrize(("large", "holds"), [(3000.0, True), (400.0, False), (0.0, None)])
def test_an_ordering_holds_fails_or_is_open(large, holds):
    claim = Claim(
        text="", where="", check=Below(column="area", orders=(("small", "large"),), why="because")
    )
    (checked,) = compare(table(claim), figures(large=large)).claims
    assert checked.holds is holds
    assert checked.evidence.endswith("; the cause: because") == (holds is False)


def test_a_claim_fails_on_like_terms_only():
    claims = [
        Claim(text="", where="", check=Best(column="area", row="small"), unlike=unlike)
        for unlike in ("", "another library")
    ]
    alike, other = compare(table(*claims), figures(small=3500.0)).claims
    assert (verdict(alike), alike.fails, alike.differs) == ("does not hold", True, False)
    assert (other.fails, other.differs) == (False, True)
    assert verdict(other) == "not so here, on other terms"
    assert told(other).endswith("so it is not so here, but on other terms, as another library.")
    (held,) = compare(table(claims[1]), figures(small=500.0)).claims
    assert (verdict(held), held.differs) == ("holds", False)


@pytest.mark.slow
def test_every_verdict_is_two_sentences():
    """What the paper says and what was done; what was found and what follows."""
    found = [claim for one in papers_page.compared() for claim in one.claims]
    assert len(found) > 50
    for claim in found:
        text = told(claim).replace("Fig. ", "Fig ")
        first, _, second = text.partition(". ")
        assert first.startswith("The paper says that "), text
        assert claim.done and claim.done in told(claim), text
        assert second.endswith(".") and ". " not in second, text
        ends = r"; so it (holds|is open|does not hold|is not so here, .*)\.$"
        assert re.search(ends, second), text


@pytest.mark.parametrize(
    ("large", "small", "holds"),
    [(3000.0, 1.0, True), (400.0, 1.0, False), (400.0, 5000.0, False), (0.0, 1.0, None)],
)
def test_a_check_on_two_nodes_holds_where_it_does_on_both(large, small, holds):
    below = Below(column="area", orders=(("small", "large"),))
    above = Best(column="area", row="small", most=small > 1000)
    check = OnNodes(checks=(("one", below), ("two", above)))
    (checked,) = compare(table(Claim(text="", where="", check=check)), figures(large=large)).claims
    assert checked.holds is holds
    if holds is not None:
        only = "neither node" if small < 1000 else "two only"
        assert checked.evidence.startswith("on one " if holds else f"it is so on {only}: on one ")
        assert "; on two " in checked.evidence


def test_the_reason_of_a_failure_on_two_nodes_is_told_once():
    below = Below(column="area", orders=(("small", "large"),))
    check = OnNodes(checks=(("one", below), ("two", below)), why="because")
    (checked,) = compare(table(Claim(text="", where="", check=check)), figures(large=1.0)).claims
    assert checked.evidence.count("because") == 1
    assert checked.evidence.endswith("; the cause: because")


@pytest.mark.parametrize(("strict", "holds"), [(False, True), (True, False)])
def test_equal_figures_fail_only_a_strict_order(strict, holds):
    check = Below(column="area", orders=(("small", "large"),), strict=strict)
    found = compare(table(Claim(text="", where="", check=check)), figures(large=500.0))
    assert found.claims[0].holds is holds


def test_the_comparison_that_decides_is_told():
    """The nearest where all hold; else the one that fails by most."""
    view = View({}, {"area": {"a": 1.0, "b": 5.0, "c": 6.0, "d": 2.0, "e": 0.5}})
    grows = Below(column="area", orders=(("a", "b", "c"),))(view, Figures({}))
    assert grows.evidence == "2 of 2 comparisons hold, the nearest b (5) below c (6)"
    falls = Below(column="area", orders=(("a", "b", "d", "e"),))(view, Figures({}))
    assert falls.evidence == "1 of 3 comparisons hold, but d (2) is not below e (0.5)"
    all_below = AllBelow(column="area", lesser=("a", "d"), greater=("b", "c"))
    assert all_below(view, Figures({})).evidence == (
        "4 of 4 comparisons hold, the nearest d (2) below b (5)"
    )
    not_all = AllBelow(column="area", lesser=("a", "c"), greater=("b", "d"))
    assert not_all(view, Figures({})).evidence == (
        "2 of 4 comparisons hold, but c (6) is not below d (2)"
    )


@pytest.mark.parametrize(("small", "holds"), [(500.0, True), (3500.0, False)])
def test_an_optimum_is_that_of_our_column(small, holds):
    claim = Claim(text="", where="", check=Best(column="area", row="small"))
    (checked,) = compare(table(claim), figures(small=small)).claims
    assert checked.holds is holds


def test_an_optimum_needs_two_rows():
    assert Best(column="area", row="a")(View({}, {"area": {"a": 1.0}}), figures()).holds is None


def test_spearman_is_that_of_known_orders():
    assert spearman([1, 2, 3], [10, 20, 30]) == 1
    assert spearman([1, 2, 3], [3, 2, 1]) == -1
    assert spearman([1, 2, 3, 4], [1, 3, 2, 4]) == pytest.approx(0.8)
    assert spearman([1, 1, 2], [1, 2, 3]) == pytest.approx(0.75**0.5)


def test_a_row_of_too_many_cells_is_refused():
    with pytest.raises(ValueError, match="one: 2 cells for 1 columns"):
        rows_of("one | 1 | 2", (AREA,))
    with pytest.raises(ValueError, match="no rows"):
        rows_of("one | 1", (AREA,), why={"two": "there is none"})


def test_figures_are_kept_as_they_were(tmp_path):
    kept = {"small": Measured(area_ge=1.5, bits_per_cycle={"64": 7.25}, tools="yosys 0.70")}
    write_kept(kept, tmp_path / "kept.json")
    assert read_kept(tmp_path / "kept.json") == kept
    assert read_kept(tmp_path / "nothing.json") == {}


def test_what_is_not_kept_is_not_made_unless_asked():
    nothing = Figures({})
    with pytest.raises(NotMeasuredError, match="--measure"):
        nothing.get(SMALL)
    assert nothing.missing == {SMALL.name: SMALL}


def test_what_failed_is_not_asked_for_again():
    failed = Figures({}, {SMALL.name: "no such cells"})
    with pytest.raises(NotMeasuredError, match="no such cells"):
        failed.get(SMALL)
    assert not failed.missing


@pytest.mark.slow
def test_all_are_made_side_by_side_and_a_failure_is_told():
    leaf = Need(what="gf128_square", target="ge")
    made = dict(make_all([leaf, Need(what="gf128_square", target="osu019")], jobs=2))
    assert made[leaf].area_ge > 200
    (reason,) = (found for need, found in made.items() if need != leaf)
    assert "osu019" in reason


def test_everything_that_is_kept_is_asked_for_by_a_table():
    assert set(read_kept()) <= {need.name for need in needs()}


def test_names_of_needs_tell_them_apart():
    every = needs()
    assert len({need.name for need in every}) == len(every)


# Against facts of their own -----------------------------------------------------------------------


def test_the_mean_over_the_mix_is_bytes_over_cycles():
    """A long run of packets drawn from the mix, added up."""
    count = {size: share / size for size, share in MIX.items()}
    bits = sum(8 * size * n for size, n in count.items())
    cycles = sum(gcm_cycles(size) * n for size, n in count.items())
    assert bits_per_cycle(gcm_cycles)["Avg."] == pytest.approx(bits / cycles)


def test_terms_of_a_product_are_those_of_the_field():
    """Each pair of single bits multiplied, 16,384 of them."""
    from gcmforge.field.gf2 import poly_multiply_mod

    modulus = 1 << 128 | 0x87
    sums = [0] * 128
    for i in range(128):
        for j in range(128):
            product = poly_multiply_mod(1 << i, 1 << j, modulus)
            for bit in range(128):
                sums[bit] += product >> bit & 1
    assert most_terms() == max(sums)


def test_our_latency_is_that_of_the_registers_that_the_note_counts():
    from gcmforge.config.presets import load_config
    from gcmforge.config.rates import first_text_latency_cycles

    rounds, before_and_after, ports, command = 10, 2, 2, 1
    config = load_config(None, "yang2005", ())
    assert config.aes_latency_cycles == rounds + before_and_after
    assert first_text_latency_cycles(config) == rounds + before_and_after + ports + command


# The command --------------------------------------------------------------------------------------


def run(capsys, *words):
    with pytest.raises(SystemExit) as ended:
        cli.main(["papers", *words])
    return ended.value.code, capsys.readouterr()


def test_the_command_prints_a_table_and_its_json(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    code, printed = run(capsys, "abdellatif2012", "i")
    assert code == 0
    assert "M13/H^4 (same)" in printed.out
    code, printed = run(capsys, "abdellatif2012", "I", "--json")
    (found,) = json.loads(printed.out)
    assert [row["name"] for row in found["rows"]] == [str(clk) for clk in range(1, 9)]
    assert all(cell["ours"] for row in found["rows"] for cell in row["cells"])


@pytest.mark.slow
def test_the_overview_names_every_table(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    _, printed = run(capsys)
    for one in tables():
        assert f"{one.paper} {one.key} " in printed.out


def test_the_command_refuses_what_is_not_there(capsys):
    code, printed = run(capsys, "yang2005", "4")
    assert code == 1
    assert "there is 1, 2, 3" in printed.err


@pytest.mark.slow
def test_the_pages_are_what_the_kept_figures_say():
    advice = "run: gcmforge-study pages papers"
    written, _, origin = papers_page.PAGE.read_text().rpartition("\n\nMade from commit `")
    assert written == "\n".join(papers_page.page(papers_page.compared())).rstrip("\n"), advice
    assert re.fullmatch(r"[0-9a-f]{10}` by `gcmforge-study pages papers`\.\n", origin)
    readme = papers_page.README.read_text()
    assert readme == papers_page.with_counts(readme), advice


def test_matrices_of_powers_have_the_xors_that_the_paper_counts_before_reduction():
    """Table 4: 606, 1986 and 1627."""
    assert [plain_xors(n) for n in (1, 2, 3)] == [202, 561, 1223]
    assert 3 * 202 == 606 and 202 + 561 + 1223 == 1986 and 202 + 202 + 1223 == 1627


def test_efficiencies_of_table_5_are_those_that_it_prints():
    (table_5,) = tables("mozaffari2012", "5")
    for row in table_5.rows:
        found = efficiency(row.number("ge"), row.number("depth"))
        assert found == pytest.approx(row.number("efficiency"), abs=0.0055), row.name


@pytest.mark.parametrize(
    ("ghash", "expected"), [("serial", 16), ("interleaved", 9), ("log_tail", 5)]
)
def test_cycles_of_16_blocks_on_8_lanes_are_those_of_section_4_1(ghash, expected):
    assert cycles(ghash, 16, 8) == expected


@pytest.mark.parametrize(("lesser", "holds"), [(("a",), True), (("a", "b"), False), (("x",), None)])
def test_every_one_is_below_every_other(lesser, holds):
    view = View({}, {"area": {"a": 1.0, "b": 5.0, "c": 3.0}})
    check = AllBelow(column="area", lesser=lesser, greater=("c",))
    assert check(view, Figures({})).holds is holds

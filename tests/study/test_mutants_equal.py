# SPDX-License-Identifier: Apache-2.0
"""Mutants are called equal only where they are: in every state, or in those that are reached."""

import pytest

from gcmforge.formal.texts import users_of
from gcmforge.study.mutants import equal, questions
from gcmforge.study.mutants.equal import EachCycle, Reached, same_upwards
from gcmforge.study.mutants.gates import gates_of
from gcmforge.study.mutants.sites import with_mutants

pytestmark = pytest.mark.yosys

COUNTER = """module gcm_axis (
    input  logic       aclk,
    input  logic       aresetn,
    input  logic       step_i,
    input  logic [3:0] word_i,
    output logic [3:0] sum_o,
    output logic       full_o
);
  logic [1:0] count_q;
  logic [3:0] kept_q;
  always_ff @(posedge aclk)
    if (!aresetn) begin
      count_q <= '0;
    end else if (step_i && count_q != 2'd2) begin
      count_q <= count_q + 2'd1;
    end
  always_ff @(posedge aclk) if (step_i || count_q == '0) kept_q <= word_i;
  assign full_o = count_q >= 2'd2;
  assign sum_o  = full_o ? kept_q : 4'd0;
endmodule
"""
# what stands there, what stands there instead -> equal in each cycle, equal where it is reached
MUTANTS = {
    ("count_q != 2'd2", "=="): (False, False),
    ("count_q >= 2'd2", ">"): (False, False),
    ("count_q >= 2'd2", "<"): (False, False),
    ("full_o", "always"): (False, False),
    ("count_q + 2'd1", "-"): (False, False),
    ("count_q == '0", "!="): (False, False),
}
EQUAL = {
    # count 3 is never reached
    "count_q >= 2'd2": ("count_q == 2'd2", False, True),
    # before the first step what is kept is not shown, and a step replaces it
    "step_i || count_q == '0": ("step_i", False, True),
    # nothing at all
    "count_q + 2'd1": ("2'd1 + count_q", True, True),
}


@pytest.fixture(scope="module")
def mutants():
    text, found = with_mutants("gcm_axis.sv", COUNTER, 1)
    return gates_of({"gcm_axis.sv": text}, "gcm_axis", ()), found


@pytest.mark.parametrize(("old", "new"), MUTANTS, ids=lambda text: text)
def test_a_mutant_that_shows_is_not_called_equal(mutants, old, new):
    gates, found = mutants
    number = 1 + next(at for at, one in enumerate(found) if (one.old, one.new) == (old, new))
    shown = EachCycle(gates).same(number), Reached(gates).same(number)
    assert shown == MUTANTS[old, new]


@pytest.mark.parametrize("old", EQUAL)
def test_what_is_equal_is_shown_to_be(old):
    new, each_cycle, reached = EQUAL[old]
    assert COUNTER.count(old) == 1
    text = COUNTER.replace(old, f"(gcm_mutant::chosen == 1 ? ({new}) : ({old}))")
    gates = gates_of({"gcm_axis.sv": text}, "gcm_axis", ())
    assert EachCycle(gates).same(1) == each_cycle
    assert Reached(gates).same(1) == reached


RESETS = """module gcm_axis (
    input  logic       aclk,
    input  logic       aresetn,
    input  logic [3:0] word_i,
    output logic       valid_o,
    output logic [3:0] word_o
);
  logic valid_q;
  logic [3:0] first_q, second_q;
  always_ff @(posedge aclk) if (!aresetn) first_q <= '0; else first_q <= word_i;
  always_ff @(posedge aclk) if (!aresetn) second_q <= '0; else second_q <= first_q;
  always_ff @(posedge aclk) if (!aresetn) valid_q <= 1'b0; else valid_q <= 1'b1;
  assign valid_o = valid_q;
  assign word_o  = valid_q ? second_q : 4'd0;
endmodule
"""


@pytest.mark.parametrize(
    ("register", "equal"),
    [("second_q <= '0", True), ("first_q <= '0", False), ("valid_q <= 1'b0", False)],
    ids=["emptied by two cycles", "a word of before", "a valid bit of before"],
)
def test_a_reset_lasts_two_cycles(register, equal):
    """Without its own reset a register may still be right after one that lasts."""
    line = next(one for one in RESETS.splitlines() if register in one)
    changed = line.replace("(!aresetn)", "(gcm_mutant::chosen != 1 && !aresetn)")
    gates = gates_of({"gcm_axis.sv": RESETS.replace(line, changed)}, "gcm_axis", ())
    assert Reached(gates).same(1) == equal


TRANSFER = """module gcm_axis (
    input  logic       aclk,
    input  logic       aresetn,
    input  logic       valid_i,
    input  logic [1:0] word_i,
    output logic       m_tag_tvalid,
    output logic [1:0] m_tag_status,
    output logic [1:0] m_tag_tag
);
  logic valid_q;
  logic [1:0] word_q;
  always_ff @(posedge aclk) word_q <= word_i;
  always_ff @(posedge aclk) if (!aresetn) valid_q <= 1'b0; else valid_q <= valid_i;
  assign m_tag_tvalid = valid_q;
  assign m_tag_status = valid_q ? word_q : 2'd0;
  assign m_tag_tag    = valid_q ? word_q : 2'd0;
endmodule
"""


@pytest.mark.parametrize(
    ("port", "new", "equal"),
    [("m_tag_status", "word_q", True), ("m_tag_status", "2'd0", False),
     ("m_tag_tag   ", "word_q", False)],
    ids=["a status of nothing", "a wrong status", "a tag that nobody was given"],
)  # fmt: skip
def test_what_goes_with_a_transfer_counts_where_there_is_one(port, new, equal):
    old = f"{port} = valid_q ? word_q : 2'd0"
    assert old in TRANSFER
    changed = f"{port} = gcm_mutant::chosen == 1 ? {new} : valid_q ? word_q : 2'd0"
    gates = gates_of({"gcm_axis.sv": TRANSFER.replace(old, changed)}, "gcm_axis", ())
    assert Reached(gates).same(1) == equal


def test_what_was_asked_is_not_asked_again(mutants, tmp_path, monkeypatch):
    monkeypatch.setenv("GCMFORGE_CACHE", str(tmp_path))
    gates, _ = mutants
    first = [EachCycle(gates).same(number) for number in (1, 2)]
    assert list((tmp_path / "equal").iterdir())
    monkeypatch.setattr(questions, "yosys_abc", lambda: tmp_path / "nothing")
    assert [EachCycle(gates).same(number) for number in (1, 2)] == first
    with pytest.raises(FileNotFoundError):
        Reached(gates).same(1)


def test_what_is_not_decided_says_of_no_register_that_it_differs(mutants, monkeypatch):
    gates, found = mutants
    monkeypatch.setattr(equal, "ask_abc", lambda *_, **__: ("", []))
    reached = Reached(gates)
    for number in range(1, len(found) + 1):
        assert reached._different(number, []) in ([], None)


LEAF = """module leaf (
    input  logic [1:0] x_i,
    output logic [1:0] y_o
);
  assign y_o = {^x_i, &x_i};
endmodule
"""
AROUND = """module gcm_axis (
    input  logic       aclk,
    input  logic       aresetn,
    input  logic       valid_i,
    input  logic [1:0] word_i,
    output logic       valid_o,
    output logic [1:0] word_o
);
  logic valid_q;
  logic [1:0] made, word_q;
  leaf u_leaf (
      .x_i(valid_i ? word_i : 2'd0),
      .y_o(made)
  );
  always_ff @(posedge aclk) word_q <= made;
  always_ff @(posedge aclk) if (!aresetn) valid_q <= 1'b0; else valid_q <= valid_i;
  assign valid_o = valid_q;
  assign word_o  = valid_q ? word_q : 2'd0;
endmodule
"""


@pytest.mark.parametrize(
    ("old", "new", "equal"),
    [
        ("valid_i ? word_i : 2'd0", "word_i", True),
        ("valid_i ? word_i : 2'd0", "2'd0", False),
        ("valid_q ? word_q : 2'd0", "word_q", False),
    ],
    ids=["something else for a leaf, not used", "something else for it", "of 0 it may give any"],
)
def test_a_leaf_gives_the_same_of_the_same(old, new, equal):
    assert AROUND.count(old) == 1
    changed = AROUND.replace(old, f"(gcm_mutant::chosen == 1 ? ({new}) : ({old}))")
    gates = gates_of({"leaf.sv": LEAF, "gcm_axis.sv": changed}, "gcm_axis", ("leaf",))
    assert Reached(gates).same(1) == equal


SBOX = """// aes_sbox: a function in two stages.
// Latency: 1 cycles, 2 register bits.
module aes_sbox (
    input  logic       clk,
    input  logic       en_i,
    input  logic [1:0] x_i,
    output logic [1:0] y_o
);
  logic [1:0] x_q;
  always_ff @(posedge clk) if (en_i) x_q <= x_i;
  assign y_o = {^x_q, &x_q};
endmodule
"""
IN_STAGES = """module gcm_axis (
    input  logic       aclk,
    input  logic       aresetn,
    input  logic       en_i,
    input  logic       valid_i,
    input  logic [1:0] word_i,
    output logic [1:0] word_o
);
  logic valid_q;
  logic [1:0] made;
  aes_sbox u_sbox (
      .clk (aclk),
      .en_i(ENABLE),
      .x_i (WORD),
      .y_o (made)
  );
  always_ff @(posedge aclk) if (!aresetn) valid_q <= 1'b0; else if (en_i) valid_q <= valid_i;
  assign word_o = valid_q ? made : 2'd0;
endmodule
"""


@pytest.mark.parametrize(
    ("enable", "word", "equal"),
    [
        ("en_i", "word_i", True),
        ("1'b1", "valid_i ? word_i : 2'd0", False),
        ("en_i", "valid_i ? ~word_i : 2'd0", False),
    ],
    ids=["something else where it is not valid", "without its enable", "something else"],
)
def test_a_leaf_in_stages_gives_the_same_of_the_same_as_many_enabled_cycles_later(
    enable, word, equal
):
    text = IN_STAGES.replace("ENABLE", f"(gcm_mutant::chosen == 1 ? {enable} : en_i)")
    word = f"(gcm_mutant::chosen == 1 ? ({word}) : (valid_i ? word_i : 2'd0))"
    texts = {"aes_sbox.sv": SBOX, "gcm_axis.sv": text.replace("WORD", word)}
    assert Reached(gates_of(texts, "gcm_axis", ("aes_sbox",))).same(1) == equal


INNER = """module inner (
    input  logic       clk,
    input  logic       rst,
    input  logic [1:0] word_i,
    output logic       valid_o,
    output logic [1:0] word_o
);
  logic valid_q;
  logic [1:0] word_q;
  always_ff @(posedge clk) if (rst) word_q <= '0; else word_q <= word_i;
  always_ff @(posedge clk) if (rst) valid_q <= 1'b0; else valid_q <= 1'b1;
  assign valid_o = valid_q;
  assign word_o  = word_q;
endmodule
"""
OUTER = """module outer (
    input  logic       clk,
    input  logic       rst,
    input  logic [1:0] word_i,
    output logic [1:0] word_o
);
  logic valid;
  logic [1:0] word;
  inner u_inner (.clk(clk), .rst(rst), .word_i(word_i), .valid_o(valid), .word_o(word));
  assign word_o = valid ? word : 2'd0;
endmodule
"""


def inside(text: str, top: str = "inner") -> Reached:
    return Reached(gates_of({f"{top}.sv": text}, top, ()), whole=False)


def test_a_module_counts_from_the_second_cycle_of_its_reset():
    """After a reset of one cycle its outputs are those that it has; before that they may be
    anything."""
    word = "(gcm_mutant::chosen == 1 && !valid_q ? '0 : word_q);"
    changed = INNER.replace("word_q;\nend", f"{word}\nend")
    assert changed != INNER
    assert inside(changed).same(1)
    held = INNER.replace("if (rst) word_q", "if (gcm_mutant::chosen != 1 && rst) word_q")
    assert not inside(held).same(1)
    outer = gates_of({"inner.sv": held, "outer.sv": OUTER}, "outer", ())
    assert Reached(outer, whole=False).same(1)


TWO = """module inner (
    input  logic clk,
    input  logic rst,
    input  logic word_i,
    output logic word_o
);
  logic first_q, second_q;
  always_ff @(posedge clk) if (rst) first_q <= 1'b0; else first_q <= word_i;
  always_ff @(posedge clk) if (rst) second_q <= 1'b0; else second_q <= first_q;
  assign word_o = second_q && !rst;
endmodule
"""


def test_a_reset_inside_a_core_may_last_one_cycle():
    """What a second cycle of it would clear shows after one; a core's own lasts two."""
    changed = TWO.replace("if (rst) second_q", "if (gcm_mutant::chosen != 1 && rst) second_q")
    assert changed != TWO
    assert not inside(changed).same(1)
    whole = changed.replace("rst", "aresetn").replace("if (aresetn)", "if (!aresetn)")
    whole = whole.replace("&& aresetn)", "&& !aresetn)").replace("&& !aresetn;", "&& aresetn;")
    assert Reached(gates_of({"inner.sv": whole}, "inner", ())).same(1)


def test_what_is_relied_upon_has_to_be_possible():
    holds = "always_comb begin a : assume (word_i != 2'd3); end\nendmodule"
    never = "always_comb begin a : assume (rst || word_i != word_i); end\nendmodule"
    changed = INNER.replace("= word_q;", "= word_q & (gcm_mutant::chosen == 1 ? 2'd2 : 2'd3);")
    assert not inside(changed.replace("endmodule", holds)).same(1)
    with pytest.raises(AssertionError, match="relied upon"):
        inside(changed.replace("endmodule", never)).same(1)


def test_a_number_that_the_circuit_has_no_place_for_is_refused(mutants):
    gates, _ = mutants
    with pytest.raises(ValueError, match="4096"):
        EachCycle(gates).same(4096)


def test_what_a_module_is_in_is_asked_where_it_differs_alone():
    texts = {
        "inner.sv": INNER,
        "outer.sv": "// inner\n" + OUTER,
        "other.sv": "module other;  // inner\nendmodule\n",
    }
    assert users_of(texts, "inner") == ("outer",)
    users = {"inner": ["middle", "side"], "middle": ["outer"], "side": ["outer"], "outer": ["core"],
             "core": []}  # fmt: skip
    asked = []

    def same_of(*names):
        asked.clear()
        return lambda name: asked.append(name) or name in names

    assert same_upwards("inner", users, {"core"}, same_of("inner"))
    assert asked == ["inner"]
    assert same_upwards("inner", users, {"core"}, same_of("middle", "side"))
    assert sorted(asked) == ["inner", "middle", "side"]
    assert not same_upwards("inner", users, {"core"}, same_of("middle"))
    assert sorted(asked) == ["core", "inner", "middle", "outer", "side"]
    assert same_upwards("inner", users, {"core"}, same_of("core"))
    assert not same_upwards("inner", {"inner": []}, {"core"}, same_of())  # nobody knows where

# SPDX-License-Identifier: Apache-2.0
"""Specialised modules: their logic is right and proven; keys are read from files only."""

import json
import random
import stat

import pytest

from gcmforge.cli import main
from gcmforge.config import ConfigError
from gcmforge.emit.folder import BuildError
from gcmforge.leaf.fixed_key import fixed_matrix, key_table, reflected
from gcmforge.model import gf_mult
from gcmforge.specialise import TARGETS, Subkey, make_plan, read_portfolio, specialise
from gcmforge.specialise import logic as logic_module
from gcmforge.specialise.logic import make_logic, prove_texts

KEY = bytes.fromhex("feffe9928665731c6d6a8f9467308308")
"""Of test case 3 in McGrew and Viega's paper."""
H = 0xB83B533708BF535D0AA6E52980D53B78
"""Its hash subkey, from there."""


def test_table_is_the_subkey_times_powers_of_x():
    assert key_table(H) == tuple(gf_mult(H, 1 << 127 - i) for i in range(128))


def test_algorithm_1_as_printed_multiplies_by_x_times_the_subkey():
    """Crenne 2011 stores V after its shift; SP 800-38D starts with V_0 = H."""
    r, v, printed = 0b11100001 << 120, H, []
    for _ in range(128):
        v = v >> 1 ^ r if v & 1 else v >> 1
        printed.append(v)
    assert printed[0] != H
    assert tuple(printed) == key_table(gf_mult(H, 1 << 126))


@pytest.mark.parametrize("lanes", [1, 2, 3])
def test_matrix_is_the_sum_of_lanes_times_falling_powers(lanes):
    rng, matrix = random.Random(lanes), fixed_matrix(H, lanes)
    for _ in range(8):
        blocks = [rng.getrandbits(128) for _ in range(lanes)]
        y, word = 0, 0
        for block in blocks:
            y = gf_mult(y ^ block, H)
            word = word << 128 | reflected(block)
        assert matrix.apply(word) == reflected(y)


@pytest.mark.parametrize(
    "target", [pytest.param(t, marks=[pytest.mark.slow] * (t != "lut6")) for t in TARGETS]
)
def test_logic_is_proven_on_the_text_and_a_changed_bit_is_found(target):
    plan = make_plan(target=target, effort="quick")
    logic = make_logic(Subkey(H), plan, proven=True)
    other = make_logic(Subkey(H ^ 1), plan, proven=True)
    texts = {"right": logic.text, "wrong": other.text}
    proofs = prove_texts({"right": logic.leaf, "wrong": logic.leaf}, texts, plan)
    assert proofs["right"].passed
    assert not proofs["wrong"].passed
    assert "0x" not in proofs["wrong"].detail


@pytest.mark.slow
def test_a_lut_whose_table_is_no_sum_is_refused():
    plan = make_plan(target="xcv5", effort="quick")
    logic = make_logic(Subkey(H), plan, proven=True)
    broken = logic.text.replace("64'h6996966996696996", "64'h6996966996696997", 1)
    assert broken != logic.text
    with pytest.raises(ValueError, match="not the XOR"):
        prove_texts({"a": logic.leaf}, {"a": broken}, plan)


@pytest.mark.slow
def test_a_failed_proof_writes_nothing(tmp_path, monkeypatch):
    right = logic_module.fixed_matrix
    monkeypatch.setattr(logic_module, "fixed_matrix", lambda h, lanes: right(h ^ 1, lanes))
    with pytest.raises(BuildError, match="failed its proof"):
        specialise(Subkey(H), make_plan(effort="quick"), tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_the_same_key_gives_the_same_folder(tmp_path):
    plan = make_plan(target="xcv6", effort="quick")
    assert specialise(Subkey(H), plan, tmp_path / "a").written
    assert not specialise(Subkey(H), plan, tmp_path / "a").written
    specialise(Subkey(H), plan, tmp_path / "b")
    assert (tmp_path / "a/gcmforge.lock").read_text() == (tmp_path / "b/gcmforge.lock").read_text()


@pytest.mark.slow
def test_the_folder_says_what_it_is_and_is_its_owners_only(tmp_path):
    made = specialise(Subkey(H), make_plan(effort="quick"), tmp_path / "a")
    assert "**This folder contains key material.**" in (tmp_path / "a/README.md").read_text()
    for path in [tmp_path / "a", *(tmp_path / "a").rglob("*")]:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600)
    assert "README.md" in made.files


def test_a_subkey_prints_as_nothing():
    assert str(Subkey(H)) == repr(Subkey(H)) == f"{Subkey(H)}" == "Subkey(...)"


# ---- keys ----------------------------------------------------------------------------------------


def run(capfd, *arguments):
    with pytest.raises(SystemExit) as end:
        main([str(argument) for argument in arguments])
    printed = capfd.readouterr()
    return end.value.code, printed.out, printed.err


@pytest.mark.slow
def test_key_and_subkey_files_give_the_same_module(tmp_path, capfd, monkeypatch):
    (tmp_path / "key").write_text(KEY.hex())
    (tmp_path / "subkey").write_text(f"{H:032x}\n")
    for name in ("key", "subkey"):
        code, out, _ = run(
            capfd, "specialise", f"--{name}-file", tmp_path / name, "-o", tmp_path / f"{name}.out",
            "--effort", "quick", "--target", "xcv5", "--json",
        )  # fmt: skip
        assert code == 0
        assert json.loads(out)["unit"] == "LUT6"
    texts = [
        (tmp_path / f"{name}.out/gen/gf128_fixed.sv").read_text() for name in ("key", "subkey")
    ]
    assert texts[0] == texts[1]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("00" * 15, "30 hex digits; use 32 or 48 or 64"),
        ("zz" * 16, "not all hex digits"),
        ("", "0 hex digits"),
    ],
)
def test_a_bad_key_file_is_refused_without_its_content(text, reason, tmp_path, capfd):
    (tmp_path / "key").write_text(text)
    code, out, err = run(capfd, "specialise", "--key-file", tmp_path / "key", "-o", tmp_path / "o")
    assert (code, out) == (1, "")
    assert reason in err
    assert not text or text not in err


def test_a_key_is_needed_once(tmp_path, capfd):
    assert "a key is needed" in run(capfd, "specialise", "-o", tmp_path / "o")[2]
    both = ("--key-file", "a", "--subkey-file", "b", "-o", tmp_path / "o")
    assert "a key is needed" in run(capfd, "specialise", *both)[2]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"stages": 2, "lanes": 2}, "a chain or has lanes"),
        ({"cycles": 2, "stages": 2}, "only the basic module"),
        ({"cycles": 3}, "1 or 2"),
        ({"skewed": True}, "without stages"),
        ({"stages": 17}, "use 1 to 16"),
        ({"target": "xc9"}, "use one of gates"),
        ({"effort": "low"}, "quick, normal, high"),
    ],
)
def test_what_does_not_go_together_is_refused(options, reason):
    with pytest.raises(ConfigError, match=reason):
        make_plan(**options)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "holds no key"),
        ("a 00", "line 1: 2 hex digits"),
        (f"a {'00' * 16}\na {'01' * 16}", "line 2: this name comes twice"),
        (f"../x {'00' * 16}", "line 1: not a name"),
        (f"{'ab' * 16} {'00' * 16}", "line 1: the name looks like a key"),
        (f"a b {'00' * 16}", "line 1: 3 words"),
    ],
)
def test_a_bad_portfolio_file_is_refused(text, reason, tmp_path):
    (tmp_path / "keys").write_text(text)
    with pytest.raises(ConfigError, match=reason):
        read_portfolio(str(tmp_path / "keys"))


def test_a_portfolio_file_has_names_or_gives_them(tmp_path):
    (tmp_path / "keys").write_text(f"# keys\nalice {KEY.hex()}\n\n{'00' * 16}  # by its line\n")
    keys = read_portfolio(str(tmp_path / "keys"))
    assert [key.name for key in keys] == ["alice", "key0004"]
    assert keys[0].subkey == Subkey(H)

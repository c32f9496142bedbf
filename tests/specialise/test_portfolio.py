# SPDX-License-Identifier: Apache-2.0
"""Portfolios: a folder for each key, resumed where they stopped, and no key in index or report."""

import json
import random
import stat

import pytest

from gcmforge.cli import main
from gcmforge.emit.folder import BuildError
from gcmforge.model import encrypt_block, key_expansion
from gcmforge.specialise import make_plan, make_portfolio, read_portfolio

pytestmark = pytest.mark.slow

KEYS = [random.Random(number).randbytes((16, 24, 32)[number]) for number in range(3)]
OPTIONS = ("--target", "xcv5", "--effort", "quick", "--workers", "1")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The portfolio's folder and its key file."""
    folder = tmp_path_factory.mktemp("portfolio")
    file = folder / "keys.txt"
    file.write_text(f"alice {KEYS[0].hex()}\nbob {KEYS[1].hex()}\n{KEYS[2].hex()}\n")
    with pytest.raises(SystemExit) as end:
        main(["specialise", "--keys", str(file), "-o", str(folder / "out"), *OPTIONS])
    assert end.value.code == 0
    return folder / "out", file


def test_every_key_has_a_folder_and_a_line_in_the_index(made):
    out, _ = made
    index = json.loads((out / "index.json").read_text())
    assert [entry["name"] for entry in index["entries"]] == ["alice", "bob", "key0003"]
    tops = {(out / entry["name"] / "gen/ghash_key.sv").read_text() for entry in index["entries"]}
    leaves = {
        (out / entry["name"] / "gen/gf128_fixed.sv").read_text() for entry in index["entries"]
    }
    assert (len(tops), len(leaves)) == (1, 3)  # one interface, a logic for each
    for path in [out, *out.rglob("*")]:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600)


def test_index_and_report_hold_no_key(made):
    out, _ = made
    for name in ("index.json", "README.md"):
        text = (out / name).read_text().lower()
        assert "alice" in text or name == "README.md"
        for key in KEYS:
            subkey = f"{encrypt_block(key_expansion(key), 0):032x}"
            for secret in (key.hex(), subkey):
                parts = [secret[i : i + 8] for i in range(0, len(secret) - 7, 8)]
                assert not any(part in text for part in parts)
    assert "**This folder contains key material.**" in (out / "README.md").read_text()


def test_what_is_there_is_proven_again_and_only_what_is_not_is_made(made):
    out, file = made
    plan = make_plan(target="xcv5", effort="quick")
    keys = read_portfolio(str(file))
    assert make_portfolio(keys, plan, out, workers=1).made == 0
    (out / "bob" / "README.md").unlink()
    leaf = out / "alice" / "gen/gf128_fixed.sv"
    text = leaf.read_text()
    counts = []
    again = make_portfolio(keys, plan, out, workers=1, progress=lambda d, n: counts.append((d, n)))
    assert (again.made, counts[-1], leaf.read_text()) == (1, (3, 3), text)


def test_the_folder_of_another_key_is_made_anew(made):
    out, file = made
    plan = make_plan(target="xcv5", effort="quick")
    names = [key.name for key in read_portfolio(str(file))]
    file.write_text(f"alice {bytes(16).hex()}\nbob {KEYS[1].hex()}\n{KEYS[2].hex()}\n")
    assert [key.name for key in read_portfolio(str(file))] == names
    assert make_portfolio(read_portfolio(str(file)), plan, out, workers=1).made == 1


def test_other_options_and_other_folders_are_refused(made, tmp_path):
    out, file = made
    keys = read_portfolio(str(file))
    with pytest.raises(BuildError, match="other options"):
        make_portfolio(keys, make_plan(effort="quick"), out)
    (tmp_path / "something").write_text("else")
    with pytest.raises(BuildError, match="not a portfolio"):
        make_portfolio(keys, make_plan(effort="quick"), tmp_path)

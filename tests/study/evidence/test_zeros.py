# SPDX-License-Identifier: Apache-2.0
"""Statistics of table T: the kernel against the standards' models, theory against brute force."""

import itertools
import json
import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from gcmforge import tools
from gcmforge.config import ConfigError
from gcmforge.model.aes import encrypt_block, key_expansion
from gcmforge.model.ghash import gf_mult
from gcmforge.study import cli
from gcmforge.study.evidence import zeros_run
from gcmforge.study.papers.zeros import CHUNK_KEYS, table_statistics
from gcmforge.study.papers.zeros_theory import ENTRIES, entry_functions, zeros_theory

ROOT = Path(__file__).parents[3]


def _table(h: int) -> list[int]:
    """H * x^i by the standard's multiplication; x is the block whose second bit is set."""
    vectors = [h]
    for _ in range(127):
        vectors.append(gf_mult(vectors[-1], 1 << 126))
    return vectors


def _zeros(table: list[int]) -> int:
    return ENTRIES - sum(vector.bit_count() for vector in table)


def _rows(table: list[int]) -> list[int]:
    """Ones in each output row."""
    return [sum(vector >> j & 1 for vector in table) for j in range(128)]


def _drawn(keys: int, seed: int) -> list[bytes]:
    """The blocks of the first chunk: raw 32-bit outputs, of each pair the first one is high."""
    words = np.random.MT19937([seed, 0]).random_raw(4 * keys).reshape(-1, 2)[:, ::-1]
    raw = words.astype("<u4").tobytes()
    return [raw[i : i + 16] for i in range(0, len(raw), 16)]


@pytest.fixture(scope="module")
def compiler() -> None:
    try:
        tools.cxx_command()
    except tools.ToolError as error:
        pytest.skip(str(error))


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("draw", ["keys", "subkeys"])
@pytest.mark.parametrize("plain_aes", [False, True])
def test_counts_are_those_of_the_standards_models(draw: str, plain_aes: bool) -> None:
    keys = 41  # no multiple of four: the last keys take the other way through the AES
    found = table_statistics(keys, draw=draw, seed=7, plain_aes=plain_aes)
    blocks = _drawn(keys, 7)
    if draw == "keys":
        subkeys = [encrypt_block(key_expansion(block), 0) for block in blocks]
    else:
        subkeys = [int.from_bytes(block, "big") for block in blocks]
    tables = [_table(h) for h in subkeys]
    rows = [_rows(table) for table in tables]
    assert found.sample == tuple(map(_zeros, tables))
    assert found.zeros == Counter(map(_zeros, tables))
    assert found.row_ones == Counter(itertools.chain(*rows))
    assert found.widest_row == Counter(map(max, rows))


@pytest.mark.usefixtures("compiler")
def test_subkeys_with_one_bit_reach_every_place(monkeypatch: pytest.MonkeyPatch) -> None:
    subkeys = [1 << n for n in range(128)] + [0, 2**128 - 1]
    blocks = b"".join(h.to_bytes(16, "big") for h in subkeys)
    monkeypatch.setattr("gcmforge.study.papers.zeros._blocks", lambda *_: blocks)
    found = table_statistics(len(subkeys), draw="subkeys", seed=0)
    tables = [_table(h) for h in subkeys]
    assert found.zeros == Counter(map(_zeros, tables))
    assert found.row_ones == Counter(itertools.chain(*map(_rows, tables)))


def test_entry_functions_are_the_table() -> None:
    h = random.Random(5).getrandbits(128)
    coefficients = int(f"{h:0128b}"[::-1], 2)  # bit k is the coefficient of x^k
    for vector, masks in zip(_table(h), entry_functions(), strict=True):
        bits = [(coefficients & mask).bit_count() & 1 for mask in masks]
        assert vector == int("".join(map(str, bits)), 2)


@pytest.mark.slow
def test_moments_are_those_of_brute_force_over_random_subkeys() -> None:
    """Mean and variance of 500 tables counted by numpy, within five standard errors."""
    keys, rng = 500, np.random.default_rng(3)
    masks = [mask for vector in entry_functions() for mask in vector]
    matrix = np.array([[mask >> k & 1 for k in range(128)] for mask in masks], np.float32)
    h = rng.integers(0, 2, (128, keys)).astype(np.float32)
    zeros = ENTRIES - (matrix @ h % 2).sum(axis=0)
    theory = zeros_theory()
    assert abs(zeros.mean() - theory.mean) < 5 * theory.standard_deviation / keys**0.5
    assert abs(zeros.std() / theory.standard_deviation - 1) < 5 / (2 * keys) ** 0.5


@pytest.mark.usefixtures("compiler")
def test_chunks_add_up_and_are_different_streams() -> None:
    found = table_statistics(CHUNK_KEYS + 1000, draw="subkeys", seed=1)
    first = table_statistics(CHUNK_KEYS, draw="subkeys", seed=1)
    assert sum(found.zeros.values()) == sum(found.widest_row.values()) == found.keys
    assert sum(found.row_ones.values()) == 128 * found.keys
    more = Counter(found.zeros)
    more.subtract(first.zeros)
    assert min(more.values()) >= 0 and more.total() == 1000
    start = table_statistics(1000, draw="subkeys", seed=1)
    assert +more != Counter(start.zeros)
    assert found.agrees and first.agrees


@pytest.mark.usefixtures("compiler")
def test_a_table_of_other_keys_does_not_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)  # each byte has lost its top bit
    blocks = (rng.integers(0, 128, 16 * 10000)).astype(np.uint8).tobytes()
    monkeypatch.setattr("gcmforge.study.papers.zeros._blocks", lambda *_: blocks)
    assert not table_statistics(10000, draw="subkeys", seed=0).agrees


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ({"keys": 0}, "keys=0"),
        ({"keys": 5, "draw": "tables"}, "draw=tables"),
        ({"keys": 5, "generator": "dice"}, "generator=dice"),
        ({"keys": 5, "generator": "system", "seed": 1}, "takes no seed"),
        ({"keys": 5, "seed": -1}, "seed=-1"),
    ],
)
def test_what_cannot_be_counted_is_refused(asked: dict[str, int], text: str) -> None:
    with pytest.raises(ConfigError, match=text):
        table_statistics(**asked)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.altair
@pytest.mark.usefixtures("compiler")
def test_the_command_prints_json_and_draws(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "zeros.svg"
    arguments = ["zeros", "2000", "--generator", "system", "--json"]
    with pytest.raises(SystemExit) as ended:
        cli.main([*arguments, "--plot", str(picture)])
    told = json.loads(capsys.readouterr().out)
    assert ended.value.code == 0
    assert told["keys"] == 2000 and told["seed"] is None and len(told["sample"]) == 100
    assert picture.read_text().startswith("<svg")
    with pytest.raises(SystemExit) as ended:
        cli.main([*arguments, "--plot", str(tmp_path / "zeros.txt")])
    assert ended.value.code == 1 and "no picture format" in capsys.readouterr().err


@pytest.mark.usefixtures("compiler")
def test_what_is_kept_is_what_its_seed_gives() -> None:
    """The first keys again, all of the histogram's sums, and the document's figures."""
    kept = zeros_run.kept()
    again = table_statistics(100, draw=kept.draw, generator=kept.generator, seed=kept.seed)
    assert kept.keys == sum(kept.zeros.values()) == sum(kept.widest_row.values()) == 10**8
    assert kept.sample == again.sample and kept.agrees
    page = (ROOT / "docs" / "theory" / "table-zeros.md").read_text()
    for zeros in (kept.lowest, kept.highest):
        assert f"{100 * zeros / ENTRIES:.2f} %" in page
    wide = sum(keys for ones, keys in kept.widest_row.items() if ones > 64) / kept.keys
    assert f"{wide:.1%} of the keys".replace("%", " %") in " ".join(page.split())
    assert min(kept.widest_row) >= 48 and "fewer than 48" in page


@pytest.mark.usefixtures("compiler")
def test_the_page_is_written_with_its_table_and_its_origin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.md"
    table = "| zeros in T, 10^8 keys | old |\n| --- | --- |\n| counted | 0 % |\n"
    end = "\n\nMade from commit `0123456789` by `gcmforge-study pages zeros`.\n"
    page.write_text(f"# Zeros\n\n{table}\nThe end.{end}")
    monkeypatch.setattr(zeros_run, "PAGE", page)
    monkeypatch.setattr(zeros_run, "save_picture", lambda *_: None)
    found = table_statistics(1000, seed=1)
    monkeypatch.setattr(zeros_run, "kept", lambda: found)
    zeros_run.write()
    text = page.read_text()
    share = f"{100 * found.highest / ENTRIES:.2f} %"
    assert share in text and "counted | 0 %" not in text
    assert "| Crenne 2011 | 30 % | 50 % | 70 % |" in text
    assert text.endswith("|\n\nThe end.\n"), "the old origin is taken off, outside docs none put on"

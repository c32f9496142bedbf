# SPDX-License-Identifier: Apache-2.0
"""The user's own cores in a space's report: folders, and cores for one key among them."""

import json
import random

import pytest

from gcmforge.cli import main
from gcmforge.config import CoreConfig
from gcmforge.config.rates import bits_per_cycle
from gcmforge.measure.measure import measure
from gcmforge.measure.throughput import packet_rate
from gcmforge.sim import Core
from gcmforge.specialise import Subkey, make_plan, specialise, subkey_of_key
from gcmforge.specialise.core import specialise_core

SPACE = 'key_sizes = [128]\nghash = ["serial", "window"]\n'
SMALL = CoreConfig(key_sizes=(128,), aes="loop", key_schedule="travelling")
SIZE, COUNT = 256, 256
"""Packets that measure.throughput plays of that size: its random key depends on both."""


@pytest.fixture(autouse=True)
def own_store(tmp_path, monkeypatch):
    monkeypatch.setenv("GCMFORGE_STORE", str(tmp_path / "results.sqlite"))


@pytest.fixture
def run(capsys, tmp_path):
    (tmp_path / "space.toml").write_text(SPACE)

    def command(*arguments):
        with pytest.raises(SystemExit) as end:
            main(["explore", str(tmp_path / "space.toml"), *map(str, arguments)])
        printed = capsys.readouterr()
        return end.value.code, printed.out, printed.err

    return command


@pytest.mark.slow
def test_a_ghash_alone_is_refused_as_an_own_core(run, tmp_path):
    made = specialise(Subkey(1 << 127), make_plan(effort="quick"), tmp_path / "key")
    code, _, err = run("--mine", made.path)
    assert code != 0
    assert "a GHASH alone is no core to compare with" in err


def test_a_folder_that_is_no_core_is_refused(run, tmp_path):
    (tmp_path / "empty").mkdir()
    code, _, err = run("--mine", tmp_path / "empty")
    assert code != 0
    assert "empty" in err


@pytest.fixture(scope="module")
def key():
    """Of the packets that a throughput is measured with."""
    return random.Random(f"128 {SIZE} {COUNT}").randbytes(16)


@pytest.fixture(scope="module")
def core(tmp_path_factory, key):
    path = tmp_path_factory.mktemp("own") / "one"
    return specialise_core(subkey_of_key(key), SMALL, path, effort="quick")


@pytest.mark.slow
@pytest.mark.osu018
def test_a_core_for_one_key_stands_beside_the_space_and_tells_nothing_of_it(
    run, core, key, tmp_path
):
    page = tmp_path / "page.html"
    (tmp_path / "mine.csv").write_text("name,area_ge,gbit_per_s\nrouted,210000,31.5\n")
    code, out, err = run("--mine", core.path, tmp_path / "mine.csv", "--out", page, "--json")
    assert code == 0
    (own,) = json.loads(out)["own"]
    assert own["name"] == "one: GHASH for one key"
    assert own["area_ge"] == measure(core.path, "osu018", effort="quick").area_ge
    assert own["gbit_per_s"] == own["bits_per_cycle"] * own["fmax_mhz"] / 1000
    text = page.read_text()
    assert "one: GHASH for one key" in text
    assert '"routed"' in text
    subkey = f"{subkey_of_key(key).value:032x}"
    for said in (out, err, text):
        assert key.hex() not in said.lower()
        assert subkey not in said.lower()


@pytest.mark.slow
def test_the_law_of_its_cycles_is_that_of_its_configuration(core):
    built = Core(core.path)
    built.library()
    with built.simulation() as simulation:
        rate = packet_rate(simulation, built.config, 128, SIZE)
    assert rate.bits_per_cycle == pytest.approx(bits_per_cycle(built.config, SIZE))

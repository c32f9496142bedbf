# SPDX-License-Identifier: Apache-2.0
"""What the other commands make of a specialised folder: measure, verify, prove."""

import dataclasses
import json

import pytest

from gcmforge.cli import main
from gcmforge.config import ConfigError, CoreConfig
from gcmforge.config.kinds import fixed_ghash
from gcmforge.measure.measure import measure
from gcmforge.measure.store import Store
from gcmforge.measure.subject import ONE_KEY, find_subject
from gcmforge.specialise import Subkey, make_plan, specialise
from gcmforge.specialise.core import fixed_config, specialise_core

pytestmark = pytest.mark.slow

H = 0x66E94BD4EF8A2C3B884CFA59CA342B2E
"""Of the key 0 (test case 1 in McGrew and Viega's paper)."""
XOR2_GE = 2.25
SMALL = CoreConfig(key_sizes=(128,), aes="loop", aes_rounds=1, key_schedule="travelling")


@pytest.fixture(autouse=True)
def own_store(tmp_path, monkeypatch):
    monkeypatch.setenv("GCMFORGE_STORE", str(tmp_path / "results.sqlite"))


@pytest.fixture(scope="module")
def core(tmp_path_factory):
    path = tmp_path_factory.mktemp("one") / "core"
    return specialise_core(Subkey(H), SMALL, path, effort="quick")


@pytest.fixture
def run(capsys):
    def command(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            main([*map(str, arguments)])
        said = capsys.readouterr()
        assert isinstance(end.value.code, int)
        return end.value.code, said.out, said.err

    return command


def test_a_module_has_the_gates_of_its_logic_and_what_is_around(run, tmp_path):
    made = specialise(Subkey(H), make_plan(effort="quick"), tmp_path / "key")
    command = ("measure", made.path, "--effort", "quick")
    code, out, _ = run(*command, "--json")
    (found,) = json.loads(out)
    assert code == 0
    assert found["kind"] == "leaf"
    assert found["flip_flops"] == 128 + 2  # the digest; that it is there, and a message's begin
    # The logic as it stands; around it 128 XORs, 128 bits cleared for a new message, flip-flops.
    around = found["area_ge"] - XOR2_GE * made.units
    assert 128 * (XOR2_GE + 1) + 130 * 4 < around < 130 * 12
    with Store() as store:
        assert store.count() == 1
    assert run(*command)[0] == 0
    assert run(*command, "--history")[0] == 0
    with Store() as store:
        assert store.count() == 1


def test_luts_of_a_module_are_those_of_its_logic_and_one_a_bit_at_most(run, tmp_path):
    made = specialise(Subkey(H), make_plan(target="xcv5", effort="quick"), tmp_path / "key")
    code, out, _ = run("measure", made.path, "--target", "xcv5", "--json")
    (found,) = json.loads(out)
    assert code == 0
    assert found["flip_flops"] == 130
    assert made.units < found["fpga"]["luts"] <= made.units + 128 + 4


def test_a_core_of_one_key_is_not_mistaken_for_the_core_of_any_key(core):
    one, usual = find_subject(core.path), find_subject(fixed_config(SMALL))
    assert (one.one_key, usual.one_key) == (True, False)
    assert one.configuration == usual.configuration
    assert one.identity != usual.identity


def test_a_core_of_one_key_is_measured_without_packets(core):
    found = measure(core.path, effort="quick", power=True)
    assert {block.name for block in found.blocks} >= {"aes", "ghash"}
    assert found.throughput is None
    assert found.pj_per_bit_missing == ONE_KEY
    assert found.warnings[0] == ONE_KEY


@pytest.mark.parametrize("command", ["verify", "prove"])
def test_what_needs_the_key_is_refused(run, core, command):
    code, _, said = run(command, core.path)
    assert code == 1
    assert "made for one key" in said


def test_a_packet_buffer_that_could_not_be_erased_is_refused(tmp_path):
    """Zero packets under the zero key do not pass a core for another one."""
    held = dataclasses.replace(SMALL, zeroise="on", release="verified", max_text_bytes=512)
    with pytest.raises(ConfigError, match="zeroise=off, or release=streaming"):
        specialise_core(Subkey(H), held, tmp_path / "core", effort="quick")
    assert list(tmp_path.iterdir()) == []
    assert fixed_config(dataclasses.replace(held, release="streaming")).zeroise == "on"


def test_what_another_ghash_took_is_left_out():
    held = CoreConfig(aes="loop", ghash="digit", digit_bits=8, tag_places=3, key_sizes=(128,))
    fixed = fixed_config(held)
    assert (fixed.ghash, fixed.digit_bits) == ("serial", 16)
    assert 0 < fixed.tag_places == fixed.full_tag_depth < held.tag_places


@pytest.mark.parametrize(("lanes", "shape"), [(1, "one_cycle"), (2, "lanes"), (16, "lanes")])
def test_a_core_for_one_key_has_room_for_the_latency_of_its_ghash(lanes, shape):
    fixed = fixed_config(CoreConfig(lanes=lanes))
    assert fixed.ghash == ("serial" if lanes == 1 else "aggregated")
    latency = fixed_ghash().shapes[shape].latency_cycles(lanes)
    assert fixed.ghash_engine.latency_cycles(fixed) >= latency


def test_slots_of_a_core_for_one_key_wait_in_a_queue():
    """No GHASH for one key tells a cycle ahead whether it takes a beat."""
    assert fixed_config(CoreConfig(slots="line")).slots == "queue"

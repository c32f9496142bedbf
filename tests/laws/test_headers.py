# SPDX-License-Identifier: Apache-2.0
"""The formulas in the headers of engines are the laws of their descriptors.

A formula is read out of the header's text and worked out with the parameters of a core's module;
it must give what the core's descriptor says. That the modules keep these laws is for the other
tests of this folder.
"""

import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache

import pytest
from formulas import value_of

from gcmforge.config import CoreConfig
from gcmforge.config.engine import Engine, engines
from gcmforge.emit.rtl import handwritten

ONE_LANE = [{}, {"contexts": 17}]
LANES = [{"lanes": lanes} for lanes in (1, 2, 3, 4, 8, 16)]
STAGED = [
    {"lanes": lanes, "ghash_stages": stages, "contexts": contexts}
    for lanes in (1, 2, 3, 4, 8, 16)
    for stages in range(1, 7)
    for contexts in (1, 16, 17)
]
DIGITS = [{"aes": "loop", "digit_bits": bits} for bits in (4, 8, 13, 16, 26, 43, 64)]
WINDOWS = [
    {"lanes": lanes, "window_bits": bits, "window_splits": splits}
    for lanes in (1, 3)
    for bits in (2, 5, 6, 7, 9)
    for splits in (0, 2)
]
GHASH: dict[str, list[dict]] = {
    "serial": ONE_LANE,
    "digit": DIGITS,
    "dot": STAGED,
    "aggregated": STAGED,
    "window": WINDOWS,
    "residues": LANES,
    "evaluated": STAGED[::15],
    "shared_reduction": STAGED,
    "interleaved": LANES[1:],
    "log_tail": [one for one in LANES if one["lanes"] in (2, 4, 8, 16)],
    "serial_length_first": [{"tags_not_of_gcm": "yes", "iv": "96"}],
}
"""GHASH -> what its cores are made of."""
AES: dict[str, list[dict]] = {
    "pipelined": [{"aes_substages": n, "key_sizes": sizes} for n in (1, 2, 3, 4)
                  for sizes in ((128,), (128, 192), (256,))],
    "loop": [{"aes_rounds": r, "aes_substages": n, "key_sizes": sizes} for r in (1, 2, 3, 5, 7)
             for n in (1, 2, 3) for sizes in ((128,), (192,), (128, 256))],
    "loop_parallel": [{"aes_loops": n, "key_sizes": sizes} for n in (2, 3, 5, 8)
                      for sizes in ((128,), (192,), (128, 256))],
}  # fmt: skip
SUBSTAGES = [{"aes_substages": n} for n in (1, 2, 3, 4)]


@cache
def header(module: str) -> str:
    """What stands before a module, in one line."""
    lines = []
    for line in handwritten()[module].read_text(encoding="utf-8").splitlines():
        if not line.startswith("//"):
            break
        lines.append(line.removeprefix("//").strip())
    return " ".join(lines[1:])  # without the licence


def said(module: str, pattern: str) -> re.Match[str]:
    """The only place in a module's header where it says that; F stands for a formula."""
    text = header(module)
    whole = pattern.replace("F", r"([^.,;]+?)").replace(" ", r"\s+")
    (found,) = re.finditer(whole, text)
    return found


def symbols(engine: Engine, config: CoreConfig) -> dict[str, int]:
    """The parameters of an engine's module, and the letters that its header has for them."""
    values = {name: int(value) for name, value in engine.parameters(config) if value.isdecimal()}
    letters = re.finditer(r"\b([a-z]) = (ceil\([^)]*\)|[A-Z]\w+)", header(engine.module))
    return values | {one[1]: int(value_of(one[2], values)) for one in letters}


def cores(kind: str, table: dict[str, list[dict]]) -> list[object]:
    """Parameters of a test: a name, and the options of its cores."""
    return [
        pytest.param(name, [{kind: name, **one} for one in all_options], id=name)
        for name, all_options in table.items()
    ]


def compare(pattern: str, all_options: list[dict], law: Callable[[CoreConfig], float], kind: str):
    """The formula that an engine's header has in that place is its law in every core."""
    for options in all_options:
        config = CoreConfig(**options)
        engine = engines(kind)[config[kind]]
        formula = said(engine.module, pattern)[1]
        assert value_of(formula, symbols(engine, config)) == law(config), (formula, options)


BLOCK, BEAT = (f"digest F cycles after the last {what}" for what in ("block", "beat"))
LATENCY = {
    "serial": BLOCK,
    "digit": BLOCK,
    "serial_length_first": BLOCK,
    "dot": BEAT,
    "evaluated": BEAT,
    "window": BEAT,
    "residues": BEAT,
    "shared_reduction": "so at most F after it came in",
    "log_tail": "; F cycles after its last beat",
}  # fmt: skip
LOAD = {
    **dict.fromkeys(["dot", "evaluated", "shared_reduction"], "is done F cycles after the subkey"),
    "log_tail": "is done F cycles after the subkey",
    "residues": "A subkey is done F cycles after it came",
    "window": "A subkey is done F cycles after it came",
}


def test_every_ghash_is_compared():
    assert sorted(engines("ghash")) == sorted(GHASH)
    assert sorted(GHASH) == sorted({*LATENCY, "aggregated", "interleaved"})


@pytest.mark.parametrize(
    ("name", "all_options"), cores("ghash", {name: GHASH[name] for name in LATENCY})
)
def test_the_digest_comes_when_the_header_says(name, all_options):
    compare(LATENCY[name], all_options, lambda c: c.ghash_engine.latency_cycles(c), "ghash")


@pytest.mark.parametrize(
    ("name", "all_options"), cores("ghash", {name: GHASH[name] for name in LOAD})
)
def test_a_subkey_is_loaded_when_the_header_says(name, all_options):
    compare(LOAD[name], all_options, lambda c: c.ghash_engine.load_cycles(c), "ghash")


def test_aggregated_waits_for_its_powers_as_its_header_says():
    law = said(
        "ghash_aggregated",
        r"digest d = F cycles after the last beat, where qp is (\d+) or more, or (\d+) and p is "
        r"(\d+) or more, F, with one stage and many contexts (\d+)\.",
    )
    load = said("ghash_aggregated", r"is done F cycles after the subkey")[1]
    for options in STAGED:
        config = CoreConfig(ghash="aggregated", **options)
        given = symbols(config.ghash_engine, config)
        powers, stages = given["q"] * given["p"], given["p"]
        if stages == 1 and config.contexts > 16:  # "more than 16 are kept in memories"
            expected = Fraction(law[6])
        else:
            late = powers >= int(law[2]) or (powers >= int(law[3]) and stages >= int(law[4]))
            expected = value_of(law[5] if late else law[1], given)
        assert config.ghash_engine.latency_cycles(config) == expected, options
        loaded = value_of(load, given | {"d": int(expected)})
        assert config.ghash_engine.load_cycles(config) == loaded, options


@pytest.mark.parametrize("options", GHASH["interleaved"])
def test_interleaved_has_the_tail_of_its_header(options):
    config = CoreConfig(ghash="interleaved", **options)
    tail = said("ghash_interleaved", r"is (max\(min\(c, .+? - 1\)) for c blocks")[1]
    digest = said("ghash_interleaved", "the digest comes F cycles after that beat")[1]
    waits = said("ghash_interleaved", "the next message waits F cycles")[1]
    q = config.lanes
    given = symbols(config.ghash_engine, config)
    assert given["q"] == q
    latest = 0
    for blocks in range(1, 4 * q):
        hashed = blocks + 1  # the length block, too
        tail_cycles = value_of(tail, given | {"c": (hashed - 1) % q + 1, "n": hashed})
        latest = max(latest, value_of(digest, {"tail": int(tail_cycles)}))
        wait = max(0, value_of(waits, {"tail": int(tail_cycles)}))
        assert config.ghash_engine.wait_cycles(config, blocks) == wait
    assert config.ghash_engine.latency_cycles(config) == latest


@pytest.mark.parametrize("options", GHASH["log_tail"])
def test_the_next_message_waits_for_log_tail_as_its_header_says(options):
    config = CoreConfig(ghash="log_tail", **options)
    waits = said("ghash_log_tail", "the next message waits F cycles")[1]
    expected = value_of(waits, symbols(config.ghash_engine, config))
    assert {config.ghash_engine.wait_cycles(config, blocks) for blocks in range(1, 40)} == {
        expected
    }


@pytest.mark.parametrize("options", DIGITS)
def test_digit_takes_a_block_in_the_cycles_of_its_header(options):
    config = CoreConfig(ghash="digit", **options)
    per_message = said("ghash_digit", "Throughput: F cycles for n blocks")[1]
    expected = value_of(per_message, symbols(config.ghash_engine, config) | {"n": 1})
    assert config.ghash_engine.block_cycles(config) == expected


@pytest.mark.parametrize(("name", "all_options"), cores("aes", AES))
def test_the_aes_takes_the_time_of_its_header(name, all_options):
    engine = engines("aes")[name]
    formula = said(engine.module, "Latency: F cycles")[1]
    for options in all_options:
        config = CoreConfig(**options)
        for size in config.key_sizes:
            rounds = size // 32 + 6
            expected = value_of(formula, symbols(engine, config) | {"R": rounds})
            assert engine.latency_cycles(config, rounds) == expected, options


TURN = {
    "loop": "Throughput: F beats, one a cycle, in turns of F cycles: F cycles a beat",
    "loop_parallel": "Throughput: F beats in F cycles",
}


@pytest.mark.parametrize(("name", "all_options"), cores("aes", {name: AES[name] for name in TURN}))
def test_the_aes_takes_as_many_beats_in_a_turn_as_its_header_says(name, all_options):
    engine = engines("aes")[name]
    law = said(engine.module, TURN[name])
    for options in all_options:
        config = CoreConfig(**options)
        given = symbols(engine, config)

        def at(formula: str, size: int, given: dict = given) -> Fraction:
            return value_of(formula, given | {"R": size // 32 + 6})

        smallest, largest = min(config.key_sizes), max(config.key_sizes)
        assert engine.turn(config) == (at(law[1], smallest), at(law[2], smallest)), options
        slowest = (
            at(law[3], largest)
            if len(law.groups()) > 2
            else at(law[2], largest) / at(law[1], largest)
        )
        assert engine.slot_cycles(config) == pytest.approx(float(slowest)), options
        assert engine.beat_cycles(config) == -(-slowest // 1), options


def test_the_pipeline_takes_a_beat_in_every_cycle():
    assert said("aes_pipelined", r"Throughput: one beat a cycle\.")
    config = CoreConfig()
    assert config.aes_engine.turn(config) == (1, 1)
    assert (config.aes_beat_cycles, config.aes_engine.slot_cycles(config)) == (1, 1.0)


@pytest.mark.parametrize("options", SUBSTAGES)
def test_round_keys_that_are_stored_are_there_when_aes_key_expand_says(options):
    law = said(
        "aes_key_expand",
        r"Latency: F cycles, and F more for each word that passes the S-boxes "
        r"\((\d+), (\d+) or (\d+) words for (\d+), (\d+) or (\d+) bits\)",
    )
    words = {int(law[6 + n]): int(law[3 + n]) for n in range(3)}
    assert words.keys() == {128, 192, 256}
    config = CoreConfig(**options)
    for size, passing in words.items():
        given = {"rounds": size // 32 + 6, "SubStages": config.aes_substages}
        expected = value_of(law[1], given) + passing * value_of(law[2], given)
        feed = config.key_schedule_engine.feed_cycles(config, given["rounds"])
        assert feed == expected


def test_keys_that_travel_are_not_expanded():
    assert said("gcm_keys", "unless the AES makes the round keys")
    config = CoreConfig(key_schedule="travelling")
    assert config.key_schedule_engine.feed_cycles(config, 14) == 0


@pytest.mark.parametrize("options", SUBSTAGES)
@pytest.mark.parametrize("lanes", [1, 4])
def test_a_key_unit_of_its_own_has_the_cycles_of_its_header(options, lanes):
    law = said(
        "gcm_subkey_dedicated",
        "Latency: F cycles from a round key to the end of its round, F from each power to the next",
    )
    config = CoreConfig(key_unit="dedicated", lanes=lanes, **options)
    text = handwritten()["gcm_subkey_dedicated"].read_text(encoding="utf-8")
    digit = int(re.search(r"parameter int Digit = (\d+)", text)[1])
    given = symbols(config.key_unit_engine, config) | {"Digit": digit}
    assert given["Powers"] == lanes
    assert config.key_unit_engine.round_cycles(config) == value_of(law[1], given)
    assert config.key_unit_engine.power_cycles(config) == value_of(law[2], given)


@pytest.mark.parametrize("options", STAGED[:18])
def test_the_tail_takes_the_cycles_of_its_header(options):
    assert said("gcm_tail_shared", r"Latency: combinational\.")
    config = CoreConfig(**options)
    assert config.tail_engine.latency_cycles(config) == 0
    config = CoreConfig(tail="dedicated", **options)
    law = said("gcm_tail_dedicated", "Latency: F cycles from digest to digest")[1]
    expected = value_of(law, symbols(config.tail_engine, config))
    assert config.tail_engine.latency_cycles(config) == expected
    assert config.ghash_latency_cycles == config.ghash_engine.latency_cycles(config) + expected


@pytest.mark.parametrize("lanes", [1, 3])
@pytest.mark.parametrize("longest", [16, 1500, 9000])
def test_the_packet_buffer_is_as_deep_as_its_header_asks(lanes, longest):
    law = said("gcm_release_verified", "Depth is at least F, where the verdict comes v cycles")[1]
    config = CoreConfig(release="verified", lanes=lanes, max_text_bytes=longest)
    beats = -(-longest // (16 * lanes)) + 1  # and one without a byte
    given = {"n": beats, "v": config.verdict_cycles}
    assert config.release_engine.full_depth(config) == value_of(law, given)
    assert dict(config.release_engine.parameters(config))["Depth"] == str(config.release_depth)
    assert config.release_depth == value_of(law, given)


def test_formulas_are_read_as_they_are_meant():
    given = {"q": 4, "p": 3, "w": 5, "Rounds": 3, "R": 14}
    for formula, value in {
        "2p + 2": 8, "qp - 1": 11, "(qp - 1)(p + 3) + 2": 68, "20 q - 1": 79, "q (2^w + 2)": 136,
        "ceil(R / Rounds) * Rounds": 15, "log2 q + 2": 4, "max(min(2, q - 1), 1 - 1) - 1": 1,
        "R - q - p": 7, "2 * p^2": 18,
    }.items():  # fmt: skip
        assert value_of(formula, given) == value, formula
    for formula in ("2x", "2p +", "2p)", "a beat", "p; q"):
        with pytest.raises((ValueError, IndexError)):
            value_of(formula, given)


@pytest.mark.parametrize("options", STAGED[::17])
def test_a_place_for_a_tag_is_taken_as_long_as_the_header_says(options):
    law = said(
        "gcm_tag",
        "Latency: F cycles from digest to m_tag, .*a place is free in the cycle after its result",
    )
    config = CoreConfig(**options)
    at_m_tag = config.ghash_latency_cycles + value_of(law[1], {})
    assert config.tag_cycles == at_m_tag + 1


@pytest.mark.parametrize("options", SUBSTAGES)
def test_slots_in_a_line_meet_their_key_stream_at_the_end_of_the_aes(options):
    assert said("gcm_middle_line", "Latency: that of the AES, in steps")
    line = CoreConfig(slots="line", **options)
    assert line.slot_depth == line.aes_latency_cycles

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
from itertools import product

import pytest
from engine_cores import cores_of
from formulas import value_of

from gcmforge.config import CoreConfig, laws
from gcmforge.config.engine import Engine, GhashEngine
from gcmforge.config.installed import engines
from gcmforge.config.kinds import fixed_ghash
from gcmforge.emit.parts import parts
from gcmforge.emit.rtl import handwritten

OWN_SENTENCES = {"aggregated", "interleaved", "log_tail", "shared_reduction"}
"""GHASHes whose latency or load is no single formula: a test of this file reads what they say."""
STAGED = [
    {"lanes": lanes, "ghash_stages": stages, "contexts": contexts}
    for lanes in (1, 2, 3, 4, 8, 16)
    for stages in range(1, 7)
    for contexts in (1, 16, 17)
]
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


def places(module: str, pattern: str) -> list[re.Match[str]]:
    """Where a module's header says that; F stands for a formula."""
    whole = pattern.replace("F", r"([^.,;]+?)").replace(" ", r"\s+")
    return list(re.finditer(whole, header(module)))


def said(module: str, pattern: str) -> re.Match[str]:
    """The only place in a module's header where it says that."""
    found = places(module, pattern)
    assert len(found) == 1, f"the header of {module} says {len(found)} times: {pattern}"
    return found[0]


@cache
def symbols(engine: Engine, config: CoreConfig) -> dict[str, int]:
    """The parameters of an engine's module, and the letters that its header has for them."""
    values = {name: int(value) for name, value in engine.parameters(config) if value.isdecimal()}
    letters = re.finditer(r"\b([a-z]) = (ceil\([^)]*\)|[A-Z]\w+)", header(engine.module))
    return values | {one[1]: int(value_of(one[2], values)) for one in letters}


def named(found: list[Engine]) -> list[object]:
    """Parameters of a test: engines, under their names."""
    return [pytest.param(engine, id=engine.name) for engine in found]


def compare(formula: str, engine: GhashEngine, law: Callable[[CoreConfig], float]) -> None:
    """A formula of an engine's header is its law in every core."""
    for config in cores_of(engine):
        given = symbols(engine, config) | {"n": 1}
        assert value_of(formula, given) == law(config), (formula, config.settings)


GHASHES = list(engines("ghash").values())
PLAIN = [engine for engine in GHASHES if engine.name not in OWN_SENTENCES]


def test_what_has_sentences_of_its_own_is_there():
    assert engines("ghash").keys() > OWN_SENTENCES


@pytest.mark.parametrize("engine", named(PLAIN))
def test_the_digest_comes_when_the_header_says(engine):
    law = said(engine.module, "Latency: digest F cycles? after the last (?:block|beat)")
    compare(law[1], engine, engine.latency_cycles)


@pytest.mark.parametrize("engine", named(PLAIN))
def test_a_subkey_is_loaded_when_the_header_says(engine):
    """A header that says nothing of it means a load of one cycle."""
    found = places(engine.module, "is done F cycles? after (?:the subkey|it came)")
    compare(found[0][1] if found else "1", engine, engine.load_cycles)


@pytest.mark.parametrize("engine", named(GHASHES))
def test_a_ghash_takes_blocks_as_often_as_its_header_says(engine):
    law = said(
        engine.module,
        "Throughput: (?:F cycles? for n blocks|a block in F cycles|one beat a (cycle))",
    )
    compare(law[1] or law[2] or "1", engine, engine.block_cycles)


@pytest.mark.parametrize("engine", named(GHASHES))
def test_the_next_message_waits_only_where_the_header_says_so(engine):
    waits = {engine.wait_cycles(core, n) for core in cores_of(engine) for n in range(40)}
    assert bool(places(engine.module, "the next message waits F cycles")) == (waits != {0})


@pytest.mark.parametrize("shape", fixed_ghash().shapes)
def test_a_ghash_for_one_key_has_the_cycles_of_its_header(shape):
    form = fixed_ghash().shapes[shape]
    law = said(form.module, "Latency: digest F cycles? after the (?:last block|last beat|beat)")
    taken = said(
        form.module, "Throughput: (?:F cycles for n blocks|(?:a message|one beat) a (cycle))"
    )
    for blocks in (1, 2, 5, 16):
        given = {name: int(value) for name, value in form.parameters(blocks, False)[:1]}
        assert value_of(law[1], given | {"n": blocks}) == form.latency_cycles(blocks)
    assert value_of(taken[1] or "1", {"n": 1}) == form.beat_cycles


def test_shared_reduction_has_the_cycles_of_its_header():
    engine = engines("ghash")["shared_reduction"]
    compare(said(engine.module, "so at most F after it came in")[1], engine, engine.latency_cycles)
    compare(said(engine.module, "is done F cycles after the subkey")[1], engine, engine.load_cycles)


def test_log_tail_has_the_cycles_of_its_header():
    engine = engines("ghash")["log_tail"]
    compare(said(engine.module, "; F cycles after its last beat")[1], engine, engine.latency_cycles)
    compare(said(engine.module, "is done F cycles after the subkey")[1], engine, engine.load_cycles)


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


def test_interleaved_has_the_tail_of_its_header():
    engine = engines("ghash")["interleaved"]
    tail = said("ghash_interleaved", r"is (max\(min\(c, .+? - 1\)) for c blocks")[1]
    digest = said("ghash_interleaved", "the digest comes F cycles after that beat")[1]
    waits = said("ghash_interleaved", "the next message waits F cycles")[1]
    for config in cores_of(engine):
        q = config.lanes
        given = symbols(engine, config)
        assert given["q"] == q
        latest = 0
        for blocks in range(1, 4 * q):
            hashed = blocks + 1  # the length block, too
            tail_cycles = value_of(tail, given | {"c": (hashed - 1) % q + 1, "n": hashed})
            latest = max(latest, value_of(digest, {"tail": int(tail_cycles)}))
            wait = max(0, value_of(waits, {"tail": int(tail_cycles)}))
            assert engine.wait_cycles(config, blocks) == wait
        assert engine.latency_cycles(config) == latest


def test_the_next_message_waits_for_log_tail_as_its_header_says():
    engine = engines("ghash")["log_tail"]
    waits = said("ghash_log_tail", "the next message waits F cycles")[1]
    for config in cores_of(engine):
        expected = value_of(waits, symbols(engine, config))
        assert {engine.wait_cycles(config, blocks) for blocks in range(1, 40)} == {expected}


AES = list(engines("aes").values())


@pytest.mark.slow
@pytest.mark.parametrize("engine", named(AES))
def test_the_aes_takes_the_time_of_its_header(engine):
    formula = said(engine.module, "Latency: F cycles")[1]
    for config in cores_of(engine):
        for size in config.key_sizes:
            rounds = size // 32 + 6
            expected = value_of(formula, symbols(engine, config) | {"R": rounds})
            assert engine.latency_cycles(config, rounds) == expected, config.settings


BEATS = "F beats(?:, one a cycle, in turns of| in) F cycles(?:: F cycles a beat)?"
"""Beats of a turn, its cycles, and cycles of a beat where these are not the one by the other."""


@pytest.mark.slow
@pytest.mark.parametrize("engine", named(AES))
def test_the_aes_takes_as_many_beats_in_a_turn_as_its_header_says(engine):
    law = said(engine.module, f"Throughput: (?:one beat a cycle|{BEATS})")
    beats, cycles, each = law.groups(default="")
    for config in cores_of(engine):
        given = symbols(engine, config)

        def at(formula: str, size: int, given: dict = given) -> Fraction:
            return value_of(formula or "1", given | {"R": size // 32 + 6})

        smallest, largest = min(config.key_sizes), max(config.key_sizes)
        assert engine.turn(config) == (at(beats, smallest), at(cycles, smallest)), config.settings
        slowest = at(each, largest) if each else at(cycles, largest) / at(beats, largest)
        assert engine.slot_cycles(config) == pytest.approx(float(slowest)), config.settings
        assert engine.beat_cycles(config) == -(-slowest // 1), config.settings


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


ISSUED = (
    "a packet of b beats takes F slots, or F when its last beat has a block in every lane, or with "
    "counter_sharing when a counter of its last beat carries out of byte 15. With tail=dedicated a "
    "packet with AAD takes F slots, with j0=dedicated every packet; with slots=ahead one that ends "
    "with text F. An IV"
)
OWN = {"tail": "dedicated", "j0": "dedicated"}
AHEAD = {"slots": "ahead", "iv": "96", "contexts": 1}
ISSUES = [
    *({}, {"tail": "dedicated"}, OWN, OWN | {"aad_lanes": 2}, AHEAD, {"aad_lanes": 1}),
    *(one | {"counter_sharing": "on"} for one in ({}, AHEAD, OWN)),
]


def beats_of(config: CoreConfig, aad_bytes: int, text_bytes: int) -> list[list[int | None]]:
    """A packet's beats of blocks: the counter of each block of text, the first being 2, or None."""
    aad = [None] * -(-aad_bytes // 16) if aad_bytes > 16 * config.aad_lanes else []
    text = list(range(2, 2 + -(-text_bytes // 16)))
    cut = [
        blocks[at : at + config.lanes]
        for blocks in (aad, text)
        for at in range(0, len(blocks), config.lanes)
    ]
    return cut or [[]]


@pytest.mark.parametrize("lanes", [1, 2, 3, 4, 8])
@pytest.mark.parametrize("options", ISSUES, ids=lambda options: "-".join(options) or "plain")
def test_a_packet_takes_the_slots_that_the_header_says(lanes, options):
    """What its conditions ask is looked up in the packet's blocks, laid out in beats."""
    config = CoreConfig(lanes=lanes + ("counter_sharing" in options), **options)
    plain, more, own, ahead = said("gcm_issue", ISSUED).groups()
    beat = 16 * config.lanes
    edges = (0, 1, 15, 16, 17, beat - 1, beat, beat + 1, 2 * beat, 65)
    for aad, text in product(edges, (*edges, *range(3840, 4160, 16), 4081)):
        beats = beats_of(config, aad, text)
        high = {counter // 256 for counter in beats[-1] if counter}
        if config.own_j0 or (config.tail == "dedicated" and None in beats[0]):
            formula = own
        elif config.ahead and text:
            formula = ahead
        elif len(beats[-1]) == config.lanes or (config.counter_sharing == "on" and len(high) > 1):
            formula = more
        else:
            formula = plain
        expected = value_of(formula, {"b": len(beats)})
        assert config.packet_slots(aad, text) == expected, (aad, text)


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


@pytest.mark.parametrize(
    ("module", "pattern", "cycles"),
    [
        ("gcm_keys", "Latency: the wait for earlier packets, F cycles and", laws.KEYS_CYCLES),
        ("gcm_front", "Latency: F cycles? from a port to gcm_issue", laws.FRONT_CYCLES),
        ("gcm_slots_queue", "Latency: F cycles", laws.SLOT_CYCLES),
        ("gcm_release_verified", "Latency: F cycles from the verdict", laws.RELEASE_CYCLES),
        ("gcm_back", "Latency: F cycles? from a slot to m_axis", laws.BACK_CYCLES),
    ],
)
def test_what_the_bound_of_erasing_adds_up_stands_in_the_headers(module, pattern, cycles):
    assert value_of(said(module, pattern)[1], {}) == cycles


def built_with(config: CoreConfig, part: str, module: str) -> dict[str, int]:
    """The parameters that the part of a core gives to that module."""
    instance = re.search(rf"{module} #\((.*?)\) u_", parts(config)[part](), re.DOTALL)
    return {name: int(value) for name, value in re.findall(r"\.(\w+)\s*\((\d+)\)", instance[1])}


@pytest.mark.parametrize("contexts", [1, 3])
@pytest.mark.parametrize("release", ["streaming", "verified"])
def test_erasing_takes_what_the_header_adds_up(contexts, release):
    """The bound is at least that, with the loads and packets that it is built with."""
    law = said(
        "gcm_erase",
        "Erasing takes, after the end of the packets when it is one context, F cycles, a key load "
        r"for each context, (\w+) packets of one beat, and another key load",
    )
    config = CoreConfig(zeroise="on", contexts=contexts, release=release, max_text_bytes=1500)
    built = built_with(config, "gcm_erasing", "gcm_erase")
    assert value_of(law[1], {}) == laws.ERASE_CYCLES
    assert (built["Contexts"], built[law[2]]) == (contexts, config.erase_packets)
    loads = contexts * config.key_unit_engine.load_cycles(config)
    beats = config.erase_packets * config.cycles_per_beat
    assert config.erase_cycles >= value_of(law[1], {}) + loads + beats


@pytest.mark.parametrize("cycles", [1, 65_536])
def test_a_wait_ends_after_the_cycles_of_the_option(cycles):
    """That the module keeps this is for test_timeout_laws.py; a core without the option waits."""
    config = CoreConfig(timeout=cycles)
    built = built_with(config, "gcm_waiting", "gcm_timeout")
    for pattern in ("A wait ends F cycles after it began", "were silent for F cycles"):
        assert value_of(said("gcm_timeout", pattern)[1], built) == config.timeout
    assert "gcm_timeout" not in parts(CoreConfig())["gcm_waiting"]()

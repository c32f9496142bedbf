# SPDX-License-Identifier: Apache-2.0
"""No handshake, end, length or status of a core depends on data, and a core where one does is told
from it."""

import pytest

from gcmforge.config import CoreConfig
from gcmforge.config.presets import PRESETS
from gcmforge.emit.core import core_files
from gcmforge.emit.leaves import leaf_modules
from gcmforge.formal.control import TIMING, prove_timing

pytestmark = pytest.mark.yosys

SMALL = CoreConfig(
    aes="loop", key_schedule="travelling", sbox="small", ghash="serial", contexts=2
)  # fmt: skip
GUARDED = {"zeroise": "on", "timeout": 100, "iv": "counter"}
CORES = {
    **{name: one.config for name, one in PRESETS.items() if one.config.lanes <= 4},
    "verified": SMALL.with_settings(["release=verified", "max_text_bytes=1024"]),
    "guarded": SMALL.with_settings([f"{name}={value}" for name, value in GUARDED.items()]),
    "registers": SMALL.with_settings(["registers=axi4lite"]),
    "macsec": SMALL.with_settings(["profile=macsec"]),
    "masked": CoreConfig(core="masked", key_sizes=(128,), contexts=1, iv="96",
                         max_text_bytes=65_536, max_aad_bytes=65_536),
    "masked_fast": CoreConfig(core="masked_fast", key_sizes=(128,), contexts=1, iv="96",
                              max_text_bytes=65_536, max_aad_bytes=65_536),
    "masked_line": CoreConfig(core="masked_line", key_sizes=(128,), contexts=1, iv="96",
                              max_text_bytes=65_536, max_aad_bytes=65_536),
    "masked, with a generator": CoreConfig(
        core="masked", key_sizes=(128,), contexts=1, iv="96", randomness="generator",
        max_text_bytes=65_536, max_aad_bytes=65_536,
    ),
    **{
        f"Yang 2005, Fig. 5, {direction}": CoreConfig(
            core="yang2005", key_sizes=(128,), contexts=1, iv="96", direction=direction
        )
        for direction in ("both", "encrypt", "decrypt")
    },
    "segments": CoreConfig(core="segments", lanes=2, segments=2, key_sizes=(128,), iv="96",
                           max_text_bytes=65_536, max_aad_bytes=65_536),
    "streams": CoreConfig(core="streams", streams=3, contexts=3, key_sizes=(128,), iv="96",
                          ghash_stages=2, max_text_bytes=65_536, max_aad_bytes=65_536),
    "nano, IVs of any length": PRESETS["nano"].config.with_settings(["iv=any"]),
    "micro that finds faults": PRESETS["micro"].config.with_settings(["faults=detect"]),
    "decrypts": SMALL.with_settings(["direction=decrypt"]),
    "ahead": CoreConfig(slots="ahead", iv="96", contexts=1),
    "window": SMALL.with_settings(["ghash=window"]),
    "dot": SMALL.with_settings(["lanes=2", "ghash=dot", "multiplier=ko5_small"]),
    "side": CoreConfig(lanes=2, aad_lanes=1, tail="dedicated", j0="dedicated"),
}  # fmt: skip
QUICK = ("nano",)

FAULTS = {
    "a bit of a key that delays the next one": (
        "gcm_keys", "key_ready_o     = idle_q", "key_ready_o     = !round_key_o[7] && idle_q",
        "s_key_tready",
    ),
    "a bit of text that holds up its beat": (
        "gcm_issue", "in_ready_o = in_data &&", "in_ready_o = in_data_i[5] && in_data &&",
        "s_axis_tready",
    ),
    "a bit of the digest that holds up the tag": (
        "gcm_tag", ".in_valid_i (result_valid),", ".in_valid_i (result_valid && tag[3]),",
        "m_tag_tvalid",
    ),
    "a bit of the digest that holds up a verdict, in Yang 2005, Fig. 5": (
        "yang2005_decrypts", "tag_valid_o <= closes_o", "tag_valid_o <= digest_i[9] && closes_o",
        "m_tag_tvalid",
    ),
    "a bit of J0 that decides about a slot": (
        "gcm_issue", "text_passes    = fire &&", "text_passes    = j0_q[0] && fire &&",
        "m_axis_tvalid",
    ),
    "a carry in J0 for which text waits": (
        "nano_counter_any", "else if (here && digit_q == 2'd0) counts_o",
        "else if (here && (digit_q == 2'd0 || !carries)) counts_o", "m_axis_tvalid",
    ),
}  # fmt: skip
"""Module, what is there, what it becomes, and an output that tells then."""
FAULTY = (
    ("carry", "nano, IVs of any length"),
    ("J0", "balanced"),
    ("Yang", "Yang 2005, Fig. 5, decrypt"),
)
"""Cores that have them, by a word of them; the others are in the one that is verified."""


def texts_of(config: CoreConfig) -> dict[str, str]:
    files, rtl, _ = core_files(config, prove=False)
    return {name: files[name] for name in rtl if name.endswith(".sv")}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name not in QUICK)) for name in CORES]
)
def test_no_time_depends_on_data(name):
    config = CORES[name]
    proof = prove_timing(texts_of(config), leaf_modules(config), config.top)
    assert proof.passed, proof.detail
    assert proof.name == TIMING


@pytest.mark.slow
@pytest.mark.parametrize("what", FAULTS)
def test_a_core_that_tells_something_by_its_time_is_found(what):
    module, before, after, output = FAULTS[what]
    others = (name for mark, name in FAULTY if mark in what)
    config = CORES[next(others, "verified")]
    texts = texts_of(config)
    file = f"rtl/{module}.sv"
    assert texts[file].count(before) == 1
    texts[file] = texts[file].replace(before, after)
    proof = prove_timing(texts, leaf_modules(config), config.top)
    assert not proof.passed
    assert f"{output} from " in proof.detail

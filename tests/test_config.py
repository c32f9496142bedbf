# SPDX-License-Identifier: Apache-2.0
"""CoreConfig: what is accepted, what is refused and with which words."""

import dataclasses
import hashlib
import json
import math
import random
import re
import tomllib
from itertools import product
from pathlib import Path

import pytest

from gcmforge.config import ConfigError, CoreConfig, options, parse_settings
from gcmforge.config.architecture import own_of_cores
from gcmforge.config.ethernet import clock_needed
from gcmforge.config.ethernet_presets import ethernet_arithmetic
from gcmforge.config.preset import rate_arithmetic
from gcmforge.config.presets import PRESETS, load_config, preset
from gcmforge.netlist.targets import target_names

AHEAD = {"slots": "ahead", "iv": "96", "contexts": 1, "key_sizes": (128,)}
"""A core with its key stream made ahead, as small as it can be asked for."""

SEGMENTS = {
    "core": "segments", "lanes": 4, "iv": "96", "max_text_bytes": 4096, "max_aad_bytes": 4096,
}  # fmt: skip
STREAMS = {"core": "streams", "iv": "96"}
NANO = {
    "core": "nano", "key_sizes": (128,), "contexts": 1, "iv": "96", "max_text_bytes": 1024,
    "max_aad_bytes": 1024,
}  # fmt: skip
MASKED = {**NANO, "core": "masked"}
MICRO = {**NANO, "core": "micro", "key_sizes": (128, 256)}

REFUSED = [
    ({"lanes": 0}, "lanes=0: not allowed; use 1 to 16"),
    ({"lanes": 17}, "lanes=17: not allowed; use 1 to 16"),
    ({"lanes": "4"}, "lanes=4: str instead of whole numbers; use 1 to 16"),
    ({"lanes": True}, "lanes=true: not allowed"),
    ({"lanes": 1.0}, "lanes=1.0: float instead of whole numbers"),
    ({"iv": 96}, "iv=96: int instead of text in quotes; use any, 96 or counter"),
    ({"key_sizes": 128}, "key_sizes=128: not a list of whole numbers; use one or more of 128"),
    ({"key_sizes": ("128",)}, "key_sizes=128: not a list of whole numbers"),
    ({"key_sizes": (128.0,)}, "key_sizes=128.0: not a list of whole numbers"),
    ({"key_sizes": (128, [256])}, "not a list of whole numbers; use one or more of 128"),
    ({"contexts": 1025}, "contexts=1025: not allowed; use 1 to 1024"),
    ({"key_unit": "dedicated", "ghash": "dot"}, "key_unit=dedicated with ghash=dot: dot makes the "
     "powers of H itself, with what multiplies its blocks"),
    ({"key_sizes": ()}, "key_sizes=(empty): not allowed; use one or more of 128, 192, 256 bits"),
    ({"key_sizes": (128, 512)}, "key_sizes=128,512: not allowed"),
    ({"aes": "pipeline"}, "aes=pipeline: not allowed; use pipelined, loop or loop_parallel (d"),
    ({"aes_substages": 5}, "aes_substages=5: not allowed; use 1 to 4"),
    ({"sbox": "lut"}, "sbox=lut: not allowed; use one of the 53 that `gcmforge sbox` lists"),
    ({"sbox": "boyar_perata"}, "`gcmforge sbox` lists (did you mean boyar_peralta?)"),
    ({"mix_columns": "depth5"}, "mix_columns=depth5: not allowed; use small, depth3 or depth4"),
    ({"ghash": "fast"}, "ghash=fast: not allowed; use aggregated, "),
    ({"ghash": "log_tail"}, "lanes=1 with ghash=log_tail: one lane alone has nothing to inter"),
    ({"ghash": "interleaved"}, "lanes=1 with ghash=interleaved: one lane alone"),
    ({"ghash": "log_tail", "lanes": 3}, "lanes=3 with ghash=log_tail: log_tail needs a power of "
     "two; use 2 or 4, or ghash=agg"),
    ({"ghash": "log_tail", "lanes": 4, "ghash_stages": 2}, "ghash_stages=2 with ghash=log_tail: "),
    ({"squarers": "parallel"}, "squarers=parallel with ghash=aggregated: it has no squ"),
    ({"multiplier": "ko8"}, "multiplier=ko8: not allowed"),
    ({"ghash_stages": 0}, "ghash_stages=0: not allowed; use 1 to 6"),
    ({"release": "verified"}, "max_text_bytes=68719476704 with release=verified: the packet buffer "
     "holds a whole text and a beat; use max_text_bytes=524272 or less, or release=streaming"),
    ({"release": "verified", "max_text_bytes": 2000, "buffer_beats": 125},
     "buffer_beats=125, max_text_bytes=2000 with release=verified: the packet buffer holds a whole "
     "text and a beat; use max_text_bytes=1984 or less, or buffer_beats=126 or more, or release="),
    ({"iv": "any", "iv_limit": 7}, "iv_limit=7 with iv=any: nothing is counted; use iv_limit="),
    ({"iv": "counter", "iv_limit": 2**64}, "iv_limit=18446744073709551616: not allowed; use 1 to"),
    ({"iv": "counter", "registers": "axi4lite"}, "iv=counter with registers=axi4lite: the regi"),
    ({"iv": "counter", "profile": "ipsec"}, "iv=counter with profile=ipsec: the profile makes the"),
    ({"zeroise": "yes"}, "zeroise=yes: not allowed; use off or on"),
    ({"buffer_beats": 64}, "buffer_beats=64 with release=streaming: nothing is held back"),
    ({"buffer_beats": 65537}, "buffer_beats=65537: not allowed; use 0 to 65536"),
    ({"tag_places": 65}, "tag_places=65: not allowed; use 0 to 64"),
    ({"aes_slack": 101}, "aes_slack=101: not allowed; use 0 to 100"),
    ({"aes_slack": 20}, "aes_slack=20 with aes_substages=1: a round is one stage; use aes_slack=2"),
    ({"max_text_bytes": 2**36}, "max_text_bytes=68719476736: not allowed; use 16 to 68719476704"),
    ({"max_aad_bytes": 0}, "max_aad_bytes=0: not allowed"),
    ({"aes": "loop_parallel", "aes_loops": 2, "aes_substages": 2},
     "aes_substages=2 with aes=loop_parallel: a loop holds one block"),
    ({"aes": "loop_parallel"}, "aes_loops=1 with aes=loop_parallel: there is nothing to"),
    ({"aes_rounds": 4}, "aes_rounds=4 with aes=pipelined: only a loop has a choice of rounds"),
    ({"aes": "loop", "aes_loops": 4}, "aes_loops=4 with aes=loop: there are no loops side by side"),
    ({"aes": "loop", "aes_rounds": 8}, "aes_rounds=8: not allowed; use 1 to 7"),
    ({"counter_sharing": "on", "lanes": 2, "aes": "loop"}, "counter_sharing=on with aes=loop: "),
    ({"counter_sharing": "on"}, "counter_sharing=on with lanes=1: one lane has nothing to share"),
    ({"ghash": "serial", "lanes": 3}, "lanes=3 with ghash=serial: serial takes one block at a time"
     "; use lanes=1, or ghash=aggregated"),
    ({"ghash": "serial", "ghash_stages": 2}, "ghash_stages=2 with ghash=serial: "),
    ({"ghash": "serial_length_first", "tags_not_of_gcm": "yes", "iv": "96", "lanes": 2},
     "lanes=2 with ghash=serial_length_first: serial_length_first takes one block at a time; use"),
    ({"ghash": "serial_length_first", "tags_not_of_gcm": "yes", "iv": "96", "ghash_stages": 2},
     "ghash_stages=2 with ghash=serial_length_first: "),
    ({"ghash": "serial_length_first", "iv": "96"}, "ghash=serial_length_first: its tags are NOT "
     "those of SP 800-38D, and no AES-GCM elsewhere takes them; add tags_not_of_gcm=yes if that"),
    ({"tags_not_of_gcm": "yes"}, "tags_not_of_gcm=yes with ghash=aggregated: its tags are those"),
    ({"ghash": "serial_length_first", "tags_not_of_gcm": "yes"},
     "iv=any with ghash=serial_length_first: Yang 2005 does not "
     "say how it would hash an IV; use iv=96, or ghash=serial"),
    ({"j0": "dedicated"}, "j0=dedicated with tail=shared: a packet whose last beat is full would "
     "still wait a beat for its length block"),
    ({"tail": "dedicated", "ghash": "serial_length_first", "tags_not_of_gcm": "yes", "iv": "96"},
     "tail=dedicated with ghash=serial_length_first: its length block comes before the text"),
    ({"aad_lanes": 1, "ghash": "serial"}, "aad_lanes=1 with ghash=serial: serial takes one block"),
    ({"aad_lanes": 5}, "aad_lanes=5: not allowed; use 0 to 4"),
    ({"aad_lanes": 1, "lanes": 4, "ghash": "log_tail"}, "lanes=4 and aad_lanes=1 with ghash="
     "log_tail: log_tail needs a power of two; use 4 or 8 lanes in all"),
    ({"lane": 4}, "lane: no such option; did you mean lanes or "),
    ({"ghash": "window", "ghash_stages": 2}, "ghash_stages=2 with ghash=window: "),
    ({"ghash": "window", "multiplier": "ko4"},
     "multiplier=ko4 with ghash=window: window multiplies by tables, without a multiplier; use"),
    ({"ghash": "residues", "multiplier": "ko4"},
     "multiplier=ko4 with ghash=residues: residues multiplies by tables"),
    ({"ghash": "residues", "window_bits": 4}, "window_bits=4 with ghash=residues: it has no tab"),
    ({"window_bits": 4}, "window_bits=4 with ghash=aggregated: it has no tables "),
    ({"window_splits": 1}, "window_splits=1 with ghash=aggregated: it has no tables "),
    ({"window_splits": 4, "ghash": "window"}, "window_splits=4: not allowed; use 0 to 3"),
    ({"digit_bits": 8}, "digit_bits=8 with ghash=aggregated: it takes whole blocks; leave digit_"
     "bits out, or use ghash=digit"),
    ({"digit_bits": 3, "ghash": "digit"}, "digit_bits=3: not allowed; use 4 to 64"),
    ({"ghash": "digit", "aes": "loop", "lanes": 2},
     "lanes=2 with ghash=digit: digit takes one block at a time"),
    ({"ghash": "digit", "aes": "loop", "multiplier": "ko4"},
     "multiplier=ko4 with ghash=digit: digit multiplies digit by digit"),
    ({"ghash": "digit", "aes": "loop", "tail": "dedicated"},
     "tail=dedicated with ghash=digit: the multiplier after GHASH would be larger than all of it"),
    ({"ghash": "digit"}, "aes=pipelined with ghash=digit: the pipeline would wait 8 cycles "),
    ({"ghash": "digit", "aes": "loop", "aes_rounds": 3}, "aes_rounds=3 and aes_substages=1 with "
     "ghash=digit: all 3 blocks of the loop would stand still for each that GHASH takes; use two"),
    ({"slots": "line", "aes": "loop"}, "slots=line with aes=loop"),
    ({"slots": "line", "ghash": "serial"}, "slots=line with ghash=serial"),
    ({**AHEAD, "aes": "loop"}, "slots=ahead with aes=loop: blocks go round in it, so nothing can"),
    ({**AHEAD, "ghash": "dot"}, "slots=ahead with ghash=dot: only aggregated tells a cycle ahead"),
    ({**AHEAD, "iv": "any"}, "iv=any with slots=ahead: a packet's counters have to follow from its "
     "command alone; use iv=96, or slots=line"),
    ({**AHEAD, "iv": "counter"}, "iv=counter with slots=ahead: a packet's counters have to follow"),
    ({**AHEAD, "contexts": 2}, "contexts=2 with key_unit=shared and slots=ahead: a hash subkey "
     "would wait in the AES for the text of other packets; use key_unit=dedicated, contexts=1, or "
     "slots=line"),
    ({**AHEAD, "tail": "dedicated"}, "tail=dedicated with slots=ahead: J0 follows the counters of "
     "the text there, and would come too late for a beat of AAD; use tail=shared, or slots=line"),
    ({**AHEAD, "tail": "dedicated", "j0": "dedicated"}, "tail=dedicated with slots=ahead"),
    ({**AHEAD, "zeroise": "on"}, "zeroise=on with slots=ahead: it does not know in how many beats "
     "a packet's text comes; use zeroise=off, or slots=line"),
    ({**AHEAD, "timeout": 9}, "timeout=9 with slots=ahead: it does not know in how many beats a "
     "packet's text comes; use timeout=0, or slots=line"),
    ({**AHEAD, "registers": "axi4lite"}, "registers=axi4lite with slots=ahead: it does not know in "
     "how many beats a packet's text comes; use registers=off, or slots=line"),
    ({**AHEAD, "profile": "ipsec"}, "profile=ipsec with slots=ahead: it does not know in how many "
     "beats a packet's text comes; use profile=none, or slots=line"),
    ({**AHEAD, "ahead_places": 8}, "ahead_places=8: no packets take more than 7 in this core; use "
     "that many or less, or 0"),
    ({**AHEAD, "ahead_places": 65}, "ahead_places=65: not allowed; use 0 to 64"),
    ({"ahead_places": 1}, "ahead_places=1 with slots=queue: no key stream is made ahead; use "
     "ahead_places=0, or slots=ahead"),
    ({**AHEAD, "slots": "line", "ahead_places": 2}, "ahead_places=2 with slots=line: no key "),
    ({"tag_places": 1, "aes": "loop", "aes_rounds": 7}, "tag_places=1 with aes=loop and 7 blocks"),
    ({"tag_places": 7}, "tag_places=7: no packets take more than 6 in this core; use that many"),
    ({"window_bits": 10, "ghash": "window"}, "window_bits=10: not allowed; use 2 to 9"),
    ({"core": "nano"}, "key_sizes=128,192,256, contexts=4, max_text_bytes=68719476704, "
     "max_aad_bytes=4294967295 with core=nano: it has been built with fewer choices; use "
     "key_sizes=128 or key_sizes=128,256; contexts=1; max_text_bytes=16, 32, ... 1048576; "
     "max_aad_bytes=16, 32, ... 1048576; or core=standard"),
    ({**SEGMENTS, "segments": 3}, "segments=3: not allowed; use 2, 4 or 8"),
    ({**SEGMENTS, "segments": 8}, "segments=8 with lanes=4: a segment has a block at least; use "),
    ({**SEGMENTS, "iv": "any"}, "iv=any with core=segments: J0 of an IV of another length is a "
     "digest, for which all packets after it would wait, and nothing here counts IVs"),
    ({**SEGMENTS, "zeroise": "on"}, "zeroise=on with core=segments: it follows packets one at a"),
    ({**SEGMENTS, "timeout": 99}, "timeout=99 with core=segments: it follows packets one at a"),
    ({**SEGMENTS, "registers": "axi4lite"}, "registers=axi4lite with core=segments: it follows"),
    ({**SEGMENTS, "profile": "macsec"}, "profile=macsec with core=segments: a profile makes one"),
    ({**SEGMENTS, "direction": "encrypt"}, "direction=encrypt with core=segments: packets of both"),
    ({**MASKED, "direction": "encrypt"}, "direction=encrypt with core=masked: both directions add"),
    ({**MASKED, "core": "masked_fast", "direction": "decrypt"},
     "direction=decrypt with core=masked_fast: both directions add one key stream to their text"),
    ({**MASKED, "core": "masked_line", "direction": "decrypt"},
     "direction=decrypt with core=masked_line: both directions add one key stream to their text"),
    ({**MASKED, "core": "masked_line", "randomness": "generator"},
     "randomness=generator with core=masked_line: 3,020 bits a cycle are 47 instances of Trivium, "
     "larger than the unmasked core; use randomness=port, or core=masked_fast"),
    ({"randomness": "generator"}, "randomness=generator with core=standard: it takes no random "
     "bits, as nothing of it is masked; leave randomness out, or use core=masked or core=masked_f"),
    ({**NANO, "randomness": "generator"}, "randomness=generator with core=nano: it takes no rand"),
    ({**MASKED, "randomness": "seed"}, "randomness=seed: not allowed; use port or generator"),
    ({**SEGMENTS, "contexts": 17}, "contexts=17 with core=segments: it has been built with fewer"),
    ({**SEGMENTS, "max_text_bytes": 100}, "max_text_bytes=100 with core=segments: it has been"),
    ({**SEGMENTS, "slots": "line"}, "slots=line with core=segments: it has no such part, or one"),
    ({"segments": 4}, "segments=4 with core=standard: its packets begin beats of their own; leave"),
    ({**STREAMS, "streams": 0}, "streams=0: not allowed; use 1 to 1024"),
    ({**STREAMS, "streams": 1025}, "streams=1025: not allowed; use 1 to 1024"),
    ({**STREAMS, "iv": "any"}, "iv=any with core=streams: J0 of an IV of another length is a "
     "digest, for which all streams would wait, and nothing here counts IVs"),
    ({**STREAMS, "release": "verified", "max_text_bytes": 1500}, "release=verified with core="
     "streams: the text of a packet would have to wait for its tag, on every stream, in a buffer"),
    ({**STREAMS, "zeroise": "on"}, "zeroise=on with core=streams: an erase has to answer the pack"),
    ({**STREAMS, "timeout": 99}, "timeout=99 with core=streams: it follows packets one at a time"),
    ({**STREAMS, "registers": "axi4lite"}, "registers=axi4lite with core=streams: it follows"),
    ({**STREAMS, "profile": "ipsec"}, "profile=ipsec with core=streams: a profile makes the head"),
    ({**STREAMS, "aad_lanes": 1}, "aad_lanes=1 with core=streams: AAD comes in beats of its own"),
    ({**STREAMS, "lanes": 2}, "lanes=2 with core=streams: a beat is one block of one stream; use "),
    ({**STREAMS, "ghash_stages": 4}, "ghash_stages=4 with core=streams: each stream has a partial"),
    ({**STREAMS, "sbox": "bram", "aes_substages": 2}, "sbox=bram with core=streams: its rounds"),
    ({**STREAMS, "aes": "loop"}, "aes=loop with core=streams: it has no such part, or one of its"),
    ({"streams": 8}, "streams=8 with core=standard: it has one packet after the other; leave"),
    ({**NANO, "contexts": 2}, "contexts=2 with core=nano: it has been built with fewer choices"),
    ({**NANO, "release": "verified"}, "release=verified with core=nano: it has been built"),
    ({**NANO, "max_text_bytes": 100}, "max_text_bytes=100 with core=nano: it has been built"),
    ({**NANO, "iv": "any"}, "max_text_bytes=1024 with core=nano and iv=any: the text's counter "
     "counts the bytes of an IV, too, and that has up to 65535; use max_text_bytes=65536 or more, "
     "or iv=96"),
    ({**NANO, "iv": "counter"}, "iv=counter with core=nano: it has been built with fewer choices"),
    ({**NANO, "aes": "loop"}, "aes=loop with core=nano: it has no such part, or one of its own"),
    ({**NANO, "zeroise": "on"}, "zeroise=on with core=nano: it has no such part, or one of its"),
    ({**MICRO, "key_sizes": (256,)}, "key_sizes=256 with core=micro: it has been built with fewer"),
    ({**MICRO, "sbox": "bram"}, "sbox=bram with core=micro: its round is one stage, and a memory"),
    ({**MICRO, "sboxes": 8}, "sboxes=8: not allowed; use 4 or 20"),
    ({**MICRO, "sboxes": 3}, "sboxes=3: not allowed; use 4 or 20"),
    ({**NANO, "sboxes": 4}, "sboxes=4 with core=nano: its S-boxes follow from other options; leave "
     "sboxes out, or use core=micro"),
    ({**MICRO, "faults": "detect", "sboxes": 4}, "faults=detect with sboxes=4: only the core with "
     "a round of AES a cycle has checks; use sboxes=20, or faults=none"),
    ({**MICRO, "faults": "detect", "mix_columns": "depth3"}, "mix_columns=depth3 with faults="),
    ({**MICRO, "faults": "correct"}, "faults=correct: not allowed; use none or detect"),
    ({**NANO, "faults": "detect"}, "faults=detect with core=nano: it has no checks; leave "
     "faults out, or use core=micro"),
    ({"faults": "detect"}, "faults=detect with core=standard: it has no checks; leave faults out, "
     "or use core=micro"),
    ({"sboxes": 4}, "sboxes=4 with core=standard: its S-boxes follow from other options; leave "),
    ({**MICRO, "key_sizes": (128,), "iv": "any"}, "iv=any with core=micro: it has been built with "
     "fewer choices; use iv=96, or core=nano or core=standard"),
    ({**NANO, "registers": "axi4lite"}, "registers=axi4lite with core=nano: it has no such part"),
    ({"sbox": "bram"}, "sbox=bram with aes_substages=1: a round is cut after the memory, and once"),
    ({"sbox": "bram", "aes_substages": 4}, "sbox=bram with aes_substages=4: a round is cut after"),
    ({"sbox": "bram", "aes": "loop_parallel", "aes_loops": 2}, "sbox=bram with aes=loop_parallel"),
    ({"sbox": "bram", "aes_substages": 2, "aes_slack": 5}, "aes_slack=5 with sbox=bram: where a "),
    ({"zzz": 4}, "zzz: no such option; options: lanes, direction, "),
]  # fmt: skip


@pytest.mark.parametrize(("values", "message"), REFUSED, ids=lambda value: str(value)[:40])
def test_what_cannot_be_built_is_refused_with_the_reason(values, message):
    with pytest.raises(ConfigError) as refusal:
        CoreConfig.from_mapping(values)
    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("name", PRESETS)
def test_toml_read_back_is_the_same_configuration(name, tmp_path):
    file = tmp_path / "core.toml"
    file.write_text(preset(name).to_toml())
    assert CoreConfig.from_toml(file) == preset(name)


@pytest.mark.parametrize("name", ["100g", "200g", "400g", "800g"])
def test_lanes_and_clock_of_a_line_rate_make_it(name):
    rate, config, clock = int(name[:-1]), PRESETS[name].config, PRESETS[name].clock_mhz
    assert rate <= config.lanes * 128 * clock / 1000 < 1.01 * rate
    assert (config.tail, config.j0, config.key_unit) == ("dedicated",) * 3
    assert config.key_schedule == "travelling"
    first, _, asked = rate_arithmetic(config, clock, PRESETS[name].technology)
    assert f"{config.lanes} lanes x 128 bits x {clock} MHz" in first
    assert PRESETS[name].technology in target_names()
    assert f"measure CORE --target {PRESETS[name].technology} --clock" in asked
    assert 1000 / float(re.search(r"--clock ([\d.]+) ", asked)[1]) >= clock


@pytest.mark.parametrize(
    ("name", "rate"),
    [("100ge", 100), ("200ge", 200), ("400ge", 400), ("800ge", 800), ("1t6", 1600)],
)
def test_no_frame_is_too_fast_for_an_ethernet_preset(name, rate):
    named = PRESETS[name]
    assert named.ethernet_gbit_per_s == rate and named.technology in target_names()
    config, clock = named.config, named.clock_mhz
    assert clock == math.ceil(clock_needed(config, rate).clock_mhz)
    # Once more, counted in segments and nanoseconds: addresses and SecTAG, text, ICV, FCS.
    size = config.lanes * 16 // config["segments"]
    lowest = 9.0
    for length, sectag in product(range(64, 9_600 + 33), (8, 16)):
        text = length - 12 - sectag - 16 - 4
        segments = -(-(12 + sectag) // size) + -(-text // size)
        ns_of_core = segments / config["segments"] * 1000 / clock
        ns_of_line = 8 * (8 + length + 12) / rate
        lowest = min(lowest, ns_of_line / ns_of_core)
    assert 1 <= lowest < 1.01
    _, need, asked = ethernet_arithmetic(named)
    assert f"at {rate:,} Gbit/s" in need
    assert f"{clock} MHz is asked of {named.technology}" in asked
    period = float(re.search(r"--clock ([\d.]+) ", asked)[1])
    assert clock <= 1000 / period < 1.01 * clock


def test_the_clock_of_an_ethernet_rate_by_hand():
    """73 bytes on the line are 93 with preamble and gap, 7.44 ns. 20 of AAD are a segment of 32, 33
    of text are two: a cycle and a half."""
    need = clock_needed(preset("100ge"), 100)
    assert (need.frame_bytes, need.sectag_bytes) == (73, 8)
    assert need.clock_mhz == pytest.approx(1.5 / 7.44e-3)
    with pytest.raises(ValueError, match="core=standard has no law of frames"):
        clock_needed(preset("100g"), 100)


def test_the_page_has_the_clocks_of_confidentiality_offsets():
    """By hand: 91 bytes on the line are 111, 8.88 ns. 20 and 50 of AAD are three segments of 32 or
    two of 64, one of text is another: 2 or 0.75 cycles of two or four segments."""
    assert clock_needed(preset("100ge"), 100, 50).clock_mhz == pytest.approx(2 / 8.88e-3)
    assert clock_needed(preset("400ge"), 400, 50).clock_mhz == pytest.approx(0.75 / 2.22e-3)
    asked = {
        offset: [
            math.ceil(clock_needed(PRESETS[name].config, rate, offset).clock_mhz)
            for name, rate in (("100ge", 100), ("400ge", 400), ("800ge", 800), ("1t6", 1600))
        ]
        for offset in (30, 50)
    }
    page = (Path(__file__).parents[1] / "docs/how-to/carry-ethernet.md").read_text()
    text = " ".join(page.split())
    first = "asks for {} MHz in `100ge` and `200ge`, {} in `400ge`, {} in `800ge` and {} in `1t6`"
    assert first.format(*asked[30]) in text
    assert "of 50 bytes for {}, {}, {} and {}".format(*asked[50]) in text


@pytest.mark.parametrize("setting", ["segments=2", "segments=4", "streams=4"])
def test_an_option_of_another_core_is_not_passed_over(setting):
    """Nor with its default, which says that somebody counts on it."""
    kind = setting.split("=")[0]
    with pytest.raises(
        ConfigError, match=f"{setting} with core=standard: .*; leave {kind} out, or use core={kind}"
    ):
        load_config(None, "plain", [setting, "lanes=4"])
    with pytest.raises(ConfigError, match=f"{setting} with core=standard"):
        load_config(None, None, [setting])


def test_the_limit_that_a_refusal_names_can_be_had():
    asked = ["core=segments", "iv=96", "lanes=2", "max_aad_bytes=4096", "release=verified"]
    with pytest.raises(ConfigError, match=r"use max_text_bytes=524288 or less") as refused:
        load_config(None, "plain", [*asked, "max_text_bytes=1048576"])
    limit = re.search(r"use (max_text_bytes=\d+) or less", str(refused.value))[1]
    assert load_config(None, "plain", [*asked, limit]).max_text_bytes == 524288


def test_the_arithmetic_of_a_line_rate_by_hand():
    assert rate_arithmetic(CoreConfig(lanes=2), 250, "osu018") == (
        "2 lanes x 128 bits x 250 MHz = 64.0 Gbit/s, a beat of 32 bytes a cycle",
        "packets of 64 bytes: 2 beats, 125 million a second; of 1,500 bytes: 47 beats, 63.8 Gbit/s",
        "250 MHz is asked of osu018: 4.00 ns a stage; gcmforge measure CORE --target osu018 "
        "--clock 4.00 says what it gives",
    )


def test_toml_names_every_option_with_its_value():
    values = tomllib.loads(CoreConfig(key_sizes=(256, 128), iv="96").to_toml())
    there = [name for name in options() if name not in own_of_cores()]
    assert list(values) == sorted(there, key=lambda name: bool(options()[name].expert))
    assert values["key_sizes"] == [128, 256]
    assert values["iv"] == "96"


def test_a_default_core_has_the_key_that_it_has_among_stored_results():
    """A new option must not be part of it: results of every core would have to be made again."""
    text = json.dumps(CoreConfig().to_mapping(), sort_keys=True)
    assert hashlib.sha256(text.encode()).hexdigest().startswith("c37979b1cd5aaab3"), (
        "to_mapping has an option more or less, or a default is another one: no stored result is "
        "found any more"
    )


@pytest.mark.slow
def test_random_configurations_survive_toml_and_mapping(tmp_path):
    seed = 20240611
    rng = random.Random(seed)
    built = 0
    for _ in range(80_000):
        chosen = [
            name for name in options() if rng.random() < 0.4
        ]  # the others keep their defaults
        values = {name: any_value(options()[name], rng) for name in chosen}
        try:
            config = CoreConfig.from_mapping(values)
        except ConfigError:
            continue
        built += 1
        file = tmp_path / "core.toml"
        file.write_text(config.to_toml())
        assert CoreConfig.from_toml(file) == config, f"seed {seed}"
        assert CoreConfig.from_mapping(config.to_mapping()) == config, f"seed {seed}"
    assert built > 30


def any_value(option, rng):
    if option.choices:
        return rng.choice(option.choices)
    if option.numbers:
        return rng.choice(option.numbers)
    if option.identifier:
        return rng.choice(["", "rx", "core_0"])
    if option.bounds is not None:
        return rng.choice([option.bounds[0], option.bounds[1], rng.randint(*option.bounds)])
    return tuple(rng.sample(option.subset_of, rng.randint(1, len(option.subset_of))))


def test_settings_are_typed():
    config = CoreConfig().with_settings(["lanes=4", "key_sizes=256,128", "iv=96", "contexts=0x10"])
    assert (config.lanes, config.key_sizes, config.iv, config.contexts) == (4, (128, 256), "96", 16)


def test_settings_are_applied_together():
    small = preset("small").with_settings(["lanes=2", "ghash=dot"])
    assert (small.lanes, small.ghash) == (2, "dot")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (["lanes"], "lanes: not a setting; use key=value"),
        (["lanes=four"], "lanes=four: not a number; use 1 to 16"),
        (["key_sizes=128,big"], "key_sizes=128,big: not a number; use one or more of"),
        (["lans=4"], "lans: no such option; did you mean lanes"),
        (["lanes=4", "lanes=2"], "lanes=2: lanes is set twice"),
    ],
)
def test_a_wrong_setting_is_refused(settings, message):
    with pytest.raises(ConfigError, match="^" + message.replace("?", r"\?")):
        parse_settings(settings)


def test_a_wrong_file_is_named_in_the_message(tmp_path):
    file = tmp_path / "mine.toml"
    with pytest.raises(ConfigError, match=r"mine\.toml: cannot be read"):
        CoreConfig.from_toml(file)
    file.write_text("lanes = = 2")
    with pytest.raises(ConfigError, match=r"mine\.toml: not a TOML file"):
        CoreConfig.from_toml(file)
    file.write_text("lane = 2")
    with pytest.raises(ConfigError, match=r"mine\.toml: lane: no such option"):
        CoreConfig.from_toml(file)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"lanes = {'[' * 5000}{']' * 5000}", "not a TOML file (nested too deeply)"),
        (f"lanes = {'9' * 5000}", "not a TOML file (a number of too many digits)"),
        (f"sbox = '{'x' * 5000}'", f"sbox={'x' * 80}...: not allowed; use one of"),
        (r'aes = "a\u001b[2J\n"', r"aes=a\x1b[2J\n: not allowed; use "),
        (r'"a\nb" = 1', r"a\nb: no such option; options: "),
    ],
    ids=["depth", "digits", "length", "control characters", "name"],
)
@pytest.mark.parametrize("read", [CoreConfig.from_toml, load_config], ids=["core", "plan"])
def test_a_file_that_nobody_would_write_is_refused_in_one_short_line(tmp_path, text, message, read):
    file = tmp_path / "odd.toml"
    file.write_text(text)
    with pytest.raises(ConfigError) as refused:
        read(file)
    said = str(refused.value)
    assert said.startswith(f"{file}: {message}")
    assert said.isprintable()


def test_load_config_takes_a_file_or_a_preset_but_not_both():
    assert load_config() == preset("default")
    assert load_config(settings=["lanes=2"]) == CoreConfig(lanes=2)
    assert load_config(name="quad", settings=["lanes=8"]).lanes == 8
    with pytest.raises(ConfigError, match="both name a configuration"):
        load_config(Path("core.toml"), "quad")
    with pytest.raises(ConfigError, match="preset quat: no such preset; did you mean quad"):
        load_config(name="quat")


@pytest.mark.parametrize(
    ("contexts", "bits"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (64, 6), (1024, 10)]
)
def test_context_number_width(contexts, bits):
    assert CoreConfig(contexts=contexts).context_bits == bits


def test_derived_quantities():
    config = CoreConfig(lanes=4, key_sizes=[192, 128])
    assert (config.data_bits, config.rounds, config.key_sizes) == (512, 12, (128, 192))
    assert "AES-128/192-GCM, 4 lanes" in config.summary
    assert (config.aes_latency_cycles, config.cycles_per_beat) == (14, 1)
    nano = preset("nano")
    assert nano.summary.endswith("streams of bytes")
    assert nano.with_settings(["iv=any"]).summary == f"{nano.summary}, IVs of any length"
    assert CoreConfig(aes="loop").cycles_per_beat == 14
    ring = CoreConfig(aes="loop", aes_rounds=4)
    assert (ring.cycles_per_beat, ring.aes_turn, ring.slot_depth) == (4, (4, 12), 7)
    loops = CoreConfig(aes="loop_parallel", aes_loops=4)
    assert (loops.cycles_per_beat, loops.aes_turn, loops.slot_depth) == (4, (4, 10), 7)


def test_places_ahead_are_as_many_as_packets_of_one_beat_in_the_aes():
    """Such a packet takes two places of its pipeline; one more packet has its text come in."""
    assert CoreConfig().ahead_depth == CoreConfig(slots="line").ahead_depth == 0
    for substages, key_sizes, cycles in ((1, (128,), 12), (3, (128,), 32), (2, (128, 256), 30)):
        config = CoreConfig(**AHEAD | {"aes_substages": substages, "key_sizes": key_sizes})
        assert config.aes_latency_cycles == cycles
        assert config.ahead_depth == cycles // 2 + 1
        assert dataclasses.replace(config, ahead_places=2).ahead_depth == 2
        assert dataclasses.replace(config, ahead_places=cycles // 2 + 1) != config


def test_a_core_with_its_key_stream_ahead_says_so():
    config = CoreConfig(**AHEAD)
    assert config.ahead and config.in_step and "pipelined AES ahead of the text" in config.summary
    assert not CoreConfig(slots="line").ahead
    assert CoreConfig(**AHEAD | {"contexts": 3, "key_unit": "dedicated"}).contexts == 3


def test_a_configuration_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        CoreConfig().lanes = 2

# SPDX-License-Identifier: Apache-2.0
"""Abdellatif 2012, Fig. 6, and no more than the paper has: digests in the cycles of Table I."""

import random
from pathlib import Path

import pytest
from bench import Bench, Instance, Sink, Source, compile_bench, ports, run
from bench import side_by_side as top_of
from ghash_engines import reflect
from leaf_models import dot_text, multiplier_text

import gcmforge.study.papers
from gcmforge.model import ghash
from gcmforge.model.ghash import ONE, gf_mult

pytestmark = pytest.mark.slow

FILE = Path(gcmforge.study.papers.__file__).parent / "rtl" / "abdellatif2012_fig6.sv"
LANES, STAGES = 4, 4


def opened(subkey):
    """With the powers of H in place."""
    widths = ports(
        power_valid_i=1, power_index_i=4, power_i=128, in_valid_i=1, in_data_i=512, in_left_i=3,
        tag_valid_o=1, tag_o=128,
    )  # fmt: skip
    texts = {"gf128_mul": multiplier_text(1), "gf128_dot": dot_text(STAGES, LANES)}
    texts["abdellatif2012_fig6"] = FILE.read_text()
    one = Instance(prefix="top", module="abdellatif2012_fig6", parameters={}, ports=widths)
    texts["laws_top"] = top_of([one])
    bench = Bench(compile_bench("laws_top", texts))
    words, power = [], ONE
    for index in range(LANES * STAGES):
        power = gf_mult(power, subkey)
        words.append({"top_power_index_i": index, "top_power_i": reflect(power)})
    load = Source(bench, "top_power_valid_i", None, words)
    run(bench, [load], lambda: load.done)
    return bench


def beats_of(message):
    beats = [message[n : n + LANES] for n in range(0, len(message), LANES)]
    return [
        {
            "top_in_data_i": int("".join(f"{reflect(block):032x}" for block in beat), 16),
            "top_in_left_i": min(len(beats) - 1 - number, 4),
        }
        for number, beat in enumerate(beats)
    ]


def test_messages_of_whole_beats_take_n_over_q_plus_p_cycles():
    draw = random.Random(4)
    subkey = draw.getrandbits(128)
    bench = opened(subkey)
    messages = [
        [draw.getrandbits(128) for _ in range(LANES * beats)]
        for beats in (4, 1, 2, 3, 5, 8, 4, 9, 17, 1, 1, 30)
    ]
    source = Source(
        bench, "top_in_valid_i", None, [beat for message in messages for beat in beats_of(message)]
    )
    tags = Sink(bench, "top_tag_valid_o", None, ["top_tag_o"])
    run(bench, [source, tags], lambda: len(tags.got) == len(messages))
    assert [tag for (tag,) in tags.got] == [reflect(ghash(subkey, one)) for one in messages]
    first = 0
    for message, cycle in zip(messages, tags.cycles, strict=True):
        assert cycle - source.sent[first] + 1 == len(message) // LANES + STAGES
        first += len(message) // LANES

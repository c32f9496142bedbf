# SPDX-License-Identifier: Apache-2.0
"""The cycle law in the header of ghash_serial_length_first, and that its digests are equation (3)
of Yang 2005: AAD, the lengths, then the text, although the lengths come last."""

import random

import pytest
from bench import Bench, Chance, Instance, at_random, compile_bench, never, rtl, run, side_by_side
from ghash_engines import (
    CONTEXTS,
    Engine,
    core_of,
    digest_law,
    is_gapless,
    load_keys,
    subkey_source,
)
from leaf_models import multiplier_text

from gcmforge.emit.ports import ghash_ports
from gcmforge.model import ghash, ghash_length_first

PREFIX = "length_first"
CONFIG = core_of("serial_length_first", tags_not_of_gcm="yes", iv="96", contexts=CONTEXTS)

Message = tuple[list[int], list[int], int, int]
"""AAD blocks, text blocks, the length block, context."""


class LengthFirstEngine(Engine):
    """An engine that is told which blocks are text; for the last one, that is noise."""

    def __init__(self, bench: Bench, messages: list[Message], idle: Chance = never) -> None:
        self.text: list[int] = []
        beats = []
        for aad, text, lengths, context in messages:
            blocks = [*aad, *text, lengths]
            beats += [([x], i == len(blocks) - 1, context) for i, x in enumerate(blocks)]
            self.text += [0] * len(aad) + [1] * len(text) + [random.getrandbits(1)]
        super().__init__(bench, PREFIX, beats, idle)

    def _word(self, beat):
        return super()._word(beat) | {f"{PREFIX}_in_text_i": self.text.pop(0)}


@pytest.fixture(scope="module")
def library():
    engine = Instance(
        prefix=PREFIX,
        module="ghash_serial_length_first",
        parameters={"Contexts": CONTEXTS},
        ports=ghash_ports(CONFIG),
    )
    texts = rtl("gcm_ram", "ghash_serial_length_first")
    texts |= {"gf128_mul": multiplier_text(1), "laws_top": side_by_side([engine])}
    return compile_bench("laws_top", texts)


def drawn(rng: random.Random, aad: int, text: int) -> Message:
    blocks = [rng.getrandbits(128) for _ in range(aad + text + 1)]
    return blocks[:aad], blocks[aad:-1], blocks[-1], rng.randrange(CONTEXTS)


def messages_of_all_lengths(rng: random.Random) -> list[Message]:
    """1 to 13 blocks in every division, and a few of up to 1,000."""
    sections = [(aad, text) for aad in range(7) for text in range(7)] * 2
    for n in [rng.randint(1, 1000) for _ in range(4)]:
        aad = rng.randrange(n)
        sections.append((aad, n - 1 - aad))
    rng.shuffle(sections)
    return [drawn(rng, *lengths) for lengths in sections]


@pytest.mark.parametrize("share_idle", [0.0, 0.4])
def test_digests_are_equation_3_at_the_stated_time(library, share_idle):
    rng = random.Random(2005)
    bench = Bench(library)
    keys = [rng.getrandbits(128) for _ in range(CONTEXTS)]
    load_keys(bench, [PREFIX], keys)
    messages = messages_of_all_lengths(rng)
    idle = at_random(7, share_idle) if share_idle else never
    engine = LengthFirstEngine(bench, messages, idle)
    run(bench, engine.streams, lambda: engine.done)
    assert is_gapless(engine.input.sent) == (share_idle == 0)
    assert engine.output.cycles == [cycle + digest_law(CONFIG) for cycle in engine.last_cycles]
    assert engine.digests() == [
        ghash_length_first(keys[context], aad, lengths, text)
        for aad, text, lengths, context in messages
    ]


def test_only_a_message_without_text_has_the_digest_of_sp_800_38d(library):
    rng = random.Random(38)
    bench = Bench(library)
    keys = [rng.getrandbits(128) for _ in range(CONTEXTS)]
    load_keys(bench, [PREFIX], keys)
    messages = [drawn(rng, aad, text) for aad in range(4) for text in range(4)]
    engine = LengthFirstEngine(bench, messages)
    run(bench, engine.streams, lambda: engine.done)
    for (aad, text, lengths, context), digest in zip(messages, engine.digests(), strict=True):
        standard = ghash(keys[context], [*aad, *text, lengths])
        assert (digest == standard) == (not text)


def test_a_subkey_is_taken_beside_messages_under_the_others(library):
    rng = random.Random(3)
    bench = Bench(library)
    keys = [rng.getrandbits(128) for _ in range(CONTEXTS)]
    load_keys(bench, [PREFIX], keys)
    running = [m for m in (drawn(rng, 2, 3) for _ in range(20)) if m[3] != 2]
    keys[2] = rng.getrandbits(128)
    start = bench.cycle + 20
    load = subkey_source(bench, PREFIX, 2, keys[2], lambda cycle: cycle < start)
    first = LengthFirstEngine(bench, running)
    run(bench, [*first.streams, load], lambda: first.done)
    assert load.sent == [start] and is_gapless(first.input.sent)
    under_it = [(*drawn(rng, 2, 3)[:3], 2)]
    second = LengthFirstEngine(bench, under_it)
    run(bench, second.streams, lambda: second.done)
    assert first.digests() + second.digests() == [
        ghash_length_first(keys[context], aad, lengths, text)
        for aad, text, lengths, context in running + under_it
    ]

# SPDX-License-Identifier: Apache-2.0
"""GHASH engines on a bench: messages as beats, digests by the model, subkeys loaded.

An engine's prefix ends in its number of lanes; without one it has a single lane.
"""

import random
import re
from collections.abc import Sequence

from bench import Bench, Chance, Probe, Sink, Source, never, run

from gcmforge.config import CoreConfig
from gcmforge.emit.ports import Port, ghash_ports
from gcmforge.model import ghash

CONTEXTS = 3

Beat = tuple[list[int], bool, int]
"""Blocks, whether it is the message's last, context."""


def reflect(block: int) -> int:
    """Block order to polynomial order and back."""
    return int(f"{block:0128b}"[::-1], 2)


def engine_ports(lanes: int, contexts: int = CONTEXTS) -> tuple[Port, ...]:
    return ghash_ports(CoreConfig(lanes=lanes, ghash="dot", contexts=contexts))


def lanes_of(prefix: str) -> int:
    digits = re.search(r"\d+$", prefix)
    return int(digits[0]) if digits else 1


def stages_of(prefix: str) -> int:
    """Of a prefix such as p3q4."""
    return int(prefix[1 : prefix.index("q")])


def core_of(ghash: str, lanes: int = 1, stages: int = 1, **options: object) -> CoreConfig:
    """A core with that GHASH: its descriptor has the laws that an engine is held to."""
    return CoreConfig(ghash=ghash, lanes=lanes, ghash_stages=stages, **options)


def digest_law(config: CoreConfig) -> int:
    """Cycles from a message's last beat to its digest, at most."""
    return config.ghash_engine.latency_cycles(config)


def load_law(config: CoreConfig) -> int:
    """Cycles from a subkey until messages may use it."""
    return config.ghash_engine.load_cycles(config)


class Engine:
    """One engine of a bench with its streams."""

    def __init__(
        self, bench: Bench, prefix: str, beats: Sequence[Beat], idle: Chance = never
    ) -> None:
        self.prefix, self.beats = prefix, beats
        self.lanes = lanes_of(prefix)
        self.input = Source(
            bench, f"{prefix}_in_valid_i", f"{prefix}_in_ready_o",
            [self._word(beat) for beat in beats], idle=idle,
        )  # fmt: skip
        self.output = Sink(bench, f"{prefix}_digest_valid_o", None, [f"{prefix}_digest_o"])
        self.streams = [self.input, self.output]

    def _word(self, beat: Beat) -> dict[str, int]:
        blocks, last, context = beat
        data = 0
        for lane in range(self.lanes):  # noise where there is no block
            block = blocks[lane] if lane < len(blocks) else random.getrandbits(128)
            data = data << 128 | reflect(block)
        word = {"in_data_i": data, "in_count_i": len(blocks), "in_last_i": last}
        word["in_context_i"] = context
        return {f"{self.prefix}_{name}": value for name, value in word.items()}

    @property
    def done(self) -> bool:
        return self.input.done and len(self.output.got) == len(self.last_cycles)

    @property
    def last_cycles(self) -> list[int]:
        """Cycles of the messages' last beats."""
        pairs = zip(self.input.sent, self.beats, strict=False)
        return [cycle for cycle, (_, last, _) in pairs if last]

    def digests(self) -> list[int]:
        return [reflect(value) for (value,) in self.output.got]


def expected_digests(beats: Sequence[Beat], keys: Sequence[int]) -> list[int]:
    digests, message = [], []
    for blocks, last, context in beats:
        message += blocks
        if last:
            digests.append(ghash(keys[context], message))
            message = []
    return digests


def load_keys(bench: Bench, prefixes: Sequence[str], keys: Sequence[int]) -> None:
    for context, key in enumerate(keys):
        words = [subkey_source(bench, prefix, context, key) for prefix in prefixes]
        probes = [Probe(bench, f"{prefix}_subkey_done_o") for prefix in prefixes]
        run(bench, words, lambda words=words: all(word.done for word in words))
        run(
            bench,
            [*words, *probes],
            lambda p=probes: all(len(x.values) > 1 and x.values[-1] for x in p),
        )


def subkey_source(
    bench: Bench, prefix: str, context: int, key: int, idle: Chance = never
) -> Source:
    word = {f"{prefix}_subkey_context_i": context, f"{prefix}_subkey_i": reflect(key)}
    return Source(bench, f"{prefix}_subkey_valid_i", None, [word], idle=idle)


def message(rng: random.Random, lanes: int, blocks: int, context: int) -> list[Beat]:
    """Full beats, and what is left in the last."""
    data = [rng.getrandbits(128) for _ in range(blocks)]
    parts = [data[i : i + lanes] for i in range(0, blocks, lanes)]
    return [(part, i == len(parts) - 1, context) for i, part in enumerate(parts)]


def ragged_message(rng: random.Random, lanes: int, context: int) -> list[Beat]:
    """Beats of any number of blocks, as after the end of a section."""
    count = rng.randint(1, 12)
    return [
        ([rng.getrandbits(128) for _ in range(rng.randint(1, lanes))], i == count - 1, context)
        for i in range(count)
    ]


def new_keys(bench: Bench, prefixes: Sequence[str], rng: random.Random) -> list[int]:
    """A random key in every context of these engines."""
    keys = [rng.getrandbits(128) for _ in range(CONTEXTS)]
    load_keys(bench, prefixes, keys)
    return keys


def of_any_length(
    bench: Bench, prefixes: Sequence[str], rng: random.Random, *, long: int = 3
) -> list[Engine]:
    """Engines with messages of 1 to 4q blocks, each twice, and some of up to 1,000, shuffled."""
    engines = []
    for prefix in prefixes:
        lanes = lanes_of(prefix)
        lengths = [*range(1, 4 * lanes + 1), *range(1, 4 * lanes + 1)]
        lengths += [rng.randint(1, 1000) for _ in range(long)]
        rng.shuffle(lengths)
        beats = [b for n in lengths for b in message(rng, lanes, n, rng.randrange(CONTEXTS))]
        engines.append(Engine(bench, prefix, beats))
    return engines


def play(bench: Bench, engines: Sequence[Engine], *others: Source | Probe) -> None:
    """Cycles until every engine has taken its beats and given its digests."""
    streams = [stream for engine in engines for stream in engine.streams]
    run(bench, [*streams, *others], lambda: all(engine.done for engine in engines))


def check(engine: Engine, keys: Sequence[int], law: int) -> None:
    """Digests are right, and `law` cycles after the last beat."""
    assert engine.output.cycles == [cycle + law for cycle in engine.last_cycles], engine.prefix
    assert engine.digests() == expected_digests(engine.beats, keys), engine.prefix


def is_gapless(cycles: Sequence[int]) -> bool:
    return list(cycles) == list(range(cycles[0], cycles[0] + len(cycles)))


def check_key(bench: Bench, prefixes: Sequence[str], keys: Sequence[int]) -> None:
    """Messages under every context have the right digests."""
    rng = random.Random(1)
    engines = []
    for prefix in prefixes:
        lanes = lanes_of(prefix)
        beats = [b for c in range(CONTEXTS) for b in message(rng, lanes, 3 * lanes + 1, c)]
        engines.append(Engine(bench, prefix, beats))
    play(bench, engines)
    for engine in engines:
        assert engine.digests() == expected_digests(engine.beats, keys), engine.prefix

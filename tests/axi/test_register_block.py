# SPDX-License-Identifier: Apache-2.0
"""gcm_regs against the register table, with the core's side played by the bench."""

import itertools
import random

import pytest
from axil_bench import OKAY, SLVERR, Bus, Read, Write
from bench import Bench, Sink, Source, compile_bench, rtl

from gcmforge.config import CoreConfig
from gcmforge.emit.layers import bound_layers
from gcmforge.emit.registers import (
    COUNTERS,
    MAP_BYTES,
    RESULT_DEPTH,
    Field,
    Register,
    registers,
)

CONFIG = CoreConfig(lanes=2, contexts=3, key_sizes=(128, 256))
MAP = {register.name: register for register in registers(CONFIG)}
AT = {name: register.offset for name, register in MAP.items()}
KEY_FIELDS = ("tdata", "size", "context")
COMMAND_FIELDS = ("context", "decrypt", "tag", "tag_bytes", "iv_bytes", "iv")
RESULT_FIELDS = ("tag", "ok", "status")
WATCHED = ("s_axis_tvalid", "s_axis_tready", "s_axis_tkeep", "s_axis_tuser",
           "m_axis_tvalid", "m_axis_tready")  # fmt: skip
TIED = ("zeroise", "s_axis_aad_keep")
"""Ports that a core without zeroise and AAD with the data ties to zero."""
FILES = (
    "axil_slave", "gcm_fifo", "gcm_increment", "gcm_counters", "regs_counts", "regs_key",
    "gcm_regs",
)  # fmt: skip
FULL = 0xFFFFFFFF


@pytest.fixture(scope="module")
def library():
    """The module with the parameters that its build gives it."""
    texts = rtl(*FILES)
    for name, value in {"Lanes": "2", "Contexts": "3", "ResultDepth": str(RESULT_DEPTH)}.items():
        texts["gcm_regs"] = _with_default(texts["gcm_regs"], f"int {name}", value)
    texts["gcm_regs"] = _with_default(texts["gcm_regs"], "bit [2:0] KeySizes", "3'b101")
    return compile_bench("gcm_regs", texts)


def _with_default(text, parameter, value):
    head, rest = text.split(f"{parameter} = ", 1)
    end = min(at for at in (rest.find(","), rest.find("\n")) if at >= 0)
    return f"{head}{parameter} = {value}{rest[end:]}"


@pytest.fixture(scope="module")
def narrow():
    """The same for a core whose streams are words: ready follows the offer."""
    texts = rtl(*FILES)
    texts["gcm_regs"] = _with_default(texts["gcm_regs"], "bit ReadyAlone", "1'b0")
    return compile_bench("gcm_regs", texts)


class Gate:
    """A level on a port that a test moves as it likes."""

    def __init__(self, bench, name, level=0):
        self.bench, self.name, self.level = bench, name, level

    def put(self):
        self.bench.put(self.name, self.level)

    def sample(self):
        pass


@pytest.fixture
def block(library):
    """A fresh block: the bus, and the core's key and command side, closed at first."""
    bench = Bench(library, clock="aclk", reset="aresetn", reset_level=0)
    for name in (*WATCHED, *TIED, "core_m_tag_tvalid", "s_axil_awprot", "s_axil_arprot"):
        bench.put(name, 0)
    bus = Bus(bench, seed=1)
    keys = Sink(
        bench, "core_s_key_tvalid", "core_s_key_tready",
        [f"core_s_key_{name}" for name in KEY_FIELDS], wait=lambda _: not bus.open_keys,
    )  # fmt: skip
    commands = Sink(
        bench, "core_s_cmd_tvalid", "core_s_cmd_tready",
        [f"core_s_cmd_{name}" for name in COMMAND_FIELDS], wait=lambda _: not bus.open_commands,
    )  # fmt: skip
    bus.open_keys = bus.open_commands = False
    bus.keys, bus.commands = keys, commands
    bus.streams += [keys, commands]
    return bus


def answers(bus, *results):
    """The core answers packets: (tag, status) each; waits until the block has taken them."""
    words = [
        {"core_m_tag_tag": tag, "core_m_tag_ok": int(status == 0), "core_m_tag_status": status}
        for tag, status in results
    ]
    source = Source(bus.bench, "core_m_tag_tvalid", "core_m_tag_tready", words)
    bus.streams.append(source)
    return source


def readable(register: Register, value: int) -> int:
    """`value` without the bits that a read does not show, or that follow the core's state."""
    fields = [f for f in register.fields if f.access != "wo" and f.reset is not None]
    return value & sum(field.mask for field in fields)


# The map ------------------------------------------------------------------------------------------


def test_no_two_registers_or_fields_overlap():
    addresses = [address for register in MAP.values() for address in register.addresses]
    assert len(addresses) == len(set(addresses))
    assert all(address % 4 == 0 and address < MAP_BYTES for address in addresses)
    for register in MAP.values():
        assert sum(f.mask for f in register.fields) == sum({f.mask for f in register.fields})
        assert all(0 <= f.low <= f.high <= 31 for f in register.fields)


@pytest.mark.parametrize("register", MAP.values(), ids=lambda register: register.name)
def test_reset_values(block, register):
    expected = sum((f.reset or 0) << f.low for f in register.fields if f.access != "wo")
    for address in register.addresses:
        assert readable(register, block.read(address)) == expected


def test_every_address_reads_as_the_map_says(block):
    """All 4096 of them; what is no register, or not on a word, is refused and reads as zero."""
    known = {address for register in MAP.values() for address in register.addresses}
    reads = [Read(address) for address in range(MAP_BYTES)]
    block.play(reads)
    for read in reads:
        assert read.resp == (OKAY if read.address in known else SLVERR), hex(read.address)
        assert read.data == 0 or read.address in known


def test_every_address_that_is_not_to_be_written_refuses(block):
    """And nothing changes by that; the others are tried one by one below."""
    writable = {
        address
        for register in MAP.values()
        if any(field.access != "ro" for field in register.fields)
        for address in register.addresses
    }
    before = [Read(address) for address in range(0, MAP_BYTES, 4)]
    block.play(before)
    writes = [Write(address, FULL) for address in range(MAP_BYTES) if address not in writable]
    block.play(writes)
    assert {write.resp for write in writes} == {SLVERR}
    after = [Read(address) for address in range(0, MAP_BYTES, 4)]
    block.play(after)
    ignored = {AT["STATUS"]}
    assert [r for r in before if r.address not in ignored] == [
        r for r in after if r.address not in ignored
    ]


def rw_words() -> dict[int, int]:
    """Address -> the bits that can be written and read."""
    return {
        address: sum(field.mask for field in register.fields if field.access == "rw")
        for register in MAP.values()
        for address in register.addresses
        if any(field.access == "rw" for field in register.fields)
    }


@pytest.mark.parametrize("pause", [0.0, 0.5, 0.9])
def test_random_writes_and_reads_with_any_strobes_in_any_order_of_channels(block, pause):
    rng = random.Random(int(pause * 10))
    block.pause = pause
    masks, kept = rw_words(), dict.fromkeys(rw_words(), 0)
    kept[AT["IV_BYTES"]] = 12
    for _ in range(20):
        writes = []
        for _ in range(rng.randrange(1, 30)):
            address, strobe = rng.choice(list(masks)), rng.getrandbits(4)
            writes.append(Write(address, rng.getrandbits(32), strobe))
            bits = masks[address] & sum(0xFF << 8 * b for b in range(4) if strobe >> b & 1)
            kept[address] = kept[address] & ~bits | writes[-1].data & bits
        others = [Read(AT["ID"]) for _ in range(rng.randrange(10))]
        block.play([*writes, *others])
        assert {write.resp for write in writes} == {OKAY}
        assert {read.data for read in others} <= {0x014D4347}
        reads = [Read(address) for address in masks]
        block.play(reads)
        assert {read.address: read.data for read in reads} == kept


@pytest.mark.parametrize("register", [r for r in MAP.values() if r.whole], ids=lambda r: r.name)
def test_a_register_that_acts_refuses_single_bytes(block, register):
    for strobe in range(15):
        assert block.write(register.offset, 0, strobe) == SLVERR
    assert not block.bench.get("core_s_key_tvalid") and not block.bench.get("core_s_cmd_tvalid")


def test_one_write_and_one_read_every_two_cycles(block):
    writes = [Write(AT["IV"], number) for number in range(50)]
    reads = [Read(AT["ID"]) for _ in range(50)]
    start = block.bench.cycle
    block.play([*writes, *reads])
    assert block.bench.cycle - start == 2 * 50 + 1
    assert [b.cycle - a.cycle for a, b in itertools.pairwise(writes)] == [2] * 49


# Keys ---------------------------------------------------------------------------------------------


def scan(bus) -> list[tuple[int, int]]:
    """What every word of the map answers to a read; other addresses are refused, see above."""
    reads = [Read(address) for address in range(0, MAP_BYTES, 4)]
    bus.play(reads)
    return [(read.data, read.resp) for read in reads]


def key_story(library, key: bytes) -> list[list[tuple[int, int]]]:
    """Scans while half a key is there, while it waits, when it was taken, and after the next."""
    bench = Bench(library, clock="aclk", reset="aresetn", reset_level=0)
    for name in (*WATCHED, *TIED, "core_m_tag_tvalid"):
        bench.put(name, 0)
    bus = Bus(bench, seed=2)
    gate, command_gate = Gate(bench, "core_s_key_tready"), Gate(bench, "core_s_cmd_tready")
    bus.streams += [gate, command_gate]
    scans = []
    bus.store_bytes(AT["KEY"], key[:16])
    scans.append(scan(bus))
    bus.store_bytes(AT["KEY"] + 16, key[16:])
    bus.store(AT["KEY_LOAD"], 2 << 16 | 1)
    assert bench.get("core_s_key_tdata") == int.from_bytes(key, "little")
    scans.append(scan(bus))
    gate.level = 1
    bus.tick()
    gate.level = 0
    bus.tick()
    assert not bench.get("core_s_key_tvalid") and bench.get("core_s_key_tdata") == 0
    scans.append(scan(bus))
    return scans


@pytest.mark.slow
def test_nothing_that_can_be_read_depends_on_the_key(library):
    """At any address, at any time: keys that differ in one bit, all bits or anyhow read alike."""
    rng = random.Random(3)
    key = rng.randbytes(32)
    story = key_story(library, key)
    one_bit = bytes([key[0] ^ 1]) + key[1:]
    for other in (one_bit, bytes(b ^ 0xFF for b in key), rng.randbytes(32), bytes(32)):
        assert key_story(library, other) == story


def test_no_word_that_can_be_read_is_a_part_of_the_key(library):
    key = random.Random(4).randbytes(32)
    parts = {
        int.from_bytes(key[at : at + 4], order) for at in range(29) for order in ("little", "big")
    }
    for scanned in key_story(library, key):
        assert not parts & {data for data, _ in scanned}


def test_a_key_reaches_the_core_whole_and_only_there(block):
    key = random.Random(5).randbytes(32)
    block.store_bytes(AT["KEY"], key)
    block.store(AT["KEY_LOAD"], 2 << 16 | 2)
    assert block.read(AT["STATUS"]) & 0b101 == 0b100
    for number in range(8):  # it waits: nothing about it may change
        assert block.write(AT["KEY"] + 4 * number, FULL) == SLVERR
    assert block.write(AT["KEY_LOAD"], 0) == SLVERR
    block.open_keys = True
    block.until(lambda: bool(block.keys.got))
    block.tick(3)
    assert block.keys.got == [(int.from_bytes(key, "little"), 2, 2)]
    assert block.read(AT["STATUS"]) & 0b101 == 0b001
    assert block.write(AT["KEY_LOAD"], 0) == SLVERR  # the registers were cleared: no key is there


@pytest.mark.parametrize("size, length", [(0, 16), (1, 24), (2, 32)])
def test_no_key_is_loaded_of_which_a_byte_was_not_written(block, size, length):
    block.open_keys = True
    key = random.Random(size).randbytes(length)
    for missing in range(length):
        assert block.write(AT["KEY_LOAD"], size << 16) == SLVERR
        for at in range(length):
            if at != missing:
                value = key[at] << 8 * (at % 4)
                assert block.write(AT["KEY"] + at // 4 * 4, value, 1 << at % 4) == OKAY
        assert block.write(AT["KEY_LOAD"], size << 16) == SLVERR
        value = key[missing] << 8 * (missing % 4)
        assert block.write(AT["KEY"] + missing // 4 * 4, value, 1 << missing % 4) == OKAY
        assert block.write(AT["KEY_LOAD"], size << 16 | 1) == OKAY
        block.until(lambda: bool(block.keys.got))
        assert block.keys.got.pop() == (le(key), size, 1)
    assert block.write(AT["KEY_LOAD"], 3 << 16 | 1) == OKAY  # erases a context: it has no key


def test_a_reset_forgets_what_was_written_of_a_key(block):
    block.store_bytes(AT["KEY"], bytes(range(32)))
    block.bench.put("aresetn", 0)
    block.tick()
    block.bench.put("aresetn", 1)
    assert block.write(AT["KEY_LOAD"], 0) == SLVERR


def test_a_key_may_be_written_byte_by_byte(block):
    key = random.Random(6).randbytes(32)
    order = list(range(32))
    random.Random(7).shuffle(order)
    for at in order:
        noise = FULL & ~(0xFF << 8 * (at % 4))
        assert (
            block.write(AT["KEY"] + at // 4 * 4, noise | key[at] << 8 * (at % 4), 1 << at % 4)
            == OKAY
        )
    block.open_keys = True
    block.store(AT["KEY_LOAD"], 2 << 16)
    block.until(lambda: bool(block.keys.got))
    assert block.keys.got == [(int.from_bytes(key, "little"), 2, 0)]


def test_zeroise_erases_a_key_that_is_here_and_one_on_its_way(block):
    key = random.Random(6).randbytes(32)
    block.store_bytes(AT["KEY"], key)
    block.store(AT["KEY_LOAD"], 2 << 16)
    block.store_bytes(AT["IV"], key[:16])
    assert block.bench.get("core_s_key_tdata") == le(key)
    block.bench.put("zeroise", 1)
    block.tick()
    block.bench.put("zeroise", 0)
    block.bench.settle()
    assert block.bench.get("core_s_key_tdata") == 0 == block.bench.get("core_s_key_tvalid")
    assert block.load_bytes(AT["IV"], 16) == bytes(16)
    stuck = Write(AT["KEY"], FULL)  # its data is in the buffer, its address is not
    block.writes.append(stuck)
    block.hold.add("aw")
    block.tick(4)
    block.bench.put("zeroise", 1)
    block.tick()
    block.bench.put("zeroise", 0)
    block.hold.clear()
    block.play([])
    assert stuck.resp == SLVERR
    block.open_keys = True
    assert block.write(AT["KEY_LOAD"], 2 << 16) == SLVERR
    block.store_bytes(AT["KEY"], key[::-1])
    block.store(AT["KEY_LOAD"], 2 << 16)
    block.until(lambda: bool(block.keys.got))
    assert block.keys.got == [(le(key[::-1]), 2, 0)]


@pytest.mark.parametrize("name, data", [("KEY_LOAD", 2 << 16 | 2), ("COMMAND", 16 << 24 | 2)])
@pytest.mark.parametrize("wait", range(4))
def test_a_write_whose_data_is_erased_is_refused(block, name, data, wait):
    """Its address comes after `zeroise`; the data in the cycle of it, or before."""
    block.open_keys = block.open_commands = True
    block.store_bytes(AT["KEY"], bytes(range(32)))
    stuck = Write(AT[name], data)
    block.writes.append(stuck)
    block.hold.add("aw")
    block.tick(wait)
    block.bench.put("zeroise", 1)
    block.tick()
    block.bench.put("zeroise", 0)
    block.hold.clear()
    block.play([])
    block.tick(4)
    assert stuck.resp == SLVERR
    assert not block.keys.got and not block.commands.got


def le(data: bytes) -> int:
    return int.from_bytes(data, "little")


@pytest.mark.parametrize("name", ["KEY_LOAD", "COMMAND"])
def test_a_context_that_does_not_exist_is_refused_not_aliased(block, name):
    block.open_keys = block.open_commands = True
    block.store_bytes(AT["KEY"], bytes(range(16)))
    for context in (3, 4, 5, 256, 0x8000, 0xFFFF):
        assert block.write(AT[name], context) == SLVERR
    assert block.write(AT[name], 2) == OKAY
    block.tick(4)
    assert len(block.keys.got) + len(block.commands.got) == 1


# Commands -----------------------------------------------------------------------------------------


def test_a_command_carries_what_was_written_and_stays_until_taken(block):
    rng = random.Random(8)
    for number in range(20):
        iv, tag = rng.randbytes(16), rng.randbytes(16)
        decrypt, tag_bytes, context = rng.getrandbits(1), rng.randrange(32), rng.randrange(3)
        iv_bytes = rng.randrange(17)
        block.open_commands = False
        block.store_bytes(AT["IV"], iv)
        block.store_bytes(AT["EXPECTED_TAG"], tag)
        block.store(AT["IV_BYTES"], iv_bytes)
        block.store(AT["COMMAND"], tag_bytes << 24 | decrypt << 16 | context)
        assert block.read(AT["STATUS"]) & 0b1010 == 0b1000
        for address in (*MAP["IV"].addresses, *MAP["EXPECTED_TAG"].addresses, AT["IV_BYTES"],
                        AT["COMMAND"], AT["IV_MORE"]):  # fmt: skip
            assert block.write(address, 0) == SLVERR
        block.open_commands = True
        block.until(lambda number=number: len(block.commands.got) == number + 1)
        expected = (context, decrypt, int.from_bytes(tag, "little"), tag_bytes, iv_bytes,
                    int.from_bytes(iv, "little"))  # fmt: skip
        assert block.commands.got[-1] == expected
        assert block.read(AT["STATUS"]) & 0b1010 == 0b0010


@pytest.mark.parametrize("iv_bytes", [0, 1, 12, 16, 17, 32, 33, 160])
def test_a_long_iv_goes_over_in_as_many_parts_as_it_has(block, iv_bytes):
    block.open_commands = True
    iv = random.Random(iv_bytes).randbytes(iv_bytes)
    parts = [iv[at : at + 16] for at in range(0, iv_bytes, 16)] or [b""]
    block.store(AT["IV_BYTES"], iv_bytes)
    assert block.write(AT["IV_MORE"], 0) == SLVERR
    for number, part in enumerate(parts):
        block.store_bytes(AT["IV"], part.ljust(16, b"\0"))
        block.store(AT["COMMAND" if number == 0 else "IV_MORE"], 16 << 24 if number == 0 else 0)
        left = len(parts) - 1 - number
        assert block.read(AT["STATUS"]) >> 16 & 0xFFF == left
        assert left == 0 or block.write(AT["COMMAND"], 16 << 24) == SLVERR
    assert block.write(AT["IV_MORE"], 0) == SLVERR
    assert [got[-1].to_bytes(16, "little") for got in block.commands.got] == [
        part.ljust(16, b"\0") for part in parts
    ]


# Answers ------------------------------------------------------------------------------------------


def test_answers_wait_in_order_and_the_core_waits_when_there_is_no_room(block):
    rng = random.Random(9)
    given = [(rng.getrandbits(128), rng.randrange(7)) for _ in range(3 * RESULT_DEPTH)]
    source = answers(block, *given)
    block.tick(3 * RESULT_DEPTH)
    assert len(source.sent) == RESULT_DEPTH
    assert block.read(AT["STATUS"]) >> 8 & 0xFF == RESULT_DEPTH
    for tag, status in given:
        word = block.read(AT["RESULT"])
        assert word == 1 << 31 | (status == 0) << 8 | status
        assert block.load_bytes(AT["RESULT_TAG"], 16) == tag.to_bytes(16, "little")
        block.store(AT["RESULT_NEXT"], 0)
    assert source.done
    assert block.read(AT["RESULT"]) == 0
    assert block.load_bytes(AT["RESULT_TAG"], 16) == bytes(16)
    assert block.write(AT["RESULT_NEXT"], 0) == SLVERR
    assert block.read(AT["STATUS"]) >> 8 & 0xFF == 0


def test_irq_is_high_while_an_enabled_cause_is(block):
    def irq():
        block.tick(2)
        return block.bench.get("irq")

    enable, status = AT["IRQ_ENABLE"], AT["IRQ_STATUS"]
    block.bench.put("core_m_tag_tvalid", 0)
    assert not irq()
    answers(block, (1, 0))
    block.tick(3)
    assert not irq() and block.read(status) == 0b01
    block.store(enable, 0b10)
    assert not irq()
    block.store(enable, 0b01)
    assert irq()
    block.store(status, 0b11)  # a waiting answer is not cleared by this
    assert irq()
    block.store(AT["RESULT_NEXT"], 0)
    assert not irq() and block.read(status) == 0
    block.streams.pop()
    answers(block, (0, 1))
    block.store(enable, 0b10)
    assert irq() and block.read(status) == 0b11
    block.store(AT["RESULT_NEXT"], 0)
    assert irq() and block.read(status) == 0b10
    assert block.write(status, FULL, strobe=0b1110) == OKAY  # not the byte of the bit
    block.store(status, 0b01)
    assert irq()
    block.store(status, 0b10)
    assert not irq() and block.read(status) == 0
    block.streams.pop()
    answers(block, *[(0, 0)] * RESULT_DEPTH, (0, 1))
    block.tick(2 * RESULT_DEPTH)
    assert not irq() and block.read(status) == 0b01  # the failure is still with the core
    block.store(AT["RESULT_NEXT"], 0)
    assert irq() and block.read(status) == 0b11


# Counters -----------------------------------------------------------------------------------------


class Events:
    """Random levels on everything that is counted, and what counts in each cycle."""

    def __init__(self, bus, seed):
        self.bus, self.rng, self.cycles, self.quiet = bus, random.Random(seed), {}, False

    def put(self):
        bench = self.bus.bench
        for name in WATCHED:
            bench.put(name, 0 if self.quiet else self.rng.getrandbits(bench.widths[name]))
        status = self.rng.choice((0, 0, 0, 1, 1, 2, 3, 4, 5, 6))
        bench.put("core_m_tag_tvalid", not self.quiet and self.rng.random() < 0.3)
        bench.put("core_m_tag_status", status)
        bench.put("core_m_tag_ok", status == 0)

    def sample(self):
        get = self.bus.bench.get
        done = get("core_m_tag_tvalid") and get("core_m_tag_tready")
        status, taken = get("core_m_tag_status"), get("s_axis_tvalid") and get("s_axis_tready")
        size = get("s_axis_tkeep").bit_count() if taken else 0
        self.cycles[self.bus.bench.cycle] = (
            done,
            done and status == 1,
            done and status > 1,
            0 if get("s_axis_tuser") else size,
            size if get("s_axis_tuser") else 0,
            get("s_axis_tvalid") and not get("s_axis_tready"),
            get("m_axis_tvalid") and not get("m_axis_tready"),
        )

    def between(self, first, last):
        """Sums over cycles first <= c < last."""
        rows = [row for cycle, row in self.cycles.items() if first <= cycle < last]
        return [sum(column) for column in zip(*rows, strict=True)] if rows else [0] * 7


def taken_counters(bus) -> tuple[int, list[int]]:
    """Takes the counters; the cycle in which they were, and their values."""
    write = Write(AT["COUNTERS_TAKE"], 0)
    bus.play([write])
    assert write.resp == OKAY
    raw = bus.load_bytes(AT[COUNTERS[0][0]], 8 * len(COUNTERS))
    return write.cycle - 1, [
        int.from_bytes(raw[at : at + 8], "little") for at in range(0, len(raw), 8)
    ]


def test_counters_are_taken_all_in_one_cycle_and_nothing_is_lost_or_counted_twice(block):
    """An event counts from 2 cycles after it on; the law is exact at every taking."""
    events = Events(block, 10)
    block.streams.append(events)
    cycle, values = taken_counters(block)
    assert any(values)
    for number in range(12):
        if number == 6:
            events.quiet = True
        for _ in range(random.Random(number).randrange(200)):
            block.tick()
            if block.read(AT["STATUS"]) >> 8 & 0xFF:
                block.store(AT["RESULT_NEXT"], 0)
        later, values = taken_counters(block)
        assert values == [*events.between(cycle - 1, later - 1), later - cycle], number
        cycle = later


def test_reading_a_counter_changes_nothing(block):
    block.streams.append(Events(block, 11))
    block.tick(50)
    _, values = taken_counters(block)
    for _ in range(3):
        raw = block.load_bytes(AT["PACKETS"], 8 * len(COUNTERS))
        assert [
            int.from_bytes(raw[at : at + 8], "little") for at in range(0, len(raw), 8)
        ] == values


def test_table_has_a_field_for_every_counter():
    assert [name for name in MAP if MAP[name].count == 2] == [name for name, _ in COUNTERS]
    assert isinstance(MAP["CYCLES"].fields[0], Field)


def test_a_core_of_words_can_be_given_a_command_when_none_waits(narrow):
    bench = Bench(narrow, clock="aclk", reset="aresetn", reset_level=0)
    for name in (*WATCHED, *TIED, "core_m_tag_tvalid", "core_s_key_tready", "core_s_cmd_tready"):
        bench.put(name, 0)
    bus = Bus(bench, seed=3)
    assert bus.read(AT["STATUS"]) >> 1 & 1
    bus.store(AT["COMMAND"], 16 << 24)
    assert not bus.read(AT["STATUS"]) >> 1 & 1
    bench.put("core_s_cmd_tready", 1)
    bus.tick()
    bench.put("core_s_cmd_tready", 0)
    assert bus.read(AT["STATUS"]) >> 1 & 1


@pytest.mark.parametrize("core", ["", "micro"])
def test_which_cores_are_ready_before_they_are_offered_a_command(core):
    own = {
        "core": core, "iv": "96", "contexts": 1, "key_sizes": (128, 256), "max_text_bytes": 65536,
        "max_aad_bytes": 65536,
    } if core else {}  # fmt: skip
    (layer,) = bound_layers(CoreConfig(registers="axi4lite", **own))
    assert dict(layer.layer.parameters)["ReadyAlone"] == ("1'b0" if core else "1'b1")

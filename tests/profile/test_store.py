# SPDX-License-Identifier: Apache-2.0
"""profile_store erases every word after a reset and on demand, in the stated number of cycles."""

import random

import pytest
from bench import Bench, Instance, compile_bench, ports, rtl, side_by_side

CONTEXTS = (1, 2, 5, 16)
WIDTH = 97


@pytest.fixture(scope="module")
def library():
    instances = [
        Instance(
            prefix=f"c{contexts}",
            module="profile_store",
            parameters={"Width": WIDTH, "Contexts": contexts},
            ports=ports(
                clear_i=1, busy_o=1, write_i=1, write_at_i=address_bits(contexts),
                write_data_i=WIDTH, read_at_i=address_bits(contexts), read_data_o=WIDTH,
            ),
        )
        for contexts in CONTEXTS
    ]  # fmt: skip
    texts = {**rtl("gcm_ram", "profile_store"), "laws_top": side_by_side(instances)}
    return compile_bench("laws_top", texts)


def address_bits(contexts: int) -> int:
    return max(1, (contexts - 1).bit_length())


class Store:
    """One instance; ports by their own names."""

    def __init__(self, library, contexts):
        self.bench, self.contexts = Bench(library), contexts
        for name in ("clear_i", "write_i", "write_at_i", "write_data_i", "read_at_i"):
            self.put(name, 0)

    def put(self, name, value):
        self.bench.put(f"c{self.contexts}_{name}", value)

    def get(self, name):
        self.bench.settle()
        return self.bench.get(f"c{self.contexts}_{name}")

    def tick(self):
        self.bench.settle()
        self.bench.edge()

    def write(self, at, value):
        for name, data in (("write_at_i", at), ("write_data_i", value), ("write_i", 1)):
            self.put(name, data)
        self.tick()
        self.put("write_i", 0)

    def words(self):
        found = []
        for at in range(self.contexts):
            self.put("read_at_i", at)
            found.append(self.get("read_data_o"))
        return found

    def busy_cycles(self):
        for cycles in range(2000):
            if not self.get("busy_o"):
                return cycles
            self.tick()
        raise AssertionError("busy without end")


@pytest.mark.parametrize("contexts", CONTEXTS)
def test_words_stay_until_they_are_erased_all_of_them_in_one_cycle_each(library, contexts):
    store, rng = Store(library, contexts), random.Random(contexts)
    assert store.busy_cycles() <= contexts  # some of those after the reset have passed
    assert store.words() == [0] * contexts
    for _ in range(3):
        values = [rng.getrandbits(WIDTH) for _ in range(contexts)]
        for at in rng.sample(range(contexts), contexts):
            store.write(at, values[at])
        assert store.words() == values
        store.put("clear_i", 1)
        store.tick()
        store.put("clear_i", 0)
        assert store.busy_cycles() == contexts
        assert store.words() == [0] * contexts


def test_a_context_that_does_not_exist_changes_no_word(library):
    store = Store(library, 5)
    store.busy_cycles()
    for at in range(8):
        store.write(at, 1000 + at)
    assert store.words() == [1000 + at for at in range(5)]


def test_words_that_are_not_there_read_as_zero(library):
    """Those of contexts that do not exist, and all of them while they are being erased."""
    store = Store(library, 5)
    store.busy_cycles()
    for at in range(5):
        store.write(at, 2**WIDTH - 1 - at)
    for at in (5, 6, 7):
        store.put("read_at_i", at)
        assert store.get("read_data_o") == 0
    store.put("clear_i", 1)
    store.tick()
    store.put("clear_i", 0)
    while store.get("busy_o"):
        assert store.words() == [0] * 5
        store.tick()

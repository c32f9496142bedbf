# SPDX-License-Identifier: Apache-2.0
"""The cycle law in the header of ghash_fixed_feedback.sv, with every MAC that of `cryptography`.

For the vectors of many keys the multiplier takes its subkey from the bench; for the others it is
the matrix of one key, which simulates fast. That the logic of a key computes the same is proven for
every module that is made.
"""

import random
from dataclasses import dataclass
from functools import cache

import pytest
from bench import Bench, Chance, at_random, compile_bench, never

from gcmforge.config import ConfigError
from gcmforge.emit.rtl import handwritten
from gcmforge.leaf.fixed_key import fixed_matrix
from gcmforge.sim.vectors import parse_rsp
from gcmforge.sim.verify import nist_files
from gcmforge.specialise import make_plan
from gcmforge.specialise.module import top_text

CHAINS = (1, 2, 4, 8)
KEY = bytes(range(16))

TABLE = """module gf128_fixed (
  input  logic [127:0] a_i,
  output logic [127:0] c_o
);
  always_comb begin
    c_o = '0;
    for (int i = 0; i < 128; i++) c_o = c_o ^ (laws_top.table_rows[i] & {128{a_i[i]}});
  end
endmodule
"""
"""Algorithm 2 of the paper: the sum of the rows of T that the bits choose."""


def top(plan):
    """ghash_key beside table T of the subkey at a port, by the steps of algorithm 1."""
    inner = [port for port in plan.ports if port.name not in ("clk", "rst")]
    declared = [f"{port.direction} logic {port.range} {port.name}" for port in inner]
    wires = ", ".join(f".{port.name}({port.name})" for port in plan.ports)
    return f"""module laws_top (
  input logic clk, input logic rst, input logic [127:0] subkey_i,
  {", ".join(declared)}
);
  logic [127:0] table_rows[0:127];
  logic [127:0] v;
  always_comb begin
    for (int i = 0; i < 128; i++) v[i] = subkey_i[127-i];
    for (int i = 0; i < 128; i++) begin
      table_rows[i] = v;
      v = {{v[126:0], 1'b0}} ^ (v[127] ? 128'h87 : 128'h0);
    end
  end
  ghash_key u_key ({wires});
endmodule
"""


def matrix():
    """gf128_fixed of KEY, a parity for each bit."""
    rows = fixed_matrix(int.from_bytes(block_cipher(KEY, bytes(16)), "big"), 1).rows
    sums = "\n".join(f"  assign c_o[{i}] = ^(a_i & 128'h{row:032x});" for i, row in enumerate(rows))
    ports = "input logic [127:0] a_i, output logic [127:0] c_o"
    return f"module gf128_fixed ({ports});\n{sums}\nendmodule\n"


@cache
def library(stages, any_key=False):
    plan = make_plan(stages=stages, feedback=True)
    texts = {
        "gf128_fixed": TABLE if any_key else matrix(),
        plan.module: handwritten()[plan.module].read_text(encoding="utf-8"),
        "ghash_key": top_text(plan),
        "laws_top": top(plan),
    }
    return compile_bench("laws_top", texts)


# ---- messages


def block_cipher(key, block):
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    return Cipher(algorithms.AES(key), modes.ECB()).encryptor().update(block)


@dataclass(frozen=True)
class Message:
    """What goes in, word by word, and its MAC."""

    words: bytes
    mac: bytes

    def beats(self, stages):
        """Zeros on top of the first one."""
        size = 16 * stages
        padded = self.words.rjust(-(-len(self.words) // size) * size, b"\0")
        return [int.from_bytes(padded[i : i + size], "big") for i in range(0, len(padded), size)]


def message_of(key, iv, aad, ciphertext, mac):
    """AAD, text, the lengths, and the pad, for an IV of 96 bits."""

    def whole(data):
        return data + bytes(-len(data) % 16)

    lengths = (8 * len(aad)).to_bytes(8, "big") + (8 * len(ciphertext)).to_bytes(8, "big")
    pad = block_cipher(key, iv + b"\0\0\0\1")
    return Message(whole(aad) + whole(ciphertext) + lengths + pad, mac)


def random_message(rng, most_blocks):
    """Of 0 to so many blocks of text, the last one often not whole, with some AAD or none."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    iv, blocks = rng.randbytes(12), rng.randint(0, most_blocks)
    text = rng.randbytes(max(0, 16 * blocks - rng.choice((0, 0, rng.randint(1, 15)))))
    aad = rng.randbytes(rng.choice((0, 16, rng.randint(1, 40))))
    sealed = AESGCM(KEY).encrypt(iv, text, aad)
    return message_of(KEY, iv, aad, sealed[:-16], sealed[-16:])


# ---- playing them


def play(bench, stages, messages, idle: Chance = never):
    """MAC and cycles of the first beat and of the digest, message by message."""
    waiting = iter(enumerate(messages))
    following = next(waiting, None)
    turns = {}
    rest = {}
    begun = [0] * len(messages)
    found = [None] * len(messages)
    left = len(messages)
    while left:
        bench.settle()
        turn = bench.get("in_turn_o")
        if bench.get("digest_valid_o"):
            number = turns.pop(turn)
            found[number] = (bench.get("digest_o"), bench.cycle)
            left -= 1
        beats = []
        if not idle(bench.cycle):
            if bench.get("in_open_o"):
                beats = rest[turn]
            elif following is not None:
                number, message = following
                turns[turn] = number
                beats = rest[turn] = message.beats(stages)[::-1]
                begun[number] = bench.cycle
                following = next(waiting, None)
        bench.put("in_valid_i", bool(beats))
        if beats:
            bench.put("in_data_i", beats.pop())
            bench.put("in_last_i", not beats)
        bench.edge()
    return [(mac, start, end) for (mac, end), start in zip(found, begun, strict=True)]


def begins_by_the_law(stages, messages, first):
    """A turn comes every n cycles and is free n b cycles after its message began."""
    free = [first + (turn - first) % stages for turn in range(stages)]
    starts = []
    for message in messages:
        turn = min(range(stages), key=lambda one: free[one])
        starts.append(free[turn])
        free[turn] += stages * len(message.beats(stages))
    return starts


def check(stages, messages):
    """Every MAC, and every cycle without pauses."""
    found = play(Bench(library(stages)), stages, messages)
    wrong = [
        number
        for number, ((mac, start, end), message) in enumerate(zip(found, messages, strict=True))
        if mac != int.from_bytes(message.mac, "big")
        or end - start != stages * len(message.beats(stages))
    ]
    assert not wrong
    assert [start for _, start, _ in found] == begins_by_the_law(stages, messages, found[0][1])
    return found


# ---- quick: what can be asked


@pytest.mark.parametrize("options", [{}, {"stages": 2, "skewed": True}], ids=["none", "skewed"])
def test_feedback_is_that_of_a_chain_whose_blocks_come_in_beats(options):
    with pytest.raises(ConfigError, match="use it with stages, without skewed"):
        make_plan(feedback=True, **options)


@pytest.mark.parametrize("stages", CHAINS)
def test_a_plan_says_the_law_and_has_ports_for_turns(stages):
    plan = make_plan(stages=stages, feedback=True)
    assert (plan.multipliers, plan.latency_cycles) == (stages, stages)
    assert f"every {stages} cycles" in plan.law
    assert {"in_open_o", "in_turn_o"} <= {port.name for port in plan.ports}


# ---- simulated


@pytest.mark.slow
@pytest.mark.parametrize("stages", [*CHAINS, 3])
def test_messages_longer_than_the_chain_take_the_cycles_of_the_law(stages):
    rng = random.Random(f"feedback {stages}")
    check(stages, [random_message(rng, 40) for _ in range(60)])


@pytest.mark.slow
@pytest.mark.parametrize("stages", CHAINS)
def test_a_message_alone_takes_a_word_a_cycle_whatever_the_chain(stages):
    message = random_message(random.Random(1), 300)
    ((_, start, end),) = check(stages, [message])
    words = len(message.words) // 16
    assert words > 8 and words <= end - start < words + stages


@pytest.mark.slow
@pytest.mark.parametrize("stages", [1, 4])
def test_pauses_change_no_mac(stages):
    rng = random.Random(2)
    messages = [random_message(rng, 20) for _ in range(60)]
    found = play(Bench(library(stages)), stages, messages, idle=at_random(3, 0.4))
    assert [mac for mac, _, _ in found] == [int.from_bytes(one.mac, "big") for one in messages]


@cache
def nist_messages():
    """Every vector of NIST to be encrypted that has an IV of 96 bits and a tag of 128."""
    found = []
    for path in nist_files():
        if "Encrypt" in path.name:
            for vector in parse_rsp(path):
                if len(vector.iv) == 12 and len(vector.tag) == 16:
                    message = message_of(
                        vector.key, vector.iv, vector.aad, vector.result, vector.tag
                    )
                    found.append((block_cipher(vector.key, bytes(16)), message))
    return found


def check_nist(stages, every):
    bench, wrong = Bench(library(stages, any_key=True)), 0
    vectors = nist_messages()[::every]
    for subkey, message in vectors:
        bench.put("subkey_i", int.from_bytes(subkey, "big"))
        ((mac, start, end),) = play(bench, stages, [message])
        wrong += mac != int.from_bytes(message.mac, "big")
        wrong += end - start != stages * len(message.beats(stages))
    assert (len(vectors) > 10, wrong) == (True, 0)


@pytest.mark.slow
@pytest.mark.parametrize("stages", CHAINS)
def test_nist_vectors_have_their_tags(stages):
    check_nist(stages, 40)


@pytest.mark.slow
@pytest.mark.parametrize("stages", CHAINS)
def test_all_nist_vectors_have_their_tags(stages):
    check_nist(stages, 1)


@pytest.mark.slow
@pytest.mark.parametrize("stages", CHAINS)
def test_ten_thousand_messages_of_up_to_300_blocks(stages):
    rng = random.Random(f"ten thousand {stages}")
    check(stages, [random_message(rng, 300) for _ in range(10_000)])

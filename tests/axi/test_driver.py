# SPDX-License-Identifier: Apache-2.0
"""The C driver of a core with a register block: its text, and its packets through the RTL.

What a packet has to become is computed by the package `cryptography`.
"""

import random
import re
import shutil

import c_driver
import pytest
from bench import compile_bench
from core_bench import compiled, core_texts
from test_axil_core import CONFIG as STREAMING
from test_axil_erase import CONFIG as ERASABLE

from gcmforge.config import CoreConfig
from gcmforge.emit import build_core
from gcmforge.emit.core import core_files
from gcmforge.emit.driver import driver
from gcmforge.emit.registers import RESULT_DEPTH, c_header, registers, systemrdl
from gcmforge.sim import reference
from gcmforge.sim.operations import Status

QUICK = {"aes": "loop", "sbox": "table", "ghash": "serial", "multiplier": "ko2"}
CONFIGS = {
    "streaming": STREAMING,
    "erasable": ERASABLE,
    "verified": CoreConfig(
        **QUICK, registers="axi4lite", release="verified", max_text_bytes=2048, zeroise="on"
    ),
    "least": CoreConfig(
        **QUICK, registers="axi4lite", contexts=1, key_sizes=(192,), iv="96", max_text_bytes=16,
        max_aad_bytes=16,
    ),
    "two lanes": CoreConfig(
        registers="axi4lite", lanes=2, contexts=2, key_sizes=(128,), iv="96", aes="loop",
        sbox="table",
    ),
    "words": CoreConfig(
        registers="axi4lite", core="micro", contexts=1, key_sizes=(128, 256), iv="96",
        sbox="table", max_text_bytes=1024, max_aad_bytes=1024,
    ),
    "words, four S-boxes": CoreConfig(
        registers="axi4lite", core="micro", sboxes=4, contexts=1, key_sizes=(128, 256), iv="96",
        max_text_bytes=1024, max_aad_bytes=1024,
    ),
    "wide": CoreConfig(registers="axi4lite", lanes=8, contexts=1024, sbox="table"),
    "encrypting": CoreConfig(**QUICK, registers="axi4lite", direction="encrypt"),
    "decrypting": CoreConfig(**QUICK, registers="axi4lite", direction="decrypt", zeroise="on"),
}  # fmt: skip
BAD_ARGUMENT, WRONG_CORE, NOT_READY, GAVE_UP, SELF_TEST_FAILED = -1, -2, -3, -4, -5
ON_ANSWER, ON_FAILURE = 1, 2
LINKED = {"__stack_chk_fail", "memcpy", "memset", "_GLOBAL_OFFSET_TABLE_"}
"""What compilers put in."""


def folder_of(config, place):
    """What the driver needs of the core's folder."""
    for name, text in {"gcm_regs.h": c_header(config), **driver(config, self_test=True)}.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    return place


# ---- text ----------------------------------------------------------------------------------------


def test_only_a_folder_with_registers_has_the_driver():
    with_registers = core_files(CoreConfig(**QUICK, registers="axi4lite"), prove=False)[0]
    without = core_files(CoreConfig(**QUICK), prove=False)[0]
    driver = {name for name in with_registers if name.startswith("sw/")}
    assert driver == {"sw/gcm.h", "sw/gcm.c", "sw/gcm_self_test.c"}
    assert not [name for name in without if name.startswith("sw/")]
    assert "### Driver" in with_registers["README.md"]
    assert "river" not in without["README.md"]


def test_a_core_for_one_key_has_no_known_answers():
    files = core_files(STREAMING, prove=False, instead={"gf128_fixed": "module gf128_fixed;\n"})[0]
    assert {name for name in files if name.startswith("sw/")} == {"sw/gcm.h", "sw/gcm.c"}
    assert "self_test(" not in files["sw/gcm.h"]


@pytest.mark.slow
@pytest.mark.cc
@pytest.mark.parametrize("name", CONFIGS)
@pytest.mark.parametrize("words", [(), ("-m32",)])
def test_the_driver_compiles_without_a_warning_and_without_a_library(name, words, tmp_path):
    """Headers of a freestanding compiler are enough, where pointers have 32 bits, too."""
    core = folder_of(CONFIGS[name], tmp_path)
    strict = ["cc", *c_driver.STRICT, *words, "-O2", "-ffreestanding", *c_driver.headers(core)]
    if words and not c_driver.accepts(words, tmp_path):
        pytest.skip("this C compiler has no -m32")
    for source in (core / "sw").glob("*.c"):
        c_driver.run([*strict, "-fno-builtin", "-S", source], tmp_path)


@pytest.mark.cc
def test_names_begin_with_the_prefix_and_nothing_but_the_driver_is_linked(tmp_path):
    """So another core's driver may be in the same program; nothing is allocated, or a variable."""
    core = folder_of(STREAMING, tmp_path)
    for source in (core / "sw").glob("*.c"):
        c_driver.run(["cc", *c_driver.headers(core), "-c", source], tmp_path)
    seen = c_driver.run(["nm", *tmp_path.glob("*.o")], tmp_path).stdout
    by_kind = {kind: set(re.findall(rf" {kind} (\w+)$", seen, re.MULTILINE)) for kind in "TUDBC"}
    assert {"gcm_init", "gcm_encrypt", "gcm_self_test"} <= by_kind["T"]
    assert [name for name in by_kind["T"] if not name.startswith("gcm_")] == []
    assert by_kind["U"] - by_kind["T"] <= LINKED
    assert by_kind["D"] | by_kind["B"] | by_kind["C"] == set()
    macros = re.findall(r"#define (\w+)", (core / "sw/gcm.h").read_text())
    assert [name for name in macros if not name.startswith("GCM_")] == []


@pytest.mark.peakrdl
@pytest.mark.systemrdl
@pytest.mark.cc
@pytest.mark.parametrize("name", ["streaming", "erasable", "decrypting"])
def test_the_c_header_agrees_with_the_one_of_peakrdl(name, tmp_path):
    """Masks and positions of all fields, and addresses, as its exporter reads them from the RDL."""
    from peakrdl_cheader.exporter import CHeaderExporter
    from systemrdl import RDLCompiler

    header = c_header(CONFIGS[name])
    (tmp_path / "gcm_regs.h").write_text(header)
    (tmp_path / "gcm_regs.rdl").write_text(systemrdl(CONFIGS[name]))
    compiler = RDLCompiler()
    compiler.compile_file(str(tmp_path / "gcm_regs.rdl"))
    CHeaderExporter().export(compiler.elaborate().top, path=str(tmp_path / "theirs.h"))

    claims = []
    for register in registers(CONFIGS[name]):
        own, theirs = f"GCM_{register.name}", f"GCM_REGS__{register.name}"
        claims.append(f"offsetof(gcm_regs_t, {register.name}) == {own}")
        if register.count > 1:
            claims.append(f"sizeof(((gcm_regs_t *)0)->{register.name}) == 4 * {own}_WORDS")
        for field in register.fields:
            if field.width < 32:
                part = field.name.upper()
                claims.append(f"{theirs}__{part}_bm == {own}_{part}_MASK")
                claims.append(f"{theirs}__{part}_bp == {own}_{part}_SHIFT")
    assert len(claims) > 60
    lines = ["#include <stddef.h>", '#include "gcm_regs.h"', '#include "theirs.h"']
    lines += [f'_Static_assert({claim}, "{claim}");' for claim in claims]
    (tmp_path / "check.c").write_text("\n".join([*lines, ""]))
    c_driver.run(["cc", "-std=c11", "-fsyntax-only", "check.c"], tmp_path)
    (tmp_path / "gcm_regs.h").write_text(header.replace("0x0a4u", "0x0a8u"))
    wrong = c_driver.run(["cc", "-std=c11", "-fsyntax-only", "check.c"], tmp_path, code=1)
    assert "COMMAND) == GCM_COMMAND" in wrong.stderr


# ---- through the RTL -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A core whose text leaves before its tag is known."""
    core = build_core(STREAMING, tmp_path_factory.mktemp("driver") / "core", prove=False)
    return c_driver.of_bench(compiled(core, "gcm_axil"))


@pytest.fixture(scope="module")
def streaming(model, tmp_path_factory):
    """The program around that core."""
    work = tmp_path_factory.mktemp("streaming")
    return c_driver.player(folder_of(STREAMING, work / "core"), work, model)


@pytest.fixture(scope="module")
def erasable(tmp_path_factory):
    work = tmp_path_factory.mktemp("erasable")
    library = compile_bench("gcm_axil", core_texts(ERASABLE), state=True)
    core = folder_of(ERASABLE, work / "core")
    return c_driver.player(core, work, c_driver.of_bench(library))


class Script:
    """Lines for the program, and what it has to answer to each."""

    def __init__(self, config, seed):
        self.config, self.rng = config, random.Random(seed)
        self.keys = [None] * config.contexts
        self.lines, self.answers = [], []
        self.sent = {"packets": 0, "forged": 0, "refused": 0, "aad": 0, "text": 0}

    def add(self, line, answer="0"):
        self.lines.append(line)
        self.answers.append(answer)

    def key(self, context):
        self.keys[context] = self.rng.randbytes(self.rng.choice(self.config.key_sizes) // 8)
        self.add(f"key {context} {self.keys[context].hex()}")

    def erase(self, context):
        self.keys[context] = None
        self.add(f"erase {context}")

    def packet(self, aad_bytes, text_bytes, *, seals, tag_bytes=16, iv_bytes=12, wrong=""):
        """One packet of any context; wrong is what is changed before it is decrypted."""
        rng = self.rng
        context, in_place = rng.randrange(self.config.contexts), rng.randrange(2)
        iv, aad, text = map(rng.randbytes, (iv_bytes, aad_bytes, text_bytes))
        key = self.keys[context]
        sealed, tag = reference.seal(key or bytes(16), iv, text, aad)
        tag = tag[:tag_bytes]
        self.sent["packets"] += 1
        self.sent["aad"] += aad_bytes
        self.sent["text"] += text_bytes
        self.sent["refused"] += key is None
        if seals:
            answer = (Status.OK, sealed, tag)
            words = ["seal", context, shown(iv), shown(aad), shown(text), tag_bytes, in_place]
        else:
            answer = (Status.OK, text, b"")
            parts = {"iv": iv, "aad": aad, "text": sealed, "tag": tag}
            if wrong and parts[wrong]:
                parts[wrong] = flipped(parts[wrong], rng)
                answer = (Status.AUTH_FAIL, bytes(text_bytes), b"")
                self.sent["forged"] += key is not None
            words = ["open", context, *map(shown, parts.values()), in_place]
        if key is None:
            answer = (Status.NO_KEY, bytes(text_bytes), bytes(tag_bytes if seals else 0))
        self.add(" ".join(map(str, words)), f"{answer[0]} {shown(answer[1])} {shown(answer[2])}")

    def random_packets(self, count, longest):
        """All lengths, all kinds of wrong packets, keys that change, and erased ones."""
        rng, any_iv = self.rng, self.config.iv_any
        for number in range(count):
            if number % 7 == 0:
                self.key(rng.randrange(self.config.contexts))
            if number % 31 == 30:
                self.erase(rng.randrange(self.config.contexts))
            if number % 50 == 0:
                self.interrupts(rng.choice((0, ON_ANSWER, ON_ANSWER | ON_FAILURE)))
                self.add(f"dma {rng.randrange(2)}")
            text = rng.randrange(longest) if number % 25 == 0 else number % 67
            aad = rng.choice((0, 0, rng.randrange(1, 70), rng.choice((16, 20, 32))))
            self.packet(
                aad if number % 11 else rng.randrange(1, 40), text if number % 11 else 0,
                seals=rng.random() < 0.5,
                tag_bytes=rng.choice((16, 16, 4, 8, 12, 13, 14, 15)),
                iv_bytes=rng.choice((12, 12, 12, 1, 8, 16, 17, 33, 60)) if any_iv else 12,
                wrong=rng.choice(("", "", "tag", "text", "aad", "iv")),
            )  # fmt: skip

    def interrupts(self, causes):
        self.add(f"interrupts {causes}", None)

    def counters(self):
        self.add("counters", " ".join(map(str, self.sent.values())))

    def wrong(self, got):
        """Lines that were not answered as they have to be."""
        assert len(got) == len(self.lines)
        return [
            (line, right, was)
            for line, right, was in zip(self.lines, self.answers, got, strict=True)
            if right is not None and was != right
        ]


def shown(data):
    return data.hex() or "-"


def flipped(data, rng):
    changed = bytearray(data)
    changed[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(changed)


@pytest.mark.slow
@pytest.mark.cc
def test_a_thousand_random_packets_come_out_right(streaming):
    script = Script(STREAMING, 27)
    script.add("init")
    script.add("test")
    script.add("counters", None)
    script.random_packets(1000, 1200)
    script.counters()
    assert script.wrong(c_driver.play(streaming, script.lines, seed=1)) == []
    answers = [answer.split()[0] for answer in script.answers if answer and " " in answer]
    assert {answers.count(str(status)) > 50 for status in (Status.OK, Status.AUTH_FAIL)} == {True}
    assert answers.count(str(Status.NO_KEY)) > 50


@pytest.mark.slow
@pytest.mark.cc
@pytest.mark.parametrize("name", ["two lanes", "words", "words, four S-boxes"])
def test_random_packets_come_out_right_in_beats_of_other_sizes(name, tmp_path):
    """Beats of 32 bytes and of 4, IVs of 12 bytes only."""
    config = CONFIGS[name]
    core = folder_of(config, tmp_path / "core")
    model = c_driver.of_bench(compile_bench(config.top, core_texts(config)))
    program = c_driver.player(core, tmp_path, model)
    script = Script(config, 8)
    script.add("init")
    script.add("test")
    script.add("counters", None)
    script.random_packets(150, 400)
    script.counters()
    assert script.wrong(c_driver.play(program, script.lines, seed=7)) == []


@pytest.mark.slow
@pytest.mark.cc
def test_interrupts_come_once_an_answer_and_tell_of_failures(streaming):
    script = Script(STREAMING, 2)
    script.add("init")
    script.key(0), script.key(1), script.key(2)
    for causes in (0, ON_ANSWER, ON_ANSWER | ON_FAILURE):
        script.interrupts(causes)
        for wrong in ("", "tag", "", ""):
            script.packet(3, 40, seals=False, wrong=wrong)
    script.interrupts(0)
    got = c_driver.play(streaming, script.lines)
    assert script.wrong(got) == []
    seen = [was for line, was in zip(script.lines, got, strict=True) if "interrupts" in line]
    assert seen == ["0 0", "0 0", f"{ON_ANSWER} 4", f"{ON_ANSWER | ON_FAILURE} 4"]


@pytest.mark.slow
@pytest.mark.cc
@pytest.mark.parametrize("causes", [0, ON_ANSWER])
def test_commands_and_answers_go_alone_where_hardware_moves_the_data(streaming, causes):
    """More commands than the core holds, long IVs among them: the driver waits for the core."""
    script, rng = Script(STREAMING, 6), random.Random(6)
    script.add("init")
    script.add("dma 1")
    script.key(1)
    script.interrupts(causes)
    expected = []
    for number in range(RESULT_DEPTH):
        iv, aad, text = map(rng.randbytes, (12 + 40 * (number % 3), number, 150))
        script.add(f"late 1 {shown(iv)} {shown(aad)} {shown(text)}")
        expected.append((len(text), reference.seal(script.keys[1], iv, text, aad)))
    for size, (sealed, tag) in expected:
        script.add(f"answer {size}", f"0 {shown(sealed)} {shown(tag)}")
    assert script.wrong(c_driver.play(streaming, script.lines)) == []


@pytest.mark.slow
@pytest.mark.cc
def test_the_driver_refuses_before_the_core_would(streaming):
    """Nothing of it reaches the bus: an access that the core refuses would end the program."""
    script = Script(STREAMING, 3)
    script.add(f"key 0 {bytes(16).hex()}", str(NOT_READY))
    script.add("init")
    script.add(f"key 3 {bytes(16).hex()}", str(BAD_ARGUMENT))
    script.add(f"key 0 {bytes(17).hex()}", str(BAD_ARGUMENT))
    script.add("erase 3", str(BAD_ARGUMENT))
    for words in ("3 00 - 00 16", "0 - - 00 16", "0 00 - 00 3", "0 00 - 00 11", "0 00 - 00 17"):
        tag = "a5" * int(words.split()[-1])
        script.add(f"seal {words} 0", f"{BAD_ARGUMENT} a5 {tag}")
    script.counters()
    assert script.wrong(c_driver.play(streaming, script.lines)) == []


@pytest.mark.slow
@pytest.mark.cc
def test_a_stream_that_stops_is_given_up_and_a_reset_mends_it(streaming):
    script = Script(STREAMING, 4)
    script.add("init")
    for context in range(3):
        script.key(context)
    packet = f"seal 0 {bytes(12).hex()} - {bytes(40).hex()} 16 0"
    nothing = f"{bytes(40).hex()} {bytes(16).hex()}"
    script.add("stop")
    script.add(packet, f"{GAVE_UP} {nothing}")
    script.add(packet, f"{NOT_READY} {'a5' * 40} {'a5' * 16}")
    script.add("reset")
    script.add("init")
    script.key(0), script.key(1), script.key(2)
    script.packet(5, 40, seals=True)
    assert script.wrong(c_driver.play(streaming, script.lines)) == []


@pytest.mark.slow
@pytest.mark.cc
def test_a_packet_that_is_erased_on_its_way_shows_nothing(erasable):
    """The port zeroise goes high while a packet is under way; after a reset the core works."""
    packet = f"seal 0 {bytes(12).hex()} {bytes(20).hex()} {bytes(200).hex()} 16 0"
    nothing = f"{bytes(200).hex()} {bytes(16).hex()}"
    script = Script(ERASABLE, 5)
    for cycles in (20, 70, 110, 150):
        script.add("init")
        script.key(0)
        script.add(f"zeroise {cycles}")
        script.add(packet, f"{Status.ERASED} {nothing}")
        script.add(packet, f"{NOT_READY} {'a5' * 200} {'a5' * 16}")
        script.add("reset")
        script.add("init")
        script.key(0), script.key(1)
        script.packet(5, 40, seals=True)
    assert script.wrong(c_driver.play(erasable, script.lines)) == []


@pytest.mark.slow
@pytest.mark.cc
def test_a_wrong_known_answer_fails_the_self_test(streaming, model, tmp_path):
    work = tmp_path / "wrong"
    shutil.copytree(streaming.parent, work)
    file = work / "core/sw/gcm_self_test.c"
    text, wrong = file.read_text(), "sealed_0[] = {\n    1 ^ 0x"
    file.write_text(text.replace("sealed_0[] = {\n    0x", wrong))
    assert wrong in file.read_text()
    c_driver.compile_c(work / "core", work, file)
    program = c_driver.link(work, model)
    assert c_driver.play(program, ["init", "test"]) == ["0", str(SELF_TEST_FAILED)]


PROBE = """
#include "gcm.h"

static uint32_t read32(void *user, uint32_t offset)
{
    return offset < 8u ? ((const uint32_t *)user)[offset / 4u] : 1u;
}

static void write32(void *user, uint32_t offset, uint32_t value)
{
    (void)user, (void)offset, (void)value;
}

static int init(uint32_t id, uint32_t config)
{
    uint32_t words[2] = {id, config};
    struct gcm_core core;
    const struct gcm_platform platform = {words, read32, write32, NULL, NULL, NULL};
    return gcm_init(&core, &platform);
}

int main(void)
{
    return !(init(0x014d4347u, GCM_BUILT_WITH) == GCM_OK
             && init(0x014d4348u, GCM_BUILT_WITH) == GCM_WRONG_CORE
             && init(0x014d4347u, GCM_BUILT_WITH ^ 1u << 16) == GCM_WRONG_CORE);
}
"""


@pytest.mark.cc
def test_a_core_that_was_built_otherwise_is_not_driven(tmp_path):
    core = folder_of(STREAMING, tmp_path)
    (tmp_path / "probe.c").write_text(PROBE)
    sources = ["probe.c", core / "sw/gcm.c"]
    c_driver.run(
        ["cc", *c_driver.STRICT, *c_driver.headers(core), *sources, "-o", "probe"], tmp_path
    )
    c_driver.run([tmp_path / "probe"], tmp_path)

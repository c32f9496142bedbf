# SPDX-License-Identifier: Apache-2.0
"""Cores with one direction: what they take is right, and commands of the other one are refused."""

import random
import re
from dataclasses import replace

import pytest

from gcmforge.config import ConfigError, CoreConfig
from gcmforge.emit.core import core_files
from gcmforge.emit.folder import write_folder
from gcmforge.sim import Core, Expected, LoadKey, Packet, Stalls, Status, reference
from gcmforge.sim.aead import AESGCM, built
from gcmforge.sim.directions import misdirected
from gcmforge.sim.edges import edge_operations
from gcmforge.sim.operations import packets_of
from gcmforge.sim.pairs import pair_operations
from gcmforge.sim.traffic import random_traffic

SMALL = CoreConfig(sbox="table", mix_columns="small", contexts=2)
FIG_5 = CoreConfig(core="yang2005", key_sizes=(128,), contexts=1, iv="96", sbox="table")
KEY = bytes(range(16))
LOAD = LoadKey(context=0, key=KEY)
DIRECTIONS = ("encrypt", "decrypt")


def one_way(direction: str, **options: object) -> CoreConfig:
    return replace(SMALL, direction=direction, **options)


def sealed(rng: random.Random, size: int, *, decrypt: bool) -> Packet:
    """A packet with nothing wrong: the right tag when decrypting."""
    iv, aad, plain = rng.randbytes(12), rng.randbytes(5), rng.randbytes(size)
    text, tag = reference.seal(KEY, iv, plain, aad)
    return Packet(
        context=0, decrypt=decrypt, iv=iv, aad=aad, text=text if decrypt else plain,
        tag=tag if decrypt else None, tag_bytes=16, label=f"{size} bytes",
        expect=Expected(
            text=plain if decrypt else text, tag=None if decrypt else tag, status=Status.OK
        ),
    )  # fmt: skip


# ---- what cannot be asked


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"direction": "encrypt", "release": "verified", "max_text_bytes": 2048},
         r"none is decrypted; use release=streaming, or direction=both"),
        ({"direction": "decrypt", "iv": "counter"},
         r"there are none; use iv=96, or direction=both"),
        ({"direction": "up"}, r"direction=up: not allowed; use both, encrypt or decrypt"),
    ],
    ids=["encrypt and verified", "decrypt and counter", "unknown"],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_with_what_to_do(options, message):
    with pytest.raises(ConfigError, match=message):
        CoreConfig(**options)


def test_a_core_with_both_directions_has_nothing_of_the_modules_for_one():
    _, rtl, _ = core_files(SMALL, prove=False)
    assert not [name for name in rtl if re.search(r"gcm_(command|slot)_(en|de)crypts", name)]


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_the_folder_of_a_core_with_one_direction_has_its_modules_and_no_others(direction):
    files, rtl, _ = core_files(one_way(direction), prove=False)
    names = [name for name in rtl if re.search(r"gcm_(command|slot)_(en|de)crypts", name)]
    assert sorted(names) == [f"rtl/gcm_command_{direction}s.sv", f"rtl/gcm_slot_{direction}s.sv"]
    assert "STATUS_BAD_DIRECTION = 4'd8" in files["gen/gcm_pkg.sv"]


# ---- traffic knows the direction


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("make", ["random", "edges", "pairs"])
def test_traffic_of_the_direction_that_is_built_is_taken_and_all_other_is_refused(direction, make):
    config = one_way(direction)
    packets = packets_of(
        {
            "random": lambda: random_traffic(config, packets=800, seed=3),
            "edges": lambda: edge_operations(config),
            "pairs": lambda: pair_operations(config),
        }[make]()
    )
    right = [one for one in packets if one.decrypt == (direction == "decrypt")]
    other = [one for one in packets if one.decrypt != (direction == "decrypt")]
    assert len(right) > len(other) / 2
    assert other or make == "edges"  # those are chosen with the direction
    assert {one.expect.status for one in other} <= {Status.BAD_DIRECTION}
    assert not any(any(one.expect.text) or one.expect.tag for one in other)
    assert Status.BAD_DIRECTION not in {one.expect.status for one in right}
    assert Status.OK in {one.expect.status for one in right}


# ---- the cores


@pytest.fixture(
    scope="module",
    params=[(config, direction) for config in (SMALL, FIG_5) for direction in DIRECTIONS],
    ids=lambda one: f"{one[0].core}-{one[1]}",
)
def core(request: pytest.FixtureRequest) -> Core:
    config, direction = request.param
    return Core(built(replace(config, direction=direction)))


@pytest.mark.slow
def test_of_a_packet_of_the_other_direction_nothing_leaves_and_the_next_one_is_right(core):
    rng = random.Random(1)
    decrypt = core.config.direction == "decrypt"
    operations = [LOAD]
    for size in (0, 1, 16, 17, 64, 200):
        asked = sealed(rng, size, decrypt=not decrypt)  # with its right tag
        refusal = reference.refusal(asked.text, Status.BAD_DIRECTION)
        operations += [replace(asked, expect=refusal), sealed(rng, size, decrypt=decrypt)]
    result = core.run(operations, stalls=Stalls.named("both"), seed=2)
    assert result.clean, result.failures
    for packet, answer in zip(packets_of(operations), result.answers, strict=True):
        if packet.decrypt != decrypt:
            assert (answer.status, answer.ok, answer.tag) == (8, False, bytes(16))
            assert not any(answer.text)
        else:
            assert answer.status == 0 and answer.text == packet.expect.text


@pytest.mark.slow
def test_whatever_else_is_wrong_the_direction_is_what_is_said(core):
    rng = random.Random(2)
    good = sealed(rng, 40, decrypt=core.config.direction == "decrypt")
    ways = (
        {"context": 1},  # without a key
        {"iv": b""},
        *({"tag_bytes": size} for size in range(32)),
    )
    packets = [misdirected(core.config, replace(good, **way)) for way in ways]
    lengths = [
        replace(good, tag_bytes=n, expect=reference.refusal(good.text, Status.BAD_TAG_LENGTH))
        for n in (0, 31)
    ]
    result = core.run([LOAD, *packets, *lengths])
    assert result.clean, result.failures
    assert [one.status for one in result.answers] == [8] * len(packets) + [4, 4]


@pytest.mark.slow
def test_the_python_interface_says_what_the_core_was_built_for():
    with (
        AESGCM(one_way("encrypt"), KEY) as aead,
        pytest.raises(ValueError, match="built to encrypt only"),
    ):
        aead.decrypt(bytes(12), bytes(16), None)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("direction", "options"),
    [
        *((direction, {}) for direction in DIRECTIONS),
        *((direction, {"lanes": 4}) for direction in DIRECTIONS),
        ("decrypt", {"zeroise": "on", "release": "verified", "max_text_bytes": 512,
                     "timeout": 200}),
        ("encrypt", {"zeroise": "on", "iv": "counter", "iv_limit": 100}),
        ("decrypt", {"slots": "ahead", "iv": "96", "lanes": 2, "contexts": 1}),
        ("encrypt", {"slots": "line", "tail": "dedicated", "j0": "dedicated", "aad_lanes": 1}),
    ],
    ids=lambda one: one if isinstance(one, str) else "-".join(map(str, one.values())) or "plain",
)  # fmt: skip
def test_random_traffic_is_right(direction, options):
    core = Core(built(one_way(direction, **options)))
    traffic = random_traffic(core.config, packets=1500, seed=7)
    result = core.run(traffic, stalls=Stalls.named("both"), seed=7)
    assert result.clean, result.failures
    refused = [one for one in packets_of(traffic) if one.expect.status is Status.BAD_DIRECTION]
    assert len(refused) > 40


@pytest.mark.slow
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_the_folder_of_yang_2005_with_one_direction_has_nothing_of_the_other(direction):
    both, _, _ = core_files(FIG_5, prove=False)
    files, rtl, _ = core_files(replace(FIG_5, direction=direction), prove=False)
    code = "".join(re.sub("//.*", "", files[name]) for name in rtl if name.startswith("rtl/"))
    assert {"rtl/gcm_yang2005.sv"} == {name for name in both if "yang2005" in name} - {*files}
    own = {"encrypt": "ended_q", "decrypt": "expected_q"}
    assert [one for one, word in own.items() if word in code] == [direction]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("direction", "file", "right", "wrong"),
    [
        ("encrypt", "encrypts", "refuses_o    = decrypt_i", "refuses_o    = 1'b0"),
        ("decrypt", "decrypts", "refuses_o    = !decrypt_i", "refuses_o    = 1'b0"),
        ("encrypt", "encrypts", "sent_status_q == gcm_pkg::STATUS_OK", "1'b1"),
        ("encrypt", "one_way", "s_cmd_context ? gcm_pkg", "1'b0 ? gcm_pkg"),
        ("decrypt", "decrypts", "& tag_mask) == '0", "& tag_mask) == '0 || 1'b1"),
        ("decrypt", "decrypts", "status_i != gcm_pkg::STATUS_OK || tag_equal", "tag_equal"),
    ],
    ids=["encrypts all", "decrypts all", "a refused tag", "a context", "no verdict", "a status"],
)  # fmt: skip
def test_random_traffic_notices_in_yang_2005(tmp_path, direction, file, right, wrong):
    files, _, _ = core_files(replace(FIG_5, direction=direction), prove=False)
    name = f"rtl/yang2005_{file}.sv"
    assert files[name].count(right) == 1
    files[name] = files[name].replace(right, wrong)
    write_folder(files, tmp_path / "core")
    core = Core(tmp_path / "core")
    traffic = random_traffic(core.config, packets=300, seed=7)
    assert not core.run([*edge_operations(core.config), *traffic]).clean


@pytest.mark.slow
@pytest.mark.parametrize(
    ("direction", "module", "right", "wrong"),
    [
        ("encrypt", "command", "decrypt_i ? gcm_pkg", "1'b0 ? gcm_pkg"),
        ("decrypt", "command", "!decrypt_i ? gcm_pkg", "1'b0 ? gcm_pkg"),
        ("encrypt", "command", "OTHER_TAG_BYTES ? '0", "OTHER_TAG_BYTES ? 5'd16"),
        ("decrypt", "slot", "fact.decrypt = 1'b1", "fact.decrypt = 1'b0"),
        ("encrypt", "slot", "status != gcm_pkg::STATUS_OK", "status == '0"),
    ],
    ids=["encrypts all", "decrypts all", "a length passes", "slots encrypt", "no status"],
)  # fmt: skip
def test_random_traffic_notices(tmp_path, direction, module, right, wrong):
    file = f"rtl/gcm_{module}_{direction}s.sv"
    files, _, _ = core_files(one_way(direction), prove=False)
    assert files[file].count(right) == 1
    files[file] = files[file].replace(right, wrong)
    write_folder(files, tmp_path / "core")
    core = Core(tmp_path / "core")
    traffic = random_traffic(core.config, packets=400, seed=7)
    assert not core.run([*edge_operations(core.config), *traffic]).clean

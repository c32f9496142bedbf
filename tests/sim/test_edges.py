# SPDX-License-Identifier: Apache-2.0
"""Edge packets: what they reach, that the model agrees, and that they catch what traffic misses."""

import shutil

import pytest

from gcmforge.config import CoreConfig
from gcmforge.config.presets import preset
from gcmforge.model import decrypt, encrypt, encrypt_block, initial_counter, key_expansion
from gcmforge.sim import LoadKey, Packet, Status, verify
from gcmforge.sim.aead import built
from gcmforge.sim.edges import WIDE_BYTES, edge_operations


def packets(config):
    operations = edge_operations(config)
    keys = {o.context: o.key for o in operations if isinstance(o, LoadKey)}
    return [(keys.get(o.context), o) for o in operations if isinstance(o, Packet)]


@pytest.mark.parametrize(
    "config", [CoreConfig(lanes=2), CoreConfig(iv="96", contexts=1, key_sizes=(192,))]
)
def test_the_model_answers_the_same(config):
    for key, packet in packets(config):
        if max(len(packet.text), len(packet.aad), len(packet.iv)) > 300:
            continue  # the model is slow; these are cryptography's alone
        expect, status = packet.expect, packet.expect.status
        if status in (Status.NO_KEY, Status.BAD_IV, Status.BAD_TAG_LENGTH):
            continue
        if packet.decrypt:
            text = decrypt(key, packet.iv, packet.text, packet.aad, tag=packet.tag)
            assert text == (expect.text if status is Status.OK else None), packet.label
        else:
            n = packet.tag_bytes
            answer = encrypt(key, packet.iv, packet.text, packet.aad, tag_bytes=n)
            assert answer == (expect.text, expect.tag), packet.label


def test_they_reach_what_they_are_for():
    found = [packet for _, packet in packets(CoreConfig())]
    statuses = {packet.expect.status for packet in found}
    assert statuses == {
        Status.OK, Status.AUTH_FAIL, Status.NO_KEY, Status.BAD_IV, Status.BAD_TAG_LENGTH,
    }  # fmt: skip
    assert {packet.tag_bytes for packet in found} == set(range(32))
    assert {0, 1, 268, 32_768, 65_535} <= {len(packet.iv) for packet in found}
    assert {len(packet.text) for packet in found} >= {WIDE_BYTES}
    assert {len(packet.aad) for packet in found} >= {WIDE_BYTES}


@pytest.mark.parametrize("lanes", [1, 4, 7])
def test_byte_15_of_the_counter_carries_in_every_lane_of_a_last_beat(lanes):
    """The lane with the carry and the blocks of that beat, from J_0 as the model derives it."""
    found = set()
    for key, packet in packets(CoreConfig(lanes=lanes)):
        if "J0 ends" in packet.label:
            h = encrypt_block(key_expansion(key), 0)
            blocks = -(-len(packet.text) // 16)
            in_last = (blocks - 1) % lanes + 1
            first = (initial_counter(h, packet.iv) + 1 + blocks - in_last) % 256
            found |= {(-first % 256, in_last)}
    assert found >= {(lane, n) for n in range(1, lanes + 1) for lane in range(n)}


def test_they_keep_to_the_limits_of_the_core():
    config = CoreConfig(max_text_bytes=32, max_aad_bytes=16, iv="96", contexts=2)
    found = edge_operations(config)
    assert {o.context for o in found} == {0, 1}
    for _, packet in packets(config):
        within = len(packet.text) <= 32 and len(packet.aad) <= 16
        assert within == (packet.expect.status is not Status.TOO_LONG)
        assert packet.expect.status is not Status.OK or len(packet.iv) == 12


@pytest.mark.slow
def test_a_core_with_low_limits_passes():
    config = CoreConfig(
        aes="loop",
        aes_rounds=3,
        ghash="serial",
        contexts=1,
        iv="96",
        max_text_bytes=64,
        max_aad_bytes=40,
    )
    report = verify(built(config), packets=100, seed=1, stalls="both")
    assert report.ok, report.failures


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "old", "new"),
    [
        ("gcm_tag", "match  = tag == '0", "match  = tag[127:1] == '0"),
        ("gcm_slot_count", "text_sum << 3", "64'(16'(text_sum)) << 3"),
        ("gcm_join", "SLOT_TEXT ? slot_i.keep : '0", "SLOT_TEXT ? '1 : '0"),
    ],
    ids=["one bit of the tag ignored", "length of 16 bits", "tkeep too wide"],
)
def test_verify_notices(module, old, new, tmp_path):
    folder = tmp_path / "core"
    shutil.copytree(built(preset("small")), folder)
    file = folder / f"rtl/{module}.sv"
    file.chmod(0o644)
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))
    report = verify(folder, packets=1, seed=1, allow_changed=True)
    assert not report.ok
    first = str(report.failures[0])
    assert "edge packet" in first or "u_join.keep_is_of_text" in first, report.failures

# SPDX-License-Identifier: Apache-2.0
"""Parts of a core with their power: the traffic is that of GCM, and a wrong netlist is refused."""

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from gcmforge.config.presets import load_config
from gcmforge.measure.subject import part_subject
from gcmforge.netlist.targets import find_target
from gcmforge.power.traffic import TrafficError
from gcmforge.study.papers.making import _part_texts
from gcmforge.study.papers.measured import Need
from gcmforge.study.papers.part_power import (
    aes_traffic,
    ghash_traffic,
    mapped_part,
    part_power,
    reflected,
)

ONE_LANE = ("lanes=1", "ghash=serial", "squarers=cascade", "multiplier=ko6")
EIGHT_LANES = load_config(None, "mozaffari2012", ())


def test_blocks_that_the_aes_is_to_show_are_those_of_aes():
    traffic = aes_traffic(EIGHT_LANES, 4)
    beats = [beat for beat in traffic.ports["in_blocks_i"] if beat]
    encryptor = Cipher(algorithms.AES(bytes(range(16))), modes.ECB()).encryptor()
    for beat, expected in zip(beats, traffic.expected, strict=False):
        assert encryptor.update(beat.to_bytes(128, "big")) == expected.to_bytes(128, "big")
    first, second = (f"{beat:0256x}" for beat in beats[:2])
    assert int(second[24:32], 16) == int(first[24:32], 16) + 8


def test_digests_that_the_ghash_is_to_show_are_tags_of_gmac():
    """The last block is the lengths, and E(K, Y0) is added: with the AAD one block short it is."""
    traffic = ghash_traffic(EIGHT_LANES, 4)
    assert len({len(values) for values in traffic.ports.values()}) == 1
    key, iv = bytes(range(16)), bytes(12)
    encryptor = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
    subkey = next(value for value in traffic.ports["subkey_i"] if value)
    assert reflected(subkey).to_bytes(16, "big") == encryptor.update(bytes(16))
    mac = Cipher(algorithms.AES(key), modes.GCM(iv)).encryptor()
    mac.authenticate_additional_data(bytes(range(32)))
    mac.finalize()
    y0 = encryptor.update(iv + b"\0\0\0\1")
    digest = int.from_bytes(mac.tag, "big") ^ int.from_bytes(y0, "big")
    from gcmforge.model import ghash

    blocks = [int.from_bytes(bytes(range(n, n + 16)), "big") for n in (0, 16)]
    assert ghash(reflected(subkey), [*blocks, 256 << 64]) == digest


def test_the_register_after_shift_rows_stands_between_whole_sboxes_and_mix_columns():
    need = Need(
        what="mozaffari2012", module="gcm_aes", settings=("aes_substages=2",), after_shift=True
    )
    config = load_config(None, need.what, need.settings)
    texts = _part_texts(need, config)
    assert "Stage 2" not in texts["aes_sbox.sv"]
    assert "aes_sub_shift_now u_now" in texts["aes_sub_shift.sv"]
    assert "Stage 2" in part_subject("", config, "gcm_aes").texts["aes_sbox.sv"]


@pytest.mark.slow
@pytest.mark.yosys
@pytest.mark.osu018
def test_a_wrong_netlist_is_refused_and_a_right_one_has_power():
    config, target = load_config(None, "mozaffari2012", ONE_LANE), find_target("osu018")
    texts = dict(part_subject("", config, "gcm_ghash").texts)
    right = mapped_part(texts, "gcm_ghash", target, effort="quick", goal="area")
    power = part_power(config, "gcm_ghash", right, target, cycles=4)
    assert power.average_uw > power.leakage_uw > 0
    text = texts["gf128_mul.sv"]
    texts["gf128_mul.sv"] = text.replace("assign c_o[5] = ", "assign c_o[5] = ~", 1)
    assert texts["gf128_mul.sv"] != text
    wrong = mapped_part(texts, "gcm_ghash", target, effort="quick", goal="area")
    with pytest.raises(TrafficError, match="do not go as the model"):
        part_power(config, "gcm_ghash", wrong, target, cycles=4)

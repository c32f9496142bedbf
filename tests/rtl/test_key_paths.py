# SPDX-License-Identifier: Apache-2.0
"""No bit of a key, round key, hash subkey or salt reaches a port but through AES and GHASH."""

import pytest
from key_paths import key_graph, key_material, leaks

from gcmforge.config import CoreConfig
from gcmforge.emit import BuiltCore, build_core

SMALL = {"sbox": "table", "mix_columns": "small", "contexts": 2}
CORES = {
    "small": CoreConfig(**SMALL, aes="loop", ghash="serial", zeroise="on"),
    "default": CoreConfig(sbox="table"),
    "travelling": CoreConfig(
        **SMALL, aes="loop_parallel", aes_loops=2, key_schedule="travelling", iv="counter",
        ghash="evaluated", timeout=64,
    ),
    "dedicated": CoreConfig(
        **(SMALL | {"contexts": 20}), lanes=2, key_unit="dedicated", tail="dedicated",
        j0="dedicated", aad_lanes=1, ghash_stages=2, counter_sharing="on", release="verified",
        max_text_bytes=1024,
    ),
    "line": CoreConfig(**SMALL, slots="line", zeroise="on"),
    "window": CoreConfig(
        **SMALL, aes="loop", aes_rounds=2, ghash="window", window_bits=3, window_splits=1
    ),
    "residues": CoreConfig(**SMALL, lanes=2, aes="loop", ghash="residues"),
    "digit": CoreConfig(**SMALL, aes="loop", ghash="digit", zeroise="on"),
    "log_tail": CoreConfig(**SMALL, lanes=2, aes="loop", ghash="log_tail"),
    "interleaved": CoreConfig(**SMALL, lanes=2, aes="loop", ghash="interleaved"),
    "shared_reduction": CoreConfig(**SMALL, lanes=2, aes="loop", ghash="shared_reduction"),
    "dot": CoreConfig(**SMALL, lanes=2, aes="loop", ghash="dot", ghash_stages=2),
    "registers": CoreConfig(**SMALL, aes="loop", ghash="serial", registers="axi4lite"),
    "macsec": CoreConfig(**SMALL, aes="loop", ghash="serial", profile="macsec"),
    "ipsec": CoreConfig(**SMALL, aes="loop", ghash="serial", profile="ipsec", zeroise="on"),
    "tls13": CoreConfig(**SMALL, aes="loop", ghash="serial", profile="tls13"),
}  # fmt: skip
QUICK = ("small", "registers")
every_core = [pytest.param(n, marks=[pytest.mark.slow] * (n not in QUICK)) for n in CORES]

SALTS = {"macsec": "s_key_salt", "ipsec": "s_key_salt", "tls13": "s_key_iv"}

FAULTS = {
    "a key bit in a ready": (
        "gcm_keys", "key_ready_o     = idle_q", "key_ready_o     = !round_key_o[7] && idle_q",
        "s_key_tready",
    ),
    "a round key bit in a valid": (
        "aes_loop", "out_valid_o  = out_valid_q",
        "out_valid_o  = out_valid_q && |gen_stage[0].round_key", "m_axis_tvalid",
    ),
    "a block with its first round key only": (
        "aes_loop", "out_blocks_o = out_q", "out_blocks_o = out_q & whitened", "m_axis_tdata[0]"
    ),
    "a round key that says when": (
        "aes_loop", "in_order  = wait_time", "in_order  = first_key[0] && wait_time",
        "s_axis_tready",
    ),
    "a hash subkey with its product": (
        "ghash_serial", "digest_o = sum_q", "digest_o = sum_q ^ subkey", "m_tag_tag[0]"
    ),
    "an entry of a table with the digest": (
        "ghash_residues", ".product_i       (product)",
        ".product_i       (product ^ multiple_q[127:0])", "m_tag_tag[0]",
    ),
    "a power's block that says when a message ends": (
        "ghash_residues", ".last_i          (in_last_i)",
        ".last_i          (in_last_i ^ operand_q[Lanes*128-1])", "m_tag_tvalid",
    ),
    "E(K, 0) on its way to GHASH": (
        "gcm_back", ".in_valid_i (release_valid)",
        ".in_valid_i (release_valid ^ subkey_i[9])", "m_axis_tvalid",
    ),
}  # fmt: skip
"""Module, what is there, what it becomes, and a port that key material reaches then."""
AT = {"ghash_residues": "residues", "a round key that says when": "window"}
"""Module or fault: a core that has it, where that is not the small one."""

QUICK_FAULTS = ("a key bit in a ready", "a hash subkey with its product")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Cores by name, built when first asked for."""
    folder, made = tmp_path_factory.mktemp("cores"), {}

    def get(name: str) -> BuiltCore:
        if name not in made:
            made[name] = build_core(CORES[name], folder / name.replace(" ", "_"), prove=False)
        return made[name]

    return get


def keys(config: CoreConfig) -> tuple[str, ...]:
    """The net that holds a key as it came in."""
    return ("u_regs.u_key.key_q" if config.registers == "axi4lite" else "s_key_tdata",)


@pytest.mark.slow
@pytest.mark.parametrize("name", every_core)
def test_no_bit_of_a_key_reaches_a_port(name, built, tmp_path):
    core = built(name)
    graph = key_graph(core, tmp_path)
    assert leaks(graph, keys(core.config)) == {}
    powers = 128 * core.config.lanes
    assert len(key_material(graph, keys(core.config))) >= 256 + 128 + powers


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.slow) for name in SALTS])
def test_no_bit_of_a_salt_reaches_a_port(name, built, tmp_path):
    """It is in IVs, and a long IV goes the way of data: to GHASH, and with the key stream."""
    graph = key_graph(built(name), tmp_path)
    stream = next(net for net in graph.nets if net.endswith("u_core.stream"))
    assert leaks(graph, [SALTS[name]]) != {}
    assert leaks(graph, [SALTS[name]], masks=[stream]) == {}


@pytest.mark.parametrize(
    "fault", [pytest.param(n, marks=[pytest.mark.slow] * (n not in QUICK_FAULTS)) for n in FAULTS]
)
def test_a_bit_that_does_is_seen_with_its_way(fault, built, tmp_path):
    module, before, after, port = FAULTS[fault]
    core = built(AT.get(module, AT.get(fault, "small")))
    file = core.path / f"rtl/{module}.sv"
    text = file.read_text()
    assert text.count(before) == 1, before
    file.chmod(0o644)
    try:
        file.write_text(text.replace(before, after))
        found = leaks(key_graph(core, tmp_path), keys(core.config))
    finally:
        file.write_text(text)
    assert port in found
    assert found[port].startswith(f"{port} <- ")

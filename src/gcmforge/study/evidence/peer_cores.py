# SPDX-License-Identifier: Apache-2.0
"""Open cores of others: where each is, and what is around it when it is measured."""

from dataclasses import dataclass

Port = tuple[str, str, int]


@dataclass(frozen=True, kw_only=True, slots=True)
class Peer:
    """One core of somebody else, and the module around it."""

    repository: str
    commit: str
    files: tuple[str, ...]
    """In the order of compilation."""
    module: str
    ports: tuple[Port, ...]
    """Name, direction, width."""
    tied: tuple[tuple[str, str], ...] = ()
    """Inputs that are constant, as Verilog writes them."""
    generator: tuple[str, ...] = ()
    """A Python script of its repository that makes some of the files, and its arguments."""
    generics: tuple[str, ...] = ()
    """Of a VHDL entity, or the parameters of a module, as NAME=VALUE."""
    slang: tuple[str, ...] = ()
    """Options of Yosys's read_slang, for SystemVerilog with packages that read_verilog refuses; a
    folder of its repository as +DIR."""
    clock: str = "clk"
    no_clock: str = ""
    """Why it has none, in one line: such a one is counted on the FPGA, and not mapped to cells."""
    not_mapped: str = ""
    """Why it has no figures at all, in one line."""
    key_bits: int = 128
    """Of the key that `cycles` is for."""
    cycles: int
    """From one block of a message to the next."""
    cycles_from: str
    does: str
    lacks: str
    """What it has not of what our core has, with which it would be larger."""


PEERS = {
    "secworks-aes": Peer(
        repository="https://github.com/secworks/aes",
        commit="80dc4718e1dcbbdb4b0dd1bdb393d8f7b98981dc",
        files=(
            "src/rtl/aes_core.v", "src/rtl/aes_encipher_block.v", "src/rtl/aes_decipher_block.v",
            "src/rtl/aes_key_mem.v", "src/rtl/aes_sbox.v", "src/rtl/aes_inv_sbox.v",
        ),
        module="aes_core",
        ports=(
            ("clk", "input", 1), ("reset_n", "input", 1), ("init", "input", 1),
            ("next", "input", 1), ("ready", "output", 1), ("key", "input", 256),
            ("keylen", "input", 1), ("block", "input", 128), ("result", "output", 128),
            ("result_valid", "output", 1),
        ),
        tied=(("encdec", "1'b1"),),
        cycles=53,
        cycles_from="a simulation of that commit, from `next` to `ready`",
        does="AES-128 and 256, encryption alone (`encdec` tied to 1)",
        lacks="GHASH, counters, tags, statuses, streams",
    ),
    "satcat5": Peer(
        repository="https://github.com/the-aerospace-corporation/satcat5",
        commit="90c6f8d47c0f435f9b824c2aeb320e819a391cd7",
        files=tuple(
            f"src/vhdl/common/{name}.vhd"
            for name in ("common_functions", "aes_cipher", "aes_gcm_gf_mult", "aes_gcm")
        ),
        module="aes_gcm",
        generics=("KEY_WIDTH=256", "DATA_WIDTH=32", "CFG_WIDTH=32", "IS_ENCRYPT=false"),
        ports=(
            ("clk", "input", 1), ("reset_p", "input", 1), ("key_iv_in", "input", 32),
            ("key_iv_val", "input", 2), ("key_rdy", "output", 1), ("iv_rdy", "output", 1),
            ("aad_txt_in", "input", 32), ("aad_txt_last", "input", 1), ("aad_txt_val", "input", 2),
            ("aad_rdy", "output", 1), ("txt_in_rdy", "output", 1), ("txt_data", "output", 32),
            ("txt_last", "output", 1), ("txt_valid", "output", 1), ("txt_ready", "input", 1),
            ("tag_data", "output", 32), ("tag_valid", "output", 1), ("tag_ready", "input", 1),
        ),
        key_bits=256,
        cycles=16,
        cycles_from="the header of its aes_gcm.vhd",
        does="AES-256-GCM, decryption alone (GHDL 2.0 refuses a slice of its encryption), streams "
        "of 32 bits",
        lacks="keys of 128 bits beside those of 256, encryption, a check of the tag, statuses",
    ),
    "gmu": Peer(
        repository="https://github.com/GMUCERG/AESGCM",
        commit="0498ad31815d815d85e4c889f342968662558462",
        files=tuple(
            f"src_rtl/{name}.vhd"
            for name in (
                "AES_pkg", "AES_map", "AES_invmap", "AES_Sbox", "AES_SubBytes", "AES_mul",
                "AES_MixColumn", "AES_MixColumns", "AES_ShiftRows", "AES_KeyUpdate", "AES_Round",
                "AES_Enc_KOF_Datapath", "AES_Enc_KOF_Control", "AES_Enc_KOF", "AEAD_pkg",
                "v1/GCM_Mult", "CipherCore_Datapath", "CipherCore_Control", "CipherCore",
            )
        ),
        module="CipherCore",
        ports=(
            ("clk", "input", 1), ("rst", "input", 1), ("key", "input", 32), ("bdi", "input", 128),
            ("key_ready", "output", 1), ("key_valid", "input", 1), ("key_update", "input", 1),
            ("decrypt", "input", 1), ("bdi_ready", "output", 1), ("bdi_valid", "input", 1),
            ("bdi_type", "input", 3), ("bdi_partial", "input", 1), ("bdi_eot", "input", 1),
            ("bdi_eoi", "input", 1), ("bdi_size", "input", 5), ("bdi_valid_bytes", "input", 16),
            ("bdi_pad_loc", "input", 16), ("bdo", "output", 128), ("bdo_valid", "output", 1),
            ("bdo_ready", "input", 1), ("bdo_size", "output", 5), ("msg_auth_done", "output", 1),
            ("msg_auth_valid", "output", 1),
        ),
        cycles=11,
        cycles_from="its docs/variants.txt, the same in a simulation of that commit",
        does="AES-128-GCM, both directions, a check of the tag, a key of 32 bits at a time, blocks "
        "of 128 bits: its CipherCore, variant v1 (v2 multiplies in 32 cycles, not 8), without the "
        "LWC API around it, since GHDL 2.0 reads the old word of that one's FIFO in the cycle of "
        "a write (with that mended, the Verilog gives all 3,212 words of its known answers)",
        lacks="keys of 256 bits, a bus of 32 bits with its headers, statuses",
    ),
    "opentitan": Peer(
        repository="https://github.com/lowRISC/opentitan",
        commit="34ceb5eb568742f75f01ee23de994ad9f65eae82",
        files=tuple(
            f"hw/ip/{folder}/rtl/{name}.sv"
            for folder, names in (
                ("lc_ctrl", "lc_ctrl_state_pkg lc_ctrl_reg_pkg lc_ctrl_pkg"),
                ("keymgr", "keymgr_reg_pkg keymgr_pkg"),
                ("prim", "prim_util_pkg prim_mubi_pkg prim_trivium_pkg prim_subreg_pkg "
                 "prim_alert_pkg prim_secded_pkg prim_count_pkg prim_cipher_pkg"),
                ("entropy_src", "entropy_src_pkg"),
                ("csrng", "csrng_reg_pkg csrng_pkg"),
                ("edn", "edn_pkg"),
                ("aes", "aes_reg_pkg aes_pkg aes_sbox_canright_pkg aes_cipher_core "
                 "aes_cipher_control aes_cipher_control_fsm aes_cipher_control_fsm_n "
                 "aes_cipher_control_fsm_p aes_key_expand aes_mix_columns aes_mix_single_column "
                 "aes_prng_masking aes_sbox aes_sbox_canright aes_sbox_canright_masked "
                 "aes_sbox_canright_masked_noreuse aes_sbox_dom aes_sbox_lut aes_sel_buf_chk "
                 "aes_shift_rows aes_sub_bytes aes_core aes_control aes_control_fsm "
                 "aes_control_fsm_n aes_control_fsm_p aes_ctr aes_ctr_fsm aes_ctr_fsm_n "
                 "aes_ctr_fsm_p aes_ghash aes_ghash_wrap aes_reg_status aes_prng_clearing "
                 "aes_ctrl_reg_shadowed aes_ctrl_gcm_reg_shadowed"),
                ("prim_generic", "prim_pkg prim_buf prim_flop prim_flop_en prim_xor2 prim_and2"),
                ("prim", "prim_sparse_fsm_flop prim_sec_anchor_buf prim_sec_anchor_flop "
                 "prim_trivium prim_count prim_onehot_check prim_onehot_mux prim_blanker "
                 "prim_gf_mult prim_lfsr prim_subreg_shadow prim_subreg_arb prim_subreg "
                 "prim_packer_fifo prim_lc_sync"),
            )
            for name in names.split()
        ),
        slang=("-DSYNTHESIS", "-DYOSYS", "-I", "+hw/ip/prim/rtl"),
        module="aes_core",
        generics=(
            "AES192Enable=0", "AESGCMEnable=1", "SecMasking=0",
            "SecSBoxImpl=aes_pkg::SBoxImplCanright",
        ),
        ports=(
            ("clk_i", "input", 1), ("rst_ni", "input", 1), ("rst_shadowed_ni", "input", 1),
            ("entropy_clearing_req_o", "output", 1), ("entropy_clearing_ack_i", "input", 1),
            ("entropy_clearing_i", "input", 32), ("alert_recov_o", "output", 1),
            ("alert_fatal_o", "output", 1), ("reg2hw", "input", 981), ("hw2reg", "output", 949),
        ),
        tied=(
            ("entropy_masking_req_o", ""), ("entropy_masking_ack_i", "1'b0"),
            ("entropy_masking_i", "'0"), ("keymgr_key_i", "'0"),
            ("lc_escalate_en_i", "lc_ctrl_pkg::Off"), ("shadowed_storage_err_i", "1'b0"),
            ("shadowed_update_err_i", "1'b0"), ("intg_err_alert_i", "1'b0"),
        ),
        clock="clk_i",
        cycles=12,
        cycles_from="its README (AES-128, not masked), the same in a simulation of that commit",
        does="AES-128 and 256, both directions, GCM beside ECB, CBC, CFB, OFB and CTR, not masked "
        "(`SecMasking=0`, S-boxes of gates), controls twice or more against faults, registers "
        "that are cleared with random bits; its aes_core, without the bus and the registers that "
        "are in it; what Yosys reads gives the answer of FIPS 197 and those of a packet of GCM",
        lacks="streams with statuses, a check of the tag, lengths (software keeps those)",
    ),
    "blu85": Peer(
        repository="https://github.com/BLu85/AES-GCM-128-192-256-bits",
        commit="d0515ae4896a06f89e48952b415406279e0993fd",
        generator=(
            "config/gcm_config.py", "--mode", "128", "--size", "XS", "--pipe", "0",
        ),
        files=tuple(
            f"src/{name}.vhd"
            for name in (
                "aes_pkg", "gcm_pkg", "aes_func", "gen_rtl/aes_kexp", "gen_rtl/aes_round",
                "aes_last_round", "gen_rtl/aes_ecb", "aes_icb", "gcm_gctr", "ghash_gfmul",
                "gcm_ghash", "aes_enc_dec_ctrl", "aes_gcm", "gen_rtl/top_aes_gcm",
            )
        ),
        module="top_aes_gcm",
        ports=(
            ("clk_i", "input", 1), ("rst_i", "input", 1), ("aes_gcm_enc_dec_i", "input", 1),
            ("aes_gcm_pipe_reset_i", "input", 1), ("aes_gcm_key_word_val_i", "input", 4),
            ("aes_gcm_key_word_i", "input", 256), ("aes_gcm_iv_val_i", "input", 1),
            ("aes_gcm_iv_i", "input", 96), ("aes_gcm_icb_start_cnt_i", "input", 1),
            ("aes_gcm_icb_stop_cnt_i", "input", 1), ("aes_gcm_ghash_pkt_val_i", "input", 1),
            ("aes_gcm_ghash_aad_bval_i", "input", 16), ("aes_gcm_ghash_aad_i", "input", 128),
            ("aes_gcm_data_in_bval_i", "input", 16), ("aes_gcm_data_in_i", "input", 128),
            ("aes_gcm_ready_o", "output", 1), ("aes_gcm_data_out_val_o", "output", 1),
            ("aes_gcm_data_out_bval_o", "output", 16), ("aes_gcm_data_out_o", "output", 128),
            ("aes_gcm_ghash_tag_val_o", "output", 1), ("aes_gcm_ghash_tag_o", "output", 128),
            ("aes_gcm_icb_cnt_overflow_o", "output", 1),
        ),
        tied=(("aes_gcm_mode_i", "2'b00"),),
        clock="clk_i",
        not_mapped="GHDL makes 30 MB of Verilog of it, whose mapping to LUTs did not end in 15 "
        "minutes",
        cycles=10,
        cycles_from="its README (size XS, 12.8 bits a clock)",
        does="AES-128-GCM, both directions, blocks of 128 bits with a port for AAD",
        lacks="keys of 256 bits, streams that can wait, a check of the tag, statuses",
    ),
    "dngtuankiet": Peer(
        repository="https://github.com/dngtuankiet/aes-gcm_128-256",
        commit="0ff847cd8e3dd7be1067a11f8dc6de6b5a9453c1",
        files=tuple(
            f"source/{name}.v"
            for name in (
                "aes_core/aes_core", "aes_core/aes_core_TOP", "aes_core/aes_encipher_block",
                "aes_core/aes_key_mem", "aes_core/aes_sbox", "aes_core/aes_sub_sbox",
                "aes_core/mixcolumns", "aes_gcm/gctr_block_v2", "aes_gcm/gfmul_v2",
                "aes_gcm/ghash_block_v2", "aes_gcm/aes_gcm_v4",
            )
        ),
        module="aes_gcm_v4",
        ports=(
            ("iClk", "input", 1), ("iRstn", "input", 1), ("iCtrl", "input", 4),
            ("oReady", "output", 1), ("iIV", "input", 96), ("iIV_valid", "input", 1),
            ("iKey", "input", 256), ("iKey_valid", "input", 1), ("iKeylen", "input", 1),
            ("iAad", "input", 128), ("iAad_valid", "input", 1), ("iBlock", "input", 128),
            ("iBlock_valid", "input", 1), ("iTag", "input", 128), ("iTag_valid", "input", 1),
            ("oResult", "output", 128), ("oResult_valid", "output", 1), ("oTag", "output", 128),
            ("oTag_valid", "output", 1), ("oAuthentic", "output", 1),
        ),
        clock="iClk",
        no_clock="nextpnr times no combinational loop, and the flow to cells refuses it",
        cycles=128,
        cycles_from="its README: those of its multiplier alone, so at most this rate",
        does="AES-GCM with keys of 128 and 256 bits, both directions, a check of the tag, "
        "registers of whole blocks",
        lacks="streams, lengths that are no whole blocks, statuses",
    ),
}  # fmt: skip
"""By name."""

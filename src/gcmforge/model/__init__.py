# SPDX-License-Identifier: Apache-2.0
"""Executable specification of AES-GCM in plain ints, to be read with FIPS 197 and SP 800-38D.

Blocks are 128-bit ints, first bit of the first byte on top (`int.from_bytes(data, "big")`). Nothing
here is fast or safe against timing: it says what the hardware must compute.
"""

from gcmforge.model.aes import encrypt_block, key_expansion, sbox
from gcmforge.model.gcm import TAG_BYTES, decrypt, encrypt, initial_counter, iv_for_counter
from gcmforge.model.ghash import gf_inverse, gf_mult, ghash, ghash_length_first

__all__ = [
    "TAG_BYTES",
    "decrypt",
    "encrypt",
    "encrypt_block",
    "gf_inverse",
    "gf_mult",
    "ghash",
    "ghash_length_first",
    "initial_counter",
    "iv_for_counter",
    "key_expansion",
    "sbox",
]

# SPDX-License-Identifier: Apache-2.0
"""IPsec ESP: RFC 4106."""

from gcmforge.config.kinds import Profile

ENGINE = Profile(
    name="ipsec",
    says="(RFC 4106)",
    source="RFC 4106",
    rank=2,
    purpose="IPsec ESP: nonce and AAD from the fields of a packet (RFC 4106).",
    fields=(
        ("s_key_salt", 32, "with a key: the salt"),
        ("s_key_esn", 1, "with a key: 1 where sequence numbers are extended (64 bits)"),
        ("s_cmd_spi", 32, "security parameters index, a number"),
        ("s_cmd_sequence", 64, "sequence number; not extended: its lower half"),
        ("s_cmd_explicit_iv", 64, "the eight bytes of IV that the packet carries"),
    ),
)

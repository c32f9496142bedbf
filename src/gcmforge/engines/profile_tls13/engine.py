# SPDX-License-Identifier: Apache-2.0
"""TLS 1.3: RFC 8446."""

from gcmforge.config.kinds import Profile

ENGINE = Profile(
    name="tls13",
    says="(RFC 8446)",
    source="RFC 8446",
    rank=3,
    purpose="TLS 1.3: nonce and AAD from the fields of a record (RFC 8446).",
    fields=(
        ("s_key_iv", 96, "with a key: the static IV"),
        ("s_cmd_sequence", 64, "sequence number of the record"),
        ("s_cmd_length", 16, "length field of the record: its text with content type, and 16"),
    ),
    fixed_tag=True,
)

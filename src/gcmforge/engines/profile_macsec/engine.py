# SPDX-License-Identifier: Apache-2.0
"""MACsec: IEEE 802.1AE-2018, with XPN."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gcmforge.config.kinds import Profile

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig


def _refuses(config: CoreConfig) -> Iterator[str]:
    if config.aad_lanes == 1:
        yield (
            "aad_lanes=1 with profile=macsec: a MACsec header has up to 28 bytes; use aad_lanes=2, "
            "or 0"
        )


ENGINE = Profile(
    name="macsec",
    says="(IEEE 802.1AE, XPN too)",
    source="IEEE 802.1AE-2018",
    rank=1,
    refuses=_refuses,
    purpose="MACsec: IV and header from the fields of a frame's SecTAG (IEEE 802.1AE-2018).",
    fields=(
        ("s_key_salt", 96, "with a key for XPN: the salt"),
        ("s_key_xpn", 1, "with a key: 1 for GCM-AES-XPN-128 or -256, 0 for GCM-AES-128 or -256"),
        ("s_cmd_destination", 48, "destination address"),
        ("s_cmd_source", 48, "source address"),
        ("s_cmd_tci_an", 8, "third byte of the SecTAG; its SC says whether the SCI is in it"),
        ("s_cmd_sl", 8, "short length, fourth byte of the SecTAG"),
        ("s_cmd_pn", 64, "packet number; without XPN its lower half"),
        ("s_cmd_sci", 64, "secure channel identifier, whether or not the SecTAG has it"),
        ("s_cmd_ssci", 32, "XPN: short secure channel identifier, a number"),
    ),
    fixed_tag=True,
)

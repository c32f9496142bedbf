# SPDX-License-Identifier: Apache-2.0
"""What is measured for the tables of Yang, Mishra and Karri 2005."""

from __future__ import annotations

from gcmforge.study.papers.measured import CWC, Need
from gcmforge.study.papers.yang2005_model import SIZES

CORE = Need(what="yang2005", target="osu018")
_FIG_5 = (
    "core=yang2005", "key_sizes=128", "contexts=1", "iv=96", "sbox=table", "multiplier=mastrovito",
)  # fmt: skip
FIG_5 = Need(what="plain", target="osu018", settings=_FIG_5)
"""Fig. 5 as a core, one packet after another."""
ENCRYPTS, DECRYPTS = (
    Need(what="plain", target="osu018", settings=(*_FIG_5, f"direction={direction}"))
    for direction in ("encrypt", "decrypt")
)
"""The same with one direction."""
PACKETS = Need(what="plain", settings=_FIG_5, packets=SIZES)
OVERLAPPED = Need(what="yang2005", packets=SIZES)
CWC_PRODUCT, CWC_MODULAR = (
    Need(what=CWC, target="osu018", module=module, goal="balanced")
    for module in ("cwc_product", "cwc_modular")
)
GHASH = Need(what="yang2005", target="osu018", module="gcm_ghash", goal="balanced")
PIPELINE = Need(what="yang2005", target="osu018", module="gcm_aes", goal="balanced")
LOOP = Need(
    what="yang2005", target="osu018", module="gcm_aes", settings=("aes=loop",), goal="balanced"
)
STAGES = tuple(
    Need(what="plain", settings=("key_sizes=128", f"ghash_stages={p}"), packets=(8192,))
    for p in (1, 2)
)
NEEDS = (
    PACKETS, OVERLAPPED, GHASH, PIPELINE, LOOP, *STAGES, CORE, ENCRYPTS, DECRYPTS, FIG_5,
    CWC_PRODUCT, CWC_MODULAR,
)  # fmt: skip

# SPDX-License-Identifier: Apache-2.0
"""The systems of four papers, as near as the options come."""

from gcmforge.config.core import CoreConfig
from gcmforge.config.preset import Preset

PRESETS = (
    Preset(
        name="yang2005",
        purpose="Yang 2005, Fig. 5: one lane, AES-128 in ten stages with table S-boxes, GHASH "
        "by one Mastrovito multiplier; not as there: packets overlap, round keys and H come "
        "from the core, which both encrypts and decrypts",
        config=CoreConfig(
            key_sizes=(128,), contexts=1, sbox="table", ghash="serial", multiplier="mastrovito"
        ),
    ),
    Preset(
        name="satoh2007",
        purpose="Satoh 2007, Figs. 2 and 6: four lanes, three key sizes in 14 stages, S-boxes "
        "in a composite field (sbox=twisted_bdd is the fast version), GHASH by equation (6); "
        "not as there: nobody needs to know a message's length beforehand, and its length "
        "block is hashed like any other",
        config=CoreConfig(
            lanes=4,
            contexts=1,
            sbox="poly_phi2_nu12",
            ghash="interleaved",
            multiplier="schoolbook",
        ),
    ),
    Preset(
        name="mozaffari2012",
        purpose="Mozaffari 2012, Figs. 3 and 7, Table 6: eight lanes, AES-128 in ten stages, "
        "S-boxes by Lemma 1 (2), GHASH by Algorithm 1 with KO4 multipliers and parallel "
        "squarers, IVs of 96 bits; not as there: AAD, and beats that are not full at a "
        "section's end instead of zero blocks in front",
        config=CoreConfig(
            lanes=8,
            key_sizes=(128,),
            contexts=1,
            sbox="mozaffari_2012",
            ghash="log_tail",
            multiplier="ko4",
            squarers="parallel",
            iv="96",
        ),
    ),
    Preset(
        name="abdellatif2012",
        purpose="Abdellatif 2012, Fig. 6: GHASH of four lanes in four stages, Karatsuba down "
        "to 32 bits, one reduction; not as there: the lanes share the recombination, too, "
        "beats need not be full, and there is an AES-128, of which the paper says nothing",
        config=CoreConfig(
            lanes=4,
            key_sizes=(128,),
            contexts=1,
            ghash="shared_reduction",
            multiplier="ko2",
            ghash_stages=4,
        ),
    ),
)

# SPDX-License-Identifier: Apache-2.0
"""A GHASH for one key: H is in the logic of gf128_fixed, which is made for it."""

from gcmforge.config.kinds import FixedGhash, FixedShape

ENGINE = FixedGhash(
    name="fixed",
    says="has one key in its logic",
    source="Crenne 2011, section III and Figs. 2 and 4; with lanes Satoh 2007, equation (7)",
    header="The GHASH of this core, for one key. KEY MATERIAL: gf128_fixed holds the hash subkey.",
    shapes={
        "one_cycle": FixedShape(
            module="ghash_fixed",
            latency_cycles=lambda blocks: 1,
            law=lambda blocks, skewed: "n cycles for n blocks, digest 1 cycle after the last",
        ),
        "two_cycle": FixedShape(
            module="ghash_fixed_basic",
            latency_cycles=lambda blocks: 2,
            beat_cycles=2,
            law=lambda blocks, skewed: "2n cycles for n blocks, digest 2 cycles after the last",
        ),
        "chain": FixedShape(
            module="ghash_fixed_chain",
            latency_cycles=lambda blocks: blocks,
            law=lambda blocks, skewed: (
                f"a message of {blocks} blocks a cycle, its digest {blocks} cycles after "
                f"{'its first block' if skewed else 'it'}"
            ),
            parameters=lambda blocks, skewed: (
                ("Stages", str(blocks)),
                ("Skewed", f"1'b{int(skewed)}"),
            ),
        ),
        "feedback": FixedShape(
            module="ghash_fixed_feedback",
            latency_cycles=lambda blocks: blocks,
            beat_cycles=1,
            law=lambda blocks, skewed: (
                f"{blocks} message{'s' * (blocks > 1)} of any length at a time, a beat of "
                f"{blocks} words of each every {blocks} cycles; the last word is added to the "
                f"digest, which comes {blocks} cycles after its beat"
            ),
            parameters=lambda blocks, skewed: (("Stages", str(blocks)),),
        ),
        "lanes": FixedShape(
            module="ghash_fixed_lanes",
            latency_cycles=lambda blocks: 2,
            law=lambda blocks, skewed: (
                f"a beat of up to {blocks} blocks a cycle, digest 2 cycles after the last"
            ),
            parameters=lambda blocks, skewed: (("Lanes", str(blocks)),),
        ),
    },
    core_module="ghash_fixed_core",
    parameters=lambda config: (("Lanes", str(config.lanes)),),
)

# SPDX-License-Identifier: Apache-2.0
"""Tables of the residues of each lane's power of H instead of a multiplier, for FPGAs."""

from gcmforge.config.engine import GhashEngine, lanes_and_contexts

ENGINE = GhashEngine(
    name="residues",
    says="has tables of the residues of these multiples, fewer and smaller but in a longer path, "
    "and hashes no block while a key is loaded",
    parameters=lanes_and_contexts,
    leaves=lambda config: ("gf128_residues", "gf128_from_residues"),
    latency_cycles=lambda config: 2,
    load_cycles=lambda config: 20 * config.ghash_lanes - 1,
    product=lambda config: "4-bit tables",
    multiplies="tables stand",
)

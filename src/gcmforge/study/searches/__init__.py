# SPDX-License-Identifier: Apache-2.0
"""Searches for smaller and faster circuits; what they found is data here and in the leaves."""

SEARCHES = {
    "sboxes": "the S-boxes small, medium and fast: towers, scaled and rewritten",
    "two-level": "the S-boxes faster and low_depth: theta in two levels of gates",
    "towers": "8 conjugates of 32 fields: linear maps, merged layers, mixed bases",
    "twist": "the order of inputs of twisted_bdd",
    "inversions": "inversion in GF(2^4) with the fewest gates",
    "multipliers": "recombination of Karatsuba's products in GF(2^128)",
    "records": "linear layers and S-boxes, compared with published records",
    "presets": "whether each preset is the best core of its class, by measurement",
    "residues": "the least gates of products of residues, a bound",
}
"""Name on the command line -> what is searched."""

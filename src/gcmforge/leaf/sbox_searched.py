# SPDX-License-Identifier: Apache-2.0
"""AES S-boxes that a search found and that are kept as data; bench/search_sboxes.py repeats it.

`small` is a tower of three merged linear maps, its input scaled so that the maps in front and
behind have the fewest XORs, then rewritten gate by gate for area. `fast` takes the bits of the norm
straight from the input, as quadratic forms, and all nine sums of theta = norm^-1 straight from
those four bits; rewritten for delay. What is between is a tower still: products of theta with
sums of input bits, and one linear layer behind.
"""

from importlib.resources import files

from gcmforge.circuit import Circuit, parse_listing

SEARCHED_SBOXES = ("small", "fast")


def searched_circuit(name: str) -> Circuit:
    """aes_sbox: x_i[7:0] to y_o[7:0]."""
    text = (files("gcmforge.leaf") / "data" / f"sbox_{name}.txt").read_text(encoding="ascii")
    return parse_listing(text, "aes_sbox")

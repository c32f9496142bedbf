# SPDX-License-Identifier: Apache-2.0
"""AES S-boxes that a search found and that are kept as data. gcmforge-study search sboxes repeats
the search for `small`, `medium` and `fast`, gcmforge-study search two-level that for `faster` and
`low_depth`.

`small` is a tower of three merged linear maps, its input scaled so that the first and the last map
have the fewest XORs, then rewritten gate by gate for area. `medium` is the best tower with
merged maps, rewritten in the same way within the delay of `mozaffari_2012`. `fast` takes the bits
of the norm straight from the input, as quadratic forms, and all nine sums of theta = norm^-1
straight from those four bits; rewritten for delay. What is between is a tower still: products of
theta with sums of input bits, and then one linear layer.

`faster` and `low_depth` take more bits of the norm than four, sums of the others, each straight
from the input, so that a sum of theta is a multiplexer of two gates. `faster` goes on as a tower
does. `low_depth` has no layer after that: each output bit is the sum of four products of a sum of
theta's bits with a sum of input bits. That form is claimed in patents of A. Maximov and P. Ekdahl
(see "New Circuit Minimization Techniques for Smaller and Faster AES SBoxes", TCHES 2019) until
about 2040: the header of its leaf says so, and no default and no preset has it.
"""

from importlib.resources import files

from gcmforge.circuit import Circuit, parse_listing

SEARCHED_SBOXES = {
    "small": "sboxes",
    "medium": "sboxes",
    "fast": "sboxes",
    "faster": "two-level",
    "low_depth": "two-level",
}
"""The search that found each: gcmforge-study search NAME."""

PATENT_NOTE = (
    "PATENT NOTE: each output bit is a sum of products of theta with sums of input bits, and no "
    "layer follows: this form is claimed in patents of Maximov and Ekdahl until about 2040."
)
"""For `low_depth`."""


def searched_circuit(name: str) -> Circuit:
    """aes_sbox: x_i[7:0] to y_o[7:0]."""
    text = (files("gcmforge.leaf") / "data" / f"sbox_{name}.txt").read_text(encoding="ascii")
    return parse_listing(text, "aes_sbox")

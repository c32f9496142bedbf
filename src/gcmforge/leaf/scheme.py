# SPDX-License-Identifier: Apache-2.0
"""The multipliers of the library by name, and the rows of Mozaffari 2012 Table 5 for them.

    schoolbook             one product for each pair of bits, reduced in two stages
    quadratic, mastrovito  the same products in the forms of Reyhani-Masoleh and Hasan 2004 and of
                           Mastrovito 1989
    ko1 .. ko7             so many Karatsuba steps into halves
    koN_fast               so many steps into even and odd coefficients
    mixed_N                least area at A+NX by any mixture of the two
    koN_small, mixed_N_small
                           the same with a program found by search after the products
    fft                    a Frobenius additive FFT: fewest products, for sums of many
    fft_transposed         the same with the larger linear map on the key's side: for a key that is
                           kept in evaluated form

What was found about Table 5: its KO1..KO6 are the halves form with a reduction of 527 XORs (here
445).  With those 527 the quadratic multiplier has 16,384 AND and 16,656 XOR, 57,956 GE; the table
prints 56,957, which would leave 83 XORs for the reduction: probably two digits exchanged.  All
multipliers here are below the table also because their products are made by NAND, as is explained
in circuit/polarity.py.
"""

from gcmforge.config import MULTIPLIERS
from gcmforge.leaf.bilinear import Scheme, product_circuit
from gcmforge.leaf.fft import fft, searched_fft, transposed_fft
from gcmforge.leaf.karatsuba import karatsuba, mixture, searched_karatsuba, uniform
from gcmforge.leaf.quadratic import mastrovito, quadratic

__all__ = [
    "TABLE_5",
    "Scheme",
    "paper_note",
    "plain_scheme",
    "product_circuit",
    "scheme",
    "source",
]

TABLE_5 = (
    (56_957, 10), (44_338, 12), (34_660, 14), (28_195, 16), (24_517, 18), (23_443, 20), (24_961, 21)
)  # fmt: skip
"""Mozaffari 2012 Table 5 by Karatsuba steps (0: quadratic): GE, and the T_X that follow one T_A."""

REDUCTION_LEVELS = 2
"""XOR levels that the reduction takes after a product whose even coefficients come a level before
the odd ones."""

_KARATSUBA = "Karatsuba, Ofman 1962"
_OVERLAP_FREE = "overlap-free: Fan et al., IET Information Security 4 (2010)"
_HALVES = "recombination: Bernstein, CRYPTO 2009"


_FFTS = {"fft": searched_fft, "fft_transposed": transposed_fft}


def scheme(variant: str) -> Scheme:
    """The scheme of a multiplier variant."""
    if variant not in MULTIPLIERS:
        raise ValueError(f"multiplier={variant!r}: there is {', '.join(MULTIPLIERS)}")
    if variant in _FFTS:
        return _FFTS[variant](variant)
    if variant.endswith("_small"):
        return searched_karatsuba(plain_scheme(variant.removesuffix("_small")), f"{variant}.txt")
    return plain_scheme(variant)


def plain_scheme(variant: str) -> Scheme:
    """The scheme without programs found by search, which is what the searches start from."""
    kind, _, form = variant.partition("_")
    if kind in ("quadratic", "mastrovito", "fft"):
        return {"quadratic": quadratic, "mastrovito": mastrovito, "fft": fft}[kind](variant)
    if kind == "mixed":
        return karatsuba(variant, mixture(int(form) - REDUCTION_LEVELS), balanced=True)
    if kind == "schoolbook":
        return karatsuba(variant, uniform(""))
    if kind.startswith("ko"):
        return karatsuba(variant, uniform(("e" if form == "fast" else "h") * int(kind[2:])))
    raise ValueError(
        f"multiplier={variant!r} is in the list of names, and no circuit is made of it"
    )


def source(variant: str) -> str:
    """Where the algorithm comes from, for a leaf's header."""
    kind, _, form = variant.partition("_")
    plain = {
        "schoolbook": "schoolbook",
        "quadratic": "Reyhani-Masoleh, Hasan, IEEE Trans. Computers 53 (2004)",
        "mastrovito": "Mastrovito, LNCS 357 (1989); Yang 2005",
        "fft": "Cantor 1989; Li et al., Frobenius additive FFT, ISSAC 2018; "
        "linear maps found by gcmforge-study search multipliers",
    }
    if kind in plain:
        return plain[kind]
    if form.endswith("small"):
        return f"{_KARATSUBA}; recombination found by gcmforge-study search multipliers"
    if kind == "mixed":
        return f"{_KARATSUBA}; {_HALVES}; {_OVERLAP_FREE}"
    return f"{_KARATSUBA}; {_OVERLAP_FREE if form == 'fast' else _HALVES}"


def paper_note(variant: str) -> str:
    """The row of Table 5 to compare a variant with: that of its steps, or its best."""
    if variant.startswith("ko") and int(variant[2]) < len(TABLE_5):
        steps = int(variant[2])
        what = f"{steps} Karatsuba step{'s'[: steps > 1]}"
    elif variant in ("schoolbook", "quadratic", "mastrovito"):
        steps, what = 0, "a quadratic multiplier"
    else:
        steps, what = 5, "5 Karatsuba steps, its smallest"
    area_ge, depth_xor = TABLE_5[steps]
    return f"Mozaffari 2012 Table 5 for {what}: {area_ge:,} GE at A+{depth_xor}X."

# SPDX-License-Identifier: Apache-2.0
"""Every leaf by name."""

import difflib
from collections.abc import Callable, Iterator
from functools import cache, partial

from gcmforge.config import MULTIPLIERS, SBOXES
from gcmforge.config.names import MEMORY_SBOXES
from gcmforge.field import (
    aes_mix_column,
    aes_sbox,
    gf128_multiply,
    gf128_reduce,
    gf128_square,
)
from gcmforge.leaf.base import Leaf
from gcmforge.leaf.dot import dot_circuit, dot_product, key_circuit, keyed, stored_dot_circuit
from gcmforge.leaf.mix_columns import CHECKED, mix_columns_circuit
from gcmforge.leaf.reduction import reduce_circuit, square_circuit
from gcmforge.leaf.residues import (
    from_residues_circuit,
    looked_up_circuit,
    residues_circuit,
    residues_of,
)
from gcmforge.leaf.sbox import sbox_leaf, sbox_pair_leaf
from gcmforge.leaf.sbox_boyar_peralta import products_circuit, sum_circuit, two_boxes_circuit
from gcmforge.leaf.scheme import paper_note, product_circuit, scheme, source
from gcmforge.leaf.squares import SQUARES_FORMS, all_squares, squares_circuit
from gcmforge.leaf.sub_mix import sub_mix, sub_mix_circuit

SBOX_VARIANTS = SBOXES
MIX_COLUMNS_VARIANTS = ("small", "depth3", "depth4")
MULTIPLIER_VARIANTS = MULTIPLIERS

DOT_VARIANTS = (("ko4_small", 4), ("ko6", 4), ("ko4_small", 8), ("ko6", 8))
"""The sums of products that the library holds: multiplier and lanes. A core may have any."""

STORED_DOT_VARIANTS = (("ko6", 4), ("fft", 8))
"""Those whose keys are kept in evaluated form."""

KEY_VARIANTS = ("ko6", "fft")
"""The evaluations of a key that the library holds."""

FROM_RESIDUES_LANES = (1, 4)
"""Lanes whose residues' sums the library holds; a core may have any."""

SQUARES_VARIANTS = tuple(f"{form}3" for form in SQUARES_FORMS)
"""How H^2, H^4 and H^8 are made; a core has as many powers as its lanes need."""

_TABLE_4 = {"cascade": (594, 9), "parallel": (1_099, 5), "hybrid": (1_062, 6)}
"""Mozaffari 2012 Table 4, H^2, H^4 and H^8: XOR gates and depth."""


def _choose(what: str, variant: str, allowed: tuple[str, ...]) -> str:
    if variant not in allowed:
        near = difflib.get_close_matches(variant, allowed, n=5) if len(allowed) > 20 else allowed
        known = ", ".join(near or allowed)
        raise ValueError(f"{what}={variant!r}: there is {known}")
    return variant


def sbox(variant: str) -> Leaf:
    """aes_sbox, x_i[7:0] to y_o[7:0]: SubBytes of one byte."""
    return sbox_leaf(_choose("sbox", variant, (*SBOX_VARIANTS, *MEMORY_SBOXES)))


def sbox_pair(variant: str) -> Leaf:
    """aes_sbox_pair, x_i[15:0] to y_o[15:0]: SubBytes of two bytes out of one memory."""
    _choose("sbox", variant, MEMORY_SBOXES)
    return sbox_pair_leaf()


def mix_columns(variant: str) -> Leaf:
    """aes_mix_column, x_i[31:0] to y_o[31:0], the byte of row 0 in [31:24]."""
    return Leaf(
        module="aes_mix_column",
        variant=_choose("mix_columns", variant, (*MIX_COLUMNS_VARIANTS, CHECKED)),
        title="MixColumns of one column (FIPS 197 section 5.1.3)",
        circuit=mix_columns_circuit(variant),
        spec=aes_mix_column,
        proof_kind="linear",
        source="found by search: gcmforge-study search records"
        if variant in MIX_COLUMNS_VARIANTS
        else "FIPS 197, equation (5.6), so that every wrong gate shows in the sum of a column",
    )


def sub_mix_column() -> Leaf:
    """aes_sub_mix_column, x_i[31:0] to y_o[31:0], the byte of row 0 in [31:24]."""
    return Leaf(
        module="aes_sub_mix_column",
        variant="",
        title="SubBytes and MixColumns of one column (FIPS 197 sections 5.1.1 and 5.1.3)",
        circuit=sub_mix_circuit(),
        spec=sub_mix,
        proof_kind="bytewise",
        source="Boyar, Matthews, Peralta, J. Cryptology 26 (2013); the last linear map found by "
        "search: gcmforge-study search records",
        notes=("No core has it; it is MixColumns merged with the S-boxes' last layers.",),
    )


_SUM_OF_TWO = "The proof is that of the sum of two S-boxes, which both leaves make."


def _two_boxes(both: int) -> int:
    """The sum of SubBytes (FIPS 197 section 5.1.1) of two bytes."""
    return aes_sbox(both & 0xFF) ^ aes_sbox(both >> 8)


def sbox_products() -> Leaf:
    """aes_sbox_products, x_i[7:0] to z_o[17:0]: an S-box up to its products, which are added over
    several bytes before aes_sbox_sum makes a byte of them."""
    return Leaf(
        module="aes_sbox_products",
        variant="",
        title="what aes_sbox_sum adds up to SubBytes of a byte (FIPS 197 section 5.1.1)",
        circuit=products_circuit(),
        spec=_two_boxes,
        proof_kind="exhaustive",
        source="Boyar, Matthews, Peralta, J. Cryptology 26 (2013)",
        notes=(_SUM_OF_TWO,),
        whole=two_boxes_circuit(),
    )


def sbox_sum() -> Leaf:
    """aes_sbox_sum, z_i[17:0] to y_o[7:0]: of products of an even number of S-boxes, added up, the
    sum of their outputs."""
    return Leaf(
        module="aes_sbox_sum",
        variant="",
        title="the sum of SubBytes of an even number of bytes, from the sum of what "
        "aes_sbox_products gives for each",
        circuit=sum_circuit(),
        spec=_two_boxes,
        proof_kind="exhaustive",
        source="Boyar, Matthews, Peralta, J. Cryptology 26 (2013)",
        notes=(_SUM_OF_TWO,),
        whole=two_boxes_circuit(),
    )


def multiplier(variant: str) -> Leaf:
    """gf128_mul, a_i[127:0] times b_i[127:0] to c_o[127:0], polynomial order."""
    _choose("multiplier", variant, MULTIPLIER_VARIANTS)
    return Leaf(
        module="gf128_mul",
        variant=variant,
        title="product modulo x^128 + x^7 + x^2 + x + 1, bit i the coefficient of x^i",
        circuit=product_circuit(scheme(variant)),
        spec=gf128_multiply,
        proof_kind="bilinear",
        source=source(variant),
        notes=(paper_note(variant),),
    )


def dot(variant: str, lanes: int) -> Leaf:
    """gf128_dot, a_i[128q-1:0] times b_i[128q-1:0] lane by lane, added up to c_o[127:0]; lane 0
    on top, polynomial order within a lane."""
    _choose("multiplier", variant, MULTIPLIER_VARIANTS)
    return Leaf(
        module="gf128_dot",
        variant=f"{variant}x{lanes}",
        title=f"sum of {lanes} product{'s'[: lanes > 1]} modulo x^128 + x^7 + x^2 + x + 1, lane 0 "
        "on top, in a lane bit i the coefficient of x^i",
        circuit=dot_circuit(scheme(variant), lanes),
        spec=dot_product,
        proof_kind="dot",
        source=source(variant),
        notes=("The lanes' products are added before their one recombination and reduction.",),
    )


def key(variant: str) -> Leaf:
    """gf128_key, a_i[127:0] to k_o[K-1:0]: a key as that multiplier's gf128_dot_stored takes it."""
    _choose("multiplier", variant, MULTIPLIER_VARIANTS)
    circuit = key_circuit(scheme(variant))
    return Leaf(
        module="gf128_key",
        variant=variant,
        title=f"one operand of a product evaluated, {circuit.output_width} bits; in a_i bit i is "
        "the coefficient of x^i",
        circuit=circuit,
        spec=dot_product,
        proof_kind="dot",
        source=source(variant),
        notes=("The proof is that of gf128_dot_stored of one lane after it.",),
        whole=keyed(circuit, stored_dot_circuit(scheme(variant), 1)),
    )


@cache
def key_bits(scheme: str) -> int:
    """Bits of an evaluated key of that multiplier's scheme, as gf128_key gives it."""
    return key(scheme).circuit.output_width


def stored_dot(variant: str, lanes: int) -> Leaf:
    """gf128_dot_stored, a_i[128q-1:0] times the keys that gf128_key made k_i[Kq-1:0] of, lane by
    lane, added up to c_o[127:0]; lane 0 on top, polynomial order within a lane."""
    _choose("multiplier", variant, MULTIPLIER_VARIANTS)
    circuit = stored_dot_circuit(scheme(variant), lanes)
    return Leaf(
        module="gf128_dot_stored",
        variant=f"{variant}x{lanes}",
        title=f"sum of {lanes} product{'s'[: lanes > 1]} modulo x^128 + x^7 + x^2 + x + 1, lane 0 "
        "on top, in a lane of a_i bit i the coefficient of x^i, of k_i as gf128_key gives it",
        circuit=circuit,
        spec=dot_product,
        proof_kind="dot",
        source=source(variant),
        notes=(
            "The lanes' products are added before their one recombination and reduction.",
            "The proof is that of gf128_key in front of each lane of k_i.",
        ),
        whole=keyed(key_circuit(scheme(variant)), circuit),
    )


def square() -> Leaf:
    """gf128_square, a_i[127:0] to c_o[127:0], polynomial order."""
    return Leaf(
        module="gf128_square",
        variant="",
        title="square modulo x^128 + x^7 + x^2 + x + 1, bit i the coefficient of x^i",
        circuit=square_circuit(),
        spec=gf128_square,
        proof_kind="linear",
        source="SP 800-38D section 6.3",
    )


def squares(variant: str) -> Leaf:
    """gf128_squares, a_i[127:0] to c_o[128k-1:0]: a^2 in the low bits, a^4, .. a^(2^k)."""
    form = _choose("squares", variant.rstrip("0123456789"), SQUARES_FORMS)
    powers = int(variant.removeprefix(form))
    xors, depth = _TABLE_4[form]
    return Leaf(
        module="gf128_squares",
        variant=variant,
        title=f"a^2 to a^{2**powers}, each the square of the one before, the lowest in the low "
        "bits, modulo x^128 + x^7 + x^2 + x + 1, bit i the coefficient of x^i",
        circuit=squares_circuit(form, powers),
        spec=partial(all_squares, powers),
        proof_kind="linear",
        source="Mozaffari-Kermani, Reyhani-Masoleh, IEEE Trans. Computers 61 (2012), Fig. 5",
        notes=(f"The paper's Table 4 has {xors:,} XORs at {depth} T_X for H^2, H^4, H^8.",),
    )


def reduce() -> Leaf:
    """gf128_reduce, a_i[254:0] to c_o[127:0], polynomial order."""
    return Leaf(
        module="gf128_reduce",
        variant="",
        title="reduction modulo x^128 + x^7 + x^2 + x + 1, bit i the coefficient of x^i",
        circuit=reduce_circuit(),
        spec=gf128_reduce,
        proof_kind="linear",
        source="SP 800-38D section 6.3",
    )


def residues() -> Leaf:
    """gf128_residues, a_i[127:0] and v_i[3:0] to r_o[255:0]: the residues of a polynomial, half of
    one in GF(256) in a nibble; and v_i added to each nibble."""
    return Leaf(
        module="gf128_residues",
        variant="",
        title="residues of a_i, bit i the coefficient of x^i, modulo the irreducible polynomials "
        "of degree 1, 2, 4 and 8, as coordinates of their values; v_i added to each nibble",
        circuit=residues_circuit(),
        spec=residues_of,
        proof_kind="linear",
        source="Cantor 1989; Li et al., Frobenius additive FFT, ISSAC 2018",
    )


def from_residues(lanes: int) -> Leaf:
    """gf128_from_residues, t_i[496q-1:0] to c_o[127:0]: what tables of residues give, summed over
    the lanes, as one polynomial; lane 0 on top, polynomial order."""
    return Leaf(
        module="gf128_from_residues",
        variant=f"x{lanes}",
        title=f"polynomial modulo x^128 + x^7 + x^2 + x + 1, bit i the coefficient of x^i, of what "
        f"the tables of {lanes} lane{'s'[: lanes > 1]} give, lane 0 on top, added up",
        circuit=from_residues_circuit(lanes),
        spec=dot_product,
        proof_kind="dot",
        source="Cantor 1989; Li et al., Frobenius additive FFT, ISSAC 2018",
        notes=("The proof is that of gf128_residues and tables in front of it.",),
        whole=looked_up_circuit(lanes),
    )


def leaf_makers() -> dict[str, Callable[[], Leaf]]:
    """Name of every leaf there is -> what makes it; some take a second."""
    return {
        **{f"aes_sbox/{variant}": partial(sbox, variant) for variant in SBOX_VARIANTS},
        **{f"aes_sbox/{variant}": partial(sbox, variant) for variant in MEMORY_SBOXES},
        **{
            f"aes_mix_column/{variant}": partial(mix_columns, variant)
            for variant in (*MIX_COLUMNS_VARIANTS, CHECKED)
        },
        "aes_sub_mix_column": sub_mix_column,
        "aes_sbox_products": sbox_products,
        "aes_sbox_sum": sbox_sum,
        **{f"gf128_mul/{variant}": partial(multiplier, variant) for variant in MULTIPLIER_VARIANTS},
        **{f"gf128_dot/{name}x{lanes}": partial(dot, name, lanes) for name, lanes in DOT_VARIANTS},
        **{f"gf128_key/{variant}": partial(key, variant) for variant in KEY_VARIANTS},
        **{
            f"gf128_dot_stored/{variant}x{lanes}": partial(stored_dot, variant, lanes)
            for variant, lanes in STORED_DOT_VARIANTS
        },
        "gf128_square": square,
        **{f"gf128_squares/{variant}": partial(squares, variant) for variant in SQUARES_VARIANTS},
        "gf128_reduce": reduce,
        "gf128_residues": residues,
        **{
            f"gf128_from_residues/x{lanes}": partial(from_residues, lanes)
            for lanes in FROM_RESIDUES_LANES
        },
    }


def library() -> Iterator[Leaf]:
    """Every leaf there is."""
    for make in leaf_makers().values():
        yield make()

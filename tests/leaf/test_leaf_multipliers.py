# SPDX-License-Identifier: Apache-2.0
"""Parts of the multipliers: forms of Karatsuba steps, fields of any polynomial, the FFT's tree."""

import itertools
import random

import pytest

from gcmforge.circuit import Builder, call, cost, pipeline, prove
from gcmforge.circuit.mutate import mutations
from gcmforge.config import MULTIPLIERS
from gcmforge.field import AES_POLYNOMIAL, BitMatrix, gf128_multiply, poly_multiply_mod
from gcmforge.leaf import fft, multiplier
from gcmforge.leaf.karatsuba import Form, karatsuba, leaves, mixture, uniform
from gcmforge.leaf.quadratic import mastrovito_circuit
from gcmforge.leaf.scheme import plain_scheme, product_circuit

# ---- Karatsuba -----------------------------------------------------------------------------------


def forms(bits):
    """Every form of a product of that size that treats L and H alike."""
    yield Form(bits=bits)
    if bits % 2 == 0:
        for end, middle in itertools.product(list(forms(bits // 2)), repeat=2):
            for split in "he":
                yield Form(bits=bits, split=split, parts=(end, end, middle))


def levels(form):
    """XORs on the slowest path of a product, the ones in front of it included."""
    if not form.parts:
        return (form.bits - 1).bit_length()
    end, _, middle = form.parts
    return max(levels(end) + (3 if form.split == "h" else 2), levels(middle) + 2)


def area(form):
    """GE without the reduction: NAND 1, XOR 2.25."""
    if not form.parts:
        return form.bits**2 + 2.25 * (form.bits - 1) ** 2
    own = 2.25 * (7 * form.bits // 2 - 3 if form.split == "h" else 8 * form.bits // 2 - 4)
    return own + sum(map(area, form.parts))


@pytest.mark.parametrize("bits", [4, 8])
def test_mixture_is_the_least_of_all_forms_at_every_depth(bits):
    every = list(forms(bits))
    for depth in range((bits - 1).bit_length(), 3 * (bits - 1).bit_length() + 1):
        found = mixture(depth, bits)
        assert levels(found) <= depth
        assert area(found) == min(area(form) for form in every if levels(form) <= depth)


def test_a_mixture_below_the_least_depth_is_refused():
    with pytest.raises(ValueError, match="need at least 7"):
        mixture(6)


def test_forms_count_their_products_and_operands():
    form = mixture(14)
    assert form.operands == sum(leaf.bits for leaf in leaves(form))
    assert form.products == sum(2 * leaf.bits - 1 for leaf in leaves(form))
    assert str(uniform("eh", 16)) == "e(h(4))"
    with pytest.raises(ValueError, match="each h or e"):
        uniform("hx")


@pytest.mark.slow
def test_any_mixture_of_steps_multiplies():
    rng = random.Random(3)
    for _ in range(2):
        form = uniform("".join(rng.choice("he") for _ in range(rng.randint(1, 7))))
        end, middle = uniform("he", 64), uniform("eeh", 64)
        mixed = Form(bits=128, split=rng.choice("he"), parts=(end, end, middle))
        for one in (form, mixed):
            proof = prove(product_circuit(karatsuba("t", one)), gf128_multiply, "bilinear")
            assert proof.passed, proof.detail


@pytest.mark.slow
@pytest.mark.parametrize("depth_xor", [14, 15, 16, 17, 18])
def test_mixtures_keep_their_depth_and_are_smaller_than_faster_ones(depth_xor):
    now = cost(multiplier(f"mixed_{depth_xor}").circuit)
    assert now.path == f"A+{depth_xor}X"
    fast = cost(multiplier("ko4_fast").circuit)
    assert now.ge < fast.ge and fast.depth_xor == 13


# ---- any field -----------------------------------------------------------------------------------

PENTANOMIAL_163 = 1 << 163 | 1 << 7 | 1 << 6 | 1 << 3 | 1


def test_mastrovito_in_the_field_of_the_s_box_for_every_input():
    c = mastrovito_circuit(AES_POLYNOMIAL)
    assert prove(c, lambda a, b: poly_multiply_mod(a, b, AES_POLYNOMIAL), "exhaustive").passed


@pytest.mark.slow
@pytest.mark.parametrize(
    "polynomial",
    [0b111, 0b1011, 0x1002B, 1 << 61 | 0x27, PENTANOMIAL_163, (1 << 64) + (1 << 63) - 1],
)
def test_mastrovito_takes_any_polynomial(polynomial):
    c = mastrovito_circuit(polynomial)

    def spec(a, b):
        return poly_multiply_mod(a, b, polynomial)

    proof = prove(c, spec, "bilinear")
    assert proof.passed, proof.detail
    bits = polynomial.bit_length() - 1
    inner = polynomial.bit_count() - 2
    now = cost(c)
    assert now.and_ + now.nand == bits**2
    assert now.xor + now.xnor <= bits * (bits - 1) + inner * (bits - 1)
    for mutation in mutations(c, nets=[c.first_gate, c.net_count - 1]):
        assert not prove(mutation.circuit, spec, "bilinear").passed, str(mutation)


@pytest.mark.parametrize("polynomial", [0, 1, 3, 0b110])
def test_mastrovito_refuses_what_is_no_field(polynomial):
    with pytest.raises(ValueError, match="needs degree 2 or more and a constant term"):
        mastrovito_circuit(polynomial)


# ---- the additive FFT ----------------------------------------------------------------------------


def test_residues_are_one_of_each_irreducible_polynomial_of_degree_1_2_4_8():
    orbits = set()
    for root, basis in zip(fft.residue_roots(), fft.residue_bases(), strict=True):
        orbit = {root}
        while (root := poly_multiply_mod(root, root, AES_POLYNOMIAL)) not in orbit:
            orbit.add(root)
        assert len(orbit) == len(basis)
        orbits.add(frozenset(orbit))
    assert sorted(map(len, orbits)) == [1, 1, 2, 4, 4, 4] + [8] * 30
    assert frozenset.union(*orbits) == frozenset(range(256))
    assert sum(len(fft.product_weights(basis)) for basis in fft.residue_bases()) == fft.PRODUCTS


def test_the_tree_gives_the_values_at_the_roots():
    b = Builder("values")
    b.output("v_o", fft.evaluate(b, b.input("a_i", 128)))
    c = b.build()
    rng = random.Random(7)
    for _ in range(5):
        a = rng.getrandbits(128)
        forms = call(c, a_i=a)["v_o"]
        for root, basis in zip(fft.residue_roots(), fft.residue_bases(), strict=True):
            value = 0
            for i in reversed(range(128)):
                value = poly_multiply_mod(value, root, AES_POLYNOMIAL) ^ (a >> i & 1)
            bits, count = [], {1: 1, 2: 2, 4: 6, 8: 18}[len(basis)]
            for place in first_bits(len(basis)):
                bits.append(forms >> place & 1)
            forms >>= count
            got = 0
            for bit, element in zip(bits, basis, strict=True):
                got ^= element * bit
            assert got == value


def first_bits(size):
    """Places of a value's own bits among its sums: low, high, middle at each step."""
    if size <= 2:
        return list(range(size))
    inner, width = first_bits(size // 2), {2: 2, 4: 6}[size // 2]
    return inner + [width + place for place in inner]


def test_a_matrix_of_the_tree_is_multiplication_in_its_basis():
    basis = fft.residue_bases()[-1]
    element = basis[5]
    images = [poly_multiply_mod(element, one, AES_POLYNOMIAL) for one in basis]
    rows = fft.basis_matrix(basis, images)
    matrix = BitMatrix(rows=tuple(rows), columns=8)
    for bits in range(256):
        value = image = 0
        for i, one in enumerate(basis):
            value ^= one * (bits >> i & 1)
            image ^= one * (matrix.apply(bits) >> i & 1)
        assert image == poly_multiply_mod(element, value, AES_POLYNOMIAL)


@pytest.mark.slow
def test_the_fft_without_searched_programs_multiplies():
    proof = prove(product_circuit(plain_scheme("fft")), gf128_multiply, "bilinear")
    assert proof.passed, proof.detail


# ---- in a core -----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["mixed_15", "fft"])
def test_multipliers_are_cut_into_up_to_six_stages(variant):
    circuit = multiplier(variant).circuit
    whole = cost(circuit).delay
    for stages in (2, 6):
        pipe = pipeline(circuit, stages)
        assert pipe.stages == stages
        assert whole / stages <= pipe.period <= whole / stages + 2 * 1.99


def test_unknown_multipliers_are_refused_with_what_there_is():
    with pytest.raises(ValueError, match="multiplier='ko8': there is "):
        multiplier("ko8")
    assert len(set(MULTIPLIERS)) == len(MULTIPLIERS)

# SPDX-License-Identifier: Apache-2.0
"""The AES S-box in shares, over a tower of fields in normal bases, in its natural stages.

With (h, l) the image of the input, gamma = h l + nu (h + l)^2 and its inverse theta, the inverse is
(l theta, h theta), and theta comes the same way from one field below. In normal bases the factors
of every product are the two halves of one element, which no gate has joined: so they are shared
independently, as dom.py asks. In polynomial bases one factor is h + l, which would need registers
of its own.

Every element that is a factor is in registers first: the image of the input (else each bit of a
factor would hang on all bits of a share), gamma, the norm of gamma inverted, and theta.
"""

from __future__ import annotations

from collections.abc import Sequence

from gcmforge.circuit import Net, StagedBuilder
from gcmforge.circuit.probing import RANDOM
from gcmforge.field import NORMAL_BASES, BitMatrix, aes_affine
from gcmforge.leaf.masked.dom import (
    SOURCE,
    Element,
    Product,
    add,
    compress,
    dom_terms,
    pairs,
    share_inputs,
    share_outputs,
)
from gcmforge.leaf.masked.gadget import Claim, Gadget, Step
from gcmforge.leaf.programs import apply_affine, best_program
from gcmforge.leaf.sbox_towers import TOWER_SBOXES
from gcmforge.leaf.tower import TowerSbox

TOWER = "normal_phi2_nu1"

Shares = Sequence[Element]


def masked_sbox(*, order: int = 1, tower: str = TOWER) -> Gadget:
    """masked_sbox: shares of x_i[7:0] to shares of y_o[7:0], one byte a cycle."""
    sbox = TOWER_SBOXES[tower]
    field, shares = sbox.field, order + 1
    if field.phi is None or field.bases != NORMAL_BASES:
        raise ValueError(f"tower={tower!r}: a masked S-box takes a tower in normal bases")
    b = StagedBuilder("masked_sbox")
    x, roles = share_inputs(b, "x", 8, shares)
    with b.section("basis change of each share"):
        image = [best_program(sbox.basis_change()).apply(b, share) for share in x]
        _label(b, "image", image)
    b.next_stage()
    low, high = [s[:4] for s in image], [s[4:] for s in image]
    four, two = Product.of(field.multiply4, 4), Product.of(field.multiply2, 2)

    with b.section("gamma: the product of both halves, and the square of their sum, scaled"):
        squared = [best_program(sbox.square()).apply(b, both) for both in _sums(b, low, high)]
        terms = dom_terms(b, four, low, high, _random(b, 4, shares), squared)
    gamma = _joined(b, "gamma", terms)
    b.next_stage()
    theta = _inverted(b, sbox, two, gamma)
    b.next_stage()

    with b.section("products of theta with both halves: the inverse"):
        random = _random(b, 8, shares)
        half = len(random) // 2
        upper = dom_terms(b, four, theta, low, random[:half])
        lower = dom_terms(b, four, theta, high, random[half:])
    b.next_stage()
    with b.section("basis change back, affine matrix; the constant 0x63 in share 0"):
        inverse = [p + q for p, q in zip(compress(b, lower), compress(b, upper), strict=True)]
        program = best_program(sbox.output())
        y = [
            apply_affine(b, program, s, inverted=(), constant=0 if i else aes_affine(0))
            for i, s in enumerate(inverse)
        ]
    outputs = share_outputs(b, "y", y)
    pipe = b.staged()
    random_buses = {bus.name: RANDOM for bus in pipe.circuit.inputs if bus.name.startswith("r")}
    return Gadget(
        module=b.name,
        title=f"SubBytes of one byte (FIPS 197 section 5.1.1) in {shares} shares",
        pipe=pipe,
        roles={**roles, **random_buses},
        outputs=outputs,
        steps=_steps(sbox),
        marks=_marks(b),
        claims=(Claim("probing", order), Claim("uniform", order)),
        source=f"{SOURCE}; tower {tower} (field of Canright, CHES 2005)",
        notes=("Random bits of a later stage are taken in that stage.",),
    )


def _inverted(b: StagedBuilder, sbox: TowerSbox, two: Product, gamma: Shares) -> list[list[Net]]:
    """theta = gamma^-1 in GF(2^4), by the tower once more."""
    field, shares = sbox.field, len(gamma)
    low, high = [s[:2] for s in gamma], [s[2:] for s in gamma]
    square = BitMatrix.of_map(lambda a: field.multiply2(a, a), 2, 2)
    phi = field.phi or 0
    scaled = BitMatrix.of_map(lambda a: field.multiply2(phi, field.multiply2(a, a)), 2, 2)
    with b.section("delta: the norm of gamma in GF(2^2), inverted, which is its square"):
        own = [best_program(scaled).apply(b, both) for both in _sums(b, low, high)]
        terms = dom_terms(b, two, low, high, _random(b, 2, shares), own)
    norm = _joined(b, "norm", terms)
    delta = [best_program(square).apply(b, share) for share in norm]
    b.next_stage()
    with b.section("theta: the products of delta with both halves of gamma"):
        random = _random(b, 4, shares)
        half = len(random) // 2
        upper = dom_terms(b, two, delta, low, random[:half])
        lower = dom_terms(b, two, delta, high, random[half:])
    b.next_stage()
    theta = [p + q for p, q in zip(compress(b, lower), compress(b, upper), strict=True)]
    _label(b, "theta", theta)
    return theta


def _sums(b: StagedBuilder, low: Shares, high: Shares) -> list[list[Net]]:
    """The sum of both halves, share by share."""
    return [add(b, p, q) for p, q in zip(low, high, strict=True)]


def _joined(b: StagedBuilder, name: str, terms: Sequence[Sequence[Element]]) -> list[list[Net]]:
    """The shares of a product, a stage after its terms."""
    b.next_stage()
    shares = compress(b, terms)
    _label(b, name, shares)
    return shares


def _random(b: StagedBuilder, width: int, shares: int) -> Element:
    """New random bits, taken in the current stage."""
    return b.input(f"r{b.stage}_i", width * len(pairs(shares)))


def _label(b: StagedBuilder, name: str, shares: Shares) -> None:
    for i, nets in enumerate(shares):
        b.label(nets, f"{name}{i}")
        b.mark(f"{name}{i}", nets)


def _marks(b: StagedBuilder) -> dict[str, tuple[tuple[Net, ...], ...]]:
    """Of each value in between the shares."""
    found: dict[str, list[tuple[Net, ...]]] = {}
    for name, nets in b.marks().items():
        found.setdefault(name.rstrip("0123456789"), []).append(nets)
    return {name: tuple(shares) for name, shares in found.items()}


def _steps(sbox: TowerSbox) -> tuple[Step, ...]:
    """The S-box as the tower has it, in ints."""
    multiply, nu = sbox.field.multiply4, sbox.field.nu
    multiply2, phi = sbox.field.multiply2, sbox.field.phi or 0

    def norm(image: int) -> int:
        low, high = image & 15, image >> 4
        total = low ^ high
        return multiply(low, high) ^ multiply(nu, multiply(total, total))

    def norm2(gamma: int) -> int:
        low, high = gamma & 3, gamma >> 2
        total = low ^ high
        return multiply2(low, high) ^ multiply2(phi, multiply2(total, total))

    def theta(gamma: int, norm: int) -> int:
        low, high = gamma & 3, gamma >> 2
        delta = multiply2(norm, norm)
        return multiply2(delta, high) | multiply2(delta, low) << 2

    def output(image: int, theta: int) -> int:
        low, high = image & 15, image >> 4
        return sbox.output().apply(multiply(theta, high) | multiply(theta, low) << 4) ^ 0x63

    return (
        Step("image", ("x_i",), sbox.basis_change().apply),
        Step("gamma", ("image",), norm),
        Step("norm", ("gamma",), norm2),
        Step("theta", ("gamma", "norm"), theta),
        Step("y_o", ("image", "theta"), output),
    )

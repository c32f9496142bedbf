# SPDX-License-Identifier: Apache-2.0
"""The S-boxes over towers of fields that the library has, by name.

`poly_phi3_nu10` and its like are the composite fields of Mozaffari 2012, Table 1, with Phi and nu
in decimal, each laid out as the paper's Figure 1, for the conjugate (of eight) that makes the
smallest circuit; gcmforge-study search towers found them.  `_lemma1` has the inversion of the
paper's Lemma 1, `_reduced` one for Canright's field.  `merged_` are the smallest of all towers with
merged layers, and the fastest of those that are nearly as small; `mozaffari_2012` is the field that
the paper finds best, with merged layers.
"""

from typing import Literal

from gcmforge.field import NORMAL_BASES, TowerField
from gcmforge.leaf.tower import TowerSbox

_POLYNOMIAL_ROOTS = {
    (2, 8): 122, (2, 9): 115, (2, 10): 104, (2, 11): 99,
    (2, 12): 95, (2, 13): 78, (2, 14): 118, (2, 15): 72,
    (3, 8): 90, (3, 9): 80, (3, 10): 83, (3, 11): 64,
    (3, 12): 82, (3, 13): 88, (3, 14): 74, (3, 15): 124,
}  # fmt: skip
"""The image of x by (Phi, nu)."""

_NORMAL_ROOTS = {
    (1, 1): 77, (1, 2): 86, (1, 4): 113, (1, 7): 3,
    (1, 8): 89, (1, 11): 231, (1, 13): 12, (1, 14): 219,
    (2, 1): 154, (2, 2): 142, (2, 4): 106, (2, 7): 189,
    (2, 8): 43, (2, 11): 3, (2, 13): 126, (2, 14): 12,
}  # fmt: skip

_LEMMA_1 = ((2, 8), (2, 14), (3, 8), (3, 10))
"""The fields that Table 1 has with the inversions of Lemma 1."""


def _polynomial(
    phi: int, nu: int, inversion: Literal["derived", "lemma_1"] = "derived"
) -> TowerSbox:
    field = TowerField(phi=phi, nu=nu)
    return TowerSbox(field=field, root=_POLYNOMIAL_ROOTS[phi, nu], inversion=inversion)


def _normal(phi: int, nu: int, inversion: Literal["derived", "reduced"] = "derived") -> TowerSbox:
    field = TowerField(phi=phi, nu=nu, bases=NORMAL_BASES)
    return TowerSbox(field=field, root=_NORMAL_ROOTS[phi, nu], inversion=inversion)


def _merged(nu: int, root: int) -> TowerSbox:
    field = TowerField(phi=0b11, nu=nu)
    return TowerSbox(field=field, root=root, inversion="lemma_1", merged=True)


TOWER_SBOXES = {
    **{f"poly_phi{phi}_nu{nu}": _polynomial(phi, nu) for phi, nu in _POLYNOMIAL_ROOTS},
    **{f"poly_phi{phi}_nu{nu}_lemma1": _polynomial(phi, nu, "lemma_1") for phi, nu in _LEMMA_1},
    **{f"normal_phi{phi}_nu{nu}": _normal(phi, nu) for phi, nu in _NORMAL_ROOTS},
    "normal_phi2_nu1_reduced": _normal(2, 1, "reduced"),
    "gf16_nu14": TowerSbox(field=TowerField(phi=None, nu=14), root=57),
    "mixed": TowerSbox(
        field=TowerField(phi=3, nu=2, bases=("polynomial", "normal", "normal")),
        root=194,
        inverse_bases=("normal", "polynomial", "polynomial"),
    ),
    "mozaffari_2012": _merged(nu=10, root=83),
    "merged_phi3_nu8": _merged(nu=8, root=67),
    "merged_phi3_nu12": _merged(nu=12, root=105),
}

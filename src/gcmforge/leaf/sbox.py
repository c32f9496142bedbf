# SPDX-License-Identifier: Apache-2.0
"""The AES S-boxes by name, each with where it is from; circuits are made when asked for."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from gcmforge.circuit import Circuit
from gcmforge.config.names import MEMORY_SBOXES
from gcmforge.field import Bases, aes_sbox
from gcmforge.leaf.base import Leaf
from gcmforge.leaf.published import PUBLISHED_SBOXES
from gcmforge.leaf.sbox_boyar_peralta import boyar_peralta_circuit
from gcmforge.leaf.sbox_searched import PATENT_NOTE, SEARCHED_SBOXES, searched_circuit
from gcmforge.leaf.sbox_table import (
    table_circuit,
    table_inverse_circuit,
    table_pair_circuit,
    twisted_bdd_circuit,
)
from gcmforge.leaf.sbox_towers import TOWER_SBOXES
from gcmforge.leaf.tower import TowerSbox, tower_circuit

_MOZAFFARI = "Mozaffari-Kermani, Reyhani-Masoleh, IEEE Trans. Computers 61 (2012)"

PAPER_ROW = {name: name for name in PUBLISHED_SBOXES} | {"mozaffari_2012": "poly_phi3_nu10_lemma1"}
"""The row of that paper's Table 1 that an S-box is to be compared with, by name."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Entry:
    """How one S-box is made, and where it is from."""

    circuit: Callable[[], Circuit]
    source: str
    as_table: bool = False
    as_memory: bool = False


_OTHERS = {
    "table": _Entry(circuit=table_circuit, source="FIPS 197, Figure 7", as_table=True),
    "bram": _Entry(
        circuit=table_circuit, source="FIPS 197, Figure 7", as_table=True, as_memory=True
    ),
    "table_mux": _Entry(
        circuit=table_circuit, source="FIPS 197, Figure 7, printed as multiplexers"
    ),
    "table_inverse": _Entry(
        circuit=table_inverse_circuit,
        source="Tillich et al., J. Signal Processing Systems 50 (2008), hybrid-lut",
    ),
    "twisted_bdd": _Entry(
        circuit=twisted_bdd_circuit,
        source="after Morioka, Satoh, IEEE Trans. VLSI 12 (2004); the S-box of Satoh 2007",
    ),
    **{
        name: _Entry(
            circuit=partial(searched_circuit, name),
            source=f"found by gcmforge-study search {search}",
        )
        for name, search in SEARCHED_SBOXES.items()
    },
    "boyar_peralta": _Entry(
        circuit=boyar_peralta_circuit,
        source="Boyar, Matthews, Peralta, J. Cryptology 26 (2013); listing SLP_AES_113",
    ),
}

_TOWER_SOURCES = {
    "mozaffari_2012": f"{_MOZAFFARI}, Lemma 1 (2)",
    "merged_phi3_nu8": "tower search (docs/reference/sboxes.md): fast among the smallest",
    "merged_phi3_nu12": "tower search (docs/reference/sboxes.md): the smallest",
    "gf16_nu14": "field of Wolkerstorfer, Oswald, Lamberger, CT-RSA 2002",
    "mixed": "after Nogami et al., CHES 2010: bases for basis changes of least depth",
    "normal_phi2_nu1": "field of Canright, CHES 2005",
    "normal_phi2_nu1_reduced": "field and inversion after Canright, CHES 2005",
}


def sbox_leaf(name: str) -> Leaf:
    """aes_sbox, x_i[7:0] to y_o[7:0]: SubBytes of one byte."""
    entry = _tower_entry(name, TOWER_SBOXES[name]) if name in TOWER_SBOXES else _OTHERS[name]
    return Leaf(
        module="aes_sbox",
        variant=name,
        title="SubBytes of one byte (FIPS 197 section 5.1.1)",
        circuit=entry.circuit(),
        spec=aes_sbox,
        proof_kind="exhaustive",
        source=entry.source,
        notes=tuple(_notes(name)),
        as_table=entry.as_table,
        as_memory=entry.as_memory,
    )


def sbox_pair_leaf() -> Leaf:
    """aes_sbox_pair, x_i[15:0] to y_o[15:0]: SubBytes of two bytes out of one memory."""
    return Leaf(
        module="aes_sbox_pair",
        variant="bram",
        title="SubBytes of two bytes (FIPS 197 section 5.1.1), a port of one memory each",
        circuit=table_pair_circuit(),
        spec=lambda x: aes_sbox(x >> 8) << 8 | aes_sbox(x & 0xFF),
        proof_kind="exhaustive",
        source="FIPS 197, Figure 7",
        as_memory=True,
    )


def _tower_entry(name: str, sbox: TowerSbox) -> _Entry:
    source = _TOWER_SOURCES.get(name)
    if source is None:
        lemma = ", Lemma 1" if sbox.inversion == "lemma_1" else ""
        source = f"{_MOZAFFARI}, Table 1{lemma}"
    return _Entry(circuit=lambda: tower_circuit(sbox), source=source)


def _notes(name: str) -> list[str]:
    notes = [_field_note(TOWER_SBOXES[name])] if name in TOWER_SBOXES else []
    if name in MEMORY_SBOXES:
        notes.append(
            "In a core it is a table in block RAM. Gates and delay are those of multiplexers."
        )
    if name == "low_depth":
        notes.append(PATENT_NOTE)
    if name in PAPER_ROW:
        row = PUBLISHED_SBOXES[PAPER_ROW[name]]
        notes.append(
            f"Mozaffari 2012 Table 1 has {row.area_ge} GE and {row.delay_ns:.2f} ns for it on "
            "STM 65 nm, post-synthesis."
        )
    return notes


def _field_note(sbox: TowerSbox) -> str:
    """The field, its bases and the isomorphism in one line."""
    field, root = sbox.field, f"x goes to {{{sbox.root:08b}}}_2"
    if field.phi is None:
        return f"Field: GF(2^4) by v^4 + v + 1, then u^2 + u + {{{field.nu:04b}}}_2; {root}."
    bases = _bases(field.bases)
    inverse = sbox.inverse_bases
    other = f", inverse in {_bases(inverse)}" if inverse and inverse != field.bases else ""
    constants = f"Phi = {{{field.phi:02b}}}_2, nu = {{{field.nu:04b}}}_2"
    return f"Field: {constants}, {bases}{other}; {root}."


def _bases(bases: Bases) -> str:
    """Of the three extensions, from GF(2^2) up."""
    if len(set(bases)) == 1:
        return f"{bases[0]} basis"
    return f"bases {', '.join('PB' if basis == 'polynomial' else 'NB' for basis in bases)}"

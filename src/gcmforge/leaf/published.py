# SPDX-License-Identifier: Apache-2.0
"""What was published of the S-boxes: M. Mozaffari-Kermani, A. Reyhani-Masoleh, "Efficient and
High-Performance Parallel Hardware Architectures for the AES-GCM", IEEE Trans. Computers 61 (2012),
Tables 1 and 2; STM 65 nm (CORE65LPSVT, 25 degrees), post-synthesis; power at 50 MHz over all 65,280
transitions.

Rows have the names of the S-boxes in this library: Phi and nu in decimal, so that Phi = {11}_2,
nu = {1010}_2 is poly_phi3_nu10.
"""

from dataclasses import dataclass

SBOXES_TABLE_1 = """
poly_phi2_nu8           |   525.2 | 252.5 | 1.31 |  763 |  6.1 | 11.6
poly_phi2_nu8_lemma1    |   518.9 | 249.4 | 1.15 |  869 |  7.0 | 13.5
poly_phi2_nu9           |   537.2 | 258.2 | 1.43 |  699 |  5.6 | 10.4
poly_phi2_nu10          |   535.6 | 257.5 | 1.36 |  735 |  5.9 | 11.0
poly_phi2_nu11          |   540.8 | 260.0 | 1.43 |  699 |  5.6 | 10.3
poly_phi2_nu12          |   540.3 | 259.7 | 1.37 |  730 |  5.8 | 10.8
poly_phi2_nu13          |   548.6 | 263.7 | 1.34 |  746 |  6.0 | 10.9
poly_phi2_nu14          |   524.7 | 252.3 | 1.40 |  714 |  5.7 | 10.9
poly_phi2_nu14_lemma1   |   510.2 | 245.2 | 1.25 |  800 |  6.4 | 12.5
poly_phi2_nu15          |   535.6 | 257.5 | 1.40 |  714 |  5.7 | 10.6
poly_phi3_nu8           |   528.3 | 253.9 | 1.39 |  719 |  5.8 | 10.9
poly_phi3_nu8_lemma1    |   516.3 | 248.2 | 1.11 |  900 |  7.2 | 13.9
poly_phi3_nu9           |   534.6 | 257.0 | 1.56 |  641 |  5.1 |  9.6
poly_phi3_nu10          |   519.0 | 249.5 | 1.42 |  704 |  5.6 | 10.9
poly_phi3_nu10_lemma1   |   498.4 | 239.6 | 1.11 |  900 |  7.2 | 14.4
poly_phi3_nu11          |   531.0 | 255.2 | 1.45 |  690 |  5.5 | 10.4
poly_phi3_nu12          |   548.1 | 263.5 | 1.49 |  671 |  5.4 |  9.8
poly_phi3_nu13          |   546.5 | 262.7 | 1.42 |  704 |  5.6 |  9.8
poly_phi3_nu14          |   542.8 | 260.9 | 1.52 |  657 |  5.3 |  9.7
poly_phi3_nu15          |   542.9 | 261.0 | 1.52 |  657 |  5.3 |  9.7
normal_phi2_nu1         |   569.4 | 273.7 | 1.59 |  629 |  5.0 |  8.8
normal_phi2_nu1_reduced |   511.7 | 246.0 | 1.45 |  690 |  5.5 | 10.7
normal_phi2_nu2         |   564.2 | 271.2 | 1.42 |  704 |  5.6 | 10.0
normal_phi2_nu4         |   576.7 | 277.2 | 1.57 |  637 |  5.1 |  8.8
normal_phi2_nu8         |   579.3 | 278.5 | 1.46 |  685 |  5.5 |  9.4
normal_phi2_nu7         |   575.1 | 276.5 | 1.56 |  641 |  5.1 |  8.9
normal_phi2_nu11        |   589.2 | 283.2 | 1.55 |  645 |  5.2 |  8.7
normal_phi2_nu13        |   572.0 | 275.0 | 1.60 |  625 |  5.0 |  8.7
normal_phi2_nu14        |   588.6 | 282.0 | 1.57 |  637 |  5.1 |  8.6
normal_phi1_nu1         |   564.2 | 272.2 | 1.58 |  633 |  5.1 |  9.0
normal_phi1_nu2         |   577.2 | 277.5 | 1.51 |  662 |  5.3 |  9.2
normal_phi1_nu4         |   564.2 | 271.2 | 1.59 |  629 |  5.0 |  8.9
normal_phi1_nu8         |   570.9 | 274.4 | 1.58 |  633 |  5.1 |  8.9
normal_phi1_nu7         |   583.9 | 280.7 | 1.49 |  671 |  5.4 |  9.2
normal_phi1_nu11        |   572.5 | 275.2 | 1.58 |  633 |  5.1 |  8.9
normal_phi1_nu13        |   583.9 | 280.7 | 1.48 |  676 |  5.4 |  9.3
normal_phi1_nu14        |   571.9 | 274.9 | 1.59 |  629 |  5.0 |  8.8
boyar_peralta           |   403.2 | 193.8 | 1.64 |  610 |  4.9 | 12.1
gf16_nu14               |   554.3 | 266.5 | 1.26 |  794 |  6.4 | 11.5
mixed                   |   571.1 | 274.5 | 1.30 |  769 |  6.2 | 10.9
table                   | 1,407.1 | 676.4 | 0.60 | 1666 | 13.3 |  9.5
table_inverse           | 1,434.6 | 689.4 | 0.68 | 1470 | 11.8 |  8.2
"""
"""um2, GE, ns, MHz, Gbit/s, Mbit/s per um2."""

SBOXES_TABLE_2 = """
poly_phi2_nu8           | 54.99 | 1.283 | 78 to 00
poly_phi2_nu9           | 55.77 | 1.184 | 1C to 00
poly_phi2_nu10          | 54.91 | 1.165 | F4 to 58
poly_phi2_nu11          | 56.45 | 1.262 | 79 to 00
poly_phi2_nu12          | 55.98 | 1.283 | C0 to 00
poly_phi2_nu13          | 56.63 | 1.324 | D5 to 01
poly_phi2_nu14          | 55.28 | 1.313 | B5 to 00
poly_phi2_nu15          | 55.87 | 1.161 | C3 to 07
poly_phi3_nu8           | 54.69 | 1.134 | 27 to 00
poly_phi3_nu8_lemma1    | 54.15 | 1.188 | B8 to 00
poly_phi3_nu9           | 55.44 | 1.214 | 54 to 01
poly_phi3_nu10          | 54.12 | 1.145 | 71 to 00
poly_phi3_nu10_lemma1   | 53.78 | 1.229 | C9 to 00
poly_phi3_nu11          | 54.80 | 1.218 | 55 to 00
poly_phi3_nu12          | 55.13 | 1.178 | D7 to 00
poly_phi3_nu13          | 56.51 | 1.244 | BA to 00
poly_phi3_nu14          | 55.91 | 1.239 | 3B to 00
poly_phi3_nu15          | 55.40 | 1.185 | 9C to 00
normal_phi2_nu1         | 58.02 | 1.268 | 46 to 00
normal_phi2_nu1_reduced | 54.03 | 1.189 | 46 to 0A
normal_phi2_nu2         | 58.51 | 1.291 | 41 to 00
normal_phi2_nu4         | 58.03 | 1.283 | 46 to 00
normal_phi2_nu8         | 58.15 | 1.290 | 41 to 00
normal_phi2_nu7         | 58.79 | 1.299 | F2 to 00
normal_phi2_nu11        | 58.35 | 1.247 | 91 to 00
normal_phi2_nu13        | 58.81 | 1.300 | 73 to 00
normal_phi2_nu14        | 58.96 | 1.309 | 91 to 00
normal_phi1_nu1         | 58.19 | 1.323 | 68 to 00
normal_phi1_nu2         | 58.07 | 1.284 | 92 to 00
normal_phi1_nu4         | 57.90 | 1.292 | 68 to 00
normal_phi1_nu8         | 58.17 | 1.292 | 92 to 00
normal_phi1_nu7         | 58.54 | 1.291 | 43 to 00
normal_phi1_nu11        | 57.88 | 1.231 | E7 to 00
normal_phi1_nu13        | 58.70 | 1.282 | 42 to 00
normal_phi1_nu14        | 58.23 | 1.246 | 5B to 00
boyar_peralta           | 44.39 | 1.013 | -
gf16_nu14               | 55.48 | 1.208 | 22 to 00
mixed                   | 58.06 | 1.242 | 46 to 00
table                   | 63.18 | 1.337 | 91 to 00
table_inverse           | 66.20 | 1.344 | 91 to 00
"""
"""Average in uW, peak in mW, the transition of the peak."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SboxRow:
    """One S-box in both tables; None is what they leave out."""

    name: str
    area_ge: float
    delay_ns: float
    average_uw: float | None = None
    peak_mw: float | None = None
    peak_transition: tuple[int, int] | None = None


def _sbox_rows() -> dict[str, SboxRow]:
    power = {name: cells for name, *cells in map(_cells, SBOXES_TABLE_2.strip().splitlines())}
    rows = {}
    for name, _, area, delay, *_ in map(_cells, SBOXES_TABLE_1.strip().splitlines()):
        average, peak, change = power.get(name, ("", "", ""))
        before, _, after = change.partition(" to ")
        rows[name] = SboxRow(
            name=name,
            area_ge=float(area),
            delay_ns=float(delay),
            average_uw=_number(average),
            peak_mw=_number(peak),
            peak_transition=(int(before, 16), int(after, 16)) if after else None,
        )
    return rows


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.split("|")]


def _number(text: str) -> float | None:
    """A number as papers print it: 1,234.5 or 12; None where there is none."""
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


PUBLISHED_SBOXES = _sbox_rows()
"""By name, in the order of Table 1."""

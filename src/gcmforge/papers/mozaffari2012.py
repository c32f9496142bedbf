# SPDX-License-Identifier: Apache-2.0
"""Tables 1 and 2 of M. Mozaffari-Kermani, A. Reyhani-Masoleh, "Efficient and High-Performance
Parallel Hardware Architectures for the AES-GCM", IEEE Trans. Computers 61 (2012): S-boxes on
STM 65 nm (CORE65LPSVT, 25 degrees), post-synthesis; power at 50 MHz over all 65,280 transitions.

Table 1 as printed has 42 rows; the paper says "more than 40 S-boxes".  Table 2 has 40: the two that
use equation (3) are missing.  Rows bear the names that the S-boxes have in this library: Phi
and nu in decimal, so that Phi = {11}_2, nu = {1010}_2 is poly_phi3_nu10.
"""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class SboxRow:
    """One S-box in both tables; None is what they leave out."""

    name: str
    area_ge: float
    delay_ns: float
    average_uw: float | None = None
    peak_mw: float | None = None
    peak_transition: tuple[int, int] | None = None


_TABLES_1_AND_2 = """
poly_phi2_nu8          252.5 1.31 54.99 1.283 78 00
poly_phi2_nu8_lemma1   249.4 1.15
poly_phi2_nu9          258.2 1.43 55.77 1.184 1C 00
poly_phi2_nu10         257.5 1.36 54.91 1.165 F4 58
poly_phi2_nu11         260.0 1.43 56.45 1.262 79 00
poly_phi2_nu12         259.7 1.37 55.98 1.283 C0 00
poly_phi2_nu13         263.7 1.34 56.63 1.324 D5 01
poly_phi2_nu14         252.3 1.40 55.28 1.313 B5 00
poly_phi2_nu14_lemma1  245.2 1.25
poly_phi2_nu15         257.5 1.40 55.87 1.161 C3 07
poly_phi3_nu8          253.9 1.39 54.69 1.134 27 00
poly_phi3_nu8_lemma1   248.2 1.11 54.15 1.188 B8 00
poly_phi3_nu9          257.0 1.56 55.44 1.214 54 01
poly_phi3_nu10         249.5 1.42 54.12 1.145 71 00
poly_phi3_nu10_lemma1  239.6 1.11 53.78 1.229 C9 00
poly_phi3_nu11         255.2 1.45 54.80 1.218 55 00
poly_phi3_nu12         263.5 1.49 55.13 1.178 D7 00
poly_phi3_nu13         262.7 1.42 56.51 1.244 BA 00
poly_phi3_nu14         260.9 1.52 55.91 1.239 3B 00
poly_phi3_nu15         261.0 1.52 55.40 1.185 9C 00
normal_phi2_nu1         273.7 1.59 58.02 1.268 46 00
normal_phi2_nu1_reduced 246.0 1.45 54.03 1.189 46 0A
normal_phi2_nu2         271.2 1.42 58.51 1.291 41 00
normal_phi2_nu4         277.2 1.57 58.03 1.283 46 00
normal_phi2_nu8         278.5 1.46 58.15 1.290 41 00
normal_phi2_nu7         276.5 1.56 58.79 1.299 F2 00
normal_phi2_nu11        283.2 1.55 58.35 1.247 91 00
normal_phi2_nu13        275.0 1.60 58.81 1.300 73 00
normal_phi2_nu14        282.0 1.57 58.96 1.309 91 00
normal_phi1_nu1         272.2 1.58 58.19 1.323 68 00
normal_phi1_nu2         277.5 1.51 58.07 1.284 92 00
normal_phi1_nu4         271.2 1.59 57.90 1.292 68 00
normal_phi1_nu8         274.4 1.58 58.17 1.292 92 00
normal_phi1_nu7         280.7 1.49 58.54 1.291 43 00
normal_phi1_nu11        275.2 1.58 57.88 1.231 E7 00
normal_phi1_nu13        280.7 1.48 58.70 1.282 42 00
normal_phi1_nu14        274.9 1.59 58.23 1.246 5B 00
boyar_peralta           193.8 1.64 44.39 1.013
gf16_nu14               266.5 1.26 55.48 1.208 22 00
mixed                   274.5 1.30 58.06 1.242 46 00
table                   676.4 0.60 63.18 1.337 91 00
table_inverse           689.4 0.68 66.20 1.344 91 00
"""


def _row(line: str) -> SboxRow:
    name, *words = line.split()
    area, delay, average, peak, before, after = words + [""] * (6 - len(words))
    return SboxRow(
        name=name,
        area_ge=float(area),
        delay_ns=float(delay),
        average_uw=float(average) if average else None,
        peak_mw=float(peak) if peak else None,
        peak_transition=(int(before, 16), int(after, 16)) if before else None,
    )


SBOXES = {row.name: row for row in map(_row, _TABLES_1_AND_2.strip().split("\n"))}
"""By name, in the order of Table 1."""

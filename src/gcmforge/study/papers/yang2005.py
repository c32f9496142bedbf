# SPDX-License-Identifier: Apache-2.0
"""B. Yang, S. Mishra, R. Karri, "High Speed Architecture for Galois/Counter Mode of Operation
(GCM)", IACR ePrint 2005/146: Tables 1 to 3, TSMC 0.18 um, placed and routed."""

from __future__ import annotations

from collections.abc import Mapping

from gcmforge.study.papers.form import (
    Claim,
    Column,
    Ours,
    Table,
    Value,
    Verdict,
    View,
    rows_of,
    short,
)
from gcmforge.study.papers.measured import Figures, Need
from gcmforge.study.papers.yang2005_model import LATENCY, LOOP_TERMS
from gcmforge.study.papers.yang2005_needs import (
    DECRYPTS,
    ENCRYPTS,
    FIG_5,
    GHASH,
    LOOP,
    NEEDS,
    PIPELINE,
    STAGES,
)
from gcmforge.study.papers.yang2005_packets import TABLE_2, TABLE_3

PACKET = 64
"""Bytes of the packets whose cycles are counted for a latency."""

# Table 1 ------------------------------------------------------------------------------------------

_COLUMNS_1 = (
    Column(key="area", head="area", unit="gates", rank=True),
    Column(key="clock", head="clock rate", unit="MHz", rank=True),
    Column(key="rate", head="throughput", unit="Gbit/s", rank=True),
    Column(key="latency", head="latency", unit="cycles"),
)


def _part(need: Need, bits: float, latency: float) -> Ours:
    """Area and clock of a part; it takes `bits` a cycle by its cycle law."""

    def ours(figures: Figures) -> Mapping[str, Value]:
        found = figures.get(need)
        assert found.area_ge is not None and found.fmax_mhz is not None
        rate = bits * found.fmax_mhz / 1000
        return {"area": found.area_ge, "clock": found.fmax_mhz, "rate": rate, "latency": latency}

    return ours


def _core(need: Need) -> Ours:
    """All four of one whole core. The latency is what a packet takes beyond its blocks."""

    def ours(figures: Figures) -> Mapping[str, Value]:
        found = figures.get(need)
        assert found.area_ge and found.fmax_mhz and found.gbit_per_s
        return {
            "area": found.area_ge, "clock": found.fmax_mhz, "rate": found.gbit_per_s,
            "latency": round(8 * PACKET / found.bits_per_cycle[str(PACKET)]) - PACKET // 16,
        }  # fmt: skip

    return ours


_WITH_H2 = (
    "ours keeps two sums in flight and closes the loop with H^2, a reorganisation that the paper "
    "does not have, and without which the feedback does make each block wait"
)

TABLE_1 = Table(
    paper="yang2005",
    key="1",
    title="Area, clock, throughput and latency of the parts and of the whole",
    theirs="TSMC 0.18 um, placed and routed",
    here="osu018 (TSMC 0.18 um, open cells), post-synthesis, ideal wires",
    done="we built the parts and the whole on osu018",
    columns=_COLUMNS_1,
    rows=rows_of(
        """
        Iterative AES         |  29,436 | 276 |  3.53 | 10
        Pipelined AES         | 287,184 | 282 | 36.09 | 1(steady status)
        GHASH                 |  78,974 | 271 | 34.69 | 1
        GCM encryption        | 463,328 | 271 | 34.69 | 12
        GCM decryption        | 446,108 | 271 | 34.69 | 11
        GCM en/decryption     | 498,658 | 271 | 34.69 | 12
        """,
        _COLUMNS_1,
        ours={
            "Iterative AES": _part(LOOP, 12.8, 10),
            "Pipelined AES": _part(PIPELINE, 128, 1),
            "GHASH": _part(GHASH, 128, 1),
            "GCM encryption": _core(ENCRYPTS),
            "GCM decryption": _core(DECRYPTS),
            "GCM en/decryption": _core(FIG_5),
        },
        subjects={
            "Iterative AES": "`gcm_aes` with aes=loop, sbox=table, AES-128, round keys stored",
            "Pipelined AES": "`gcm_aes` of `yang2005`: ten stages, sbox=table",
            "GHASH": "`gcm_ghash` of `yang2005`: serial, mastrovito",
            "GCM encryption": "`core=yang2005` with direction=encrypt",
            "GCM decryption": "`core=yang2005` with direction=decrypt",
            "GCM en/decryption": "`core=yang2005`, Fig. 5 as a core",
        },
    ),
    note=f"Round keys are expanded outside of `gcm_aes` and counted in the core only. {LATENCY}",
    claims=(
        Claim(
            text="encryption and authentication have similar critical paths",
            where="abstract, section 7",
            check=lambda view, figures: _similar(view),
        ),
        Claim(
            text="the pipelined AES takes ten times the hardware for ten times the throughput",
            unlike=LOOP_TERMS,
            where="section 3.1",
            check=lambda view, figures: _ten_times(view),
        ),
        Claim(
            text="the critical path of the multiplier is approximately 1 AND + 7 XOR",
            done="we counted the products that each bit of the result is the sum of, and built a "
            "Mastrovito multiplier, as the paper's is",
            where="section 4",
            check=lambda view, figures: _seven_xors(),
        ),
        Claim(
            text="pipelining the multiplier does not improve the throughput of GHASH",
            done="we simulated a GHASH with its multiplier in one stage and in two, and cut the "
            "Mastrovito multiplier so",
            unlike=_WITH_H2,
            where="sections 3.2 and 7",
            check=lambda view, figures: _pipelining(figures),
        ),
    ),
)


def _similar(view: View) -> Verdict:
    clock = view.ours("clock")
    if not {"Pipelined AES", "GHASH"} <= set(clock):
        return Verdict(holds=None, evidence="not measured")
    aes, ghash = clock["Pipelined AES"], clock["GHASH"]
    text = f"AES {short(aes)} MHz, GHASH {short(ghash)} MHz; the paper's are 282 and 271"
    return Verdict(holds=abs(ghash / aes - 1) <= 0.25, evidence=text)


def _ten_times(view: View) -> Verdict:
    area, rate = view.ours("area"), view.ours("rate")
    pair = ("Iterative AES", "Pipelined AES")
    if not set(pair) <= set(area):
        return Verdict(holds=None, evidence="not measured")
    hardware, faster = (column[pair[1]] / column[pair[0]] for column in (area, rate))
    printed = view.theirs("area")
    text = (
        f"{short(hardware)} times the hardware (printed: "
        f"{printed[pair[1]] / printed[pair[0]]:.2f}), "
        f"{short(faster)} times the throughput, as key registers and multiplexers weigh on the loop"
    )
    return Verdict(holds=abs(hardware / 10 - 1) < 0.2, evidence=text)


def _seven_xors() -> Verdict:
    """A tree of one AND level and seven XOR levels has 256 leaves. A bit of the product is a form
    of rank 128, so it needs 128 ANDs, which leaves two single bits for each: 128 products. That is
    the product of a row of Mastrovito's matrix; its entries are sums, too. "Approximately" is
    taken as a fifth."""
    from gcmforge.circuit import cost
    from gcmforge.circuit.cost import T_A, T_X
    from gcmforge.leaf import multiplier

    terms = most_terms()
    built = cost(multiplier("mastrovito").circuit)
    longer = 100 * built.delay / (T_A + 7 * T_X)
    text = (
        "a bit of the result is a bilinear form of rank 128 and needs 128 ANDs, and as 1 AND + 7 "
        "XOR is a tree of 256 bits at most, each AND has two of them, which makes 128 products "
        f"where the sum of up to {terms} is asked for; our path is {built.depth_and} AND + "
        f"{built.depth_xor} XOR, {short(longer)} times as long, as the entries of Mastrovito's "
        "matrix, which 7 XORs leave out, are sums themselves"
    )
    return Verdict(holds=terms <= 128 or longer <= 1.2, evidence=text)


def most_terms() -> int:
    """The most products a_i b_j that one bit of a b mod P is the sum of, P = x^128+x^7+x^2+x+1."""
    count = [0] * 255
    for degree in range(255):
        count[degree] = min(degree, 127) - max(0, degree - 127) + 1
    sums = [0] * 128
    for degree in range(255):
        remainder = 1 << degree
        while remainder >> 128:
            top = remainder.bit_length() - 1
            remainder ^= 1 << top ^ 0x87 << top - 128
        for bit in range(128):
            sums[bit] += count[degree] * (remainder >> bit & 1)
    return max(sums)


def _pipelining(figures: Figures) -> Verdict:
    """Bits a cycle over the longest stage, in T_A: the gates alone, no register."""
    from gcmforge.circuit.pipeline import pipeline
    from gcmforge.leaf import multiplier

    one, two = (figures.get(need).bits_per_cycle["8192"] for need in STAGES)
    whole = multiplier("mastrovito").circuit
    before, after = (pipeline(whole, stages).period for stages in (1, 2))
    gain = two / one * before / after
    text = (
        f"it takes {short(one)} bits a cycle in one stage and {short(two)} in two, and the longest "
        f"stage falls from {short(before)} to {short(after)} T_A, which makes {short(gain)} times "
        "the throughput before registers"
    )
    return Verdict(holds=gain <= 1.05, evidence=text)


TABLES = (TABLE_1, TABLE_2, TABLE_3)

__all__ = ["NEEDS", "TABLES", "TABLE_1", "most_terms"]

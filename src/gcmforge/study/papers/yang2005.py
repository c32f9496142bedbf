# SPDX-License-Identifier: Apache-2.0
"""B. Yang, S. Mishra, R. Karri, "High Speed Architecture for Galois/Counter Mode of Operation
(GCM)", IACR ePrint 2005/146: Tables 1 to 3, TSMC 0.18 um, placed and routed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from itertools import pairwise

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
from gcmforge.study.papers.yang2005_model import (
    LATENCY,
    LOOP_TERMS,
    OVERLAP,
    SIZES,
    average,
    bits_per_cycle,
    cwc_cycles,
    gcm_cycles,
)

PRINTED_CLOCK_MHZ, CWC_CLOCK_MHZ = 271.0, 78.0

CORE = Need(what="yang2005", target="osu018")
ENCRYPTS, DECRYPTS = (
    Need(what="yang2005", target="osu018", settings=(f"direction={direction}",))
    for direction in ("encrypt", "decrypt")
)
PACKETS = Need(what="yang2005", packets=SIZES)
GHASH = Need(what="yang2005", target="osu018", module="gcm_ghash", goal="balanced")
PIPELINE = Need(what="yang2005", target="osu018", module="gcm_aes", goal="balanced")
LOOP = Need(
    what="yang2005", target="osu018", module="gcm_aes", settings=("aes=loop",), goal="balanced"
)
STAGES = tuple(
    Need(what="default", settings=("key_sizes=128", f"ghash_stages={p}"), packets=(8192,))
    for p in (1, 2)
)
NEEDS = (PACKETS, GHASH, PIPELINE, LOOP, *STAGES, CORE, ENCRYPTS, DECRYPTS)


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
    """All four of a whole core."""

    def ours(figures: Figures) -> Mapping[str, Value]:
        found = figures.get(need)
        assert found.area_ge and found.fmax_mhz and found.gbit_per_s
        assert found.first_text_latency_cycles
        return {
            "area": found.area_ge, "clock": found.fmax_mhz, "rate": found.gbit_per_s,
            "latency": found.first_text_latency_cycles,
        }  # fmt: skip

    return ours


TABLE_1 = Table(
    paper="yang2005",
    key="1",
    title="Area, clock, throughput and latency of the parts and of the whole",
    theirs="TSMC 0.18 um, placed and routed",
    here="osu018 (TSMC 0.18 um, open cells), post-synthesis, ideal wires",
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
            "GCM en/decryption": _core(CORE),
        },
        subjects={
            "Iterative AES": "`gcm_aes` with aes=loop, sbox=table, AES-128, round keys stored",
            "Pipelined AES": "`gcm_aes` of `yang2005`: ten stages, sbox=table",
            "GHASH": "`gcm_ghash` of `yang2005`: serial, mastrovito",
            "GCM en/decryption": "`yang2005`, above with one direction; latency: text in to out",
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
            text="the critical path of the multiplier is 1 AND + 7 XOR",
            where="section 4",
            check=lambda view, figures: _seven_xors(),
        ),
        Claim(
            text="pipelining the multiplier does not improve the throughput of GHASH",
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
        f"{short(faster)} times the throughput; key registers and multiplexers weigh on the loop"
    )
    return Verdict(holds=abs(hardware / 10 - 1) < 0.2, evidence=text)


def _seven_xors() -> Verdict:
    """A tree of one AND level and seven XOR levels has 256 leaves. A bit of the product is a form
    of rank 128, so it needs 128 ANDs, which leaves two single bits for each: 128 products."""
    from gcmforge.circuit import cost
    from gcmforge.leaf import multiplier

    terms = most_terms()
    built = cost(multiplier("mastrovito").circuit)
    text = (
        f"1 AND + 7 XOR add up 128 products of bits at most, and an output is the sum of up to "
        f"{terms}; our Mastrovito multiplier is {built.path}"
    )
    return Verdict(holds=terms <= 128, evidence=text)


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
    one, two = (figures.get(need).bits_per_cycle["8192"] for need in STAGES)
    text = (
        f"`ghash=aggregated` takes {short(one)} bits a cycle with its multiplier in one stage and "
        f"{short(two)} in two, simulated: the loop is closed with H^2, and the clock may be faster"
    )
    return Verdict(holds=two < 0.75 * one, evidence=text)


# Tables 2 and 3 -----------------------------------------------------------------------------------


def _bits(size: str, figures: Figures) -> Mapping[str, Value]:
    """Our core's packets, and the model of CWC."""
    found = figures.get(PACKETS).bits_per_cycle
    ours = average(found) if size == "Avg." else found[size]
    return {"gcm": ours, "cwc": bits_per_cycle(cwc_cycles)[size]}


def _rates(size: str, figures: Figures) -> Mapping[str, Value]:
    bits, clock = _bits(size, figures), figures.get(CORE).fmax_mhz
    assert clock is not None and isinstance(bits["gcm"], float) and isinstance(bits["cwc"], float)
    return {"gcm": bits["gcm"] * clock / 1000, "cwc": bits["cwc"] * CWC_CLOCK_MHZ / 1000}


_NAMES = (*map(str, SIZES), "Avg.")
_COLUMNS_2 = (
    Column(key="gcm", head="GCM", unit="bits/cycle", rank=True),
    Column(key="cwc", head="CWC (ours: its model, recomputed)", unit="bits/cycle", rank=True),
)
_COLUMNS_3 = (
    Column(key="gcm", head="GCM", unit="Gbit/s", rank=True),
    Column(key="cwc", head="CWC (ours: its model at 78 MHz)", unit="Gbit/s", rank=True),
)

TABLE_2 = Table(
    paper="yang2005",
    key="2",
    title="Bits per cycle of GCM and CWC by bytes in a packet",
    theirs="packets one after another, n + 12 cycles each (CWC: n + 11)",
    here="the core `yang2005` in simulation, packets back to back; CWC by its model",
    columns=_COLUMNS_2,
    transposed=True,
    rows=rows_of(
        """
        16   | 9.85 | 10.7
        20   | 11.4 | 12.3
        40   | 21.3 | 22.9
        44   | 23.5 | 25.1
        64   | 32.0 | 34.1
        128  | 51.2 | 53.9
        256  | 73.1 | 75.9
        552  | 94.0 | 96.0
        576  | 96.0 | 98.0
        1024 | 108  | 109
        1500 | 113  | 114
        8192 | 125  | 125
        Avg. | 90.0 | 92.2
        """,
        _COLUMNS_2,
        ours={name: partial(_bits, name) for name in _NAMES},
    ),
    note="Here packets overlap, so that a packet of n blocks takes n + 1 cycles and not n + 12.",
    claims=(
        Claim(
            text="a packet of n blocks takes n + 12 cycles, and n + 11 with CWC",
            where="Table 2, section 5",
            check=lambda view, figures: _model(view),
        ),
        Claim(
            text="the throughput grows with the packet",
            unlike=OVERLAP,
            where="section 5",
            check=lambda view, figures: _grows(view),
        ),
        Claim(
            text="CWC takes fewer cycles than GCM for every packet",
            unlike=OVERLAP,
            where="Table 2",
            check=lambda view, figures: _cwc_first(view),
        ),
    ),
)

TABLE_3 = Table(
    paper="yang2005",
    key="3",
    title="Throughput of GCM and CWC by bytes in a packet",
    theirs="Table 2 at a clock",
    here="Table 2's simulation at the Fmax of `yang2005` on osu018; CWC by its model at 78 MHz",
    columns=_COLUMNS_3,
    transposed=True,
    rows=rows_of(
        """
        16   | 2.74 | 0.832
        20   | 3.18 | 0.960
        40   | 5.93 | 1.78
        44   | 6.52 | 1.96
        64   | 8.90 | 2.66
        128  | 14.2 | 4.20
        256  | 20.3 | 5.92
        552  | 26.1 | 7.49
        576  | 26.7 | 7.65
        1024 | 30.0 | 8.52
        1500 | 31.5 | 8.91
        8192 | 34.8 | 9.77
        Avg. | 25.0 | 7.19
        """,
        _COLUMNS_3,
        ours={name: partial(_rates, name) for name in _NAMES},
    ),
    note="No CWC was built: its clock is the paper's 78 MHz.",
    claims=(
        Claim(
            text="GCM's throughputs are those of Table 2 at 271 MHz",
            where="Tables 1 and 3",
            check=lambda view, figures: _table_3_clock(view),
        ),
        Claim(
            text="GCM is faster than CWC at every length",
            where="Table 3",
            check=lambda view, figures: _faster_than_cwc(view),
        ),
    ),
)


def agree(value: float, printed: float) -> bool:
    """Whether they are the same to the three digits that the table prints, half a unit off."""
    step: float = 10.0 ** (math.floor(math.log10(printed)) - 2)
    return abs(value - printed) <= 0.5001 * step


def _model(view: View) -> Verdict:
    good = {
        key: [agree(model[name], printed) for name, printed in view.theirs(key).items()]
        for key, model in (("gcm", bits_per_cycle(gcm_cycles)), ("cwc", bits_per_cycle(cwc_cycles)))
    }
    text = "; ".join(
        f"{key.upper()}: {sum(found)} of {len(found)} printed figures are the model's"
        for key, found in good.items()
    )
    text += "; simulated, the paper's arrangement takes n + 12 (tests/laws/test_yang2005_laws.py)"
    return Verdict(holds=all(map(all, good.values())), evidence=text)


def _grows(view: View) -> Verdict:
    ours = view.ours("gcm")
    if len(ours) < len(SIZES):
        return Verdict(holds=None, evidence="not measured")
    falls = [
        f"{a} to {b} bytes: {short(ours[str(a)])} to {short(ours[str(b)])}"
        for a, b in pairwise(SIZES)
        if ours[str(b)] < ours[str(a)]
    ]
    text = "; ".join(falls) or f"from {short(ours['16'])} to {short(ours['8192'])} bits a cycle"
    reason = ". A packet ends in a beat that is not full, and 20 bytes fill 2 blocks badly"
    return Verdict(holds=not falls, evidence=text + (reason if falls else ""))


def _cwc_first(view: View) -> Verdict:
    ours, cwc = view.ours("gcm"), bits_per_cycle(cwc_cycles)
    if not ours:
        return Verdict(holds=None, evidence="not measured")
    slower = [name for name, value in ours.items() if value < cwc[name]]
    text = f"CWC's model is ahead of our GCM at {len(slower)} of {len(ours)} lengths"
    text += "; its cycle of advantage is the length block, which hides when packets overlap"
    return Verdict(holds=len(slower) == len(ours), evidence=text)


def _table_3_clock(view: View) -> Verdict:
    model = bits_per_cycle(gcm_cycles)
    at = {
        clock: sum(agree(model[n] * clock / 1000, p) for n, p in view.theirs("gcm").items())
        for clock in (PRINTED_CLOCK_MHZ, 278.0)
    }
    limit = 128 * PRINTED_CLOCK_MHZ / 1000
    text = (
        f"at 271 MHz {at[PRINTED_CLOCK_MHZ]} of {len(view.theirs('gcm'))} figures come out, at 278 "
        f"MHz {at[278.0]}; the 34.8 Gbit/s for 8,192 bytes are above Table 1's {limit:.2f} for an "
        "endless packet"
    )
    return Verdict(holds=at[PRINTED_CLOCK_MHZ] == len(view.theirs("gcm")), evidence=text)


def _faster_than_cwc(view: View) -> Verdict:
    ours, cwc = view.ours("gcm"), view.theirs("cwc")
    if not ours:
        return Verdict(holds=None, evidence="not measured")
    good = sum(value > cwc[name] for name, value in ours.items())
    text = f"our GCM is ahead of the printed CWC at {good} of {len(ours)} lengths"
    return Verdict(holds=good == len(ours), evidence=text)


TABLES = (TABLE_1, TABLE_2, TABLE_3)

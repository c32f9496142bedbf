# SPDX-License-Identifier: Apache-2.0
"""Yang, Mishra, Karri 2005, Tables 2 and 3: packets, and CWC beside GCM."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from itertools import pairwise

from gcmforge.study.papers.form import (
    Claim,
    Column,
    Table,
    Todo,
    Value,
    Verdict,
    View,
    because,
    rows_of,
    short,
)
from gcmforge.study.papers.measured import Figures, NotMeasuredError
from gcmforge.study.papers.yang2005_model import (
    SIZES,
    average,
    bits_per_cycle,
    cwc_cycles,
    gcm_cycles,
)
from gcmforge.study.papers.yang2005_needs import (
    CWC_MODULAR,
    CWC_PRODUCT,
    FIG_5,
    OVERLAPPED,
    PACKETS,
)

PRINTED_CLOCK_MHZ, CWC_CLOCK_MHZ = 271.0, 78.0


def _bits(size: str, figures: Figures) -> Mapping[str, Value]:
    """Packets of Fig. 5 as a core, those of a core in which they overlap, and the model of CWC."""
    alone, overlapped = (
        average(found) if size == "Avg." else found[size]
        for found in (figures.get(need).bits_per_cycle for need in (PACKETS, OVERLAPPED))
    )
    return {"gcm": alone, "cwc": bits_per_cycle(cwc_cycles)[size], "overlapped": overlapped}


def _rates(size: str, figures: Figures) -> Mapping[str, Value]:
    """At the clocks of Fig. 5 and of CWC's multiplier on osu018, each where it is there."""
    bits, made = _bits(size, figures), {}
    for key, need in (("gcm", FIG_5), ("cwc", CWC_PRODUCT)):
        try:
            clock = figures.get(need).fmax_mhz
        except NotMeasuredError:
            continue
        value = bits[key]
        assert clock is not None and isinstance(value, float)
        made[key] = value * clock / 1000
    return made


_NAMES = (*map(str, SIZES), "Avg.")
_COLUMNS_2 = (
    Column(key="gcm", head="GCM", unit="bits/cycle", rank=True),
    Column(
        key="cwc", head="CWC (ours: its model, recomputed)", unit="bits/cycle", rank=True,
        worked_out="the paper's own formula for CWC",
    ),
)  # fmt: skip
_OWN_2 = (
    Column(
        key="overlapped", head="GCM, packets overlap (preset `yang2005`)", unit="bits/cycle",
        rank=True, against="gcm",
    ),
)  # fmt: skip
_NOT_MAPPED = Todo("not mapped yet: gcmforge-study papers --measure")
_COLUMNS_3 = (
    Column(key="gcm", head="GCM", unit="Gbit/s", rank=True, why=_NOT_MAPPED),
    Column(
        key="cwc",
        head="CWC (ours: its model at our multiplier's clock)",
        unit="Gbit/s",
        rank=True,
        why=_NOT_MAPPED,
        worked_out="that formula at the clock of our multiplier",
    ),
)

TABLE_2 = Table(
    paper="yang2005",
    key="2",
    title="Bits per cycle of GCM and CWC by bytes in a packet",
    theirs="packets one after another, n + 12 cycles each (CWC: n + 11)",
    here="`core=yang2005`, Fig. 5, in simulation, packets back to back; CWC by its model",
    done="we simulated Fig. 5 as a core with packets of every length",
    columns=(*_COLUMNS_2, *_OWN_2),
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
    note="Where packets overlap, one of n blocks takes n + 1 cycles and not n + 12.",
    claims=(
        Claim(
            text="a packet of n blocks takes n + 12 cycles, and n + 11 with CWC",
            where="Table 2, section 5",
            check=lambda view, figures: _model(view),
        ),
        Claim(
            text="the throughput grows with the packet",
            where="section 5",
            check=lambda view, figures: _grows(view),
        ),
        Claim(
            text="CWC takes fewer cycles than GCM for every packet",
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
    here="Table 2's simulation at the Fmax of `core=yang2005` on osu018; CWC by its model at the "
    "Fmax of its multiplier there",
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
    note="CWC's multiplier is a circuit of ours (study/papers/cwc.py): a Wallace tree for integers "
    "of 127 bits and a Kogge-Stone adder, between registers, as GHASH's is. The rest of CWC was "
    "not built.",
    done="we built GCM as Fig. 5 has it, and CWC's multiplier, on osu018",
    claims=(
        Claim(
            text="a 127-bit Wallace tree multiplier reaches approximately 78 MHz where GCM reaches "
            "271",
            done="we built that multiplier and GHASH's as circuits",
            unlike="our multiplier is another circuit, mapped by another tool on ideal wires, and "
            "the paper's was placed",
            where="section 7",
            check=lambda view, figures: _slower_multiplier(figures),
        ),
        Claim(
            text="GCM's throughputs are those of Table 2 at 271 MHz",
            done="we worked the printed figures out again",
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
    text += "; the core takes n + 12 (tests/laws/test_yang2005_core.py)"
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
    reason = "a packet ends in a beat that is not full, and 20 bytes fill 2 blocks badly"
    return Verdict(holds=not falls, evidence=because(text, reason if falls else ""))


def _cwc_first(view: View) -> Verdict:
    ours, cwc = view.ours("gcm"), bits_per_cycle(cwc_cycles)
    if not ours:
        return Verdict(holds=None, evidence="not measured")
    slower = [name for name, value in ours.items() if value < cwc[name]]
    text = (
        f"CWC's model is ahead of our GCM at {len(slower)} of {len(ours)} lengths by one cycle, "
        "that of the length block, which hides where packets overlap"
    )
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


def _slower_multiplier(figures: Figures) -> Verdict:
    """271 over 78 is 3.47; here by the paths of the circuits, and by their clocks where these are
    there: the multiplier alone is no slower than a quarter more, with its reduction no faster than
    a quarter less."""
    from gcmforge.circuit import cost
    from gcmforge.leaf import multiplier
    from gcmforge.study.papers.cwc import product_circuit

    paper = PRINTED_CLOCK_MHZ / CWC_CLOCK_MHZ
    ghash = cost(multiplier("mastrovito").circuit).delay
    alone, modular = (cost(product_circuit(modular=more)).delay for more in (False, True))
    ratios = [(alone / ghash, modular / ghash)]
    text = (
        f"the paths, counted in gates, {_agree(ratios[0], paper)} with the {paper:.2f} of 271 over "
        f"78: the Wallace tree's is {alone / ghash:.2f} times as long as GHASH's multiplier's, and "
        f"{modular / ghash:.2f} times with the reduction modulo 2^127 - 1"
    )
    try:
        gcm, *clocks = (figures.get(n).fmax_mhz or 0.0 for n in (FIG_5, CWC_PRODUCT, CWC_MODULAR))
        ratios.append((gcm / clocks[0], gcm / clocks[1]))
        text += (
            f"; the clocks on osu018 {_agree(ratios[1], paper)}, {short(clocks[0])} and "
            f"{short(clocks[1])} MHz against {short(gcm)} of our GCM"
        )
    except NotMeasuredError:
        text += "; it is not mapped yet"
    return Verdict(holds=all(_around(one, paper) for one in ratios), evidence=text)


def _around(ratios: tuple[float, float], paper: float) -> bool:
    """Whether those of the multiplier alone and with its reduction are on both sides of the
    paper's, a quarter of it allowed."""
    return ratios[0] <= 1.25 * paper and ratios[1] >= 0.75 * paper


def _agree(ratios: tuple[float, float], paper: float) -> str:
    return "agree" if _around(ratios, paper) else "do not agree"


def _faster_than_cwc(view: View) -> Verdict:
    """Than CWC at our multiplier's clock, or at the paper's while there is none."""
    ours, cwc = view.ours("gcm"), view.ours("cwc") or view.theirs("cwc")
    if not ours:
        return Verdict(holds=None, evidence="not measured")
    good = sum(value > cwc[name] for name, value in ours.items())
    at = "our multiplier's clock" if view.ours("cwc") else "the printed 78 MHz"
    text = f"our GCM is ahead of CWC at {at} at {good} of {len(ours)} lengths"
    return Verdict(holds=good == len(ours), evidence=text)

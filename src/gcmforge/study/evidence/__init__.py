# SPDX-License-Identifier: Apache-2.0
"""Long runs, and what they found: kept as data with the command and the seed that repeat it."""

RUNS = {
    "soak": "random packets under every stall pattern, on cores of all kinds",
    "nist": "every NIST vector on some cores",
    "flips": "one wrong bit on cores with verified release",
    "faults": "every single fault, and pairs, in the netlist of micro with faults=detect",
    "fuzz": "files that are almost right, given to what reads them",
    "beats": "beats of packets against the law",
    "segments": "bits a cycle of packets that share beats, against the law; random packets",
    "segments-levels": "GHASH of a core with segments by parts, in one level of products or two",
    "streams": "cycles of packets of many streams against the law; random packets",
    "control": "what is proven, watched or open of the control of cores of each class",
    "coverage": "what the default verification of every preset reaches",
    "mutants": "mutants of some cores, judged by what verify plays and by proofs",
    "mapped": "cores as netlists of cells: NIST, random packets, a reset in every cycle",
    "routed": "the estimate of wires beside the wires of a router",
    "sbox-cores": "every S-box, gate by gate, inside a core",
    "structure": "what mapping keeps of the sums that multipliers share",
    "one-key": "what a GHASH for one key takes, compared with Crenne 2011",
    "calibration": "random cores and leaves measured, which estimates are calibrated by",
    "peers": "an open core of others through the same flow, from a clone of it",
    "lint": "every leaf and three cores through Verilator -Wall and Yosys",
}
"""Name on the command line -> what is run."""

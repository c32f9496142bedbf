# SPDX-License-Identifier: Apache-2.0
"""The glitch-extended probing model: what one wire of a masked circuit may tell, and whether it
tells of a secret."""

from gcmforge.circuit.probing.check import PROPERTIES, Probing, prove_probing
from gcmforge.circuit.probing.graph import PUBLIC, RANDOM, ProbeGraph, Role, Share

__all__ = [
    "PROPERTIES",
    "PUBLIC",
    "RANDOM",
    "ProbeGraph",
    "Probing",
    "Role",
    "Share",
    "prove_probing",
]

# SPDX-License-Identifier: Apache-2.0
"""Proofs about the control of a built core: queues, order, verdicts, answers.

What leaves compute is proven where leaves are made. Here they are cut out and give anything, and
what is proven is that words, slots, tags and text go where they are to go, whatever the data is.
"""

from gcmforge.formal.control import ControlProof, prove_control, without_properties

__all__ = ["ControlProof", "prove_control", "without_properties"]

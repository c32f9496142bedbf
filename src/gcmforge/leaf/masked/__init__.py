# SPDX-License-Identifier: Apache-2.0
"""Gadgets: circuits on shares, each with what it claims against probes that see glitches."""

from gcmforge.leaf.masked.catalog import gadget, gadget_makers
from gcmforge.leaf.masked.gadget import Claim, Gadget

__all__ = ["Claim", "Gadget", "gadget", "gadget_makers"]

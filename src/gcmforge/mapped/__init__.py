# SPDX-License-Identifier: Apache-2.0
"""A core's netlist of library cells, simulated in place of its SystemVerilog."""

from gcmforge.mapped.core import MappedCore, mapped_core
from gcmforge.mapped.text import netlist_text

__all__ = ["MappedCore", "mapped_core", "netlist_text"]

# SPDX-License-Identifier: Apache-2.0
"""Power of a mapped netlist from simulated transitions with gate delays, glitches included."""

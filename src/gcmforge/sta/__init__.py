# SPDX-License-Identifier: Apache-2.0
"""Static timing of a mapped netlist: when each net is ready, and which path is the slowest."""

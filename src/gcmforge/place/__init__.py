# SPDX-License-Identifier: Apache-2.0
"""A mapped design on an FPGA: its resources, and its clock once it is placed and routed."""

# SPDX-License-Identifier: Apache-2.0
"""A mapped design, placed: on an FPGA its resources, and its clock after place and route; of
standard cells where they stand, their wires, and the clock with these."""

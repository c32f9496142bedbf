# SPDX-License-Identifier: Apache-2.0
"""SystemVerilog becomes gates of a target: scripts tried, the best kept, slow paths mended."""

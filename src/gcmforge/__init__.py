# SPDX-License-Identifier: Apache-2.0
"""AES-GCM hardware generator: verified, proven and measured SystemVerilog cores."""

__version__ = "0.1.0"

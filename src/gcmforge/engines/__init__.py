# SPDX-License-Identifier: Apache-2.0
"""The engines: one folder each, with its SystemVerilog and `engine.py`, which describes it.

gcmforge.config.installed finds them; adding an engine changes nothing else.
"""

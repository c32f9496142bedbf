# SPDX-License-Identifier: Apache-2.0
"""Engines that no front of any explored space chooses, kept for the papers that proposed them.

They are found as those of the product are, by the entry point group "gcmforge.engines", and are
built, proven, verified and measured in the same way.
"""

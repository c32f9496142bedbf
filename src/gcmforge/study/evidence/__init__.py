# SPDX-License-Identifier: Apache-2.0
"""Long runs, and what they found: kept as data with the command and the seed that repeat it."""

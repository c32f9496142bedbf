# SPDX-License-Identifier: Apache-2.0
"""Tables of the five papers, as data."""

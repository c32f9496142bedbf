# SPDX-License-Identifier: Apache-2.0
"""GHASH for one key, after Crenne 2011: the table T and what follows from it."""

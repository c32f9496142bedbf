# SPDX-License-Identifier: Apache-2.0
"""GHASH for one key, after Crenne 2011: the table T, and the hash subkey folded into logic."""

from gcmforge.specialise.keys import (
    NamedSubkey,
    Subkey,
    read_key_file,
    read_portfolio,
    read_subkey_file,
    subkey_of_key,
)
from gcmforge.specialise.module import Specialised, amount, specialise
from gcmforge.specialise.plan import TARGETS, Plan, Target, make_plan
from gcmforge.specialise.portfolio import Entry, Portfolio, make_portfolio

__all__ = [
    "TARGETS",
    "Entry",
    "NamedSubkey",
    "Plan",
    "Portfolio",
    "Specialised",
    "Subkey",
    "Target",
    "amount",
    "make_plan",
    "make_portfolio",
    "read_key_file",
    "read_portfolio",
    "read_subkey_file",
    "specialise",
    "subkey_of_key",
]

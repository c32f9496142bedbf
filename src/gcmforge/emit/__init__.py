# SPDX-License-Identifier: Apache-2.0
"""From a configuration to a core's folder: RTL, leaves, the top, and what goes with them."""

from gcmforge.emit.core import BuiltCore, build_core, open_core, prove_core, prove_library
from gcmforge.emit.folder import BuildError, Changes, changes, check_unchanged
from gcmforge.emit.idle import IdleLeaf, idle_in_core, idle_in_library
from gcmforge.emit.records import ProofRecord

__all__ = [
    "BuildError",
    "BuiltCore",
    "Changes",
    "IdleLeaf",
    "ProofRecord",
    "build_core",
    "changes",
    "check_unchanged",
    "idle_in_core",
    "idle_in_library",
    "open_core",
    "prove_core",
    "prove_library",
]

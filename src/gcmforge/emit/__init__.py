# SPDX-License-Identifier: Apache-2.0
"""A configuration's folder: hand-written RTL, leaves, thin top, and one emitter per by-product."""

from gcmforge.emit.core import BuiltCore, build_core, open_core, prove_core, prove_library
from gcmforge.emit.folder import BuildError, Changes, changes
from gcmforge.emit.leaves import ProofRecord

__all__ = [
    "BuildError",
    "BuiltCore",
    "Changes",
    "ProofRecord",
    "build_core",
    "changes",
    "open_core",
    "prove_core",
    "prove_library",
]

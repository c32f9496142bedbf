# SPDX-License-Identifier: Apache-2.0
"""A built core in Verilator: compiled once, driven natively, compared with what is expected."""

from gcmforge.sim.aead import AESGCM, CoreError, InvalidTag
from gcmforge.sim.compile import compile_core
from gcmforge.sim.core import Core, Failure, RunResult
from gcmforge.sim.driver import Simulation
from gcmforge.sim.operations import Expected, LoadKey, Operation, Packet, Status
from gcmforge.sim.packing import Answer, Beat, FramedPacket, Waveform
from gcmforge.sim.report import VerifyReport
from gcmforge.sim.stalls import Stalls
from gcmforge.sim.verify import VerifyJob, nist_files, verify, verify_many

__all__ = [
    "AESGCM",
    "Answer",
    "Beat",
    "Core",
    "CoreError",
    "Expected",
    "Failure",
    "FramedPacket",
    "InvalidTag",
    "LoadKey",
    "Operation",
    "Packet",
    "RunResult",
    "Simulation",
    "Stalls",
    "Status",
    "VerifyJob",
    "VerifyReport",
    "Waveform",
    "compile_core",
    "nist_files",
    "verify",
    "verify_many",
]

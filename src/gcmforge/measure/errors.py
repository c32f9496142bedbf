# SPDX-License-Identifier: Apache-2.0
"""Errors of measuring whose text is written for the user; anything else is a bug."""

from gcmforge.config import ConfigError
from gcmforge.emit.folder import BuildError
from gcmforge.measure.store import StoreError
from gcmforge.measure.subject import MeasureError
from gcmforge.measure.throughput import ThroughputError
from gcmforge.netlist.liberty_syntax import LibertyError
from gcmforge.netlist.netlist import NetlistError
from gcmforge.netlist.targets import TargetError
from gcmforge.power.power import PowerError
from gcmforge.power.traffic import TrafficError
from gcmforge.synth.synthesis import SynthesisError
from gcmforge.tools import ToolError

SHOWN = (
    BuildError,
    ConfigError,
    LibertyError,
    MeasureError,
    NetlistError,
    PowerError,
    StoreError,
    SynthesisError,
    TargetError,
    ThroughputError,
    ToolError,
    TrafficError,
    OSError,
)

# SPDX-License-Identifier: Apache-2.0
"""Errors of measuring whose text is written for the user; anything else is a bug."""

from gcmforge.build.folder import BuildError
from gcmforge.config import ConfigError
from gcmforge.measure.liberty import LibertyError
from gcmforge.measure.netlist import NetlistError
from gcmforge.measure.power import PowerError
from gcmforge.measure.store import StoreError
from gcmforge.measure.subject import MeasureError
from gcmforge.measure.synthesis import SynthesisError
from gcmforge.measure.targets import TargetError
from gcmforge.measure.throughput import ThroughputError
from gcmforge.measure.traffic import TrafficError
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

# SPDX-License-Identifier: Apache-2.0
"""What an engineer states before there is a configuration, next to options: goal, rate, clock and
protection. Options follow from it (gcmforge.config.intent)."""

from collections.abc import Mapping
from types import MappingProxyType

from gcmforge.config.option import Option

INTENTS: Mapping[str, Option] = MappingProxyType(
    {
        "goal": Option(
            meaning="What the core is to be good at. The expert options follow from it. goal=area "
            "makes the fewest gates, goal=balanced the most throughput for its gates, "
            "goal=throughput the highest clock. goal=short_packets is balanced, and a packet waits "
            "for nothing, however short.",
            choices=("area", "balanced", "throughput", "short_packets"),
        ),
        "gbit_per_s": Option(
            meaning="Rate of long packets that the core has to reach at clock_mhz; lanes follow.",
            bounds=(1, 10_000), unit="Gbit/s",
        ),
        "clock_mhz": Option(
            meaning="Clock that is planned. gcmforge measure shows what a technology reaches.",
            bounds=(1, 5_000), unit="MHz",
        ),
        "protection": Option(
            meaning="What the core is to withstand. protection=masked is against power analysis of "
            "first order: every secret is in two shares. It chooses a masked core: the smallest "
            "that reaches the rate for goal=area or no goal, and else the fastest. What that takes "
            "follows, too: AES-128, one key, IVs of 96 bits. protection=none asks for nothing.",
            choices=("none", "masked"),
        ),
    }
)  # fmt: skip
"""What is set before there is a configuration (gcmforge.config.intent)."""

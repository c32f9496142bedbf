# SPDX-License-Identifier: Apache-2.0
"""Ethernet with MACsec on a core's bus: the clock that a rate asks, frame by frame.

A frame of n bytes is what is on the line from the destination address to the frame check sequence,
SecTAG and ICV counted. Before it are 8 bytes of preamble, after it 12 of gap. Addresses and SecTAG
(8 bytes, or 16 with an SCI) are AAD, what lies between them and the ICV of 16 bytes is text, but
for the first bytes of it where there is a confidentiality offset (0, 30 or 50 bytes, IEEE 802.1AE):
these are AAD, too. The frame check sequence is made anew and does not pass the core.
"""

from __future__ import annotations

from dataclasses import dataclass

from gcmforge.config.core import CoreConfig

AROUND_BYTES = 8 + 12
ADDRESS_BYTES, ICV_BYTES, FCS_BYTES = 12, 16, 4
SECTAG_BYTES = (8, 16)
"""Without and with an SCI."""
FRAME_BYTES = range(64, 9_600 + 1)
LONGEST_ADDED_BYTES = max(SECTAG_BYTES) + ICV_BYTES
"""A frame that had 9,600 bytes before it was protected has as many more on the line."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Need:
    """The clock that a rate asks for, and the frame that asks for it."""

    clock_mhz: float
    frame_bytes: int
    sectag_bytes: int


def sections(frame_bytes: int, sectag_bytes: int, offset_bytes: int = 0) -> tuple[int, int]:
    """AAD and text of such a frame, in bytes."""
    aad = ADDRESS_BYTES + sectag_bytes
    data = frame_bytes - aad - ICV_BYTES - FCS_BYTES
    clear = min(offset_bytes, data)
    return aad + clear, data - clear


def frame_cycles(
    config: CoreConfig, frame_bytes: int, sectag_bytes: int, offset_bytes: int = 0
) -> float:
    """Cycles of the core's bus that frames of one length take each, on average."""
    own = config.architecture
    if own is None or own.bus_cycles is None:
        raise ValueError(f"core={config.core} has no law of frames that share beats")
    return own.bus_cycles(config, *sections(frame_bytes, sectag_bytes, offset_bytes))


def fraction(
    config: CoreConfig,
    gbit_per_s: float,
    clock_mhz: float,
    frame_bytes: int,
    sectag_bytes: int,
    offset_bytes: int = 0,
) -> float:
    """What the core can take of a line that is full of such frames: 1 or more keeps up with it."""
    line_s = 8 * (frame_bytes + AROUND_BYTES) / (gbit_per_s * 1e9)
    cycles = frame_cycles(config, frame_bytes, sectag_bytes, offset_bytes)
    return line_s * clock_mhz * 1e6 / cycles


def clock_needed(config: CoreConfig, gbit_per_s: float, offset_bytes: int = 0) -> Need:
    """The lowest clock at which no frame of 64 to 9,600 bytes, before it is protected or after,
    comes faster than the core takes it."""
    lengths = range(FRAME_BYTES.start, FRAME_BYTES.stop + LONGEST_ADDED_BYTES)
    needs = (
        Need(
            clock_mhz=1 / fraction(config, gbit_per_s, 1.0, length, sectag, offset_bytes),
            frame_bytes=length,
            sectag_bytes=sectag,
        )
        for length in lengths
        for sectag in SECTAG_BYTES
    )
    return max(needs, key=lambda need: need.clock_mhz)

# SPDX-License-Identifier: Apache-2.0
"""The blocks of a core of its own: three that take its streams, what encrypts, what hashes, and
lengths. What each does, and its name, its descriptor says."""

from __future__ import annotations

from gcmforge.config import CoreConfig
from gcmforge.config.architecture import Architecture
from gcmforge.report.svg import arrow, box, document, text

WIDTH, HEIGHT = 1070.0, 412.0
_BOX = (170.0, 64.0)
_PLACES = ((182.0, 46.0), (182.0, 152.0), (182.0, 290.0), (450.0, 99.0), (450.0, 222.0),
           (450.0, 320.0))  # fmt: skip
_OUT = (760.0, 160.0)


def own_diagram(config: CoreConfig, own: Architecture) -> str:
    """SVG of the core."""
    top = config.named(config.top)
    body = [box(132, 14, 802, 384, "panel"), text(146, 34, top, "soft", "start")]
    kinds = ("", "", "", "one", "two", "")
    for (name, notes), (x, y), kind in zip(own.diagram(config), _PLACES, kinds, strict=True):
        body += [box(x, y, *_BOX, kind), text(x + 85, y + 20, name)]
        body += [text(x + 85, y + 35 + 15 * n, note, "soft") for n, note in enumerate(notes)]
    x, y = _OUT
    body += [box(x, y, 120, 64, ""), text(x + 60, y + 20, own.out)]
    body.append(text(x + 60, y + 35, "adds, compares", "soft"))
    return document(WIDTH, HEIGHT, f"Blocks of {top}: {config.summary}", body + _lines())


def _lines() -> list[str]:
    right = 970.0
    names = [("s_key", 78), ("s_cmd", 184), ("s_axis", 322)]
    return [
        *(text(90, y + 4, name, "name", "end") for name, y in names),
        *(arrow((96, y), (182, y)) for _, y in names),
        arrow((352, 78), (400, 78), (400, 116), (450, 116)),
        text(408, 92, "key", "soft", "start"),
        arrow((352, 184), (400, 184), (400, 146), (450, 146)),
        text(408, 172, "counter", "soft", "start"),
        arrow((620, 131), (700, 131), (700, 176), (760, 176)),
        text(640, 124, "key stream", "soft", "start"),
        arrow((620, 254), (730, 254), (730, 210), (760, 210)),
        text(640, 248, "digest", "soft", "start"),
        arrow((352, 310), (400, 310), (400, 254), (450, 254)),
        arrow((352, 322), (380, 322), (380, 200), (690, 200), (690, 193), (760, 193)),
        text(470, 195, "text", "soft", "start"),
        arrow((352, 342), (450, 342)),
        arrow((535, 320), (535, 286)),
        arrow((880, 180), (right, 180)),
        text(976, 184, "m_axis", "name", "start"),
        arrow((880, 206), (right, 206)),
        text(976, 210, "m_tag", "name", "start"),
    ]

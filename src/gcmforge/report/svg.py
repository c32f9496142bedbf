# SPDX-License-Identifier: Apache-2.0
"""Pieces of SVG that both diagrams of a datasheet share: light and dark, on screen and on paper."""

from __future__ import annotations

from html import escape

STYLE = """
svg.gf { --ink: #14161f; --soft: #5c6478; --line: #454b5e; --panel: #f5f6fa; --edge: #b7bdcb;
  --box: #ffffff; --one: #d8e6fb; --two: #d9f0db; --wait: #e4e6ec; }
@media (prefers-color-scheme: dark) { svg.gf { --ink: #e9ebf2; --soft: #a3abbd; --line: #aab1c4;
  --panel: #1b1e27; --edge: #454b5c; --box: #242833; --one: #23406e; --two: #24512c;
  --wait: #343948; } }
@media print { svg.gf { --ink: #14161f; --soft: #5c6478; --line: #454b5e; --panel: #f5f6fa;
  --edge: #b7bdcb; --box: #ffffff; --one: #d8e6fb; --two: #d9f0db; --wait: #e4e6ec; } }
svg.gf text { fill: var(--ink); font: 13px "DejaVu Sans", Helvetica, Arial, sans-serif; }
svg.gf text.soft { fill: var(--soft); font-size: 11px; }
svg.gf text.name { font-weight: 600; }
svg.gf rect { fill: var(--box); stroke: var(--line); }
svg.gf rect.panel { fill: var(--panel); stroke: var(--edge); }
svg.gf rect.one { fill: var(--one); }
svg.gf rect.two { fill: var(--two); }
svg.gf rect.wait { fill: var(--wait); stroke: var(--edge); }
svg.gf path { fill: none; stroke: var(--line); stroke-width: 1.4; }
svg.gf path.rule { stroke: var(--edge); stroke-width: 1; }
svg.gf path.head { fill: var(--line); stroke: none; }
""".strip()


def document(width: float, height: float, title: str, body: list[str]) -> str:
    """A whole drawing; its style works by itself and inside a page."""
    lines = [
        f'<svg class="gf" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" role="img" aria-label="{escape(title)}">',
        f"<title>{escape(title)}</title>",
        f"<style>\n{STYLE}\n</style>",
        *body,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def box(x: float, y: float, width: float, height: float, kind: str = "") -> str:
    mark = f' class="{kind}"' if kind else ""
    return f'<rect{mark} x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="4"/>'


def text(x: float, y: float, words: str, kind: str = "", anchor: str = "middle") -> str:
    mark = f' class="{kind}"' if kind else ""
    return f'<text{mark} x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(words)}</text>'


def arrow(*points: tuple[float, float]) -> str:
    """A line with corners, and a head at its end."""
    line = " L".join(f"{x:g} {y:g}" for x, y in points)
    (x0, y0), (x, y) = points[-2:]
    dx, dy = (x > x0) - (x < x0), (y > y0) - (y < y0)
    head = (
        f"M{x:g} {y:g} L{x - 8 * dx - 4 * dy:g} {y - 8 * dy - 4 * dx:g} "
        f"L{x - 8 * dx + 4 * dy:g} {y - 8 * dy + 4 * dx:g} Z"
    )
    return f'<path d="M{line}"/><path class="head" d="{head}"/>'


def rule(*points: tuple[float, float]) -> str:
    """A thin line."""
    line = " L".join(f"{x:g} {y:g}" for x, y in points)
    return f'<path class="rule" d="M{line}"/>'

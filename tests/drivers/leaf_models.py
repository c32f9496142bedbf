# SPDX-License-Identifier: Apache-2.0
"""What leaves compute, in modules that a simulator likes: cycle laws and protocols ask for a leaf's
function and latency, and not for its gates. Files of models/ with their numbers filled in."""

from collections.abc import Sequence
from pathlib import Path

from gcmforge.model import sbox

MODELS = Path(__file__).parent / "models"


def model_text(leaf: str) -> str:
    """The file of that leaf, its numbers not filled in."""
    return (MODELS / f"{leaf}.sv").read_text(encoding="utf-8")


def aes_texts(sub_stages: int) -> dict[str, str]:
    """S-box, after as many stages, and MixColumns."""
    table = "'{" + ", ".join(f"8'd{byte}" for byte in sbox()) + "}"
    return {
        leaf: model_text(leaf)
        .replace("= STAGES", f"= {sub_stages}")
        .replace("= TABLE", f"= {table}")
        for leaf in ("aes_sbox", "aes_mix_column")
    }


def multiplier_text(stages: int) -> str:
    """A gf128_mul of that many stages."""
    return model_text("gf128_mul").replace("= STAGES", f"= {stages}")


def dot_text(stages: int, lanes: int) -> str:
    """A gf128_dot; its lanes are gf128_mul of one stage."""
    return model_text("gf128_dot").replace("STAGES", str(stages)).replace("LANES", str(lanes))


def key_texts(stages: int, lanes: Sequence[int]) -> dict[str, str]:
    """A gf128_key of that many stages, and a gf128_dot_stored for each number of lanes."""
    texts = {"gf128_key": model_text("gf128_key").replace("= STAGES", f"= {stages}")}
    for q in lanes:
        text = model_text("gf128_dot_stored").replace("LANES", str(q))
        _, texts[f"stored_{q}"] = variant("gf128_dot_stored", text, q, stages)
    return texts


def variant(module: str, text: str, lanes: int, stages: int) -> tuple[str, str]:
    """Module and text under names for this number of lanes and stages."""
    own = f"{module}_p{stages}q{lanes}"
    text = text.replace(f"module {module} ", f"module {own} ")
    for dot in ("gf128_dot", "gf128_dot_stored"):
        text = text.replace(f"{dot} u_dot", f"{dot}_p{stages}q{lanes} u_dot")
    return own, text

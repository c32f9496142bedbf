# SPDX-License-Identifier: Apache-2.0
"""A built core's module as a bench, with leaves of one stage that simulate quickly."""

from collections.abc import Mapping
from pathlib import Path

from bench import compile_bench
from ghash_engines import multiplier_text

from gcmforge.build import BuiltCore
from gcmforge.field import aes_sbox

HERE = Path(__file__).parent


def compiled(core: BuiltCore, top: str, changed: Mapping[str, str] | None = None) -> Path:
    """The shared library of `top`; S-box and multiplier compute what their leaves compute,
    and `changed` has modules to put in the place of the core's."""
    texts = {Path(name).stem: (core.path / name).read_text() for name in core.rtl}
    table = ", ".join(f"8'h{aes_sbox(x):02x}" for x in range(256))
    sbox = (HERE / "aes_sbox.sv").read_text().replace("= STAGES", "= 1")
    quick = {
        "aes_sbox": sbox.replace("= TABLE", f"= '{{{table}}}"),
        "gf128_mul": multiplier_text(1),
    } | dict(changed or {})
    return compile_bench(top, {name: quick.get(name, text) for name, text in texts.items()})

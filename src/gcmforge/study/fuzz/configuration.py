# SPDX-License-Identifier: Apache-2.0
"""Files of configurations: options, spaces of `explore`, and what lies in the folder of a core."""

import itertools
import json
from pathlib import Path

from gcmforge.config import ConfigError, CoreConfig, options
from gcmforge.config.presets import PRESETS, load_plan
from gcmforge.config.stated import INTENTS
from gcmforge.emit import build_core, check_unchanged
from gcmforge.emit.core import open_core
from gcmforge.emit.folder import LOCK, BuildError
from gcmforge.explore.space import Space
from gcmforge.measure.subject import MeasureError, find_subject
from gcmforge.study.fuzz.mutate import Form
from gcmforge.study.fuzz.reader import Reader
from gcmforge.study.fuzz.trees import json_changed, toml_changed

MOST_POINTS = 300
"""A space with more of them is not gone through: that takes minutes, and may."""

_WORDS = tuple(
    dict.fromkeys(
        [*options(), *INTENTS, *PRESETS, "from", "to", "step", "times", "1..4", "[128, 256]"]
        + [choice for option in options().values() for choice in option.choices]
    )
)
_TOML = Form(
    words=_WORDS, change=toml_changed, nests=(("[", "]"), ("{a=", "}"), ("[[", "]]"), ("a.", ""))
)
_JSON = Form(change=json_changed, nests=(("[", "]"), ('{"a":', "}")))

_OPTIONS = (
    b"lanes = 4\nghash_stages = 2\nkey_sizes = [128, 256]\nname = 'mine'\n",
    b'goal = "balanced"\ngbit_per_s = 100\nclock_mhz = 250\ncontexts = 8\n',
    *(PRESETS[name].config.to_toml().encode() for name in ("small", "100g")),
)
_SPACES = (
    b'lanes = [1, 2, 4]\nghash_stages = "1..4"\ncontexts = { from = 1, to = 64, times = 2 }\n',
    b'key_sizes = [[128], [128, 192, 256]]\nsbox = ["small", "fast"]\naes_substages = [1, 2]\n'
    b"tag_places = { from = 0, to = 9, step = 3 }\n",
)
_SMALL = CoreConfig(aes="loop", ghash="serial", key_sizes=(128,), contexts=1, iv="96")
_PROOFS = json.dumps(
    [{"module": "aes_sbox", "variant": "small", "kind": "circuit", "passed": True, "cases": 256,
      "detail": "all inputs"}]
).encode()  # fmt: skip
_PLAN = json.dumps(
    {"target": "gates", "shape": "chain", "skewed": False, "blocks": 1, "effort": "normal"}
).encode()


def readers() -> tuple[Reader, ...]:
    files = _core_files()
    return (
        Reader(
            name="options", file="options.toml", samples=_OPTIONS, read=load_plan,
            refusals=(ConfigError,), form=_TOML, command=_build, whole=_build, share=4,
        ),
        Reader(
            name="space", file="space.toml", samples=_SPACES, read=_space,
            refusals=(ConfigError,), form=_TOML, command=_count, whole=_count, share=4,
        ),
        Reader(
            name="core.toml", file="core/core.toml", samples=(files["core.toml"],), read=_opened,
            refusals=(BuildError,), form=_TOML, prepare=_core, command=_prove,
        ),
        Reader(
            name="lock", file=f"core/{LOCK}", samples=(files[LOCK],), read=_unchanged,
            refusals=(BuildError,), form=_TOML, prepare=_core, command=_verify,
        ),
        Reader(
            name="proofs", file="core/proofs/proofs.json", samples=(_PROOFS, b"[]"),
            read=lambda path: _opened(path.parent), refusals=(BuildError,), form=_JSON,
            prepare=_core, command=lambda path: _prove(path.parent),
        ),
        Reader(
            name="plan", file="ghash/plan.json", samples=(_PLAN,),
            read=lambda path: find_subject(path.parent), refusals=(BuildError, MeasureError),
            form=_JSON, prepare=_ghash, command=lambda path: ["measure", str(path.parent)],
        ),
    )  # fmt: skip


def _build(path: Path) -> list[str]:
    out = str(path.parent / "out")
    return ["build", str(path), "-o", out, "--no-prove", "--no-datasheet"]


def _count(path: Path) -> list[str] | None:
    try:
        if Space.from_toml(path).combinations > MOST_POINTS:
            return None
    except Exception:
        pass
    return ["explore", str(path), "--count"]


def _prove(path: Path) -> list[str]:
    return ["prove", str(path.parent), "--allow-changed"]


def _verify(path: Path) -> list[str]:
    return ["verify", str(path.parent), "--random", "10", "--allow-changed"]


def _space(path: Path) -> None:
    """Its first points are configurations, or say why they are none."""
    space = Space.from_toml(path)
    for choice in itertools.islice(space.choices(), 10):
        try:
            space.config(choice)
        except ConfigError as error:
            str(error)


def _opened(path: Path) -> None:
    open_core(path.parent, changed_is_error=False)


def _unchanged(path: Path) -> None:
    check_unchanged(path.parent, allow_changed=True)


def _core(folder: Path) -> None:
    build_core(_SMALL, folder / "core", prove=False, force=True)


def _ghash(folder: Path) -> None:
    (folder / "ghash").mkdir()
    (folder / "ghash" / "ghash_key.f").write_text("ghash_key.sv\n")
    (folder / "ghash" / "ghash_key.sv").write_text("module ghash_key; endmodule\n")


def _core_files() -> dict[str, bytes]:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        _core(Path(folder))
        return {name: (Path(folder) / "core" / name).read_bytes() for name in ("core.toml", LOCK)}

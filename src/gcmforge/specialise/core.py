# SPDX-License-Identifier: Apache-2.0
"""A whole AES-GCM core whose GHASH is made for one key; it refuses every other key."""

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path

from gcmforge.config import ConfigError, CoreConfig, default_of
from gcmforge.config.installed import engines, ghash_engine, own_options
from gcmforge.emit import texts
from gcmforge.emit.core import BuiltCore, core_files, write_core
from gcmforge.emit.folder import check_target
from gcmforge.emit.naming import named_path
from gcmforge.emit.records import ProofRecord
from gcmforge.specialise.keys import Subkey
from gcmforge.specialise.logic import make_logic
from gcmforge.specialise.module import prove_logic
from gcmforge.specialise.plan import make_plan

_OF_OTHER_GHASH = (
    *("key_unit", "ghash_stages", "multiplier", "tail", "aad_lanes", "slots"),
    *(name for name, (having, _) in own_options().items() if having[0].kind == "ghash"),
)
"""Options of GHASHs that take a key while they run."""

_NOTICE = """**This folder contains key material.** The GHASH of this core is made for one key:
`{leaf}` holds the hash subkey in its logic. The folder and its files are readable by
their owner only. The core takes this one AES key: packets of any other end with status NO_KEY.
The options below are those of the same core for any key, and `core.toml` builds that one. Verify
it with `gcmforge verify`; the GHASH for this key was proven when this folder was made.

"""


def for_one_key(core: Path) -> bool:
    """Whether a folder has such a core, under whatever name."""
    return any((core / "gen").glob("*gf128_fixed.sv"))


def not_verified(path: Path) -> str:
    """Why `verify` does not take a core for one key, what of it is checked already, what to do."""
    return (
        f"{path}: made for one key, which is not known here: the packets of verify have other "
        "keys, and the core refuses them. Nothing was simulated. Proven already, when the folder "
        "was made: the logic of the GHASH, for this key and every block (proofs/proofs.json). To "
        f"verify what is around it: gcmforge build {path / 'core.toml'} -o DIR, which is the same "
        "core for any key, and gcmforge verify DIR --nist. To try this core with its key: "
        "gcmforge.AESGCM in Python"
    )


def fixed_config(config: CoreConfig) -> CoreConfig:
    """The configuration with one context, and a GHASH option that a GHASH for one key fits into;
    ConfigError where a core that takes one key cannot do what was asked."""
    if config.zeroise == "on" and config.release_engine.holds:
        raise ConfigError(
            f"zeroise=on with release={config.release}: packets under the zero key erase the "
            "packet buffer, and a core for one key refuses that key; use zeroise=off, or "
            f"release={default_of('release')}"
        )
    fixed = dataclasses.replace(
        config,
        contexts=1,
        tag_places=0,
        ghash=_stand_in(config.lanes),
        **{name: default_of(name) for name in _OF_OTHER_GHASH},
    )
    places = min(config.tag_places, fixed.full_tag_depth)
    return dataclasses.replace(fixed, tag_places=places)


def _stand_in(lanes: int) -> str:
    """The GHASH option of a core whose GHASH is for one key."""
    every = (ghash_engine(name) for name in engines("ghash"))
    return next(one.name for one in every if one.stands_in and one.one_block == (lanes == 1))


def specialise_core(
    subkey: Subkey,
    config: CoreConfig,
    out: Path,
    *,
    effort: str = "normal",
    force: bool = False,
    progress: Callable[[str], None] = lambda step: None,
) -> BuiltCore:
    """Write a core's folder as `build_core` does, readable by its owner only."""
    out = Path(out)
    before = check_target(out, force=force)
    config = fixed_config(config)
    plan = make_plan(lanes=config.lanes, effort=effort)
    progress("gf128_fixed: making and proving")
    logic = make_logic(subkey, plan, proven=True)
    detail = prove_logic({"gf128_fixed": logic}, plan)["gf128_fixed"]
    instead = {"gcm_ghash": texts.gcm_ghash_fixed(config), "gf128_fixed": logic.text}
    files, rtl, others = core_files(config, progress=progress, instead=instead)
    record = ProofRecord(
        module="gf128_fixed", variant="one key", kind="linear", passed=True,
        cases=128 * config.lanes + 1, detail=detail,
    )  # fmt: skip
    proofs = (*others, record)
    files["proofs/proofs.json"] = json.dumps([p.to_mapping() for p in proofs], indent=2) + "\n"
    title, _, rest = files["README.md"].partition("\n\n")
    leaf = named_path(config, "gen/gf128_fixed.sv")
    files["README.md"] = f"{title}\n\n{_NOTICE.format(leaf=leaf)}{rest}"
    return write_core(config, files, rtl, proofs, out, private=True, before=before)

# SPDX-License-Identifier: Apache-2.0
"""AES-GCM hardware generator: verified, proven and measured SystemVerilog cores.

    import gcmforge

    core = gcmforge.build("small", "cores/mine")            # a folder that stands alone
    report = gcmforge.verify(core, random=1000, seed=1)     # random packets in simulation
    assert report.ok
    result = gcmforge.measure_core(core, target="osu018")   # area, clock, throughput
    with gcmforge.AESGCM(core, key) as aead:                # one key in the simulated core
        sealed = aead.encrypt(nonce, data, associated_data)

Everything in `__all__` is public: it changes only with a word in CHANGELOG.md. A name is loaded
when it is first used, so that `import gcmforge` costs nothing. What `help("gcmforge.api")` says
holds for all functions: how a core is named, what they raise, how progress is told.

`gcmforge.measure`, `gcmforge.explore` and `gcmforge.specialise` are packages, the rooms of the
program in which that work is done. Python sets a package's attribute whenever a module of it is
imported, so a function of the same name would be there or not by who imported what before. Those
functions are therefore named after what they work on: `measure_core`, `explore_space`,
`specialise_core`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gcmforge.api import (
        build,
        choose_core,
        explore_space,
        load_config,
        measure_core,
        measure_leaf,
        open_core,
        prove,
        prove_control,
        prove_leaves,
        specialise_core,
        specialise_ghash,
        verify,
    )
    from gcmforge.config import ConfigError, CoreConfig, options
    from gcmforge.config.presets import PRESETS, preset
    from gcmforge.emit import BuildError, BuiltCore, ProofRecord
    from gcmforge.explore.explore import Exploration
    from gcmforge.explore.need import Recommendation
    from gcmforge.explore.space import Space
    from gcmforge.formal import ControlProof
    from gcmforge.measure.result import Result
    from gcmforge.measure.subject import MeasureError
    from gcmforge.netlist.targets import TargetError, target_names
    from gcmforge.sim import AESGCM, Core, CoreError, InvalidTag, VerifyReport, nist_files
    from gcmforge.specialise import Specialised
    from gcmforge.synth.synthesis import SynthesisError
    from gcmforge.tools import ToolError

    __version__: str

__all__ = [
    "AESGCM",
    "PRESETS",
    "BuildError",
    "BuiltCore",
    "ConfigError",
    "ControlProof",
    "Core",
    "CoreConfig",
    "CoreError",
    "Exploration",
    "InvalidTag",
    "MeasureError",
    "ProofRecord",
    "Recommendation",
    "Result",
    "Space",
    "Specialised",
    "SynthesisError",
    "TargetError",
    "ToolError",
    "VerifyReport",
    "__version__",
    "build",
    "choose_core",
    "explore_space",
    "load_config",
    "measure_core",
    "measure_leaf",
    "nist_files",
    "open_core",
    "options",
    "preset",
    "prove",
    "prove_control",
    "prove_leaves",
    "specialise_core",
    "specialise_ghash",
    "target_names",
    "verify",
]

_HOME = {
    "config": ("ConfigError", "CoreConfig", "options"),
    "config.presets": ("PRESETS", "preset"),
    "emit": ("BuildError", "BuiltCore", "ProofRecord"),
    "explore.explore": ("Exploration",),
    "explore.need": ("Recommendation",),
    "explore.space": ("Space",),
    "formal": ("ControlProof",),
    "measure.result": ("Result",),
    "measure.subject": ("MeasureError",),
    "netlist.targets": ("TargetError", "target_names"),
    "sim": ("AESGCM", "Core", "CoreError", "InvalidTag", "VerifyReport", "nist_files"),
    "specialise": ("Specialised",),
    "synth.synthesis": ("SynthesisError",),
    "tools": ("ToolError",),
}
"""Where a public name is at home; those that are not here are functions of gcmforge.api."""

_FUNCTIONS = {
    "measure": "measure_core or gcmforge.measure_leaf",
    "explore": "explore_space or gcmforge.choose_core",
    "specialise": "specialise_core or gcmforge.specialise_ghash",
}
"""Commands whose name is a room's, and what their functions are called."""


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from gcmforge.version import installed_version

        value: Any = installed_version()
    elif name in __all__:
        home = next((home for home, names in _HOME.items() if name in names), "api")
        value = getattr(import_module(f"gcmforge.{home}"), name)
    elif name in _FUNCTIONS:
        raise AttributeError(
            f"gcmforge.{name} is a package that was not imported yet; "
            f"the function is gcmforge.{_FUNCTIONS[name]}"
        )
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

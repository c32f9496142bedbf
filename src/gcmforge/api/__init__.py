# SPDX-License-Identifier: Apache-2.0
"""The functions of `import gcmforge`: each does what the command of its name does; none prints.

**A core** is named by what `build` returned, by the folder that holds it (str or Path), by a
preset's name, or by a CoreConfig; a folder comes before a preset of the same name. A core that is
named by a preset or a CoreConfig is built in the cache when it has to be simulated.
**A configuration** is a CoreConfig, a preset's name, or the path of a TOML file of options.

**Errors.** ConfigError: what was asked contradicts itself or is not known. BuildError: a folder
that cannot be written, or is no core's. ToolError: a simulator, compiler or synthesiser is missing
or failed; `gcmforge doctor` tells which. Their text is one or a few lines that say what to do.
Anything else that is raised is a defect of gcmforge, or of the machine (OSError).

**progress** is called with a few words before each step that may take a while: `progress=print`.
"""

from gcmforge.api.core import (
    build,
    load_config,
    open_core,
    prove,
    prove_control,
    prove_leaves,
    verify,
)
from gcmforge.api.figures import choose_core, explore_space, measure_core, measure_leaf
from gcmforge.api.one_key import specialise_core, specialise_ghash

__all__ = [
    "build",
    "choose_core",
    "explore_space",
    "load_config",
    "measure_core",
    "measure_leaf",
    "open_core",
    "prove",
    "prove_control",
    "prove_leaves",
    "specialise_core",
    "specialise_ghash",
    "verify",
]

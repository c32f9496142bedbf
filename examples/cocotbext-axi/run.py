# SPDX-License-Identifier: Apache-2.0
"""Run random_packets.py, or another bench, on a built core:

python examples/cocotbext-axi/run.py [--packed] cores/two-lanes [my_bench.py]

--packed: on the module in the core's folder `ip`, whose ports are nothing but AXI4-Stream.
"""

import sys
from pathlib import Path

import gcmforge

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from simulate import simulate, sources  # noqa: E402


def main(core: Path, bench: Path = HERE / "random_packets.py", *, packed: bool = False) -> int:
    config, files = gcmforge.open_core(core).config, sources(core)
    top, build = config.top, f"{core.name}-sim"
    settings = {"CORE": str(core)}
    if packed:
        (module,) = core.glob("ip/*_packed.sv")
        top, build = module.stem, f"{core.name}-packed-sim"
        files, settings = [*files, module], settings | {"TOP": top}
    # beside the core's folder, which holds what was built and nothing else
    return 0 if simulate(files, top, bench, core.with_name(build), **settings) else 1


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--packed"]
    sys.exit(main(*(Path(word).resolve() for word in words), packed="--packed" in sys.argv))

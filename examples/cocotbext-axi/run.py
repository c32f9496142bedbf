# SPDX-License-Identifier: Apache-2.0
"""Run random_packets.py, or another bench, on a built core:

python examples/cocotbext-axi/run.py cores/two-lanes [my_bench.py]
"""

import sys
from pathlib import Path

import gcmforge

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from simulate import simulate, sources  # noqa: E402


def main(core: Path, bench: Path = HERE / "random_packets.py") -> int:
    top = gcmforge.open_core(core).config.top
    build = core.with_name(f"{core.name}-sim")  # a core's folder holds what was built, nothing else
    return 0 if simulate(sources(core), top, bench, build, CORE=str(core)) else 1


if __name__ == "__main__":
    sys.exit(main(*(Path(word).resolve() for word in sys.argv[1:])))

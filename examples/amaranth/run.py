# SPDX-License-Identifier: Apache-2.0
"""Make Verilog of the design in sealer.py, and play a packet through it together with its core:

python examples/amaranth/run.py cores/small
"""

import sys
from pathlib import Path

from amaranth.back import rtlil
from sealer import Sealer

from gcmforge.tools import run_yosys

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from simulate import simulate, sources  # noqa: E402


def verilog(core: Path, build: Path) -> Path:
    """What amaranth.back.verilog makes, by the Yosys of pip install 'gcmforge[synth]': Amaranth
    itself looks for one on PATH, of 0.40 or newer."""
    build.mkdir(parents=True, exist_ok=True)
    (build / "sealer.il").write_text(rtlil.convert(Sealer(core), name="sealer"))
    made = build / "sealer.v"
    run_yosys(
        [
            f"read_rtlil {build / 'sealer.il'}",
            "proc -nomux -norom",
            "memory_collect",
            f"write_verilog -norename -noattr {made}",
        ],
        time_limit_s=60,
    )
    return made


def main(core: Path) -> int:
    build = core.with_name(f"{core.name}-amaranth")
    design = verilog(core, build)
    files = [*sources(core), design]
    return 0 if simulate(files, "sealer", HERE / "one_packet.py", build, CORE=str(core)) else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))

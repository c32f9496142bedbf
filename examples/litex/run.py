# SPDX-License-Identifier: Apache-2.0
"""Make Verilog of the SoC in soc.py, and move packets through it together with its core:

python examples/litex/run.py cores/registers

With --axi the memory is outside of the SoC, on AXI4: a memory of cocotbext-axi.
"""

import os
import sys
from pathlib import Path

from litex.soc.integration.export import get_csr_json
from soc import Platform, Soc

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from simulate import simulate, sources  # noqa: E402


def verilog(core: Path, build: Path, *, memory_outside: bool) -> Path:
    """The SoC, and csr.json, which says where its registers are."""
    build.mkdir(parents=True, exist_ok=True)
    os.chdir(build)  # where LiteX writes what memories hold
    platform = Platform()
    soc = Soc(platform, core, memory_outside=memory_outside)
    soc.finalize()
    platform.get_verilog(soc, name="soc").write("soc.v")
    (build / "csr.json").write_text(get_csr_json(soc.csr_regions, soc.constants, soc.mem_regions))
    return build / "soc.v"


def main(core: Path, *, axi: bool = False) -> int:
    build = core.with_name(f"{core.name}-litex{'-axi' * axi}")
    bench = "packets_in_axi_memory.py" if axi else "packets_in_memory.py"
    files = [*sources(core), verilog(core, build, memory_outside=axi)]
    return 0 if simulate(files, "soc", HERE / bench, build, CORE=str(core)) else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), axi="--axi" in sys.argv[2:]))

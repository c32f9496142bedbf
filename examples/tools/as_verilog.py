# SPDX-License-Identifier: Apache-2.0
"""Write a built core as plain Verilog in one file, for tools that do not read its SystemVerilog:

python examples/tools/as_verilog.py cores/compact compact.v

Yosys reads the core, looks for loops of logic and wires that nothing drives, and writes it without
mapping it. FILE must lie outside of the core's folder, which would no longer be what was built.
"""

import sys
from pathlib import Path

import gcmforge
from gcmforge.tools import run_yosys


def main(core: Path, file: Path) -> int:
    built = gcmforge.open_core(core, changed_is_error=False)
    if file.resolve().is_relative_to(core.resolve()):
        print(f"{file}: lies in the core's folder; choose another place", file=sys.stderr)
        return 1
    run_yosys(
        [
            f"read_verilog -sv {' '.join(str(core / name) for name in built.rtl)}",
            f"hierarchy -check -top {built.config.named(built.config.listed_top)}",
            "proc",
            "check -assert",
            f"write_verilog -noattr {file}",
        ],
        time_limit_s=600,
    )
    print(f"{file}: {len(built.rtl)} files of SystemVerilog as plain Verilog")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))

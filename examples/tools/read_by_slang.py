# SPDX-License-Identifier: Apache-2.0
"""Compile a built core with slang, as pip install pyslang has it, and print what slang says:

python examples/tools/read_by_slang.py cores/default
"""

import sys
from pathlib import Path

from pyslang.driver import Driver


def main(core: Path) -> int:
    (files,) = core.glob("*.f")
    driver = Driver()
    driver.addStandardArgs()
    able = driver.parseCommandLine(f'slang -F "{files}"') and driver.processOptions()
    able = able and driver.parseAllSources()
    return 0 if able and driver.runFullCompilation(False) else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))

# SPDX-License-Identifier: Apache-2.0
"""python -m gcmforge"""

from gcmforge.cli import main

if __name__ == "__main__":
    main()

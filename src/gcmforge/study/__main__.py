# SPDX-License-Identifier: Apache-2.0
"""python -m gcmforge.study"""

from gcmforge.study.cli import main

main()

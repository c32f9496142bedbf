# SPDX-License-Identifier: Apache-2.0
"""gcmforge doctor: which tools are found, and what a missing one would enable."""

from gcmforge.cli.common import Json, print_json


def doctor(*, json: Json = False) -> int:
    """Say which tools are found, which versions, and what a missing or an old one would enable.

    Exit code 0 when everything is there that build, prove and verify need.
    """
    from gcmforge.cli.examine import REQUIRED, examine

    report = examine()
    if json:
        print_json(report.to_mapping())
        return 1 if report.missing else 0
    for tool in report.tools:
        if tool.found:
            state = "limited" if tool.note else "found"
            more = f": {tool.note}" if tool.note else ""
            print(f"  {state:8} {tool.name:22} {tool.version}{more}")
        else:
            need = "MISSING" if tool.name in REQUIRED else "absent"
            print(f"  {need:8} {tool.name:22} would enable: {tool.enables}; get it: {tool.install}")
    if report.missing:
        print(f"missing for build, prove and verify: {', '.join(report.missing)}")
        return 1
    print("everything that build, prove and verify need was found")
    return 0

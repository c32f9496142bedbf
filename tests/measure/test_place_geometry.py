# SPDX-License-Identifier: Apache-2.0
"""What cells and wires of a target measure, and the LEF files that say so."""

from dataclasses import replace
from fnmatch import fnmatchcase

import pytest

from gcmforge.netlist.targets import TargetError, find_target, library_of
from gcmforge.place import geometry
from gcmforge.place.geometry import Geometry, geometry_of, placed_targets
from gcmforge.place.lef import LefError, read_lef

LEF = """
VERSION 5.4 ; # a comment with SITE pad
LAYER poly
  TYPE MASTERSLICE ;
END poly
LAYER metal2
  TYPE  ROUTING ;
  WIDTH 0.3 ;
  RESISTANCE RPERSQ 0.08 ;
  CAPACITANCE CPERSQDIST 1.9e-05 ;
  EDGECAPACITANCE 6.0e-05 ;
END metal2
LAYER metal9
  TYPE ROUTING ;
  WIDTH 0.3 ;
END metal9
SITE pad
  CLASS PAD ;
  SIZE 90 BY 300 ;
END pad
SITE core
  CLASS CORE ;
  SIZE 0.8 BY 10 ;
END core
MACRO INVX1
  SIZE 1.6 BY 10.0 ;
  PIN A
    DIRECTION INPUT ;
  END A
END INVX1
MACRO INVX10
  SIZE 3.2 BY 10.0 ;
END INVX10
"""


def test_a_lef_file_has_the_site_the_cells_and_the_wires():
    lef = read_lef(LEF)
    assert lef.site == (0.8, 10.0)
    assert lef.sizes == {"INVX1": (1.6, 10.0), "INVX10": (3.2, 10.0)}
    assert list(lef.layers) == ["metal2"]
    assert lef.layers["metal2"].ff_per_um == pytest.approx(0.3 * 0.019 + 2 * 0.06)
    assert lef.layers["metal2"].ohm_per_um == pytest.approx(0.08 / 0.3)


@pytest.mark.parametrize("text", ["", LEF.replace("CLASS CORE", "CLASS PAD")])
def test_a_lef_file_without_a_site_of_the_core_is_refused(text):
    with pytest.raises(LefError, match="SITE of CLASS CORE"):
        read_lef(text)


def geometry_on(name: str) -> Geometry:
    target = find_target(name)
    return geometry_of(target, library_of(target))


@pytest.mark.osu018
def test_cells_of_osu018_are_as_wide_as_its_layout():
    """An OAI21X1 has 23 um2 in Liberty, and stands on 32."""
    found = geometry_on("osu018")
    assert (found.rows.height_um, found.rows.site_um) == (10, 0.8)
    assert found.widths["OAI21X1"] == 3.2
    assert found.metal.ff_per_um == pytest.approx(0.1188)
    assert found.metal.ohm_per_um == pytest.approx(0.08 / 0.3)


@pytest.mark.osu018
def test_clock_gates_have_the_same_rows_and_wires_and_a_width_of_their_own():
    found, plain = geometry_on("osu018-gated"), geometry_on("osu018")
    assert (found.rows, found.metal) == (plain.rows, plain.metal)
    assert found.widths["GATE_OF_LATCH"] > plain.widths["INVX1"]


@pytest.mark.osu018
def test_a_missing_lef_file_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(geometry, "find_files", lambda _: (tmp_path / "osu018_stdcells.lib",))
    with pytest.raises(TargetError, match=r"osu018_stdcells\.lef is not there; .*apt-get install"):
        geometry_on("osu018")


@pytest.mark.parametrize(
    "name", ["ihp-sg13g2", "sky130", pytest.param("asap7", marks=pytest.mark.slow)]
)
def test_cells_of_open_processes_are_whole_sites_wide(name):
    try:
        found = geometry_on(name)
    except TargetError as error:
        pytest.skip(str(error))
    unused = find_target(name).dont_use
    for cell, width in found.widths.items():
        if any(fnmatchcase(cell, pattern) for pattern in unused):
            continue
        sites = width / found.rows.site_um
        assert found.rows.sites(width) == pytest.approx(sites, abs=0.05), cell


def test_a_target_without_stated_wires_is_refused_with_those_that_have_them():
    target = find_target("ge")
    with pytest.raises(TargetError, match=r"target ge: its wires are not stated.*osu018.*ihp"):
        geometry_of(target, library_of(target))
    mine = replace(target, name="mine")
    with pytest.raises(TargetError, match="target mine"):
        geometry_of(mine, library_of(target))
    assert {"osu018", "osu018-gated", "ihp-sg13g2", "sky130"} <= set(placed_targets())

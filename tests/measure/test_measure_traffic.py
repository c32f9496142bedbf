# SPDX-License-Identifier: Apache-2.0
"""Power of a core under packets: what is recorded, and that a netlist that differs is noticed."""

from dataclasses import replace

import pytest

from gcmforge.config.presets import preset
from gcmforge.netlist.netlist import Netlist
from gcmforge.netlist.targets import Target, TargetError, find_target, library_of
from gcmforge.power import traffic
from gcmforge.power.traffic import TrafficError, core_power, read_vcd, record
from gcmforge.sim.aead import built
from gcmforge.synth.synthesis import synthesise

pytestmark = pytest.mark.slow

VCD = """$timescale 1ps $end
$scope module TOP $end
 $var wire 1 # aclk $end
 $scope module gcm_axis $end
  $var wire 1 # aclk $end
  $var wire 1 $ aresetn $end
  $var wire 4 % s_axis_tkeep [3:0] $end
  $var wire 1 & inner $end
 $upscope $end
$upscope $end
$enddefinitions $end
#0
0#
0$
b0000 %
1&
#5
1#
#10
0#
1$
b1010 %
#15
1#
b1111 %
#20
0#
#25
1#
"""


def test_a_port_is_sampled_before_the_clock_rises():
    assert read_vcd(VCD.splitlines(keepends=True)) == {
        "aclk": [0, 0, 0],
        "aresetn": [0, 1, 1],
        "s_axis_tkeep": [0, 0b1010, 0b1111],
    }


def test_recorded_packets_take_the_cycles_that_their_law_says():
    recorded = record(built(preset("small")))
    # Two packets are counted: 36 blocks and one cycle more each, 14 cycles a block with AES-256.
    assert recorded.cycles - 1 - recorded.first_cycle == 2 * 37 * 14
    assert recorded.text_bits == 2 * 576 * 8
    assert len(set(map(len, recorded.ports.values()))) == 1


@pytest.fixture(scope="module")
def osu018() -> Target:
    try:
        return find_target("osu018")
    except TargetError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def mapped(osu018) -> Netlist:
    return synthesise(built(preset("small")), osu018, effort="quick").netlist


def measured(netlist: Netlist, target: Target):
    return core_power(
        built(preset("small")), netlist, library_of(target),
        driving_cell=target.driving_cell, load_ff=target.load_ff,
    )  # fmt: skip


def test_a_core_has_power_and_energy_for_each_bit(mapped, osu018):
    power, pj_per_bit = measured(mapped, osu018)
    assert power.transitions == 2 * 37 * 14
    # 1,036 cycles at 50 MHz carry 9,216 bits; energy is power without leakage times time.
    dynamic_uw = power.average_uw - power.leakage_uw
    assert pj_per_bit == pytest.approx(dynamic_uw / 50 * 1036 / 9216, rel=1e-6)
    assert 50 < pj_per_bit < 5000
    assert power.glitch_toggles > 0


def test_a_netlist_that_does_not_answer_as_the_core_did_has_no_power(mapped, osu018, monkeypatch):
    def mute(core_dir):
        recorded = record(core_dir)
        silent = [0] * recorded.cycles
        return replace(recorded, ports={**recorded.ports, "s_cmd_tvalid": silent})

    monkeypatch.setattr(traffic, "record", mute)
    with pytest.raises(TrafficError, match="gave 0 tags where the core gave 2"):
        measured(mapped, osu018)

# SPDX-License-Identifier: Apache-2.0
"""Flip-flops that are there for nothing, in a mapped netlist."""

from gcmforge.netlist.netlist import Cell, Module, Port
from gcmforge.netlist.targets import find_target, library_of
from gcmforge.sta.bound import bind
from gcmforge.sta.idle import IdleFlops, idle_flops


def of_netlist(*cells: str) -> IdleFlops:
    """A netlist written out: what a mapper would leave is tested, not what it happens to take."""
    target = find_target("ge")
    made = {}
    for text in cells:
        name, kind, *pins = text.split()
        bits = dict(pin.split("=") for pin in pins)
        made[name] = Cell(
            type=kind, connections={pin: (int(b) if len(b) > 1 else b,) for pin, b in bits.items()}
        )
    module = Module(
        name="m",
        ports={
            "clk": Port(direction="input", bits=(10,)),
            "d": Port(direction="input", bits=(11,)),
            "q": Port(direction="output", bits=(12,)),
        },
        cells=made,
        net_names={},
    )
    return idle_flops(bind(module, library_of(target)))


def test_a_chain_of_flip_flops_that_ends_nowhere_is_not_read() -> None:
    found = of_netlist(
        "one DFF D=11 CK=10 Q=12", "two DFF D=12 CK=10 Q=13", "three DFF D=13 CK=10 Q=14"
    )
    assert found == IdleFlops(unread=("three", "two"), constant=())
    assert found.notes() == ("2 flip-flops that nobody reads: three, two",)


def test_a_loop_that_nobody_reads_is_not_read() -> None:
    found = of_netlist("one DFF D=11 CK=10 Q=12", "loop DFF D=13 CK=10 Q=14", "inv INV A=14 Y=13")
    assert found.unread == ("loop",)


def test_constants_go_through_gates_and_flip_flops() -> None:
    found = of_netlist(
        "tie AND2 A=11 B=0 Y=13", "first DFF D=13 CK=10 Q=14", "inv INV A=14 Y=15",
        "second DFF D=15 CK=10 Q=16", "last AND2 A=16 B=11 Y=17", "out DFF D=17 CK=10 Q=12",
    )  # fmt: skip
    assert found == IdleFlops(unread=(), constant=("first", "second"))
    assert found.notes() == ("2 flip-flops that never change: first, second",)


def test_a_design_without_any_is_silent() -> None:
    assert of_netlist("one DFF D=11 CK=10 Q=12").notes() == ()

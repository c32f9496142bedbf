# SPDX-License-Identifier: Apache-2.0
"""Names that may begin an identifier in every language that a core's folder has files in.

Lower case only: VHDL takes `Core` and `core` for one name, and the C header has it in upper case.
"""

import re

LONGEST = 24
"""With it every macro of the C header stays within the 63 characters that C11 tells apart."""

ALLOWED = (
    f"at most {LONGEST} lower-case letters, digits and single underscores, with a letter first "
    "and no underscore last; empty for none"
)

_FORM = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


RESERVED = {
    "SystemVerilog": words("""
        accept_on alias always always_comb always_ff always_latch and assert assign assume automatic
        before begin bind bins binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle
        checker class clocking cmos config const constraint context continue cover covergroup
        coverpoint cross deassign default defparam design disable dist do edge else end endcase
        endchecker endclass endclocking endconfig endfunction endgenerate endgroup endinterface
        endmodule endpackage endprimitive endprogram endproperty endsequence endspecify endtable
        endtask enum event eventually expect export extends extern final first_match for force
        foreach forever fork forkjoin function generate genvar global highz0 highz1 if iff ifnone
        ignore_bins illegal_bins implements implies import incdir include initial inout input inside
        instance int integer interconnect interface intersect join join_any join_none large let
        liblist library local localparam logic longint macromodule matches medium modport module
        nand negedge nettype new nexttime nmos nor noshowcancelled not notif0 notif1 null or output
        package packed parameter pmos posedge primitive priority program property protected pull0
        pull1 pulldown pullup pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase
        randsequence rcmos real realtime ref reg reject_on release repeat restrict return rnmos
        rpmos rtran rtranif0 rtranif1 s_always s_eventually s_nexttime s_until s_until_with scalared
        sequence shortint shortreal showcancelled signed small soft solve specify specparam static
        string strong strong0 strong1 struct super supply0 supply1 sync_accept_on sync_reject_on
        table tagged task this throughout time timeprecision timeunit tran tranif0 tranif1 tri tri0
        tri1 triand trior trireg type typedef union unique unique0 unsigned until until_with untyped
        use uwire var vectored virtual void wait wait_order wand weak weak0 weak1 while wildcard
        wire with within wor xnor xor"""),
    "VHDL": words("""
        abs access after alias all and architecture array assert assume assume_guarantee attribute
        begin block body buffer bus case component configuration constant context cover default
        disconnect downto else elsif end entity exit fairness file for force function generate
        generic group guarded if impure in inertial inout is label library linkage literal loop map
        mod nand new next nor not null of on open or others out package parameter port postponed
        procedure process property protected pure range record register reject release rem report
        restrict restrict_guarantee return rol ror select sequence severity shared signal sla sll
        sra srl strong subtype then to transport type unaffected units until use variable vmode
        vprop vunit wait when while with xnor xor"""),
    "C": words("""
        auto break case char const continue default do double else enum extern float for goto if
        inline int long register restrict return short signed sizeof static struct switch typedef
        union unsigned void volatile while"""),
}  # fmt: skip
"""IEEE 1800-2017 annex B, IEEE 1076-2008 section 15.10, ISO C11 section 6.4.1."""


def wrong(name: str) -> str:
    """Why a name is not allowed; empty when it is, or when there is none."""
    if not name:
        return ""
    if not _FORM.fullmatch(name):
        return "not a name of lower-case letters, digits and single underscores"
    if len(name) > LONGEST:
        return f"{len(name)} characters"
    if languages := [language for language, reserved in RESERVED.items() if name in reserved]:
        return f"a reserved word of {' and '.join(languages)}"
    return ""

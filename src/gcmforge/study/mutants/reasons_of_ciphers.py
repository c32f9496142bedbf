# SPDX-License-Identifier: Apache-2.0
"""Why a mutant of an AES or a GHASH is not killed; see reasons.py."""

CIPHERS: dict[str, dict[tuple[str, str], str]] = {
    "aes_key_expand.sv": {
        ("busy_q || key_valid_q", "&&"): (
            "With a key unit of its own, taken_o waits for the last round of E(K, 0), whenever "
            "KEYS_ASK began."
        ),
        ("busy_q || key_valid_q", "busy_q alone"): (
            "The subkey is asked for a cycle earlier, and its block needs the last round key much "
            "later; the law bounds a key from above only."
        ),
        ("3'b0", "3'd1"): (
            "One word too many is made, and the subkey is asked for two cycles later: the law "
            "bounds a key from above, with room for that."
        ),
        ("1'b1", "1'd0"): ("The S-boxes have one stage, so they have no register to enable."),
        ("'0", "'1"): (
            "window_q is cleared only so that no key is left: start_i loads all of it before it is "
            "read."
        ),
        ("step && index_q[1:0] == 2'd3", "||"): (
            "A round key is also written before its last word is made, and then as it is, while no "
            "packet of the one context is under way."
        ),
    },
    "aes_key_turn.sv": {
        ("Only || early.size == gcm_pkg::KEY_192", "Only alone"): (
            "This core takes no keys of 192 bits, and no beat has that size."
        ),
        ("early.step == 2'd1", "!="): (
            "It decides only for keys of 192 bits, which this core does not take."
        ),
        ("is_192 && early.step == 2'd1", "never"): (
            "It is of keys of 192 bits only, which this core does not take."
        ),
        ("!was_256 || old.step == 2'd0", "old.step == 2'd0 alone"): (
            "Without keys of 192 bits the step is 0 wherever the key has not 256 bits."
        ),
        ("third || none", "never"): (
            "Both are of keys of 192 bits only, which this core does not take."
        ),
        ("128'b0", "128'd1"): (
            "It fills the lower half of the window of a 128-bit key, which uses the upper four "
            "words only."
        ),
        ("was_192", "never"): ("This core takes no keys of 192 bits, and no beat has that size."),
        ("none || !constant", "!constant alone"): (
            "none is of keys of 192 bits only, which this core does not take."
        ),
    },
    "aes_loop.sv": {
        ("wait_time > last_time_q", ">="): (
            "With one round in hardware a beat enters when the one before leaves, and last_time_q "
            "is 0 then."
        ),
        ("enter", "always"): (
            "With one place in the ring no order can be wrong: a beat after one of a longer key "
            "may enter a cycle later, and no law bounds that."
        ),
        ("wait_time - TimeWidth'(1)", "+"): (
            "With one place in the ring last_time_q is 2 instead of 0 when a beat enters, and "
            "wait_time is 10 at least."
        ),
        (
            "advance && wait_valid_q && turn_free && in_order",
            "advance && wait_valid_q && turn_free alone",
        ): (
            "With one place in the ring turn_free is high only when the last beat leaves, and "
            "in_order is always high then."
        ),
        ("leaves == '0 || !out_valid_q", "&&"): (
            "The ring also stands still while a key stream waits at its output; no law bounds "
            "cycles where slots wait for others."
        ),
        ("leaves == '0 || !out_valid_q || out_ready_i", "out_ready_i alone"): (
            "The ring moves only while a slot waits for key stream: each packet takes a few cycles "
            "more, within the margins of the laws."
        ),
        ("'0", "'1"): (
            "After a reset the first beat may wait for last_time_q, or the ring of one place waits "
            "for its output, too: no law bounds either."
        ),
        ("advance && last_time_q != '0", "||"): (
            "With one place in the ring no order can be wrong: last_time_q goes round, and a beat "
            "may enter some cycles later."
        ),
        ("last_time_q - TimeWidth'(1)", "+"): (
            "With one place in the ring last_time_q goes over 15 to 0 before the beat leaves, and "
            "only then another may enter."
        ),
        ("Exit && valid_q[End]", "||"): (
            "An empty place takes the rounds of the beat that waits, 10 at least, so that left_q "
            "is never 1 there."
        ),
        ("Exit && valid_q[End] && left_q[End] == 4'd1", "left_q[End] == 4'd1 alone"): (
            "An empty place takes the rounds of the beat that waits, 10 at least, so that left_q "
            "is never 1 there."
        ),
        ("leaves == '0 || !out_valid_q", "!out_valid_q alone"): (
            "The ring also stands still while a key stream waits at its output; no law bounds "
            "cycles where slots wait for others."
        ),
        ("leaves == '0 || !out_valid_q || out_ready_i", "leaves == '0 || !out_valid_q alone"): (
            "A beat leaves a cycle later where the one before it is taken in the same cycle; no "
            "law bounds cycles after such a wait."
        ),
    },
    "ghash_aggregated.sv": {
        ("rst", "never"): (
            "With one stage the two cycles of a reset empty it: what comes into turn_*_q has been "
            "reset in the first of them."
        ),
        ("1'b1", "1'd0"): (
            "After a reset ready_q is low for one cycle, in which no slot can be at GHASH."
        ),
        ("power_product", "always"): (
            "With one power power_q and its exponent are used only in the cycle after the subkey "
            "came."
        ),
        ("Lanes == 1", "!="): (
            "With one lane a beat has one block, so that R - 1 is 0 either way, and with one power "
            "no turn is a power's."
        ),
        ("next_beat && last_q[Line-1]", "last_q[Line-1] alone"): (
            "last_q is high only with a beat, and after the two cycles of a reset it is low."
        ),
        ("'0", "'1"): (
            "After a reset a power is stored while no context holds a key; the next load writes "
            "over it."
        ),
    },
}

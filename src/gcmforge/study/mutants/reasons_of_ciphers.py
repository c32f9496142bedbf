# SPDX-License-Identifier: Apache-2.0
"""Why a mutant of an AES or a GHASH is not killed; see reasons.py."""

CIPHERS: dict[str, dict[tuple[str, str], str]] = {
    "aes_key_expand.sv": {
        ("'0", "'1"): (
            "A word takes two cycles more, while the key unit holds the expansion, and its time "
            "does not count as long as it is held."
        ),
        ("busy_q || key_valid_q", "&&"): (
            "With a key unit of its own, taken_o waits for the last round of E(K, 0), "
            "whenever KEYS_ASK began."
        ),
        ("3'b0", "3'd1"): (
            "One word too many is made, and the subkey is asked for two cycles later: the law "
            "bounds a key from above, with room for that."
        ),
        ("1'b1", "1'd0"): ("The S-boxes have one stage, so they have no register to enable."),
        ("step && index_q[1:0] == 2'd3", "||"): (
            "A round key is also written before its last word is made, and then as it is, "
            "while no packet of the one context is under way."
        ),
        ("step", "always"): (
            "key_round_o is looked at with key_valid_o only, and the cycle before that was a step."
        ),
        ("step && end_of_key", "end_of_key alone"): (
            "The last word of a key passes no S-box and nothing holds it here, so it is made "
            "in the cycle in which it is due."
        ),
    },
    "aes_key_turn.sv": {
        ("is_256 && early.step == 2'd1", "early.step == 2'd1 alone"): (
            "Where keys of 192 bits are not built, only a key of 256 bits has a step 1."
        ),
        ("128'b0", "128'd1"): (
            "It fills the lower half of the window of a 128-bit key, which uses the upper "
            "four words only."
        ),
        ("Sizes[1] && (Only || early.size == gcm_pkg::KEY_192)", "||"): (
            "This core has two key sizes and none of 192 bits, so that both sides are 0."
        ),
    },
    "aes_loop.sv": {
        ("leaves == '0 || !out_valid_q", "&&"): (
            "The ring also stands still while a key stream waits at its output; no law bounds "
            "cycles where slots wait for others."
        ),
        ("leaves == '0 || !out_valid_q || out_ready_i", "out_ready_i alone"): (
            "The ring moves only while a slot waits for key stream: each packet takes a few "
            "cycles more, within the margins of the laws."
        ),
        ("Exit && valid_q[End]", "||"): (
            "An empty place takes the rounds of the beat that waits, 10 at least, so that "
            "left_q is never 1 there."
        ),
        ("Exit && valid_q[End] && left_q[End] == 4'd1", "left_q[End] == 4'd1 alone"): (
            "An empty place takes the rounds of the beat that waits, 10 at least, so that "
            "left_q is never 1 there."
        ),
        ("leaves == '0 || !out_valid_q", "!out_valid_q alone"): (
            "The ring also stands still while a key stream waits at its output; no law bounds "
            "cycles where slots wait for others."
        ),
        ("leaves == '0 || !out_valid_q || out_ready_i", "leaves == '0 || !out_valid_q alone"): (
            "A beat leaves a cycle later where the one before it is taken in the same cycle; "
            "no law bounds cycles after such a wait."
        ),
        ("Exit && valid_q[End]", "Exit alone"): (
            "An empty place takes the rounds of the beat that waits, 10 at least, so that "
            "left_q is never 1 there."
        ),
    },
    "ghash_aggregated.sv": {
        ("rst", "never"): (
            "With one stage the two cycles of a reset empty it: what comes into turn_*_q has "
            "been reset in the first of them."
        ),
        ("1'b1", "1'd0"): (
            "After a reset ready_q is low for one cycle, in which no slot can be at GHASH."
        ),
        ("power_product", "always"): (
            "With one power power_q and its exponent are used only in the cycle after the "
            "subkey came."
        ),
        ("next_beat && last_q[Line-1]", "last_q[Line-1] alone"): (
            "last_q is high only with a beat, and after the two cycles of a reset it is low."
        ),
        ("'0", "'1"): (
            "After a reset a power is stored while no context holds a key; the next load "
            "writes over it."
        ),
    },
    "aes_schedule_travelling.sv": {
        ("key_valid_i && key_round_i == 4'd1", "||"): (
            "gcm_key_hand_over gives two parts, one after the other, and their number is 1 "
            "only with the second one."
        ),
    },
}

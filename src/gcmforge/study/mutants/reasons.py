# SPDX-License-Identifier: Apache-2.0
"""Why a mutant is not killed, where somebody has found out.

What is said holds for the core on which the mutant was judged: others have other parts and sizes,
and may show it.
"""

_FOUND: dict[str, dict[tuple[str, str], str]] = {
    "aes_key_expand.sv": {
        ("busy_q || key_valid_q", "&&"): (
            "With a key unit of its own, taken_o waits for the last round of E(K, 0), whenever "
            "KEYS_ASK began."
        ),
        ("busy_q || key_valid_q", "busy_q alone"): (
            "The subkey is asked for a cycle earlier, and its block needs the last round key much "
            "later; the law bounds a key from above only."
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
    },
    "gcm_ahead.sv": {
        ("busy_q && went_q[Slots-2] && !at_j0_q && !step_i", "!step_i alone"): (
            "A cut before the first of the packet's blocks is made would be wrong; it needs the "
            "end before it to be held back just then, which `verify` rarely meets."
        ),
    },
    "gcm_beat.sv": {
        ("CountWidth'(l) < count_o", ">="): (
            "With one lane, J0 and text are never in one slot, and the first lane's counter "
            "carries nothing into its upper part."
        ),
    },
    "gcm_blocks_shared.sv": {
        ("close_i || !counted_i[l]", "close_i alone"): (
            "In this core J0 ends in 1 and text has 63 blocks at most, so that the counter's upper "
            "part is always J0's."
        ),
        ("j0_here_i && (close_i || !counted_i[l])", "(close_i || !counted_i[l]) alone"): (
            "It changes blocks of lanes that have neither text nor J0; gcm_join cuts off their key "
            "stream by slot_i.keep."
        ),
    },
    "gcm_command_places_two.sv": {
        ("in_valid_i && in_ready_o", "in_ready_o alone"): (
            "The free place takes what is at the input; write_q stays there, and the beat that "
            "comes writes over it before read_q gets there."
        ),
    },
    "gcm_fifo.sv": {
        ("Eager", "never"): (
            "With Eager a free word also takes what is not pushed; out_data_o shows it only while "
            "out_valid_o is low, when nobody looks."
        ),
    },
    "gcm_increment.sv": {
        ("value_i[Width-1:Low] + (Width - Low)'(1)", "-"): (
            "The upper half is one bit of a length, of which +1 and -1 are the same, or has to be "
            "counted only after 2^20 blocks, which no packet has."
        ),
    },
    "gcm_issue.sv": {
        ("command_i.decrypt && 5'(i) < command_i.tag_bytes", "command_i.decrypt alone"): (
            "gcm_tag cuts the sum of digest, E(K, J0) and expected tag to the tag's length with "
            "keep_q, so tag_q need not be cut."
        ),
        ("!side", "without !"): (
            "A beat without a byte takes a slot that nobody is to take: a cycle or two more, which "
            "no law bounds."
        ),
        (
            "in_data && !subkey_want_i && in_valid_i && (!empty_beat || in_last_i)",
            "in_data && !subkey_want_i && in_valid_i alone",
        ): (
            "A beat without a byte takes a slot that nobody is to take: a cycle or two more, which "
            "no law bounds."
        ),
        ("(text_beat && has_stream) || j0_here", "&&"): (
            "In gcm_middle_line the AES and the slots move in one step, and stream_soon_i is 1: "
            "neither fact.aes nor the AES's valid bit decides anything."
        ),
        ("text_beat && has_stream", "has_stream alone"): (
            "AAD passes the AES, too, and its key stream is not used: a pass of the loop more for "
            "each beat of AAD, and laws are of packets without AAD."
        ),
        ("text_beat && has_stream", "||"): (
            "AAD passes the AES, too, and its key stream is not used: its slots wait for the AES's "
            "latency, and laws are of packets without AAD."
        ),
        (
            "close_slot || (in_data && in_valid_i && close_here)",
            "(in_data && in_valid_i && close_here) alone",
        ): (
            "With j0=dedicated the last beat always takes the packet's end along, so in_close and "
            "close_slot are never high."
        ),
        ("close_slot || (in_data && in_valid_i && close_here)", "close_slot alone"): (
            "A command begins a cycle later after a packet whose end goes with its last beat; here "
            "that beat has no byte, and no law is of such packets."
        ),
        ("command_valid_i && command_ready_o", "command_ready_o alone"): (
            "passes_o of gcm_issue_iv is high only while command_valid_i is: through start, or "
            "through the slot of a beat of the IV."
        ),
        ("data_slot && in_last_i", "in_last_i alone"): (
            "out_last is used only with gives_out, which has data_slot itself; else m_axis_tlast "
            "changes where m_axis_tvalid is low."
        ),
    },
    "gcm_issue_iv_hashed.sv": {
        ("wait_q && j0_valid_i", "j0_valid_i alone"): (
            "J0 comes only of an IV that was hashed, and wait_q is high from its length block "
            "until then."
        ),
    },
    "gcm_key_feed_expanded.sv": {
        ("!keep_i", "never"): (
            "key_q is cleared only so that no key is left: start_i takes it before, and take_i "
            "writes over it."
        ),
    },
    "gcm_key_hand_over.sv": {
        ("1'b0", "1'd1"): (
            "After a reset, one write goes to the second half of a stored key while no context "
            "holds a key; the next load writes over it."
        ),
        ("rst", "never"): (
            "passed_q is reset, so start_i is low in the second cycle of a reset, and rest_q after "
            "it."
        ),
    },
    "gcm_keys.sv": {
        ("state_q == KEYS_POWERS && powers_done_i", "state_q == KEYS_POWERS alone"): (
            "Commands of the context wait until the load has ended, and the last cycle of "
            "KEYS_POWERS writes the same with powers_done_i."
        ),
        (
            "1'b1",
            "1'd0",
        ): "It holds after a reset: the first key is taken a cycle later, and no law says when.",
    },
    "gcm_length.sv": {
        (
            "middle_near_q || (middle_same_q && low_near_q)",
            "(middle_same_q && low_near_q) alone",
        ): (
            "Limit and NEAR have the same middle part, so the limit is passed, and told once, "
            "before middle_near_q is set."
        ),
        ("middle_near_q || (middle_same_q && low_near_q)", "middle_near_q alone"): (
            "The limit of text is 2^16 bytes: a sum of just that sets high_near_q, and the next "
            "slot comes more than two cycles later, as the AES is a loop."
        ),
    },
    "gcm_middle_queue.sv": {
        ("out_ready_i || !slot_o.fact.gives_out", "out_ready_i alone"): (
            "A slot without text waits, too, while the ring of texts is full; its reader ends "
            "that, no law bounds it, and `verify` never meets it."
        ),
        ("there_o && all_clear", "there_o alone"): (
            "passes_o takes only subkeys, whose slots nobody is to take, and E(K, J0), which is "
            "the same in each cycle in which the slot waits."
        ),
    },
    "gcm_slot_count.sv": {
        (
            "sized_i.packet && fact.closes && (!gcm_pkg::OWN_TAIL || blocks == '0)",
            "(!gcm_pkg::OWN_TAIL || blocks == '0) alone",
        ): (
            "With one lane hash_count wraps to 0, which is no lane's number and not read by "
            "ghash_serial; a slot without a block ends its packet."
        ),
        ("valid_i && !is_key && (blocks != '0 || adds_lengths)", "valid_i && !is_key alone"): (
            "A slot without a block ends its packet and adds lengths, but for a beat that does not "
            "begin with byte 0, and that packet is refused."
        ),
        ("valid_i && !is_key", "!is_key alone"): (
            "gcm_middle_queue offers a slot to gcm_tag and GHASH only with slot_valid, and a place "
            "that is not valid is always loaded."
        ),
        ("valid_q && fact_q.aes", "valid_q alone"): (
            "In gcm_middle_line stream_soon_i is 1, and gcm_step looks at next_i.aes only where it "
            "is 0."
        ),
    },
    "gcm_subkey_dedicated.sv": {
        ("1'b0", "1'd1"): (
            "schedule_q only keeps state_q from being cleared while a key is expanded; it is then "
            "never cleared, and the next key writes over it."
        ),
    },
    "gcm_tag.sv": {
        ("Depth == 1", "!="): (
            "one_q is right from the second cycle after a reset on, and no slot reaches gcm_tag "
            "before that."
        ),
        (
            "AnyIv && queued_iv",
            "||",
        ): "With AnyIv 0 the queue is given 0 for that bit, so queued_iv is 0.",
    },
    "ghash_aggregated.sv": {
        ("rst", "never"): (
            "With one stage the two cycles of a reset empty it: what comes into turn_*_q has been "
            "reset in the first of them."
        ),
    },
}
"""File -> what stands there and what stands there instead -> reason."""

REASONS: dict[tuple[str, str, str], str] = {
    (file, *change): why for file, found in _FOUND.items() for change, why in found.items()
}
"""File, what stands there and what stands there instead -> reason."""

_BY_VERDICT = {
    "refuted": "a property of the module is false",
    "slower": "every answer is right, and no law of cycles that `verify` holds is broken",
}


def reason(file: str, old: str, new: str, verdict: str) -> str:
    """For the page; a mutant that nobody has looked at has none."""
    return REASONS.get((file, old, new)) or _BY_VERDICT.get(verdict, "not found out")

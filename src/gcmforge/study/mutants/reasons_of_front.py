# SPDX-License-Identifier: Apache-2.0
"""Why a mutant of what makes slots of keys, commands and beats is not killed; see reasons.py."""

FRONT: dict[str, dict[tuple[str, str], str]] = {
    "gcm_ahead.sv": {
        ("busy_q && step_i", "busy_q alone"): (
            "The slots of a packet none of whose blocks went in fill both places of "
            "gcm_slots_line, and the next packet cannot be at its end."
        ),
        ("busy_q && went_q[Slots-2]", "||"): (
            "A packet at its end that has most of its blocks to come has gcm_ahead busy, and "
            "two slots cannot hold all of the packet before it."
        ),
        ("busy_q && step_i", "step_i alone"): (
            "Without a packet nobody looks at its counter or at what is left of it, and the "
            "next one begins with its own."
        ),
        ("busy_q && went_q[Slots-2]", "went_q[Slots-2] alone"): (
            "While no packet's blocks go in, all that are left are in the AES, fewer than "
            "64 beats, so that nothing is to be cut."
        ),
        ("(subkey_want_i && !want_q) || (key_q && !step_i)", "(subkey_want_i && !want_q) alone"): (
            "With one context nothing is under way while a subkey is asked for, so that its "
            "block goes in at once."
        ),
        ("carried", "never"): (
            "With two lanes the first one's counter is even, and one more than that never carries."
        ),
    },
    "gcm_axis_guard.sv": {
        ("made", "never"): (
            "A command that is made here is void: it gets BAD_FRAME before its tag's length "
            "is looked at, and shows no tag."
        ),
        ("5'd16", "5'd17"): (
            "A command that is made here is void: it gets BAD_FRAME before its tag's length "
            "is looked at, and shows no tag."
        ),
    },
    "gcm_blocks_shared.sv": {
        ("j0_here_i", "always"): (
            "J0 and the counter have the same upper 24 bits, as this core counts from 1 and "
            "its longest text has 63 blocks."
        ),
        ("j0_here_i && (close_i || !counted_i[l])", "(close_i || !counted_i[l]) alone"): (
            "It changes blocks of lanes that have neither text nor J0; gcm_join cuts off "
            "their key stream by slot_i.keep."
        ),
    },
    "gcm_erase.sv": {
        (
            "owed_q == '0 && first && !text_open_q && quiet_q == QuietWidth'(Quiet)",
            "quiet_q == QuietWidth'(Quiet) alone",
        ): (
            "quiet_q counts cycles in which nothing is owed, so no command is half taken, and "
            "an open text shows its next beat before that."
        ),
        ("owed_q == '0 && first", "||"): (
            "quiet_q counts cycles in which nothing is owed, so no command is half taken."
        ),
        ("owed_q == '0 && first && !text_open_q", "owed_q == '0 && first alone"): (
            "An open text shows its next beat before quiet_q has counted so far."
        ),
        ("owed_q == '0 && first", "owed_q == '0 alone"): (
            "gcm_timeout lets a packet's data pass only after all of its command, so nothing "
            "is owed only where no command is half taken."
        ),
    },
    "gcm_lane_counters.sv": {
        ("(first_i || next_i) && carries[0]", "never"): (
            "This core counts from 1, and its longest text has 63 blocks: byte 15 has no carry."
        ),
    },
    "gcm_beat.sv": {
        ("lane_used[l] && !lane_full[l]", "!lane_full[l] alone"): (
            "A lane that is not used has no byte, or its beat has holes and the packet is refused."
        ),
    },
    "gcm_closing_shared.sv": {
        ("1'b0", "1'd1"): ("With one lane J0 is always in the first."),
    },
    "gcm_issue.sv": {
        ("4'd15", "4'd0"): (
            "Blocks of an IV are hashed whole, whatever the tail of their slot is."
        ),
        (
            "command_valid_i && command_ready_o && command_i.is_void",
            "command_valid_i && command_ready_o alone",
        ): ("With IVs of 96 bits a command is one transfer, and in its cycle `start` decides."),
        ("!side", "without !"): (
            "A beat without a byte takes a slot that nobody is to take: a cycle or two more, "
            "which no law bounds."
        ),
        (
            "in_data && !subkey_want_i && in_valid_i && (!empty_beat || in_last_i)",
            "in_data && !subkey_want_i && in_valid_i alone",
        ): (
            "A beat without a byte takes a slot that nobody is to take: a cycle or two more, "
            "which no law bounds."
        ),
        ("(text_beat && has_stream) || j0_here", "&&"): (
            "In gcm_middle_line the AES and the slots move in one step, and stream_soon_i is "
            "1: neither fact.aes nor the AES's valid bit decides anything."
        ),
        ("text_beat && has_stream", "has_stream alone"): (
            "AAD passes the AES, too, and its key stream is not used: a pass of the loop more "
            "for each beat of AAD, and laws are of packets without AAD."
        ),
        ("text_beat && has_stream", "||"): (
            "AAD passes the AES, too, and its key stream is not used: its slots wait for the "
            "AES's latency, and laws are of packets without AAD."
        ),
        (
            "close_slot || (in_data && in_valid_i && close_here)",
            "(in_data && in_valid_i && close_here) alone",
        ): (
            "With j0=dedicated the last beat always takes the packet's end along, so in_close "
            "and close_slot are never high."
        ),
        ("command_valid_i && command_ready_o", "command_ready_o alone"): (
            "passes_o of gcm_issue_iv is high only while command_valid_i is: through start, "
            "or through the slot of a beat of the IV."
        ),
        ("data_slot && in_last_i", "in_last_i alone"): (
            "out_last is used only with gives_out, which has data_slot itself; else "
            "m_axis_tlast changes where m_axis_tvalid is low."
        ),
        ("close_slot", "never"): (
            "With j0=dedicated the last beat always takes the packet's end along, so in_close "
            "and close_slot are never high."
        ),
        ("fire && subkey_want_i", "fire alone"): (
            "gcm_keys looks at it only in KEYS_ASK, where subkey_want_i is high."
        ),
        ("fire && subkey_want_i", "||"): (
            "With one context no slot is under way while the subkey is asked for, so that its "
            "own goes at once and fire is high."
        ),
        ("command_valid_i && command_ready_o && command_i.is_void", "||"): (
            "This core takes IVs of 96 bits only, so a command has more words only where its "
            "packet has BAD_IV already."
        ),
        ("command_valid_i && command_ready_o", "||"): ("Nothing makes void commands in this core."),
        ("command_valid_i && command_ready_o && command_i.is_void", "command_i.is_void alone"): (
            "Nothing makes void commands in this core."
        ),
        ("1'b1", "1'd0"): (
            "With j0=dedicated the last beat always takes the packet's end along, so "
            "close_slot is never high."
        ),
        ("close_slot || drain_slot", "never"): (
            "With j0=dedicated the last beat always takes the packet's end along, and no key "
            "stream is made ahead: both are never high."
        ),
        ("data_slot && bad_frame", "bad_frame alone"): (
            "A slot of an IV may say BAD_FRAME then, and nobody looks at the status of such a slot."
        ),
        ("in_data && !subkey_want_i", "in_data alone"): (
            "With one context no packet is under way while a subkey is asked for."
        ),
    },
    "gcm_issue_iv_hashed.sv": {
        ("wait_q && j0_valid_i", "j0_valid_i alone"): (
            "J0 comes only of an IV that was hashed, and wait_q is high from its length block "
            "until then."
        ),
        ("length_q && slot_i", "slot_i alone"): (
            "Before J0 comes wait_q only loads j0_q and counter_q, which no slot of the IV "
            "uses, and J0 comes once."
        ),
        ("length_q && slot_i", "||"): (
            "Before J0 comes wait_q only loads j0_q and counter_q, which no slot of the IV "
            "uses, and J0 comes once."
        ),
    },
    "gcm_issue_state.sv": {
        ("close_q && !closing_i", "close_q alone"): (
            "With j0=dedicated the last beat always takes the packet's end along, so close_q "
            "is never high."
        ),
    },
    "gcm_key_feed_expanded.sv": {
        ("!keep_i", "never"): (
            "key_q is cleared only so that no key is left: start_i takes it before, and "
            "take_i writes over it."
        ),
    },
    "gcm_key_hand_over.sv": {
        ("1'b0", "1'd1"): (
            "After a reset, one write goes to the second half of a stored key while no "
            "context holds a key; the next load writes over it."
        ),
        ("rst", "never"): (
            "passed_q is reset, so start_i is low in the second cycle of a reset, and rest_q "
            "after it."
        ),
    },
    "gcm_keys.sv": {
        ("command_q", "always"): (
            "Fewer packets are under way than there are places, so that the next one's is "
            "free, and is written again with its packet."
        ),
        ("subkey_taken_i", "always"): (
            "gcm_ahead notes in key_q that the subkey is asked for, in the first cycle of that."
        ),
        ("state_q == KEYS_POWERS && powers_done_i", "state_q == KEYS_POWERS alone"): (
            "Commands of the context wait until the load has ended, and the last cycle of "
            "KEYS_POWERS writes the same with powers_done_i."
        ),
        ("1'b1", "1'd0"): (
            "It holds after a reset: the first key is taken a cycle later, and no law says when."
        ),
        (
            (
                "exists && (size_q == gcm_pkg::KEY_128 ? Sizes[0] : size_q == "
                "gcm_pkg::KEY_192 ? Sizes[1] : size_q == gcm_pkg::KEY_256 && Sizes[2])"
            ),
            (
                "(size_q == gcm_pkg::KEY_128 ? Sizes[0]\n                               "
                "     : size_q == gcm_pkg::KEY_192 ? Sizes[1]\n                         "
                "           : size_q == gcm_pkg::KEY_256 && Sizes[2]) alone"
            ),
        ): (
            "A key of a context that does not exist takes as long as a key, and no memory has "
            "a word for it; no law says how long."
        ),
    },
    "gcm_said_ahead.sv": {
        ("rst", "never"): (
            "They follow from in_close and gcm_ahead's busy_q, which are reset, and are low "
            "again before a packet can begin."
        ),
    },
    "gcm_subkey_dedicated.sv": {
        ("1'b0", "1'd1"): (
            "schedule_q only keeps state_q from being cleared while a key is expanded; it is "
            "then never cleared, and the next key writes over it."
        ),
        ("1'b1", "1'd0"): ("The S-boxes have one stage, so they have no register to enable."),
        ("powers_q == POWERS_IDLE && !round_valid_i", "powers_q == POWERS_IDLE alone"): (
            "From round key 0 to the last one schedule_q is high, and round key 0 itself is "
            "loaded before that is looked at."
        ),
        ("round_valid_i && round_index_i == '0", "round_valid_i alone"): (
            "schedule_q is high already when later round keys come, and none comes in the "
            "cycle that ends the last round."
        ),
        ("!want_i", "never"): (
            "want_i is high by then: the round keys have ended before the last round, which "
            "waits for the last of them."
        ),
        ("rst", "never"): (
            "In the second cycle of a reset powers_q is POWERS_IDLE, so that taken_o is low."
        ),
    },
    "gcm_timeout.sv": {
        (
            "doubt_q && !command_valid_i && !data_valid_i && !made_q && !close_q",
            "doubt_q && !command_valid_i && !data_valid_i && !made_q alone",
        ): (
            "close_q is high only until the data of a command comes to its end, and ahead_q "
            "is not 0 before that."
        ),
    },
    "gcm_command.sv": {
        ("pop && free != '0", "pop alone"): (
            "With one context no command leaves while none is free, as all of them wait for "
            "the key; free counts only in a load."
        ),
        ("out_valid_o && out_ready_i", "out_ready_i alone"): (
            "gcm_issue takes a command only where one is there: through start, or through a "
            "slot of its IV."
        ),
        ("'0", "'1"): (
            "more_q is written with the first word of a command, and looked at only after it."
        ),
    },
    "gcm_iv_counter.sv": {
        ("command_valid_i && space", "command_valid_i alone"): (
            "The queue of IVs has a place for each packet that the core takes before an answer."
        ),
    },
}

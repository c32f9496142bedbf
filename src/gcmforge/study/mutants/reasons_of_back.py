# SPDX-License-Identifier: Apache-2.0
"""Why a mutant of what takes slots, and of what all use, is not killed; see reasons.py."""

BACK: dict[str, dict[tuple[str, str], str]] = {
    "gcm_length.sv": {
        ("low_q >= NEAR_LOW", ">"): (
            "near_q is set a step of 16 bytes later at most, which is still before the first "
            "step that passes the limit."
        ),
        ("middle_near_q || (middle_same_q && low_near_q)", "(middle_same_q && low_near_q) alone"): (
            "Limit and NEAR have the same middle part, so the limit is passed, and told once, "
            "before middle_near_q is set."
        ),
        ("middle_near_q || (middle_same_q && low_near_q)", "middle_near_q alone"): (
            "The limit of text is 2^16 bytes: a sum of just that sets high_near_q, and the "
            "next slot comes more than two cycles later, as the AES is a loop."
        ),
        ("NEAR_LOW == '0", "!="): (
            "low_near_q counts only with middle_same_q, and a packet begins without that."
        ),
        (
            ("high_near_q || (high_same_q && (middle_near_q || (middle_same_q && low_near_q)))"),
            ("(high_same_q && (middle_near_q || (middle_same_q && low_near_q))) alone"),
        ): (
            "The limit of 1,000 bytes is passed, and told once, before the sum comes to 1,024 "
            "and sets high_near_q."
        ),
        ("1'b0", "1'd1"): (
            "The first bytes of a packet set upper_q to 0, whatever carried before, and the "
            "sum is looked at after these."
        ),
        ("NEAR == 64'd0 || (near_q && !first_q)", "(near_q && !first_q) alone"): (
            "Where NEAR is 0, near_q is 1 from a packet's first step on, and that step "
            "alone passes no limit of this core."
        ),
    },
    "gcm_middle_queue.sv": {
        ("slot_valid && stream_clear", "stream_clear alone"): (
            "A slot that is not valid is loaded with nothing to give out, to hash or to compare."
        ),
        ("out_ready_i || !slot_o.fact.gives_out", "out_ready_i alone"): (
            "A slot without text waits, too, while the ring of texts is full; its reader ends "
            "that, no law bounds it, and `verify` never meets it."
        ),
        ("there_o && all_clear", "there_o alone"): (
            "passes_o takes only subkeys, whose slots nobody is to take, and E(K, J0), which "
            "is the same in each cycle in which the slot waits."
        ),
        ("slot_valid && slot_o.fact.aes", "slot_o.fact.aes alone"): (
            "A slot takes 3 cycles to where its key stream comes after 12 at least, so none "
            "comes before its slot."
        ),
    },
    "gcm_slot_count.sv": {
        ("valid_i && !is_key && (blocks != '0 || adds_lengths)", "valid_i && !is_key alone"): (
            "A slot without a block ends its packet and adds lengths, but for a beat that "
            "does not begin with byte 0, and that packet is refused."
        ),
        ("valid_i && !is_key", "!is_key alone"): (
            "gcm_middle_queue offers a slot to gcm_tag and GHASH only with slot_valid, and a "
            "place that is not valid is always loaded."
        ),
        ("valid_q && fact_q.aes", "valid_q alone"): (
            "In gcm_middle_line stream_soon_i is 1, and gcm_step looks at next_i.aes only "
            "where it is 0."
        ),
        ("'0", "'1"): (
            "GHASH also gets slots without a block that do not end a packet, and those are of "
            "packets that are refused."
        ),
        ("load_i", "always"): (
            "With a key unit of its own GHASH takes a beat in every cycle, so gcm_step need "
            "not know whether one comes."
        ),
        ("status == gcm_pkg::STATUS_OK && sized_i.packet", "status == gcm_pkg::STATUS_OK alone"): (
            "A slot of a key or of an IV adds no byte, so that no limit is passed with it."
        ),
        ("!gcm_pkg::OWN_TAIL || blocks == '0", "&&"): (
            "With one lane a packet ends in a slot without a block, whose lane J0 takes."
        ),
    },
    "gcm_slot_sizes.sv": {
        ("fact_i.count == '0", "never"): (
            "A slot without a block has tail 15, so that its bytes are 16 - 16, which is 0 again."
        ),
        ("gcm_pkg::AAD_LANES > 0", ">="): (
            "Without lanes of AAD gcm_side_none gives 0 bytes, so side_i is 0."
        ),
        ("'0", "'1"): (
            "A slot without a block comes with tail_i 15, and its 64 bytes are 0 in six bits."
        ),
        (
            "fact_i.kind != gcm_pkg::SLOT_KEY && fact_i.kind != gcm_pkg::SLOT_IV",
            "fact_i.kind != gcm_pkg::SLOT_KEY alone",
        ): (
            "A slot of an IV adds no byte and no lengths, and the slot that closes the IV "
            "ends its counts."
        ),
        ("gcm_pkg::AAD_LANES > 0 && side_i != '0", "||"): (
            "Without lanes of AAD gcm_side_none gives 0 bytes, so side_i is 0."
        ),
    },
    "gcm_tag.sv": {
        ("rst", "never"): (
            "In the second cycle of a reset digest_valid_i is 0; what came in the first one "
            "goes into a queue that is in reset."
        ),
        ("Depth == 1", "!="): (
            "one_q is right from the second cycle after a reset on, and no slot reaches "
            "gcm_tag before that."
        ),
        ("AnyIv && queued_iv", "||"): (
            "With AnyIv 0 the queue is given 0 for that bit, so queued_iv is 0."
        ),
        (
            (
                "held_q + CountWidth'(entry_push) - CountWidth'(result_pop) - "
                "CountWidth'(j0_valid_o)"
            ),
            "+",
        ): ("This core hashes no IVs, so j0_valid_o is always low."),
        ("digest_valid_q && !iv_q", "digest_valid_q alone"): (
            "This core hashes no IVs, so iv_q is always low."
        ),
        ("entry_push && !entry_iv_i", "entry_push alone"): (
            "This core hashes no IVs, so entry_iv_i is always low."
        ),
    },
    "gcm_back.sv": {
        ("m_axis_tready || !m_axis_tvalid", "m_axis_tready alone"): (
            "A free place is said to be free by release_ready as well, or a cycle later; no "
            "law bounds cycles after a reader that waited."
        ),
        ("entry_taken && !entry_iv", "entry_taken alone"): (
            "This core hashes no IVs, so entry_iv is always low."
        ),
    },
    "gcm_increment.sv": {
        ("value_i[Width-1:Low] + (Width - Low)'(1)", "-"): (
            "This core counts from 1 and its longest text has 63 blocks, so no counter "
            "carries so far; in gcm_length the upper half is one bit."
        ),
    },
}

# SPDX-License-Identifier: Apache-2.0
"""The control of cores is proven, and faults in it are found: a module is changed in a place where
order, room, verdicts or secrets depend on it, and a counterexample has to be found."""

from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from long_runs import compiled_for_long_runs

import gcmforge
from gcmforge.cli import main
from gcmforge.config import CoreConfig
from gcmforge.emit.core import core_files
from gcmforge.emit.leaves import leaf_modules
from gcmforge.formal.control import prove_texts, proven_sizes, refuted
from gcmforge.formal.watched import watch
from gcmforge.sim.properties import properties, requirements

VERIFIED = {"release": "verified", "max_text_bytes": 1024}
LINE = {"slots": "line", "iv": "96"}
DEDICATED = {**LINE, "key_unit": "dedicated"}
TWO = {"lanes": 2}
AHEAD = {"slots": "ahead", "iv": "96", "contexts": 1}
HANDED = {"aes": "loop", "key_schedule": "travelling"}
WAITING = {"timeout": 3, "iv": "counter"}
ONE_PLACE = {**AHEAD, "ahead_places": 1}
GUARDED = {"zeroise": "on", "timeout": 100, "iv": "counter", "iv_limit": 20, "contexts": 3}
ENCRYPTS, DECRYPTS = {"direction": "encrypt"}, {"direction": "decrypt"}
ERASED_DECRYPTS = {**DECRYPTS, **VERIFIED, "zeroise": "on"}
NANO = {
    "core": "nano", "key_sizes": (128,), "contexts": 1, "iv": "96",
    "max_text_bytes": 65536, "max_aad_bytes": 65536,
}  # fmt: skip
NANO_ANY = {**NANO, "iv": "any"}
NANO_BOTH = {**NANO, "key_sizes": (128, 256)}
MICRO = {**NANO_BOTH, "core": "micro"}
CHECKED = {**MICRO, "faults": "detect"}
FOUR = {**MICRO, "sboxes": 4}
STREAMS = {
    "core": "streams", "streams": 3, "contexts": 3, "key_sizes": (128,), "iv": "96",
    "max_text_bytes": 65536, "max_aad_bytes": 65536,
}  # fmt: skip
RING = {"aes": "loop", "aes_rounds": 4, "aes_substages": 2}
MODULES = {
    "aes_key_expand": {},
    "aes_loop": {"aes": "loop"},
    "axis_skid": {},
    "gcm_axis_guard": GUARDED,
    "gcm_command": {},
    "gcm_command_decrypts": DECRYPTS,
    "gcm_command_encrypts": ENCRYPTS,
    "gcm_command_places_one": ONE_PLACE,
    "gcm_command_places_two": {},
    "gcm_erase": GUARDED,
    "gcm_fifo": {},
    "gcm_increment": {},
    "gcm_issue": {},
    "gcm_issue_iv_hashed": {},
    "gcm_iv_counter": GUARDED,
    "gcm_iv_words": GUARDED,
    "gcm_join": TWO,
    "gcm_keys": HANDED,
    "gcm_length": {"max_text_bytes": 100, "max_aad_bytes": 1000},
    "gcm_middle_queue": {},
    "gcm_nano": NANO,
    "gcm_ram": {**GUARDED, **VERIFIED},
    "gcm_release_verified": VERIFIED,
    "gcm_slot_count": {},
    "gcm_slot_decrypts": DECRYPTS,
    "gcm_slot_decrypts_erased": ERASED_DECRYPTS,
    "gcm_slot_encrypts": ENCRYPTS,
    "gcm_slots_line": LINE,
    "gcm_slots_queue": TWO,
    "gcm_step": LINE,
    "gcm_subkey_dedicated": DEDICATED,
    "gcm_tag": {},
    "gcm_timeout": GUARDED,
    "ghash_aggregated": TWO,
    "gcm_micro": MICRO,
    "micro_where": CHECKED,
    "micro_aes": MICRO,
    "micro_aes_four": FOUR,
    "micro_ghash": MICRO,
    "nano_aes": NANO,
    "nano_aes_both": NANO_BOTH,
    "nano_direction_both": NANO,
    "nano_direction_decrypts": {**NANO, **DECRYPTS},
    "nano_direction_encrypts": {**NANO, **ENCRYPTS},
    "nano_ghash": NANO,
    "nano_iv_any": NANO_ANY,
    "nano_key_both": NANO_BOTH,
    "nano_ring": NANO,
    "streams_keys": STREAMS,
    "streams_tags": STREAMS,
}


@dataclass(frozen=True)
class Fault:
    module: str
    what: str
    old: str
    new: str
    options: Mapping[str, object] | None = None
    """Of the core, where they are not those of MODULES."""


FAULTS = (
    Fault("streams_keys", "does not look at the last stream", "!begins && !hit && last)",
          "!begins && last)"),
    Fault("streams_keys", "takes what it did not search for", "== USERS_GRANT && key_context_i == "
          "asked_q;", "== USERS_GRANT;"),
    Fault("streams_keys", "does not look again", "begins = user_write_i &&", "begins = 1'b0 &&"),
    Fault("streams_keys", "does not wait for commands", "old_d == '0 && mine_d == '0)",
          "old_d == '0)"),
    Fault("streams_keys", "takes two at a time", "key_valid_i && !load_busy_o && ready",
          "key_valid_i && ready && !busy_q"),
    Fault("streams_tags", "compares 15 bytes", "tag_differs = tag != '0;",
          "tag_differs = tag[127:8] != '0;"),
    Fault("streams_tags", "shows a refused tag", "decrypt || status != gcm_pkg::STATUS_OK ?",
          "decrypt ?"),
    Fault("streams_tags", "shows what waits", "answer_valid_o ? next_tag : '0;", "next_tag;"),
    Fault("streams_tags", "promises a place", "entry_soon_o = held_d != CountWidth'(Depth);",
          "entry_soon_o = 1'b1;"),
    Fault("gcm_fifo", "takes what it has no room for", "in_valid_i && in_ready_o;", "in_valid_i;"),
    Fault("gcm_fifo", "gives what it does not have", "count_q != CountWidth'(1);", "1'b1;"),
    Fault("gcm_fifo", "changes the order", "if (pop) read_q", "if (pop && !push) read_q"),
    Fault("gcm_fifo", "keeps a word twice", "if (push) write_q <=", "if (push || pop) write_q <="),
    Fault("aes_key_expand", "leaves the key", "else if (!busy_q && !hold_i) window_q <= '0;", ""),
    Fault("aes_key_expand", "makes a word late", "WaitWidth'(WAIT - 1)", "WaitWidth'(WAIT)"),
    Fault("aes_loop", "lets one wait too long", "wait_time - TimeWidth'(1);", "wait_time;",
          options=RING),
    Fault("aes_loop", "stands with nothing to give", "leaves == '0 || !out_valid_q ||",
          "!out_valid_q ||"),
    Fault("gcm_increment", "takes one from the upper half", "+ (Width - Low)'(1)",
          "- (Width - Low)'(1)"),
    Fault("gcm_increment", "carries too early", "value_i[Low-1:0] == '1", "value_i[Low-1:1] == '1"),
    Fault("axis_skid", "writes over a word", "if (!spare_valid_q) spare_q", "spare_q"),
    Fault("axis_skid", "is always ready", "ready_q       <= !spare_valid_d;", "ready_q <= 1'b1;"),
    Fault("axis_skid", "withdraws an offer", "if (load) valid_q <=", "valid_q <="),
    Fault("gcm_subkey_dedicated", "leaves H", "!schedule_q) state_q <= '0;", "!schedule_q);"),
    Fault("gcm_subkey_dedicated", "is done early", "POWERS_IDLE && powers_done_i", "POWERS_IDLE"),
    Fault("gcm_tag", "compares 15 bytes", "tag == '0;", "tag[127:8] == '0;"),
    Fault("gcm_tag", "fails long tags only", "!match ? gcm", "!match && keep_q[15] ? gcm"),
    Fault("gcm_tag", "shows a tag it computed", "decrypt_q || status_q", "status_q"),
    Fault("gcm_tag", "shows a tag that is not valid", "tag_valid_o ? word_q", "1'b1 ? word_q"),
    Fault("gcm_tag", "frees a place early", "CountWidth'(result_pop)\n",
          "CountWidth'(result_valid)\n"),
    Fault("gcm_tag", "forgets an error", "status_q != gcm_pkg::STATUS_OK ? status_q", "1'b0 ? '0"),
    Fault("gcm_release_verified", "takes all for good", "{verdict_ok_i, jud", "{1'b1, jud"),
    Fault("gcm_release_verified", "reads bad packets", "turn_valid && turn_ok &&", "turn_valid &&"),
    Fault("gcm_release_verified", "skips a beat less", "(skip ? (CountWidth + 1)'(turn_length)",
          "(skip ? (CountWidth + 1)'(turn_length) - (CountWidth + 1)'(1)"),
    Fault("gcm_release_verified", "writes over a beat", "used_q != CountWidth'(Depth) ||",
          "1'b1 ||"),
    Fault("gcm_release_verified", "ends a turn early", "taken_q + CountWidth'(1) == turn_length",
          "taken_q == taken_q"),
    Fault("gcm_join", "shows E(K, J0)", "there_i && fact.gives_out &&", "there_i &&"),
    Fault("gcm_join", "shows text of bad packets", "&& fact.status == gcm_pkg::STATUS_OK;", ";"),
    Fault("gcm_middle_queue", "fills the tag queue never", "tag_ready_i || !slot_o.tag",
          "tag_ready_i || slot_o.tag"),
    Fault("gcm_middle_queue", "offers GHASH every slot", "&& slot_o.hash && out_clear",
          "&& out_clear"),
    Fault("gcm_slots_queue", "takes facts without data", "in_valid_i && lane_space[0]),",
          "in_valid_i),"),
    Fault("gcm_slots_queue", "loses data", "(first_valid && load)", "(load)"),
    Fault("gcm_slots_line", "counts a slot twice", "step_soon_i && counts_d", "counts_d"),
    Fault("gcm_slots_line", "moves data on its own", ".en_i  (step_i),\n      .word_i(slot_i.data)",
          ".en_i  (1'b1),\n      .word_i(slot_i.data)"),
    Fault("gcm_step", "does not wait for GHASH", "(hash_soon_i || !next_i.hash) && ", ""),
    Fault("gcm_step", "offers without a step", "slot_i.tag && join_step", "slot_i.tag"),
    Fault("gcm_slot_count", "forgets an error", "gcm_pkg::STATUS_OK : status;",
          "gcm_pkg::STATUS_OK : fact.status;"),
    Fault("gcm_slot_count", "tells none of its end", "!is_key && fact.closes;",
          "!is_key && fact.closes && fact.aes;"),
    Fault("gcm_issue", "takes tags of 11 bytes", ">= 5'd12", ">= 5'd11"),
    Fault("gcm_issue", "takes holes", "holes || side_bad", "side_bad"),
    Fault("gcm_issue", "writes over an error", "end else if (status_q == gcm_pkg::STATUS_OK && (",
          "end else if (1'b1 && ("),
    Fault("gcm_issue", "begins before the end", "&& (idle || closing);", ";"),
    Fault("gcm_issue", "encrypts for ever", "decrypt_q   <= command_i.decrypt;",
          "decrypt_q <= 1'b0;"),
    Fault("gcm_issue", "has tags of 16 bytes", "<= command_i.tag_bytes;", "<= 5'd16;"),
    Fault("gcm_issue", "keeps another key", "context_q   <= command_i.context_id;",
          "context_q <= subkey_context_i;"),
    Fault("gcm_release_verified", "reads at any time", ".read_i      (fetch)", ".read_i(1'b1)"),
    Fault("gcm_release_verified", "withdraws a beat", "fetch || (fetched_q && !out_ready_i)",
          "fetch"),
    Fault("gcm_tag", "says ok for ever", "assign tag_ok_o = tag_status_o == gcm_pkg::STATUS_OK;",
          "assign tag_ok_o = 1'b1;"),
    Fault("gcm_tag", "releases all", "packet_ok_o   = result_status == gcm_pkg::STATUS_OK;",
          "packet_ok_o = 1'b1;"),
    Fault("gcm_tag", "takes J0 for a verdict", "packet_done_o = result_valid",
          "packet_done_o = digest_valid_q"),
    Fault("gcm_tag", "takes a verdict for J0", "j0_valid_o    = digest_valid_q && iv_q",
          "j0_valid_o = digest_valid_q && !decrypt_q"),
    Fault("gcm_join", "shows absent bytes", "{8{slot_i.keep[16*l+b]}}", "{8{slot_i.keep[b]}}"),
    Fault("gcm_join", "shows key stream", "mixed  = data ^ stream;", "mixed = stream;"),
    Fault("gcm_slot_count", "keeps every byte", "full || (tail &&", "1'b1 || (tail &&"),
    Fault("gcm_slot_count", "has no limit of AAD", "(text_over || aad_over)", "text_over"),
    Fault("gcm_slot_count", "counts after an error", "passes_i && good_q && !over_q;", "passes_i;"),
    Fault("gcm_length", "has no carry", "else if (carry_q)", "else if (1'b0)"),
    Fault("gcm_length", "goes on from the last packet", "first_q ? Low'(0) : low_q", "low_q"),
    Fault("gcm_length", "tells it a byte late", "left_q <= Low'(Max);", "left_q <= Low'(Max + 1);"),
    Fault("gcm_length", "looks a step late", "Max - 64'(4 * Step) : ", "Max - 64'(Step) : "),
    Fault("gcm_step", "waits for GHASH for ever", "(hash_soon_i || !next_i.hash)", "hash_soon_i"),
    Fault("axis_skid", "makes a word", "valid_q <= spare_valid_q || in_valid_i;",
          "valid_q <= spare_valid_q || in_valid_i || valid_q;"),
    Fault("gcm_slots_line", "makes a slot", "valid_q <= valid[Depth-2:0];",
          "valid_q <= {valid[Depth-2:1], 1'b1};"),
    Fault("gcm_slots_line", "counts the bytes of another", "first_q <= sized;",
          "first_q <= {sized[gcm_pkg::SIZED_WIDTH-1:gcm_pkg::FACT_WIDTH], first_q.fact};"),
    Fault("gcm_slots_queue", "counts a slot twice", "(load && first_valid && first.packet)",
          "(first_valid && first.packet)"),
    Fault("gcm_slots_queue", "keeps data of the second lane",
          "(first_valid && load),\n        .out_d",
          "(first_valid && load && l == 0),\n        .out_d"),
    Fault("gcm_slots_queue", "gives both lanes one block", "slot_i.data[128*l+:128]",
          "slot_i.data[127:0]"),
    Fault("gcm_erase", "lets answers out", "= run || drain ? tag_valid_i :",
          "= run || drain || play ? tag_valid_i :"),
    Fault("gcm_erase", "lets text out", "text_valid_i : answer && text_open_q;",
          "text_valid_i : answer ? text_open_q : text_valid_i;"),
    Fault("gcm_erase", "takes a key", "key_ready_o     = run && key_ready_i;",
          "key_ready_o = key_ready_i;"),
    Fault("gcm_erase", "lets a command in", "run || (drain && !first) ? command_valid_i\n",
          "run || play || (drain && !first) ? command_valid_i\n"),
    Fault("gcm_erase", "leaves a context out", "!= ContextWidth'(Contexts - 1))",
          "!= ContextWidth'(Contexts - 2))"),
    Fault("gcm_erase", "sends a packet less", "beats_q    <= CountWidth'(Packets);",
          "beats_q <= CountWidth'(Packets - 1);"),
    Fault("gcm_erase", "leaves the zero key", "void_key ? gcm_pkg::KEY_ERASE : KeyCode;",
          "KeyCode;"),
    Fault("gcm_erase", "hears requests at rest only", "(request_i && !all_q)",
          "(request_i && run)"),
    Fault("gcm_erase", "answers too many", "answer && owed_q > unfinished_q;", "answer;"),
    Fault("gcm_erase", "answers before the frame", "answer && owed_q > unfinished_q;",
          "answer && owed_q != '0;"),
    Fault("gcm_erase", "leaves a text open", "if (owed_q == '0 && first && !text_open_q)",
          "if (owed_q == '0 && first)"),
    Fault("gcm_erase", "closes a text twice", "!(text_last_i || text_close_o);", "!text_last_i;"),
    Fault("gcm_erase", "does not wait for text", "!text_open_q && quiet_q == QuietWidth'(Quiet);",
          "1'b1;"),
    Fault("gcm_erase", "erases another context", "context_q <= key_context_i;", "context_q <= '0;"),
    Fault("gcm_erase", "waits for silence of data", "!drain || text_valid_i ||",
          "!drain || text_valid_i || data_valid_i ||"),
    Fault("gcm_erase", "passes data without a command", "? data_valid_i && unfinished_q != '0",
          "? data_valid_i"),
    Fault("gcm_erase", "resets all for one", "(state_q == ERASE_VOID && all_q);",
          "(state_q == ERASE_VOID);"),
    Fault("gcm_timeout", "waits a cycle less", "timer_q == TimerWidth'(Limit - 1)",
          "timer_q == TimerWidth'(Limit - 2)"),
    Fault("gcm_timeout", "adds waits up", "rst || !waits[t] ? '0", "rst ? '0"),
    Fault("gcm_timeout", "makes half a command", "else if (command_end) made_q",
          "else if (command_take) made_q"),
    Fault("gcm_timeout", "takes the rest for a packet", "drop_q || (data_end && begun_q);",
          "drop_q;"),
    Fault("gcm_timeout", "drops packets", "else if (data_valid_i && data_last_i) drop_q <= 1'b0;",
          "else if (data_end) drop_q <= 1'b0;"),
    Fault("gcm_timeout", "passes data without a command", "ahead_q != '0 && !drop_q;", "!drop_q;"),
    Fault("gcm_timeout", "has no doubt", "if ((made_q && command_take) || (close", "if ((close"),
    Fault("gcm_timeout", "has doubts no more", "doubt_q && !command_valid_i && !data_valid_i &&",
          "doubt_q && !command_valid_i &&"),
    Fault("gcm_timeout", "ends a frame twice", "else if (data_end) close_q",
          "else if (data_end && begun_q) close_q"),
    Fault("gcm_timeout", "takes a command for its own", "command_ready_i && !made_q;",
          "command_ready_i;"),
    Fault("gcm_iv_words", "has a word too many", "(iv_bytes_i - 16'd1) >> 4", "iv_bytes_i >> 4"),
    Fault("gcm_iv_words", "goes on after 16 bytes", "iv_bytes_i <= 16'd16 :",
          "iv_bytes_i < 16'd16 :"),
    Fault("ghash_aggregated", "is done too early", "!due_q && !wait_q", "(!due_q || !wait_q)"),
    Fault("gcm_issue", "starts the next late",
          "(close_slot || (in_data && in_valid_i && close_here))", "close_slot"),
    Fault("gcm_issue_iv_hashed", "hashes an IV of no byte", "is_short || bytes_i == '0;",
          "is_short;"),
    Fault("gcm_iv_counter", "gives an IV twice", "!exhausted && command_context_i",
          "full && command_context_i"),
    Fault("gcm_iv_counter", "leaves IVs out", "advance   = take && counts",
          "advance = command_valid_o && counts"),
    Fault("gcm_iv_counter", "has no limit", "exhausted = count == Limit;", "exhausted = 1'b0;"),
    Fault("gcm_iv_counter", "has no carry", "advance && (fresh || full);", "advance && full;"),
    Fault("gcm_iv_counter", "begins anew at every key", "if (key_take_i && key_context_i == "
          "ContextWidth'(c)) begin", "if (key_take_i) begin"),
    Fault("gcm_iv_counter", "goes on at a key", "fresh_q[c] <= 1'b1;", "fresh_q[c] <= 1'b0;"),
    Fault("gcm_iv_counter", "shows a field that never came", "known ? stored_fixed : '0;",
          "stored_fixed;"),
    Fault("gcm_iv_counter", "answers for words", "(take && first),\n", "(take),\n"),
    Fault("gcm_iv_counter", "decrypts with its own", "first && !command_decrypt_i;", "first;"),
    Fault("gcm_iv_counter", "has the fixed field of another", ".write_addr_i(key_context_i),",
          ".write_addr_i(command_context_i),"),
    Fault("gcm_ram", "writes where it reads", "mem_q[write_addr_i] <=", "mem_q[read_addr_i] <="),
    Fault("gcm_ram", "reads not while it writes", "if (read_i) read_q", "if (!write_i) read_q"),
    Fault("gcm_keys", "does not wait for the newest", "fence_q <= look_q + TurnWidth'(1);",
          "fence_q <= look_q;"),
    Fault("gcm_keys", "leaves the packet out that comes with it", "end_q   <= newest_d;",
          "end_q <= newest_q;"),
    Fault("gcm_keys", "waits for later packets", "(to_wait[TurnWidth-1] || to_wait == '0);",
          "newest_q == oldest_q;"),
    Fault("gcm_keys", "asks for the subkey once", "KEYS_ASK: if (subkey_taken_i)", "KEYS_ASK:"),
    Fault("gcm_keys", "takes a key in between", "idle_q && cleared;",
          "(idle_q || want_q) && cleared;"),
    Fault("gcm_keys", "is usable early", "note_usable = state_q == KEYS_POWERS && ",
          "note_usable = "),
    Fault("gcm_keys", "takes a subkey that is wrong", "state_q == KEYS_POWERS && !subkey_wrong_i;",
          "state_q == KEYS_POWERS;"),
    Fault("gcm_keys", "loads key size 3", "size_q == gcm_pkg::KEY_256 && Sizes[2]);", "Sizes[2]);"),
    Fault("gcm_keys", "keeps the old key", "exists && (passed_q || (state_q == KEYS_POWERS && "
          "powers_done_i));", "exists && state_q == KEYS_POWERS && powers_done_i;"),
    Fault("gcm_keys", "changes another context", "held_q[3*context_q+:3] <=",
          "held_q[3*lookup_context_i+:3] <="),
    Fault("gcm_keys", "asks before the packets are done", "want_q   <= state_d == KEYS_ASK;",
          "want_q <= state_d == KEYS_ASK || state_d == KEYS_FENCE;"),
    Fault("gcm_command", "begins with the old key", "out_blocked_o = late_q &&",
          "out_blocked_o = 1'b0 && late_q &&"),
    Fault("gcm_command", "holds an earlier one up", "2'(some) + 2'(two) : free_q;",
          "2'(some) : free_q;"),
    Fault("gcm_command", "holds other contexts up", "out_context_o == load_context_i);", "1'b1);"),
    Fault("gcm_command", "takes a word for a command", "(iv_whole == 12'd1 && !iv_rest);",
          "iv_whole == 12'd1;"),
    Fault("gcm_command", "holds up after the load", "late_q    <= load_busy_i &&",
          "late_q <= (load_busy_i || late_q) &&"),
    Fault("gcm_command_places_two", "writes over a block", "write_q ^ (in_valid_i && in_ready_o);",
          "write_q ^ in_valid_i;"),
    Fault("gcm_command_places_two", "says two too late", "out_two_o    = !in_ready_o;",
          "out_two_o = !in_ready_o && out_ready_i;"),
    Fault("gcm_command_places_one", "writes over a block", "if (in_ready_o) blocks_q",
          "if (in_valid_i) blocks_q"),
    Fault("gcm_axis_guard", "shows text while it erases", "m_axis_tdata = zeros || text_close ?",
          "m_axis_tdata = text_close ?"),
    Fault("gcm_axis_guard", "shows a tag while it erases", "m_tag_tag    = zeros ? '0 : tag;",
          "m_tag_tag = tag;"),
    Fault("gcm_axis_guard", "says ok while it erases", "tag_ok && !zeros;", "tag_ok;"),
    Fault("gcm_axis_guard", "erases with a key from outside", "(zeros ? '0 : s_key_tdata)",
          "(s_key_tdata)"),
    Fault("gcm_axis_guard", "erases with text from outside", "zeros || spoilt ? '0 : s_axis_tdata",
          "spoilt ? '0 : s_axis_tdata"),
    Fault("gcm_axis_guard", "erases the context of a command",
          "(zeros ? zeros_context : timed_context)", "(timed_context)"),
    Fault("gcm_axis_guard", "does not reset its core", "(aresetn && !core_reset)", "(aresetn)"),
    Fault("gcm_axis_guard", "takes doubtful data", "spoilt ? Bytes'(Hole) :", "", WAITING),
    Fault("gcm_axis_guard", "has no doubt", "closes || doubt;", "closes;", WAITING),
    Fault("gcm_axis_guard", "takes a command that it made", "(made && !zeros)", "(1'b0)", WAITING),
    Fault("gcm_axis_guard", "ends no frame", "s_axis_tlast || closes;", "s_axis_tlast;", WAITING),
    Fault("gcm_fifo", "is full once and for all", "full_q  <= 1'b0;\n        some_q  <= count",
          "some_q <= count"),
    Fault("axis_skid", "takes every second word", "ready_q       <= !spare_valid_d;",
          "ready_q <= !spare_valid_d && !in_valid_i;"),
    Fault("gcm_issue", "ends no packet while data comes", "in_close && !drain_slot;",
          "in_close && !drain_slot && !in_valid_i;"),
    Fault("gcm_slots_queue", "keeps the last slot", ".in_valid_i (fact_valid),",
          ".in_valid_i (fact_valid && in_valid_i),"),
    Fault("gcm_release_verified", "stops at a bad packet", "skip        = turn_valid && !turn_ok;",
          "skip = turn_valid && !turn_ok && verdict_valid_i;"),
    Fault("gcm_tag", "writes over an answer", "if (space_q && mask_at_q == PtrWidth'(i)) word_q",
          "if (mask_at_q == PtrWidth'(i)) word_q"),
    Fault("gcm_command_encrypts", "takes a command to decrypt", "decrypt_i ? gcm", "1'b0 ? gcm"),
    Fault("gcm_command_encrypts", "takes length 31 for its mark", "OTHER_TAG_BYTES ? '0 :",
          "OTHER_TAG_BYTES ? 5'd31 :"),
    Fault("gcm_command_encrypts", "passes a tag", "tag_o       = '0;", "tag_o = tag_i;"),
    Fault("gcm_command_decrypts", "takes a command to encrypt", "!decrypt_i ? gcm", "1'b0 ? gcm"),
    Fault("gcm_command_decrypts", "expects no tag", "tag_o       = tag_i;", "tag_o = '0;"),
    Fault("gcm_slot_encrypts", "decrypts", "decrypt = 1'b0;", "decrypt = slot_i.fact.decrypt;"),
    Fault("gcm_slot_encrypts", "makes a good packet bad",
          "slot_i.fact.status != gcm_pkg::STATUS_OK\n        && ", ""),
    Fault("gcm_slot_encrypts", "tells another error", "STATUS_BAD_DIRECTION;", "STATUS_NO_KEY;"),
    Fault("gcm_slot_decrypts", "encrypts", "decrypt = 1'b1;", "decrypt = slot_i.fact.decrypt;"),
    Fault("gcm_slot_decrypts", "makes a bad packet good", "STATUS_BAD_DIRECTION;", "STATUS_OK;"),
    Fault("gcm_slot_decrypts", "tells it of every error",
          "\n        && slot_i.fact.tag_bytes == gcm_pkg::OTHER_TAG_BYTES", ""),
    Fault("gcm_slot_decrypts_erased", "makes a bad packet good", "STATUS_BAD_DIRECTION;",
          "STATUS_OK;"),
    Fault("gcm_slot_decrypts_erased", "decrypts the zeros", "slot_o = slot_i;",
          "slot_o = slot_i;\n    slot_o.fact.decrypt = 1'b1;"),
    Fault("nano_direction_both", "forgets a wrong byte", "differs_q <= differs_o;",
          "differs_q <= !equal_i;"),
    Fault("nano_direction_both", "always decrypts", "decrypts_o = decrypt_q;",
          "decrypts_o = 1'b1;"),
    Fault("nano_direction_decrypts", "keeps a packet's wrong byte",
          "if (begin_i) differs_q <= 1'b0;\n    else if", "if"),
    Fault("nano_direction_decrypts", "refuses nothing", "refuses_o  = !decrypt_i;",
          "refuses_o = 1'b0;"),
    Fault("nano_direction_encrypts", "refuses nothing", "refuses_o  = decrypt_i;",
          "refuses_o = 1'b0;"),
    Fault("nano_direction_encrypts", "leaves the tag of a refused command",
          "expects_o  = refused_i;", "expects_o = 1'b0;"),
    Fault("micro_aes", "has a round less", "4'd14 : 4'd10", "4'd14 : 4'd9"),
    Fault("micro_aes", "is done in its last round", "done_o   = round_q == 4'd0;",
          "done_o = round_q == 4'd0 || last;"),
    Fault("micro_aes_four", "has a round less", "4'd14 : 4'd10", "4'd14 : 4'd9"),
    Fault("micro_aes_four", "has a step more", "ends     = step_q[2];", "ends = step_q == 3'd5;"),
    Fault("micro_aes_four", "is done in its first round", "first && step_q == 3'd0;",
          "first && step_q != 3'd2;"),
    Fault("micro_ghash", "leaves out a digit", "step_q == COUNT'(STEPS);",
          "step_q == COUNT'(STEPS - 1);"),
    Fault("micro_ghash", "forgets the digest", "clear_i ? 128'b0", "!add_i ? 128'b0"),
    Fault("micro_where", "keeps the key", "    fault_i || fails || (lost", "    fails || (lost"),
    Fault("micro_where", "gives up before the answer", "(open ? !answer_last_i : begins)",
          "begins"),
    Fault("micro_where", "answers before text has left", "!data_left && !text_left;",
          "!data_left;"),
    Fault("gcm_micro", "takes packets without a key", "!keyed_q || s_cmd_tdata[5]",
          "s_cmd_tdata[5]"),
    Fault("gcm_micro", "writes over an error", "if (status_q != OK) fault = status_q;", ""),
    Fault("gcm_micro", "shows a tag with an error", "tag_given    = state_q == TAG && good;",
          "tag_given = state_q == TAG;"),
    Fault("gcm_micro", "shows text of a bad packet", "leaves_q && shown}}", "leaves_q}}"),
    Fault("gcm_micro", "withdraws text", "else if (shows && !kept[11]) leaves_q",
          "else if (!kept[11]) leaves_q"),
    Fault("gcm_micro", "answers before text is taken", "state_q == LAST) && fills;",
          "state_q == LAST) && !full;"),
    Fault("gcm_micro", "takes a tag of any length", "s_cmd_tlast != (tag_ends && place_q[3:2]",
          "s_cmd_tlast != (1'b1 && place_q[3:2]"),
    Fault("nano_ring", "is a byte too short", "head_o = ring_q[7:0];", "head_o = ring_q[15:8];"),
    Fault("nano_ring", "keeps what it should replace", "{write_i ? byte_i : head_o,",
          "{head_o,"),
    Fault("nano_aes", "loads a byte less", "step_q == 5'd15 :", "step_q == 5'd14 :"),
    Fault("nano_aes", "is done at once", "done_o  = rests;", "done_o = rests || load;"),
    Fault("nano_aes_both", "loads a byte less", "step_q == 5'd15 :", "step_q == 5'd14 :"),
    Fault("nano_aes_both", "is done at once", "= rests;", "= rests || load;"),
    Fault("nano_key_both", "takes keys of 48 bytes", "whole_o && half_q;", "1'b0;"),
    Fault("nano_key_both", "takes keys of 17 bytes", "last_i ? !whole_o :", "last_i ? 1'b0 :"),
    Fault("nano_key_both", "forgets a key's size", "long_o <= half_q;", "long_o <= 1'b0;"),
    Fault("nano_ghash", "turns seven times", "turn_q != 3'd7", "turn_q != 3'd6"),
    Fault("nano_ghash", "begins in any phase", "else if (phase_i == 4'd15) busy_o",
          "else if (1'b1) busy_o"),
    Fault("nano_aes", "encrypts what passes", "load && pass_i", "1'b0"),
    Fault("nano_aes_both", "encrypts what passes", "load && pass_i", "1'b0"),
    Fault("nano_iv_any", "does not multiply an IV of 28 bytes", "last_i && place_i == 4'd11 &&"
          " state_q != MORE;", "last_i && place_i == 4'd11;"),
    Fault("nano_iv_any", "takes bytes after the last", "state_q == FIRST || state_q == MORE;",
          "state_q == FIRST || state_q == MORE || state_q == ENDS;"),
    Fault("nano_iv_any", "adds a 1 to every digest", "state_q == SUMMED && short_q && turn_ends",
          "state_q == SUMMED && turn_ends"),
    Fault("nano_iv_any", "begins before the counter went up", "begins_o  = done_o && short_q;",
          "begins_o  = done_o;"),
    Fault("gcm_nano", "takes packets without a key", "!keyed_q || s_cmd_tdata[5]",
          "s_cmd_tdata[5]"),
    Fault("gcm_nano", "writes over an error", "if (status_q != OK) fault = status_q;", ""),
    Fault("gcm_nano", "shows a tag with an error", "tag_given ? digest ^ stream : 8'h00",
          "digest ^ stream"),
    Fault("gcm_nano", "shows text of a bad packet", "text_given && good ? mixed",
          "text_given ? mixed"),
    Fault("gcm_nano", "withdraws an answer", "(tag_valid_q && !m_tag_tready);", "1'b0;"),
    Fault("gcm_nano", "withdraws text", "(out_valid_q && !m_axis_tready);", "1'b0;"),
    Fault("gcm_nano", "answers before text is taken", "!out_valid_q && (!tag_valid_q",
          "(!tag_valid_q"),
    Fault("gcm_nano", "never takes AAD in its phase", "aad_byte && phase_q == aad_place",
          "aad_byte && phase_q == 4'd3 && aad_place == 4'd3"),
    Fault("gcm_nano", "takes a length turn too many", "LENGTHS: if (turn_ends) state_q",
          "LENGTHS: if (turn_ends && !hash_busy) state_q"),
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Broken:
    """A fault in one module by which another one's requirement is not kept."""

    module: str
    requirement: str
    fault: Fault
    options: Mapping[str, object]
    packets: int = 500


BROKEN = (
    Broken(
        module="gcm_tag",
        requirement="a_digest_has_an_entry",
        fault=Fault("gcm_back", "gives a digest too many",
                    "(digest_valid),\n      .digest_i       (",
                    "(digest_valid || entry_taken),\n      .digest_i       ("),
        options={},
    ),
    Broken(
        module="gcm_length",
        requirement="nothing_after_it_is_over",
        fault=Fault("gcm_slot_count", "counts on", "passes_i && good_q && !over_q;", "passes_i;"),
        options={"max_text_bytes": 100},
    ),
    Broken(
        module="gcm_step",
        requirement="soon_is_ready",
        fault=Fault("gcm_back", "promises room", "release_soon = m_axis",
                    "release_soon = 1'b1 || m_axis"),
        options=LINE,
    ),
    Broken(
        module="gcm_erase",
        requirement="zeros_have_one_text",
        fault=Fault("gcm_axis_guard", "has text of its own", ".text_valid_i      (text_valid)",
                    ".text_valid_i      (text_valid || zeros)"),
        options=GUARDED,
    ),
    Broken(
        module="gcm_keys",
        requirement="done_is_under_way",
        fault=Fault("gcm_front", "tells of packets twice", ".packet_done_i    (packet_done_i)",
                    ".packet_done_i    (packet_done_i || command_accept)"),
        options={},
    ),
    Broken(
        module="streams_keys",
        requirement="no_packet_begins_under_a_key_that_loads",
        fault=Fault("streams_issue", "does not wait", "in_loading_i && load_busy_i;", "1'b0;"),
        options=STREAMS,
    ),
    Broken(
        module="streams_tags",
        requirement="a_packet_ends_where_there_is_room",
        fault=Fault("gcm_streams", "does not ask for room", "out_soon && tag_soon;", "out_soon;"),
        options=STREAMS,
    ),
    Broken(
        module="nano_ghash",
        requirement="begins_after_the_last",
        fault=Fault("gcm_nano", "multiplies twice", "phase_q == aad_place && !hash_busy",
                    "phase_q == aad_place"),
        options={**NANO, "max_text_bytes": 256, "max_aad_bytes": 256},
    ),
    Broken(
        module="nano_iv_any",
        requirement="places_follow",
        fault=Fault("gcm_nano", "counts an IV on after an answer",
                    "|| state_q == ANSWER || state_q == SUBKEY", "|| state_q == SUBKEY"),
        options=NANO_ANY,
        packets=100,
    ),
    Broken(
        module="micro_aes",
        requirement="begins_after_the_last",
        fault=Fault("gcm_micro", "begins a block amid another", "(spent_q && aes_done\n",
                    "(spent_q\n"),
        options=MICRO,
    ),
    Broken(
        module="micro_aes",
        requirement="key_stays",
        fault=Fault("gcm_micro", "has another key's size with a text", ".long_i  (key_long)",
                    ".long_i  (key_long ^ take_text)"),
        options=MICRO,
    ),
    Broken(
        module="micro_aes_four",
        requirement="begins_after_the_last",
        fault=Fault("gcm_micro", "begins a block amid another", "(spent_q && aes_done\n",
                    "(spent_q\n"),
        options=FOUR,
    ),
    Broken(
        module="micro_aes_four",
        requirement="key_stays",
        fault=Fault("gcm_micro", "has another key's size with a text", ".long_i  (key_long)",
                    ".long_i  (key_long ^ take_text)"),
        options=FOUR,
    ),
    Broken(
        module="micro_ghash",
        requirement="added_when_free",
        fault=Fault("gcm_micro", "does not wait for GHASH", "full && hash_free", "full"),
        options=MICRO,
    ),
)  # fmt: skip


@cache
def files_of(*options: tuple[str, object]) -> Mapping[str, str]:
    config = CoreConfig.from_mapping(dict(options))
    files, rtl, _ = core_files(config, prove=False)
    return {name: files[name] for name in rtl}


def with_fault(files: Mapping[str, str], fault: Fault) -> dict[str, str]:
    name = next(name for name in files if name.endswith(f"/{fault.module}.sv"))
    assert files[name].count(fault.old) == 1, f"{fault.old!r} stands once in {name}"
    return {**files, name: files[name].replace(fault.old, fault.new)}


@cache
def sizes_of(*options: tuple[str, object]) -> Mapping[str, list[Mapping[str, int]]]:
    return proven_sizes(files_of(*options), CoreConfig.from_mapping(dict(options)).top)


def leaves_of(options: Mapping[str, object]) -> tuple[str, ...]:
    return tuple(leaf_modules(CoreConfig.from_mapping(options)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "options"),
    [
        *MODULES.items(),
        ("gcm_slots_line", AHEAD),
        ("aes_loop", RING),
        ("micro_ghash", FOUR),
        ("gcm_micro", FOUR),
        ("gcm_nano", NANO_ANY),
    ],
    ids=[
        *MODULES,
        "gcm_slots_line of two places",
        "aes_loop of four rounds in two stages",
        "micro_ghash of three bits",
        "gcm_micro of four S-boxes",
        "gcm_nano with IVs of any length",
    ],
)
def test_the_control_of_a_module_is_proven(module: str, options: dict[str, object]) -> None:
    files = files_of(*options.items())
    top = CoreConfig.from_mapping(options).top
    proofs = list(prove_texts(files, leaves_of(options), top, modules=(module,)))
    assert proofs
    assert [f"{proof.name}: {proof.detail}" for proof in proofs if not proof.passed] == []


ERASED = {"zeroise": "on", "timeout": 100, "contexts": 3}


@pytest.mark.slow
def test_the_guard_of_a_core_with_one_direction_is_proven() -> None:
    options = {**ERASED, "direction": "decrypt"}
    files, top = files_of(*options.items()), CoreConfig.from_mapping(options).top
    proofs = list(prove_texts(files, leaves_of(options), top, modules=("gcm_axis_guard",)))
    assert len(proofs) > 10
    assert [f"{proof.name}: {proof.detail}" for proof in proofs if not proof.passed] == []


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.module} {fault.what}")
def test_a_fault_is_found(fault: Fault) -> None:
    options = MODULES[fault.module] if fault.options is None else fault.options
    files = with_fault(files_of(*options.items()), fault)
    sizes = sizes_of(*options.items())[fault.module]
    assert any(refuted(files, leaves_of(options), fault.module, size) for size in sizes)


@pytest.mark.slow
@pytest.mark.verilator
def test_the_command_says_what_is_proven_watched_and_false(tmp_path, capsys) -> None:
    folder = tmp_path / "core"
    gcmforge.build("compact", folder, prove=False, datasheet=False)
    file = folder / "rtl" / "gcm_tag.sv"
    file.write_text(file.read_text().replace("tag == '0;", "tag[127:8] == '0;"))
    with pytest.raises(gcmforge.BuildError, match=r"gcm_tag\.sv"):
        gcmforge.prove_control(folder)

    asked = ["prove", str(folder), "--control", "--cycles", "4", "--packets", "100"]
    asked.append("--allow-changed")
    with pytest.raises(SystemExit) as end:
        main(asked)
    told = capsys.readouterr().out.splitlines()
    assert end.value.code == 1
    false = [line for line in told if line.startswith("FAILED") and "false" in line]
    assert any("gcm_tag (Depth 2, AnyIv 0): wrong_tag_fails: false" in line for line in false)
    assert {line.split()[1] for line in false} == {"gcm_tag"}  # and the answers, below
    assert any(line.startswith("proven  gcm_fifo (") and "for any time" in line for line in told)
    assert any("gcm_axis_core: answer_has_its_command: for 4 cycles" in line for line in told)
    assert any("gcm_tag: a_digest_has_an_entry: holds in" in line for line in told)
    assert any("gcm_axis_core: packets_are_answered_right: does not" in line for line in told)
    bare = next(line for line in told if line.startswith("no properties of control in "))
    assert "gcm_back" in bare and "gcm_tag" not in bare
    assert told[-1].startswith("NOT AS BUILT")


@pytest.fixture
def simulator(broken: Broken) -> Iterator[None]:
    """Of the smallest cores there is little to compile, and a packet takes many cycles."""
    small = broken.options.get("core") in ("nano", "micro")
    with compiled_for_long_runs() if small else nullcontext():
        yield


@pytest.mark.slow
@pytest.mark.verilator
@pytest.mark.usefixtures("simulator")
@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.requirement)
def test_a_requirement_that_is_not_kept_is_seen(broken: Broken, tmp_path: Path) -> None:
    toml = tmp_path / "core.toml"
    toml.write_text(CoreConfig.from_mapping(broken.options).to_toml())
    files = files_of(*broken.options.items())
    watched = broken.module, broken.requirement
    assert watched in {
        found[:2] for found in watch(files, toml, packets=broken.packets) if found[2] is None
    }

    files = with_fault(files, broken.fault)
    assert watched in {
        found[:2] for found in watch(files, toml, packets=broken.packets) if found[2]
    }


def test_every_module_with_properties_is_in_this_test() -> None:
    assert set(properties()) == {*MODULES, "gcm_axis_core"}
    assert set(requirements()) <= set(MODULES)

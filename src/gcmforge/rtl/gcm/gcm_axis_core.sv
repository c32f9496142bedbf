// SPDX-License-Identifier: Apache-2.0
// AES-GCM core behind AXI4-Stream ports; gcm_axis in a built folder fixes its parameters.
//
//   s_key ----> gcm_keys ---round keys--> gcm_aes --key stream--+
//                   | ^  gcm_subkey -> H     ^                   v
//   s_cmd ----> gcm_command --> gcm_issue ---+--> slots ----> gcm_join ----> m_axis
//   s_axis ---> axis_skid -------->^   ^                         | |
//                                      |     +---beats-----------+ +--entries--+
//                                      |     v                                 v
//                                      |  gcm_ghash -digests-> gcm_tail ---> gcm_tag ----> m_tag
//                                      +------------- J0 of long IVs -----------+
//
// gcm_aes, gcm_ghash, gcm_subkey and gcm_tail are what the configuration chose; they are bound in the
// folder. With a ReleaseDepth text passes gcm_release on its way to m_axis, and leaves after its verdict.
// Latency: AES latency + 2 cycles from s_axis to m_axis, with AheadPlaces SlotDepth + 2 when the key
// stream is there, without ReleaseDepth; then after the verdict, as gcm_release says. Throughput: one beat a cycle inside a
// packet with pipelined engines; see gcm_issue for the slots of a packet.
module gcm_axis_core #(
    parameter int Lanes = 1,
    parameter int AadLanes = 0,             // blocks of AAD beside a beat
    parameter int Contexts = 1,
    parameter bit [2:0] KeySizes = 3'b111,  // bit 0 AES-128, bit 1 AES-192, bit 2 AES-256
    parameter int SubStages = 1,            // of the aes_sbox in the folder
    parameter bit AnyIv = 1'b1,             // IVs other than 96 bits
    parameter bit CounterSharing = 1'b0,    // of the AES engine
    parameter bit TravellingKeys = 1'b0,    // of the AES engine
    parameter bit AesWaits = 1'b0,          // it does not take a beat in every cycle
    parameter bit OwnSubkey = 1'b0,         // hash subkeys are not made in the data path
    parameter bit OwnTail = 1'b0,           // lengths are added behind GHASH
    parameter bit OwnJ0 = 1'b0,             // J0 has an AES lane of its own
    parameter longint unsigned MaxTextBytes = 64'd68719476704,
    parameter longint unsigned MaxAadBytes = 64'd4294967295,
    parameter int SlotDepth = 20,           // slots under way: the AES's latency and some
    parameter bit InStep = 1'b0,            // slots move on in step and wait in no queue
    parameter int AheadPlaces = 0,          // packets whose key stream is made before their text; 0: none is
    parameter int AesLatency = 12,          // with InStep: of the AES, in cycles
    parameter int TagDepth = 8,             // packets between their last beat and m_tag
    parameter int ReleaseDepth = 0,         // beats of text held back for their verdict; 0: none is
    localparam int Width = 128 * Lanes,
    localparam int Bytes = 16 * Lanes,
    localparam int SideLanes = AadLanes > 0 ? AadLanes : 1,
    localparam int ContextWidth = Contexts > 1 ? $clog2(Contexts) : 1
) (
    input  logic                    aclk,
    input  logic                    aresetn,
    // keys
    input  logic                    s_key_tvalid,
    output logic                    s_key_tready,
    input  logic [           255:0] s_key_tdata,
    input  logic [             1:0] s_key_size,
    input  logic [ContextWidth-1:0] s_key_context,
    // commands
    input  logic                    s_cmd_tvalid,
    output logic                    s_cmd_tready,
    input  logic [ContextWidth-1:0] s_cmd_context,
    input  logic                    s_cmd_decrypt,
    input  logic [           127:0] s_cmd_tag,
    input  logic [             4:0] s_cmd_tag_bytes,
    input  logic [            15:0] s_cmd_iv_bytes,
    input  logic [           127:0] s_cmd_iv,
    input  logic                    s_cmd_void,        // refused, by gcm_timeout
    input  logic [            31:0] s_cmd_text_beats,  // with AheadPlaces: beats that hold text
    // AAD and text in
    input  logic                    s_axis_tvalid,
    output logic                    s_axis_tready,
    input  logic [       Width-1:0] s_axis_tdata,
    input  logic [       Bytes-1:0] s_axis_tkeep,
    input  logic                    s_axis_tuser,
    input  logic                    s_axis_tlast,
    input  logic [SideLanes*128-1:0] s_axis_aad,       // beside a packet's first beat
    input  logic [SideLanes*16-1:0] s_axis_aad_keep,   // zero without AadLanes
    // text out
    output logic                    m_axis_tvalid,
    input  logic                    m_axis_tready,
    output logic [       Width-1:0] m_axis_tdata,
    output logic [       Bytes-1:0] m_axis_tkeep,
    output logic                    m_axis_tlast,
    // tags and verdicts
    output logic                    m_tag_tvalid,
    input  logic                    m_tag_tready,
    output logic [           127:0] m_tag_tag,
    output logic                    m_tag_ok,
    output logic [             2:0] m_tag_status
);
  localparam bit Ahead = AheadPlaces > 0;
  localparam int CountWidth = $clog2(Lanes + 1);
  localparam int AesWidth = Width + (OwnJ0 ? 128 : 0);
  localparam int HashLanes = Lanes + AadLanes;
  localparam int HashWidth = 128 * HashLanes;
  localparam int HashCountWidth = $clog2(HashLanes + 1);
  localparam int SlotDataWidth = HashWidth + (OwnTail ? 128 : 0);
  localparam int SideWidth = $clog2(16 * SideLanes + 1);

  logic clk, rst;
  assign clk = aclk;
  assign rst = !aresetn;

  // ---- byte order: byte 0 in the low bits outside, on top inside
  logic [255:0] key;
  logic [127:0] s_tag, s_iv, tag;
  logic [Width-1:0] data_in, data_out;
  logic [SideLanes*128-1:0] side_in;

  for (genvar b = 0; b < 32; b++) begin : gen_key_byte
    assign key[8*(31-b)+:8] = s_key_tdata[8*b+:8];
  end
  for (genvar b = 0; b < 16; b++) begin : gen_block_byte
    assign s_tag[8*(15-b)+:8] = s_cmd_tag[8*b+:8];
    assign s_iv[8*(15-b)+:8]  = s_cmd_iv[8*b+:8];
    assign m_tag_tag[8*b+:8]  = tag[8*(15-b)+:8];
  end
  for (genvar b = 0; b < Bytes; b++) begin : gen_data_byte
    assign data_in[8*(Bytes-1-b)+:8] = s_axis_tdata[8*b+:8];
    assign m_axis_tdata[8*b+:8]      = data_out[8*(Bytes-1-b)+:8];
  end

  for (genvar b = 0; b < 16 * SideLanes; b++) begin : gen_side_byte
    assign side_in[8*(16*SideLanes-1-b)+:8] = s_axis_aad[8*b+:8];
  end

  // ---- keys and commands
  logic load_start, load_busy, command_accept, packet_done;
  logic [ContextWidth-1:0] load_context;
  logic [1:0] load_size;
  logic round_valid;
  logic [3:0] round_index;
  logic [127:0] round_key;
  logic schedule_valid, schedule_hold;
  logic [3:0] schedule_index;
  logic [127:0] schedule_key;
  logic subkey_asked, subkey_given, subkey_done;                 // by gcm_keys
  logic subkey_want, subkey_taken, stream_subkey_valid;          // in the data path
  logic subkey_valid, subkey_first, powers_done, subkey_wrong;
  logic [127:0] subkey_poly;
  logic usable;
  logic [1:0] size;
  // the oldest command, and the one whose packet comes in: the same unless Ahead
  logic head_valid, head_blocked, head_ready, head_decrypt, head_void, head_usable;
  logic command_valid, command_blocked, command_ready, command_decrypt, command_void;
  logic [ContextWidth-1:0] head_context, command_context;
  logic [127:0] head_tag, head_iv, command_tag;
  logic [4:0] head_tag_bytes, command_tag_bytes;
  logic [15:0] head_iv_bytes, command_iv_bytes;
  logic [31:0] head_text_beats, command_text_beats;

  gcm_keys #(
      .Contexts (Contexts),
      .Sizes    (KeySizes),
      .SubStages(SubStages),
      .Travelling(TravellingKeys),
      .OwnSubkey (OwnSubkey),
      .InFlight  (SlotDepth + TagDepth + AheadPlaces + 5)
  ) u_keys (
      .clk             (clk),
      .rst             (rst),
      .key_valid_i     (s_key_tvalid),
      .key_ready_o     (s_key_tready),
      .key_i           (key),
      .key_size_i      (s_key_size),
      .key_context_i   (s_key_context),
      .command_accept_i(command_accept),
      .command_context_i(s_cmd_context),
      .packet_done_i   (packet_done),
      .load_start_o    (load_start),
      .load_busy_o     (load_busy),
      .load_context_o  (load_context),
      .load_size_o     (load_size),
      .round_valid_o   (round_valid),
      .round_index_o   (round_index),
      .round_key_o     (round_key),
      .schedule_valid_o(schedule_valid),
      .schedule_index_o(schedule_index),
      .schedule_key_o  (schedule_key),
      .hold_i          (schedule_hold),
      .subkey_want_o   (subkey_asked),
      .subkey_taken_i  (subkey_given),
      .subkey_valid_i  (subkey_valid),
      .powers_done_i   (subkey_done),
      .subkey_wrong_i  (subkey_wrong),
      .lookup_context_i(head_context),
      .lookup_usable_o (head_usable),
      .lookup_size_o   (size)
  );

  gcm_command #(
      .Contexts(Contexts),
      .Ahead   (Ahead),
      .Single  (AheadPlaces == 1)
  ) u_command (
      .clk            (clk),
      .rst            (rst),
      .in_valid_i     (s_cmd_tvalid),
      .in_ready_o     (s_cmd_tready),
      .in_context_i   (s_cmd_context),
      .in_decrypt_i   (s_cmd_decrypt),
      .in_tag_i       (s_tag),
      .in_tag_bytes_i (s_cmd_tag_bytes),
      .in_iv_bytes_i  (s_cmd_iv_bytes),
      .in_iv_i        (s_iv),
      .in_void_i      (s_cmd_void),
      .in_text_beats_i(s_cmd_text_beats),
      .accept_o       (command_accept),
      .load_start_i   (load_start),
      .load_busy_i    (load_busy),
      .load_context_i (load_context),
      .out_valid_o    (head_valid),
      .out_blocked_o  (head_blocked),
      .out_ready_i    (head_ready),
      .out_context_o  (head_context),
      .out_decrypt_o  (head_decrypt),
      .out_tag_o      (head_tag),
      .out_tag_bytes_o(head_tag_bytes),
      .out_iv_bytes_o (head_iv_bytes),
      .out_iv_o       (head_iv),
      .out_void_o     (head_void),
      .out_text_beats_o(head_text_beats)
  );

  // ---- data beats to slots
  logic beat_valid, beat_ready, beat_text, beat_last;
  logic beat_null, beat_short;  // its keep is zero; it is the last and the last lane is free: found
                                // before it is registered
  logic [Width-1:0] beat_data;
  logic [Bytes-1:0] beat_keep;
  logic [SideLanes*128-1:0] side_data;
  logic [SideLanes*16-1:0] side_keep;

  localparam int OwnWidth = Width + Bytes + 4;
  localparam int BeatWidth = OwnWidth + 144 * AadLanes;
  logic [BeatWidth-1:0] beat_in, beat_out;
  logic [OwnWidth-1:0] own;  // but what is beside it

  assign own = {
    s_axis_tlast && !s_axis_tkeep[Bytes-16], s_axis_tkeep == '0, s_axis_tlast, s_axis_tuser, s_axis_tkeep, data_in
  };

  if (AadLanes > 0) begin : gen_side
    assign beat_in   = {s_axis_aad_keep, side_in, own};
    assign side_keep = beat_out[BeatWidth-1-:16*AadLanes];
    assign side_data = beat_out[OwnWidth+:128*AadLanes];
  end else begin : gen_no_side
    logic unused;
    assign beat_in   = own;
    assign side_keep = '0;
    assign side_data = '0;
    assign unused    = &{1'b0, s_axis_aad_keep, side_in};
  end

  axis_skid #(
      .Width(BeatWidth)
  ) u_input (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (s_axis_tvalid),
      .in_ready_o (s_axis_tready),
      .in_data_i  (beat_in),
      .out_valid_o(beat_valid),
      .out_ready_i(beat_ready),
      .out_data_o (beat_out)
  );
  assign {beat_short, beat_null, beat_last, beat_text, beat_keep, beat_data} = beat_out[OwnWidth-1:0];

  typedef struct packed {  // as gcm_issue makes it
    logic [1:0]              kind;
    logic                    aes;
    logic                    closes;
    logic                    has_j0;
    logic [ContextWidth-1:0] context_id;
    logic                    decrypt;
    logic [2:0]              status;
    logic [4:0]              tag_bytes;
    logic [CountWidth-1:0]   count;
    logic                    gives_out;
    logic                    out_last;
    logic [3:0]              tail;
    logic [SideWidth-1:0]    side;
    logic [SlotDataWidth-1:0] data;
  } slot_t;

  typedef struct packed {  // as gcm_slots counts it
    logic [1:0]              kind;
    logic                    aes;
    logic                    closes;
    logic                    has_j0;
    logic [ContextWidth-1:0] context_id;
    logic                    decrypt;
    logic [2:0]              status;
    logic [4:0]              tag_bytes;
    logic [CountWidth-1:0]   count;
    logic                    gives_out;
    logic                    out_last;
    logic                    side;
    logic [Bytes-1:0]        keep;
    logic                    hash;
    logic                    tag;
    logic [HashCountWidth-1:0] hash_count;
    logic                    adds_lengths;
    logic [63:0]             aad_bits;
    logic [63:0]             text_bits;
    logic [SlotDataWidth-1:0] data;
  } counted_t;

  slot_t slot_in;
  counted_t slot_out;
  logic slot_in_valid, slot_in_ready, slot_out_valid, slot_out_ready;
  logic j0_valid;
  logic [127:0] j0;
  logic aes_valid, aes_ready, issue_aes_valid;
  logic [ContextWidth-1:0] aes_context, issue_aes_context;
  logic [1:0] aes_size, issue_aes_size;
  logic [AesWidth-1:0] aes_blocks, issue_aes_blocks;

  // ---- with InStep: whether all slots move one place on, found a cycle ahead. Each part that moves has
  // a register of it.
  logic next_out, next_hash, next_tag;    // who is to take the slot that is the oldest a cycle later
  logic out_soon, hash_soon, entry_soon;  // and can it
  logic next_aes, stream_soon;            // it needs key stream, and there is some: so always but Ahead
  logic next_error;                       // its packet has an error: a packet buffer drops it
  logic step_d, aes_step_d, issue_step, slot_step, aes_step, join_step;

  assign step_d = !rst && (out_soon || !next_out || (ReleaseDepth > 0 && next_error))
      && (hash_soon || !next_hash) && (entry_soon || !next_tag) && (stream_soon || !next_aes);
  assign aes_step_d = Ahead ? (step_d && next_aes) || !stream_soon : step_d;

  if (InStep) begin : gen_step
    gcm_copy #(
        .Width(1)
    ) u_issue (
        .clk    (clk),
        .value_i(step_d),
        .value_o(issue_step)
    );
    gcm_copy #(
        .Width(1)
    ) u_slots (
        .clk    (clk),
        .value_i(step_d),
        .value_o(slot_step)
    );
    gcm_copy #(
        .Width(1)
    ) u_aes (
        .clk    (clk),
        .value_i(aes_step_d),
        .value_o(aes_step)
    );
    gcm_copy #(
        .Width(1)
    ) u_join (
        .clk    (clk),
        .value_i(step_d),
        .value_o(join_step)
    );
  end else begin : gen_streams
    assign issue_step = 1'b0;
    assign slot_step  = 1'b0;
    assign aes_step   = 1'b0;
    assign join_step  = 1'b0;
    logic unused;
    assign unused = &{1'b0, step_d, aes_step_d};
  end

  // ---- with Ahead: key stream for commands whose text is still to come
  logic ahead_still, ahead_cut;
  logic [5:0] ahead_left;

  if (Ahead) begin : gen_ahead
    logic ahead_step;  // as aes_step
    gcm_copy #(
        .Width(1)
    ) u_step (
        .clk    (clk),
        .value_i(aes_step_d),
        .value_o(ahead_step)
    );
    gcm_ahead #(
        .Lanes     (Lanes),
        .Contexts  (Contexts),
        .Places    (AheadPlaces),
        .AesLatency(AesLatency),
        .Slots     (SlotDepth)
    ) u_ahead (
        .clk             (clk),
        .rst             (rst),
        .in_valid_i      (head_valid),
        .in_blocked_i    (head_blocked),
        .in_ready_o      (head_ready),
        .in_context_i    (head_context),
        .in_decrypt_i    (head_decrypt),
        .in_tag_i        (head_tag),
        .in_tag_bytes_i  (head_tag_bytes),
        .in_iv_bytes_i   (head_iv_bytes),
        .in_iv_i         (head_iv),
        .in_text_beats_i (head_text_beats),
        .usable_i        (head_usable),
        .size_i          (size),
        .subkey_want_i   (subkey_want),
        .subkey_context_i(load_context),
        .subkey_size_i   (load_size),
        .step_i          (ahead_step),
        .aes_valid_o     (aes_valid),
        .aes_context_o   (aes_context),
        .aes_size_o      (aes_size),
        .aes_blocks_o    (aes_blocks),
        .stream_soon_o   (stream_soon),
        .still_o         (ahead_still),
        .left_o          (ahead_left),
        .cut_i           (ahead_cut),
        .out_valid_o     (command_valid),
        .out_ready_i     (command_ready),
        .out_context_o   (command_context),
        .out_decrypt_o   (command_decrypt),
        .out_tag_o       (command_tag),
        .out_tag_bytes_o (command_tag_bytes),
        .out_iv_bytes_o  (command_iv_bytes),
        .out_text_beats_o(command_text_beats),
        .out_usable_o    (usable)
    );
    assign command_blocked = 1'b0;
    assign command_void    = 1'b0;
    logic unused;
    assign unused = &{
      1'b0, head_void, aes_ready, issue_aes_valid, issue_aes_context, issue_aes_size, issue_aes_blocks
    };
  end else begin : gen_beside
    assign aes_valid          = issue_aes_valid;
    assign aes_context        = issue_aes_context;
    assign aes_size           = issue_aes_size;
    assign aes_blocks         = issue_aes_blocks;
    assign stream_soon        = 1'b1;
    assign ahead_still         = 1'b0;
    assign ahead_left         = '0;
    assign head_ready         = command_ready;
    assign command_valid      = head_valid;
    assign command_blocked    = head_blocked;
    assign command_context    = head_context;
    assign command_decrypt    = head_decrypt;
    assign command_tag        = head_tag;
    assign command_tag_bytes  = head_tag_bytes;
    assign command_iv_bytes   = head_iv_bytes;
    assign command_text_beats = head_text_beats;
    assign command_void       = head_void;
    assign usable             = head_usable;
    logic unused;
    assign unused = &{1'b0, next_aes, ahead_cut};
  end

  gcm_issue #(
      .Lanes         (Lanes),
      .AadLanes      (AadLanes),
      .Contexts      (Contexts),
      .AnyIv         (AnyIv),
      .CounterSharing(CounterSharing),
      .OwnTail       (OwnTail),
      .OwnJ0         (OwnJ0),
      .AesWaits      (AesWaits),
      .Ahead         (Ahead)
  ) u_issue (
      .clk                (clk),
      .rst                (rst),
      .command_valid_i    (command_valid),
      .command_blocked_i  (command_blocked),
      .command_ready_o    (command_ready),
      .command_context_i  (command_context),
      .command_decrypt_i  (command_decrypt),
      .command_tag_i      (command_tag),
      .command_tag_bytes_i(command_tag_bytes),
      .command_iv_bytes_i (command_iv_bytes),
      .command_iv_i       (head_iv),
      .command_void_i     (command_void),
      .command_text_beats_i(command_text_beats),
      .in_valid_i         (beat_valid),
      .in_ready_o         (beat_ready),
      .in_data_i          (beat_data),
      .in_keep_i          (beat_keep),
      .in_null_i          (beat_null),
      .in_short_i         (beat_short),
      .in_text_i          (beat_text),
      .in_last_i          (beat_last),
      .in_side_i          (side_data),
      .in_side_keep_i     (side_keep),
      .usable_i           (usable),
      .size_i             (size),
      .subkey_want_i      (subkey_want),
      .subkey_taken_o     (subkey_taken),
      .subkey_context_i   (load_context),
      .subkey_size_i      (load_size),
      .ahead_still_i      (ahead_still),
      .ahead_left_i       (ahead_left),
      .ahead_cut_o        (ahead_cut),
      .j0_valid_i         (j0_valid),
      .j0_i               (j0),
      .aes_valid_o        (issue_aes_valid),
      .aes_ready_i        (InStep ? issue_step : aes_ready),
      .aes_context_o      (issue_aes_context),
      .aes_size_o         (issue_aes_size),
      .aes_blocks_o       (issue_aes_blocks),
      .slot_valid_o       (slot_in_valid),
      .slot_ready_i       (InStep ? issue_step : slot_in_ready),
      .slot_kind_o        (slot_in.kind),
      .slot_aes_o         (slot_in.aes),
      .slot_final_o       (slot_in.closes),
      .slot_j0_o          (slot_in.has_j0),
      .slot_context_o     (slot_in.context_id),
      .slot_decrypt_o     (slot_in.decrypt),
      .slot_status_o      (slot_in.status),
      .slot_tag_bytes_o   (slot_in.tag_bytes),
      .slot_count_o       (slot_in.count),
      .slot_tail_o        (slot_in.tail),
      .slot_out_o         (slot_in.gives_out),
      .slot_out_last_o    (slot_in.out_last),
      .slot_side_o        (slot_in.side),
      .slot_data_o        (slot_in.data)
  );

  gcm_slots #(
      .Lanes       (Lanes),
      .AadLanes    (AadLanes),
      .Contexts    (Contexts),
      .OwnTail     (OwnTail),
      .Depth       (SlotDepth),
      .InStep      (InStep),
      .MaxTextBytes(MaxTextBytes),
      .MaxAadBytes (MaxAadBytes)
  ) u_slots (
      .clk               (clk),
      .rst               (rst),
      .in_valid_i        (slot_in_valid),
      .in_ready_o        (slot_in_ready),
      .in_kind_i         (slot_in.kind),
      .in_aes_i          (slot_in.aes),
      .in_final_i        (slot_in.closes),
      .in_j0_i           (slot_in.has_j0),
      .in_context_i      (slot_in.context_id),
      .in_decrypt_i      (slot_in.decrypt),
      .in_status_i       (slot_in.status),
      .in_tag_bytes_i    (slot_in.tag_bytes),
      .in_count_i        (slot_in.count),
      .in_tail_i         (slot_in.tail),
      .in_out_i          (slot_in.gives_out),
      .in_out_last_i     (slot_in.out_last),
      .in_side_i         (slot_in.side),
      .in_data_i         (slot_in.data),
      .out_valid_o       (slot_out_valid),
      .out_ready_i       (InStep ? slot_step : slot_out_ready),
      .step_soon_i       (step_d),
      .out_kind_o        (slot_out.kind),
      .out_aes_o         (slot_out.aes),
      .out_final_o       (slot_out.closes),
      .out_j0_o          (slot_out.has_j0),
      .out_context_o     (slot_out.context_id),
      .out_decrypt_o     (slot_out.decrypt),
      .out_status_o      (slot_out.status),
      .out_tag_bytes_o   (slot_out.tag_bytes),
      .out_count_o       (slot_out.count),
      .out_out_o         (slot_out.gives_out),
      .out_out_last_o    (slot_out.out_last),
      .out_side_o        (slot_out.side),
      .out_keep_o        (slot_out.keep),
      .out_hash_o        (slot_out.hash),
      .out_tag_o         (slot_out.tag),
      .out_hash_count_o  (slot_out.hash_count),
      .out_adds_lengths_o(slot_out.adds_lengths),
      .out_aad_bits_o    (slot_out.aad_bits),
      .out_text_bits_o   (slot_out.text_bits),
      .out_data_o        (slot_out.data),
      .next_out_o        (next_out),
      .next_error_o      (next_error),
      .next_hash_o       (next_hash),
      .next_tag_o        (next_tag),
      .next_aes_o        (next_aes)
  );

  // ---- key stream
  logic stream_valid, stream_ready;
  logic [AesWidth-1:0] stream;

  gcm_aes u_aes (
      .clk          (clk),
      .rst          (rst),
      .in_valid_i   (aes_valid),
      .in_ready_o   (aes_ready),
      .in_context_i (aes_context),
      .in_size_i    (aes_size),
      .in_blocks_i  (aes_blocks),
      .out_valid_o  (stream_valid),
      .out_ready_i  (InStep ? aes_step : stream_ready),
      .out_blocks_o (stream),
      .key_valid_i  (round_valid),
      .key_context_i(load_context),
      .key_size_i   (load_size),
      .key_round_i  (round_index),
      .key_data_i   (round_key)
  );

  // ---- slots and key stream to text, GHASH beats and tag entries
  logic out_valid, out_ready, out_last;
  logic [Width-1:0] out_data;
  logic [Bytes-1:0] out_keep;
  logic hash_valid, hash_ready, hash_text, hash_last;
  logic [HashWidth-1:0] hash_data, hash_poly;
  logic [HashCountWidth-1:0] hash_count;
  logic [ContextWidth-1:0] hash_context;
  logic entry_valid, entry_ready, entry_iv, entry_decrypt, entry_whole;
  logic [2:0] entry_status;
  logic [4:0] entry_bytes;
  logic [127:0] entry_mask, entry_lengths, stream_subkey;

  gcm_join #(
      .Lanes       (Lanes),
      .AadLanes    (AadLanes),
      .Contexts    (Contexts),
      .OwnTail     (OwnTail),
      .OwnJ0       (OwnJ0),
      .InStep      (InStep)
  ) u_join (
      .clk             (clk),
      .step_i          (join_step),
      .slot_valid_i    (slot_out_valid),
      .slot_ready_o    (slot_out_ready),
      .slot_kind_i     (slot_out.kind),
      .slot_aes_i      (slot_out.aes),
      .slot_final_i    (slot_out.closes),
      .slot_j0_i       (slot_out.has_j0),
      .slot_context_i  (slot_out.context_id),
      .slot_decrypt_i  (slot_out.decrypt),
      .slot_status_i   (slot_out.status),
      .slot_tag_bytes_i(slot_out.tag_bytes),
      .slot_count_i    (slot_out.count),
      .slot_out_i      (slot_out.gives_out),
      .slot_out_last_i (slot_out.out_last),
      .slot_side_i     (slot_out.side),
      .slot_keep_i     (slot_out.keep),
      .slot_hash_i      (slot_out.hash),
      .slot_tag_i       (slot_out.tag),
      .slot_hash_count_i(slot_out.hash_count),
      .slot_adds_lengths_i(slot_out.adds_lengths),
      .slot_aad_bits_i (slot_out.aad_bits),
      .slot_text_bits_i(slot_out.text_bits),
      .slot_data_i     (slot_out.data),
      .stream_valid_i  (stream_valid),
      .stream_ready_o  (stream_ready),
      .stream_i        (stream),
      .out_valid_o     (out_valid),
      .out_ready_i     (out_ready),
      .out_data_o      (out_data),
      .out_keep_o      (out_keep),
      .out_last_o      (out_last),
      .hash_valid_o    (hash_valid),
      .hash_ready_i    (hash_ready),
      .hash_data_o     (hash_data),
      .hash_count_o    (hash_count),
      .hash_text_o     (hash_text),
      .hash_last_o     (hash_last),
      .hash_context_o  (hash_context),
      .tag_valid_o     (entry_valid),
      .tag_ready_i     (entry_ready),
      .tag_iv_o        (entry_iv),
      .tag_decrypt_o   (entry_decrypt),
      .tag_status_o    (entry_status),
      .tag_bytes_o     (entry_bytes),
      .tag_mask_o      (entry_mask),
      .tag_whole_o     (entry_whole),
      .tag_lengths_o   (entry_lengths),
      .subkey_valid_o  (stream_subkey_valid),
      .subkey_o        (stream_subkey)
  );

  gcm_subkey u_subkey (
      .clk           (clk),
      .rst           (rst),
      .round_valid_i (schedule_valid),
      .round_index_i (schedule_index),
      .round_key_i   (schedule_key),
      .size_i        (load_size),
      .hold_o        (schedule_hold),
      .want_i        (subkey_asked),
      .taken_o       (subkey_given),
      .done_o        (subkey_done),
      .slot_want_o   (subkey_want),
      .slot_taken_i  (subkey_taken),
      .stream_valid_i(stream_subkey_valid),
      .stream_i      (stream_subkey),
      .subkey_valid_o(subkey_valid),
      .subkey_first_o(subkey_first),
      .subkey_o      (subkey_poly),
      .powers_done_i (powers_done)
  );

  // ---- text held back until its packet's verdict, where so configured
  logic release_valid, release_ready, packet_ok;
  logic [Width+Bytes:0] release_beat;

  if (ReleaseDepth > 0) begin : gen_release
    gcm_release #(
        .Width  (Width + Bytes + 1),
        .Depth  (ReleaseDepth),
        .Pending(TagDepth)
    ) u_release (
        .clk            (clk),
        .rst            (rst),
        .in_valid_i     (out_valid),
        .in_ready_o     (out_ready),
        .in_soon_o      (out_soon),
        .in_beat_i      ({out_last, out_keep, out_data}),
        .in_error_i     (entry_status != gcm_pkg::STATUS_OK),
        .end_i          (entry_valid && entry_ready && !entry_iv),
        .verdict_valid_i(packet_done),
        .verdict_ok_i   (packet_ok),
        .out_valid_o    (release_valid),
        .out_ready_i    (release_ready),
        .out_beat_o     (release_beat)
    );
  end else begin : gen_stream
    logic unused;
    assign unused        = &{1'b0, packet_ok};
    assign out_soon      = m_axis_tready || !m_axis_tvalid || (release_ready && !release_valid);
    assign release_valid = out_valid;
    assign out_ready     = release_ready;
    assign release_beat  = {out_last, out_keep, out_data};
  end

  axis_skid #(
      .Width(Width + Bytes + 1)
  ) u_output (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (release_valid),
      .in_ready_o (release_ready),
      .in_data_i  (release_beat),
      .out_valid_o(m_axis_tvalid),
      .out_ready_i(m_axis_tready),
      .out_data_o ({m_axis_tlast, m_axis_tkeep, data_out})
  );

  // ---- GHASH, in polynomial order: block bit 127 - i is the coefficient of x^i
  logic sum_valid, digest_valid;
  logic [127:0] sum_poly, digest, digest_poly;

  for (genvar i = 0; i < 128; i++) begin : gen_reflect
    assign digest[i]      = digest_poly[127-i];
    for (genvar l = 0; l < HashLanes; l++) begin : gen_lane
      assign hash_poly[128*l+i] = hash_data[128*l+127-i];
    end
  end

  gcm_ghash u_ghash (
      .clk             (clk),
      .rst             (rst),
      .in_valid_i      (hash_valid),
      .in_ready_o      (hash_ready),
      .in_soon_o       (hash_soon),
      .in_data_i       (hash_poly),
      .in_count_i      (hash_count),
      .in_text_i       (hash_text),
      .in_last_i       (hash_last),
      .in_context_i    (hash_context),
      .digest_valid_o  (sum_valid),
      .digest_o        (sum_poly),
      .subkey_valid_i  (subkey_valid),
      .subkey_first_i  (subkey_first),
      .subkey_context_i(load_context),
      .subkey_i        (subkey_poly),
      .subkey_done_o   (powers_done),
      .subkey_wrong_o  (subkey_wrong)
  );

  gcm_tail u_tail (
      .clk             (clk),
      .rst             (rst),
      .entry_valid_i   (entry_valid && entry_ready),
      .entry_whole_i   (entry_whole),
      .entry_context_i (hash_context),
      .entry_lengths_i (entry_lengths),
      .digest_valid_i  (sum_valid),
      .digest_i        (sum_poly),
      .digest_valid_o  (digest_valid),
      .digest_o        (digest_poly),
      .subkey_valid_i  (subkey_first),
      .subkey_context_i(load_context),
      .subkey_i        (subkey_poly)
  );

  gcm_tag #(
      .Depth(TagDepth),
      .AnyIv(AnyIv)
  ) u_tag (
      .clk            (clk),
      .rst            (rst),
      .entry_valid_i  (entry_valid),
      .entry_ready_o  (entry_ready),
      .entry_soon_o   (entry_soon),
      .entry_iv_i     (entry_iv),
      .entry_decrypt_i(entry_decrypt),
      .entry_status_i (entry_status),
      .entry_bytes_i  (entry_bytes),
      .entry_mask_i   (entry_mask),
      .digest_valid_i (digest_valid),
      .digest_i       (digest),
      .j0_valid_o     (j0_valid),
      .j0_o           (j0),
      .packet_done_o  (packet_done),
      .packet_ok_o    (packet_ok),
      .tag_valid_o    (m_tag_tvalid),
      .tag_ready_i    (m_tag_tready),
      .tag_o          (tag),
      .tag_ok_o       (m_tag_ok),
      .tag_status_o   (m_tag_status)
  );

  // synthesis translate_off
  // ---- rules in simulation, see stream_rules. Streams from gcm_issue and gcm_join have none: several
  // takers take together there, and an offer to one is taken back while another cannot take. Digests
  // have no ready. Those of the ports are with the top.
  stream_rules #(
      .Width($bits(counted_t))
  ) u_slot_rules (
      .clk    (clk),
      .rst    (rst),
      .valid_i(slot_out_valid),
      .ready_i(slot_out_ready),
      .data_i (slot_out)
  );

  logic [AesLatency-1:0] inside_q;  // with InStep: where the AES has blocks
  always_ff @(posedge clk)
    if (rst) inside_q <= '0;
    else if (aes_step) inside_q <= {inside_q[AesLatency-2:0], aes_valid};

  stream_rules #(
      .Width(AesWidth)
  ) u_key_stream_rules (
      .clk    (clk),
      .rst    (rst),
      .valid_i(InStep ? inside_q[AesLatency-1] : stream_valid),
      .ready_i(InStep ? aes_step : stream_ready),
      .data_i (stream)
  );

  always_ff @(posedge clk) begin
    if (!rst && InStep && join_step && slot_out_valid) begin
      text_is_taken   : assert (out_ready || !slot_out.gives_out);
      hash_is_taken   : assert (hash_ready || !slot_out.hash);
      tag_is_taken    : assert (entry_ready || !slot_out.tag);
      stream_is_there : assert (Ahead ? inside_q[AesLatency-1] || !slot_out.aes
          : inside_q[AesLatency-1] == slot_out.aes);
    end
    if (!rst && m_axis_tvalid) begin
      keep_without_gap : assert ((m_axis_tkeep & (m_axis_tkeep + Bytes'(1))) == '0);
      for (int b = 0; b < Bytes; b++)
        absent_bytes_zero : assert (m_axis_tkeep[b] || m_axis_tdata[8*b+:8] == '0);
    end
    if (!rst && m_tag_tvalid) begin
      ok_is_status_0 : assert (m_tag_ok == (m_tag_status == '0));
      no_tag_on_error : assert (m_tag_ok || m_tag_tag == '0);
    end
  end
  // synthesis translate_on
endmodule

// SPDX-License-Identifier: Apache-2.0
// A core of which the module around it knows nothing: what it gives can be anything. What that
// module requires of it is watched.
module gcm_axis_core (
    input  logic                               aclk,
    input  logic                               aresetn,
    // keys
    input  logic                               s_key_tvalid,
    output logic                               s_key_tready,
    input  logic [                      255:0] s_key_tdata,
    input  logic [                        1:0] s_key_size,
    input  logic [ gcm_pkg::CONTEXT_WIDTH-1:0] s_key_context,
    // commands
    input  logic                               s_cmd_tvalid,
    output logic                               s_cmd_tready,
    input  logic [ gcm_pkg::CONTEXT_WIDTH-1:0] s_cmd_context,
    input  logic                               s_cmd_decrypt,
    input  logic [                      127:0] s_cmd_tag,
    input  logic [                        4:0] s_cmd_tag_bytes,
    input  logic [                       15:0] s_cmd_iv_bytes,
    input  logic [                      127:0] s_cmd_iv,
    input  logic                               s_cmd_void,  // refuse it
    input  logic [                       31:0] s_cmd_text_beats,  // with slots=ahead
    // AAD and text in
    input  logic                               s_axis_tvalid,
    output logic                               s_axis_tready,
    input  logic [         gcm_pkg::WIDTH-1:0] s_axis_tdata,
    input  logic [         gcm_pkg::BYTES-1:0] s_axis_tkeep,
    input  logic                               s_axis_tuser,
    input  logic                               s_axis_tlast,
    input  logic [gcm_pkg::SIDE_LANES*128-1:0] s_axis_aad,  // with the first beat
    input  logic [ gcm_pkg::SIDE_LANES*16-1:0] s_axis_aad_keep,
    // text out
    output logic                               m_axis_tvalid,
    input  logic                               m_axis_tready,
    output logic [         gcm_pkg::WIDTH-1:0] m_axis_tdata,
    output logic [         gcm_pkg::BYTES-1:0] m_axis_tkeep,
    output logic                               m_axis_tlast,
    // tags and verdicts
    output logic                               m_tag_tvalid,
    input  logic                               m_tag_tready,
    output logic [                      127:0] m_tag_tag,
    output logic                               m_tag_ok,
    output logic [                        2:0] m_tag_status
);
  (* anyseq *) logic any_s_key_tready;
  (* anyseq *) logic any_s_cmd_tready;
  (* anyseq *) logic any_s_axis_tready;
  (* anyseq *) logic any_m_axis_tvalid;
  (* anyseq *) logic [         gcm_pkg::WIDTH-1:0] any_m_axis_tdata;
  (* anyseq *) logic [         gcm_pkg::BYTES-1:0] any_m_axis_tkeep;
  (* anyseq *) logic any_m_axis_tlast;
  (* anyseq *) logic any_m_tag_tvalid;
  (* anyseq *) logic [                      127:0] any_m_tag_tag;
  (* anyseq *) logic any_m_tag_ok;
  (* anyseq *) logic [                        2:0] any_m_tag_status;
  assign s_key_tready = any_s_key_tready;
  assign s_cmd_tready = any_s_cmd_tready;
  assign s_axis_tready = any_s_axis_tready;
  assign m_axis_tvalid = any_m_axis_tvalid;
  assign m_axis_tdata = any_m_axis_tdata;
  assign m_axis_tkeep = any_m_axis_tkeep;
  assign m_axis_tlast = any_m_axis_tlast;
  assign m_tag_tvalid = any_m_tag_tvalid;
  assign m_tag_tag = any_m_tag_tag;
  assign m_tag_ok = any_m_tag_ok;
  assign m_tag_status = any_m_tag_status;
endmodule

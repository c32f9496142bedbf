// SPDX-License-Identifier: Apache-2.0
// Commands on their way into a core that only encrypts. There is no expected tag. A command to
// decrypt gets a length of its tag that no core takes, so the core refuses it from its first cycle
// on; gcm_slot_encrypts tells it from a command whose tag length is wrong.
// Latency: combinational. Throughput: one command beat a cycle.
module gcm_command_encrypts (
    input  logic         decrypt_i,
    input  logic [127:0] tag_i,
    input  logic [  4:0] tag_bytes_i,
    output logic [127:0] tag_o,
    output logic [  4:0] tag_bytes_o
);
  assign tag_o       = '0;
  assign tag_bytes_o = decrypt_i ? gcm_pkg::OTHER_TAG_BYTES
      : tag_bytes_i == gcm_pkg::OTHER_TAG_BYTES ? '0 : tag_bytes_i;

  logic unused;
  assign unused = &{1'b0, tag_i};
endmodule

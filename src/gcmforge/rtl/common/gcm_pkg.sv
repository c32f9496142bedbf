// SPDX-License-Identifier: Apache-2.0
// Constants that more than one module needs, and the bit order of everything inside the core.
//
// A block is the 128-bit string of SP 800-38D, first bit on top:
//
//     bit    127 ............ 120 | 119 ............ 112 | ... | 7 .............. 0
//     byte          0             |          1           | ... |        15
//     hex test vector "66e94bd4ef8a2c3b884cfa59ca342b2e": byte 0 is 66, bit 127 is its leading 0
//     polynomial    x^0 ..... x^7 |  x^8 ......... x^15  | ... | x^120 ..... x^127
//
// A beat of q lanes is q blocks, the first on top: lane l is beat[(q-1-l)*128 +: 128].
// Two places change this order, and no other does:
//   - AXI4-Stream ports carry byte 0 in tdata[7:0]           (gcm_axis_core, at the ports);
//   - GHASH leaves keep the coefficient of x^i in bit i       (gcm_axis_core, around the GHASH).
package gcm_pkg;
  // What a slot, one step of the in-order stream from issue to join, stands for.
  localparam logic [1:0] SLOT_KEY = 2'd0;   // E(K, 0^128), the hash subkey of a context
  localparam logic [1:0] SLOT_IV = 2'd1;    // one block of GHASH over an IV that is not 96 bits
  localparam logic [1:0] SLOT_AAD = 2'd2;   // one beat of additional authenticated data
  localparam logic [1:0] SLOT_TEXT = 2'd3;  // one beat of text, or the closing slot alone

  // m_tag_status: the first thing that went wrong in a packet.
  localparam logic [2:0] STATUS_OK = 3'd0;
  localparam logic [2:0] STATUS_AUTH_FAIL = 3'd1;       // decrypting: the tag does not match
  localparam logic [2:0] STATUS_NO_KEY = 3'd2;          // the context holds no usable key
  localparam logic [2:0] STATUS_BAD_IV = 3'd3;          // IV length 0, or not built into this core
  localparam logic [2:0] STATUS_BAD_TAG_LENGTH = 3'd4;  // not 4, 8 or 12 to 16 bytes
  localparam logic [2:0] STATUS_TOO_LONG = 3'd5;        // a section above its limit
  localparam logic [2:0] STATUS_BAD_FRAME = 3'd6;       // sections out of order, tkeep with holes
  // 7, given up when the core was erased, is gcm_axis_guard's.

  // Key sizes, as on s_key_size; an AES key of this size takes 10 + 2 * size rounds.
  localparam logic [1:0] KEY_128 = 2'd0;
  localparam logic [1:0] KEY_192 = 2'd1;
  localparam logic [1:0] KEY_256 = 2'd2;
endpackage

// SPDX-License-Identifier: Apache-2.0
//
// A PFC frame on the wire, and its FCS. The FCS is linear: the FCS of a frame is the FCS of one
// whose fields are 0, and an XOR of what each bit of the fields contributes.
//
// Units:   bit n of octet m of the frame is bit 8*m + n, as it lies in a beat.
// Golden:  systemc/include/weir/core/pfc/pfc_frame.hpp.
// Source:  802.3 Annex 31D, 3.2.9; 802.1Qbb.
package pfc_frame_pkg;

  localparam logic [47:0] Address    = 48'h01_00_00_c2_80_01;  // 01-80-C2-00-00-01
  localparam logic [15:0] MacControl = 16'h08_88;              // type 0x8808
  localparam logic [15:0] Opcode     = 16'h01_01;              // 0x0101

  // Where the parts lie, in octets.
  localparam int SourceAt = 6;
  localparam int TypeAt   = 12;  // and the opcode
  localparam int EnableAt = 17;  // lower octet of the class-enable vector
  localparam int TimesAt  = 18;  // of class 0, two octets each, the upper one first
  localparam int FcsAt    = 60;  // all between times and FCS is 0
  localparam int Octets   = 64;

  // From the source address to the times.
  localparam int FieldW  = 8 * (TimesAt + 16 - SourceAt);
  localparam int SourceW = 48;

  localparam logic [31:0] Polynomial = 32'hedb8_8320;  // first bit on the wire is lowest

  // Part j, bit n: bit n of the fields counts for bit j of the FCS. So each is one XOR tree.
  function automatic logic [32*FieldW-1:0] fcs_columns(input logic [31:0] polynomial);
    logic [31:0] row;
    fcs_columns = '0;
    row = polynomial;
    for (int n = 8*FcsAt - 1; n >= 8*SourceAt; n--) begin
      if (n < 8*SourceAt + FieldW) begin
        for (int j = 0; j < 32; j++) fcs_columns[j*FieldW + n - 8*SourceAt] = row[j];
      end
      row = (row >> 1) ^ (row[0] ? polynomial : 32'b0);
    end
  endfunction

  // The FCS of a frame whose source, vector and times are 0.
  function automatic logic [31:0] fcs_of_constants(input logic [31:0] polynomial);
    logic [8*Octets-1:0] frame;
    frame = '0;
    frame[47:0] = Address;
    frame[8*TypeAt +: 32] = {Opcode, MacControl};
    fcs_of_constants = '1;
    for (int n = 0; n < 8*FcsAt; n++) begin
      fcs_of_constants = (fcs_of_constants >> 1) ^
                         ((fcs_of_constants[0] ^ frame[n]) ? polynomial : 32'b0);
    end
    fcs_of_constants = ~fcs_of_constants;
  endfunction

endpackage

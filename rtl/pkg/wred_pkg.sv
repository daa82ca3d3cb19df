// SPDX-License-Identifier: Apache-2.0
//
// Names that the blocks of marking and early drop share: widths, and where each setting is in the
// word of a WRED profile. Constants only.
//
// Units:   cells; P, the draw and the slope count 2^-16, the slope with 25 more bits of fraction.
// Golden:  systemc/include/weir/core/congestion/ecn_marker.hpp.
package wred_pkg;

  localparam int LimitW    = 25;                 // of weir_pkg; Yosys has no package of a package
  localparam int FractionW = 25;
  localparam int ChanceW   = 17;                 // P: 0 to 2^16
  localparam int SlopeW    = FractionW + ChanceW;
  localparam int DrawW     = 16;                 // 0 to 2^16 - 1
  localparam int StateW    = 32;                 // of the register of draws

  // Word of a profile.
  localparam int ProfileMin       = 0;
  localparam int ProfileMax       = ProfileMin + LimitW;
  localparam int ProfileSlope     = ProfileMax + LimitW;
  localparam int ProfileMark      = ProfileSlope + SlopeW;  // marks ECT packets
  localparam int ProfileDrop      = ProfileMark + 1;        // drops others, as they come
  localparam int ProfileAtEnqueue = ProfileDrop + 1;        // marks as they come, not as they leave
  localparam int ProfileBits      = ProfileAtEnqueue + 1;

  // What is read of a queue: the offset in its block of the register map, in double words.
  localparam int FieldW = 2;
  localparam logic [1:0] FieldMarkedPackets = 2'd0;
  localparam logic [1:0] FieldMarkedBytes   = 2'd1;
  localparam logic [1:0] FieldDropped       = 2'd2;
  localparam logic [1:0] FieldWaiting       = 2'd3;

endpackage

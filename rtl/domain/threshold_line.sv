// SPDX-License-Identifier: Apache-2.0
//
// Resolves a threshold setting into its line: T = floor(n/2^m * free) + constant.
//
// Units:   cells.
// Latency: none.
// Golden:  systemc/src/core/policies/policy_table.cpp, compared by tb/lockstep.
// Source:  docs/design/contract.md, 2.
module threshold_line (
  input  logic [weir_pkg::LineBits-1:0] line_i,     // fields Line* of weir_pkg
  input  logic [weir_pkg::LimitW-1:0]   pool_i,     // B
  output logic [weir_pkg::AlphaNW-1:0]  slope_n_o,  // 0 unless dynamic
  output logic [weir_pkg::AlphaMW-1:0]  slope_m_o,
  output logic [weir_pkg::LimitW-1:0]   constant_o
);

  logic [weir_pkg::PolicyW-1:0] policy;
  logic [weir_pkg::LimitW-1:0]  static_limit, partition;
  logic                         dynamic;
  assign policy       = line_i[weir_pkg::LinePolicy +: weir_pkg::PolicyW];
  assign static_limit = line_i[weir_pkg::LineStatic +: weir_pkg::LimitW];
  assign partition    = line_i[weir_pkg::LinePartition +: weir_pkg::LimitW];
  assign dynamic      = policy == weir_pkg::PolicyDynamic;

  assign slope_n_o  = dynamic ? line_i[weir_pkg::LineAlphaN +: weir_pkg::AlphaNW] : '0;
  assign slope_m_o  = dynamic ? line_i[weir_pkg::LineAlphaM +: weir_pkg::AlphaMW] : '0;
  assign constant_o = dynamic                                  ? '0           :
                      policy == weir_pkg::PolicyStatic         ? static_limit :
                      policy == weir_pkg::PolicySharing        ? pool_i       :
                                                                 partition;

endmodule

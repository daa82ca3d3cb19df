// SPDX-License-Identifier: Apache-2.0
//
// Settings of one step at an egress queue, ready for use: those of its profile and of the egress
// pool that this names. Profile 0 is none: the queue has no limit.
//
// Units:   cells.
// Latency: 0.
// Golden:  none of its own; part of weir_domain, compared every cycle by tb/lockstep.
// Source:  docs/design/contract.md, 2.
module queue_settings #(
  parameter int QueueProfiles = 2,  // 1 .. MaxProfiles
  parameter int EgressPools   = 1,  // 1 .. MaxPools
  parameter int MapW          = 3,  // 1 .. 8, of a number of a profile
  parameter int EgressW = (EgressPools > 1) ? $clog2(EgressPools) : 1  // derived: do not override
) (
  input  logic [MapW-1:0]                                     number_i,  // 0 none, k + 1: profile k
  input  logic [QueueProfiles*weir_pkg::QueueProfileBits-1:0] profiles_i,
  input  logic [EgressPools*weir_pkg::LimitW-1:0]             pool_shared_i,
  output logic                                                limited_o,
  output logic [EgressW-1:0]                                  pool_o,
  output logic [weir_pkg::LimitW-1:0]                         minimum_o,
  output logic [weir_pkg::AlphaNW-1:0]                        slope_n_o,
  output logic [weir_pkg::AlphaMW-1:0]                        slope_m_o,
  output logic [weir_pkg::LimitW-1:0]                         constant_o
);

  localparam int LimitW    = weir_pkg::LimitW;
  localparam int QueueBits = weir_pkg::QueueProfileBits;

  logic [QueueBits-1:0] word;
  logic [LimitW-1:0]    shared;
  always_comb begin
    word = '0;
    for (int p = 0; p < QueueProfiles; p++) begin
      if (number_i == MapW'(p + 1)) word = profiles_i[p*QueueBits +: QueueBits];
    end
  end
  assign limited_o = number_i != '0;
  assign pool_o    = word[weir_pkg::QueuePool +: EgressW];
  assign minimum_o = word[weir_pkg::QueueMinimum +: LimitW];
  always_comb begin
    shared = '0;
    for (int p = 0; p < EgressPools; p++) begin
      if (pool_o == EgressW'(p)) shared = pool_shared_i[p*LimitW +: LimitW];
    end
  end
  threshold_line u_line (
    .line_i(word[weir_pkg::QueueLine +: weir_pkg::LineBits]), .pool_i(shared),
    .slope_n_o, .slope_m_o, .constant_o
  );
  if (EgressW < weir_pkg::PoolIndexW) begin : gen_few_pools
    logic unused_pool;
    assign unused_pool = ^word[weir_pkg::QueuePool + EgressW +: weir_pkg::PoolIndexW - EgressW];
  end

  initial begin
    if (QueueProfiles < 1 || QueueProfiles > weir_pkg::MaxProfiles)
      $fatal(1, "QueueProfiles = %0d: must be 1 to %0d", QueueProfiles, weir_pkg::MaxProfiles);
    if (EgressPools < 1 || EgressPools > weir_pkg::MaxPools)
      $fatal(1, "EgressPools = %0d: must be 1 to %0d", EgressPools, weir_pkg::MaxPools);
    if (MapW < 1 || MapW > 8) $fatal(1, "MapW = %0d: must be 1 to 8", MapW);
  end

endmodule

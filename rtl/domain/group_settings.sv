// SPDX-License-Identifier: Apache-2.0
//
// Settings of one step at a priority group (PG), ready for use: those of its profile and of the
// pool that this names, in the cycles in which the step needs them. Profile 0 is none: all zero.
//
// Units:   cells.
// Latency: 0 to *_o, 1 cycle to *2_o, 2 cycles to *3_o.
// Golden:  none of its own; part of weir_domain, compared every cycle by tb/lockstep.
// Source:  docs/design/contract.md, 2.
module group_settings #(
  parameter int Profiles = 4,  // 1 .. MaxProfiles
  parameter int Pools    = 1,  // 1 .. MaxPools
  parameter int MapW     = 3,                                // 1 .. 8, of a number of a profile
  parameter int PoolW    = (Pools > 1) ? $clog2(Pools) : 1   // derived: do not override
) (
  input  logic                                      clk_i,
  input  logic                                      rst_ni,  // asynchronous, active low
  input  logic [MapW-1:0]                           number_i,         // 0 none, k + 1: profile k
  input  logic [Profiles*weir_pkg::ProfileBits-1:0] profiles_i,
  input  logic [Pools*weir_pkg::LimitW-1:0]         pool_shared_i,
  input  logic [Pools*weir_pkg::LimitW-1:0]         pool_headroom_i,
  input  logic [Pools-1:0]                          pool_dedicated_i,
  output logic [PoolW-1:0]                          pool_o,
  output logic [weir_pkg::LimitW-1:0]               private_o,
  output logic                                      dedicated_o,
  output logic [weir_pkg::LimitW-1:0]               headroom_pool_o,
  output logic [weir_pkg::LimitW-1:0]               headroom_limit_o,  // 0 where lossy
  output logic [weir_pkg::AlphaNW-1:0]              slope_n2_o,
  output logic [weir_pkg::AlphaMW-1:0]              slope_m2_o,
  output logic [weir_pkg::LimitW-1:0]               constant2_o,
  output logic                                      lossless2_o,
  output logic [PoolW-1:0]                          pool2_o,
  output logic [weir_pkg::AlphaMW-1:0]              slope_m3_o,
  output logic [weir_pkg::LimitW-1:0]               constant3_o,
  output logic [weir_pkg::LimitW-1:0]               private3_o,
  output logic [weir_pkg::LimitW-1:0]               xon3_o,
  output logic [weir_pkg::LimitW-1:0]               xon_offset3_o,
  output logic                                      lossless3_o,
  output logic                                      trigger3_o,
  output logic                                      rule3_o,
  output logic [PoolW-1:0]                          pool3_o
);

  localparam int LimitW      = weir_pkg::LimitW;
  localparam int ProfileBits = weir_pkg::ProfileBits;

  logic [ProfileBits-1:0]       word;
  logic [LimitW-1:0]            shared, constant;
  logic [weir_pkg::AlphaNW-1:0] slope_n;
  logic [weir_pkg::AlphaMW-1:0] slope_m;
  logic [PoolW-1:0]             pool;
  logic                         lossless;
  always_comb begin
    word = '0;
    for (int p = 0; p < Profiles; p++) begin
      if (number_i == MapW'(p + 1)) word = profiles_i[p*ProfileBits +: ProfileBits];
    end
  end
  assign pool     = word[weir_pkg::ProfilePool +: PoolW];
  assign lossless = word[weir_pkg::ProfileLossless];
  always_comb begin
    shared          = '0;
    headroom_pool_o = '0;
    dedicated_o     = 1'b0;
    for (int p = 0; p < Pools; p++) begin
      if (pool == PoolW'(p)) begin
        shared          = pool_shared_i[p*LimitW +: LimitW];
        headroom_pool_o = pool_headroom_i[p*LimitW +: LimitW];
        dedicated_o     = pool_dedicated_i[p];
      end
    end
  end
  threshold_line u_line (
    .line_i(word[weir_pkg::ProfileLine +: weir_pkg::LineBits]), .pool_i(shared),
    .slope_n_o(slope_n), .slope_m_o(slope_m), .constant_o(constant)
  );
  assign pool_o           = pool;
  assign private_o        = word[weir_pkg::ProfilePrivate +: LimitW];
  assign headroom_limit_o = lossless ? word[weir_pkg::ProfileHeadroom +: LimitW] : {LimitW{1'b0}};
  if (PoolW < weir_pkg::PoolIndexW) begin : gen_few_pools
    logic unused_pool;
    assign unused_pool = ^word[weir_pkg::ProfilePool + PoolW +: weir_pkg::PoolIndexW - PoolW];
  end

  // They go along with the step.
  logic [weir_pkg::AlphaNW-1:0] slope_n2_q;
  logic [weir_pkg::AlphaMW-1:0] slope_m2_q, slope_m3_q;
  logic [LimitW-1:0]            constant2_q, constant3_q, private2_q, private3_q;
  logic [LimitW-1:0]            xon2_q, xon3_q, xon_offset2_q, xon_offset3_q;
  logic [2:0]                   rules2_q, rules3_q;  // {XON rule, XOFF trigger, lossless}
  logic [PoolW-1:0]             pool2_q, pool3_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      slope_n2_q    <= '0;
      slope_m2_q    <= '0;
      slope_m3_q    <= '0;
      constant2_q   <= '0;
      constant3_q   <= '0;
      private2_q    <= '0;
      private3_q    <= '0;
      xon2_q        <= '0;
      xon3_q        <= '0;
      xon_offset2_q <= '0;
      xon_offset3_q <= '0;
      rules2_q      <= '0;
      rules3_q      <= '0;
      pool2_q       <= '0;
      pool3_q       <= '0;
    end else begin
      slope_n2_q    <= slope_n;
      slope_m2_q    <= slope_m;
      slope_m3_q    <= slope_m2_q;
      constant2_q   <= constant;
      constant3_q   <= constant2_q;
      private2_q    <= private_o;
      private3_q    <= private2_q;
      xon2_q        <= word[weir_pkg::ProfileXon +: LimitW];
      xon3_q        <= xon2_q;
      xon_offset2_q <= word[weir_pkg::ProfileXonOffset +: LimitW];
      xon_offset3_q <= xon_offset2_q;
      rules2_q      <= {word[weir_pkg::ProfileRule], word[weir_pkg::ProfileTrigger], lossless};
      rules3_q      <= rules2_q;
      pool2_q       <= pool;
      pool3_q       <= pool2_q;
    end
  end
  assign slope_n2_o    = slope_n2_q;
  assign slope_m2_o    = slope_m2_q;
  assign constant2_o   = constant2_q;
  assign lossless2_o   = rules2_q[0];
  assign pool2_o       = pool2_q;
  assign slope_m3_o    = slope_m3_q;
  assign constant3_o   = constant3_q;
  assign private3_o    = private3_q;
  assign xon3_o        = xon3_q;
  assign xon_offset3_o = xon_offset3_q;
  assign pool3_o       = pool3_q;
  assign {rule3_o, trigger3_o, lossless3_o} = rules3_q;

  initial begin
    if (Profiles < 1 || Profiles > weir_pkg::MaxProfiles)
      $fatal(1, "Profiles = %0d: must be 1 to %0d", Profiles, weir_pkg::MaxProfiles);
    if (Pools < 1 || Pools > weir_pkg::MaxPools)
      $fatal(1, "Pools = %0d: must be 1 to %0d", Pools, weir_pkg::MaxPools);
    if (MapW < 1 || MapW > 8) $fatal(1, "MapW = %0d: must be 1 to 8", MapW);
  end

endmodule

// SPDX-License-Identifier: Apache-2.0
//
// What the waivers of coverage_waivers.txt say cannot happen, asserted in every cycle of the
// coverage runs (scripts/lockstep --coverage). Bound to the blocks: the RTL knows nothing of it.

// One file for all blocks; each looks at a part of its pins.
// verilator lint_off DECLFILENAME
// verilator lint_off UNUSEDSIGNAL

// Settings: what csr refuses, no domain is given.
module weir_domain_unreachable #(
  parameter int Profiles      = 4,
  parameter int QueueProfiles = 2,
  parameter int Pools         = 1,
  parameter int EgressPools   = 1,
  parameter int CellW         = 17,
  parameter int Lanes         = 1,
  parameter int LenW          = 8
) (
  input logic                                                clk_i,
  input logic                                                rst_ni,
  input logic [Lanes-1:0]                                    arr_valid_i,
  input logic [Lanes*LenW-1:0]                               arr_cells_i,
  input logic                                                rd_valid_i,
  input logic [weir_pkg::SelectW-1:0]                        rd_select_i,
  input logic [Profiles*weir_pkg::ProfileBits-1:0]           cfg_profile_i,
  input logic [Pools*weir_pkg::PoolBits-1:0]                 cfg_pool_i,
  input logic [QueueProfiles*weir_pkg::QueueProfileBits-1:0] cfg_queue_profile_i,
  input logic [EgressPools*weir_pkg::EgressPoolBits-1:0]     cfg_egress_pool_i
);
  localparam int LimitW = weir_pkg::LimitW;
  localparam int IndexW = weir_pkg::PoolIndexW;

  logic [Profiles*2-1:0]      profile_fits;
  logic [QueueProfiles-1:0]   queue_fits;
  logic [Pools*2-1:0]         pool_fits;
  logic [EgressPools-1:0]     egress_fits;
  logic [Profiles-1:0]        pool_exists;
  logic [QueueProfiles-1:0]   egress_exists;
  for (genvar n = 0; n < Profiles; n++) begin : gen_profile
    localparam int At = n * weir_pkg::ProfileBits;
    assign profile_fits[2*n] =
        cfg_profile_i[At + weir_pkg::ProfilePrivate +: LimitW] >> CellW == '0;
    assign profile_fits[2*n + 1] =
        cfg_profile_i[At + weir_pkg::ProfileHeadroom +: LimitW] >> CellW == '0;
    assign pool_exists[n] =
        32'(cfg_profile_i[At + weir_pkg::ProfilePool +: IndexW]) < 32'(Pools);
  end
  for (genvar n = 0; n < QueueProfiles; n++) begin : gen_queue_profile
    localparam int At = n * weir_pkg::QueueProfileBits;
    assign queue_fits[n] =
        cfg_queue_profile_i[At + weir_pkg::QueueMinimum +: LimitW] >> CellW == '0;
    assign egress_exists[n] =
        32'(cfg_queue_profile_i[At + weir_pkg::QueuePool +: IndexW]) < 32'(EgressPools);
  end
  for (genvar n = 0; n < Pools; n++) begin : gen_pool
    localparam int At = n * weir_pkg::PoolBits;
    assign pool_fits[2*n]     = cfg_pool_i[At + weir_pkg::PoolShared +: LimitW] >> CellW == '0;
    assign pool_fits[2*n + 1] = cfg_pool_i[At + weir_pkg::PoolHeadroom +: LimitW] >> CellW == '0;
  end
  for (genvar n = 0; n < EgressPools; n++) begin : gen_egress_pool
    assign egress_fits[n] = cfg_egress_pool_i[n*weir_pkg::EgressPoolBits + weir_pkg::EgressShared
                                              +: LimitW] >> CellW == '0;
  end

  logic [Lanes-1:0] has_cells;
  for (genvar k = 0; k < Lanes; k++) begin : gen_lane
    assign has_cells[k] = !arr_valid_i[k] || arr_cells_i[k*LenW +: LenW] != '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else begin
      packets_have_cells: assert (&has_cells) else $error("a packet of no cell");
      queues_have_three_fields: assert (!rd_valid_i || rd_select_i[7:5] != weir_pkg::TableQueue ||
                                        rd_select_i[4:0] < 5'd3)
        else $error("a field that no queue has is read");
      limits_fit: assert (&{profile_fits, queue_fits, pool_fits, egress_fits})
        else $error("a limit of a segment or pool of 2^%0d cells or more", CellW);
      pools_exist: assert (&{pool_exists, egress_exists})
        else $error("a profile of a pool that is not there");
    end
  end
endmodule
bind weir_domain weir_domain_unreachable #(
  .Profiles(Profiles), .QueueProfiles(QueueProfiles), .Pools(Pools), .EgressPools(EgressPools),
  .CellW(CellW), .Lanes(Lanes), .LenW(LenW)
) u_unreachable (
  .clk_i(clk_i), .rst_ni(rst_ni), .arr_valid_i(arr_valid_i), .arr_cells_i(arr_cells_i),
  .rd_valid_i(rd_valid_i), .rd_select_i(rd_select_i), .cfg_profile_i(cfg_profile_i), .cfg_pool_i(cfg_pool_i),
  .cfg_queue_profile_i(cfg_queue_profile_i), .cfg_egress_pool_i(cfg_egress_pool_i)
);

// Counters: a simulated round is short.
module counter_memory_unreachable #(
  parameter int Fields  = 3,
  parameter int AmountW = 14
) (
  input logic                      clk_i,
  input logic                      rst_ni,
  input logic                      valid_i,
  input logic [Fields*AmountW-1:0] amount_i
);
  localparam int Most = 17;  // a round has fewer updates than 2^Most

  logic [Most:0] updates_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      updates_q <= '0;
    end else begin
      updates_q <= updates_q + (Most+1)'(valid_i);
      rounds_are_short: assert (!updates_q[Most]) else $error("a round of 2^%0d updates", Most);
    end
  end

  // Only the second counter of a row, the bytes, gains more than 1 with an update.
  logic [Fields-1:0] more;
  for (genvar f = 0; f < Fields; f++) begin : gen_field
    assign more[f] = f != 1 && amount_i[f*AmountW +: AmountW] >> 1 != '0;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else if (valid_i && Fields > 2) begin  // those of PGs and queues
      others_count_one: assert (more == '0) else $error("a counter of packets gains more than 1");
    end
  end
endmodule
bind counter_memory counter_memory_unreachable #(.Fields(Fields), .AmountW(AmountW)) u_unreachable (
  .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(valid_i), .amount_i(amount_i)
);

// Frames: a simulated round is short.
module pfc_receiver_unreachable #(
  parameter int Ports = 1
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic [Ports-1:0] s_axis_rx_tvalid_i,
  input logic [Ports-1:0] s_axis_rx_tlast_i
);
  localparam int Most = 17;  // a round has fewer frames than 2^Most

  logic [Most:0] cycles_q;  // in which a frame ends
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cycles_q <= '0;
    end else begin
      cycles_q <= cycles_q + (Most+1)'(|(s_axis_rx_tvalid_i & s_axis_rx_tlast_i));
      frames_are_few: assert (!cycles_q[Most]) else $error("a round of 2^%0d frames", Most);
    end
  end
endmodule
bind pfc_receiver pfc_receiver_unreachable #(.Ports(Ports)) u_unreachable (
  .clk_i(clk_i), .rst_ni(rst_ni), .s_axis_rx_tvalid_i(s_axis_rx_tvalid_i),
  .s_axis_rx_tlast_i(s_axis_rx_tlast_i)
);

// What no PFC frame has.
module pfc_generator_unreachable #(
  parameter int Ports = 1,
  parameter int AxisW = 512
) (
  input logic                     clk_i,
  input logic                     rst_ni,
  input logic [Ports*AxisW-1:0]   m_axis_pfc_tdata_o,
  input logic [Ports*AxisW/8-1:0] m_axis_pfc_tkeep_o
);
  localparam logic [47:0] Address       = 48'h01_00_00_c2_80_01;
  localparam logic [31:0] TypeAndOpcode = 32'h01_01_08_88;

  logic [Ports-1:0] zeros;
  if (AxisW == 512) begin : gen_one_beat
    for (genvar p = 0; p < Ports; p++) begin : gen_port
      assign zeros[p] = (m_axis_pfc_tdata_o[p*AxisW +: 48] & ~Address) == '0 &&
                        (m_axis_pfc_tdata_o[p*AxisW + 96 +: 32] & ~TypeAndOpcode) == '0 &&
                        m_axis_pfc_tdata_o[p*AxisW + 128 +: 8] == '0 &&
                        m_axis_pfc_tdata_o[p*AxisW + 272 +: 208] == '0;
    end
  end else begin : gen_beats
    logic unused_data;
    assign unused_data = ^m_axis_pfc_tdata_o;
    assign zeros       = '1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else begin
      frames_have_constants: assert (&zeros) else $error("a bit that is 0 in every PFC frame");
      beats_are_full: assert (&m_axis_pfc_tkeep_o) else $error("a beat of a PFC frame has a gap");
    end
  end
endmodule
bind pfc_generator pfc_generator_unreachable #(.Ports(Ports), .AxisW(AxisW)) u_unreachable (
  .clk_i(clk_i), .rst_ni(rst_ni), .m_axis_pfc_tdata_o(m_axis_pfc_tdata_o),
  .m_axis_pfc_tkeep_o(m_axis_pfc_tkeep_o)
);

// Writes: what no register stores is refused, and all domains take a profile in the same cycle.
module csr_unreachable (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       waits_i,  // for the domains
  input logic       all_taken_i,
  input logic       writes_i,
  input logic [2:0] access_i  // of the register that is written
);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else begin
      domains_take_together: assert (!waits_i || all_taken_i)
        else $error("a domain takes a profile later than another");
      writes_have_a_register: assert (!writes_i || access_i == csr_map_pkg::Cfg ||
                                      access_i == csr_map_pkg::Rw || access_i == csr_map_pkg::W1c ||
                                      access_i == csr_map_pkg::W1s)
        else $error("a write to no register that may be written");
    end
  end
endmodule
bind csr csr_unreachable u_unreachable (
  .clk_i(clk_i), .rst_ni(rst_ni), .waits_i(state_q == Update || state_q == Taken),
  .all_taken_i(all_taken), .writes_i(act && write_q), .access_i(access)
);

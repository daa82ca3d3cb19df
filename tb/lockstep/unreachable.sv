// SPDX-License-Identifier: Apache-2.0
//
// Asserts in every cycle of the coverage runs (scripts/rtl/lockstep --coverage) what the waivers of
// coverage_waivers.txt claim to be impossible. Bound to the blocks from outside; the RTL does not
// change.

// One file for all blocks; each module uses a part of its pins.
// verilator lint_off DECLFILENAME
// verilator lint_off UNUSEDSIGNAL

// Settings: a domain never gets values that csr refuses.
module weir_domain_unreachable #(
  parameter int Profiles      = 4,
  parameter int QueueProfiles = 2,
  parameter int Pools         = 1,
  parameter int EgressPools   = 1,
  parameter int CellW         = 17,
  parameter int Lanes         = 1,
  parameter int LenW          = 8,
  parameter int Slots         = 1
) (
  input logic                                                clk_i,
  input logic                                                rst_ni,
  input logic [Lanes-1:0]                                    arr_valid_i,
  input logic [Lanes*LenW-1:0]                               arr_cells_i,
  input logic                                                rd_valid_i,
  input logic [weir_pkg::SelectW-1:0]                        rd_select_i,
  input logic [weir_pkg::ReadW-1:0]                          rd_data_o,
  input logic                                                map_queue_write_i,
  input logic [31:0]                                         map_data_i,
  input logic [2*Lanes*weir_pkg::ProductW-1:0]               product_i,  // n * (B - S)
  input logic [2*Lanes-1:0]                                  pressed_i,
  input logic [63:0]                                         errors_i,
  input logic [2*Lanes*CellW-1:0]                            private_i,  // of the PGs of the steps
  input logic [2*Lanes*CellW-1:0]                            shared_i,
  input logic [2*Lanes*CellW-1:0]                            headroom_i,
  input logic [Slots*CellW-1:0]                              queue_minimum_i,  // of copies that entered
  input logic [Slots*CellW-1:0]                              queue_shared_i,
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
  logic [Profiles-1:0]        partition_fits;
  logic [QueueProfiles-1:0]   egress_exists;
  for (genvar n = 0; n < Profiles; n++) begin : gen_profile
    localparam int At = n * weir_pkg::ProfileBits;
    assign profile_fits[2*n] =
        cfg_profile_i[At + weir_pkg::ProfilePrivate +: LimitW] >> CellW == '0;
    assign profile_fits[2*n + 1] =
        cfg_profile_i[At + weir_pkg::ProfileHeadroom +: LimitW] >> CellW == '0;
    assign partition_fits[n] =
        cfg_profile_i[At + weir_pkg::LinePartition +: LimitW] >> CellW == '0;
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

  localparam int FreeBits = CellW + weir_pkg::AlphaNW;
  logic [2*Lanes-1:0] product_fits;
  for (genvar x = 0; x < 2*Lanes; x++) begin : gen_step
    assign product_fits[x] =
        product_i[x*weir_pkg::ProductW +: weir_pkg::ProductW] >> FreeBits == '0;
  end

  logic [2*Lanes-1:0] group_fits;
  for (genvar x = 0; x < 2*Lanes; x++) begin : gen_group
    assign group_fits[x] = ((CellW+2)'(private_i[x*CellW +: CellW]) +
                            (CellW+2)'(shared_i[x*CellW +: CellW]) +
                            (CellW+2)'(headroom_i[x*CellW +: CellW])) >> CellW == '0;
  end

  logic [Slots-1:0] queue_fits_cells;
  for (genvar n = 0; n < Slots; n++) begin : gen_slot
    assign queue_fits_cells[n] = ((CellW+1)'(queue_minimum_i[n*CellW +: CellW]) +
                                  (CellW+1)'(queue_shared_i[n*CellW +: CellW])) >> CellW == '0;
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
      queue_maps_fit: assert (!map_queue_write_i || map_data_i <= QueueProfiles)
        else $error("a queue of a profile that is not there");
      reads_fit_a_word: assert (rd_data_o >> 32 == '0) else $error("a count of 2^32 or more");
      products_fit: assert (&product_fits) else $error("n * (B - S) of 2^%0d or more", FreeBits);
      queues_fit: assert (&queue_fits_cells) else $error("a queue of 2^%0d cells", CellW);
      groups_fit: assert (&group_fits) else $error("a PG of 2^%0d cells", CellW);
      errors_are_few: assert (errors_i >> 17 == '0) else $error("2^17 releases of too much");
      releases_press_nothing: assert (pressed_i[Lanes-1:0] == '0)
        else $error("a release that puts a cell in headroom");
      limits_fit: assert (&{profile_fits, queue_fits, pool_fits, egress_fits})
        else $error("a limit of a segment or pool of 2^%0d cells or more", CellW);
      partitions_fit: assert (Lanes != 8 || &partition_fits)  // csr's test, of one lane, sets others
        else $error("a share of B of 2^%0d cells or more", CellW);
      pools_exist: assert (&{pool_exists, egress_exists})
        else $error("a profile of a pool that is not there");
    end
  end
endmodule
bind weir_domain weir_domain_unreachable #(
  .Profiles(Profiles), .QueueProfiles(QueueProfiles), .Pools(Pools), .EgressPools(EgressPools),
  .CellW(CellW), .Lanes(Lanes), .LenW(LenW), .Slots(Slots)
) u_unreachable (
  .clk_i(clk_i), .rst_ni(rst_ni), .arr_valid_i(arr_valid_i), .arr_cells_i(arr_cells_i),
  .rd_valid_i(rd_valid_i), .rd_select_i(rd_select_i), .rd_data_o(rd_data_o),
  .map_queue_write_i(map_we_i && map_queue_i), .map_data_i(32'(map_data_i)),
  .product_i(after3), .pressed_i(u_xoff.pressed),
  .errors_i(64'(u_reads.errors_q)), .private_i(held_private), .shared_i(held_shared),
  .headroom_i(held_headroom), .queue_minimum_i(held_queue_minimum),
  .queue_shared_i(held_queue_shared), .cfg_profile_i(cfg_profile_i), .cfg_pool_i(cfg_pool_i),
  .cfg_queue_profile_i(cfg_queue_profile_i), .cfg_egress_pool_i(cfg_egress_pool_i)
);

// Sums of a pool: free cells are at most B, and none are held while the sums are loaded.
module ingress_accounting_unreachable #(
  parameter int Pools = 1,
  parameter int CellW = 17
) (
  input logic                                           clk_i,
  input logic                                           rst_ni,
  input logic [Pools*(weir_pkg::LimitW+2*CellW)-1:0]    sums_i,
  input logic [Pools*(weir_pkg::LimitW+2*CellW)-1:0]    load_i
);
  localparam int PoolRowW = weir_pkg::LimitW + 2 * CellW;
  logic [Pools-1:0] free_fits, load_is_free;
  for (genvar n = 0; n < Pools; n++) begin : gen_pool
    assign free_fits[n]    = sums_i[n*PoolRowW +: weir_pkg::LimitW] >> CellW == '0;
    assign load_is_free[n] = load_i[n*PoolRowW +: PoolRowW] >> CellW == '0;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else begin
      free_cells_fit: assert (&free_fits) else $error("more free than 2^%0d cells", CellW);
      loads_are_free: assert (&load_is_free) else $error("cells are held where sums are loaded");
    end
  end
endmodule
bind ingress_accounting ingress_accounting_unreachable #(
  .Pools(Pools), .CellW(CellW)
) u_unreachable (
  .clk_i(clk_i), .rst_ni(rst_ni), .sums_i(sums_q), .load_i(sums_load)
);

// Releases: the last of them leaves its row after all others.
module row_outcome_unreachable #(
  parameter int Releases = 1,
  parameter int Width    = 51
) (
  input logic [(Releases+1)*Releases*Width-1:0] after_i  // by release: rows before it
);
  logic [Releases-1:0] comes_last;
  for (genvar x = 0; x < Releases; x++) begin : gen_release
    assign comes_last[x] = after_i[x*Releases*Width +: Releases*Width] >> (x * Width) == '0;
  end
  always_comb the_last_comes_last: assert (&comes_last) else $error("a release comes before itself");
endmodule
bind row_outcome row_outcome_unreachable #(.Releases(Releases), .Width(Width)) u_unreachable (
  .after_i(after)
);

module egress_accounting_unreachable #(
  parameter int Pools = 1,
  parameter int CellW = 17,
  parameter int LenW  = 8,
  parameter int FreeW = 27
) (
  input logic                     clk_i,
  input logic                     rst_ni,
  input logic [3*CellW-1:0]       after_i,     // a row after a release
  input logic [2*2*LenW-1:0]      charge_i,    // by outcome: of a copy not admitted, admitted
  input logic [Pools*FreeW-1:0]   load_i
);
  logic [Pools-1:0] load_fits;
  for (genvar n = 0; n < Pools; n++) begin : gen_pool
    assign load_fits[n] = load_i[n*FreeW +: FreeW] >> CellW == '0;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else begin
      loads_are_free: assert (&load_fits) else $error("more free than 2^%0d cells", CellW);
      queues_have_no_headroom: assert (after_i >> (2*CellW) == '0) else $error("a queue with headroom");
      refused_copies_cost_nothing: assert (charge_i[2*LenW-1:0] == '0)
        else $error("a copy that is not admitted is charged");
    end
  end
endmodule
bind egress_accounting egress_accounting_unreachable #(
  .Pools(Pools), .CellW(CellW), .LenW(LenW), .FreeW(FreeW)
) u_unreachable (
  .clk_i(clk_i), .rst_ni(rst_ni), .load_i(sums_load), .charge_i(open_charge),
  .after_i(gen_outcome[0].left[0 +: 3*CellW] | gen_outcome[1].left[0 +: 3*CellW])
);

// Sums are wide enough for more cells than a packet or a segment has.
module narrow_sums_unreachable #(
  parameter int CellW = 17,
  parameter int LenW  = 8,
  parameter int MoreW = 27
) (
  input logic [MoreW-1:0] lengths_i,
  input logic [MoreW-1:0] counts_i
);
  always_comb begin
    lengths_are_narrow: assert (lengths_i >> LenW == '0) else $error("a packet of 2^%0d cells", LenW);
    counts_are_narrow: assert (counts_i >> CellW == '0) else $error("a segment of 2^%0d cells", CellW);
  end
endmodule
bind segment_room narrow_sums_unreachable #(.CellW(CellW), .LenW(LenW), .MoreW(MoreW)) u_unreachable (
  .lengths_i(packet | gone | add_upper | add_held), .counts_i(held | top | upper)
);
bind pool_release narrow_sums_unreachable #(
  .CellW(CellW), .LenW(LenW), .MoreW(weir_pkg::LimitW)
) u_unreachable (
  .lengths_i(cells | add_headroom | add_shared | add_private | row_headroom | row_shared),
  .counts_i(headroom | shared | sum_headroom | sum_private)
);
bind row_release narrow_sums_unreachable #(.CellW(CellW), .LenW(LenW), .MoreW(DiffW)) u_unreachable (
  .lengths_i(add_upper), .counts_i('0)
);

// A line is flat, or it begins at 0; a queue or PG has room for one more cell.
module threshold_reach_unreachable #(
  parameter int CellW = 17,
  parameter int LeftW = 43
) (
  input logic [weir_pkg::LimitW-1:0]  plus_i,
  input logic [weir_pkg::LimitW-1:0]  constant_i,
  input logic [weir_pkg::AlphaMW-1:0] slope_m_i,
  input logic [LeftW-1:0]             held_i
);
  always_comb begin
    one_more: assert (plus_i == weir_pkg::LimitW'(1)) else $error("more than one cell is asked for");
    constants_are_flat: assert (constant_i == '0 || slope_m_i == '0) else $error("a line of neither kind");
    counts_are_narrow: assert (held_i >> (CellW + 16) == '0) else $error("a count of 2^%0d", CellW);
  end
endmodule
bind threshold_reach threshold_reach_unreachable #(.CellW(CellW), .LeftW(LeftW)) u_unreachable (
  .plus_i(plus_i), .constant_i(constant_i), .slope_m_i(slope_m_i), .held_i(held)
);

// Watermarks have room for the sum of three segments.
module stats_counters_unreachable #(
  parameter int Lanes   = 1,
  parameter int CellW   = 17,
  parameter int MarkW   = 19,
  parameter int Slots   = 1
) (
  input logic [Lanes*3*MarkW-1:0] level_i,  // {total, headroom, shared} of each lane
  input logic [Slots-1:0]         tags_i    // of the marks of queues
);
  logic [Lanes-1:0] fits;
  for (genvar k = 0; k < Lanes; k++) begin : gen_lane
    logic [MarkW-1:0] total, headroom, shared;
    assign {total, headroom, shared} = level_i[k*3*MarkW +: 3*MarkW];
    assign fits[k] = (headroom | shared | (total - headroom - shared)) >> CellW == '0;
  end
  always_comb begin
    counts_are_narrow: assert (&fits) else $error("a segment of 2^%0d cells", CellW);
    queues_have_no_tag: assert (tags_i == '0) else $error("a mark of a queue has a tag");
  end
endmodule
bind stats_counters stats_counters_unreachable #(
  .Lanes(Lanes), .CellW(CellW), .MarkW(MarkW), .Slots(Slots)
) u_unreachable (
  .level_i(pg_level), .tags_i(unused_tags)
);

// Round robin: the pointer is after some port.
module arrival_arbiter_unreachable #(
  parameter int Ports = 1
) (
  input logic [Ports-1:0] mask_i
);
  always_comb begin
    mask_leaves_the_first: assert (!mask_i[0]) else $error("the pointer is before all ports");
  end
endmodule
bind arrival_arbiter arrival_arbiter_unreachable #(.Ports(Ports)) u_unreachable (.mask_i(mask_d));

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
module pfc_receiver_unreachable (
  input logic clk_i,
  input logic rst_ni,
  input logic frame_end_i
);
  localparam int Most = 17;  // a round has fewer frames than 2^Most

  logic [Most:0] cycles_q;  // in which a frame ends
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cycles_q <= '0;
    end else begin
      cycles_q <= cycles_q + (Most+1)'(frame_end_i);
      frames_are_few: assert (!cycles_q[Most]) else $error("a round of 2^%0d frames", Most);
    end
  end
endmodule
bind pfc_receiver pfc_receiver_unreachable u_unreachable (
  .clk_i(clk_i), .rst_ni(rst_ni), .frame_end_i(|stat_frame_o)
);

// Octets that every beat of a PFC frame has.
module pfc_generator_unreachable #(
  parameter int Ports       = 1,
  parameter int AxisW       = 512,
  parameter int FcsInStream = 1
) (
  input logic                     clk_i,
  input logic                     rst_ni,
  input logic [Ports*AxisW/8-1:0] m_axis_pfc_tkeep_o
);
  logic [Ports-1:0] full;
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    logic [AxisW/8-1:0] keep;
    assign keep = m_axis_pfc_tkeep_o[AxisW/8*p +: AxisW/8];
    // Without the FCS, four octets of the last beat are none.
    assign full[p] = (FcsInStream == 1) ? &keep : &keep[AxisW/8-5:0];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else begin
      beats_are_full: assert (&full) else $error("a beat of a PFC frame has a gap");
    end
  end
endmodule
bind pfc_generator pfc_generator_unreachable #(
  .Ports(Ports), .AxisW(AxisW), .FcsInStream(FcsInStream)
) u_unreachable (
  .clk_i(clk_i), .rst_ni(rst_ni), .m_axis_pfc_tkeep_o(m_axis_pfc_tkeep_o)
);

// Accesses: all domains load a profile in the same cycle, and values are narrower than the bus of
// values.
module csr_unreachable #(
  parameter int Ports = 1
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        waits_i,   // for the domains
  input logic        all_taken_i,
  input logic [23:0] kept_at_i, // address of a high word
  input logic [63:0] value_i    // that is read
);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else begin
      domains_take_together: assert (!waits_i || all_taken_i)
        else $error("a domain takes a profile later than another");
      rows_are_few: assert (Ports > 8 || kept_at_i[19:13] == '0) else $error("a row of 2^13 bytes");
      words_are_aligned: assert (kept_at_i[1:0] == '0) else $error("a high word at an odd address");
      reads_fit_a_word: assert (value_i >> 32 == '0) else $error("a count of 2^32 or more");
    end
  end
endmodule
bind csr csr_unreachable #(.Ports(Ports)) u_unreachable (
  .clk_i(clk_i), .rst_ni(rst_ni), .waits_i(state_q == Update || state_q == Taken),
  .all_taken_i(all_taken), .kept_at_i(u_answer.high_for_q),
  .value_i(value | joined)
);

module csr_decode_unreachable (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [23:0] in_block_i,  // bytes after the first of a block
  input logic [23:0] index_i
);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else begin
      blocks_are_small: assert (in_block_i >> 22 == '0 && index_i >> 16 == '0)
        else $error("a block of 2^22 bytes or 2^16 instances");
    end
  end
endmodule
bind csr_decode csr_decode_unreachable u_unreachable (
  .clk_i(clk_i), .rst_ni(rst_ni), .in_block_i(in_block_q), .index_i(index_q)
);

// Registers of profiles: the partition of a profile is a register of its own.
module csr_profiles_unreachable (
  input logic [weir_pkg::LimitW-1:0] partition_i  // of what a write loads
);
  always_comb partitions_lie_apart: assert (partition_i == '0)
    else $error("a write of a profile loads its partition");
endmodule
bind csr_profiles csr_profiles_unreachable u_unreachable (
  .partition_i(loads[weir_pkg::LinePartition +: weir_pkg::LimitW] |
               written[weir_pkg::LinePartition +: weir_pkg::LimitW])
);

module csr_settings_unreachable #(
  parameter int Pools = 1
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [31:0] pool_row_i,  // of a pool and a domain
  input logic [31:0] chip_i,      // values of the registers of each block
  input logic [31:0] profile_i,
  input logic [31:0] pool_i
);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else begin
      pairs_have_a_pool: assert (pool_row_i < Pools) else $error("a pool that is not there");
      maps_have_nibbles: assert ((chip_i & 32'h8880_0000) == '0)
        else $error("a map of more than eight priorities");
      limits_have_25_bits: assert (profile_i >> 25 == '0) else $error("a limit of 2^25 cells");
      pools_have_17_bits: assert (pool_i >> 17 == '0) else $error("a pool of 2^17 cells");
    end
  end
endmodule
bind csr_settings csr_settings_unreachable #(.Pools(Pools > EgressPools ? Pools : EgressPools))
  u_unreachable (
  .clk_i(clk_i), .rst_ni(rst_ni), .pool_row_i(32'(row_of_pair_o)), .chip_i(chip_value),
  .profile_i(profile_value | queue_profile_value), .pool_i(pool_value)
);

module csr_pfc_frames_unreachable #(
  parameter int Ports = 1,
  parameter int StatW = 48
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic [31:0]      note_i,  // frames of a port since the walk was there
  input logic [StatW-1:0] sent_i   // of a port
);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else begin
      notes_are_few: assert (Ports > 8 || note_i < 4) else $error("four frames in a walk of %0d", Ports);
      sends_are_few: assert (sent_i >> 16 == '0) else $error("2^16 frames sent");
    end
  end
endmodule
bind csr_pfc_frames csr_pfc_frames_unreachable #(.Ports(Ports), .StatW(StatW)) u_unreachable (
  .clk_i(clk_i), .rst_ni(rst_ni), .note_i(32'(sent_now) | 32'(received_now)),
  .sent_i(frames[StatW-1:0])
);

// Marking: a small shape, whose queues hold few cells and whose counters have few bits. Few packets
// come in a cycle.
module ecn_marker_unreachable #(
  parameter int CellW = 17,
  parameter int StatW = 48,
  parameter int LenW  = 8,
  parameter int Slots = 1,
  parameter int Width = (CellW > StatW) ? CellW : StatW
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [1:0]  certain_i,  // P of 2^16, of the first packet and of the last
  input logic [63:0] earlier_i,  // cells that come, at the queue of the packet that leaves
  input logic [63:0] data_i
);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else begin
      fields_have_their_width: assert (Width > 63 || data_i >> Width == '0)
        else $error("a count of more than %0d bits", Width);
      few_come: assert (earlier_i >> (LenW + $clog2(Slots + 1)) == '0)
        else $error("%0d packets bring more cells than they have", Slots);
      few_cells_are_not_certain: assert (CellW > 16 || certain_i == '0)
        else $error("P of 2^16 between %0d cells", 1 << CellW);
    end
  end
endmodule
bind ecn_marker ecn_marker_unreachable #(
  .CellW(CellW), .StatW(StatW), .LenW(LenW), .Slots(Slots)
) u_unreachable (
  .clk_i(clk_i), .rst_ni(rst_ni), .earlier_i(64'(gen_step[Slots].earlier)),
  .certain_i({gen_count[Slots].u_hit.chance[16], gen_count[0].u_hit.chance[16]}), .data_i(data_q)
);

// Those that ask do not enter, all others do. Each test of weir_mmu marks a few million bytes.
module ecn_marking_unreachable #(
  parameter int Entries = 1,
  parameter int Asks    = 0
) (
  input logic                    clk_i,
  input logic                    rst_ni,
  input logic [Asks+Entries-1:0] enters_i,
  input logic [63:0]             count_i   // that is read
);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else begin
      entries_enter: assert (~enters_i >> Asks == '0 && enters_i << Entries == '0)
        else $error("a packet that asks enters, or one that enters does not");
      marks_are_few: assert (count_i >> 22 == '0) else $error("2^22 bytes marked at a queue");
    end
  end
endmodule
bind ecn_marking ecn_marking_unreachable #(.Entries(Entries), .Asks(Asks)) u_unreachable (
  .clk_i(clk_i), .rst_ni(rst_ni), .enters_i(enters), .count_i(count)
);

// Wires of one value.
module row_hazards_unreachable #(
  parameter int Steps = 2
) (
  input logic [Steps*Steps-1:0] same_i
);
  logic [Steps-1:0] itself;
  for (genvar x = 0; x < Steps; x++) begin : gen_step
    assign itself[x] = same_i[x*Steps + x];
  end
  always_comb steps_meet_themselves: assert (&itself) else $error("a step is not at its own row");
endmodule
bind row_hazards row_hazards_unreachable #(.Steps(Steps)) u_unreachable (.same_i(same_d));

module row_memory_unreachable #(
  parameter int Reads = 1
) (
  input logic [Reads-1:0] every_i
);
  always_comb rows_are_always_read: assert (&every_i) else $error("a read port does not read");
endmodule
bind row_memory row_memory_unreachable #(.Reads(Reads)) u_unreachable (.every_i(every));

module field_unreachable (
  input logic [5:0] word_i
);
  always_comb fields_have_five_bits: assert (!word_i[5]) else $error("a field of six bits");
endmodule
bind stats_counters field_unreachable u_field_unreachable (.word_i(word));
bind domain_reads field_unreachable u_field_unreachable (.word_i(word3));

// The one shape whose WRED refuses arrivals has two lanes.
module domain_requests_unreachable #(
  parameter int Lanes = 1,
  parameter int Drops = 0
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic [Lanes-1:0] kept_i
);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else begin
      two_lanes_drop: assert (&kept_i || (Drops == 1 && Lanes == 2))
        else $error("an arrival is refused in a shape without two lanes that drop");
    end
  end
endmodule
bind domain_requests domain_requests_unreachable #(.Lanes(Lanes), .Drops(Drops)) u_unreachable (
  .clk_i(clk_i), .rst_ni(rst_ni), .kept_i(kept_lanes)
);

// The shapes that mark have at most four ports.
module weir_mmu_unreachable #(
  parameter int Ports = 1
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             marks_i  // any pin or wire of marking is not 0
);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else begin
      few_ports_mark: assert (!marks_i || Ports <= 4) else $error("marking in a large shape");
    end
  end
endmodule
bind weir_mmu weir_mmu_unreachable #(.Ports(Ports)) u_unreachable (
  .clk_i(clk_i), .rst_ni(rst_ni),
  .marks_i(|{arr_asks_i, arr_ect_i, arr_drop, arr_mark_o, dep_valid_i, dep_sent_i, dep_cells_i,
             dep_bytes_i, dep_queue_i, dep_ect_i, dep_mark_o, dep_error_o, cfg_wred, polynomial,
             seed, seed_load, wred_map, mark_rd_data})
);

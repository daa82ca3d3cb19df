// SPDX-License-Identifier: Apache-2.0
//
// The decisions of one memory domain of the MMU: which packet gets which cells, and when a priority
// group (PG) must pause. A cycle is its releases in lane order, then its arrivals in lane order, as
// so many sequential steps; every lane may be valid in every cycle, at the same PG too.
//
//   cycle   work                                             registers at its end
//   t       rows, profiles of the PGs and queues are read    rows, profile numbers, who is the same
//   t + 1   settings chosen; releases applied, for each      rows, sums and rest of the arrivals,
//           outcome of the arrivals of the step before       settings as lines
//   t + 2   T, queue thresholds, admission, lane by lane     verdicts, rows and sums after all
//   t + 3   T of the new S after each step, XOFF and XON     levels; the verdicts are outputs
//
//            t              t + 1             t + 2                t + 3
//   rel --> read rows --> release --------+------------------> T, pfc_state --> verdicts, xoff_o
//   arr --> read rows --> settings, rest -+-> T -> admission --> T, pfc_state     stats_counters
//                            ^  ^             |  |
//                            |  +-- outcome --+  +-- rows, sums --> memory
//                            +-- rows of the two steps before ----+
//
// Forwarding: a row in t + 1 comes from the release lanes of its own cycle, else from the step in
// t + 2 (its last arrival by outcome, chosen at the end of the cycle), else from the step in t + 3,
// else from the memory; in t + 2 an arrival lane sees what the lanes before it have charged. Sums
// of pools and XOFF levels are registers, carried from step to step. With AdmitLatency above its
// least value, requests wait the cycles in excess before t.
//
// Settings are levels until the first request; from then on the RW fields of a profile change by
// cfg_update_i, which travels with the requests: those presented in the next cycle use them.
//
// Units:   cells; arr_threshold_o saturates at 2^32 - 1.
// Range:   every limit of segments and pools below 2^CellW; queues of one packet differ. A release
//          of more than the PG or queue holds changes nothing on that side, and is reported
//          and counted.
// Latency: AdmitLatency cycles from request to verdict. csr reads: AdmitLatency + 2 cycles.
// Memory:  PG rows 2*Lanes + 1 reads, 2*Lanes writes; queue rows Lanes*(1 + Copies) + 1 reads, one
//          less writes; profiles of PGs and of queues as many reads as their rows, one write.
// Golden:  systemc/include/weir/core/mmu.hpp, compared every cycle by tb/lockstep.
// Source:  docs/design/contract.md, 2 and 3.
module weir_domain #(
  parameter int Ports         = 8,   // 1 .. MaxPorts
  parameter int Lanes         = 1,   // releases, and arrivals, a cycle: 1 .. MaxLanes
  parameter int Copies        = 1,   // queues of a packet: 1 .. MaxCopies
  parameter int Profiles      = 4,   // 1 .. MaxProfiles
  parameter int QueueProfiles = 2,   // 1 .. MaxProfiles
  parameter int Pools         = 1,   // ingress pools, 1 .. MaxPools, at most 8 a port
  parameter int EgressPools   = 1,   // 1 .. MaxPools, at most 8 a port
  parameter int CellW         = 17,  // bits of a count of cells, 8 to MaxCellW
  parameter int LenW          = 8,   // bits of the cells of a packet
  parameter int ByteW         = 14,  // bits of the length of a packet, bytes
  parameter int StatW         = 48,  // bits of a counter, up to MaxStatW
  parameter int AdmitLatency  = pipeline_latency_pkg::AdmitLatencyUsual,  // from request to verdict
  parameter int ThresholdLag  = 0,   // cycles by which T sees S late
  parameter int Drops         = 0,   // 1: arr_drop_i counts, from AdmitLatencyLeastDrops on
  parameter int RowW     = $clog2(Ports * 8),                    // derived: do not override
  parameter int ProfileW = (Profiles > 1) ? $clog2(Profiles) : 1,  // derived: do not override
  parameter int MapW     =                                       // derived: do not override
      $clog2(((Profiles > QueueProfiles) ? Profiles : QueueProfiles) + 1)
) (
  input  logic                                                clk_i,
  input  logic                                                rst_ni,  // asynchronous, active low
  output logic                                                init_done_o,

  input  logic [Profiles*weir_pkg::ProfileBits-1:0]           cfg_profile_i,
  input  logic [Pools*weir_pkg::PoolBits-1:0]                 cfg_pool_i,
  input  logic [QueueProfiles*weir_pkg::QueueProfileBits-1:0] cfg_queue_profile_i,
  input  logic [EgressPools*weir_pkg::EgressPoolBits-1:0]     cfg_egress_pool_i,
  input  logic                                                cfg_update_i,
  input  logic [ProfileW-1:0]                                 cfg_update_profile_i,
  output logic                                                cfg_taken_o,
  input  logic                                                map_we_i,
  input  logic                                                map_queue_i,
  input  logic [RowW-1:0]                                     map_addr_i,
  input  logic [MapW-1:0]                                     map_data_i,  // 0 none, k+1: profile k
  input  logic                                                clear_stats_i,

  // Releases; lane k at [k*W +: W].
  input  logic [Lanes-1:0]                                    rel_valid_i,
  input  logic [Lanes*RowW-1:0]                               rel_pg_i,
  input  logic [Lanes*LenW-1:0]                               rel_cells_i,
  input  logic [Lanes*RowW-1:0]                               rel_queue_i,
  input  logic [Lanes-1:0]                                    rel_last_i,
  output logic [Lanes-1:0]                                    rel_valid_o,
  output logic [Lanes*RowW-1:0]                               rel_pg_o,
  output logic [Lanes-1:0]                                    rel_xoff_o,
  output logic [Lanes-1:0]                                    rel_changed_o,
  output logic [Lanes-1:0]                                    rel_error_o,

  // Arrivals; copy c of lane k at [(k*Copies + c)*W +: W].
  input  logic [Lanes-1:0]                                    arr_valid_i,
  input  logic [Lanes*RowW-1:0]                               arr_pg_i,
  input  logic [Lanes*LenW-1:0]                               arr_cells_i,
  input  logic [Lanes*ByteW-1:0]                              arr_bytes_i,
  input  logic [Lanes*Copies*RowW-1:0]                        arr_queue_i,
  input  logic [Lanes*Copies-1:0]                             arr_mask_i,
  input  logic [Lanes-1:0]                                    arr_drop_i, // DropAnswer before
  output logic [Lanes-1:0]                                    arr_valid_o,
  output logic [Lanes*RowW-1:0]                               arr_pg_o,
  output logic [Lanes*weir_pkg::ReasonW-1:0]                  arr_reason_o,
  output logic [Lanes*LenW-1:0]                               arr_private_o,
  output logic [Lanes*LenW-1:0]                               arr_shared_o,
  output logic [Lanes*LenW-1:0]                               arr_headroom_o,
  output logic [Lanes*weir_pkg::ThresholdW-1:0]               arr_threshold_o,
  output logic [Lanes-1:0]                                    arr_xoff_o,
  output logic [Lanes-1:0]                                    arr_changed_o,
  output logic [Lanes*Copies-1:0]                             arr_mask_o,
  output logic [Ports*8-1:0]                                  xoff_o,

  input  logic                                                rd_valid_i,
  input  logic [weir_pkg::SelectW-1:0]                        rd_select_i,
  input  logic [RowW-1:0]                                     rd_addr_i,
  output logic                                                rd_valid_o,
  output logic [weir_pkg::ReadW-1:0]                          rd_data_o
);

  localparam int LimitW      = weir_pkg::LimitW;
  localparam int ProfileBits = weir_pkg::ProfileBits;
  localparam int AlphaNW     = weir_pkg::AlphaNW;
  localparam int AlphaMW     = weir_pkg::AlphaMW;
  localparam int ProductW    = weir_pkg::ProductW;
  localparam int PoolW       = (Pools > 1) ? $clog2(Pools) : 1;
  localparam int EgressW     = (EgressPools > 1) ? $clog2(EgressPools) : 1;
  localparam int FreeW       = LimitW + $clog2(Copies) + 2;
  localparam int Slots       = Lanes * Copies;
  localparam int PoolsHere   = (Ports * 8 < weir_pkg::MaxPools) ? Ports * 8 : weir_pkg::MaxPools;
  localparam int Steps       = 2 * Lanes;   // of PGs: releases, then arrivals

  // ---- Requests in t, t + 1, t + 2 and t + 3.
  logic                         load, load_sums, update0, clear0, rd_valid0;
  logic [ProfileW-1:0]          update_profile0;
  logic [ProfileBits-1:0]       update_word0;
  logic [weir_pkg::SelectW-1:0] rd_select0;
  logic [RowW-1:0]              rd_addr0;
  logic [Lanes*RowW-1:0]        rel_pg0, rel_queue0, arr_pg0;
  logic [Slots*RowW-1:0]        arr_queue0, arr_queue2, arr_queue3;
  logic [Lanes-1:0]             rel_valid1, rel_last1, arr_valid2;
  logic [Lanes*LenW-1:0]        rel_cells1, arr_cells1, arr_cells2;
  logic [Lanes*RowW-1:0]        arr_pg2;
  logic [Slots-1:0]             arr_mask2;
  logic [Steps*RowW-1:0]        pg3;
  logic [Lanes*ByteW-1:0]       arr_bytes3;
  domain_requests #(
    .Ports(Ports), .Lanes(Lanes), .Copies(Copies), .Profiles(Profiles), .LenW(LenW),
    .ByteW(ByteW), .Wait(AdmitLatency - pipeline_latency_pkg::AdmitLatencyLeast),
    .Drops(Drops)
  ) u_requests (
    .clk_i, .rst_ni, .cfg_profile_i, .cfg_update_i, .cfg_update_profile_i, .clear_stats_i,
    .rel_valid_i, .rel_pg_i, .rel_cells_i, .rel_queue_i, .rel_last_i, .arr_valid_i, .arr_pg_i,
    .arr_cells_i, .arr_bytes_i, .arr_queue_i, .arr_mask_i, .arr_drop_i, .rd_valid_i, .rd_select_i,
    .rd_addr_i, .load_o(load), .load_sums_o(load_sums), .update0_o(update0),
    .update_profile0_o(update_profile0), .update_word0_o(update_word0), .clear0_o(clear0),
    .rd_valid0_o(rd_valid0), .rd_select0_o(rd_select0), .rd_addr0_o(rd_addr0),
    .rel_pg0_o(rel_pg0), .rel_queue0_o(rel_queue0), .arr_pg0_o(arr_pg0),
    .arr_queue0_o(arr_queue0), .rel_valid1_o(rel_valid1), .rel_last1_o(rel_last1),
    .rel_cells1_o(rel_cells1), .arr_cells1_o(arr_cells1), .arr_valid2_o(arr_valid2),
    .arr_pg2_o(arr_pg2), .arr_cells2_o(arr_cells2), .arr_queue2_o(arr_queue2),
    .arr_mask2_o(arr_mask2), .rel_valid3_o(rel_valid_o), .arr_valid3_o(arr_valid_o),
    .pg3_o(pg3), .arr_bytes3_o(arr_bytes3), .arr_queue3_o(arr_queue3)
  );
  assign cfg_taken_o = cfg_update_i;

  // ---- Settings.
  logic [Pools*LimitW-1:0]         pool_shared, pool_headroom;
  logic [Pools-1:0]                pool_dedicated;
  logic [EgressPools*LimitW-1:0]   egress_shared;
  logic                            settings_done, ingress_done, egress_done;
  logic [Profiles*ProfileBits-1:0] profiles;
  logic [MapW-1:0]                 rd_map1, rd_map_queue1;
  logic [Lanes*PoolW-1:0]          rel_pool1, pool3;
  logic [Lanes*LimitW-1:0]         private_limit1;
  logic [Lanes-1:0]                rel_limited1;
  logic [Lanes*EgressW-1:0]        rel_egress_pool1;
  logic [Slots*LimitW-1:0]         minimum1;
  logic [Steps*AlphaNW-1:0]        slope_n2;
  logic [Lanes*AlphaMW-1:0]        slope_m2;
  logic [Lanes*LimitW-1:0]         constant2, headroom_pool2, headroom_limit2;
  logic [Lanes-1:0]                lossless2, lossless3, dedicated2;
  logic [Steps*PoolW-1:0]          pool2;
  logic [Slots-1:0]                limited2;
  logic [Slots*EgressW-1:0]        egress_pool2;
  logic [Slots*AlphaNW-1:0]        queue_n2;
  logic [Slots*AlphaMW-1:0]        queue_m2;
  logic [Slots*LimitW-1:0]         queue_constant2;
  logic [Steps*AlphaMW-1:0]        slope_m3;
  logic [Steps*LimitW-1:0]         constant3, private_limit3, xon3, xon_offset3;
  logic [Steps-1:0]                trigger3, rule3;
  for (genvar p = 0; p < Pools; p++) begin : gen_pool
    assign {pool_dedicated[p], pool_headroom[p*LimitW +: LimitW], pool_shared[p*LimitW +: LimitW]} =
        cfg_pool_i[p*weir_pkg::PoolBits +: weir_pkg::PoolBits];
  end
  assign egress_shared = cfg_egress_pool_i;

  domain_settings #(
    .Ports(Ports), .Lanes(Lanes), .Copies(Copies), .Profiles(Profiles),
    .QueueProfiles(QueueProfiles), .Pools(Pools), .EgressPools(EgressPools)
  ) u_settings (
    .clk_i, .rst_ni, .init_done_o(settings_done), .load_i(load),
    .cfg_profile_i, .cfg_queue_profile_i, .pool_shared_i(pool_shared),
    .pool_headroom_i(pool_headroom), .pool_dedicated_i(pool_dedicated),
    .egress_shared_i(egress_shared), .map_we_i, .map_queue_i, .map_addr_i, .map_data_i,
    .update_i(update0), .update_profile_i(update_profile0),
    .update_word_i(update_word0), .pg_i({rd_addr0, arr_pg0, rel_pg0}),
    .queue_i({rd_addr0, arr_queue0, rel_queue0}),
    .profiles_o(profiles), .rd_map_o(rd_map1), .rd_map_queue_o(rd_map_queue1),
    .rel_pool1_o(rel_pool1), .arr_private1_o(private_limit1), .rel_limited1_o(rel_limited1),
    .rel_egress_pool1_o(rel_egress_pool1), .arr_minimum1_o(minimum1),
    .slope_n2_o(slope_n2), .arr_slope_m2_o(slope_m2), .arr_constant2_o(constant2),
    .arr_lossless2_o(lossless2), .pool2_o(pool2), .arr_dedicated2_o(dedicated2),
    .arr_headroom_pool2_o(headroom_pool2), .arr_headroom_limit2_o(headroom_limit2),
    .limited2_o(limited2), .egress_pool2_o(egress_pool2), .queue_n2_o(queue_n2),
    .queue_m2_o(queue_m2), .queue_constant2_o(queue_constant2),
    .slope_m3_o(slope_m3), .constant3_o(constant3), .private3_o(private_limit3), .xon3_o(xon3),
    .xon_offset3_o(xon_offset3), .trigger3_o(trigger3), .rule3_o(rule3),
    .arr_lossless3_o(lossless3), .arr_pool3_o(pool3)
  );

  // ---- t + 1: releases. Cells that leave the PG, the queue.
  logic [Lanes*LenW-1:0] freed1, left1;
  always_comb begin
    for (int k = 0; k < Lanes; k++) begin
      freed1[k*LenW +: LenW] = rel_cells1[k*LenW +: LenW] &
                               {LenW{rel_valid1[k] && rel_last1[k]}};
      left1[k*LenW +: LenW]  = rel_cells1[k*LenW +: LenW] &
                               {LenW{rel_valid1[k] && rel_limited1[k]}};
    end
  end

  // ---- t + 2: rows and sums after the releases, what the lanes charge, rows and sums after it.
  logic [Lanes*CellW-1:0]       base_shared, base_headroom;
  logic [Lanes*LimitW-1:0]      base_room, rel_free;
  logic [Lanes*LenW-1:0]        base_private, base_rest;
  logic [Lanes-1:0]             base_empty;
  logic [Pools*LimitW-1:0]      base_free, seen, end_free;
  logic [Pools*CellW-1:0]       base_headroom_sum, end_headroom, end_private;
  logic [Slots*CellW-1:0]       base_queue_shared;
  logic [Slots*LimitW-1:0]      base_queue_room;
  logic [Slots*LenW-1:0]        base_queue_rest;
  logic [EgressPools*FreeW-1:0] base_egress_free, end_egress_free;
  logic [Lanes*2-1:0]           chg_to;
  logic [Lanes*LenW-1:0]        chg_private, chg_rest;
  logic [Slots-1:0]             chg_maybe;
  logic [Lanes-1:0]             chg_admit;
  logic [RowW-1:0]              rd_row1;

  // t + 3: what the step has decided, and the rows and sums after it.
  logic [Lanes*2-1:0]          to3;
  logic [Lanes*LenW-1:0]       private3, rest3;
  logic [Slots-1:0]            refused3, limited3;
  logic [Lanes-1:0]            lossless_empty3, rel_error_pg, rel_error_queue;
  logic [Lanes*ProductW-1:0]   product3;
  logic [Steps*ProductW-1:0]   after3;
  logic [Steps-1:0]            level, changed;
  logic [Ports*8-1:0]          xoff_before;  // levels before the steps of this cycle
  logic [Steps*CellW-1:0]      held_private, held_shared, held_headroom;
  logic [Lanes*CellW-1:0]      sum_private, sum_shared, sum_headroom;
  logic [Slots*CellW-1:0]      held_queue_minimum, held_queue_shared;
  logic [3*CellW-1:0]          rd_pg_row;
  logic [2*CellW-1:0]          rd_queue_row;

  lane_chain #(
    .Ports(Ports), .Lanes(Lanes), .Copies(Copies), .CellW(CellW), .LenW(LenW),
    // With none of them at least one, so that the check below is reached and names it.
    .Pools((Pools > 0) ? Pools : 1), .EgressPools((EgressPools > 0) ? EgressPools : 1),
    .ThresholdLag(ThresholdLag)
  ) u_lanes (
    .clk_i, .rst_ni, .valid_i(arr_valid2), .pg_i(arr_pg2),
    .cells_i(arr_cells2), .queue_i(arr_queue2), .mask_i(arr_mask2),
    .slope_n_i(slope_n2), .slope_m_i(slope_m2), .constant_i(constant2), .lossless_i(lossless2),
    .pool_i(pool2), .dedicated_i(dedicated2), .headroom_pool_i(headroom_pool2),
    .headroom_limit_i(headroom_limit2), .limited_i(limited2), .egress_pool_i(egress_pool2),
    .queue_n_i(queue_n2), .queue_m_i(queue_m2), .queue_constant_i(queue_constant2),
    .shared_i(base_shared), .headroom_i(base_headroom), .room_i(base_room),
    .private_i(base_private[0 +: LenW]), .rest_i(base_rest[0 +: LenW]), .empty_i(base_empty),
    .rel_free_i(rel_free), .free_i(base_free), .seen_i(seen), .sum_i(base_headroom_sum),
    .queue_shared_i(base_queue_shared), .queue_room_i(base_queue_room),
    .queue_rest_i(base_queue_rest[0 +: Copies*LenW]), .egress_i(base_egress_free),
    .chg_to_o(chg_to), .chg_private_o(chg_private), .chg_rest_o(chg_rest),
    .chg_maybe_o(chg_maybe), .chg_admit_o(chg_admit), .reason3_o(arr_reason_o), .to3_o(to3),
    .private3_o(private3), .rest3_o(rest3), .taken3_o(arr_mask_o), .refused3_o(refused3),
    .limited3_o(limited3), .lossless_empty3_o(lossless_empty3), .product3_o(product3),
    .after3_o(after3)
  );
  logic unused_base;  // the rest of the later lanes depends on those before
  assign unused_base = ^{base_private, base_rest, base_queue_rest};

  ingress_accounting #(
    .Ports(Ports), .Lanes(Lanes), .Pools(Pools), .CellW(CellW), .LenW(LenW),
    .ThresholdLag(ThresholdLag)
  ) u_ingress_accounting (
    .clk_i, .rst_ni, .init_done_o(ingress_done), .load_i(load_sums),
    .pool_shared_i(pool_shared), .rel_pg_i(rel_pg0), .arr_pg_i(arr_pg0),
    .rel_cells_i(freed1), .rel_pool_i(rel_pool1), .arr_cells_i(arr_cells1),
    .arr_limit_i(private_limit1),
    .arr_shared_o(base_shared), .arr_headroom_o(base_headroom), .arr_room_o(base_room),
    .arr_private_o(base_private), .arr_rest_o(base_rest), .arr_empty_o(base_empty),
    .rel_free_o(rel_free), .free_o(base_free), .seen_o(seen), .headroom_sum_o(base_headroom_sum),
    .chg_pool_i(pool2[Lanes*PoolW +: Lanes*PoolW]), .chg_to_i(chg_to),
    .chg_private_i(chg_private), .chg_rest_i(chg_rest),
    .rel_error_o(rel_error_pg), .held_private_o(held_private), .held_shared_o(held_shared),
    .held_headroom_o(held_headroom), .sum_private_o(sum_private), .sum_shared_o(sum_shared),
    .sum_headroom_o(sum_headroom), .end_free_o(end_free), .end_headroom_o(end_headroom),
    .end_private_o(end_private), .rd_pg_i(rd_row1), .rd_row_o(rd_pg_row)
  );

  egress_accounting #(
    .Ports(Ports), .Lanes(Lanes), .Copies(Copies), .Pools(EgressPools), .CellW(CellW), .LenW(LenW)
  ) u_egress_accounting (
    .clk_i, .rst_ni, .init_done_o(egress_done), .load_i(load_sums),
    .pool_shared_i(egress_shared), .rel_queue_i(rel_queue0), .arr_queue_i(arr_queue0),
    .rel_cells_i(left1), .rel_pool_i(rel_egress_pool1), .arr_cells_i(arr_cells1),
    .arr_limit_i(minimum1), .arr_shared_o(base_queue_shared), .arr_room_o(base_queue_room),
    .arr_rest_o(base_queue_rest), .free_o(base_egress_free), .chg_pool_i(egress_pool2),
    .chg_cells_i(arr_cells2), .chg_maybe_i(chg_maybe), .chg_admit_i(chg_admit),
    .rel_error_o(rel_error_queue), .held_minimum_o(held_queue_minimum),
    .held_shared_o(held_queue_shared), .end_free_o(end_egress_free), .rd_queue_i(rd_row1),
    .rd_row_o(rd_queue_row)
  );

  // ---- t + 3
  xoff_stage #(.Ports(Ports), .Lanes(Lanes), .CellW(CellW), .LenW(LenW)) u_xoff (
    .clk_i, .rst_ni, .rel_valid_i(rel_valid_o), .rel_error_i(rel_error_pg),
    .arr_valid_i(arr_valid_o), .pg_i(pg3), .arr_lossless_i(lossless3),
    .slope_m_i(slope_m3), .constant_i(constant3), .private_limit_i(private_limit3),
    .xon_i(xon3), .xon_offset_i(xon_offset3), .trigger_i(trigger3), .rule_i(rule3),
    .private_i(held_private), .shared_i(held_shared), .headroom_i(held_headroom),
    .after_i(after3), .product_i(product3), .to_i(to3), .to_private_i(private3),
    .rest_i(rest3), .arr_private_o, .arr_shared_o, .arr_headroom_o,
    .arr_threshold_o, .level_o(level), .changed_o(changed), .xoff_o,
    .xoff_before_o(xoff_before)
  );
  assign rel_pg_o      = pg3[0 +: Lanes*RowW];
  assign rel_xoff_o    = level[0 +: Lanes];
  assign rel_changed_o = changed[0 +: Lanes];
  assign rel_error_o   = rel_valid_o & (rel_error_pg | rel_error_queue);
  assign arr_pg_o      = pg3[Lanes*RowW +: Lanes*RowW];
  assign arr_xoff_o    = level[Lanes +: Lanes];
  assign arr_changed_o = changed[Lanes +: Lanes];

  // ---- Counters, reads and clears.
  logic                        clear4, rd_stats3, rd_stats_valid;
  logic [1:0]                  rd_table3;
  logic [weir_pkg::FieldW-1:0] rd_field3;
  logic [RowW-1:0]             rd_addr3;
  logic [weir_pkg::ReadW-1:0]  rd_stats;
  domain_reads #(
    .Ports(Ports), .Lanes(Lanes), .Copies(Copies), .Profiles(Profiles), .Pools(Pools),
    .EgressPools(EgressPools), .MapW(MapW), .CellW(CellW), .StatW(StatW),
    .ThresholdLag(ThresholdLag)
  ) u_reads (
    .clk_i, .rst_ni, .clear_i(clear0), .valid_i(rd_valid0), .select_i(rd_select0),
    .addr_i(rd_addr0), .profiles_i(profiles), .map_i(rd_map1), .map_queue_i(rd_map_queue1),
    .row_o(rd_row1), .seen_i(seen), .end_free_i(end_free), .end_headroom_i(end_headroom),
    .end_private_i(end_private), .end_egress_free_i(end_egress_free), .pg_row_i(rd_pg_row),
    .queue_row_i(rd_queue_row), .xoff_i(xoff_before), .error_i(rel_error_o),
    .pool_shared_i(pool_shared), .egress_shared_i(egress_shared), .stats_valid_o(rd_stats3),
    .stats_table_o(rd_table3), .field_o(rd_field3), .addr_o(rd_addr3), .clear_o(clear4),
    .stats_valid_i(rd_stats_valid), .stats_i(rd_stats), .valid_o(rd_valid_o), .data_o(rd_data_o)
  );

  stats_counters #(
    .Ports(Ports), .Lanes(Lanes), .Copies(Copies), .Pools(Pools), .CellW(CellW), .ByteW(ByteW),
    .StatW(StatW)
  ) u_stats_counters (
    .clk_i, .rst_ni, .clear_i(clear4), .valid_i(arr_valid_o),
    .pg_i(pg3[Lanes*RowW +: Lanes*RowW]), .reason_i(arr_reason_o),
    .bytes_i(arr_bytes3), .lossless_empty_i(lossless_empty3),
    .xoff_i(level[Lanes +: Lanes]), .turned_i(changed[Lanes +: Lanes]),
    .private_i(held_private[Lanes*CellW +: Lanes*CellW]),
    .shared_i(held_shared[Lanes*CellW +: Lanes*CellW]),
    .headroom_i(held_headroom[Lanes*CellW +: Lanes*CellW]), .threshold_i(arr_threshold_o),
    .pool_i(pool3), .pool_private_i(sum_private), .pool_shared_i(sum_shared),
    .pool_headroom_i(sum_headroom), .queue_i(arr_queue3), .queue_entered_i(arr_mask_o),
    .queue_refused_i(refused3), .queue_limited_i(limited3), .queue_minimum_i(held_queue_minimum),
    .queue_shared_i(held_queue_shared), .rd_valid_i(rd_stats3), .rd_table_i(rd_table3),
    .rd_row_i(rd_addr3), .rd_field_i(rd_field3), .rd_valid_o(rd_stats_valid), .rd_data_o(rd_stats)
  );

  assign init_done_o = settings_done && ingress_done && egress_done;

  // The parts check the other parameters.
  initial begin
    if (Ports < 1 || Ports > weir_pkg::MaxPorts)
      $fatal(1, "Ports = %0d: must be 1 to %0d", Ports, weir_pkg::MaxPorts);
    if (Pools < 1 || Pools > PoolsHere)
      $fatal(1, "Pools = %0d: must be 1 to PoolsHere = %0d", Pools, PoolsHere);
    if (EgressPools < 1 || EgressPools > PoolsHere)
      $fatal(1, "EgressPools = %0d: must be 1 to PoolsHere = %0d", EgressPools, PoolsHere);
    if (AdmitLatency < pipeline_latency_pkg::AdmitLatencyLeast ||
        AdmitLatency > pipeline_latency_pkg::AdmitLatencyGreatest) begin
      $fatal(1, "AdmitLatency = %0d: must be %0d to %0d", AdmitLatency,
             pipeline_latency_pkg::AdmitLatencyLeast, pipeline_latency_pkg::AdmitLatencyGreatest);
    end
    if (ThresholdLag < pipeline_latency_pkg::ThresholdLagLeast ||
        ThresholdLag > pipeline_latency_pkg::ThresholdLagGreatest) begin
      $fatal(1, "ThresholdLag = %0d: must be %0d to %0d", ThresholdLag,
             pipeline_latency_pkg::ThresholdLagLeast, pipeline_latency_pkg::ThresholdLagGreatest);
    end
  end

endmodule

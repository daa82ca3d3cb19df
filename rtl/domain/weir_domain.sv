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
// Ports of stats_counters used here, in the verdict cycle, per arrival lane: PG, bytes, reason,
// lossless and empty, held private, shared and headroom after, T that admitted, pool and its sums
// after, XOFF entered; per lane and copy: queue, entered, refused by its limit, limited, held
// after.
//
// Units:   cells; arr_threshold_o saturates at 2^32 - 1.
// Range:   every limit of segments and pools below 2^CellW; queues of one packet differ. A release
//          of more than the PG or queue holds changes nothing on that side, and is reported and
//          counted.
// Latency: AdmitLatency cycles from request to verdict. csr reads: AdmitLatency + 2 cycles.
// Memory:  PG rows 2*Lanes + 1 reads, 2*Lanes writes; queue rows Lanes*(1 + Copies) + 1 reads, one
//          less writes; profiles of PGs and of queues as many reads as their rows, one write.
// Golden:  systemc/include/weir/core/mmu.hpp, compared every cycle by tb/lockstep.
// Source:  docs/design/contract.md, 2 and 3.
module weir_domain #(
  parameter int Ports         = 8,   // 1 .. 4096
  parameter int Lanes         = 1,   // releases, and arrivals, a cycle: 1, 2 or 4
  parameter int Copies        = 1,   // queues of a packet: 1 .. 8
  parameter int Profiles      = 4,   // 1 .. 255
  parameter int QueueProfiles = 2,   // 1 .. 255
  parameter int Pools         = 1,   // ingress pools, 1 .. 256, at most 8 a port
  parameter int EgressPools   = 1,   // 1 .. 256, at most 8 a port
  parameter int CellW         = 17,  // bits of a count of cells, 8 to 24
  parameter int LenW          = 8,   // bits of the cells of a packet
  parameter int ByteW         = 14,  // bits of the length of a packet, bytes
  parameter int StatW         = 48,  // bits of a counter, up to 64
  parameter int AdmitLatency  = pipeline_latency_pkg::AdmitLatencyUsual,  // from request to verdict
  parameter int ThresholdLag  = 0,   // cycles by which T sees S late
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
  output logic [Ports*8-1:0]                                  xoff_before_o, // before the steps

  input  logic                                                rd_valid_i,
  input  logic [weir_pkg::SelectW-1:0]                        rd_select_i,
  input  logic [RowW-1:0]                                     rd_addr_i,
  output logic                                                rd_valid_o,
  output logic [weir_pkg::ReadW-1:0]                          rd_data_o
);

  localparam int LimitW      = weir_pkg::LimitW;
  localparam int ThresholdW  = weir_pkg::ThresholdW;
  localparam int ReasonW     = weir_pkg::ReasonW;
  localparam int ReadW       = weir_pkg::ReadW;
  localparam int ProfileBits = weir_pkg::ProfileBits;
  localparam int QueueBits   = weir_pkg::QueueProfileBits;
  localparam int PoolW       = (Pools > 1) ? $clog2(Pools) : 1;
  localparam int EgressW     = (EgressPools > 1) ? $clog2(EgressPools) : 1;
  localparam int ProductW    = weir_pkg::ProductW;
  localparam int FreeW       = LimitW + $clog2(Copies) + 2;
  localparam int Slots       = Lanes * Copies;
  localparam int MostPools   = (Ports < 32) ? Ports * 8 : 256;
  localparam int Steps       = 2 * Lanes;   // of PGs: releases, then arrivals
  localparam int QueueSteps  = Lanes + Slots;

  // ---- Before t: requests, changes of settings, reads and clears wait together.
  localparam int Wait   = AdmitLatency - pipeline_latency_pkg::AdmitLatencyLeast;
  localparam int RelW   = 2 + 2 * RowW + LenW;
  localparam int CopyW  = RowW + 1;
  localparam int ArrW   = 1 + RowW + LenW + ByteW;
  localparam int EntryW = 1 + ProfileW + ProfileBits + 1 + 1 + weir_pkg::SelectW + RowW +
                          Lanes * (RelW + ArrW) + Slots * CopyW;
  logic [EntryW-1:0]      entry_in, entry;
  logic [ProfileBits-1:0] update_in;

  always_comb begin
    update_in = '0;
    for (int p = 0; p < Profiles; p++) begin
      if (cfg_update_profile_i == ProfileW'(p)) begin
        update_in = cfg_profile_i[p*ProfileBits +: ProfileBits];
      end
    end
  end

  // An idle lane, a copy without a queue: row 0 and nothing, whatever is on the pins. A row that
  // does not exist, or X, would spread from there through sums and memories.
  logic [Lanes-1:0]       rel_last_in;
  logic [Lanes*RowW-1:0]  rel_pg_in, rel_queue_in, arr_pg_in;
  logic [Lanes*LenW-1:0]  rel_cells_in, arr_cells_in;
  logic [Lanes*ByteW-1:0] arr_bytes_in;
  logic [Slots*RowW-1:0]  arr_queue_in;
  logic [Slots-1:0]       arr_mask_in;
  assign rel_last_in = rel_last_i & rel_valid_i;
  for (genvar k = 0; k < Lanes; k++) begin : gen_request
    assign rel_pg_in[k*RowW +: RowW]      = rel_pg_i[k*RowW +: RowW] & {RowW{rel_valid_i[k]}};
    assign rel_queue_in[k*RowW +: RowW]   = rel_queue_i[k*RowW +: RowW] & {RowW{rel_valid_i[k]}};
    assign rel_cells_in[k*LenW +: LenW]   = rel_cells_i[k*LenW +: LenW] & {LenW{rel_valid_i[k]}};
    assign arr_pg_in[k*RowW +: RowW]      = arr_pg_i[k*RowW +: RowW] & {RowW{arr_valid_i[k]}};
    assign arr_cells_in[k*LenW +: LenW]   = arr_cells_i[k*LenW +: LenW] & {LenW{arr_valid_i[k]}};
    assign arr_bytes_in[k*ByteW +: ByteW] = arr_bytes_i[k*ByteW +: ByteW] & {ByteW{arr_valid_i[k]}};
  end
  for (genvar c = 0; c < Slots; c++) begin : gen_copy_request
    assign arr_mask_in[c] = arr_mask_i[c] & arr_valid_i[c/Copies];
    assign arr_queue_in[c*RowW +: RowW] = arr_queue_i[c*RowW +: RowW] & {RowW{arr_mask_in[c]}};
  end

  assign cfg_taken_o = cfg_update_i;
  assign entry_in    = {cfg_update_i, cfg_update_profile_i, update_in, clear_stats_i,
                        rd_valid_i, rd_select_i, rd_addr_i,
                        rel_valid_i, rel_last_in, rel_pg_in, rel_queue_in, rel_cells_in,
                        arr_valid_i, arr_pg_in, arr_cells_in, arr_bytes_in, arr_queue_in,
                        arr_mask_in};

  if (Wait <= 0) begin : gen_now
    assign entry = entry_in;
  end else begin : gen_wait
    logic [Wait*EntryW-1:0] wait_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        wait_q <= '0;
      end else begin
        wait_q <= (Wait*EntryW)'({wait_q, entry_in});
      end
    end
    assign entry = wait_q[(Wait-1)*EntryW +: EntryW];
  end

  logic                         update0, clear0, rd_valid0;
  logic [ProfileW-1:0]          update_profile0;
  logic [ProfileBits-1:0]       update_word0;
  logic [weir_pkg::SelectW-1:0] rd_select0;
  logic [RowW-1:0]              rd_addr0;
  logic [Lanes-1:0]             rel_valid0, rel_last0, arr_valid0;
  logic [Lanes*RowW-1:0]        rel_pg0, rel_queue0, arr_pg0;
  logic [Lanes*LenW-1:0]        rel_cells0, arr_cells0;
  logic [Lanes*ByteW-1:0]       arr_bytes0;
  logic [Slots*RowW-1:0]        arr_queue0;
  logic [Slots-1:0]             arr_mask0;
  assign {update0, update_profile0, update_word0, clear0, rd_valid0, rd_select0, rd_addr0,
          rel_valid0, rel_last0, rel_pg0, rel_queue0, rel_cells0,
          arr_valid0, arr_pg0, arr_cells0, arr_bytes0, arr_queue0, arr_mask0} = entry;

  // Levels until the first request.
  logic starts, started_q;
  assign starts = |{rel_valid_i, arr_valid_i};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      started_q <= 1'b0;
    end else if (starts) begin
      started_q <= 1'b1;
    end
  end

  logic                            update1_q;
  logic [ProfileW-1:0]             update_profile1_q;
  logic [ProfileBits-1:0]          update_word1_q;
  logic [Profiles*ProfileBits-1:0] settings_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      update1_q         <= 1'b0;
      update_profile1_q <= '0;
      update_word1_q    <= '0;
      settings_q        <= '0;
    end else begin
      update1_q         <= update0;
      update_profile1_q <= update_profile0;
      update_word1_q    <= update_word0;
      if (!started_q && !starts) begin
        settings_q <= cfg_profile_i;
      end else if (update1_q) begin
        for (int p = 0; p < Profiles; p++) begin
          if (update_profile1_q == ProfileW'(p)) begin
            settings_q[p*ProfileBits +: ProfileBits] <= update_word1_q;
          end
        end
      end
    end
  end

  logic [Pools*LimitW-1:0]       pool_shared, pool_headroom;
  logic [Pools-1:0]              pool_dedicated;
  logic [EgressPools*LimitW-1:0] egress_shared;
  for (genvar p = 0; p < Pools; p++) begin : gen_pool
    assign {pool_dedicated[p], pool_headroom[p*LimitW +: LimitW], pool_shared[p*LimitW +: LimitW]} =
        cfg_pool_i[p*weir_pkg::PoolBits +: weir_pkg::PoolBits];
  end
  assign egress_shared = cfg_egress_pool_i;

  // ---- t: profiles of PGs and queues.
  logic                       map_done, map_queue_done, ingress_done, egress_done;
  logic [(Steps+1)*MapW-1:0]      map1;
  logic [(QueueSteps+1)*MapW-1:0] map_queue1;

  row_memory #(.Rows(Ports * 8), .Width(MapW), .Reads(Steps + 1), .Writes(1)) u_map_pg (
    .clk_i,
    .rst_ni,
    .init_done_o(map_done),
    .rd_row_i   ({rd_addr0, arr_pg0, rel_pg0}),
    .rd_data_o  (map1),
    .wr_valid_i (map_we_i && !map_queue_i),
    .wr_row_i   (map_addr_i),
    .wr_data_i  (map_data_i)
  );

  row_memory #(.Rows(Ports * 8), .Width(MapW), .Reads(QueueSteps + 1), .Writes(1)) u_map_queue (
    .clk_i,
    .rst_ni,
    .init_done_o(map_queue_done),
    .rd_row_i   ({rd_addr0, arr_queue0, rel_queue0}),
    .rd_data_o  (map_queue1),
    .wr_valid_i (map_we_i && map_queue_i),
    .wr_row_i   (map_addr_i),
    .wr_data_i  (map_data_i)
  );

  // ---- t + 1: requests, and the settings of their steps.
  logic [Lanes-1:0]       rel_valid1_q, rel_last1_q, arr_valid1_q;
  logic [Steps*RowW-1:0]  pg1_q;
  logic [Lanes*LenW-1:0]  rel_cells1_q, arr_cells1_q;
  logic [Lanes*ByteW-1:0] arr_bytes1_q;
  logic [Slots*RowW-1:0]  arr_queue1_q;
  logic [Slots-1:0]       arr_mask1_q;

  // Settings of a step, ready for use; what T and XOFF need is in gen_setting.
  localparam int AdmitW    = 2 * LimitW + 1;
  localparam int QueueSetW = LimitW + weir_pkg::AlphaNW + weir_pkg::AlphaMW + 1 + EgressW;
  logic [Lanes*AdmitW-1:0]    admit1;      // for admission
  logic [Slots*QueueSetW-1:0] queue_set1;
  logic [Steps*PoolW-1:0]     pool1;
  logic [Steps*LimitW-1:0]    private_limit1;
  logic [QueueSteps-1:0]      limited1;
  logic [QueueSteps*EgressW-1:0] egress_pool1;
  logic [QueueSteps*LimitW-1:0]  minimum1;

  for (genvar x = 0; x < Steps; x++) begin : gen_setting
    logic [MapW-1:0]              number;
    logic [ProfileBits-1:0]       word;
    logic [LimitW-1:0]            shared, headroom, constant;
    logic [weir_pkg::AlphaNW-1:0] slope_n;
    logic [weir_pkg::AlphaMW-1:0] slope_m;
    logic                         dedicated, lossless;
    logic [PoolW-1:0]             pool;
    assign number = map1[x*MapW +: MapW];
    always_comb begin
      word = '0;
      for (int p = 0; p < Profiles; p++) begin
        if (number == MapW'(p + 1)) word = settings_q[p*ProfileBits +: ProfileBits];
      end
    end
    assign pool = word[weir_pkg::ProfilePool +: PoolW];
    always_comb begin
      shared    = '0;
      headroom  = '0;
      dedicated = 1'b0;
      for (int p = 0; p < Pools; p++) begin
        if (pool == PoolW'(p)) begin
          shared    = pool_shared[p*LimitW +: LimitW];
          headroom  = pool_headroom[p*LimitW +: LimitW];
          dedicated = pool_dedicated[p];
        end
      end
    end
    threshold_line u_line (
      .line_i(word[weir_pkg::ProfileLine +: weir_pkg::LineBits]), .pool_i(shared),
      .slope_n_o(slope_n), .slope_m_o(slope_m), .constant_o(constant)
    );
    assign lossless                           = word[weir_pkg::ProfileLossless];
    assign private_limit1[x*LimitW +: LimitW] = word[weir_pkg::ProfilePrivate +: LimitW];
    assign pool1[x*PoolW +: PoolW]            = pool;
    // They go along with the step, in t + 2 and t + 3.
    logic [weir_pkg::AlphaNW-1:0] slope_n2_q;
    logic [weir_pkg::AlphaMW-1:0] slope_m2_q, slope_m3_q;
    logic [LimitW-1:0]            constant2_q, constant3_q, phi2_q, phi3_q;
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
        phi2_q        <= '0;
        phi3_q        <= '0;
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
        phi2_q        <= word[weir_pkg::ProfilePrivate +: LimitW];
        phi3_q        <= phi2_q;
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
    if (x >= Lanes) begin : gen_arrival
      assign admit1[(x-Lanes)*AdmitW +: AdmitW] = {
          dedicated, headroom,
          lossless ? word[weir_pkg::ProfileHeadroom +: LimitW] : {LimitW{1'b0}}};
    end else begin : gen_freeing
      logic unused_admit;
      assign unused_admit = ^{dedicated, headroom, word[weir_pkg::ProfileHeadroom +: LimitW]};
    end
    if (PoolW < weir_pkg::PoolIndexW) begin : gen_few_pools
      logic unused_pool;
      assign unused_pool = ^word[weir_pkg::ProfilePool + PoolW +: weir_pkg::PoolIndexW - PoolW];
    end
  end

  for (genvar x = 0; x < QueueSteps; x++) begin : gen_queue_setting
    logic [MapW-1:0]              number;
    logic [QueueBits-1:0]         word;
    logic [LimitW-1:0]            shared, constant;
    logic [weir_pkg::AlphaNW-1:0] slope_n;
    logic [weir_pkg::AlphaMW-1:0] slope_m;
    logic [EgressW-1:0]           pool;
    assign number = map_queue1[x*MapW +: MapW];
    always_comb begin
      word = '0;
      for (int p = 0; p < QueueProfiles; p++) begin
        if (number == MapW'(p + 1)) word = cfg_queue_profile_i[p*QueueBits +: QueueBits];
      end
    end
    assign pool = word[weir_pkg::QueuePool +: EgressW];
    always_comb begin
      shared = '0;
      for (int p = 0; p < EgressPools; p++) begin
        if (pool == EgressW'(p)) shared = egress_shared[p*LimitW +: LimitW];
      end
    end
    threshold_line u_line (
      .line_i(word[weir_pkg::QueueLine +: weir_pkg::LineBits]), .pool_i(shared),
      .slope_n_o(slope_n), .slope_m_o(slope_m), .constant_o(constant)
    );
    assign limited1[x]                         = number != '0;
    assign egress_pool1[x*EgressW +: EgressW] = pool;
    assign minimum1[x*LimitW +: LimitW]        = word[weir_pkg::QueueMinimum +: LimitW];
    if (x >= Lanes) begin : gen_copy
      assign queue_set1[(x-Lanes)*QueueSetW +: QueueSetW] =
          {pool, number != '0, slope_n, slope_m, constant};
    end else begin : gen_leaving
      logic unused_line;
      assign unused_line = ^{slope_n, slope_m, constant};
    end
    if (EgressW < weir_pkg::PoolIndexW) begin : gen_few_pools
      logic unused_pool;
      assign unused_pool = ^word[weir_pkg::QueuePool + EgressW +: weir_pkg::PoolIndexW - EgressW];
    end
  end

  logic [Lanes*LenW-1:0] freed1, left1;  // cells that leave the PG, the queue
  always_comb begin
    for (int k = 0; k < Lanes; k++) begin
      freed1[k*LenW +: LenW] = rel_cells1_q[k*LenW +: LenW] &
                               {LenW{rel_valid1_q[k] && rel_last1_q[k]}};
      left1[k*LenW +: LenW]  = rel_cells1_q[k*LenW +: LenW] &
                               {LenW{rel_valid1_q[k] && limited1[k]}};
    end
  end

  // ---- t + 2
  logic [Lanes-1:0]           rel_valid2_q, arr_valid2_q;
  logic [Steps*RowW-1:0]      pg2_q;
  logic [Lanes*LenW-1:0]      arr_cells2_q;
  logic [Lanes*ByteW-1:0]     arr_bytes2_q;
  logic [Slots*RowW-1:0]      arr_queue2_q;
  logic [Slots-1:0]           arr_mask2_q;
  logic [Lanes*AdmitW-1:0]    admit2_q;
  logic [Slots*QueueSetW-1:0] queue_set2_q;

  logic [Lanes*CellW-1:0]        base_shared, base_headroom;
  logic [Lanes*LimitW-1:0]       base_room;
  logic [Lanes*LenW-1:0]         base_private, base_rest;
  logic [Lanes-1:0]              base_empty;
  logic [Lanes*LimitW-1:0]       rel_free;
  logic [Pools*LimitW-1:0]       base_free, seen, end_free;
  logic [Pools*CellW-1:0]        base_headroom_sum, end_headroom, end_private;
  logic [Slots*CellW-1:0]        base_queue_shared;
  logic [Slots*LimitW-1:0]       base_queue_room;
  logic [Slots*LenW-1:0]         base_queue_rest;
  logic [EgressPools*FreeW-1:0]  base_egress_free, end_egress_free;

  logic [Lanes*PoolW-1:0]        chg_pool;
  logic [Lanes*2-1:0]            chg_to;
  logic [Lanes*LenW-1:0]         chg_private, chg_rest;
  logic [Slots*EgressW-1:0]      chg_egress_pool;
  logic [Slots-1:0]              chg_maybe, taken2, refused2, limited2;
  logic [Lanes-1:0]              chg_admit, lossless_empty2;
  logic [Lanes*ReasonW-1:0]      reason2;
  // n * (B - S), S before an arrival and after each step: T is finished in t + 3.
  logic [Lanes*ProductW-1:0]     product2;
  logic [Steps*ProductW-1:0]     after2;

  for (genvar k = 0; k < Lanes; k++) begin : gen_lane
    // Rows and sums as the lanes before have left them, for all lanes.
    logic [Lanes*CellW-1:0]       shared_in, shared_out, headroom_in, headroom_out;
    logic [Lanes*LimitW-1:0]      room_in, room_out;
    logic [Lanes-1:0]             empty_in, empty_out;
    logic [Pools*LimitW-1:0]      free_in, free_out;
    logic [Pools*CellW-1:0]       sum_in, sum_out;
    logic [Slots*CellW-1:0]       queue_shared_in, queue_shared_out;
    logic [Slots*LimitW-1:0]      queue_room_in, queue_room_out;
    logic [EgressPools*FreeW-1:0] egress_in, egress_out;
    logic [LenW-1:0]              cells, to_private, rest;
    if (k == 0) begin : gen_first
      assign shared_in       = base_shared;
      assign headroom_in     = base_headroom;
      assign room_in         = base_room;
      assign empty_in        = base_empty;
      assign free_in         = base_free;
      assign sum_in          = base_headroom_sum;
      assign queue_shared_in = base_queue_shared;
      assign queue_room_in   = base_queue_room;
      assign egress_in       = base_egress_free;
      assign to_private      = base_private[0 +: LenW];
      assign rest            = base_rest[0 +: LenW];
    end else begin : gen_next
      logic [LimitW-1:0] room;
      logic              unused_base;
      assign shared_in       = gen_lane[k-1].shared_out;
      assign headroom_in     = gen_lane[k-1].headroom_out;
      assign room_in         = gen_lane[k-1].room_out;
      assign empty_in        = gen_lane[k-1].empty_out;
      assign free_in         = gen_lane[k-1].free_out;
      assign sum_in          = gen_lane[k-1].sum_out;
      assign queue_shared_in = gen_lane[k-1].queue_shared_out;
      assign queue_room_in   = gen_lane[k-1].queue_room_out;
      assign egress_in       = gen_lane[k-1].egress_out;
      assign room            = room_in[k*LimitW +: LimitW];
      assign to_private      = (LimitW'(cells) < room) ? cells : room[LenW-1:0];
      assign rest            = cells - to_private;
      assign unused_base     = ^{base_private[k*LenW +: LenW], base_rest[k*LenW +: LenW]};
    end

    logic [weir_pkg::AlphaNW-1:0] slope_n;
    logic [weir_pkg::AlphaMW-1:0] slope_m;
    logic [LimitW-1:0]            constant, free_pool, free_seen, headroom_pool, headroom_limit;
    logic [CellW-1:0]             sum_pool;
    logic [PoolW-1:0]             pool;
    logic                         dedicated, below, lossless;
    assign cells = arr_cells2_q[k*LenW +: LenW];
    assign slope_n  = gen_setting[Lanes+k].slope_n2_q;
    assign slope_m  = gen_setting[Lanes+k].slope_m2_q;
    assign constant = gen_setting[Lanes+k].constant2_q;
    assign lossless = gen_setting[Lanes+k].rules2_q[0];
    assign pool     = gen_setting[Lanes+k].pool2_q;
    assign {dedicated, headroom_pool, headroom_limit} = admit2_q[k*AdmitW +: AdmitW];

    always_comb begin
      free_pool = '0;
      free_seen = '0;
      sum_pool  = '0;
      for (int p = 0; p < Pools; p++) begin
        if (pool == PoolW'(p)) begin
          free_pool = free_in[p*LimitW +: LimitW];
          free_seen = (ThresholdLag == 0) ? free_in[p*LimitW +: LimitW] : seen[p*LimitW +: LimitW];
          sum_pool  = sum_in[p*CellW +: CellW];
        end
      end
    end

    threshold_reach #(.CellW(CellW)) u_below (
      .free_i(free_seen), .slope_n_i(slope_n), .slope_m_i(slope_m), .constant_i(constant),
      .held_i(shared_in[k*CellW +: CellW]), .plus_i(LimitW'(1)), .reaches_o(below)
    );
    // Both products are ready before the verdict.
    logic [ProductW-1:0] product, less;
    assign product = ProductW'(free_seen) * ProductW'(slope_n);
    assign less    = ProductW'(free_pool) * ProductW'(slope_n) -
                     ProductW'(rest) * ProductW'(slope_n);
    assign product2[k*ProductW +: ProductW]       = product;

    logic [Copies-1:0]        fits, queue_below, limited, accepts, refused;
    logic [Copies*LenW-1:0]   to_shared;   // of each copy
    logic [Copies*EgressW-1:0] egress_pool;
    for (genvar c = 0; c < Copies; c++) begin : gen_copy
      localparam int S = k * Copies + c;
      logic [weir_pkg::AlphaNW-1:0] queue_n;
      logic [weir_pkg::AlphaMW-1:0] queue_m;
      logic [LimitW-1:0]            queue_constant, room, free;
      logic [EgressW-1:0]           queue_pool;
      assign {queue_pool, limited[c], queue_n, queue_m, queue_constant} =
          queue_set2_q[S*QueueSetW +: QueueSetW];
      assign room    = queue_room_in[S*LimitW +: LimitW];
      if (k == 0) begin : gen_ready
        logic unused_room;
        assign unused_room = ^room;
        assign to_shared[c*LenW +: LenW] = base_queue_rest[S*LenW +: LenW];
      end else begin : gen_later
        logic unused_rest;
        assign to_shared[c*LenW +: LenW] = (LimitW'(cells) <= room) ? '0 : cells - room[LenW-1:0];
        assign unused_rest = ^base_queue_rest[S*LenW +: LenW];
      end
      assign fits[c] = to_shared[c*LenW +: LenW] == '0;
      assign egress_pool[c*EgressW +: EgressW] = queue_pool;
      always_comb begin
        free = '0;
        for (int p = 0; p < EgressPools; p++) begin
          if (queue_pool == EgressW'(p) && !egress_in[(p+1)*FreeW-1]) begin
            free = LimitW'(egress_in[p*FreeW +: FreeW]);
          end
        end
      end
      threshold_reach #(.CellW(CellW)) u_queue_below (
        .free_i(free), .slope_n_i(queue_n), .slope_m_i(queue_m), .constant_i(queue_constant),
        .held_i(queue_shared_in[S*CellW +: CellW]), .plus_i(LimitW'(1)), .reaches_o(queue_below[c])
      );
    end

    logic [1:0] to;
    logic       admitted;
    admission #(.Copies(Copies), .CellW(CellW), .LenW(LenW)) u_admission (
      .valid_i         (arr_valid2_q[k]),
      .rest_i          (rest),
      .below_i         (below),
      .free_i          (free_pool),
      .headroom_i      (headroom_in[k*CellW +: CellW]),
      .headroom_sum_i  (sum_pool),
      .headroom_limit_i(headroom_limit),
      .headroom_pool_i (headroom_pool),
      .dedicated_i     (dedicated),
      .queue_mask_i    (arr_mask2_q[k*Copies +: Copies]),
      .queue_limited_i (limited),
      .queue_fits_i    (fits),
      .queue_below_i   (queue_below),
      .reason_o        (reason2[k*ReasonW +: ReasonW]),
      .to_o            (to),
      .admitted_o      (admitted),
      .queue_accepts_o (accepts),
      .queue_refused_o (refused)
    );

    assign after2[(Lanes+k)*ProductW +: ProductW] = (ThresholdLag == 0 && to[0]) ? less : product;

    // What this lane charges. With one copy, admitted says that the queue has accepted.
    logic [Copies-1:0] maybe;
    assign maybe = limited & ((Copies == 1) ? arr_mask2_q[k*Copies +: Copies] : accepts);
    assign chg_pool[k*PoolW +: PoolW]                             = pool;
    assign chg_to[k*2 +: 2]                                       = to;
    assign chg_private[k*LenW +: LenW]                            = to_private;
    assign chg_rest[k*LenW +: LenW]                               = rest;
    assign chg_egress_pool[k*Copies*EgressW +: Copies*EgressW]    = egress_pool;
    assign chg_maybe[k*Copies +: Copies]                          = maybe;
    assign chg_admit[k]                                           = admitted;
    assign taken2[k*Copies +: Copies]                             = accepts & {Copies{admitted}};
    assign refused2[k*Copies +: Copies]                           = refused;
    assign limited2[k*Copies +: Copies]                           = limited;
    assign lossless_empty2[k]                                     = lossless && empty_in[k];

    always_comb begin
      shared_out       = shared_in;
      headroom_out     = headroom_in;
      room_out         = room_in;
      empty_out        = empty_in;
      free_out         = free_in;
      sum_out          = sum_in;
      queue_shared_out = queue_shared_in;
      queue_room_out   = queue_room_in;
      egress_out       = egress_in;
      for (int m = 0; m < Lanes; m++) begin
        if (pg2_q[(Lanes+m)*RowW +: RowW] == pg2_q[(Lanes+k)*RowW +: RowW] && to != 2'd0) begin
          room_out[m*LimitW +: LimitW] = room_in[m*LimitW +: LimitW] - LimitW'(to_private);
          if (cells != '0) empty_out[m] = 1'b0;
          if (to[0]) shared_out[m*CellW +: CellW] = shared_in[m*CellW +: CellW] + CellW'(rest);
          if (to[1]) headroom_out[m*CellW +: CellW] = headroom_in[m*CellW +: CellW] + CellW'(rest);
        end
      end
      for (int p = 0; p < Pools; p++) begin
        if (pool == PoolW'(p)) begin
          if (to[0]) free_out[p*LimitW +: LimitW] = free_in[p*LimitW +: LimitW] - LimitW'(rest);
          if (to[1]) sum_out[p*CellW +: CellW] = sum_in[p*CellW +: CellW] + CellW'(rest);
        end
      end
      for (int c = 0; c < Copies; c++) begin
        if (maybe[c] && admitted) begin
          for (int m = 0; m < Slots; m++) begin
            if (arr_queue2_q[m*RowW +: RowW] == arr_queue2_q[(k*Copies+c)*RowW +: RowW]) begin
              queue_shared_out[m*CellW +: CellW] =
                  queue_shared_out[m*CellW +: CellW] + CellW'(to_shared[c*LenW +: LenW]);
              queue_room_out[m*LimitW +: LimitW] = queue_room_out[m*LimitW +: LimitW] -
                  LimitW'(cells) + LimitW'(to_shared[c*LenW +: LenW]);
            end
          end
          for (int p = 0; p < EgressPools; p++) begin
            if (egress_pool[c*EgressW +: EgressW] == EgressW'(p)) begin
              egress_out[p*FreeW +: FreeW] =
                  egress_out[p*FreeW +: FreeW] - FreeW'(to_shared[c*LenW +: LenW]);
            end
          end
        end
      end
    end
    if (k == Lanes - 1) begin : gen_last
      logic unused_out;
      assign unused_out = ^{shared_out, headroom_out, room_out, empty_out, free_out, sum_out,
                            queue_shared_out, queue_room_out, egress_out};
    end
  end

  for (genvar k = 0; k < Lanes; k++) begin : gen_release
    logic [LimitW-1:0] free;
    always_comb begin
      free = rel_free[k*LimitW +: LimitW];
      for (int p = 0; p < Pools; p++) begin
        if (ThresholdLag != 0 && gen_setting[k].pool2_q == PoolW'(p)) begin
          free = seen[p*LimitW +: LimitW];
        end
      end
    end
    assign after2[k*ProductW +: ProductW] = ProductW'(free) * ProductW'(gen_setting[k].slope_n2_q);
  end

  // ---- t + 3
  logic [Lanes-1:0]            rel_valid3_q, arr_valid3_q, lossless_empty3_q;
  logic [Steps*RowW-1:0]       pg3_q;
  logic [Lanes*ByteW-1:0]      arr_bytes3_q;
  logic [Slots*RowW-1:0]       arr_queue3_q;
  logic [Slots-1:0]            taken3_q, refused3_q, limited3_q;
  logic [Lanes*ReasonW-1:0]    reason3_q;
  logic [Lanes*ProductW-1:0]   product3_q;
  logic [Lanes*ThresholdW-1:0] arr_threshold3;
  logic [Lanes*2-1:0]          to3_q;
  logic [Lanes*LenW-1:0]       private3_q, rest3_q;
  logic [Steps*ProductW-1:0]   after3_q;

  logic [Lanes-1:0]        rel_error_pg, rel_error_queue;
  logic [Steps*CellW-1:0]  held_private, held_shared, held_headroom;
  logic [Lanes*CellW-1:0]  sum_private, sum_shared, sum_headroom;
  logic [Slots*CellW-1:0]  held_queue_minimum, held_queue_shared;

  logic [RowW-1:0]    rd_addr2_q;  // of a read in t + 2
  logic [3*CellW-1:0] rd_pg_row;
  logic [2*CellW-1:0] rd_queue_row;

  ingress_accounting #(
    .Ports(Ports), .Lanes(Lanes), .Pools(Pools), .CellW(CellW), .LenW(LenW),
    .ThresholdLag(ThresholdLag)
  ) u_ingress_accounting (
    .clk_i,
    .rst_ni,
    .init_done_o    (ingress_done),
    .load_i         (!started_q),
    .pool_shared_i  (pool_shared),
    .rel_pg_i       (rel_pg0),
    .arr_pg_i       (arr_pg0),
    .rel_cells_i    (freed1),
    .rel_pool_i     (pool1[0 +: Lanes*PoolW]),
    .arr_cells_i    (arr_cells1_q),
    .arr_limit_i    (private_limit1[Lanes*LimitW +: Lanes*LimitW]),
    .arr_shared_o   (base_shared),
    .arr_headroom_o (base_headroom),
    .arr_room_o     (base_room),
    .arr_private_o  (base_private),
    .arr_rest_o     (base_rest),
    .arr_empty_o    (base_empty),
    .rel_free_o     (rel_free),
    .free_o         (base_free),
    .seen_o         (seen),
    .headroom_sum_o (base_headroom_sum),
    .chg_pool_i     (chg_pool),
    .chg_to_i       (chg_to),
    .chg_private_i  (chg_private),
    .chg_rest_i     (chg_rest),
    .rel_error_o    (rel_error_pg),
    .held_private_o (held_private),
    .held_shared_o  (held_shared),
    .held_headroom_o(held_headroom),
    .sum_private_o  (sum_private),
    .sum_shared_o   (sum_shared),
    .sum_headroom_o (sum_headroom),
    .end_free_o     (end_free),
    .end_headroom_o (end_headroom),
    .end_private_o  (end_private),
    .rd_pg_i        (rd_addr2_q),
    .rd_row_o       (rd_pg_row)
  );

  egress_accounting #(
    .Ports(Ports), .Lanes(Lanes), .Copies(Copies), .Pools(EgressPools), .CellW(CellW), .LenW(LenW)
  ) u_egress_accounting (
    .clk_i,
    .rst_ni,
    .init_done_o   (egress_done),
    .load_i        (!started_q),
    .pool_shared_i (egress_shared),
    .rel_queue_i   (rel_queue0),
    .arr_queue_i   (arr_queue0),
    .rel_cells_i   (left1),
    .rel_pool_i    (egress_pool1[0 +: Lanes*EgressW]),
    .arr_cells_i   (arr_cells1_q),
    .arr_limit_i   (minimum1[Lanes*LimitW +: Slots*LimitW]),
    .arr_shared_o  (base_queue_shared),
    .arr_room_o    (base_queue_room),
    .arr_rest_o    (base_queue_rest),
    .free_o        (base_egress_free),
    .chg_pool_i    (chg_egress_pool),
    .chg_cells_i   (arr_cells2_q),
    .chg_maybe_i   (chg_maybe),
    .chg_admit_i   (chg_admit),
    .rel_error_o   (rel_error_queue),
    .held_minimum_o(held_queue_minimum),
    .held_shared_o (held_queue_shared),
    .end_free_o    (end_egress_free),
    .rd_queue_i    (rd_addr2_q),
    .rd_row_o      (rd_queue_row)
  );

  logic unused_settings;
  assign unused_settings = ^{egress_pool1[Lanes*EgressW +: Slots*EgressW], limited1, minimum1,
                             private_limit1, pool1};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rel_valid1_q      <= '0;
      rel_last1_q       <= '0;
      arr_valid1_q      <= '0;
      pg1_q             <= '0;
      rel_cells1_q      <= '0;
      arr_cells1_q      <= '0;
      arr_bytes1_q      <= '0;
      arr_queue1_q      <= '0;
      arr_mask1_q       <= '0;
      rel_valid2_q      <= '0;
      arr_valid2_q      <= '0;
      pg2_q             <= '0;
      arr_cells2_q      <= '0;
      arr_bytes2_q      <= '0;
      arr_queue2_q      <= '0;
      arr_mask2_q       <= '0;
      admit2_q          <= '0;
      queue_set2_q      <= '0;
      rel_valid3_q      <= '0;
      arr_valid3_q      <= '0;
      pg3_q             <= '0;
      arr_bytes3_q      <= '0;
      arr_queue3_q      <= '0;
      taken3_q          <= '0;
      refused3_q        <= '0;
      limited3_q        <= '0;
      lossless_empty3_q <= '0;
      reason3_q         <= '0;
      product3_q        <= '0;
      to3_q             <= '0;
      private3_q        <= '0;
      rest3_q           <= '0;
      after3_q          <= '0;
    end else begin
      rel_valid1_q      <= rel_valid0;
      rel_last1_q       <= rel_last0;
      arr_valid1_q      <= arr_valid0;
      pg1_q             <= {arr_pg0, rel_pg0};
      rel_cells1_q      <= rel_cells0;
      arr_cells1_q      <= arr_cells0;
      arr_bytes1_q      <= arr_bytes0;
      arr_queue1_q      <= arr_queue0;
      arr_mask1_q       <= arr_mask0;
      rel_valid2_q      <= rel_valid1_q;
      arr_valid2_q      <= arr_valid1_q;
      pg2_q             <= pg1_q;
      arr_cells2_q      <= arr_cells1_q;
      arr_bytes2_q      <= arr_bytes1_q;
      arr_queue2_q      <= arr_queue1_q;
      arr_mask2_q       <= arr_mask1_q;
      admit2_q          <= admit1;
      queue_set2_q      <= queue_set1;
      rel_valid3_q      <= rel_valid2_q;
      arr_valid3_q      <= arr_valid2_q;
      pg3_q             <= pg2_q;
      arr_bytes3_q      <= arr_bytes2_q;
      arr_queue3_q      <= arr_queue2_q;
      taken3_q          <= taken2;
      refused3_q        <= refused2;
      limited3_q        <= limited2;
      lossless_empty3_q <= lossless_empty2;
      reason3_q         <= reason2;
      product3_q        <= product2;
      to3_q             <= chg_to;
      private3_q        <= chg_private;
      rest3_q           <= chg_rest;
      after3_q          <= after2;
    end
  end

  logic [Steps-1:0]        pfc_valid, pressed, full, empty, in_headroom, below3, reached3;
  logic [Steps-1:0]        trigger, rule;
  logic [Steps*LimitW-1:0] xon3;
  logic [Steps*PoolW-1:0]  pool3;
  logic [Steps-1:0]        level, changed;
  for (genvar x = 0; x < Steps; x++) begin : gen_step
    logic [weir_pkg::AlphaMW-1:0] slope_m;
    logic [LimitW-1:0]            constant;
    logic [ProductW-1:0]          product;
    logic                         lossless;
    assign slope_m                     = gen_setting[x].slope_m3_q;
    assign constant                    = gen_setting[x].constant3_q;
    assign {rule[x], trigger[x], lossless} = gen_setting[x].rules3_q;
    assign pool3[x*PoolW +: PoolW]     = gen_setting[x].pool3_q;
    assign xon3[x*LimitW +: LimitW]    = gen_setting[x].xon3_q;
    assign product                     = after3_q[x*ProductW +: ProductW];
    product_reach #(.CellW(CellW)) u_resume (
      .product_i(product), .slope_m_i(slope_m), .constant_i(constant),
      .held_i(held_shared[x*CellW +: CellW]), .plus_i(gen_setting[x].xon_offset3_q),
      .reaches_o(reached3[x])
    );
    product_reach #(.CellW(CellW)) u_below (
      .product_i(product), .slope_m_i(slope_m), .constant_i(constant),
      .held_i(held_shared[x*CellW +: CellW]), .plus_i(LimitW'(1)), .reaches_o(below3[x])
    );
    assign full[x]        = LimitW'(held_private[x*CellW +: CellW]) ==
                            gen_setting[x].phi3_q;
    assign in_headroom[x] = held_headroom[x*CellW +: CellW] != '0;
    assign empty[x]       = held_private[x*CellW +: CellW] == '0 &&
                            held_shared[x*CellW +: CellW] == '0 && !in_headroom[x];
    if (x < Lanes) begin : gen_freeing
      logic unused_lossless;  // a lossy PG is never XOFF: a release leaves it so
      assign unused_lossless = lossless;
      assign pfc_valid[x]    = rel_valid3_q[x] && !rel_error_pg[x];
      assign pressed[x]      = 1'b0;
    end else begin : gen_arrival
      localparam int K = x - Lanes;
      threshold_value u_threshold (
        .product_i(product3_q[K*ProductW +: ProductW]), .slope_m_i(slope_m),
        .constant_i(constant), .threshold_o(arr_threshold3[K*ThresholdW +: ThresholdW])
      );
      assign pfc_valid[x] = arr_valid3_q[K] && lossless;
      assign pressed[x]   = to3_q[K*2 +: 2] == 2'd0 ||
                            (to3_q[K*2 + 1] && rest3_q[K*LenW +: LenW] != '0);
    end
  end

  pfc_state #(.Ports(Ports), .Lanes(Lanes), .CellW(CellW)) u_pfc_state (
    .clk_i,
    .rst_ni,
    .valid_i      (pfc_valid),
    .pg_i         (pg3_q),
    .pressed_i    (pressed),
    .full_i       (full),
    .empty_i      (empty),
    .shared_i     (held_shared),
    .in_headroom_i(in_headroom),
    .below_i      (below3),
    .reached_i    (reached3),
    .xon_i        (xon3),
    .trigger_i    (trigger),
    .rule_i       (rule),
    .level_o      (level),
    .changed_o    (changed),
    .xoff_o,
    .before_o     (xoff_before_o)
  );

  assign rel_valid_o     = rel_valid3_q;
  assign rel_pg_o        = pg3_q[0 +: Lanes*RowW];
  assign rel_xoff_o      = level[0 +: Lanes];
  assign rel_changed_o   = changed[0 +: Lanes];
  assign rel_error_o     = rel_valid3_q & (rel_error_pg | rel_error_queue);
  assign arr_valid_o     = arr_valid3_q;
  assign arr_pg_o        = pg3_q[Lanes*RowW +: Lanes*RowW];
  assign arr_reason_o    = reason3_q;
  assign arr_threshold_o = arr_threshold3;
  assign arr_xoff_o      = level[Lanes +: Lanes];
  assign arr_changed_o   = changed[Lanes +: Lanes];
  assign arr_mask_o      = taken3_q;
  for (genvar k = 0; k < Lanes; k++) begin : gen_verdict
    logic [1:0] to;
    assign to = to3_q[k*2 +: 2];
    assign arr_private_o[k*LenW +: LenW]  = (to != '0) ? private3_q[k*LenW +: LenW] : '0;
    assign arr_shared_o[k*LenW +: LenW]   = to[0] ? rest3_q[k*LenW +: LenW] : '0;
    assign arr_headroom_o[k*LenW +: LenW] = to[1] ? rest3_q[k*LenW +: LenW] : '0;
  end

  // ---- Releases of more than was held.
  logic [StatW-1:0] errors_d, errors_q;
  always_comb begin
    errors_d = errors_q;
    for (int k = 0; k < Lanes; k++) begin
      if (rel_error_o[k]) errors_d = errors_d + StatW'(1);
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      errors_q <= '0;
    end else begin
      errors_q <= errors_d;
    end
  end

  // ---- Reads and clears. A read in t + 2 finds rows and sums after the step before its own.
  logic [3:0]                   clear_q;       // in t + 1 .. t + 4
  logic [4:0]                   rd_valid_q;    // in t + 1 .. t + 5
  logic [weir_pkg::SelectW-1:0] rd_select1_q, rd_select2_q, rd_select3_q;
  logic [RowW-1:0]              rd_addr1_q, rd_addr3_q;
  logic [Pools*LimitW-1:0]      rd_seen3_q;
  logic [Pools*LimitW-1:0]      rd_free3_q;
  logic [Pools*CellW-1:0]       rd_headroom3_q, rd_private3_q;
  logic [EgressPools*FreeW-1:0] rd_egress3_q;
  logic [weir_pkg::ReadW-1:0]   rd_data3, rd_data4_q, rd_data5_q, rd_stats;
  logic                         rd_stats_valid;
  logic [weir_pkg::TableW-1:0]  rd_table3;
  logic [weir_pkg::FieldW-1:0]  rd_field3;
  // T of a PG takes two cycles: the product, then T.
  logic [ProductW-1:0]          rd_product4_q;
  logic [weir_pkg::AlphaMW-1:0] rd_m4_q;
  logic [LimitW-1:0]            rd_constant4_q;
  logic                         rd_is_threshold4_q;
  logic [ThresholdW-1:0]        rd_threshold;
  assign {rd_table3, rd_field3} = rd_select3_q;
  logic [5:0] rd_word3;  // the field as csr_map_pkg has it
  assign rd_word3 = {1'b0, rd_field3};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      clear_q        <= '0;
      rd_valid_q     <= '0;
      rd_select1_q   <= '0;
      rd_select2_q   <= '0;
      rd_select3_q   <= '0;
      rd_addr1_q     <= '0;
      rd_addr2_q     <= '0;
      rd_addr3_q     <= '0;
      rd_seen3_q     <= '0;
      rd_free3_q     <= '0;
      rd_headroom3_q <= '0;
      rd_private3_q  <= '0;
      rd_egress3_q   <= '0;
      rd_data4_q     <= '0;
      rd_data5_q     <= '0;
    end else begin
      clear_q        <= {clear_q[2:0], clear0};
      rd_valid_q     <= {rd_valid_q[3:0], rd_valid0};
      rd_select1_q   <= rd_select0;
      rd_select2_q   <= rd_select1_q;
      rd_select3_q   <= rd_select2_q;
      rd_addr1_q     <= rd_addr0;
      rd_addr2_q     <= rd_addr1_q;
      rd_addr3_q     <= rd_addr2_q;
      if (rd_valid_q[1]) begin
        rd_seen3_q     <= (ThresholdLag == 0) ? end_free : seen;
        rd_free3_q     <= end_free;
        rd_headroom3_q <= end_headroom;
        rd_private3_q  <= end_private;
        rd_egress3_q   <= end_egress_free;
      end
      rd_data4_q     <= rd_valid_q[2] ? rd_data3 : '0;
      rd_data5_q     <= rd_is_threshold4_q ? ReadW'(rd_threshold) : rd_data4_q;
    end
  end

  // T of a PG, as its next step would find it: the settings are those of the read's own cycle.
  localparam int RdLineW = weir_pkg::ProfilePool + PoolW;  // pool and line of a profile
  logic [MapW-1:0]              rd_map1, rd_map2_q, rd_map3_q;
  logic [MapW-1:0]              rd_map_queue1, rd_map_queue2_q, rd_map_queue3_q;
  logic [RdLineW-1:0]           rd_line1, rd_line2_q, rd_line3_q;
  logic [weir_pkg::AlphaNW-1:0] rd_n;
  logic [weir_pkg::AlphaMW-1:0] rd_m;
  logic [LimitW-1:0]            rd_constant, rd_pool_shared, rd_pool_free;
  assign rd_map1       = map1[Steps*MapW +: MapW];
  assign rd_map_queue1 = map_queue1[QueueSteps*MapW +: MapW];
  always_comb begin
    rd_line1 = '0;
    for (int p = 0; p < Profiles; p++) begin
      if (rd_map1 == MapW'(p + 1)) rd_line1 = settings_q[p*ProfileBits +: RdLineW];
    end
    rd_pool_shared = '0;
    rd_pool_free   = '0;
    for (int p = 0; p < Pools; p++) begin
      if (rd_line3_q[weir_pkg::ProfilePool +: PoolW] == PoolW'(p)) begin
        rd_pool_shared = pool_shared[p*LimitW +: LimitW];
        rd_pool_free   = rd_seen3_q[p*LimitW +: LimitW];
      end
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rd_map2_q       <= '0;
      rd_map3_q       <= '0;
      rd_map_queue2_q <= '0;
      rd_map_queue3_q <= '0;
      rd_line2_q      <= '0;
      rd_line3_q      <= '0;
      rd_product4_q      <= '0;
      rd_m4_q            <= '0;
      rd_constant4_q     <= '0;
      rd_is_threshold4_q <= 1'b0;
    end else begin
      rd_map2_q       <= rd_map1;
      rd_map3_q       <= rd_map2_q;
      rd_map_queue2_q <= rd_map_queue1;
      rd_map_queue3_q <= rd_map_queue2_q;
      if (rd_valid_q[0]) rd_line2_q <= rd_line1;
      if (rd_valid_q[1]) rd_line3_q <= rd_line2_q;
      if (rd_valid_q[2]) begin
        rd_product4_q  <= ProductW'(rd_pool_free) * ProductW'(rd_n);
        rd_m4_q        <= rd_m;
        rd_constant4_q <= rd_constant;
      end
      rd_is_threshold4_q <= rd_valid_q[2] && rd_table3 == weir_pkg::TablePg &&
                            rd_word3 == csr_map_pkg::PgThreshold;
    end
  end
  threshold_line u_rd_line (
    .line_i(rd_line3_q[weir_pkg::ProfileLine +: weir_pkg::LineBits]), .pool_i(rd_pool_shared),
    .slope_n_o(rd_n), .slope_m_o(rd_m), .constant_o(rd_constant)
  );
  threshold_value u_rd_threshold (
    .product_i(rd_product4_q), .slope_m_i(rd_m4_q), .constant_i(rd_constant4_q),
    .threshold_o(rd_threshold)
  );

  always_comb begin
    rd_data3 = '0;
    case (rd_table3)
      weir_pkg::TablePg: begin
        case (rd_word3)
          csr_map_pkg::PgPrivate:   rd_data3 = ReadW'(rd_pg_row[0 +: CellW]);
          csr_map_pkg::PgShared:    rd_data3 = ReadW'(rd_pg_row[CellW +: CellW]);
          csr_map_pkg::PgHeadroom:  rd_data3 = ReadW'(rd_pg_row[2*CellW +: CellW]);
          // PgThreshold comes one cycle later.
          csr_map_pkg::PgXoff:      rd_data3 = ReadW'(xoff_before_o[rd_addr3_q]);
          csr_map_pkg::PgProfile:   rd_data3 = ReadW'(rd_map3_q);
          default:                  rd_data3 = '0;
        endcase
      end
      weir_pkg::TableQueue: begin
        case (rd_field3)
          weir_pkg::QueueFieldMinimum: rd_data3 = ReadW'(rd_queue_row[0 +: CellW]);
          weir_pkg::QueueFieldShared:  rd_data3 = ReadW'(rd_queue_row[CellW +: CellW]);
          weir_pkg::QueueFieldProfile: rd_data3 = ReadW'(rd_map_queue3_q);
          default:                     rd_data3 = '0;
        endcase
      end
      weir_pkg::TablePool: begin
        for (int p = 0; p < Pools; p++) begin
          if (32'(rd_addr3_q) == 32'(p)) begin
            case (rd_word3)
              csr_map_pkg::PoolShared:
                rd_data3 = ReadW'(pool_shared[p*LimitW +: LimitW]) -
                           ReadW'(rd_free3_q[p*LimitW +: LimitW]);
              csr_map_pkg::PoolHeadroom: rd_data3 = ReadW'(rd_headroom3_q[p*CellW +: CellW]);
              csr_map_pkg::PoolPrivate:  rd_data3 = ReadW'(rd_private3_q[p*CellW +: CellW]);
              default:                   rd_data3 = '0;
            endcase
          end
        end
      end
      weir_pkg::TableEgressPool: begin
        for (int p = 0; p < EgressPools; p++) begin
          if (32'(rd_addr3_q) == 32'(p) && rd_field3 == '0) begin
            rd_data3 = ReadW'(egress_shared[p*LimitW +: LimitW]) -
                       {{(ReadW-FreeW){rd_egress3_q[(p+1)*FreeW-1]}},
                        rd_egress3_q[p*FreeW +: FreeW]};
          end
        end
      end
      weir_pkg::TableDomain: rd_data3 = (rd_field3 == '0) ? ReadW'(errors_q) : '0;
      default:               rd_data3 = '0;
    endcase
  end

  stats_counters #(
    .Ports(Ports), .Lanes(Lanes), .Copies(Copies), .Pools(Pools), .CellW(CellW), .ByteW(ByteW),
    .StatW(StatW)
  ) u_stats_counters (
    .clk_i,
    .rst_ni,
    .clear_i         (clear_q[3]),
    .valid_i         (arr_valid3_q),
    .pg_i            (pg3_q[Lanes*RowW +: Lanes*RowW]),
    .reason_i        (reason3_q),
    .bytes_i         (arr_bytes3_q),
    .lossless_empty_i(lossless_empty3_q),
    .xoff_i          (level[Lanes +: Lanes]),
    .turned_i        (changed[Lanes +: Lanes]),
    .private_i       (held_private[Lanes*CellW +: Lanes*CellW]),
    .shared_i        (held_shared[Lanes*CellW +: Lanes*CellW]),
    .headroom_i      (held_headroom[Lanes*CellW +: Lanes*CellW]),
    .threshold_i     (arr_threshold3),
    .pool_i          (pool3[Lanes*PoolW +: Lanes*PoolW]),
    .pool_private_i  (sum_private),
    .pool_shared_i   (sum_shared),
    .pool_headroom_i (sum_headroom),
    .queue_i         (arr_queue3_q),
    .queue_entered_i (taken3_q),
    .queue_refused_i (refused3_q),
    .queue_limited_i (limited3_q),
    .queue_minimum_i (held_queue_minimum),
    .queue_shared_i  (held_queue_shared),
    .rd_valid_i      (rd_valid_q[2] && rd_table3 <= weir_pkg::TablePool),
    .rd_table_i      (rd_table3[1:0]),
    .rd_row_i        (rd_addr3_q),
    .rd_field_i      (rd_field3),
    .rd_valid_o      (rd_stats_valid),
    .rd_data_o       (rd_stats)
  );
  logic unused_pool3;
  assign unused_pool3 = ^pool3;

  assign rd_valid_o  = rd_valid_q[4];
  assign rd_data_o   = rd_data5_q | (rd_stats & {ReadW{rd_stats_valid}});
  assign init_done_o = map_done && map_queue_done && ingress_done && egress_done;

  initial begin
    if (Ports < 1 || Ports > 4096) $fatal(1, "Ports = %0d: must be 1 to 4096", Ports);
    if (Lanes != 1 && Lanes != 2 && Lanes != 4) $fatal(1, "Lanes = %0d: must be 1, 2 or 4", Lanes);
    if (Copies < 1 || Copies > 8) $fatal(1, "Copies = %0d: must be 1 to 8", Copies);
    if (Profiles < 1 || Profiles > 255) begin
      $fatal(1, "Profiles = %0d: must be 1 to 255", Profiles);
    end
    if (QueueProfiles < 1 || QueueProfiles > 255) begin
      $fatal(1, "QueueProfiles = %0d: must be 1 to 255", QueueProfiles);
    end
    if (Pools < 1 || Pools > MostPools) begin
      $fatal(1, "Pools = %0d: must be 1 to MostPools = %0d", Pools, MostPools);
    end
    if (EgressPools < 1 || EgressPools > MostPools) begin
      $fatal(1, "EgressPools = %0d: must be 1 to MostPools = %0d", EgressPools, MostPools);
    end
    if (CellW < 8 || CellW > 24) $fatal(1, "CellW = %0d: must be 8 to 24", CellW);
    if (LenW < 1 || LenW > CellW) $fatal(1, "LenW = %0d: must be 1 to CellW = %0d", LenW, CellW);
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
    if (ByteW < 1 || ByteW > 32) $fatal(1, "ByteW = %0d: must be 1 to 32", ByteW);
    if (StatW < ByteW || StatW > 64) begin
      $fatal(1, "StatW = %0d: must be ByteW = %0d to 64", StatW, ByteW);
    end
  end

endmodule

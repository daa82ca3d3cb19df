// SPDX-License-Identifier: Apache-2.0
//
// Settings of the steps of a memory domain: profiles of PGs with their changes, the profile of each
// PG and queue, and what each step needs of them, in the cycles in which it needs it.
//
// Steps of PGs: releases in lane order, then arrivals; of queues: releases, then lane by lane the
// copies. The number of a step is its index in a vector.
//
// Units:   cells.
// Latency: from rows (cycle t) to *1_o 1 cycle, *2_o 2 cycles, *3_o 3 cycles.
// Memory:  profiles of PGs 2*Lanes + 1 reads, of queues Lanes*(1 + Copies) + 1, one write each.
// Golden:  none of its own; part of weir_domain, compared every cycle by tb/lockstep.
// Source:  docs/design/contract.md, 2.
module domain_settings #(
  parameter int Ports         = 8,  // 1 .. MaxPorts
  parameter int Lanes         = 1,  // 1 .. MaxLanes
  parameter int Copies        = 1,  // 1 .. MaxCopies
  parameter int Profiles      = 4,  // 1 .. MaxProfiles
  parameter int QueueProfiles = 2,  // 1 .. MaxProfiles
  parameter int Pools         = 1,  // 1 .. MaxPools
  parameter int EgressPools   = 1,  // 1 .. MaxPools
  parameter int RowW     = $clog2(Ports * 8),  // derived: do not override
  parameter int ProfileW = (Profiles > 1) ? $clog2(Profiles) : 1,  // derived: do not override
  parameter int PoolW    = (Pools > 1) ? $clog2(Pools) : 1,  // derived: do not override
  parameter int EgressW  = (EgressPools > 1) ? $clog2(EgressPools) : 1,  // derived: do not override
  parameter int Steps    = 2 * Lanes,  // derived: do not override
  parameter int Slots    = Lanes * Copies,  // derived: do not override
  parameter int QueueSteps = Lanes + Slots,  // derived: do not override
  parameter int MapW     =  // derived: do not override
      $clog2(((Profiles > QueueProfiles) ? Profiles : QueueProfiles) + 1)
) (
  input  logic                                                clk_i,
  input  logic                                                rst_ni,  // asynchronous, active low
  output logic                                                init_done_o,

  input  logic                                                load_i,  // no request has come yet
  input  logic [Profiles*weir_pkg::ProfileBits-1:0]           cfg_profile_i,
  input  logic [QueueProfiles*weir_pkg::QueueProfileBits-1:0] cfg_queue_profile_i,
  input  logic [Pools*weir_pkg::LimitW-1:0]                   pool_shared_i,
  input  logic [Pools*weir_pkg::LimitW-1:0]                   pool_headroom_i,
  input  logic [Pools-1:0]                                    pool_dedicated_i,
  input  logic [EgressPools*weir_pkg::LimitW-1:0]             egress_shared_i,
  input  logic                                                map_we_i,
  input  logic                                                map_queue_i,
  input  logic [RowW-1:0]                                     map_addr_i,
  input  logic [MapW-1:0]                                     map_data_i,

  // t: a change of a profile; rows, the last of which is that of a read.
  input  logic                                                update_i,
  input  logic [ProfileW-1:0]                                 update_profile_i,
  input  logic [weir_pkg::ProfileBits-1:0]                    update_word_i,
  input  logic [(Steps+1)*RowW-1:0]                           pg_i,
  input  logic [(QueueSteps+1)*RowW-1:0]                      queue_i,

  // t + 1
  output logic [Profiles*weir_pkg::ProfileBits-1:0]           profiles_o,
  output logic [MapW-1:0]                                     rd_map_o,
  output logic [MapW-1:0]                                     rd_map_queue_o,
  output logic [Lanes*PoolW-1:0]                              rel_pool1_o,
  output logic [Lanes*weir_pkg::LimitW-1:0]                   arr_private1_o,
  output logic [Lanes-1:0]                                    rel_limited1_o,
  output logic [Lanes*EgressW-1:0]                            rel_egress_pool1_o,
  output logic [Slots*weir_pkg::LimitW-1:0]                   arr_minimum1_o,

  // t + 2, of the steps; headroom of arrivals; queues of the copies
  output logic [Steps*weir_pkg::AlphaNW-1:0]                  slope_n2_o,
  output logic [Lanes*weir_pkg::AlphaMW-1:0]                  arr_slope_m2_o,
  output logic [Lanes*weir_pkg::LimitW-1:0]                   arr_constant2_o,
  output logic [Lanes-1:0]                                    arr_lossless2_o,
  output logic [Steps*PoolW-1:0]                              pool2_o,
  output logic [Lanes-1:0]                                    arr_dedicated2_o,
  output logic [Lanes*weir_pkg::LimitW-1:0]                   arr_headroom_pool2_o,
  output logic [Lanes*weir_pkg::LimitW-1:0]                   arr_headroom_limit2_o,
  output logic [Slots-1:0]                                    limited2_o,
  output logic [Slots*EgressW-1:0]                            egress_pool2_o,
  output logic [Slots*weir_pkg::AlphaNW-1:0]                  queue_n2_o,
  output logic [Slots*weir_pkg::AlphaMW-1:0]                  queue_m2_o,
  output logic [Slots*weir_pkg::LimitW-1:0]                   queue_constant2_o,

  // t + 3
  output logic [Steps*weir_pkg::AlphaMW-1:0]                  slope_m3_o,
  output logic [Steps*weir_pkg::LimitW-1:0]                   constant3_o,
  output logic [Steps*weir_pkg::LimitW-1:0]                   private3_o,
  output logic [Steps*weir_pkg::LimitW-1:0]                   xon3_o,
  output logic [Steps*weir_pkg::LimitW-1:0]                   xon_offset3_o,
  output logic [Steps-1:0]                                    trigger3_o,
  output logic [Steps-1:0]                                    rule3_o,
  output logic [Lanes-1:0]                                    arr_lossless3_o,
  output logic [Lanes*PoolW-1:0]                              arr_pool3_o
);

  localparam int LimitW      = weir_pkg::LimitW;
  localparam int AlphaNW     = weir_pkg::AlphaNW;
  localparam int AlphaMW     = weir_pkg::AlphaMW;
  localparam int ProfileBits = weir_pkg::ProfileBits;

  // ---- t: profiles of PGs and queues.
  logic                           map_done, map_queue_done;
  logic [(Steps+1)*MapW-1:0]      map1;
  logic [(QueueSteps+1)*MapW-1:0] map_queue1;
  // A change is in the memories a cycle later, which show what is being written: requests of the
  // cycle of the change find what was there before.
  logic            map_we_q, map_queue_we_q;
  logic [RowW-1:0] map_addr_q;
  logic [MapW-1:0] map_data_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      map_we_q       <= 1'b0;
      map_queue_we_q <= 1'b0;
      map_addr_q     <= '0;
      map_data_q     <= '0;
    end else begin
      map_we_q       <= map_we_i && !map_queue_i && map_done;
      map_queue_we_q <= map_we_i && map_queue_i && map_queue_done;
      map_addr_q     <= map_addr_i;
      map_data_q     <= map_data_i;
    end
  end
  row_memory #(.Rows(Ports * 8), .Width(MapW), .Reads(Steps + 1), .Writes(1)) u_map_pg (
    .clk_i, .rst_ni,
    .init_done_o(map_done), .rd_row_i(pg_i), .rd_data_o(map1),
    .wr_valid_i(map_we_q), .wr_row_i(map_addr_q), .wr_data_i(map_data_q)
  );
  row_memory #(.Rows(Ports * 8), .Width(MapW), .Reads(QueueSteps + 1), .Writes(1)) u_map_queue (
    .clk_i, .rst_ni,
    .init_done_o(map_queue_done), .rd_row_i(queue_i), .rd_data_o(map_queue1),
    .wr_valid_i(map_queue_we_q), .wr_row_i(map_addr_q), .wr_data_i(map_data_q)
  );
  assign init_done_o    = map_done && map_queue_done;
  assign rd_map_o       = map1[Steps*MapW +: MapW];
  assign rd_map_queue_o = map_queue1[QueueSteps*MapW +: MapW];

  // ---- t + 1: profiles, which follow their pins until the first request.
  logic                            update1_q;
  logic [ProfileW-1:0]             update_profile1_q;
  logic [ProfileBits-1:0]          update_word1_q;
  logic [Profiles*ProfileBits-1:0] settings_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      update1_q         <= 1'b0;
      update_profile1_q <= '0;
      update_word1_q    <= '0;
    end else begin
      update1_q         <= update_i;
      update_profile1_q <= update_profile_i;
      update_word1_q    <= update_word_i;
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      settings_q <= '0;
    end else if (load_i) begin
      settings_q <= cfg_profile_i;
    end else if (update1_q) begin
      for (int p = 0; p < Profiles; p++) begin
        if (update_profile1_q == ProfileW'(p)) begin
          settings_q[p*ProfileBits +: ProfileBits] <= update_word1_q;
        end
      end
    end
  end
  assign profiles_o = settings_q;

  // ---- The steps at PGs.
  logic [Steps*PoolW-1:0]    pool1, pool3;
  logic [Steps*LimitW-1:0]   private1, constant2, headroom_pool1, headroom_limit1;
  logic [Steps*AlphaMW-1:0]  slope_m2;
  logic [Steps-1:0]          dedicated1, lossless2, lossless3;
  for (genvar x = 0; x < Steps; x++) begin : gen_group
    group_settings #(.Profiles(Profiles), .Pools(Pools), .MapW(MapW)) u_settings (
      .clk_i, .rst_ni,
      .number_i(map1[x*MapW +: MapW]), .profiles_i(settings_q),
      .pool_shared_i, .pool_headroom_i, .pool_dedicated_i,
      .pool_o(pool1[x*PoolW +: PoolW]), .private_o(private1[x*LimitW +: LimitW]),
      .dedicated_o(dedicated1[x]), .headroom_pool_o(headroom_pool1[x*LimitW +: LimitW]),
      .headroom_limit_o(headroom_limit1[x*LimitW +: LimitW]),
      .slope_n2_o(slope_n2_o[x*AlphaNW +: AlphaNW]), .slope_m2_o(slope_m2[x*AlphaMW +: AlphaMW]),
      .constant2_o(constant2[x*LimitW +: LimitW]), .lossless2_o(lossless2[x]),
      .pool2_o(pool2_o[x*PoolW +: PoolW]), .slope_m3_o(slope_m3_o[x*AlphaMW +: AlphaMW]),
      .constant3_o(constant3_o[x*LimitW +: LimitW]), .private3_o(private3_o[x*LimitW +: LimitW]),
      .xon3_o(xon3_o[x*LimitW +: LimitW]), .xon_offset3_o(xon_offset3_o[x*LimitW +: LimitW]),
      .lossless3_o(lossless3[x]), .trigger3_o(trigger3_o[x]), .rule3_o(rule3_o[x]),
      .pool3_o(pool3[x*PoolW +: PoolW])
    );
  end
  assign rel_pool1_o     = pool1[0 +: Lanes*PoolW];
  assign arr_private1_o  = private1[Lanes*LimitW +: Lanes*LimitW];
  assign arr_slope_m2_o  = slope_m2[Lanes*AlphaMW +: Lanes*AlphaMW];
  assign arr_constant2_o = constant2[Lanes*LimitW +: Lanes*LimitW];
  assign arr_lossless2_o = lossless2[Lanes +: Lanes];
  assign arr_lossless3_o = lossless3[Lanes +: Lanes];
  assign arr_pool3_o     = pool3[Lanes*PoolW +: Lanes*PoolW];

  // ---- The steps at queues.
  logic [QueueSteps-1:0]         limited1;
  logic [QueueSteps*EgressW-1:0] egress_pool1;
  logic [QueueSteps*LimitW-1:0]  minimum1, queue_constant1;
  logic [QueueSteps*AlphaNW-1:0] queue_n1;
  logic [QueueSteps*AlphaMW-1:0] queue_m1;
  for (genvar x = 0; x < QueueSteps; x++) begin : gen_queue
    queue_settings #(
      .QueueProfiles(QueueProfiles), .EgressPools(EgressPools), .MapW(MapW)
    ) u_settings (
      .number_i(map_queue1[x*MapW +: MapW]), .profiles_i(cfg_queue_profile_i),
      .pool_shared_i(egress_shared_i), .limited_o(limited1[x]),
      .pool_o(egress_pool1[x*EgressW +: EgressW]), .minimum_o(minimum1[x*LimitW +: LimitW]),
      .slope_n_o(queue_n1[x*AlphaNW +: AlphaNW]), .slope_m_o(queue_m1[x*AlphaMW +: AlphaMW]),
      .constant_o(queue_constant1[x*LimitW +: LimitW])
    );
  end
  assign rel_limited1_o     = limited1[0 +: Lanes];
  assign rel_egress_pool1_o = egress_pool1[0 +: Lanes*EgressW];
  assign arr_minimum1_o     = minimum1[Lanes*LimitW +: Slots*LimitW];

  // ---- t + 2
  logic [Lanes-1:0]         dedicated2_q;
  logic [Lanes*LimitW-1:0]  headroom_pool2_q, headroom_limit2_q;
  logic [Slots-1:0]         limited2_q;
  logic [Slots*EgressW-1:0] egress_pool2_q;
  logic [Slots*AlphaNW-1:0] queue_n2_q;
  logic [Slots*AlphaMW-1:0] queue_m2_q;
  logic [Slots*LimitW-1:0]  queue_constant2_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      dedicated2_q      <= '0;
      headroom_pool2_q  <= '0;
      headroom_limit2_q <= '0;
      limited2_q        <= '0;
      egress_pool2_q    <= '0;
      queue_n2_q        <= '0;
      queue_m2_q        <= '0;
      queue_constant2_q <= '0;
    end else begin
      dedicated2_q      <= dedicated1[Lanes +: Lanes];
      headroom_pool2_q  <= headroom_pool1[Lanes*LimitW +: Lanes*LimitW];
      headroom_limit2_q <= headroom_limit1[Lanes*LimitW +: Lanes*LimitW];
      limited2_q        <= limited1[Lanes +: Slots];
      egress_pool2_q    <= egress_pool1[Lanes*EgressW +: Slots*EgressW];
      queue_n2_q        <= queue_n1[Lanes*AlphaNW +: Slots*AlphaNW];
      queue_m2_q        <= queue_m1[Lanes*AlphaMW +: Slots*AlphaMW];
      queue_constant2_q <= queue_constant1[Lanes*LimitW +: Slots*LimitW];
    end
  end
  assign arr_dedicated2_o      = dedicated2_q;
  assign arr_headroom_pool2_o  = headroom_pool2_q;
  assign arr_headroom_limit2_o = headroom_limit2_q;
  assign limited2_o            = limited2_q;
  assign egress_pool2_o        = egress_pool2_q;
  assign queue_n2_o            = queue_n2_q;
  assign queue_m2_o            = queue_m2_q;
  assign queue_constant2_o     = queue_constant2_q;

  logic unused_settings;  // what arrivals alone, or releases alone, need
  assign unused_settings = ^{pool1, private1, slope_m2, constant2, lossless2, lossless3, pool3,
                             dedicated1, headroom_pool1, headroom_limit1, minimum1, queue_n1,
                             queue_m1, queue_constant1};

  initial begin
    if (Ports < 1 || Ports > weir_pkg::MaxPorts)
      $fatal(1, "Ports = %0d: must be 1 to %0d", Ports, weir_pkg::MaxPorts);
    if (Lanes < 1 || Lanes > weir_pkg::MaxLanes)
      $fatal(1, "Lanes = %0d: must be 1 to %0d", Lanes, weir_pkg::MaxLanes);
    if (Copies < 1 || Copies > weir_pkg::MaxCopies)
      $fatal(1, "Copies = %0d: must be 1 to %0d", Copies, weir_pkg::MaxCopies);
    if (Profiles < 1 || Profiles > weir_pkg::MaxProfiles)
      $fatal(1, "Profiles = %0d: must be 1 to %0d", Profiles, weir_pkg::MaxProfiles);
    if (QueueProfiles < 1 || QueueProfiles > weir_pkg::MaxProfiles)
      $fatal(1, "QueueProfiles = %0d: must be 1 to %0d", QueueProfiles, weir_pkg::MaxProfiles);
    if (Pools < 1 || Pools > weir_pkg::MaxPools)
      $fatal(1, "Pools = %0d: must be 1 to %0d", Pools, weir_pkg::MaxPools);
    if (EgressPools < 1 || EgressPools > weir_pkg::MaxPools)
      $fatal(1, "EgressPools = %0d: must be 1 to %0d", EgressPools, weir_pkg::MaxPools);
  end

endmodule

// SPDX-License-Identifier: Apache-2.0
//
// All arrival lanes of a step of a memory domain, one after the other in one cycle: lane k sees the
// rows and sums that lane k - 1 leaves. Also n * (B - S) after each step, releases included, from
// which the next stage makes T.
//
// Units:   cells.
// Latency: 0 to what is charged (chg_*) and *2_o, 1 cycle to *3_o.
// Golden:  none of its own; part of weir_domain, compared every cycle by tb/lockstep.
// Source:  docs/design/contract.md, 2.
module lane_chain #(
  parameter int Ports        = 8,   // 1 .. MaxPorts
  parameter int Lanes        = 1,   // 1 .. MaxLanes
  parameter int Copies       = 1,   // 1 .. MaxCopies
  parameter int Pools        = 1,   // 1 .. MaxPools
  parameter int EgressPools  = 1,   // 1 .. MaxPools
  parameter int CellW        = 17,  // 8 .. MaxCellW
  parameter int LenW         = 8,   // 1 .. CellW
  parameter int ThresholdLag = 0,   // 0 and up
  parameter int RowW    = $clog2(Ports * 8),                           // derived: do not override
  parameter int PoolW   = (Pools > 1) ? $clog2(Pools) : 1,             // derived: do not override
  parameter int EgressW = (EgressPools > 1) ? $clog2(EgressPools) : 1,  // derived: do not override
  parameter int FreeW   = weir_pkg::LimitW + $clog2(Copies) + 2,       // derived: do not override
  parameter int Steps   = 2 * Lanes,                                   // derived: do not override
  parameter int Slots   = Lanes * Copies                               // derived: do not override
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,  // asynchronous, active low

  // Requests and settings of the arrivals; n and pool of all steps.
  input  logic [Lanes-1:0]                    valid_i,
  input  logic [Lanes*RowW-1:0]               pg_i,
  input  logic [Lanes*LenW-1:0]               cells_i,
  input  logic [Slots*RowW-1:0]               queue_i,
  input  logic [Slots-1:0]                    mask_i,
  input  logic [Steps*weir_pkg::AlphaNW-1:0]  slope_n_i,
  input  logic [Lanes*weir_pkg::AlphaMW-1:0]  slope_m_i,
  input  logic [Lanes*weir_pkg::LimitW-1:0]   constant_i,
  input  logic [Lanes-1:0]                    lossless_i,
  input  logic [Steps*PoolW-1:0]              pool_i,
  input  logic [Lanes-1:0]                    dedicated_i,
  input  logic [Lanes*weir_pkg::LimitW-1:0]   headroom_pool_i,
  input  logic [Lanes*weir_pkg::LimitW-1:0]   headroom_limit_i,
  input  logic [Slots-1:0]                    limited_i,
  input  logic [Slots*EgressW-1:0]            egress_pool_i,
  input  logic [Slots*weir_pkg::AlphaNW-1:0]  queue_n_i,
  input  logic [Slots*weir_pkg::AlphaMW-1:0]  queue_m_i,
  input  logic [Slots*weir_pkg::LimitW-1:0]   queue_constant_i,

  // Rows and sums after the releases; the rest of the first lane.
  input  logic [Lanes*CellW-1:0]              shared_i,
  input  logic [Lanes*CellW-1:0]              headroom_i,
  input  logic [Lanes*weir_pkg::LimitW-1:0]   room_i,
  input  logic [LenW-1:0]                     private_i,
  input  logic [LenW-1:0]                     rest_i,
  input  logic [Lanes-1:0]                    empty_i,
  input  logic [Lanes*weir_pkg::LimitW-1:0]   rel_free_i,  // of its pool, after each release
  input  logic [Pools*weir_pkg::LimitW-1:0]   free_i,
  input  logic [Pools*weir_pkg::LimitW-1:0]   seen_i,      // as T sees them
  input  logic [Pools*CellW-1:0]              sum_i,
  input  logic [Slots*CellW-1:0]              queue_shared_i,
  input  logic [Slots*weir_pkg::LimitW-1:0]   queue_room_i,
  input  logic [Copies*LenW-1:0]              queue_rest_i,
  input  logic [EgressPools*FreeW-1:0]        egress_i,

  // What is charged, and the sums after it.
  output logic [Lanes*2-1:0]                  chg_to_o,
  output logic [Lanes*LenW-1:0]               chg_private_o,
  output logic [Lanes*LenW-1:0]               chg_rest_o,
  output logic [Slots-1:0]                    chg_maybe_o,
  output logic [Lanes-1:0]                    chg_admit_o,

  output logic [Lanes*weir_pkg::ReasonW-1:0]  reason3_o,
  output logic [Lanes*2-1:0]                  to3_o,
  output logic [Lanes*LenW-1:0]               private3_o,
  output logic [Lanes*LenW-1:0]               rest3_o,
  output logic [Slots-1:0]                    taken3_o,
  output logic [Slots-1:0]                    refused3_o,
  output logic [Slots-1:0]                    limited3_o,
  output logic [Lanes-1:0]                    lossless_empty3_o,
  output logic [Lanes*weir_pkg::ProductW-1:0] product3_o,  // n * (B - S) before each arrival
  output logic [Steps*weir_pkg::ProductW-1:0] after3_o     // and after each step
);

  localparam int LimitW   = weir_pkg::LimitW;
  localparam int AlphaNW  = weir_pkg::AlphaNW;
  localparam int AlphaMW  = weir_pkg::AlphaMW;
  localparam int ProductW = weir_pkg::ProductW;
  localparam int ReasonW  = weir_pkg::ReasonW;

  // Before lane k, at place k. Split, because a simulator takes a whole vector for a loop.
  logic [(Lanes+1)*Lanes*CellW-1:0]       shared        /* verilator split_var */;
  logic [(Lanes+1)*Lanes*CellW-1:0]       headroom      /* verilator split_var */;
  logic [(Lanes+1)*Lanes*LimitW-1:0]      room          /* verilator split_var */;
  logic [(Lanes+1)*Lanes-1:0]             empty         /* verilator split_var */;
  logic [(Lanes+1)*Pools*LimitW-1:0]      free          /* verilator split_var */;
  logic [(Lanes+1)*Pools*CellW-1:0]       sum           /* verilator split_var */;
  logic [(Lanes+1)*Slots*CellW-1:0]       queue_shared  /* verilator split_var */;
  logic [(Lanes+1)*Slots*LimitW-1:0]      queue_room    /* verilator split_var */;
  logic [(Lanes+1)*EgressPools*FreeW-1:0] egress        /* verilator split_var */;
  assign shared[0 +: Lanes*CellW]       = shared_i;
  assign headroom[0 +: Lanes*CellW]     = headroom_i;
  assign room[0 +: Lanes*LimitW]        = room_i;
  assign empty[0 +: Lanes]              = empty_i;
  assign free[0 +: Pools*LimitW]        = free_i;
  assign sum[0 +: Pools*CellW]          = sum_i;
  assign queue_shared[0 +: Slots*CellW] = queue_shared_i;
  assign queue_room[0 +: Slots*LimitW]  = queue_room_i;
  assign egress[0 +: EgressPools*FreeW] = egress_i;

  logic [Lanes*ReasonW-1:0]  reason;
  logic [Slots-1:0]          taken, refused;
  logic [Lanes-1:0]          lossless_empty;
  logic [Lanes*ProductW-1:0] product;
  logic [Steps*ProductW-1:0] after;
  for (genvar k = 0; k < Lanes; k++) begin : gen_lane
    domain_lane #(
      .Lane(k), .Ports(Ports), .Lanes(Lanes), .Copies(Copies), .Pools(Pools),
      .EgressPools(EgressPools), .CellW(CellW), .LenW(LenW), .ThresholdLag(ThresholdLag)
    ) u_lane (
      .valid_i(valid_i[k]), .pg_i, .cells_i(cells_i[k*LenW +: LenW]), .queue_i,
      .mask_i(mask_i[k*Copies +: Copies]),
      .slope_n_i(slope_n_i[(Lanes+k)*AlphaNW +: AlphaNW]),
      .slope_m_i(slope_m_i[k*AlphaMW +: AlphaMW]), .constant_i(constant_i[k*LimitW +: LimitW]),
      .lossless_i(lossless_i[k]), .pool_i(pool_i[(Lanes+k)*PoolW +: PoolW]),
      .dedicated_i(dedicated_i[k]), .headroom_pool_i(headroom_pool_i[k*LimitW +: LimitW]),
      .headroom_limit_i(headroom_limit_i[k*LimitW +: LimitW]),
      .limited_i(limited_i[k*Copies +: Copies]),
      .egress_pool_i(egress_pool_i[k*Copies*EgressW +: Copies*EgressW]),
      .queue_n_i(queue_n_i[k*Copies*AlphaNW +: Copies*AlphaNW]),
      .queue_m_i(queue_m_i[k*Copies*AlphaMW +: Copies*AlphaMW]),
      .queue_constant_i(queue_constant_i[k*Copies*LimitW +: Copies*LimitW]),
      .first_private_i(private_i), .first_rest_i(rest_i), .first_queue_rest_i(queue_rest_i),
      .seen_i,
      .shared_i(shared[k*Lanes*CellW +: Lanes*CellW]),
      .headroom_i(headroom[k*Lanes*CellW +: Lanes*CellW]),
      .room_i(room[k*Lanes*LimitW +: Lanes*LimitW]), .empty_i(empty[k*Lanes +: Lanes]),
      .free_i(free[k*Pools*LimitW +: Pools*LimitW]), .sum_i(sum[k*Pools*CellW +: Pools*CellW]),
      .queue_shared_i(queue_shared[k*Slots*CellW +: Slots*CellW]),
      .queue_room_i(queue_room[k*Slots*LimitW +: Slots*LimitW]),
      .egress_i(egress[k*EgressPools*FreeW +: EgressPools*FreeW]),
      .shared_o(shared[(k+1)*Lanes*CellW +: Lanes*CellW]),
      .headroom_o(headroom[(k+1)*Lanes*CellW +: Lanes*CellW]),
      .room_o(room[(k+1)*Lanes*LimitW +: Lanes*LimitW]), .empty_o(empty[(k+1)*Lanes +: Lanes]),
      .free_o(free[(k+1)*Pools*LimitW +: Pools*LimitW]),
      .sum_o(sum[(k+1)*Pools*CellW +: Pools*CellW]),
      .queue_shared_o(queue_shared[(k+1)*Slots*CellW +: Slots*CellW]),
      .queue_room_o(queue_room[(k+1)*Slots*LimitW +: Slots*LimitW]),
      .egress_o(egress[(k+1)*EgressPools*FreeW +: EgressPools*FreeW]),
      .reason_o(reason[k*ReasonW +: ReasonW]), .to_o(chg_to_o[k*2 +: 2]),
      .admitted_o(chg_admit_o[k]), .private_o(chg_private_o[k*LenW +: LenW]),
      .rest_o(chg_rest_o[k*LenW +: LenW]), .maybe_o(chg_maybe_o[k*Copies +: Copies]),
      .taken_o(taken[k*Copies +: Copies]), .refused_o(refused[k*Copies +: Copies]),
      .lossless_empty_o(lossless_empty[k]), .product_o(product[k*ProductW +: ProductW]),
      .after_o(after[(Lanes+k)*ProductW +: ProductW])
    );
  end
  logic unused_last;  // accounting has the rows and sums after the last lane
  assign unused_last = ^{shared, headroom, room, empty, free, sum, queue_shared, queue_room,
                         egress};

  for (genvar k = 0; k < Lanes; k++) begin : gen_release
    logic [LimitW-1:0] free_after;
    always_comb begin
      free_after = rel_free_i[k*LimitW +: LimitW];
      for (int p = 0; p < Pools; p++) begin
        if (ThresholdLag != 0 && pool_i[k*PoolW +: PoolW] == PoolW'(p)) begin
          free_after = seen_i[p*LimitW +: LimitW];
        end
      end
    end
    assign after[k*ProductW +: ProductW] =
        ProductW'(free_after) * ProductW'(slope_n_i[k*AlphaNW +: AlphaNW]);
  end

  logic [Lanes*ReasonW-1:0]  reason3_q;
  logic [Lanes*2-1:0]        to3_q;
  logic [Lanes*LenW-1:0]     private3_q, rest3_q;
  logic [Slots-1:0]          taken3_q, refused3_q, limited3_q;
  logic [Lanes-1:0]          lossless_empty3_q;
  logic [Lanes*ProductW-1:0] product3_q;
  logic [Steps*ProductW-1:0] after3_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      reason3_q         <= '0;
      to3_q             <= '0;
      private3_q        <= '0;
      rest3_q           <= '0;
      taken3_q          <= '0;
      refused3_q        <= '0;
      limited3_q        <= '0;
      lossless_empty3_q <= '0;
      product3_q        <= '0;
      after3_q          <= '0;
    end else begin
      reason3_q         <= reason;
      to3_q             <= chg_to_o;
      private3_q        <= chg_private_o;
      rest3_q           <= chg_rest_o;
      taken3_q          <= taken;
      refused3_q        <= refused;
      limited3_q        <= limited_i;
      lossless_empty3_q <= lossless_empty;
      product3_q        <= product;
      after3_q          <= after;
    end
  end
  assign reason3_o         = reason3_q;
  assign to3_o             = to3_q;
  assign private3_o        = private3_q;
  assign rest3_o           = rest3_q;
  assign taken3_o          = taken3_q;
  assign refused3_o        = refused3_q;
  assign limited3_o        = limited3_q;
  assign lossless_empty3_o = lossless_empty3_q;
  assign product3_o        = product3_q;
  assign after3_o          = after3_q;

  initial begin
    if (Ports < 1 || Ports > weir_pkg::MaxPorts)
      $fatal(1, "Ports = %0d: must be 1 to %0d", Ports, weir_pkg::MaxPorts);
    if (Lanes < 1 || Lanes > weir_pkg::MaxLanes)
      $fatal(1, "Lanes = %0d: must be 1 to %0d", Lanes, weir_pkg::MaxLanes);
    if (Copies < 1 || Copies > weir_pkg::MaxCopies)
      $fatal(1, "Copies = %0d: must be 1 to %0d", Copies, weir_pkg::MaxCopies);
    if (Pools < 1 || Pools > weir_pkg::MaxPools)
      $fatal(1, "Pools = %0d: must be 1 to %0d", Pools, weir_pkg::MaxPools);
    if (EgressPools < 1 || EgressPools > weir_pkg::MaxPools)
      $fatal(1, "EgressPools = %0d: must be 1 to %0d", EgressPools, weir_pkg::MaxPools);
    if (CellW < 8 || CellW > weir_pkg::MaxCellW)
      $fatal(1, "CellW = %0d: must be 8 to %0d", CellW, weir_pkg::MaxCellW);
    if (LenW < 1 || LenW > CellW) $fatal(1, "LenW = %0d: must be 1 to CellW = %0d", LenW, CellW);
    if (ThresholdLag < 0) $fatal(1, "ThresholdLag = %0d: must be 0 or more", ThresholdLag);
  end

endmodule

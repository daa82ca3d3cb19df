// SPDX-License-Identifier: Apache-2.0
//
// One arrival lane of a memory domain: its T, the limits of its queues, the verdict, and the rows
// and sums that it leaves for the lanes after it. All lanes' rows pass through, so that a lane
// changes those of the later lanes at the same PG or queue.
//
// Units:   cells.
// Latency: 0.
// Golden:  none of its own; part of weir_domain, compared every cycle by tb/lockstep.
// Source:  docs/design/contract.md, 2.
module domain_lane #(
  parameter int Lane         = 0,   // 0 .. Lanes - 1
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
  parameter int Slots   = Lanes * Copies                               // derived: do not override
) (
  // The requests of all lanes, and what this one needs of its settings.
  input  logic                                valid_i,
  input  logic [Lanes*RowW-1:0]               pg_i,
  input  logic [LenW-1:0]                     cells_i,
  input  logic [Slots*RowW-1:0]               queue_i,
  input  logic [Copies-1:0]                   mask_i,
  input  logic [weir_pkg::AlphaNW-1:0]        slope_n_i,
  input  logic [weir_pkg::AlphaMW-1:0]        slope_m_i,
  input  logic [weir_pkg::LimitW-1:0]         constant_i,
  input  logic                                lossless_i,
  input  logic [PoolW-1:0]                    pool_i,
  input  logic                                dedicated_i,
  input  logic [weir_pkg::LimitW-1:0]         headroom_pool_i,
  input  logic [weir_pkg::LimitW-1:0]         headroom_limit_i,
  input  logic [Copies-1:0]                   limited_i,
  input  logic [Copies*EgressW-1:0]           egress_pool_i,
  input  logic [Copies*weir_pkg::AlphaNW-1:0] queue_n_i,
  input  logic [Copies*weir_pkg::AlphaMW-1:0] queue_m_i,
  input  logic [Copies*weir_pkg::LimitW-1:0]  queue_constant_i,

  // What the first lane gets ready; free cells that T sees with a lag.
  input  logic [LenW-1:0]                     first_private_i,
  input  logic [LenW-1:0]                     first_rest_i,
  input  logic [Copies*LenW-1:0]              first_queue_rest_i,
  input  logic [Pools*weir_pkg::LimitW-1:0]   seen_i,

  // Rows and sums before this lane, and after it.
  input  logic [Lanes*CellW-1:0]              shared_i,
  input  logic [Lanes*CellW-1:0]              headroom_i,
  input  logic [Lanes*weir_pkg::LimitW-1:0]   room_i,
  input  logic [Lanes-1:0]                    empty_i,
  input  logic [Pools*weir_pkg::LimitW-1:0]   free_i,
  input  logic [Pools*CellW-1:0]              sum_i,
  input  logic [Slots*CellW-1:0]              queue_shared_i,
  input  logic [Slots*weir_pkg::LimitW-1:0]   queue_room_i,
  input  logic [EgressPools*FreeW-1:0]        egress_i,
  output logic [Lanes*CellW-1:0]              shared_o,
  output logic [Lanes*CellW-1:0]              headroom_o,
  output logic [Lanes*weir_pkg::LimitW-1:0]   room_o,
  output logic [Lanes-1:0]                    empty_o,
  output logic [Pools*weir_pkg::LimitW-1:0]   free_o,
  output logic [Pools*CellW-1:0]              sum_o,
  output logic [Slots*CellW-1:0]              queue_shared_o,
  output logic [Slots*weir_pkg::LimitW-1:0]   queue_room_o,
  output logic [EgressPools*FreeW-1:0]        egress_o,

  // The verdict, and what is charged.
  output logic [weir_pkg::ReasonW-1:0]        reason_o,
  output logic [1:0]                          to_o,
  output logic                                admitted_o,
  output logic [LenW-1:0]                     private_o,
  output logic [LenW-1:0]                     rest_o,
  output logic [Copies-1:0]                   maybe_o,    // charged if admitted
  output logic [Copies-1:0]                   taken_o,
  output logic [Copies-1:0]                   refused_o,
  output logic                                lossless_empty_o,
  output logic [weir_pkg::ProductW-1:0]       product_o,  // n * (B - S), S before this lane
  output logic [weir_pkg::ProductW-1:0]       after_o     // and after it
);

  localparam int LimitW    = weir_pkg::LimitW;
  localparam int AlphaNW   = weir_pkg::AlphaNW;
  localparam int AlphaMW   = weir_pkg::AlphaMW;
  localparam int ProductW  = weir_pkg::ProductW;

  logic [LenW-1:0]   to_private, rest;
  logic [LimitW-1:0] free_pool, free_seen;
  logic [CellW-1:0]  sum_pool;
  logic              below;
  if (Lane == 0) begin : gen_first
    logic unused_room;
    assign to_private  = first_private_i;
    assign rest        = first_rest_i;
    assign unused_room = ^room_i;
  end else begin : gen_next
    logic [LimitW-1:0] room;
    logic              unused_first;
    assign room         = room_i[Lane*LimitW +: LimitW];
    assign to_private   = (LimitW'(cells_i) < room) ? cells_i : room[LenW-1:0];
    assign rest         = cells_i - to_private;
    assign unused_first = ^{first_private_i, first_rest_i};
  end

  always_comb begin
    free_pool = '0;
    free_seen = '0;
    sum_pool  = '0;
    for (int p = 0; p < Pools; p++) begin
      if (pool_i == PoolW'(p)) begin
        free_pool = free_i[p*LimitW +: LimitW];
        free_seen = (ThresholdLag == 0) ? free_i[p*LimitW +: LimitW] : seen_i[p*LimitW +: LimitW];
        sum_pool  = sum_i[p*CellW +: CellW];
      end
    end
  end

  threshold_reach #(.CellW(CellW)) u_below (
    .free_i(free_seen), .slope_n_i, .slope_m_i, .constant_i,
    .held_i(shared_i[Lane*CellW +: CellW]), .plus_i(LimitW'(1)), .reaches_o(below)
  );
  // Both products are ready before the verdict.
  logic [ProductW-1:0] less;
  assign product_o = ProductW'(free_seen) * ProductW'(slope_n_i);
  assign less      = ProductW'(free_pool) * ProductW'(slope_n_i) -
                     ProductW'(rest) * ProductW'(slope_n_i);

  logic [Copies-1:0]      fits, queue_below, accepts;
  logic [Copies*LenW-1:0] to_shared;   // of each copy
  for (genvar c = 0; c < Copies; c++) begin : gen_copy
    localparam int S = Lane * Copies + c;
    logic [LimitW-1:0] room, free;
    assign room = queue_room_i[S*LimitW +: LimitW];
    if (Lane == 0) begin : gen_ready
      logic unused_queue_room;
      assign unused_queue_room = ^room;
      assign to_shared[c*LenW +: LenW] = first_queue_rest_i[c*LenW +: LenW];
    end else begin : gen_later
      logic unused_rest;
      assign to_shared[c*LenW +: LenW] =
          (LimitW'(cells_i) <= room) ? '0 : cells_i - room[LenW-1:0];
      assign unused_rest = ^first_queue_rest_i[c*LenW +: LenW];
    end
    assign fits[c] = to_shared[c*LenW +: LenW] == '0;
    always_comb begin
      free = '0;
      for (int p = 0; p < EgressPools; p++) begin
        if (egress_pool_i[c*EgressW +: EgressW] == EgressW'(p) && !egress_i[(p+1)*FreeW-1]) begin
          free = LimitW'(egress_i[p*FreeW +: FreeW]);
        end
      end
    end
    threshold_reach #(.CellW(CellW)) u_queue_below (
      .free_i(free), .slope_n_i(queue_n_i[c*AlphaNW +: AlphaNW]),
      .slope_m_i(queue_m_i[c*AlphaMW +: AlphaMW]),
      .constant_i(queue_constant_i[c*LimitW +: LimitW]),
      .held_i(queue_shared_i[S*CellW +: CellW]), .plus_i(LimitW'(1)), .reaches_o(queue_below[c])
    );
  end

  admission #(.Copies(Copies), .CellW(CellW), .LenW(LenW)) u_admission (
    .valid_i, .rest_i(rest), .below_i(below), .free_i(free_pool),
    .headroom_i(headroom_i[Lane*CellW +: CellW]), .headroom_sum_i(sum_pool), .headroom_limit_i,
    .headroom_pool_i, .dedicated_i, .queue_mask_i(mask_i), .queue_limited_i(limited_i),
    .queue_fits_i(fits), .queue_below_i(queue_below), .reason_o, .to_o, .admitted_o,
    .queue_accepts_o(accepts), .queue_refused_o(refused_o)
  );

  assign after_o = (ThresholdLag == 0 && to_o[0]) ? less : product_o;

  // What this lane charges. With one copy, admitted says that the queue has accepted.
  assign private_o        = to_private;
  assign rest_o           = rest;
  assign maybe_o          = limited_i & ((Copies == 1) ? mask_i : accepts);
  assign taken_o          = accepts & {Copies{admitted_o}};
  assign lossless_empty_o = lossless_i && empty_i[Lane];

  always_comb begin
    shared_o   = shared_i;
    headroom_o = headroom_i;
    room_o     = room_i;
    empty_o    = empty_i;
    for (int m = 0; m < Lanes; m++) begin
      if (pg_i[m*RowW +: RowW] == pg_i[Lane*RowW +: RowW] && to_o != weir_pkg::ToNone) begin
        room_o[m*LimitW +: LimitW] = room_i[m*LimitW +: LimitW] - LimitW'(to_private);
        if (cells_i != '0) empty_o[m] = 1'b0;
        if (to_o[0]) shared_o[m*CellW +: CellW] = shared_i[m*CellW +: CellW] + CellW'(rest);
        if (to_o[1]) headroom_o[m*CellW +: CellW] = headroom_i[m*CellW +: CellW] + CellW'(rest);
      end
    end
  end
  always_comb begin
    free_o = free_i;
    sum_o  = sum_i;
    for (int p = 0; p < Pools; p++) begin
      if (pool_i == PoolW'(p)) begin
        if (to_o[0]) free_o[p*LimitW +: LimitW] = free_i[p*LimitW +: LimitW] - LimitW'(rest);
        if (to_o[1]) sum_o[p*CellW +: CellW] = sum_i[p*CellW +: CellW] + CellW'(rest);
      end
    end
  end
  always_comb begin
    queue_shared_o = queue_shared_i;
    queue_room_o   = queue_room_i;
    egress_o       = egress_i;
    for (int c = 0; c < Copies; c++) begin
      if (maybe_o[c] && admitted_o) begin
        for (int m = 0; m < Slots; m++) begin
          if (queue_i[m*RowW +: RowW] == queue_i[(Lane*Copies+c)*RowW +: RowW]) begin
            queue_shared_o[m*CellW +: CellW] =
                queue_shared_o[m*CellW +: CellW] + CellW'(to_shared[c*LenW +: LenW]);
            queue_room_o[m*LimitW +: LimitW] = queue_room_o[m*LimitW +: LimitW] -
                LimitW'(cells_i) + LimitW'(to_shared[c*LenW +: LenW]);
          end
        end
        for (int p = 0; p < EgressPools; p++) begin
          if (egress_pool_i[c*EgressW +: EgressW] == EgressW'(p)) begin
            egress_o[p*FreeW +: FreeW] =
                egress_o[p*FreeW +: FreeW] - FreeW'(to_shared[c*LenW +: LenW]);
          end
        end
      end
    end
  end

  initial begin
    if (Lane < 0 || Lane >= Lanes) $fatal(1, "Lane = %0d: must be 0 to %0d", Lane, Lanes - 1);
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

// SPDX-License-Identifier: Apache-2.0
//
// weir_domain as a whole next to the rules of the contract: a release and an arrival in any cycle,
// at two priority groups (PGs) of one port, in any order and without a gap. The rules are written
// here as one step after the other; the verdicts of the domain must be theirs, AdmitLatency cycles
// after the request. Nothing bounds the run: a lemma says of each register of the domain that a
// verdict depends on what it holds in terms of the rules' counts, so that the induction needs one
// step.
//
// The memories start empty (the walk after reset is a property of row_memory).
//
// Free, and constant while it runs: phi (0 to 2), alpha (1/2, 1, 8), eta (0 to 7, 0 of a lossy
// profile), xon and xon_offset (0 to 3), B and H (0 to 15), own headroom or a pool, lossless or
// lossy, the XOFF trigger and the XON rule. Packets have 1 to 3 cells; a release is of any 1 to 3,
// held or not. Queues have no limit here.
//
// Units:   cells.
// Latency: that of weir_domain. The rules count two cycles after the request, and judge levels a
//          cycle later: no rule looks at a later request, nor do counts depend on levels.
// Golden:  none; docs/design/contract.md, 2 alone.
module domain_steps (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       rel_valid_i,
  input logic       rel_pg_i,
  input logic [1:0] rel_cells_i,
  input logic       arr_valid_i,
  input logic       arr_pg_i,
  input logic [1:0] arr_cells_i
);

  localparam int W       = 8;   // bits of a count
  localparam int T       = 12;  // of a threshold
  localparam int LimitW  = weir_pkg::LimitW;
  localparam int Latency = pipeline_latency_pkg::AdmitLatencyLeast;

  (* anyconst, keep *) logic [1:0] phi, alpha, xon, xon_offset;
  (* anyconst, keep *) logic [2:0] eta;
  (* anyconst, keep *) logic [3:0] pool_b, pool_h;
  (* anyconst, keep *) logic       dedicated, lossless, trigger, rule;

  // ---- The first cycles: both PGs get the profile.
  logic [1:0] begun_q = '0;
  logic       running;
  assign running = begun_q == 2'd2;
  always @(posedge clk_i) begin
    if (!rst_ni)       begun_q <= '0;
    else if (!running) begun_q <= begun_q + 2'd1;
  end

  // ---- Requests {release, arrival} of {valid, PG, cells}; place k: of k + 1 cycles ago.
  localparam int RequestW = 8;
  logic                        leave, arrive;
  logic [Latency*RequestW-1:0] request_q;
  logic [Latency:1]            leaves, arrives, rel_pgs, arr_pgs;  // k cycles ago
  assign leave  = running && rel_valid_i;
  assign arrive = running && arr_valid_i;
  always @(posedge clk_i) begin
    if (!rst_ni) request_q <= '0;
    else request_q <= {request_q[0 +: (Latency-1)*RequestW],
                       leave ? {1'b1, rel_pg_i, rel_cells_i} : 4'd0,
                       arrive ? {1'b1, arr_pg_i, arr_cells_i} : 4'd0};
  end
  for (genvar k = 1; k <= Latency; k++) begin : gen_request
    assign {leaves[k], rel_pgs[k]}  = request_q[(k-1)*RequestW + 6 +: 2];
    assign {arrives[k], arr_pgs[k]} = request_q[(k-1)*RequestW + 2 +: 2];
  end

  // ---- The counters of the rules: {headroom, shared, private}, part g of each being that of PG g.
  // Their step is made two cycles after the request, before which they are counts_q.
  localparam int CountsW = 6 * W;
  logic [CountsW-1:0] counts_q, between, after;  // between: after the release, before the arrival

  function automatic logic [W-1:0] of(input logic [2*W-1:0] all, input logic pg);
    of = pg ? all[W +: W] : all[0 +: W];
  endfunction
  function automatic logic [2*W-1:0] with_part(input logic [2*W-1:0] all, input logic pg,
                                               input logic [W-1:0] part);
    with_part = pg ? {part, all[0 +: W]} : {all[W +: W], part};
  endfunction
  // B - S
  function automatic logic [T-1:0] free_cells(input logic [CountsW-1:0] counts);
    free_cells = T'(pool_b) - T'(counts[2*W +: W]) - T'(counts[3*W +: W]);
  endfunction
  // T = floor(alpha * (B - S)).
  function automatic logic [T-1:0] threshold(input logic [CountsW-1:0] counts);
    logic [T-1:0] free;
    free = free_cells(counts);
    threshold = (alpha == 2'd0) ? free >> 1 : (alpha == 2'd1) ? free : free << 3;
  endfunction

  // The release.
  logic         overdrawn;
  logic [W-1:0] n, found_p, found_s, found_h, left_p, left_s, left_h;
  always_comb begin
    n         = W'(request_q[RequestW + 4 +: 2]);
    found_p   = of(counts_q[0 +: 2*W], rel_pgs[2]);
    found_s   = of(counts_q[2*W +: 2*W], rel_pgs[2]);
    found_h   = of(counts_q[4*W +: 2*W], rel_pgs[2]);
    overdrawn = leaves[2] && n > found_p + found_s + found_h;
    left_h    = (n > found_h) ? '0 : found_h - n;
    left_s    = (n > found_h + found_s) ? '0 : (n > found_h) ? found_h + found_s - n : found_s;
    left_p    = (n > found_h + found_s) ? found_h + found_s + found_p - n : found_p;
    between   = counts_q;
    if (leaves[2] && !overdrawn) begin
      between = {with_part(counts_q[4*W +: 2*W], rel_pgs[2], left_h),
                 with_part(counts_q[2*W +: 2*W], rel_pgs[2], left_s),
                 with_part(counts_q[0 +: 2*W], rel_pgs[2], left_p)};
    end
  end

  // The arrival after it.
  logic         below, fits, over_limit, over_pool;
  logic [W-1:0] p, s, h, size, room, part, rest, pool_headroom;
  logic [T-1:0] limit;
  logic [2:0]   reason;
  logic [1:0]   to;     // where the rest goes
  always_comb begin
    p             = of(between[0 +: 2*W], arr_pgs[2]);
    s             = of(between[2*W +: 2*W], arr_pgs[2]);
    h             = of(between[4*W +: 2*W], arr_pgs[2]);
    size          = W'(request_q[RequestW +: 2]);
    room          = W'(phi) - p;
    part          = (size < room) ? size : room;
    rest          = size - part;
    limit         = threshold(between);
    below         = T'(s) < limit;
    fits          = between[2*W +: W] + between[3*W +: W] + rest <= W'(pool_b);
    pool_headroom = between[4*W +: W] + between[5*W +: W];
    over_limit    = h + rest > W'(eta);
    over_pool     = !dedicated && pool_headroom + rest > W'(pool_h);
    reason        = weir_pkg::ReasonAdmitted;
    to            = weir_pkg::ToNone;
    if (arrives[2]) begin
      if (rest == '0 || (below && fits)) to = weir_pkg::ToShared;
      else if (eta == '0 && below) reason = weir_pkg::ReasonSharedPool;
      else if (eta == '0) reason = weir_pkg::ReasonSharedThreshold;
      else if (over_limit) reason = weir_pkg::ReasonHeadroomLimit;
      else if (over_pool) reason = weir_pkg::ReasonHeadroomPool;
      else to = weir_pkg::ToHeadroom;
    end
    after = between;
    if (to != weir_pkg::ToNone) begin
      after[0 +: 2*W] = with_part(between[0 +: 2*W], arr_pgs[2], p + part);
    end
    if (to == weir_pkg::ToShared) begin
      after[2*W +: 2*W] = with_part(between[2*W +: 2*W], arr_pgs[2], s + rest);
    end
    if (to == weir_pkg::ToHeadroom) begin
      after[4*W +: 2*W] = with_part(between[4*W +: 2*W], arr_pgs[2], h + rest);
    end
  end

  // ---- What the step said, a cycle later, and the levels after it.
  logic [CountsW-1:0] between_q;
  logic               overdrawn_q;
  logic [2:0]         reason_q;
  logic [1:0]         to_q, part_q, rest_q;
  always @(posedge clk_i) begin
    if (!rst_ni) begin
      counts_q    <= '0;
      between_q   <= '0;
      overdrawn_q <= 1'b0;
      reason_q    <= '0;
      to_q        <= '0;
      part_q      <= '0;
      rest_q      <= '0;
    end else begin
      counts_q    <= after;
      between_q   <= between;
      overdrawn_q <= overdrawn;
      reason_q    <= reason;
      to_q        <= to;
      part_q      <= part[1:0];
      rest_q      <= rest[1:0];
    end
  end

  // The level of a PG after a step that leaves such counts; pressed: a cell went to headroom, or
  // was refused.
  function automatic logic level_after(input logic was, input logic pg, input logic comes,
                                       input logic pressed, input logic [CountsW-1:0] counts);
    logic         due, resumes;
    logic [W-1:0] in_p, in_s, in_h;
    logic [T-1:0] now;
    in_p    = of(counts[0 +: 2*W], pg);
    in_s    = of(counts[2*W +: 2*W], pg);
    in_h    = of(counts[4*W +: 2*W], pg);
    now     = threshold(counts);
    due     = pressed ||
              (trigger == weir_pkg::XoffOnCrossing && in_p == W'(phi) && T'(in_s) >= now);
    resumes = !due && in_h == '0 &&
              ((rule == weir_pkg::XonPaper) ? in_s < W'(xon) || in_s == '0
                                            : in_s <= W'(xon) || T'(in_s) + T'(xon_offset) <= now);
    level_after = lossless && !(in_p == '0 && in_s == '0 && in_h == '0) &&
                  ((comes && due) || (was && !resumes));
  endfunction

  logic [1:0] levels_q, levels_between, levels_after;
  logic       refused, rel_xoff, arr_xoff;
  always_comb begin
    refused        = reason_q != weir_pkg::ReasonAdmitted;
    levels_between = levels_q;
    rel_xoff       = level_after(levels_q[rel_pgs[3]], rel_pgs[3], 1'b0, 1'b0, between_q);
    if (overdrawn_q) rel_xoff = 1'b0;
    if (leaves[3] && !overdrawn_q) levels_between[rel_pgs[3]] = rel_xoff;
    levels_after   = levels_between;
    arr_xoff       = level_after(levels_between[arr_pgs[3]], arr_pgs[3], 1'b1,
                                 refused || to_q == weir_pkg::ToHeadroom, counts_q);
    if (arrives[3]) levels_after[arr_pgs[3]] = arr_xoff;
  end
  always @(posedge clk_i) levels_q <= rst_ni ? levels_after : '0;

  // ---- The domain.
  logic [weir_pkg::ProfileBits-1:0]  profile;
  logic [weir_pkg::PoolBits-1:0]     pool;
  logic                              init_done, rel_valid, rel_pg_level, rel_level_changed;
  logic                              rel_error;
  logic                              arr_valid, arr_level, arr_level_changed, arr_mask;
  logic [2:0]                        rel_pg, arr_pg, arr_reason;
  logic [1:0]                        arr_private, arr_shared, arr_headroom;
  logic [weir_pkg::ThresholdW-1:0]   arr_threshold;
  logic [7:0]                        level;
  always_comb begin
    profile = '0;
    profile[weir_pkg::ProfileLine + weir_pkg::LineAlphaN +: weir_pkg::AlphaNW] =
        (alpha == 2'd2) ? weir_pkg::AlphaNW'(8) : weir_pkg::AlphaNW'(1);
    profile[weir_pkg::ProfileLine + weir_pkg::LineAlphaM +: weir_pkg::AlphaMW] =
        (alpha == 2'd0) ? weir_pkg::AlphaMW'(1) : '0;
    profile[weir_pkg::ProfilePrivate +: LimitW]   = LimitW'(phi);
    profile[weir_pkg::ProfileHeadroom +: LimitW]  = LimitW'(eta);
    profile[weir_pkg::ProfileXon +: LimitW]       = LimitW'(xon);
    profile[weir_pkg::ProfileXonOffset +: LimitW] = LimitW'(xon_offset);
    profile[weir_pkg::ProfileLossless]            = lossless;
    profile[weir_pkg::ProfileTrigger]             = trigger;
    profile[weir_pkg::ProfileRule]                = rule;
    pool = '0;
    pool[weir_pkg::PoolShared +: LimitW]   = LimitW'(pool_b);
    pool[weir_pkg::PoolHeadroom +: LimitW] = LimitW'(pool_h);
    pool[weir_pkg::PoolDedicated]          = dedicated;
  end

  weir_domain #(
    .Ports(1), .Lanes(1), .Copies(1), .Profiles(1), .QueueProfiles(1), .Pools(1), .EgressPools(1),
    .CellW(W), .LenW(2), .ByteW(1), .StatW(1), .AdmitLatency(Latency)
  ) u_domain (
    .clk_i, .rst_ni, .init_done_o(init_done),
    .cfg_profile_i(profile), .cfg_pool_i(pool), .cfg_queue_profile_i('0), .cfg_egress_pool_i('0),
    .cfg_update_i(1'b0), .cfg_update_profile_i(1'b0), .cfg_taken_o(),
    .map_we_i(!running), .map_queue_i(1'b0),
    .map_addr_i({2'b00, begun_q[0]}), .map_data_i(1'b1), .clear_stats_i(1'b0),
    .rel_valid_i(leave), .rel_pg_i({2'b00, rel_pg_i}), .rel_cells_i, .rel_queue_i(3'd0),
    .rel_last_i(1'b1), .rel_valid_o(rel_valid), .rel_pg_o(rel_pg), .rel_xoff_o(rel_pg_level),
    .rel_changed_o(rel_level_changed), .rel_error_o(rel_error),
    .arr_valid_i(arrive), .arr_pg_i({2'b00, arr_pg_i}), .arr_cells_i, .arr_bytes_i(1'b1),
    .arr_queue_i(3'd0), .arr_mask_i(1'b1), .arr_drop_i(1'b0),
    .arr_valid_o(arr_valid), .arr_pg_o(arr_pg), .arr_reason_o(arr_reason),
    .arr_private_o(arr_private), .arr_shared_o(arr_shared), .arr_headroom_o(arr_headroom),
    .arr_threshold_o(arr_threshold), .arr_xoff_o(arr_level), .arr_changed_o(arr_level_changed),
    .arr_mask_o(arr_mask), .xoff_o(level),
    .rd_valid_i(1'b0), .rd_select_i('0), .rd_addr_i('0), .rd_valid_o(), .rd_data_o()
  );

  // ---- The environment.
  logic started_q = 1'b0;
  always @(posedge clk_i) started_q <= 1'b1;
  always_comb begin
    if (started_q) assume (rst_ni);
    else           assume (!rst_ni);
    assume (rel_cells_i != '0 && arr_cells_i != '0);
    assume (phi != 2'd3 && alpha != 2'd3);
    assume (lossless || eta == '0);
  end

  // ---- Inside the domain. When Yosys flattens, it joins a wire with `hierconn` to the one of that
  // name below. If there were none, the wire could hold anything, and its lemma would fail.
  (* hierconn *) logic        \u_domain.u_requests.started_q ;
  (* hierconn *) logic [17:0] \u_domain.u_requests.stage1_q ;
  (* hierconn *) logic [14:0] \u_domain.u_requests.stage2_q ;
  (* hierconn *) logic [11:0] \u_domain.u_requests.stage3_q ;
  (* hierconn *) logic        \u_domain.u_settings.map_we_q ;
  (* hierconn *) logic        \u_domain.u_settings.map_queue_we_q ;
  (* hierconn *) logic [2:0]  \u_domain.u_settings.map_addr_q ;
  (* hierconn *) logic        \u_domain.u_settings.map_data_q ;
  (* hierconn *) logic [2:0]  \u_domain.u_settings.map1 ;
  (* hierconn *) logic [2:0]  \u_domain.u_settings.map_queue1 ;
  (* hierconn *) logic        \u_domain.u_settings.u_map_pg.shows_q ;
  (* hierconn *) logic        \u_domain.u_settings.update1_q ;
  (* hierconn *) logic [weir_pkg::ProfileBits-1:0] \u_domain.u_settings.settings_q ;
  (* hierconn *) logic        \u_domain.u_settings.dedicated2_q ;
  (* hierconn *) logic [LimitW-1:0] \u_domain.u_settings.headroom_pool2_q ;
  (* hierconn *) logic [LimitW-1:0] \u_domain.u_settings.headroom_limit2_q ;
  (* hierconn *) logic        \u_domain.u_settings.limited2_q ;
  (* hierconn *) logic [47:0] \u_domain.u_ingress_accounting.memory_row ;
  (* hierconn *) logic [23:0] \u_domain.u_ingress_accounting.rel_row2_q ;
  (* hierconn *) logic [23:0] \u_domain.u_ingress_accounting.arr_row2_q ;
  (* hierconn *) logic [LimitW-1:0] \u_domain.u_ingress_accounting.rel_free2_q ;
  (* hierconn *) logic        \u_domain.u_ingress_accounting.rel_error2_q ;
  (* hierconn *) logic        \u_domain.u_ingress_accounting.rel_error3_q ;
  (* hierconn *) logic        \u_domain.u_ingress_accounting.frees2_q ;
  (* hierconn *) logic [40:0] \u_domain.u_ingress_accounting.sums_q ;
  (* hierconn *) logic [29:0] \u_domain.u_ingress_accounting.arrivals_q ;
  (* hierconn *) logic [47:0] \u_domain.u_ingress_accounting.row3_q ;
  (* hierconn *) logic [5:0]  \u_domain.u_ingress_accounting.u_hazards.row1_q ;
  (* hierconn *) logic [5:0]  \u_domain.u_ingress_accounting.u_hazards.row2_q ;
  (* hierconn *) logic [3:0]  \u_domain.u_ingress_accounting.u_hazards.same_q ;
  (* hierconn *) logic [3:0]  \u_domain.u_ingress_accounting.u_hazards.previous_q ;
  (* hierconn *) logic [7:0]  \u_domain.u_ingress_accounting.u_rows.u_memory.gen_copies.gen_live_values.last_port_q ;
  (* hierconn *) logic        \u_domain.u_egress_accounting.rel_error2_q ;
  (* hierconn *) logic        \u_domain.u_egress_accounting.rel_error3_q ;
  (* hierconn *) logic [1:0]  \u_domain.chg_to ;
  (* hierconn *) logic [1:0]  \u_domain.chg_private ;
  (* hierconn *) logic [1:0]  \u_domain.chg_rest ;
  (* hierconn *) logic [2:0]  \u_domain.u_lanes.reason3_q ;
  (* hierconn *) logic [1:0]  \u_domain.u_lanes.to3_q ;
  (* hierconn *) logic [1:0]  \u_domain.u_lanes.private3_q ;
  (* hierconn *) logic [1:0]  \u_domain.u_lanes.rest3_q ;
  (* hierconn *) logic        \u_domain.u_lanes.taken3_q ;
  (* hierconn *) logic [40:0] \u_domain.u_lanes.product3_q ;
  (* hierconn *) logic [81:0] \u_domain.u_lanes.after3_q ;
  (* hierconn *) logic [7:0]  \u_domain.u_xoff.u_pfc_state.xoff_q ;
  // Step 0 is the release, step 1 the arrival.
  (* hierconn *) logic [15:0] \u_domain.u_settings.gen_group[0].u_settings.slope_n2_q ;
  (* hierconn *) logic [15:0] \u_domain.u_settings.gen_group[1].u_settings.slope_n2_q ;
  (* hierconn *) logic [4:0]  \u_domain.u_settings.gen_group[0].u_settings.slope_m2_q ;
  (* hierconn *) logic [4:0]  \u_domain.u_settings.gen_group[1].u_settings.slope_m2_q ;
  (* hierconn *) logic [4:0]  \u_domain.u_settings.gen_group[0].u_settings.slope_m3_q ;
  (* hierconn *) logic [4:0]  \u_domain.u_settings.gen_group[1].u_settings.slope_m3_q ;
  (* hierconn *) logic [LimitW-1:0] \u_domain.u_settings.gen_group[0].u_settings.constant2_q ;
  (* hierconn *) logic [LimitW-1:0] \u_domain.u_settings.gen_group[1].u_settings.constant2_q ;
  (* hierconn *) logic [LimitW-1:0] \u_domain.u_settings.gen_group[0].u_settings.constant3_q ;
  (* hierconn *) logic [LimitW-1:0] \u_domain.u_settings.gen_group[1].u_settings.constant3_q ;
  (* hierconn *) logic [LimitW-1:0] \u_domain.u_settings.gen_group[0].u_settings.private2_q ;
  (* hierconn *) logic [LimitW-1:0] \u_domain.u_settings.gen_group[1].u_settings.private2_q ;
  (* hierconn *) logic [LimitW-1:0] \u_domain.u_settings.gen_group[0].u_settings.private3_q ;
  (* hierconn *) logic [LimitW-1:0] \u_domain.u_settings.gen_group[1].u_settings.private3_q ;
  (* hierconn *) logic [LimitW-1:0] \u_domain.u_settings.gen_group[0].u_settings.xon2_q ;
  (* hierconn *) logic [LimitW-1:0] \u_domain.u_settings.gen_group[1].u_settings.xon2_q ;
  (* hierconn *) logic [LimitW-1:0] \u_domain.u_settings.gen_group[0].u_settings.xon3_q ;
  (* hierconn *) logic [LimitW-1:0] \u_domain.u_settings.gen_group[1].u_settings.xon3_q ;
  (* hierconn *) logic [LimitW-1:0] \u_domain.u_settings.gen_group[0].u_settings.xon_offset2_q ;
  (* hierconn *) logic [LimitW-1:0] \u_domain.u_settings.gen_group[1].u_settings.xon_offset2_q ;
  (* hierconn *) logic [LimitW-1:0] \u_domain.u_settings.gen_group[0].u_settings.xon_offset3_q ;
  (* hierconn *) logic [LimitW-1:0] \u_domain.u_settings.gen_group[1].u_settings.xon_offset3_q ;
  (* hierconn *) logic [2:0]  \u_domain.u_settings.gen_group[0].u_settings.rules2_q ;
  (* hierconn *) logic [2:0]  \u_domain.u_settings.gen_group[1].u_settings.rules2_q ;
  (* hierconn *) logic [2:0]  \u_domain.u_settings.gen_group[0].u_settings.rules3_q ;
  (* hierconn *) logic [2:0]  \u_domain.u_settings.gen_group[1].u_settings.rules3_q ;
  (* hierconn *) logic        \u_domain.u_settings.gen_group[0].u_settings.pool2_q ;
  (* hierconn *) logic        \u_domain.u_settings.gen_group[1].u_settings.pool2_q ;
  // Rows of the memories: gen_read has the read port, gen_copy the write port.
  (* hierconn *) logic [191:0] \u_domain.u_ingress_accounting.u_rows.u_memory.gen_copies.gen_read[0].gen_copy[0].u_ram.rows ;
  (* hierconn *) logic [191:0] \u_domain.u_ingress_accounting.u_rows.u_memory.gen_copies.gen_read[0].gen_copy[1].u_ram.rows ;
  (* hierconn *) logic [191:0] \u_domain.u_ingress_accounting.u_rows.u_memory.gen_copies.gen_read[1].gen_copy[0].u_ram.rows ;
  (* hierconn *) logic [191:0] \u_domain.u_ingress_accounting.u_rows.u_memory.gen_copies.gen_read[1].gen_copy[1].u_ram.rows ;
  (* hierconn *) logic [7:0]   \u_domain.u_settings.u_map_pg.u_memory.gen_copies.gen_read[0].gen_copy[0].u_ram.rows ;
  (* hierconn *) logic [7:0]   \u_domain.u_settings.u_map_pg.u_memory.gen_copies.gen_read[1].gen_copy[0].u_ram.rows ;
  (* hierconn *) logic [7:0]   \u_domain.u_settings.u_map_queue.u_memory.gen_copies.gen_read[0].gen_copy[0].u_ram.rows ;
  (* hierconn *) logic [7:0]   \u_domain.u_settings.u_map_queue.u_memory.gen_copies.gen_read[1].gen_copy[0].u_ram.rows ;

  // ---- The same in short.
  localparam int RowW = 3 * W;   // {headroom, shared, private}
  logic [Latency:1]    ran_q;    // running, k cycles ago
  always @(posedge clk_i) ran_q <= rst_ni ? {ran_q[Latency-1:1], running} : '0;

  logic [4*8*RowW-1:0] rows;     // 2 * read port + write port
  logic [15:0]         map_rows, map_queue_rows;
  assign rows = {
      \u_domain.u_ingress_accounting.u_rows.u_memory.gen_copies.gen_read[1].gen_copy[1].u_ram.rows ,
      \u_domain.u_ingress_accounting.u_rows.u_memory.gen_copies.gen_read[1].gen_copy[0].u_ram.rows ,
      \u_domain.u_ingress_accounting.u_rows.u_memory.gen_copies.gen_read[0].gen_copy[1].u_ram.rows ,
      \u_domain.u_ingress_accounting.u_rows.u_memory.gen_copies.gen_read[0].gen_copy[0].u_ram.rows };
  assign map_rows = {
      \u_domain.u_settings.u_map_pg.u_memory.gen_copies.gen_read[1].gen_copy[0].u_ram.rows ,
      \u_domain.u_settings.u_map_pg.u_memory.gen_copies.gen_read[0].gen_copy[0].u_ram.rows };
  assign map_queue_rows = {
      \u_domain.u_settings.u_map_queue.u_memory.gen_copies.gen_read[1].gen_copy[0].u_ram.rows ,
      \u_domain.u_settings.u_map_queue.u_memory.gen_copies.gen_read[0].gen_copy[0].u_ram.rows };

  localparam int Setting2W = 16 + 5 + 3 * LimitW + 3;
  localparam int Setting3W = 5 + 3 * LimitW + 3;
  logic [2*Setting2W-1:0] settings2;   // step 1, step 0
  logic [2*Setting3W-1:0] settings3;
  logic [Setting2W-1:0]   profile2;
  logic [Setting3W-1:0]   profile3;
  assign settings2 = {
      \u_domain.u_settings.gen_group[1].u_settings.slope_n2_q ,
      \u_domain.u_settings.gen_group[1].u_settings.slope_m2_q ,
      \u_domain.u_settings.gen_group[1].u_settings.private2_q ,
      \u_domain.u_settings.gen_group[1].u_settings.xon2_q ,
      \u_domain.u_settings.gen_group[1].u_settings.xon_offset2_q ,
      \u_domain.u_settings.gen_group[1].u_settings.rules2_q ,
      \u_domain.u_settings.gen_group[0].u_settings.slope_n2_q ,
      \u_domain.u_settings.gen_group[0].u_settings.slope_m2_q ,
      \u_domain.u_settings.gen_group[0].u_settings.private2_q ,
      \u_domain.u_settings.gen_group[0].u_settings.xon2_q ,
      \u_domain.u_settings.gen_group[0].u_settings.xon_offset2_q ,
      \u_domain.u_settings.gen_group[0].u_settings.rules2_q };
  assign settings3 = {
      \u_domain.u_settings.gen_group[1].u_settings.slope_m3_q ,
      \u_domain.u_settings.gen_group[1].u_settings.private3_q ,
      \u_domain.u_settings.gen_group[1].u_settings.xon3_q ,
      \u_domain.u_settings.gen_group[1].u_settings.xon_offset3_q ,
      \u_domain.u_settings.gen_group[1].u_settings.rules3_q ,
      \u_domain.u_settings.gen_group[0].u_settings.slope_m3_q ,
      \u_domain.u_settings.gen_group[0].u_settings.private3_q ,
      \u_domain.u_settings.gen_group[0].u_settings.xon3_q ,
      \u_domain.u_settings.gen_group[0].u_settings.xon_offset3_q ,
      \u_domain.u_settings.gen_group[0].u_settings.rules3_q };
  assign profile3 = {(alpha == 2'd0) ? 5'd1 : 5'd0, LimitW'(phi), LimitW'(xon),
                     LimitW'(xon_offset), rule, trigger, lossless};
  assign profile2 = {(alpha == 2'd2) ? 16'd8 : 16'd1, profile3};

  function automatic logic [RowW-1:0] row_of(input logic [CountsW-1:0] counts, input logic pg);
    row_of = {of(counts[4*W +: 2*W], pg), of(counts[2*W +: 2*W], pg), of(counts[0 +: 2*W], pg)};
  endfunction
  // n * (B - S)
  function automatic logic [T-1:0] product(input logic [CountsW-1:0] counts);
    product = (alpha == 2'd2) ? free_cells(counts) << 3 : free_cells(counts);
  endfunction

  // ---- What each register holds
  always_comb begin
    lemma_reset_comes_first: assert ((started_q || !rst_ni) && init_done);
    lemma_memories_start_empty: assert (rst_ni || rows == '0);
    lemma_no_queue_has_a_limit: assert (map_queue_rows == '0);
  end

  always_comb if (rst_ni) begin
    // The rules.
    lemma_requests_begin: assert (begun_q != 2'd3 && (running || ran_q == '0) &&
        (ran_q[1] || !ran_q[2]) && (ran_q[2] || !ran_q[3]));
    for (int k = 0; k < Latency; k++) begin
      lemma_no_request_before: assert (ran_q[k+1] || request_q[k*RequestW +: RequestW] == '0);
      lemma_requests_are_of_cells: assert (
          request_q[k*RequestW + 7] == (request_q[k*RequestW + 4 +: 2] != '0) &&
          request_q[k*RequestW + 3] == (request_q[k*RequestW +: 2] != '0) &&
          (request_q[k*RequestW + 7] || !request_q[k*RequestW + 6]) &&
          (request_q[k*RequestW + 3] || !request_q[k*RequestW + 2]));
    end
    lemma_nothing_before: assert (ran_q[3] || {counts_q, between_q, levels_q} == '0);
    for (int g = 0; g < 2; g++) begin
      lemma_private_fits: assert (counts_q[g*W +: W] <= W'(phi) && between_q[g*W +: W] <= W'(phi));
      lemma_shared_fits: assert (counts_q[(2+g)*W +: W] <= W'(pool_b) &&
                                 between_q[(2+g)*W +: W] <= W'(pool_b));
      lemma_headroom_fits: assert (counts_q[(4+g)*W +: W] <= W'(eta) &&
                                   between_q[(4+g)*W +: W] <= W'(eta));
    end
    lemma_shared_fits_the_pool: assert (
        counts_q[2*W +: W] + counts_q[3*W +: W] <= W'(pool_b) &&
        between_q[2*W +: W] + between_q[3*W +: W] <= W'(pool_b));
    lemma_lossy_is_not_xoff: assert (lossless || levels_q == '0);
    lemma_what_was_said: assert (
        (arrives[3] ? (to_q == weir_pkg::ToNone) == refused && to_q != 2'd3
                    : {reason_q, to_q} == '0) &&
        (leaves[3] || !overdrawn_q) && (to_q != weir_pkg::ToHeadroom || rest_q != '0));

    // Requests.
    lemma_first_request: assert ( \u_domain.u_requests.started_q  || {request_q, counts_q} == '0);
    lemma_first_request_comes_late: assert (! \u_domain.u_requests.started_q  || ran_q[1]);
    lemma_requests_under_way: assert (
        \u_domain.u_requests.stage1_q  == {
            leaves[1], leaves[1], request_q[4 +: 2], arrives[1], 2'd0, arr_pgs[1], 2'd0, rel_pgs[1],
            request_q[0 +: 2], arrives[1], 3'd0, arrives[1]} &&
        \u_domain.u_requests.stage2_q  == {
            leaves[2], arrives[2], 2'd0, arr_pgs[2], 2'd0, rel_pgs[2], request_q[RequestW +: 2],
            arrives[2], 3'd0, arrives[2]} &&
        \u_domain.u_requests.stage3_q  == {
            leaves[3], arrives[3], 2'd0, arr_pgs[3], 2'd0, rel_pgs[3], arrives[3], 3'd0});

    // Settings.
    lemma_profile: assert (! \u_domain.u_settings.update1_q  &&
        \u_domain.u_settings.settings_q  == ((begun_q == '0) ? '0 : profile));
    lemma_map_writes: assert (! \u_domain.u_settings.map_queue_we_q  &&
        \u_domain.u_settings.map_we_q  == (begun_q != '0 && !ran_q[1]) &&
        (! \u_domain.u_settings.map_we_q  || ( \u_domain.u_settings.map_data_q  &&
             \u_domain.u_settings.map_addr_q  == {2'd0, running})) &&
        \u_domain.u_settings.u_map_pg.shows_q  == (begun_q != '0));
    for (int r = 0; r < 2; r++) begin
      lemma_map_rows: assert ((!running || map_rows[8*r]) && (!ran_q[1] || map_rows[8*r + 1]));
    end
    lemma_map_read: assert ( \u_domain.u_settings.map_queue1 [1:0] == '0 &&
                            (!ran_q[1] || \u_domain.u_settings.map1 [1:0] == '1));
    lemma_no_limits: assert ({ \u_domain.u_settings.limited2_q ,
        \u_domain.u_settings.gen_group[0].u_settings.pool2_q ,
        \u_domain.u_settings.gen_group[1].u_settings.pool2_q ,
        \u_domain.u_settings.gen_group[0].u_settings.constant2_q ,
        \u_domain.u_settings.gen_group[1].u_settings.constant2_q ,
        \u_domain.u_settings.gen_group[0].u_settings.constant3_q ,
        \u_domain.u_settings.gen_group[1].u_settings.constant3_q } == '0);
    lemma_settings: assert ((!ran_q[2] || settings2 == {2{profile2}}) &&
                            (!ran_q[3] || settings3 == {2{profile3}}));
    lemma_headroom_settings: assert (!ran_q[2] || (
        \u_domain.u_settings.dedicated2_q  == dedicated &&
        \u_domain.u_settings.headroom_pool2_q  == LimitW'(pool_h) &&
        \u_domain.u_settings.headroom_limit2_q  == LimitW'(eta)));

    // Counters.
    lemma_rows_under_way: assert (
        \u_domain.u_ingress_accounting.u_hazards.row1_q  == {2'd0, arr_pgs[1], 2'd0, rel_pgs[1]} &&
        \u_domain.u_ingress_accounting.u_hazards.row2_q  == {2'd0, arr_pgs[2], 2'd0, rel_pgs[2]});
    lemma_who_meets: assert (begun_q == '0 || (
        \u_domain.u_ingress_accounting.u_hazards.same_q  ==
            {1'b1, {2{arr_pgs[1] == rel_pgs[1]}}, 1'b1} &&
        \u_domain.u_ingress_accounting.u_hazards.previous_q  ==
            {arr_pgs[1] == arr_pgs[2], arr_pgs[1] == rel_pgs[2], rel_pgs[1] == arr_pgs[2],
             rel_pgs[1] == rel_pgs[2]}));
    lemma_releases_that_write: assert ( \u_domain.u_ingress_accounting.frees2_q  == leaves[2]);
    for (int r = 0; r < 2; r++) begin
      for (int g = 0; g < 2; g++) begin
        lemma_memory_holds_the_rows: assert (row_of(counts_q, g[0]) == (
            \u_domain.u_ingress_accounting.u_rows.u_memory.gen_copies.gen_live_values.last_port_q [g] ?
            rows[((2*r+1)*8 + g)*RowW +: RowW] : rows[(2*r*8 + g)*RowW +: RowW]));
      end
    end
    lemma_rows_read: assert ( \u_domain.u_ingress_accounting.memory_row  ==
        {row_of(counts_q, arr_pgs[1]), row_of(counts_q, rel_pgs[1])});
    lemma_row_after_the_release: assert ( \u_domain.u_ingress_accounting.rel_row2_q  ==
                                         row_of(between, rel_pgs[2]));
    lemma_overdrawn: assert ( \u_domain.u_ingress_accounting.rel_error2_q  ==
                             overdrawn);
    lemma_row_before_the_arrival: assert ( \u_domain.u_ingress_accounting.arr_row2_q  ==
                                          row_of(between, arr_pgs[2]));
    lemma_parts_of_the_packet: assert ( \u_domain.u_ingress_accounting.arrivals_q [3:0] ==
                                       {rest[1:0], part[1:0]});
    lemma_sums_after_the_release: assert (begun_q == '0 || (
        \u_domain.u_ingress_accounting.sums_q [0 +: LimitW] == LimitW'(free_cells(between)) &&
        \u_domain.u_ingress_accounting.sums_q [LimitW +: W] ==
            between[4*W +: W] + between[5*W +: W]));
    lemma_free_after_the_release: assert (!ran_q[2] ||
        \u_domain.u_ingress_accounting.rel_free2_q  == LimitW'(free_cells(between)));
    lemma_queues_give_no_error: assert ({ \u_domain.u_egress_accounting.rel_error2_q ,
                                         \u_domain.u_egress_accounting.rel_error3_q } == '0);

    // Decisions.
    lemma_decision: assert ({ \u_domain.chg_to , \u_domain.chg_rest , \u_domain.chg_private } ==
                            {to, rest[1:0], part[1:0]});
    lemma_decided: assert ({ \u_domain.u_lanes.to3_q , \u_domain.u_lanes.rest3_q ,
                            \u_domain.u_lanes.private3_q } == {to_q, rest_q, part_q});
    lemma_reason: assert ({ \u_domain.u_lanes.taken3_q , \u_domain.u_lanes.reason3_q } ==
                          {to_q != weir_pkg::ToNone, reason_q});
    lemma_products: assert (!ran_q[3] || (
        \u_domain.u_lanes.product3_q  == 41'(product(between_q)) &&
        \u_domain.u_lanes.after3_q  == {41'(product(counts_q)), 41'(product(between_q))}));
    lemma_rows_after_the_step: assert ( \u_domain.u_ingress_accounting.row3_q  ==
        {row_of(counts_q, arr_pgs[3]), row_of(between_q, rel_pgs[3])} &&
        \u_domain.u_ingress_accounting.rel_error3_q  == overdrawn_q);
    lemma_levels: assert ( \u_domain.u_xoff.u_pfc_state.xoff_q  == {6'd0, levels_q});
  end

  always_comb if (rst_ni) begin
    verdicts_are_those_of_the_rules: assert (arr_valid == arrives[3] &&
        (!arr_valid || {arr_pg, arr_mask, arr_reason, arr_private, arr_shared, arr_headroom} == {
             2'b00, arr_pgs[3], !refused, reason_q, refused ? 2'd0 : part_q,
             (to_q == weir_pkg::ToShared) ? rest_q : 2'd0,
             (to_q == weir_pkg::ToHeadroom) ? rest_q : 2'd0}));
    thresholds_are_those_of_the_rules: assert (!arr_valid ||
        arr_threshold == weir_pkg::ThresholdW'(threshold(between_q)));
    releases_are_those_of_the_rules: assert (rel_valid == leaves[3] &&
        (!rel_valid || {rel_pg, rel_error} == {2'b00, rel_pgs[3], overdrawn_q}));
    levels_are_those_of_the_rules: assert (level == {6'd0, levels_after} &&
        (!arr_valid || {arr_level, arr_level_changed} ==
                       {arr_xoff, arr_xoff != levels_between[arr_pgs[3]]}) &&
        (!rel_valid || {rel_pg_level, rel_level_changed} ==
                       {rel_xoff, !overdrawn_q && rel_xoff != levels_q[rel_pgs[3]]}));
  end

  always_comb if (rst_ni) begin
    verdicts_are_those_of_the_rules: cover (arr_valid && arr_private != '0 && arr_headroom != '0);
    thresholds_are_those_of_the_rules: cover (arr_valid && arr_threshold != '0 && alpha == 2'd0 &&
                                              arr_shared != '0);
    releases_are_those_of_the_rules: cover (rel_valid && rel_error && arr_valid &&
                                            arr_shared != '0);
    levels_are_those_of_the_rules: cover (rel_valid && rel_level_changed && arr_valid && level[1]);
  end

endmodule

// SPDX-License-Identifier: Apache-2.0
//
// weir_domain as a whole next to the rules of the contract: a release and an arrival in any cycle, at
// two priority groups (PGs) of one port, in any order and without a gap. The rules are written here
// as one step after the other in the cycle of the request; the verdicts of the domain must be
// theirs AdmitLatency cycles later.
//
// Free, and constant while it runs: phi (0 to 2), alpha (1/2, 1, 8), eta (0 to 7, 0 of a lossy
// profile), xon and xon_offset (0 to 3), B and H (0 to 15), own headroom or a pool, lossless or
// lossy, the XOFF trigger and the XON rule. Packets have 1 to 3 cells; a release is of any 1 to 3,
// held or not. Queues have no limit here.
//
// Units:   cells.
// Latency: that of weir_domain.
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

  // ---- The state of the rules, part g of PG g.
  logic [2*W-1:0] private_q, shared_q, headroom_q;
  logic [1:0]     xoff_q;

  function automatic logic [W-1:0] of(input logic [2*W-1:0] all, input logic pg);
    of = pg ? all[W +: W] : all[0 +: W];
  endfunction
  function automatic logic [2*W-1:0] with_part(input logic [2*W-1:0] all, input logic pg,
                                               input logic [W-1:0] part);
    with_part = pg ? {part, all[0 +: W]} : {all[W +: W], part};
  endfunction
  // T = floor(alpha * (B - S)).
  function automatic logic [T-1:0] threshold(input logic [2*W-1:0] shared);
    logic [T-1:0] free;
    free = T'(pool_b) - T'(shared[0 +: W]) - T'(shared[W +: W]);
    threshold = (alpha == 2'd0) ? free >> 1 : (alpha == 2'd1) ? free : free << 3;
  endfunction
  // The level of a PG after a step; pressed: a cell went to headroom, or refused.
  function automatic logic level_after(input logic was, input logic arrives, input logic pressed,
                                       input logic [W-1:0] p, input logic [W-1:0] s,
                                       input logic [W-1:0] h, input logic [T-1:0] limit);
    logic due, resumes;
    due     = pressed || (trigger == weir_pkg::XoffOnCrossing && p == W'(phi) && T'(s) >= limit);
    resumes = !due && h == '0 &&
              ((rule == weir_pkg::XonPaper) ? s < W'(xon) || s == '0
                                            : s <= W'(xon) || T'(s) + T'(xon_offset) <= limit);
    level_after = !(p == '0 && s == '0 && h == '0) && ((arrives && due) || (was && !resumes));
  endfunction

  // ---- The release.
  logic           leave, overdrawn, rel_xoff, rel_changed;
  logic [W-1:0]   n, found_p, found_s, found_h, left_p, left_s, left_h;
  logic [2*W-1:0] private1, shared1, headroom1;
  logic [1:0]     xoff1;
  always_comb begin
    leave     = running && rel_valid_i;
    n         = W'(rel_cells_i);
    found_p   = of(private_q, rel_pg_i);
    found_s   = of(shared_q, rel_pg_i);
    found_h   = of(headroom_q, rel_pg_i);
    overdrawn = n > found_p + found_s + found_h;
    left_h    = (n > found_h) ? '0 : found_h - n;
    left_s    = (n > found_h + found_s) ? '0 : (n > found_h) ? found_h + found_s - n : found_s;
    left_p    = (n > found_h + found_s) ? found_h + found_s + found_p - n : found_p;
    private1  = private_q;
    shared1   = shared_q;
    headroom1 = headroom_q;
    xoff1     = xoff_q;
    rel_xoff  = 1'b0;
    if (leave && !overdrawn) begin
      private1  = with_part(private_q, rel_pg_i, left_p);
      shared1   = with_part(shared_q, rel_pg_i, left_s);
      headroom1 = with_part(headroom_q, rel_pg_i, left_h);
      rel_xoff  = lossless && level_after(xoff_q[rel_pg_i], 1'b0, 1'b0, left_p, left_s, left_h,
                                          threshold(shared1));
      xoff1[rel_pg_i] = rel_xoff;
    end
    rel_changed = leave && !overdrawn && rel_xoff != xoff_q[rel_pg_i];
  end

  // ---- The arrival after it.
  logic           arrive, below, fits, over_limit, over_pool, admitted, arr_xoff, arr_changed;
  logic [W-1:0]   p, s, h, room, to_private, rest, pool_headroom, to_shared, to_headroom;
  logic [T-1:0]   limit;
  logic [2:0]     reason;
  logic [2*W-1:0] private2, shared2, headroom2;
  logic [1:0]     xoff2;
  always_comb begin
    arrive        = running && arr_valid_i;
    p             = of(private1, arr_pg_i);
    s             = of(shared1, arr_pg_i);
    h             = of(headroom1, arr_pg_i);
    room          = W'(phi) - p;
    to_private    = (W'(arr_cells_i) < room) ? W'(arr_cells_i) : room;
    rest          = W'(arr_cells_i) - to_private;
    limit         = threshold(shared1);
    below         = T'(s) < limit;
    fits          = shared1[0 +: W] + shared1[W +: W] + rest <= W'(pool_b);
    pool_headroom = headroom1[0 +: W] + headroom1[W +: W];
    over_limit    = h + rest > W'(eta);
    over_pool     = !dedicated && pool_headroom + rest > W'(pool_h);
    reason        = weir_pkg::ReasonAdmitted;
    to_shared     = '0;
    to_headroom   = '0;
    if (rest == '0 || (below && fits)) to_shared = rest;
    else if (eta == '0) reason = below ? weir_pkg::ReasonSharedPool : weir_pkg::ReasonSharedThreshold;
    else if (over_limit) reason = weir_pkg::ReasonHeadroomLimit;
    else if (over_pool) reason = weir_pkg::ReasonHeadroomPool;
    else to_headroom = rest;
    admitted = reason == weir_pkg::ReasonAdmitted;
    if (!admitted) to_private = '0;
    private2  = private1;
    shared2   = shared1;
    headroom2 = headroom1;
    xoff2     = xoff1;
    arr_xoff  = 1'b0;
    if (arrive) begin
      private2  = with_part(private1, arr_pg_i, p + to_private);
      shared2   = with_part(shared1, arr_pg_i, s + to_shared);
      headroom2 = with_part(headroom1, arr_pg_i, h + to_headroom);
      arr_xoff  = lossless && level_after(xoff1[arr_pg_i], 1'b1, !admitted || to_headroom != '0,
                                          p + to_private, s + to_shared, h + to_headroom,
                                          threshold(shared2));
      xoff2[arr_pg_i] = arr_xoff;
    end
    arr_changed = arrive && arr_xoff != xoff1[arr_pg_i];
  end

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      private_q  <= '0;
      shared_q   <= '0;
      headroom_q <= '0;
      xoff_q     <= '0;
    end else begin
      private_q  <= private2;
      shared_q   <= shared2;
      headroom_q <= headroom2;
      xoff_q     <= xoff2;
    end
  end

  // ---- What the rules say, AdmitLatency cycles later.
  localparam int ReleaseW = 5;
  localparam int ArrivalW = 14 + T;
  logic [Latency*ReleaseW-1:0] releases_q;
  logic [Latency*ArrivalW-1:0] arrivals_q;
  logic [Latency*2-1:0]        levels_q;
  logic [ReleaseW-1:0]         release_now, release_then;
  logic [ArrivalW-1:0]         arrival_now, arrival_then;
  assign release_now = leave ? {1'b1, rel_pg_i, overdrawn, rel_xoff, rel_changed} : '0;
  assign arrival_now = arrive ? {1'b1, arr_pg_i, arr_xoff, arr_changed, admitted, reason,
                                 to_private[1:0], to_shared[1:0], to_headroom[1:0], limit} : '0;
  assign release_then = releases_q[(Latency-1)*ReleaseW +: ReleaseW];
  assign arrival_then = arrivals_q[(Latency-1)*ArrivalW +: ArrivalW];
  always @(posedge clk_i) begin
    if (!rst_ni) begin
      releases_q <= '0;
      arrivals_q <= '0;
      levels_q   <= '0;
    end else begin
      releases_q <= {releases_q[0 +: (Latency-1)*ReleaseW], release_now};
      arrivals_q <= {arrivals_q[0 +: (Latency-1)*ArrivalW], arrival_now};
      levels_q   <= {levels_q[0 +: (Latency-1)*2], xoff2};
    end
  end

  // ---- The domain.
  logic [weir_pkg::ProfileBits-1:0]  profile;
  logic [weir_pkg::PoolBits-1:0]     pool;
  logic                              rel_valid, rel_pg_level, rel_level_changed, rel_error;
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
    .clk_i, .rst_ni, .init_done_o(),
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

  always_comb if (rst_ni) begin
    verdicts_are_those_of_the_rules: assert (arr_valid == arrival_then[ArrivalW-1] &&
        (!arr_valid || {arr_pg, arr_mask, arr_reason, arr_private, arr_shared, arr_headroom} ==
                       {2'b00, arrival_then[ArrivalW-2], arrival_then[T+9 -: 10]}));
    thresholds_are_those_of_the_rules: assert (!arr_valid ||
        arr_threshold == weir_pkg::ThresholdW'(arrival_then[T-1:0]));
    releases_are_those_of_the_rules: assert (rel_valid == release_then[4] &&
        (!rel_valid || {rel_pg, rel_error} == {2'b00, release_then[3:2]}));
    levels_are_those_of_the_rules: assert (level == {6'd0, levels_q[(Latency-1)*2 +: 2]} &&
        (!arr_valid || {arr_level, arr_level_changed} == arrival_then[ArrivalW-3 -: 2]) &&
        (!rel_valid || {rel_pg_level, rel_level_changed} == release_then[1:0]));
  end

  always_comb if (rst_ni) begin
    verdicts_are_those_of_the_rules: cover (arr_valid && arr_private != '0 && arr_headroom != '0);
    thresholds_are_those_of_the_rules: cover (arr_valid && arr_threshold != '0 && alpha == 2'd0 &&
                                              arr_shared != '0);
    releases_are_those_of_the_rules: cover (rel_valid && rel_error && arr_valid && arr_shared != '0);
    levels_are_those_of_the_rules: cover (rel_valid && rel_level_changed && arr_valid && level[1]);
  end

endmodule

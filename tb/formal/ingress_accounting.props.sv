// SPDX-License-Identifier: Apache-2.0
//
// Properties of ingress_accounting, read inside the module: the pipeline against the rules, one step
// after the other, with releases and arrivals in every cycle at any PGs, decided in any way that
// fits. Nothing bounds the run: of each register and of the memory it is said what they hold in terms
// of the rules' rows, so that the induction needs one step.
//
// The memory starts empty (the walk after reset is a property of row_memory). PGs stay in a pool.
//
// Units:   cells.
// Latency: the rules take all steps of a cycle when its decisions come in (t + 2).
// Golden:  none; docs/design/contract.md, 2 alone.

  localparam int Pgs = Ports * 8;

  (* anyconst, keep *) logic [Pgs*CellW-1:0]     phis;
  (* anyconst, keep *) logic [Pgs*PoolW-1:0]     pools;
  (* anyconst, keep *) logic [Pools*CellW-1:0]   pool_b;

  function automatic logic [Width-1:0] rules_row(input logic [Pgs*Width-1:0] all,
                                                 input logic [RowW-1:0] g);
    rules_row = '0;
    for (int r = 0; r < Pgs; r++) if (g == RowW'(r)) rules_row = all[r*Width +: Width];
  endfunction
  function automatic logic [CellW-1:0] phi_of(input logic [RowW-1:0] g);
    phi_of = '0;
    for (int r = 0; r < Pgs; r++) if (g == RowW'(r)) phi_of = phis[r*CellW +: CellW];
  endfunction
  function automatic logic [PoolW-1:0] pool_of(input logic [RowW-1:0] g);
    pool_of = '0;
    for (int r = 0; r < Pgs; r++) if (g == RowW'(r)) pool_of = pools[r*PoolW +: PoolW];
  endfunction

  // ---- Requests as the rules see them
  logic                  started_q = 1'b0;
  logic [2:0]            live_q = '0;          // cycles since reset
  logic [Steps*RowW-1:0] pgs1_q, pgs2_q;
  logic [Lanes*LenW-1:0] leave_q, arrive_q;    // cells
  always @(posedge clk_i) begin
    started_q <= 1'b1;
    live_q    <= rst_ni ? {live_q[1:0], 1'b1} : '0;
    pgs1_q    <= rst_ni ? pg : '0;
    pgs2_q    <= rst_ni ? pgs1_q : '0;
    leave_q   <= rst_ni ? rel_cells_i : '0;
    arrive_q  <= rst_ni ? arr_cells_i : '0;
  end

  // ---- The rules: rows {headroom, shared, private}, sums of each pool {private, headroom, free}
  logic [Pgs*Width-1:0]      rules_q, rules_d;
  logic [SumsW-1:0]          totals_q, totals_d, totals_released;
  logic [Steps*Width-1:0]    left;          // the row after each step
  logic [Lanes*Width-1:0]    found;         // by each arrival, after all releases
  logic [Lanes*LimitW-1:0]   room;
  logic [Lanes*LenW-1:0]     taken, rest;   // parts of the packet, all releases done
  logic [Lanes*LenW-1:0]     taken_now, rest_now;  // and the arrivals before
  logic [Lanes-1:0]          overdrawn, fits;
  logic [1:0]                to;
  logic [Lanes*LimitW-1:0]   free_left;     // after each release
  logic [Lanes*PoolRowW-1:0] charged;       // sums after each arrival
  logic                      gave_headroom, gave_shared, gave_private;

  // Part selects, for Yosys 0.23 does not cut by a cast inside a concatenation.
  always_comb begin
    logic [Width-1:0]    row;
    logic [PoolRowW-1:0] sums;
    logic [CellW+1:0]    n, h, s, p;
    logic [PoolW-1:0]    pool;
    row = '0; sums = '0; n = '0; h = '0; s = '0; p = '0; pool = '0;
    rules_d       = rules_q;
    totals_d      = totals_q;
    gave_headroom = 1'b0;
    gave_shared   = 1'b0;
    gave_private  = 1'b0;
    for (int x = 0; x < Lanes; x++) begin
      row          = rules_row(rules_d, pgs2_q[x*RowW +: RowW]);
      pool         = pool_of(pgs2_q[x*RowW +: RowW]);
      n            = (CellW+2)'(leave_q[x*LenW +: LenW]);
      overdrawn[x] = (CellW+2)'(row[0 +: CellW]) + (CellW+2)'(row[CellW +: CellW]) +
                     (CellW+2)'(row[2*CellW +: CellW]) < n;
      if (overdrawn[x]) n = '0;
      h = (n < (CellW+2)'(row[2*CellW +: CellW])) ? n : (CellW+2)'(row[2*CellW +: CellW]);
      s = (n - h < (CellW+2)'(row[CellW +: CellW])) ? n - h : (CellW+2)'(row[CellW +: CellW]);
      p = n - h - s;
      gave_headroom = gave_headroom || h != '0;
      gave_shared   = gave_shared || s != '0;
      gave_private  = gave_private || p != '0;
      row = {row[2*CellW +: CellW] - h[CellW-1:0], row[CellW +: CellW] - s[CellW-1:0],
             row[0 +: CellW] - p[CellW-1:0]};
      left[x*Width +: Width]        = row;
      free_left[x*LimitW +: LimitW] = '0;
      for (int r = 0; r < Pgs; r++) begin
        if (pgs2_q[x*RowW +: RowW] == RowW'(r)) rules_d[r*Width +: Width] = row;
      end
      for (int r = 0; r < Pools; r++) begin
        if (pool == PoolW'(r)) begin
          sums = totals_d[r*PoolRowW +: PoolRowW];
          sums = {sums[LimitW+CellW +: CellW] - p[CellW-1:0], sums[LimitW +: CellW] - h[CellW-1:0],
                  sums[0 +: LimitW] + LimitW'(s)};
          totals_d[r*PoolRowW +: PoolRowW] = sums;
          free_left[x*LimitW +: LimitW]    = sums[0 +: LimitW];
        end
      end
    end
    totals_released = totals_d;
    for (int k = 0; k < Lanes; k++) begin
      row = rules_row(rules_d, pgs2_q[(Lanes+k)*RowW +: RowW]);
      n   = (CellW+2)'(arrive_q[k*LenW +: LenW]);
      h   = (CellW+2)'(phi_of(pgs2_q[(Lanes+k)*RowW +: RowW])) - (CellW+2)'(row[0 +: CellW]);
      found[k*Width +: Width] = row;
      room[k*LimitW +: LimitW] = LimitW'(h);
      taken[k*LenW +: LenW]   = (n < h) ? LenW'(n) : LenW'(h);
      rest[k*LenW +: LenW]    = LenW'(n) - taken[k*LenW +: LenW];
    end
    for (int k = 0; k < Lanes; k++) begin
      row  = rules_row(rules_d, pgs2_q[(Lanes+k)*RowW +: RowW]);
      pool = pool_of(pgs2_q[(Lanes+k)*RowW +: RowW]);
      n    = (CellW+2)'(arrive_q[k*LenW +: LenW]);
      h    = (CellW+2)'(phi_of(pgs2_q[(Lanes+k)*RowW +: RowW])) - (CellW+2)'(row[0 +: CellW]);
      p    = (n < h) ? n : h;
      s    = n - p;
      taken_now[k*LenW +: LenW] = LenW'(p);
      rest_now[k*LenW +: LenW]  = LenW'(s);
      // As admission sees to: no count reaches 2^CellW.
      to   = chg_to_i[k*2 +: 2];
      fits[k] = (to == weir_pkg::ToNone) ||
                (to == weir_pkg::ToShared && 32'(row[CellW +: CellW]) + 32'(s) < 2**CellW) ||
                (to == weir_pkg::ToHeadroom && 32'(row[2*CellW +: CellW]) + 32'(s) < 2**CellW);
      h    = (to == weir_pkg::ToHeadroom) ? s : '0;
      s    = (to == weir_pkg::ToShared) ? s : '0;
      p    = (to != weir_pkg::ToNone) ? p : '0;
      row  = {row[2*CellW +: CellW] + h[CellW-1:0], row[CellW +: CellW] + s[CellW-1:0],
              row[0 +: CellW] + p[CellW-1:0]};
      left[(Lanes+k)*Width +: Width]   = row;
      charged[k*PoolRowW +: PoolRowW] = '0;
      for (int r = 0; r < Pgs; r++) begin
        if (pgs2_q[(Lanes+k)*RowW +: RowW] == RowW'(r)) rules_d[r*Width +: Width] = row;
      end
      for (int r = 0; r < Pools; r++) begin
        if (pool == PoolW'(r)) begin
          sums = totals_d[r*PoolRowW +: PoolRowW];
          sums = {sums[LimitW+CellW +: CellW] + p[CellW-1:0], sums[LimitW +: CellW] + h[CellW-1:0],
                  sums[0 +: LimitW] - LimitW'(s)};
          totals_d[r*PoolRowW +: PoolRowW] = sums;
          charged[k*PoolRowW +: PoolRowW]  = sums;
        end
      end
    end
  end

  logic [SumsW-1:0] totals_start;
  always_comb begin
    totals_start = '0;
    for (int r = 0; r < Pools; r++) begin
      totals_start[r*PoolRowW +: LimitW] = LimitW'(pool_b[r*CellW +: CellW]);
    end
  end

  // What the step showed, to be compared a cycle later.
  logic [Steps*Width-1:0]    left_q;
  logic [Lanes*PoolRowW-1:0] charged_q;
  logic [Lanes*LimitW-1:0]   limit, limit_q;   // B of the pool of each arrival
  logic [Lanes*PoolRowW-1:0] shown_d, shown_q;   // as charged, S in place of free cells
  logic [Lanes-1:0]          overdrawn_q;
  logic [Width-1:0]          read_q;
  always_comb begin
    logic [CellW-1:0] used;
    used   = '0;
    limit  = '0;
    shown_d = charged;
    for (int k = 0; k < Lanes; k++) begin
      for (int r = 0; r < Pools; r++) begin
        if (pool_of(pgs2_q[(Lanes+k)*RowW +: RowW]) == PoolW'(r)) begin
          limit[k*LimitW +: LimitW] = LimitW'(pool_b[r*CellW +: CellW]);
        end
      end
      used = limit[k*LimitW +: LimitW] - charged[k*PoolRowW +: LimitW];
      shown_d[k*PoolRowW +: LimitW] = LimitW'(used);
    end
  end
  always @(posedge clk_i) begin
    if (!rst_ni) begin
      rules_q     <= '0;
      totals_q    <= totals_start;
      left_q      <= '0;
      charged_q   <= '0;
      overdrawn_q <= '0;
      read_q      <= '0;
      limit_q     <= '0;
      shown_q     <= '0;
    end else begin
      rules_q     <= rules_d;
      totals_q    <= totals_d;
      left_q      <= left;
      charged_q   <= charged;
      overdrawn_q <= overdrawn;
      read_q      <= rules_row(rules_d, rd_pg_i);
      limit_q     <= limit;
      shown_q     <= shown_d;
    end
  end

  // ---- The environment: weir_domain
  initial assume (!rst_ni);

  always_comb begin
    if (started_q) assume (rst_ni);
    assume (load_i == !live_q[0]);
    if (!live_q[0]) assume (rel_cells_i == '0 && arr_cells_i == '0);
    if (!live_q[1]) assume (chg_to_i == '0);
    assume (&fits);
    assume (chg_private_i == taken_now && chg_rest_i == rest_now);
    for (int r = 0; r < Pools; r++) begin
      assume (pool_shared_i[r*LimitW +: LimitW] == LimitW'(pool_b[r*CellW +: CellW]));
    end
    for (int r = 0; r < Pgs; r++) assume (32'(pools[r*PoolW +: PoolW]) < Pools);
    for (int k = 0; k < Lanes; k++) begin
      assume (rel_pool_i[k*PoolW +: PoolW] == pool_of(pgs1_q[k*RowW +: RowW]));
      assume (chg_pool_i[k*PoolW +: PoolW] == pool_of(pgs2_q[(Lanes+k)*RowW +: RowW]));
      assume (arr_limit_i[k*LimitW +: LimitW] == LimitW'(phi_of(pgs1_q[(Lanes+k)*RowW +: RowW])));
    end
  end

  // ---- What each register holds
  always_comb begin
    lemma_reset_comes_first: assert ((started_q || !rst_ni) && init_done_o &&
                                     (rst_ni || {memory_rows, live_q} == '0));
    lemma_cycles: assert (!rst_ni || ((live_q[0] || !live_q[1]) && (live_q[1] || !live_q[2])));
  end

  always_comb if (rst_ni) begin
    for (int r = 0; r < Pgs; r++) begin
      lemma_private_fits: assert (rules_q[r*Width +: CellW] <= phis[r*CellW +: CellW]);
    end
    lemma_rows_under_way: assert (hazards_row1 == pgs1_q && pg2 == pgs2_q);
    // In the first cycle after reset nothing is known to meet, and every row is 0.
    lemma_before_the_first_step: assert (live_q[0] || (
        {same1, previous1} == '0 && {leave_q, arrive_q} == '0 && left_q == '0 &&
        rules_q == '0 && memory_row == '0 && {rel_row2_q, arr_row2_q} == '0 &&
        totals_q == totals_start && {overdrawn_q, rel_error2_q} == '0));
    if (!live_q[1]) lemma_no_two_meet_yet: assert (same2 == '0);
    for (int x = 0; x < Steps; x++) begin
      for (int y = 0; y < Steps; y++) begin
        lemma_who_meets: assert (!live_q[0] || (
            same1[x*Steps + y] == (pgs1_q[x*RowW +: RowW] == pgs1_q[y*RowW +: RowW]) &&
            previous1[x*Steps + y] == (pgs1_q[x*RowW +: RowW] == pgs2_q[y*RowW +: RowW]) &&
            (!live_q[1] ||
             same2[x*Steps + y] == (pgs2_q[x*RowW +: RowW] == pgs2_q[y*RowW +: RowW]))));
      end
    end
  end

  logic [Steps*Width-1:0] held;     // outputs, as rows
  logic [Lanes*PoolRowW-1:0] shown;  // sums of the pools, S in place of free cells
  logic [Lanes*CellW-1:0] found_shared, found_headroom;
  logic [Lanes-1:0] found_empty;
  logic [SumsW-1:0] ends, now;
  always_comb begin
    ends = '0;
    now  = sums_q;  // private sums have no output
    shown = '0;
    for (int x = 0; x < Steps; x++) begin
      held[x*Width +: Width] = {held_headroom_o[x*CellW +: CellW], held_shared_o[x*CellW +: CellW],
                                held_private_o[x*CellW +: CellW]};
    end
    for (int k = 0; k < Lanes; k++) begin
      found_shared[k*CellW +: CellW]   = found[k*Width + CellW +: CellW];
      found_headroom[k*CellW +: CellW] = found[k*Width + 2*CellW +: CellW];
      found_empty[k]                   = found[k*Width +: Width] == '0;
      shown[k*PoolRowW +: PoolRowW] = {sum_private_o[k*CellW +: CellW],
          sum_headroom_o[k*CellW +: CellW], LimitW'(sum_shared_o[k*CellW +: CellW])};
    end
    for (int r = 0; r < Pools; r++) begin
      ends[r*PoolRowW +: PoolRowW] = {end_private_o[r*CellW +: CellW],
          end_headroom_o[r*CellW +: CellW], end_free_o[r*LimitW +: LimitW]};
      now[r*PoolRowW +: LimitW + CellW] = {headroom_sum_o[r*CellW +: CellW],
                                           free_o[r*LimitW +: LimitW]};
    end
  end

  always_comb if (rst_ni) begin
    row_after_each_step: assert (row3_q == left_q && held == left_q);
    memory_holds_the_rows: assert (memory_rows == {(Steps+1){rules_q}});
    for (int k = 0; k < Lanes; k++) begin
      lemma_releases_that_write: assert (frees2_q[k] == (leave_q[k*LenW +: LenW] != '0));
    end
    for (int x = 0; x < Steps; x++) begin
      lemma_rows_read: assert (memory_row[x*Width +: Width] ==
                               rules_row(rules_q, pgs1_q[x*RowW +: RowW]));
    end
    row_for_csr: assert (rd_row_o == read_q);
    if (live_q[0]) begin
      row_after_the_release: assert (rel_row2_q == left[0 +: Lanes*Width]);
      row_before_the_arrival: assert (arr_row2_q == found && arr_shared_o == found_shared &&
                                      arr_headroom_o == found_headroom);
      sums_after_the_releases: assert (sums_q == totals_released && now == sums_q &&
                                       seen_o == free_o);
      lemma_overdrawn: assert (rel_error2_q == overdrawn);
      parts_of_the_packet: assert (arr_private_o == taken && arr_rest_o == rest &&
                                   arr_room_o == room);
      whether_it_is_empty: assert (arr_empty_o == found_empty);
    end
    if (live_q[1]) begin
      sums_of_the_step_before: assert (ends == totals_q);
      free_after_each_release: assert (rel_free_o == free_left);
      overdrawn_is_reported: assert (rel_error_o == overdrawn_q);
      lemma_sums_charged: assert (charged_sums_q == charged_q && pool_limit_q == limit_q);
      sums_after_each_arrival: assert (shown == shown_q);
    end

    row_after_each_step: cover (left_q[CellW +: CellW] != '0 && left_q[0 +: CellW] == '0 &&
                                left_q[Lanes*Width +: Width] != left_q[0 +: Width]);
    memory_holds_the_rows: cover (rules_q[0 +: Width] != '0 && rules_q[Width +: Width] != '0);
    row_for_csr: cover (read_q[2*CellW +: CellW] != '0);
    row_after_the_release: cover (gave_private && gave_shared);
    row_before_the_arrival: cover (found_headroom[0 +: CellW] != '0 &&
                                   found_shared[0 +: CellW] != '0 && gave_headroom &&
                                   pgs2_q[0 +: RowW] == pgs2_q[Lanes*RowW +: RowW]);
    sums_after_the_releases: cover (gave_shared && gave_headroom);
    free_after_each_release: cover (gave_shared &&
                                    free_left[0 +: LimitW] != totals_start[0 +: LimitW]);
    sums_of_the_step_before: cover (live_q[1] && totals_q[LimitW +: CellW] != '0 &&
                                    totals_q[LimitW + CellW +: CellW] != '0);
    parts_of_the_packet: cover (gave_private && taken[0 +: LenW] != '0 && rest[0 +: LenW] != '0 &&
                                pgs2_q[0 +: RowW] == pgs2_q[Lanes*RowW +: RowW]);
    whether_it_is_empty: cover (found_empty[0] && gave_private &&
                                pgs2_q[0 +: RowW] == pgs2_q[Lanes*RowW +: RowW]);
    overdrawn_is_reported: cover (overdrawn_q[0] && left_q[0 +: Width] != '0);
    sums_after_each_arrival: cover (shown_q[LimitW +: CellW] != '0 && shown_q[0 +: LimitW] != '0);
  end

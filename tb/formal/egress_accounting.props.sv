// SPDX-License-Identifier: Apache-2.0
//
// Properties of egress_accounting, read inside the module: the pipeline against the rules, one step
// after the other, with a release and an arrival in every cycle at any of four queues, and what
// the rules keep. A copy is accepted as weir_domain does it: it fits the minimum, or w_q < T_q with
// the real comparison; alpha is 1/2, 1 or 8. Whether the packet is admitted is left open. Nothing
// bounds the run: the induction needs one step.
//
// The memory starts empty (the walk after reset is a property of row_memory). The environment knows
// the cells that it put in and took out, apart from any counter. B_e is 0 to 15, minima
// are 0 to 127.
//
// Units:   cells.
// Latency: the rules take all steps of a cycle when its decisions come in (t + 2).
// Golden:  none; docs/design/contract.md, 2 alone.

  localparam int Queues = 4;       // in use
  localparam int AllW   = CellW + 4;
  localparam int Mtu    = 2**LenW - 1;
  localparam int PacketW = CellW + 2;

  (* anyconst, keep *) logic [Queues*CellW-1:0] minima;
  (* anyconst, keep *) logic [2*Queues-1:0]     alphas;  // 0: 1/2, 1: 1, 2: 8
  (* anyconst, keep *) logic [3:0]              pool_b;
  (* anyseq *) logic                            ingress_admits;

  function automatic logic [Width-1:0] rules_row(input logic [Queues*Width-1:0] all,
                                                 input logic [RowW-1:0] g);
    rules_row = '0;
    for (int r = 0; r < Queues; r++) if (g == RowW'(r)) rules_row = all[r*Width +: Width];
  endfunction
  function automatic logic [CellW-1:0] count_of(input logic [Queues*CellW-1:0] all,
                                                input logic [RowW-1:0] g);
    count_of = '0;
    for (int r = 0; r < Queues; r++) if (g == RowW'(r)) count_of = all[r*CellW +: CellW];
  endfunction
  function automatic logic [1:0] alpha_of(input logic [RowW-1:0] g);
    alpha_of = '0;
    for (int r = 0; r < Queues; r++) if (g == RowW'(r)) alpha_of = alphas[2*r +: 2];
  endfunction

  // ---- Requests as the rules see them
  logic                  started_q = 1'b0;
  logic [2:0]            live_q = '0;          // cycles since reset
  logic [Steps*RowW-1:0] at1_q, at2_q;
  logic [LenW-1:0]       leave_q, arrive_q;    // cells
  logic [RowW-1:0]       from, to;
  assign from = at2_q[0 +: RowW];
  assign to   = at2_q[RowW +: RowW];
  always @(posedge clk_i) begin
    started_q <= 1'b1;
    live_q    <= rst_ni ? {live_q[1:0], 1'b1} : '0;
    at1_q     <= rst_ni ? queue : '0;
    at2_q     <= rst_ni ? at1_q : '0;
    leave_q   <= rst_ni ? rel_cells_i : '0;
    arrive_q  <= rst_ni ? arr_cells_i : '0;
  end

  // ---- The decision, from what the block shows
  logic             below;
  logic [LimitW-1:0] free_seen;
  logic [1:0]       alpha;
  assign alpha     = alpha_of(to);
  assign free_seen = free_o[FreeW-1] ? '0 : free_o[LimitW-1:0];
  threshold_reach #(.CellW(CellW)) u_below (
    .free_i(free_seen), .slope_n_i((alpha == 2'd2) ? 16'd8 : 16'd1),
    .slope_m_i((alpha == 2'd0) ? 5'd1 : 5'd0), .constant_i('0), .held_i(arr_shared_o),
    .plus_i(LimitW'(1)), .reaches_o(below)
  );
  logic accepted;
  assign accepted = arr_rest_o == '0 || below;

  // ---- The rules: rows {shared, minimum}, S_e
  logic [Queues*Width-1:0] rules_q, rules_d;
  logic [Queues*PacketW-1:0] packets_q, packets_d; // cells put in and not taken out
  logic [AllW-1:0]         shared_q, shared_d, shared_released;  // S_e
  logic [Width-1:0]        leaving, left, found, charged;
  logic [CellW+1:0]        n, s, m, room, part, rest;
  logic                    overdrawn, charge;

  always_comb begin
    leaving   = rules_row(rules_q, from);
    n         = (CellW+2)'(leave_q);
    overdrawn = (CellW+2)'(leaving[0 +: CellW]) + (CellW+2)'(leaving[CellW +: CellW]) < n;
    if (overdrawn) n = '0;
    s         = (n < (CellW+2)'(leaving[CellW +: CellW])) ? n : (CellW+2)'(leaving[CellW +: CellW]);
    m         = n - s;
    left      = {leaving[CellW +: CellW] - s[CellW-1:0], leaving[0 +: CellW] - m[CellW-1:0]};
    rules_d   = rules_q;
    packets_d = packets_q;
    for (int r = 0; r < Queues; r++) begin
      if (from == RowW'(r)) begin
        rules_d[r*Width +: Width] = left;
        if (PacketW'(leave_q) <= packets_q[r*PacketW +: PacketW]) begin
          packets_d[r*PacketW +: PacketW] = packets_q[r*PacketW +: PacketW] - PacketW'(leave_q);
        end
      end
    end
    shared_released = shared_q - AllW'(s);

    found    = (from == to) ? left : rules_row(rules_q, to);
    room     = (CellW+2)'(count_of(minima, to)) - (CellW+2)'(found[0 +: CellW]);
    part     = ((CellW+2)'(arrive_q) < room) ? (CellW+2)'(arrive_q) : room;
    rest     = (CellW+2)'(arrive_q) - part;
    charge   = chg_maybe_i[0] && chg_admit_i[0];
    charged  = found;
    shared_d = shared_released;
    if (charge) begin
      charged  = {found[CellW +: CellW] + rest[CellW-1:0], found[0 +: CellW] + part[CellW-1:0]};
      shared_d = shared_released + AllW'(rest);
    end
    for (int r = 0; r < Queues; r++) begin
      if (to == RowW'(r)) begin
        rules_d[r*Width +: Width] = charged;
        if (charge) begin
          packets_d[r*PacketW +: PacketW] = packets_d[r*PacketW +: PacketW] + PacketW'(arrive_q);
        end
      end
    end
  end

  // What the step showed, to be compared a cycle later.
  logic [Steps*Width-1:0] left_q;
  logic                   overdrawn_q;
  logic [Width-1:0]       read_q;
  always @(posedge clk_i) begin
    if (!rst_ni) begin
      rules_q     <= '0;
      packets_q   <= '0;
      shared_q    <= '0;
      left_q      <= '0;
      overdrawn_q <= 1'b0;
      read_q      <= '0;
    end else begin
      rules_q     <= rules_d;
      packets_q   <= packets_d;
      shared_q    <= shared_d;
      left_q      <= {charged, left};
      overdrawn_q <= overdrawn;
      read_q      <= rules_row(rules_d, rd_queue_i);
    end
  end

  // ---- The environment: weir_domain
  initial assume (!rst_ni);

  always_comb begin
    if (started_q) assume (rst_ni);
    assume (load_i == !live_q[0]);
    if (!live_q[0]) assume (rel_cells_i == '0 && arr_cells_i == '0);
    for (int x = 0; x < Steps; x++) assume (32'(queue[x*RowW +: RowW]) < Queues);
    assume (32'(rd_queue_i) < Queues);
    assume (pool_shared_i == LimitW'(pool_b));
    assume (rel_pool_i == '0 && chg_pool_i == '0 && chg_cells_i == arrive_q);
    assume (arr_limit_i == LimitW'(count_of(minima, at1_q[RowW +: RowW])));
    assume (chg_maybe_i == 1'b1);
    assume (chg_admit_i == (accepted && ingress_admits && live_q[1]));
    for (int r = 0; r < Queues; r++) begin
      assume (alphas[2*r +: 2] != 2'd3 && !minima[(r+1)*CellW-1]);
    end
  end

  // ---- What each register holds
  always_comb begin
    lemma_reset_comes_first: assert ((started_q || !rst_ni) && init_done_o &&
                                     (rst_ni || {memory_rows, live_q} == '0));
    lemma_cycles: assert (!rst_ni || ((live_q[0] || !live_q[1]) && (live_q[1] || !live_q[2])));
  end

  logic [AllW-1:0]        all_shared, rules_shared, between_shared;
  logic [FreeW-1:0]       in_use;   // S_e as the block has it
  always_comb begin
    all_shared = '0;
    for (int r = 0; r < Queues; r++) begin
      all_shared = all_shared + AllW'(memory_rows[r*Width + CellW +: CellW]);
    end
    rules_shared   = '0;
    between_shared = '0;   // after the release, before the arrival
    for (int r = 0; r < Queues; r++) begin
      rules_shared   = rules_shared + AllW'(rules_q[r*Width + CellW +: CellW]);
      between_shared = between_shared + AllW'((from == RowW'(r)) ? left[CellW +: CellW] :
                                              rules_q[r*Width + CellW +: CellW]);
    end
    in_use = FreeW'(pool_b) - end_free_o;
  end

  always_comb if (rst_ni) begin
    memory_holds_the_rows: assert (memory_rows ==
                                   {(Steps+1){(Ports*8*Width)'(rules_q)}});
    lemma_releases_that_write: assert (frees2_q == (leave_q != '0));
    for (int r = 0; r < Queues; r++) begin
      lemma_minimum_fits: assert (rules_q[r*Width +: CellW] <= minima[r*CellW +: CellW]);
    end
    lemma_shared_is_counted: assert (shared_q == rules_shared);
    lemma_shared_is_counted_between: assert (shared_released == between_shared);
    for (int r = 0; r < Queues; r++) begin
      lemma_shared_in_the_sum: assert (AllW'(rules_q[r*Width + CellW +: CellW]) <= shared_q);
    end
    lemma_shared_fits: assert (shared_q < AllW'(pool_b) + AllW'(Mtu));
    lemma_rows_under_way: assert (hazards_row1 == at1_q && queue2 == at2_q);
    for (int x = 0; x < Steps; x++) begin
      lemma_queues_in_use: assert (32'(at1_q[x*RowW +: RowW]) < Queues &&
                                   32'(at2_q[x*RowW +: RowW]) < Queues);
    end
    lemma_before_the_first_step: assert (live_q[0] || (
        {same1, previous1} == '0 && {leave_q, arrive_q} == '0 && left_q == '0 &&
        rules_q == '0 && memory_row == '0 && {rel_row2_q, arr_row2_q} == '0 && shared_q == '0 &&
        {overdrawn_q, rel_error2_q} == '0));
    for (int x = 0; x < Steps; x++) begin
      for (int y = 0; y < Steps; y++) begin
        lemma_who_meets: assert (!live_q[0] || (
            same1[x*Steps + y] == (at1_q[x*RowW +: RowW] == at1_q[y*RowW +: RowW]) &&
            previous1[x*Steps + y] == (at1_q[x*RowW +: RowW] == at2_q[y*RowW +: RowW])));
      end
    end
    row_after_each_step: assert (arr_row3_q == left_q[Width +: Width] &&
                                {held_shared_o, held_minimum_o} == left_q[Width +: Width]);
    for (int x = 0; x < Steps; x++) begin
      lemma_rows_read: assert (memory_row[x*Width +: Width] ==
                               rules_row(rules_q, at1_q[x*RowW +: RowW]));
    end
    row_for_csr: assert (rd_row_o == read_q);
    if (live_q[0]) begin
      row_after_the_release: assert (rel_row2_q == left);
      row_before_the_arrival: assert (arr_row2_q == found && arr_shared_o == found[CellW +: CellW]);
      free_after_the_release: assert (free_o == FreeW'(pool_b) - FreeW'(shared_released));
      free_of_the_step_before: assert (end_free_o == FreeW'(pool_b) - FreeW'(shared_q));
      lemma_overdrawn: assert (rel_error2_q == overdrawn);
      parts_of_the_packet: assert (arr_rest_o == rest[LenW-1:0] && arr_room_o == LimitW'(room));
    end
    if (live_q[1]) overdrawn_is_reported: assert (rel_error_o == overdrawn_q);
    // What a queue refuses neither fits its minimum nor finds w_q below T_q = floor(alpha * free).
    if (live_q[1] && !accepted) refused_at_the_threshold: assert (rest != '0 &&
        ((alpha == 2'd0 && LimitW'(found[CellW +: CellW]) >= free_seen >> 1) ||
         (alpha == 2'd1 && LimitW'(found[CellW +: CellW]) >= free_seen) ||
         (alpha == 2'd2 && LimitW'(found[CellW +: CellW]) >= free_seen << 3)));
    // A count that went below zero would be near 2^CellW.
    for (int r = 0; r < Queues; r++) begin
      no_minimum_below_zero: assert (memory_rows[r*Width +: CellW] <= minima[r*CellW +: CellW]);
      no_shared_below_zero: assert (AllW'(memory_rows[r*Width + CellW +: CellW]) <
                                    AllW'(pool_b) + AllW'(Mtu));
      cells_are_conserved: assert (AllW'(packets_q[r*PacketW +: PacketW]) ==
          AllW'(memory_rows[r*Width +: CellW]) + AllW'(memory_rows[r*Width + CellW +: CellW]));
    end
    if (live_q[0]) begin
      shared_sum_is_the_counters: assert (in_use == FreeW'(all_shared));
      // T_q is 0 without free cells; a packet that finds one takes all that it needs.
      shared_fits_the_pool: assert (in_use < FreeW'(pool_b) + FreeW'(Mtu));
    end

    no_minimum_below_zero: cover (m != '0 && left[0 +: CellW] == '0);
    shared_sum_is_the_counters: cover (rules_q[CellW +: CellW] != '0 &&
                                       rules_q[Width + CellW +: CellW] != '0);
    shared_fits_the_pool: cover (shared_q > AllW'(pool_b));
    no_shared_below_zero: cover (s != '0 && shared_released == '0);
    cells_are_conserved: cover (rules_q[0 +: CellW] != '0 && rules_q[CellW +: CellW] != '0);
    row_after_each_step: cover (left_q[CellW +: CellW] != '0 && left_q[0 +: CellW] == '0 &&
                                left_q[Width +: Width] != left_q[0 +: Width]);
    memory_holds_the_rows: cover (rules_q[0 +: Width] != '0 && rules_q[Width +: Width] != '0);
    row_for_csr: cover (read_q[CellW +: CellW] != '0);
    row_after_the_release: cover (s != '0 && m != '0);
    row_before_the_arrival: cover (found[CellW +: CellW] != '0 && from == to && s != '0);
    free_after_the_release: cover (free_o[FreeW-1] && s != '0);
    free_of_the_step_before: cover (end_free_o[FreeW-1]);
    parts_of_the_packet: cover (m != '0 && part != '0 && rest != '0 && from == to);
    overdrawn_is_reported: cover (overdrawn_q && left_q[0 +: Width] != '0);
    refused_at_the_threshold: cover (live_q[1] && !accepted && free_seen != '0 && alpha == 2'd0);
    alpha_of_one: cover (live_q[1] && !accepted && free_seen != '0 && alpha == 2'd1);
    alpha_of_eight: cover (live_q[1] && !accepted && alpha == 2'd2 && found[CellW +: CellW] != '0);
  end

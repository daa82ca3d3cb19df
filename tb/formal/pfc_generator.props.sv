// SPDX-License-Identifier: Apache-2.0
//
// Properties of pfc_generator, read inside the module, of one port: every change of a class is sent
// within PfcLatency cycles of a free MAC, the refresh comes, the timer never runs past zero.

  (* anyconst *) logic [23:0] pgs;      // priority group of each class
  (* anyconst *) logic [31:0] speed;
  (* anyconst *) logic [2:0]  of_class;
  logic        started_q = 1'b0, past_start_q = 1'b0;
  logic [7:0]  after, told;             // PGs and classes after the turns of this cycle
  logic [7:0]  past_after_q = '0, past_sent_q = '0;
  logic [TimerW-1:0] past_timer_q = '0;
  logic [7:0]  past_told_q = '0;
  logic [2:0]  waited_q = '0;           // cycles of a free MAC in which the class was owed a frame
  logic [31:0] load_q = '0;             // timer of the last frame
  logic [32:0] gone_q = '0;             // of it, since that frame started, up to load_q
  logic        owed, free, start;

  always_comb begin
    after = xoff_i;
    for (int s = 0; s < Steps; s++) after = after ^ (8'(turn_i[s]) << turn_pg_i[3*s +: 3]);
    for (int n = 0; n < 8; n++) told[n] = after[pgs[3*n +: 3]];
  end
  assign owed  = told[of_class] != sent_q[of_class];
  assign free  = start_i && m_axis_pfc_tready_i;
  assign start = request_o && start_i && start_ready_o;

  initial assume (!rst_ni);

  always_comb begin
    assume (pg_of_class_i == pgs && step_i == speed && speed != '0);
    assume (quanta_i >= 16'd1);
    assume (turn_i != '0 || xoff_i == past_after_q);
    if (started_q) assume (rst_ni);
    if (!rst_ni) assume (after == '0);
  end

  always @(posedge clk_i) begin
    started_q    <= 1'b1;
    past_after_q <= after;
    past_sent_q  <= sent_q;
    past_told_q  <= told;
    past_timer_q <= timer_q;
    past_start_q <= rst_ni && start;
    if (!rst_ni) begin
      load_q <= '0;
      gone_q <= '0;
    end else if (start) begin
      load_q <= {1'b0, quanta_i, 15'b0};
      gone_q <= {1'b0, speed};
    end else if (gone_q < {1'b0, load_q}) begin
      gone_q <= gone_q + {1'b0, speed};
    end
    waited_q     <= (!rst_ni || !owed || !free || start) ? '0 :
                    (waited_q == '1) ? waited_q : waited_q + 3'd1;
  end

  always_comb if (rst_ni && started_q) begin
    lemma_it_is_known_what_runs: assert (runs_q == (timer_q != '0) && telling_q == (sent_q != '0));
    lemma_a_change_is_on_its_way: assert (!owed || turn_i != '0 || gen_check_later.changed_q != '0 ||
                                          requested_q);
    lemma_it_is_known_what_sends: assert (start_sends_o == (request_o && enable_d != '0));
    refresh_after_half_the_quanta: assert (gone_q < {1'b0, load_q} ?
        {2'b0, timer_q} == {1'b0, load_q} - gone_q && !refresh : timer_q == '0);
    timer_never_runs_past_zero: assert (past_start_q ? timer_q < 31'h7fff_8000 :
        {1'b0, timer_q} == (({1'b0, past_timer_q} > speed) ? {1'b0, past_timer_q} - speed : 32'd0));
    refresh_is_asked_for: assert (sent_q == '0 || timer_q != '0 || request_o);
    no_frame_for_nothing: assert (!past_start_q || enable_q == (past_told_q | past_sent_q));
    a_frame_tells_the_levels: assert (!past_start_q || xoff_q == past_told_q);
    sent_within_the_bound: assert (!owed || waited_q <= 3'(PfcLatency));

    refresh_after_half_the_quanta: cover (load_q == 32'h0001_8000 && refresh && !past_start_q);
    timer_never_runs_past_zero: cover (timer_q == '0 && past_timer_q != '0);
    refresh_is_asked_for: cover (refresh && start && told == sent_q);
    no_frame_for_nothing: cover (past_start_q && past_told_q == '0 && past_sent_q == 8'h18);
    a_frame_tells_the_levels: cover (past_start_q && past_told_q == 8'h81 && past_sent_q == 8'h18);
    sent_within_the_bound: cover (owed && waited_q == 3'(PfcLatency) && start);
  end

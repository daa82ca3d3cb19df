// SPDX-License-Identifier: Apache-2.0
//
// Properties of pfc_generator, read inside the module, of one port: every change of a class is sent
// within PfcLatency cycles of a free MAC, the refresh comes, the timer never runs past zero. What is
// left of the timer after the edge of this cycle is computed from the negative value that the module
// keeps.

  (* anyconst *) logic [23:0] pgs;      // priority group of each class
  (* anyconst *) logic [31:0] speed;
  (* anyconst *) logic [2:0]  of_class;
  logic        started_q = 1'b0, past_start_q = 1'b0;
  logic [2:0]  pg;
  logic [7:0]  xoff;                    // levels after the turns of this cycle
  logic [7:0]  wanted;                  // PGs that a class has, after the turns of this cycle
  logic [7:0]  past_xoff_q = '0, past_sent_q = '0, past_wanted_q = '0;
  logic [TimerW-1:0] now, timer, past_timer_q = '0;
  logic [PfcLatency-1:0] changes_q = '0;  // of the cycles before that are still on their way
  logic [2:0]  waited_q = '0;           // cycles of a free MAC in which the class was owed a frame
  logic [31:0] load_q = '0;             // timer of the last frame
  logic [32:0] gone_q = '0;             // of it, since that frame started, up to load_q
  logic        owed, free, start;

  always_comb begin
    wanted = '0;
    for (int n = 0; n < 8; n++) wanted[pgs[3*n +: 3]] = xoff[pgs[3*n +: 3]];
  end
  assign xoff  = xoff_before_i ^ xoff_turned_i;
  assign pg    = pgs[3*of_class +: 3];
  assign owed  = wanted[pg] != sent_q[pg];
  assign free  = start_i[0] && m_axis_pfc_tready_i[0];
  assign start = request_o[0] && start_i[0] && start_ready_o[0];
  assign now   = began_q[0] ? {1'b0, quanta_q, 15'b0} : -left_q;
  assign timer = (runs[0] && !ends[0]) ? -left_d : '0;

  initial assume (!rst_ni);

  always_comb begin
    assume (pg_of_class_i == pgs && step_i == speed && speed != '0);
    assume (quanta_i >= 16'd1);
    assume (xoff_before_i == past_xoff_q);
    assume (changed_i[0] || xoff_turned_i == '0);
    if (started_q) assume (rst_ni);
    if (!rst_ni) assume (xoff == '0);
  end

  always @(posedge clk_i) begin
    started_q    <= 1'b1;
    past_xoff_q  <= xoff;
    past_sent_q  <= sent_q;
    past_wanted_q <= wanted;
    past_timer_q <= timer;
    past_start_q <= rst_ni && start;
    changes_q    <= rst_ni ? PfcLatency'({changes_q, changed_i[0]}) : '0;
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
    lemma_it_is_known_what_runs: assert (pausing_q[0] == (sent_q != '0) &&
        (!runs[0] || {1'b0, now} + gone_q == {1'b0, load_q} + {1'b0, speed}) &&
        (!pausing_q[0] || !due_q[0] || gone_q >= {1'b0, load_q}));
    lemma_only_pgs_of_classes_are_sent: assert ((sent_q & ~pg_has_class) == '0);
    lemma_a_timer_has_31_bits: assert (!runs[0] || (now != '0 && !now[TimerW-1]));
    lemma_quanta_are_not_0: assert ((!began_q[0] || quanta_q != '0) && !load_q[31]);
    lemma_a_change_comes_in_time: assert (check[0] == changes_q[PfcLatency-1]);
    lemma_a_change_is_on_its_way: assert (!owed || changed_i[0] || changes_q != '0 ||
                                          requested_q[0]);
    lemma_it_is_known_what_sends: assert (start_sends_o[0] ==
                                          (request_o[0] && (sent_q | level) != '0));
    refresh_after_half_the_quanta: assert (!pausing_q[0] ||
        (gone_q < {1'b0, load_q} ? {1'b0, timer} == {1'b0, load_q} - gone_q && !refresh[0] :
                                   timer == '0 && refresh[0]));
    timer_never_runs_past_zero: assert (past_start_q ? timer < 32'h7fff_8000 :
        timer == ((past_timer_q > speed) ? past_timer_q - speed : '0));
    refresh_is_asked_for: assert (sent_q == '0 || timer != '0 || request_o[0]);
    no_frame_for_nothing: assert (!past_start_q || enable_q == (past_wanted_q | past_sent_q));
    a_frame_has_the_levels: assert (!past_start_q || sent_q == past_wanted_q);
    sent_within_the_bound: assert (!owed || waited_q <= 3'(PfcLatency));

    refresh_after_half_the_quanta: cover (load_q == 32'h0001_8000 && refresh[0] && !past_start_q);
    timer_never_runs_past_zero: cover (timer == '0 && past_timer_q != '0);
    refresh_is_asked_for: cover (refresh[0] && start && wanted == sent_q);
    no_frame_for_nothing: cover (past_start_q && past_wanted_q == '0 && past_sent_q == 8'h18);
    a_frame_has_the_levels: cover (past_start_q && past_wanted_q == 8'h81 && past_sent_q == 8'h18);
    sent_within_the_bound: cover (owed && waited_q == 3'(PfcLatency) && start);
  end

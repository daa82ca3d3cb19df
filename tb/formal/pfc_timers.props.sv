// SPDX-License-Identifier: Apache-2.0
//
// Properties of pfc_timers, read inside the module, of one class of the eight, which are alike: a
// timer never runs past zero, nothing is paused without its timer, XON releases at once, the
// response time is waited for. What is left of a timer is computed from the sums that the module keeps
// instead; a frame takes its place in the cycle in which it is known.

  (* anyconst *) logic [31:0] speed;
  logic                 started_q = 1'b0, past_load_q = 1'b0;
  logic [SumW-1:0]      left, held, timer, past_timer_q = '0;
  logic [15:0]          quanta;
  logic [ResponseW-1:0] still, still_q = '0;  // edges until the wait is over
  logic                 loaded;
  assign quanta = times_i[16*3 +: 16];
  assign loaded = take_i && enable_i[3];
  assign left   = end_q[SumW*3 +: SumW] - sum_q;
  assign held   = (ran_q[3] && !left[SumW-1]) ? left : '0;
  assign timer  = loaded ? {1'b0, quanta, 16'b0} : held;
  assign still  = (loaded && held == '0) ? response_i : still_q;

  initial assume (!rst_ni);

  always_comb begin
    assume (speed != '0 && step_i == speed);
    if (started_q) assume (rst_ni);
    if (!rst_ni) assume (!take_i);
  end

  always @(posedge clk_i) begin
    started_q    <= 1'b1;
    past_timer_q <= timer;
    past_load_q  <= loaded;
    still_q      <= (still == '0) ? '0 : still - 1'b1;
  end

  always_comb if (rst_ni && started_q) begin
    lemma_a_timer_has_32_bits: assert (!ran_q[3] || (left + SumW'(speed) != '0 &&
                                                     left + SumW'(speed) <= 33'h0_ffff_0000));
    lemma_what_ran_is_known: assert (ran_q[3] == (past_timer_q != '0) &&
                                     past_timer_q <= 33'h0_ffff_0000);
    lemma_a_wait_has_its_edge: assert (held == '0 || (waits_q[3] == (still_q != '0) &&
        (!waits_q[3] || wait_end_q[ResponseW*3 +: ResponseW] == edges_q + still_q - 1'b1)));
    timer_never_runs_past_zero: assert (past_load_q || held ==
        (past_timer_q > SumW'(speed) ? past_timer_q - SumW'(speed) : '0));
    loads_its_quanta: assert (!past_load_q || held ==
        (past_timer_q > SumW'(speed) ? past_timer_q - SumW'(speed) : '0));
    paused_only_while_it_runs: assert (!pause_o[3] || timer != '0);
    xon_releases_at_once: assert (!loaded || quanta != '0 || !pause_o[3]);
    waits_for_the_response: assert (!loaded || held != '0 || response_i == '0 || !pause_o[3]);
    paused_after_the_response: assert (timer == '0 || still != '0 || pause_o[3]);

    timer_never_runs_past_zero: cover (held == '0 && past_timer_q != '0 && !past_load_q);
    loads_its_quanta: cover (past_load_q && past_timer_q == 33'h0_ffff_0000 && loaded &&
                             held > SumW'(speed));
    paused_only_while_it_runs: cover (pause_o[3] && past_timer_q != timer);
    xon_releases_at_once: cover (loaded && quanta == '0 && held > SumW'(speed));
    waits_for_the_response: cover (loaded && response_i == ResponseW'(2) && quanta != '0 &&
                                   held == '0);
    paused_after_the_response: cover (pause_o[3] && still == '0 && !loaded && past_timer_q != '0);
  end

// SPDX-License-Identifier: Apache-2.0
//
// Properties of pfc_timers, read inside the module, of one class of the eight, which
// are alike: a timer never runs past zero, nothing is blocked without its timer, XON releases at
// once, the response time is waited for. What is left of a timer and of a wait is computed from the sums
// and numbers that the module keeps instead.

  (* anyconst *) logic [31:0] speed;
  logic                 started_q = 1'b0, past_load_q = 1'b0, past_run_q = 1'b0;
  logic [SumW-1:0]      sum_before, timer, past_timer_q = '0;
  logic [15:0]          quanta, past_quanta_q = '0;
  logic [ResponseW-1:0] still_q = '0, past_response_q = '0;  // edges until the wait is over
  logic                 loaded;
  assign sum_before = sum_q - SumW'(speed);                  // of the edge before
  assign timer      = runs_q[3] ? end_q[SumW*3 +: SumW] - sum_before : '0;
  assign quanta     = {data_i[192 +: 8], data_i[200 +: 8]};
  assign loaded     = take_i && data_i[139];

  initial assume (!rst_ni);

  always_comb begin
    assume (speed != '0 && step_i == speed);
    assume (!take_i || valid_i);
    if (started_q) assume (rst_ni);
  end

  always @(posedge clk_i) begin
    started_q       <= 1'b1;
    past_timer_q    <= timer;
    past_run_q      <= timer > SumW'(speed);
    past_load_q     <= rst_ni && loaded;
    past_quanta_q   <= quanta;
    past_response_q <= response_i;
    if (loaded && timer <= SumW'(speed)) begin
      still_q <= response_i;
    end else if (still_q != '0) begin
      still_q <= still_q - 1'b1;
    end
  end

  always_comb if (rst_ni && started_q) begin
    lemma_what_runs_is_left: assert (!runs_q[3] || timer != '0);
    lemma_a_timer_has_32_bits: assert (!timer[SumW-1]);
    lemma_no_stretch_is_overlooked: assert (runs_q == '0 || look_q ||
        (sum_q[SumW-1:FarW] == sum_before[SumW-1:FarW] &&
         (!runs_q[3] || end_q[SumW*3 + FarW +: SumW - FarW] != sum_q[SumW-1:FarW])));
    lemma_a_wait_has_its_edge: assert (!runs_q[3] || (waits_q[3] == (still_q != '0) &&
        (!waits_q[3] || wait_end_q[ResponseW*3 +: ResponseW] == edges_q + still_q - 1'b1)));
    timer_never_runs_past_zero: assert (past_load_q || timer ==
        (past_timer_q > SumW'(speed) ? past_timer_q - SumW'(speed) : '0));
    loads_its_quanta: assert (!past_load_q || timer == {1'b0, past_quanta_q, 16'b0});
    blocked_only_while_it_runs: assert (!pause_o[3] || timer != '0);
    xon_releases_at_once: assert (!past_load_q || past_quanta_q != '0 || !pause_o[3]);
    waits_for_the_response: assert (!past_load_q || past_run_q || past_response_q == '0 ||
                                    !pause_o[3]);
    blocked_after_the_response: assert (timer == '0 || still_q != '0 || pause_o[3]);

    timer_never_runs_past_zero: cover (timer == '0 && past_timer_q != '0 && !past_load_q);
    loads_its_quanta: cover (past_load_q && past_quanta_q == 16'hffff &&
                             past_timer_q > SumW'(speed));
    blocked_only_while_it_runs: cover (pause_o[3] && past_timer_q != timer);
    xon_releases_at_once: cover (past_load_q && past_quanta_q == '0 &&
                                 past_timer_q > SumW'(speed));
    waits_for_the_response: cover (past_load_q && past_response_q == ResponseW'(2) &&
                                   past_quanta_q != '0 && !past_run_q);
    blocked_after_the_response: cover (pause_o[3] && still_q == '0 &&
                                       past_response_q == ResponseW'(2));
  end

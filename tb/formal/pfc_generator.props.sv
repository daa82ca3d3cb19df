// SPDX-License-Identifier: Apache-2.0
//
// Properties of pfc_generator, read inside the module: every change is sent within a bound while the
// MAC is free, the refresh comes, the timer never runs past zero.

  logic        started_q = 1'b0, past_start_q = 1'b0;
  logic [7:0]  levels, told, past_xoff_q = '0;
  logic [31:0] past_timer_q = '0;
  logic [4:0]  still_q = '0, free_q = '0;  // cycles without a change; with a free MAC
  (* anyconst *) logic [23:0] pgs;

  always_comb begin
    for (int n = 0; n < 8; n++) levels[n] = xoff_i[pgs[3*n +: 3]];
    for (int n = 0; n < 8; n++) told[n] = past_xoff_q[pgs[3*n +: 3]];
  end

  initial assume (!rst_ni);

  always @(posedge clk_i) begin
    started_q <= 1'b1;
    assume (pg_of_class_i == pgs);
    assume (step_i >= 32'd1);
    assume (quanta_i >= 16'd1);
    assume (changed_i || xoff_i == past_xoff_q);
    if (started_q) assume (rst_ni);
    if (!rst_ni) assume (xoff_i == '0);
    past_xoff_q  <= xoff_i;
    past_timer_q <= timer_q;
    past_start_q <= rst_ni && start;
    still_q <= !rst_ni || changed_i ? 5'd0 : (still_q == '1) ? still_q : still_q + 5'd1;
    free_q  <= !rst_ni || !start_i || !m_axis_pfc_tready_i ? 5'd0
                                                          : (free_q == '1) ? free_q : free_q + 5'd1;
    if (rst_ni) begin
      timer_only_falls: assert (past_start_q || timer_q <= past_timer_q);
      timer_starts_below_half: assert (timer_q <= 32'h7fff_8000);
      it_is_known_what_runs: assert (runs_q == (timer_q != '0) && telling_q == (sent_q != '0));
      refresh_is_asked_for: assert (sent_q == '0 || timer_q != '0 || request_o);
      no_request_for_nothing: assert (!start || (start_enable_o == (levels | sent_q)));
      a_change_is_on_its_way: assert (told == sent_q || gen_check_later.changed_q != '0 || requested_q);
      sent_within_the_bound: assert (changed_i || still_q <= 5'(PfcLatency + 1) ||
                                     free_q <= 5'(PfcLatency + 1) || sent_q == levels);
      cover (sent_q == 8'h18 && still_q == 5'd4);
      cover (sent_q == 8'h00 && past_start_q);
      cover (refresh && start && classes == sent_q);
    end
  end

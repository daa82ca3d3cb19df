// SPDX-License-Identifier: Apache-2.0
//
// Properties of arrival_arbiter, read inside the module: who is granted, and that no port starves.

  (* anyconst *) logic [PortW-1:0] victim, other;
  logic [2:0] seen_q = '0;     // grants of `other` since `victim` began to wait
  logic [2:0] seen_d, before;  // ... at the end of this cycle; and before its grant
  logic       waits, granted, any_waits, met_q = 1'b0;
  logic       started_q = 1'b0;
  logic [7:0] pointer, to_victim, to_other;
  logic [7:0] grants_of_victim;

  always_comb begin
    any_waits = waiting_i != '0;
    waits     = waiting_i[victim*CountW +: CountW] != '0;
    granted   = 1'b0;
    before    = seen_q;
    grants_of_victim = '0;
    for (int k = 0; k < Lanes; k++) begin
      if (valid_o[k] && port_o[k*PortW +: PortW] == victim) begin
        granted = 1'b1;
        grants_of_victim = grants_of_victim + 8'd1;
      end
      if (valid_o[k] && port_o[k*PortW +: PortW] == other && !granted) before = before + 3'd1;
    end
    seen_d  = (waits && !granted) ? before : 3'd0;
    pointer = '0;
    for (int p = Ports - 1; p >= 0; p--) begin
      if (mask_q[p]) pointer = 8'(p);
    end
    to_victim = (8'(victim) >= pointer) ? 8'(victim) - pointer : 8'(victim) + 8'(Ports) - pointer;
    to_other  = (8'(other) >= pointer) ? 8'(other) - pointer : 8'(other) + 8'(Ports) - pointer;
  end

  initial assume (!rst_ni);

  always_comb begin
    assume (victim < Ports && other < Ports && victim != other);
    if (started_q) assume (rst_ni);
  end

  always @(posedge clk_i) begin
    started_q <= 1'b1;
    seen_q    <= rst_ni ? seen_d : 3'd0;
    met_q     <= rst_ni && waits && !granted && before == 3'd1;
  end

  always_comb if (rst_ni && started_q) begin
    // What holds the induction: the shape of the mask, and where the pointer then is.
    for (int p = 1; p < Ports; p++) lemma_mask_shape: assert (mask_q[p] || !mask_q[p-1]);
    lemma_pointer_passed_other: assert (seen_q == 3'd0 || (seen_q == 3'd1 && to_victim < to_other));
    for (int k = 0; k < Lanes; k++) begin
      if (valid_o[k]) begin
        only_who_waits: assert (waiting_i[port_o[k*PortW +: PortW]*CountW +: CountW] != '0);
        a_port_that_exists: assert (port_o[k*PortW +: PortW] < Ports);
      end
      if (k > 0) in_lane_order: assert (valid_o[k-1] || !valid_o[k]);
    end
    not_more_than_wait: assert (grants_of_victim <= 8'(waiting_i[victim*CountW +: CountW]));
    works_while_a_port_waits: assert (valid_o[0] == (enable_i && any_waits));
    each_other_once_before_the_victim: assert (!waits || before <= 3'd1);

    only_who_waits: cover (valid_o[0] && victim == '0 && port_o[0 +: PortW] == PortW'(2) && waits);
    a_port_that_exists: cover (valid_o[Lanes-1] && port_o[(Lanes-1)*PortW +: PortW] == PortW'(Ports - 1));
    if (Lanes > 1) in_lane_order: cover (valid_o[0] && !valid_o[Lanes-1]);
    not_more_than_wait: cover (grants_of_victim == 8'd1 && waits && valid_o == '1);
    works_while_a_port_waits: cover (any_waits && !enable_i);
    each_other_once_before_the_victim: cover (met_q && granted && waits);
  end

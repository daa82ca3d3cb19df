// SPDX-License-Identifier: Apache-2.0
//
// One step of the MMU a cycle, decided by the blocks of rtl/ (dynamic_threshold, admission,
// pfc_state), at two ports with two priority groups (PGs) in use; its environment knows the packets
// that are held, as cells, apart from any counter. How far each case is proved: cases.py.
//
// PG 0 has alpha 1/2, 1 has 1, 2 has 8, 3 has 1 and the rules of the paper; phi is 1, 2, 1,
// 0, B is 9. Packets have 1 to 3 cells.
//
// Units:   cells.
// Latency: one step a cycle.
// Golden:  none; DESIGN section 2 alone.
module mmu_step #(
  parameter int Dedicated = 0,  // 1: each PG has its own headroom; 0: a pool below the sum of eta
  parameter int Limited   = 0,  // 1: an upstream sends at most Extra cells to a PG in XOFF
  parameter int Extra     = 3,  // N
  parameter int Eta       = 4   // headroom of each PG
) (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       valid_i,
  input logic       release_i,
  input logic [1:0] pg_i,
  input logic [1:0] cells_i
);

  localparam int W = 5;      // bits of a count
  localparam int Pgs = 4;
  localparam int Pool = 6;   // H
  localparam int LimitW = weir_pkg::LimitW;

  logic [3:0]       pool_b;      // B
  logic [2*Pgs-1:0] phis;        // phi of each PG
  logic [2:0]       xon, xon_offset;
  assign pool_b     = 4'd9;
  assign phis       = {2'd0, 2'd1, 2'd2, 2'd1};
  assign xon        = 3'd1;
  assign xon_offset = 3'd2;

  logic [Pgs*W-1:0] private_q, shared_q, headroom_q;  // what the rules count
  logic [Pgs*W-1:0] packets_q;   // what the environment put in and has not taken out
  logic [Pgs*W-1:0] after_q;     // cells sent since the PG went to XOFF
  logic [Pgs*W-1:0] trigger_q;   // cells of the packet that set it
  logic [W-1:0]     sum_q, headroom_sum_q;
  logic [Pgs-1:0]   xoff_q;

  logic [W-1:0] held_private, held_shared, held_headroom, n, room, to_private, rest, given_headroom,
                given_shared, given_private, phi;
  logic [W-1:0] next_private, next_shared, next_headroom, next_sum, next_headroom_sum;
  logic         arrive, leave;
  logic [1:0]   to;
  logic         admitted, below_before, below_after;
  logic [2:0]   reason;
  logic [15:0]  slope_n;
  logic [4:0]   slope_m;
  logic [31:0]  threshold_before, threshold_after;

  assign arrive        = rst_ni && valid_i && !release_i;
  assign leave         = rst_ni && valid_i && release_i;
  assign n             = W'(cells_i);
  assign phi           = W'(phis[2*pg_i +: 2]);
  assign held_private  = private_q[W*pg_i +: W];
  assign held_shared   = shared_q[W*pg_i +: W];
  assign held_headroom = headroom_q[W*pg_i +: W];
  assign slope_n       = (pg_i == 2'd2) ? 16'd8 : 16'd1;
  assign slope_m       = (pg_i == 2'd0) ? 5'd1 : 5'd0;
  assign room          = phi - held_private;
  assign to_private    = (n < room) ? n : room;
  assign rest          = n - to_private;

  dynamic_threshold #(.CellW(W)) u_before (
    .free_i(LimitW'(W'(pool_b) - sum_q)), .slope_n_i(slope_n), .slope_m_i(slope_m),
    .constant_i('0), .held_i(held_shared), .threshold_o(threshold_before), .below_o(below_before)
  );

  logic copy_accepted, copy_refused;
  admission #(.Copies(1), .CellW(W), .LenW(2)) u_admission (
    .valid_i(arrive), .rest_i(rest[1:0]), .below_i(below_before),
    .free_i(LimitW'(W'(pool_b) - sum_q)), .headroom_i(held_headroom),
    .headroom_sum_i(headroom_sum_q), .headroom_limit_i(LimitW'(Eta)),
    .headroom_pool_i(LimitW'(Pool)), .dedicated_i(Dedicated != 0), .queue_mask_i(1'b1),
    .queue_limited_i(1'b0), .queue_fits_i(1'b0), .queue_below_i(1'b0), .reason_o(reason),
    .to_o(to), .admitted_o(admitted), .queue_accepts_o(copy_accepted),
    .queue_refused_o(copy_refused)
  );

  // A release: headroom gives first, then shared, then private.
  assign given_headroom = (n < held_headroom) ? n : held_headroom;
  assign given_shared   = (n - given_headroom < held_shared) ? n - given_headroom : held_shared;
  assign given_private  = n - given_headroom - given_shared;

  always_comb begin
    next_private      = held_private;
    next_shared       = held_shared;
    next_headroom     = held_headroom;
    next_sum          = sum_q;
    next_headroom_sum = headroom_sum_q;
    if (leave) begin
      next_private      = held_private - given_private;
      next_shared       = held_shared - given_shared;
      next_headroom     = held_headroom - given_headroom;
      next_sum          = sum_q - given_shared;
      next_headroom_sum = headroom_sum_q - given_headroom;
    end
    if (arrive && admitted) next_private = held_private + to_private;
    if (arrive && to[0]) begin
      next_shared = held_shared + rest;
      next_sum    = sum_q + rest;
    end
    if (arrive && to[1]) begin
      next_headroom     = held_headroom + rest;
      next_headroom_sum = headroom_sum_q + rest;
    end
  end

  dynamic_threshold #(.CellW(W)) u_after (
    .free_i(LimitW'(W'(pool_b) - next_sum)), .slope_n_i(slope_n), .slope_m_i(slope_m),
    .constant_i('0), .held_i(next_shared), .threshold_o(threshold_after), .below_o(below_after)
  );

  logic reached_after;
  assign reached_after = 32'(next_shared) + 32'(xon_offset) <= threshold_after;

  logic [1:0]  level, changed;
  logic [15:0] xoff;
  logic [3:0]  index;
  logic        pressed, now_xoff, was_xoff;
  assign index   = {pg_i[1], 2'b0, pg_i[0]};  // port * 8 + PG
  assign pressed = arrive && (!admitted || to[1]);

  pfc_state #(.Ports(2), .Lanes(1), .CellW(W)) u_pfc_state (
    .clk_i, .rst_ni, .valid_i({arrive, leave}), .pg_i({2{index}}), .pressed_i({pressed, 1'b0}),
    .full_i({2{next_private == phi}}),
    .empty_i({2{next_private == '0 && next_shared == '0 && next_headroom == '0}}),
    .shared_i({2{next_shared}}), .in_headroom_i({2{next_headroom != '0}}),
    .below_i({2{below_after}}), .reached_i({2{reached_after}}), .xon_i({2{LimitW'(xon)}}),
    .trigger_i({2{pg_i == 2'd3}}),
    .rule_i({2{pg_i == 2'd3}}), .level_o(level), .changed_o(changed), .xoff_o(xoff)
  );
  assign now_xoff = xoff[index];
  assign was_xoff = xoff_q[pg_i];

  initial assume (!rst_ni);
  logic started_q = 1'b0, refused_q = 1'b0, resumed_q = 1'b0;

  always @(posedge clk_i) begin
    started_q <= 1'b1;
    refused_q <= arrive && !admitted;
    resumed_q <= leave && was_xoff && !now_xoff;
    if (started_q) assume (rst_ni);
    assume (cells_i != 2'd0);
    if (leave) assume (n <= packets_q[W*pg_i +: W]);
    if (Limited != 0 && arrive && was_xoff) assume (after_q[W*pg_i +: W] + n <= W'(Extra));
    if (!rst_ni) begin
      private_q      <= '0;
      shared_q       <= '0;
      headroom_q     <= '0;
      packets_q      <= '0;
      after_q        <= '0;
      trigger_q      <= '0;
      sum_q          <= '0;
      headroom_sum_q <= '0;
      xoff_q         <= '0;
    end else begin
      private_q[W*pg_i +: W]  <= next_private;
      shared_q[W*pg_i +: W]   <= next_shared;
      headroom_q[W*pg_i +: W] <= next_headroom;
      sum_q                   <= next_sum;
      headroom_sum_q          <= next_headroom_sum;
      xoff_q                  <= {xoff[9:8], xoff[1:0]};
      if (leave) packets_q[W*pg_i +: W] <= packets_q[W*pg_i +: W] - n;
      if (arrive && reason == weir_pkg::ReasonAdmitted) begin
        packets_q[W*pg_i +: W] <= packets_q[W*pg_i +: W] + n;
      end
      if (valid_i) begin
        if (!now_xoff) begin
          after_q[W*pg_i +: W]   <= '0;
          trigger_q[W*pg_i +: W] <= '0;
        end else if (arrive && was_xoff) begin
          if (Limited != 0) after_q[W*pg_i +: W] <= after_q[W*pg_i +: W] + n;
        end else if (arrive) begin
          trigger_q[W*pg_i +: W] <= n;
        end
      end
    end
  end

  always @(posedge clk_i) if (rst_ni) begin
    for (int g = 0; g < Pgs; g++) begin
      cells_are_conserved: assert (packets_q[W*g +: W] == private_q[W*g +: W] +
                                   shared_q[W*g +: W] + headroom_q[W*g +: W]);
      no_private_below_zero: assert (private_q[W*g +: W] <= W'(phis[2*g +: 2]));
      no_shared_below_zero: assert (shared_q[W*g +: W] <= sum_q);
      no_headroom_below_zero: assert (headroom_q[W*g +: W] <= W'(Eta));
      an_empty_pg_is_not_xoff: assert (!xoff_q[g] || packets_q[W*g +: W] != '0);
      headroom_only_in_xoff: assert (headroom_q[W*g +: W] == '0 || xoff_q[g]);
      if (Limited != 0) begin
        upstream_stops: assert (after_q[W*g +: W] <= W'(Extra) && trigger_q[W*g +: W] <= W'(3));
        nothing_after_xon: assert (xoff_q[g] || (after_q[W*g +: W] == '0 &&
                                                 trigger_q[W*g +: W] == '0));
        headroom_is_what_came_late: assert (headroom_q[W*g +: W] <= trigger_q[W*g +: W] +
                                            after_q[W*g +: W]);
      end
    end
    sum_is_the_counters: assert (sum_q == shared_q[0 +: W] + shared_q[W +: W] +
                                 shared_q[2*W +: W] + shared_q[3*W +: W]);
    headroom_sum_is_the_counters: assert (headroom_sum_q == headroom_q[0 +: W] +
        headroom_q[W +: W] + headroom_q[2*W +: W] + headroom_q[3*W +: W]);
    shared_fits_the_pool: assert (sum_q <= W'(pool_b));
    if (Dedicated == 0) headroom_fits_its_pool: assert (headroom_sum_q <= W'(Pool));
    occupancy_fits_the_memory: assert (packets_q[0 +: W] + packets_q[W +: W] +
        packets_q[2*W +: W] + packets_q[3*W +: W] <= W'(pool_b) + W'(phis[1:0]) + W'(phis[3:2]) +
        W'(phis[5:4]) + W'(phis[7:6]) + ((Dedicated != 0) ? W'(Pgs*Eta) : W'(Pool)));
    if (arrive && !admitted) begin
      xoff_not_later_than_the_first_drop: assert (now_xoff || packets_q[W*pg_i +: W] == '0);
      if (Dedicated != 0) xoff_strictly_before_a_drop: assert (was_xoff);
      if (Dedicated == 0 && !now_xoff) begin
        only_with_an_exhausted_pool: assert (reason == weir_pkg::ReasonHeadroomPool);
      end
      if (Limited != 0) no_lossless_drop: assert (1'b0);
    end
    if (started_q && valid_i == 1'b0) cover (xoff_q == 4'b1111);
    if (Limited == 0) cover (refused_q);
    if (Dedicated == 0) cover (arrive && !admitted && !now_xoff);
    if (Limited != 0) cover (headroom_q[0 +: W] == W'(Extra + 3));
    cover (resumed_q);
  end

endmodule

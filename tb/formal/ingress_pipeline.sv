// SPDX-License-Identifier: Apache-2.0
//
// The pipeline of ingress_accounting beside the rules, one step after the other: a release and an
// arrival in every cycle, at two PGs in any order, decided in any way. Bounded: all sequences of so
// many cycles from an empty memory (the walk after reset is a property of row_memory).
//
// Units:   cells.
// Latency: the reference takes both steps in the cycle in which the decision comes in (t + 2).
// Golden:  none; DESIGN section 2 alone.
module ingress_pipeline (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       rel_pg_i,     // 0 or 1
  input logic       arr_pg_i,
  input logic [1:0] rel_cells_i,
  input logic [1:0] arr_cells_i,
  input logic [1:0] to_i          // decision of the arrival two cycles ago
);

  localparam int W = 8;
  localparam int LimitW = weir_pkg::LimitW;
  localparam int B = 200;
  localparam int Phi = 4;

  logic             init_done, started_q = 1'b0;
  logic [1:0]       rel_cells_q, arr_cells_q, rel2_q, arr2_q;
  logic [1:0]       rel_pgs_q, arr_pgs_q;  // [0] of the cycle before, [1] of the one before that
  logic [W-1:0]     shared, headroom, headroom_sum, sum_shared, sum_headroom, sum_private;
  logic [LimitW-1:0] room, free, seen, end_free;
  logic [1:0]       taken, rest;
  logic             is_empty, rel_error;
  logic [2*W-1:0]   held_private, held_shared, held_headroom;
  logic [LimitW-1:0] rel_free;
  logic [W-1:0]     end_headroom, end_private;
  logic [3*W-1:0]   rd_row;

  logic [2:0] live_q = '0;  // the cycles since reset

  ingress_accounting #(.Ports(1), .Lanes(1), .Pools(1), .CellW(W), .LenW(2)) u_block (
    .clk_i, .rst_ni, .init_done_o(init_done), .load_i(!live_q[0]), .pool_shared_i(LimitW'(B)),
    .rel_pg_i({2'b0, rel_pg_i}), .arr_pg_i({2'b0, arr_pg_i}), .rel_cells_i(rel_cells_q),
    .rel_pool_i(1'b0), .arr_cells_i(arr_cells_q), .arr_limit_i(LimitW'(Phi)),
    .arr_shared_o(shared), .arr_headroom_o(headroom), .arr_room_o(room), .arr_private_o(taken),
    .arr_rest_o(rest), .arr_empty_o(is_empty), .free_o(free), .seen_o(seen),
    .headroom_sum_o(headroom_sum), .chg_pool_i(1'b0), .chg_to_i(to_i), .chg_private_i(taken),
    .chg_rest_i(rest), .rel_error_o(rel_error), .held_private_o(held_private),
    .held_shared_o(held_shared), .held_headroom_o(held_headroom), .rel_free_o(rel_free),
    .sum_private_o(sum_private), .sum_shared_o(sum_shared), .sum_headroom_o(sum_headroom),
    .end_free_o(end_free), .end_headroom_o(end_headroom), .end_private_o(end_private),
    .rd_pg_i(3'b0), .rd_row_o(rd_row)
  );

  // The rules, on rows {headroom, shared, private} of PG 0 and 1.
  logic [2*3*W-1:0] rows_q, rows_rel, rows_d;
  logic [3*W-1:0]   row, arr_row;
  logic [W-1:0]     sum_q, sum_rel, sum_d, hsum_q, hsum_rel, hsum_d, n, give_h, give_s, give_p;
  logic             overdrawn;
  logic [W-1:0]     ref_room, ref_taken, ref_rest;

  always_comb begin
    row       = rows_q[3*W*rel_pgs_q[1] +: 3*W];
    n         = W'(rel2_q);
    overdrawn = row[0 +: W] + row[W +: W] + row[2*W +: W] < n;
    if (overdrawn) n = '0;
    give_h    = (n < row[2*W +: W]) ? n : row[2*W +: W];
    give_s    = (n - give_h < row[W +: W]) ? n - give_h : row[W +: W];
    give_p    = n - give_h - give_s;
    rows_rel  = rows_q;
    rows_rel[3*W*rel_pgs_q[1] +: 3*W] = {row[2*W +: W] - give_h, row[W +: W] - give_s,
                                         row[0 +: W] - give_p};
    sum_rel   = sum_q - give_s;
    hsum_rel  = hsum_q - give_h;
    arr_row   = rows_rel[3*W*arr_pgs_q[1] +: 3*W];
    ref_room  = W'(Phi) - arr_row[0 +: W];
    ref_taken = (W'(arr2_q) < ref_room) ? W'(arr2_q) : ref_room;
    ref_rest  = W'(arr2_q) - ref_taken;
    rows_d    = rows_rel;
    if (to_i != 2'd0) begin
      rows_d[3*W*arr_pgs_q[1] +: 3*W] = {arr_row[2*W +: W] + ((to_i == 2'd2) ? ref_rest : '0),
                                         arr_row[W +: W] + ((to_i == 2'd1) ? ref_rest : '0),
                                         arr_row[0 +: W] + ref_taken};
    end
    sum_d     = sum_rel + ((to_i == 2'd1) ? ref_rest : '0);
    hsum_d    = hsum_rel + ((to_i == 2'd2) ? ref_rest : '0);
  end

  // What the step showed, to be compared a cycle later.
  logic [3*W-1:0] rel_row3_q, arr_row3_q;
  logic [W-1:0]   sum3_q, hsum3_q;
  logic           error3_q;

  initial assume (!rst_ni);

  always_comb begin
    if (started_q) assume (rst_ni);
    assume (to_i != 2'd3);
    if (!live_q[1]) assume (to_i == 2'd0);
  end

  always @(posedge clk_i) begin
    started_q   <= 1'b1;
    live_q      <= {live_q[1:0], rst_ni};
    rel_cells_q <= rst_ni ? rel_cells_i : 2'd0;
    arr_cells_q <= rst_ni ? arr_cells_i : 2'd0;
    rel2_q      <= live_q[0] ? rel_cells_q : 2'd0;
    arr2_q      <= live_q[0] ? arr_cells_q : 2'd0;
    rel_pgs_q   <= {rel_pgs_q[0], rel_pg_i};
    arr_pgs_q   <= {arr_pgs_q[0], arr_pg_i};
    if (!live_q[1]) begin
      rows_q <= '0;
      sum_q  <= '0;
      hsum_q <= '0;
    end else begin
      rows_q <= rows_d;
      sum_q  <= sum_d;
      hsum_q <= hsum_d;
    end
    rel_row3_q <= rows_rel[3*W*rel_pgs_q[1] +: 3*W];
    arr_row3_q <= rows_d[3*W*arr_pgs_q[1] +: 3*W];
    sum3_q     <= sum_d;
    hsum3_q    <= hsum_d;
    error3_q   <= overdrawn;
  end

  always_comb begin
    if (live_q[1]) begin
      row_before_the_arrival: assert (shared == arr_row[W +: W] && headroom == arr_row[2*W +: W]);
      parts_of_the_packet: assert (W'(taken) == ref_taken && W'(rest) == ref_rest &&
                                   room == LimitW'(ref_room));
      whether_it_is_empty: assert (is_empty == (arr_row == '0));
      free_cells: assert (free == LimitW'(B) - LimitW'(sum_rel) && seen == free);
      headroom_in_use: assert (headroom_sum == hsum_rel);
      sums_after_the_release: assert (rel_free == LimitW'(B) - LimitW'(sum_rel));
      row_before_the_arrival: cover (arr_row[2*W +: W] != '0 && arr_row[W +: W] != '0);
      parts_of_the_packet: cover (rel_pgs_q[1] == arr_pgs_q[1] && give_p != '0 && give_s != '0 &&
                                  rest != '0);
      whether_it_is_empty: cover (is_empty && give_p != '0 && rel_pgs_q[1] == arr_pgs_q[1]);
      free_cells: cover (give_s != '0 && sum_rel != '0);
      headroom_in_use: cover (give_h != '0 && hsum_rel != '0);
      sums_after_the_release: cover (give_s != '0 && give_p != '0);
    end
    if (live_q[2]) begin
      row_after_the_release: assert ({held_headroom[0 +: W], held_shared[0 +: W],
                                      held_private[0 +: W]} == rel_row3_q);
      row_after_the_arrival: assert ({held_headroom[W +: W], held_shared[W +: W],
                                      held_private[W +: W]} == arr_row3_q);
      sums_after_the_arrival: assert (sum_shared == sum3_q && sum_headroom == hsum3_q);
      overdrawn_is_told: assert (rel_error == error3_q);
      row_after_the_release: cover (rel_row3_q[W +: W] != '0 && rel_row3_q[0 +: W] != '0);
      row_after_the_arrival: cover (arr_row3_q != rel_row3_q && arr_row3_q[W +: W] == W'(3));
      sums_after_the_arrival: cover (sum3_q == W'(2) && hsum3_q == W'(2));
      overdrawn_is_told: cover (error3_q);
    end
  end

endmodule

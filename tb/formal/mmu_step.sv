// SPDX-License-Identifier: Apache-2.0
//
// One step of the MMU a cycle, a release or an arrival, at two ports with two priority groups (PGs)
// each, decided by the blocks of rtl/ (row_release, pool_release, segment_room, threshold_reach,
// admission, pfc_state), joined as weir_domain joins them. The state is in registers here, not
// in the pipeline: that the pipeline equals such steps is ingress_pipeline's part. The environment
// knows the cells that are held, apart from any counter.
//
// Free, and constant while it runs: of each PG phi (0 to 2), alpha (1/2, 1, 8), the XOFF trigger and
// the XON rule; xon and xon_offset (0 to 3), B (0 to 9), eta (3 to 7: a packet at least) and H (0 to
// 7: below the sum of eta). Packets have 1 to 3 cells; a release is of any 1 to 3, held or not.
//
// Each property has a cover of its name and a mutant in cases.py. Those named lemma_ are there
// for the induction.
//
// Units:   cells.
// Latency: one step a clock.
// Golden:  none; docs/design/contract.md, 2 alone.
module mmu_step #(
  parameter int Dedicated = 0,  // 1: each PG has its own headroom; 0: a pool below the sum of eta
  parameter int Limited   = 0,  // 1: an upstream sends at most N cells to a PG in XOFF; eta is N + 3
  parameter int Short     = 0,  // ... less so many cells
  parameter int AnyT      = 0   // 1: each comparison with T comes out in any way, so that what is
                                // proved holds for every threshold; 0: threshold_reach decides
) (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       valid_i,
  input logic       release_i,
  input logic [1:0] pg_i,       // {port, PG}
  input logic [1:0] cells_i
);

  localparam int W      = 5;      // bits of a count
  localparam int Pgs    = 4;
  localparam int Mtu    = 3;
  localparam int Width  = 3 * W;  // {headroom, shared, private}
  localparam int LimitW = weir_pkg::LimitW;
  localparam int SumsW  = LimitW + 2 * W;
  localparam int AllW   = W + 3;  // of a sum over the PGs

  (* anyconst, keep *) logic [2*Pgs-1:0] phis, alphas;
  (* anyconst, keep *) logic [Pgs-1:0]   triggers, rules;
  (* anyconst, keep *) logic [1:0]       xon, xon_offset;
  (* anyconst, keep *) logic [3:0]       pool_b;       // B
  (* anyconst, keep *) logic [2:0]       pool_h;       // H
  (* anyconst, keep *) logic [2:0]       eta, extra;   // extra: N

  logic [Pgs*Width-1:0] rows_q;     // what the rules count
  logic [W-1:0]         free_q, headroom_sum_q, private_sum_q;
  logic [Pgs*W-1:0]     packets_q;  // what the environment put in and has not taken out
  logic [AllW-1:0]      occupied_q; // ... of all PGs together
  logic [Pgs*W-1:0]     after_q;    // cells sent since the PG went to XOFF
  logic [Pgs*2-1:0]     trigger_q;  // cells of the packet that set it

  // One of the PGs, by multiplexers: an index would be a shifter of all bits.
  function automatic logic [Width-1:0] row_of(input logic [Pgs*Width-1:0] all, input logic [1:0] pg);
    row_of = '0;
    for (int g = 0; g < Pgs; g++) if (pg == 2'(g)) row_of = all[Width*g +: Width];
  endfunction
  function automatic logic [W-1:0] count_of(input logic [Pgs*W-1:0] all, input logic [1:0] pg);
    count_of = '0;
    for (int g = 0; g < Pgs; g++) if (pg == 2'(g)) count_of = all[W*g +: W];
  endfunction
  function automatic logic [1:0] pair_of(input logic [2*Pgs-1:0] all, input logic [1:0] pg);
    pair_of = '0;
    for (int g = 0; g < Pgs; g++) if (pg == 2'(g)) pair_of = all[2*g +: 2];
  endfunction

  // ---- Release
  logic [Width-1:0] found, released, charged, after;  // the row; after the one, the other, the step
  logic [SumsW-1:0] sums_released;
  logic             leave, arrive, past_headroom, past_shared, overdrawn;
  assign leave  = rst_ni && valid_i && release_i;
  assign arrive = rst_ni && valid_i && !release_i;
  assign found  = row_of(rows_q, pg_i);

  row_release #(.CellW(W), .LenW(2)) u_release (
    .row_i(found), .add_i(6'd0), .cells_i, .row_o(released), .past_headroom_o(past_headroom),
    .past_shared_o(past_shared), .error_o(overdrawn)
  );
  pool_release #(.CellW(W), .LenW(2)) u_pool (
    .sums_i({private_sum_q, headroom_sum_q, LimitW'(free_q)}), .add_i(6'd0), .row_i(found),
    .row_add_i(6'd0), .cells_i, .hit_i(!overdrawn), .past_headroom_i(past_headroom),
    .past_shared_i(past_shared), .sums_o(sums_released)
  );

  // ---- Arrival
  logic [W-1:0]      phi, free_after;
  logic [LimitW-1:0] room;
  logic [1:0]        rest, to_private, to;
  logic [2:0]        reason;
  logic              below, admitted, copy_accepted, copy_refused;
  assign phi = W'(pair_of(phis, pg_i));

  segment_room #(.CellW(W), .LenW(2)) u_room (
    .limit_i(LimitW'(phi)), .cells_i, .top_i(found[2*W +: W]), .upper_i(found[W +: W]),
    .held_i(found[0 +: W]), .add_upper_i(2'd0), .add_held_i(2'd0), .gone_i(2'd0), .less_i(1'b0),
    .room_o(room), .rest_o(rest)
  );
  assign to_private = (rest == '0) ? cells_i : room[1:0];

  // alpha = n / 2^m: code 0 is 1/2, 1 is 1, 2 is 8.
  function automatic logic [15:0] slope_n(input logic [1:0] code);
    slope_n = (code == 2'd2) ? 16'd8 : 16'd1;
  endfunction
  function automatic logic [4:0] slope_m(input logic [1:0] code);
    slope_m = (code == 2'd0) ? 5'd1 : 5'd0;
  endfunction
  logic [1:0] alpha;
  assign alpha = pair_of(alphas, pg_i);

  // w < T before an arrival; after the step w < T, and w + xon_offset <= T.
  (* anyseq *) logic [2:0] any_comparison;
  logic below_after, reached;
  if (AnyT != 0) begin : gen_any
    assign {below, below_after, reached} = any_comparison;
  end else begin : gen_real
    threshold_reach #(.CellW(W)) u_below (
      .free_i(LimitW'(free_q)), .slope_n_i(slope_n(alpha)), .slope_m_i(slope_m(alpha)),
      .constant_i('0), .held_i(found[W +: W]), .plus_i(LimitW'(1)), .reaches_o(below)
    );
    threshold_reach #(.CellW(W)) u_below_after (
      .free_i(LimitW'(free_after)), .slope_n_i(slope_n(alpha)), .slope_m_i(slope_m(alpha)),
      .constant_i('0), .held_i(after[W +: W]), .plus_i(LimitW'(1)), .reaches_o(below_after)
    );
    threshold_reach #(.CellW(W)) u_resume (
      .free_i(LimitW'(free_after)), .slope_n_i(slope_n(alpha)), .slope_m_i(slope_m(alpha)),
      .constant_i('0), .held_i(after[W +: W]), .plus_i(LimitW'(xon_offset)), .reaches_o(reached)
    );
  end

  admission #(.Copies(1), .CellW(W), .LenW(2)) u_admission (
    .valid_i(arrive), .rest_i(rest), .below_i(below), .free_i(LimitW'(free_q)),
    .headroom_i(found[2*W +: W]), .headroom_sum_i(headroom_sum_q), .headroom_limit_i(LimitW'(eta)),
    .headroom_pool_i(LimitW'(pool_h)), .dedicated_i(Dedicated != 0), .queue_mask_i(1'b1),
    .queue_limited_i(1'b0), .queue_fits_i(1'b0), .queue_below_i(1'b0), .reason_o(reason),
    .to_o(to), .admitted_o(admitted), .queue_accepts_o(copy_accepted),
    .queue_refused_o(copy_refused)
  );

  logic [W-1:0] in_headroom, in_shared, in_private;  // where the packet goes
  assign in_headroom = to[1] ? W'(rest) : '0;
  assign in_shared   = to[0] ? W'(rest) : '0;
  assign in_private  = (to != 2'd0) ? W'(to_private) : '0;
  assign charged     = {found[2*W +: W] + in_headroom, found[W +: W] + in_shared,
                        found[0 +: W] + in_private};
  assign after       = leave ? released : arrive ? charged : found;
  assign free_after  = leave ? sums_released[0 +: W] : free_q - in_shared;

  // ---- XOFF and XON
  logic [1:0]     level, changed;
  logic [15:0]    xoff, xoff_before;
  logic [Pgs-1:0] xoff_q;
  logic [3:0]     index;    // port * 8 + PG
  logic           pressed, was_xoff, now_xoff;
  assign index    = {pg_i[1], 2'b0, pg_i[0]};
  assign pressed  = to == 2'd0 || (to[1] && rest != '0);
  pfc_state #(.Ports(2), .Lanes(1), .CellW(W)) u_pfc_state (
    .clk_i, .rst_ni, .valid_i({arrive, leave && !overdrawn}), .pg_i({2{index}}),
    .pressed_i({pressed, 1'b0}), .full_i({2{after[0 +: W] == phi}}), .empty_i({2{after == '0}}),
    .shared_i({2{after[W +: W]}}), .in_headroom_i({2{after[2*W +: W] != '0}}),
    .below_i({2{below_after}}), .reached_i({2{reached}}), .xon_i({2{LimitW'(xon)}}),
    .trigger_i({2{triggers[pg_i]}}), .rule_i({2{rules[pg_i]}}), .level_o(level),
    .changed_o(changed), .xoff_o(xoff), .before_o(xoff_before)
  );
  assign xoff_q   = {xoff_before[9:8], xoff_before[1:0]};
  assign was_xoff = xoff_q[pg_i];
  assign now_xoff = xoff[index];

  // The rules of XOFF and XON, written from the contract (2), of the PG of the step.
  logic stepped, xoff_rule, xon_rule;
  logic [W-1:0] w;
  assign w         = after[W +: W];
  assign stepped   = arrive || (leave && !overdrawn);
  assign xoff_rule = (arrive && (!admitted || in_headroom != '0)) ||
                     (!triggers[pg_i] && after[0 +: W] == phi && !below_after);
  assign xon_rule  = after[2*W +: W] == '0 && !xoff_rule &&
                     (rules[pg_i] ? w < W'(xon) || w == '0 : w <= W'(xon) || reached);

  // ---- The environment
  logic         started_q = 1'b0;
  logic [W-1:0] n, held, late;  // of the packet; of the PG; sent since it went to XOFF
  assign n    = W'(cells_i);
  assign held = count_of(packets_q, pg_i);
  assign late = count_of(after_q, pg_i);

  initial assume (!rst_ni);

  always_comb begin
    if (started_q) assume (rst_ni);
    assume (cells_i != 2'd0);
    assume (pool_b <= 4'd9);
    assume (eta >= 3'(Mtu));
    for (int g = 0; g < Pgs; g++) assume (phis[2*g +: 2] != 2'd3 && alphas[2*g +: 2] != 2'd3);
    if (Limited != 0) begin
      assume (extra <= 3'd4 && W'(eta) + W'(Short) == W'(extra) + W'(Mtu));
      if (arrive && was_xoff) assume (late + n <= W'(extra));
    end
  end

  always @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni) begin
      rows_q         <= '0;
      free_q         <= W'(pool_b);
      headroom_sum_q <= '0;
      private_sum_q  <= '0;
      packets_q      <= '0;
      occupied_q     <= '0;
      after_q        <= '0;
      trigger_q      <= '0;
    end else if (valid_i) begin
      for (int g = 0; g < Pgs; g++) begin
        if (pg_i == 2'(g)) begin
          rows_q[Width*g +: Width] <= after;
          if (leave && n <= held) packets_q[W*g +: W] <= held - n;
          if (arrive && reason == weir_pkg::ReasonAdmitted) packets_q[W*g +: W] <= held + n;
          if (Limited != 0) begin
            if (!now_xoff) begin
              after_q[W*g +: W]   <= '0;
              trigger_q[2*g +: 2] <= '0;
            end else if (arrive && was_xoff) begin
              after_q[W*g +: W] <= late + n;
            end else if (arrive) begin
              trigger_q[2*g +: 2] <= cells_i;
            end
          end
        end
      end
      if (leave && n <= held) occupied_q <= occupied_q - AllW'(n);
      if (arrive && reason == weir_pkg::ReasonAdmitted) occupied_q <= occupied_q + AllW'(n);
      free_q         <= free_after;
      headroom_sum_q <= leave ? sums_released[LimitW +: W] : headroom_sum_q + in_headroom;
      private_sum_q  <= leave ? sums_released[LimitW + W +: W] : private_sum_q + in_private;
    end
  end

  // ---- Sums over the PGs, wide enough for any contents of the registers
  logic [AllW-1:0] all_private, all_shared, all_headroom, all_phi;
  always_comb begin
    all_private  = '0;
    all_shared   = '0;
    all_headroom = '0;
    all_phi      = '0;
    for (int g = 0; g < Pgs; g++) begin
      all_private  = all_private + AllW'(rows_q[Width*g +: W]);
      all_shared   = all_shared + AllW'(rows_q[Width*g + W +: W]);
      all_headroom = all_headroom + AllW'(rows_q[Width*g + 2*W +: W]);
      all_phi      = all_phi + AllW'(phis[2*g +: 2]);
    end
  end

  // What the covers ask for with their own condition.
  logic usual, refused, refused_q = 1'b0, refused_release_q = 1'b0;
  assign usual   = rst_ni && phis[1:0] != '0 && phis[3:2] != '0 && phis[5:4] != '0 &&
                   phis[7:6] != '0;
  assign refused = arrive && !admitted;

  always @(posedge clk_i) begin
    refused_q         <= refused;
    refused_release_q <= leave && overdrawn;
  end

  // Not clocked: Yosys would put a flip-flop before each, and the induction would need a step more.
  always_comb if (rst_ni) begin
    for (int g = 0; g < Pgs; g++) begin
      cells_are_conserved: assert (AllW'(packets_q[W*g +: W]) ==
          AllW'(rows_q[Width*g +: W]) + AllW'(rows_q[Width*g + W +: W]) +
          AllW'(rows_q[Width*g + 2*W +: W]));
      // A count that went below zero would be near 2^W, far above its limit.
      no_private_below_zero: assert (rows_q[Width*g +: W] <= W'(phis[2*g +: 2]));
      no_shared_below_zero: assert (rows_q[Width*g + W +: W] <= W'(pool_b));
      no_headroom_below_zero: assert (rows_q[Width*g + 2*W +: W] <= W'(eta));
      an_empty_pg_is_not_xoff: assert (!xoff_q[g] || packets_q[W*g +: W] != '0);
      headroom_only_in_xoff: assert (rows_q[Width*g + 2*W +: W] == '0 || xoff_q[g]);
      if (Limited != 0) begin
        lemma_upstream_stops: assert (after_q[W*g +: W] <= W'(extra));
        lemma_nothing_after_xon: assert (xoff_q[g] || (after_q[W*g +: W] == '0 &&
                                                       trigger_q[2*g +: 2] == '0));
        lemma_headroom_is_what_came_late: assert (rows_q[Width*g + 2*W +: W] <=
            after_q[W*g +: W] + W'(trigger_q[2*g +: 2]));
      end
    end
    no_sum_below_zero: assert (free_q <= W'(pool_b) && headroom_sum_q <= W'(Pgs * 7) &&
                               private_sum_q <= W'(Pgs * 2));
    shared_sum_is_the_counters: assert (AllW'(free_q) + all_shared == AllW'(pool_b));
    headroom_sum_is_the_counters: assert (AllW'(headroom_sum_q) == all_headroom);
    private_sum_is_the_counters: assert (AllW'(private_sum_q) == all_private);
    shared_fits_the_pool: assert (all_shared <= AllW'(pool_b));
    if (Dedicated == 0) headroom_fits_its_pool: assert (all_headroom <= AllW'(pool_h));
    lemma_each_cell_is_in_a_sum: assert (occupied_q + AllW'(free_q) ==
        AllW'(pool_b) + AllW'(private_sum_q) + AllW'(headroom_sum_q));
    lemma_private_fits: assert (AllW'(private_sum_q) <= all_phi);
    lemma_headroom_fits: assert (AllW'(headroom_sum_q) <= AllW'(Pgs) * AllW'(eta));
    occupancy_fits_the_memory: assert (occupied_q <= AllW'(pool_b) + all_phi +
        ((Dedicated != 0) ? AllW'(Pgs) * AllW'(eta) : AllW'(pool_h)));
    // From here on, what a step does in a state of which all the above holds.
    xoff_only_by_its_rule: assert (was_xoff || !now_xoff || (arrive && xoff_rule));
    xoff_whenever_its_rule_holds: assert (!arrive || !xoff_rule || after == '0 || now_xoff);
    xon_only_by_its_rule: assert (!was_xoff || now_xoff || (stepped && (after == '0 || xon_rule)));
    xon_as_soon_as_its_rule_holds: assert (!stepped || !xon_rule || !now_xoff);
    overdrawn_is_reported_and_changes_nothing: assert (!leave ||
        (overdrawn == (n > held) && (!overdrawn || released == found)));
    nothing_borrowed_by_the_free_cells: assert (!leave || sums_released[LimitW-1:W] == '0);
    if (refused) begin
      if (Dedicated == 0) begin
        xoff_not_later_than_the_first_drop: assert (now_xoff || held == '0);
        only_with_an_exhausted_pool: assert (now_xoff ||
            (reason == weir_pkg::ReasonHeadroomPool && all_headroom + AllW'(rest) > AllW'(pool_h)));
      end
      if (Dedicated != 0 && Short == 0) xoff_strictly_before_a_drop: assert (was_xoff && now_xoff);
      if (Limited != 0) no_lossless_drop: assert (1'b0);
    end
  end

  if (Dedicated == 0) begin : gen_covers
    always_comb if (rst_ni) begin
      cells_are_conserved: cover (usual && found[0 +: W] != '0 && found[W +: W] != '0 &&
                                  found[2*W +: W] != '0);
      no_private_below_zero: cover (usual && leave && !overdrawn && past_shared &&
                                    released[0 +: W] == '0);
      no_shared_below_zero: cover (usual && leave && !overdrawn && found[W +: W] != '0 && past_shared);
      no_headroom_below_zero: cover (usual && leave && past_headroom && found[2*W +: W] != '0);
      an_empty_pg_is_not_xoff: cover (usual && leave && changed[0] && !level[0] && released == '0);
      headroom_only_in_xoff: cover (usual && leave && changed[0] && !level[0] && released != '0 &&
                                    found[2*W +: W] != '0);
      no_sum_below_zero: cover (usual && leave && free_q == '0 && free_after == W'(1));
      shared_sum_is_the_counters: cover (usual && rows_q[W +: W] != '0 &&
                                         rows_q[3*Width + W +: W] != '0);
      headroom_sum_is_the_counters: cover (usual && rows_q[2*W +: W] != '0 &&
                                           rows_q[2*Width + 2*W +: W] != '0);
      private_sum_is_the_counters: cover (usual && private_sum_q == W'(Pgs));
      shared_fits_the_pool: cover (usual && free_q == '0 && pool_b == 4'd4);
      headroom_fits_its_pool: cover (usual && pool_h == 3'd4 && headroom_sum_q == W'(4));
      occupancy_fits_the_memory: cover (usual && all_phi == AllW'(Pgs) && pool_b == 4'd2 &&
          pool_h == 3'd2 && occupied_q == AllW'(Pgs + 4));
      overdrawn_is_reported_and_changes_nothing: cover (usual && refused_release_q && packets_q[0 +: W] != '0);
      nothing_borrowed_by_the_free_cells: cover (usual && leave && !overdrawn && past_headroom &&
                                                 free_q != free_after);
      xoff_only_by_its_rule: cover (usual && !was_xoff && now_xoff && admitted && free_q != '0 &&
                                    in_headroom == '0);
      xoff_whenever_its_rule_holds: cover (usual && !was_xoff && now_xoff && in_headroom != '0);
      xon_only_by_its_rule: cover (usual && leave && was_xoff && !now_xoff && after != '0);
      xon_as_soon_as_its_rule_holds: cover (usual && leave && was_xoff && !now_xoff && after != '0 &&
                                            found[2*W +: W] != '0);
      xoff_not_later_than_the_first_drop: cover (usual && refused_q && xoff_q != '0);
      only_with_an_exhausted_pool: cover (usual && refused && !now_xoff);
      // Each alpha at work: XOFF by a crossing, cells still free, none in headroom.
      alpha_of_one_half: cover (usual && alpha == 2'd0 && was_xoff && free_q != '0 &&
                                found[2*W +: W] == '0 && found[W +: W] != '0);
      alpha_of_one: cover (usual && alpha == 2'd1 && was_xoff && free_q != '0 &&
                           found[2*W +: W] == '0 && found[W +: W] != '0);
      alpha_of_eight: cover (usual && alpha == 2'd2 && was_xoff && free_q != '0 &&
                             found[2*W +: W] == '0 && found[W +: W] != '0);
    end
  end else begin : gen_covers_of_own_headroom
    always_comb if (rst_ni) begin
      if (Limited == 0) xoff_strictly_before_a_drop: cover (usual && refused);
      occupancy_fits_the_memory: cover (usual && eta == 3'd3 && rows_q[2*W +: W] == W'(3) &&
                                        rows_q[Width + 2*W +: W] == W'(3));
      if (Limited != 0) begin
        lemma_upstream_stops: cover (usual && extra == 3'd2 && after_q[0 +: W] == W'(2));
        no_lossless_drop: cover (usual && extra == 3'd2 && rows_q[2*W +: W] == W'(5));
      end
    end
  end

endmodule

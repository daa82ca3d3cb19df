// SPDX-License-Identifier: Apache-2.0
//
// Properties of ecn_marker, read inside the module, of any one queue of the eight: its q is the sum
// of what entered less what left; below min nothing is hit, from max on everything that asks is; a
// packet draws between the two alone, and the register of the draws never gets stuck at 0.

  (* anyconst *) logic [2:0]              one;         // the queue
  (* anyconst *) logic [MapW-1:0]         one_profile;
  (* anyconst *) logic [CellW-1:0]        min, max;
  (* anyconst *) logic [SlopeW-1:0]       slope;
  (* anyconst *) logic                    marks, drops, at_enqueue;
  logic [CellW:0]   sum_q = '0, sum_d;  // cells that wait in it; one bit more shows what is lost
  logic             started_q = 1'b0, error_past_q = 1'b0, error_past_q2 = 1'b0;

  // What asks of this queue, by the rules, and with which q: of the arrival, and of what leaves.
  logic             arrival, departure, enters_it, leaves_it, too_many;
  logic             arrival_asks, departure_asks;
  logic [CellW:0]   arrival_q, departure_q;
  assign arrival     = arr_valid_i[0] && arr_queue_i == one && one_profile != '0;
  assign departure   = dep_valid_i && dep_queue_i == one && one_profile != '0;
  assign enters_it   = arrival && arr_enters_i[0];
  assign arrival_q   = sum_q;
  assign too_many    = departure && (CellW+1)'(dep_cells_i) >
                       (enters_it ? sum_q + (CellW+1)'(arr_cells_i) : sum_q);
  assign leaves_it   = departure && !too_many;
  assign departure_q = (enters_it ? sum_q + (CellW+1)'(arr_cells_i) : sum_q) -
                       (CellW+1)'(dep_cells_i);
  assign arrival_asks = arrival && (arr_enters_i[0] ? marks && at_enqueue && arr_ect_i[0] :
                        drops && !arr_lossless_i[0] && !(marks && arr_ect_i[0]));
  assign departure_asks = leaves_it && dep_sent_i && marks && !at_enqueue && dep_ect_i;

  always_comb begin
    sum_d = sum_q;
    if (enters_it) sum_d = sum_d + (CellW+1)'(arr_cells_i);
    if (leaves_it) sum_d = sum_d - (CellW+1)'(dep_cells_i);
  end

  initial assume (!rst_ni);

  always_comb begin
    assume (min <= max && one_profile <= MapW'(Profiles));
    assume (map_i[one*MapW +: MapW] == one_profile);
    assume (one_profile == '0 || cfg_profile_i[(one_profile - 1)*wred_pkg::ProfileBits +:
            wred_pkg::ProfileBits] == {at_enqueue, drops, marks, slope,
                                       wred_pkg::LimitW'(max), wred_pkg::LimitW'(min)});
    assume (polynomial_i[wred_pkg::StateW-1] && seed_i != '0);
    if (started_q) assume (rst_ni);
    // A queue holds less than 2^CellW cells.
    if (started_q && enters_it) begin
      assume (!(sum_q + (CellW+1)'(arr_cells_i) > (CellW+1)'({CellW{1'b1}})));
    end
  end

  // The past of the questions, up to the cycle of their answer.
  logic arrival_past_q = 1'b0, arrival_below_q = 1'b0, arrival_above_q = 1'b0;
  logic arrival_asked_q = 1'b0;
  logic arrival_past_q2 = 1'b0, arrival_below_q2 = 1'b0, arrival_above_q2 = 1'b0;
  logic arrival_asked_q2 = 1'b0;
  logic departure_past_q = 1'b0, departure_below_q = 1'b0, departure_above_q = 1'b0;
  logic departure_asked_q = 1'b0;
  logic departure_past_q2 = 1'b0, departure_below_q2 = 1'b0, departure_above_q2 = 1'b0;
  logic departure_asked_q2 = 1'b0;
  logic [wred_pkg::StateW-1:0] state_past_q = 32'd1;
  logic none_between_q = 1'b0;  // nothing could draw in the cycle before, and nothing was loaded

  always @(posedge clk_i) begin
    started_q          <= 1'b1;
    sum_q              <= rst_ni ? sum_d : '0;
    arrival_past_q     <= rst_ni && arrival;
    arrival_asked_q    <= rst_ni && arrival_asks;
    arrival_below_q    <= arrival_q < (CellW+1)'(min);
    arrival_above_q    <= arrival_q >= (CellW+1)'(max);
    arrival_past_q2    <= rst_ni && arrival_past_q;
    arrival_asked_q2   <= rst_ni && arrival_asked_q;
    arrival_below_q2   <= arrival_below_q;
    arrival_above_q2   <= arrival_above_q;
    departure_past_q   <= rst_ni && departure;
    departure_asked_q  <= rst_ni && departure_asks;
    departure_below_q  <= departure_q < (CellW+1)'(min);
    departure_above_q  <= departure_q >= (CellW+1)'(max);
    departure_past_q2  <= rst_ni && departure_past_q;
    departure_asked_q2 <= rst_ni && departure_asked_q;
    departure_below_q2 <= departure_below_q;
    departure_above_q2 <= departure_above_q;
    error_past_q       <= rst_ni && too_many;
    error_past_q2      <= rst_ni && error_past_q;
    state_past_q       <= state_o;
    none_between_q     <= rst_ni && !load_i &&
        (!arr_valid_i[0] || (arrival && (!arrival_asks || arrival_q < (CellW+1)'(min) ||
                                         arrival_q >= (CellW+1)'(max)))) &&
        (!dep_valid_i || (departure && (!departure_asks || departure_q < (CellW+1)'(min) ||
                                        departure_q >= (CellW+1)'(max))));
  end

  always_comb if (rst_ni && started_q) begin
    lemma_a_certain_hit_is_kept: assert (!arrival_past_q ||
        sure_q[0] == (arrival_asked_q && !arrival_below_q && arrival_above_q));
    lemma_a_draw_is_kept: assert (!arrival_past_q ||
        draws_q[0] == (arrival_asked_q && !arrival_below_q && !arrival_above_q));
    lemma_a_certain_mark_is_kept: assert (!departure_past_q ||
        sure_q[1] == (departure_asked_q && !departure_below_q && departure_above_q));
    lemma_a_draw_of_what_leaves_is_kept: assert (!departure_past_q ||
        draws_q[1] == (departure_asked_q && !departure_below_q && !departure_above_q));
    lemma_an_error_is_kept: assert (!departure_past_q || overdrawn_q == error_past_q);
    q_is_the_sum: assert (one_profile == '0 ||
        {1'b0, waiting_q[one*CellW +: CellW]} == sum_q);
    never_below_min: assert (!(arr_hit_o[0] && arrival_past_q2 && arrival_below_q2) &&
        !(dep_mark_o && departure_past_q2 && departure_below_q2));
    always_from_max_on: assert (
        (!arrival_asked_q2 || !arrival_above_q2 || arr_hit_o[0]) &&
        (!departure_asked_q2 || !departure_above_q2 || dep_mark_o));
    nothing_that_does_not_ask: assert (
        (!arrival_past_q2 || arrival_asked_q2 || !arr_hit_o[0]) &&
        (!departure_past_q2 || departure_asked_q2 || !dep_mark_o));
    overdrawn_is_reported: assert (!departure_past_q2 || dep_error_o == error_past_q2);
    draws_only_between: assert (!none_between_q || state_o == state_past_q);
    draws_never_stop: assert (state_o != '0);

    q_is_the_sum: cover (sum_q == (CellW+1)'(7) && min == CellW'(3) && one_profile == MapW'(2));
    never_below_min: cover (departure_asked_q2 && departure_below_q2 && !dep_mark_o);
    always_from_max_on: cover (arrival_asked_q2 && arrival_above_q2 && min != '0 && max != min &&
                               departure_asked_q2 && departure_above_q2);
    nothing_that_does_not_ask: cover (arrival_past_q2 && !arrival_asked_q2 && drops && marks &&
                                      arrival_above_q2 && max > CellW'(2));
    overdrawn_is_reported: cover (dep_error_o && departure_past_q2 && sum_q != '0);
    draws_only_between: cover (none_between_q && arrival_past_q && departure_past_q);
    draws_never_stop: cover (state_o != 32'd1 && state_o != state_past_q && started_q &&
                             departure_past_q);
  end

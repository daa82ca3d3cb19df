# SPDX-License-Identifier: Apache-2.0
"""What scripts/formal proves: one entry a design.

  top, parameters  the module under proof and its parameters
  inside           the properties stand in tb/formal/<top>.props.sv and are read inside the module;
                   otherwise tb/formal/<top>.sv is a wrapper around blocks of rtl/
  depth            cycles of the bounded check; `cover_depth`: of the reachability covers
  induction        depth of the induction; None: bounded only
  given            changes of the sources that set the start (an empty memory at once)
  ignored          outputs that no property speaks of, taken out with what makes them
  fails            labels that must fail without any change: a counter-example
  broken           (label, file, text, wrong text): the copy in which that property must fail
  full             only with --full
"""

SKIP_THE_WALK = [
    ("row_memory.sv", "      init_done_q <= 1'b0;", "      init_done_q <= 1'b1;"),
    ("row_memory.sv", "  logic            init_done_q;",
     "  logic            init_done_q;\n  initial for (int r = 0; r < Rows; r++) rows_q[r] = '0;"),
]

STEP_BROKEN = [
    ("cells_are_conserved", "mmu_step.sv", "given_shared   = (n - given_headroom < held_shared)",
     "given_shared   = (n < held_shared)"),
    ("no_private_below_zero", "mmu_step.sv", "to_private    = (n < room) ? n : room",
     "to_private    = n"),
    ("no_shared_below_zero", "mmu_step.sv", "next_shared       = held_shared - given_shared",
     "next_shared       = held_shared - n"),
    ("no_headroom_below_zero", "admission.sv",
     "(LimitW+1)'(headroom_limit_i) < (LimitW+1)'(headroom_i)",
     "(LimitW+1)'(headroom_limit_i) + 1 < (LimitW+1)'(headroom_i)"),
    ("an_empty_pg_is_not_xoff", "pfc_state.sv", "!empty_i[x] && ((", "1'b1 && (("),
    ("headroom_only_in_xoff", "pfc_state.sv", "!due[x] && !in_headroom_i[x]", "!due[x]"),
    ("sum_is_the_counters", "mmu_step.sv", "next_sum    = sum_q + rest", "next_sum    = sum_q + n"),
    ("headroom_sum_is_the_counters", "mmu_step.sv",
     "next_headroom_sum = headroom_sum_q - given_headroom",
     "next_headroom_sum = headroom_sum_q - n"),
    ("shared_fits_the_pool", "admission.sv", "LimitW'(rest_i) <= free_i",
     "LimitW'(rest_i) <= free_i + 1"),
    ("headroom_fits_its_pool", "admission.sv", "over_pool   = !dedicated_i &&",
     "over_pool   = !dedicated_i && 1'b0 &&"),
    ("xoff_not_later_than_the_first_drop", "pfc_state.sv", "pressed_i[x] || (", "1'b0 || ("),
    ("only_with_an_exhausted_pool", "admission.sv", "over_limit  ? weir_pkg::ReasonHeadroomLimit",
     "over_pool  ? weir_pkg::ReasonHeadroomLimit"),
]

CASES = [
    {"name": "arbiter", "top": "arrival_arbiter", "inside": True, "parameters": {"Ports": 3},
     "depth": 8, "induction": 4, "cover_depth": 6,
     "broken": [
         ("each_other_once_before_the_victim", "arrival_arbiter.sv", "mask_q <= mask_d",
          "mask_q <= mask_q"),
         ("only_who_waits", "arrival_arbiter.sv", "> CountW'(j)", ">= CountW'(j)"),
         ("works_while_someone_waits", "arrival_arbiter.sv", "if (enable_i) begin",
          "if (enable_i && mask_q == '0) begin")]},
    {"name": "arbiter of two lanes", "top": "arrival_arbiter", "inside": True,
     "parameters": {"Ports": 3, "Lanes": 2}, "depth": 6, "induction": 4, "cover_depth": 5,
     "broken": [
         ("not_more_than_wait", "arrival_arbiter.sv", "~first | left", "~'0 | left")]},
    {"name": "pfc generator", "top": "pfc_generator", "inside": True, "parameters": {},
     "ignored": ["m_axis_pfc_tdata_o"], "depth": 10, "induction": 5, "cover_depth": 12,
     "broken": [
         ("timer_only_falls", "pfc_generator.sv", "(timer > step) ? timer - step : 32'b0",
          "timer - step"),
         ("refresh_is_asked_for", "pfc_generator.sv", "request_o[p] = requested_q[p] || refresh[p] ||",
          "request_o[p] = requested_q[p] ||"),
         ("sent_within_the_bound", "pfc_generator.sv", "request_o[p] = requested_q[p] || refresh[p] ||",
          "request_o[p] = refresh[p] &&"),
         ("a_change_is_on_its_way", "pfc_generator.sv",
          "(check[p] && classes[8*p +: 8] != sent[8*p +: 8])", "1'b0"),
         ("no_request_for_nothing", "pfc_generator.sv", "classes[8*p +: 8] | sent_q[8*p +: 8]",
          "classes[8*p +: 8]")]},
    {"name": "pfc receiver", "top": "pfc_receiver", "inside": True, "parameters": {"ResponseW": 3},
     "depth": 6, "induction": 4, "cover_depth": 8,
     "broken": [
         ("runs_down_and_stays", "pfc_receiver.sv",
          "(timer > step) ? timer - step : '0", "timer - step"),
         ("waits_for_the_response", "pfc_receiver.sv", "? response : left, load", "? '0 : left, load"),
         ("blocked_only_while_it_runs", "pfc_receiver.sv",
          "pause[8*p + n] = busy[n] &&", "pause[8*p + n] ="),
         ("loads_its_quanta", "pfc_receiver.sv", "{quanta, 16'b0}", "{quanta[7:0], quanta[15:8], 16'b0}")]},
    {"name": "row memory", "top": "row_memory", "inside": True,
     "parameters": {"Rows": 4, "Width": 4, "Writes": 2}, "depth": 12, "induction": 4,
     "cover_depth": 10,
     "broken": [
         ("walked_rows_are_zero", "row_memory.sv", "rows_q[walk_q] <= '0", "rows_q[walk_q] <= '1"),
         ("a_read_shows_the_last_write", "row_memory.sv", "rows_q[rd_row_i[k*RowW +: RowW]]",
          "rows_q[rd_row_i[k*RowW +: RowW] ^ 1]"),
         ("memory_holds_the_last_write", "row_memory.sv", "wr_valid_i[k] && init_done_q",
          "wr_valid_i[k] && init_done_q && k == 0")]},
    {"name": "step, shared headroom pool", "top": "mmu_step", "parameters": {},
     "depth": 5, "induction": None, "cover_depth": 9, "broken": STEP_BROKEN, "broken_depth": 8},
    {"name": "step, own headroom", "top": "mmu_step", "parameters": {"Dedicated": 1},
     "depth": 5, "induction": None, "cover_depth": 9, "broken_depth": 8,
     "broken": [("xoff_strictly_before_a_drop", "pfc_state.sv", "pressed_i[x] || (", "1'b0 || ("),
                ("occupancy_fits_the_memory", "admission.sv",
                 "(LimitW+1)'(headroom_limit_i) < (LimitW+1)'(headroom_i)",
                 "(LimitW+1)'(headroom_limit_i) + 9 < (LimitW+1)'(headroom_i)")]},
    {"name": "step, upstream of N cells", "top": "mmu_step",
     "parameters": {"Dedicated": 1, "Limited": 1, "Extra": 3, "Eta": 6}, "depth": 5,
     "induction": None, "cover_depth": 9, "broken": []},
    {"name": "step, upstream of N cells, one cell short", "top": "mmu_step",
     "parameters": {"Dedicated": 1, "Limited": 1, "Extra": 3, "Eta": 5}, "depth": 9,
     "induction": None, "cover_depth": None, "fails": ["no_lossless_drop"], "broken": []},
    {"name": "ingress pipeline", "top": "ingress_pipeline", "parameters": {}, "depth": 8,
     "induction": None, "cover_depth": 9, "given": SKIP_THE_WALK,
     "broken": [
         ("row_before_the_arrival", "ingress_accounting.sv", "before_q       <= same1_d",
          "before_q       <= '0"),
         ("row_before_the_arrival", "ingress_accounting.sv", "older_q        <= same2_d",
          "older_q        <= '0"),
         ("free_cells", "ingress_accounting.sv",
          "sums[p*PoolRowW +: LimitW] + LimitW'(shared)", "sums[p*PoolRowW +: LimitW]"),
         ("overdrawn_is_told", "ingress_accounting.sv", "total < (CellW+2)'(cells)",
          "upper < (CellW+2)'(cells)")]},
]

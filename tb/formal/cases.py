# SPDX-License-Identifier: Apache-2.0
"""What scripts/formal proves: one entry a design.

  top, parameters  the module under proof and its parameters
  inside           the properties stand in tb/formal/<top>.props.sv and are read inside the module;
                   otherwise tb/formal/<top>.sv is a wrapper around blocks of rtl/
  base             cycles from reset on that are checked: with an induction at least its depth,
                   without one the bound of what is known (doubled by --full)
  induction        depth of the induction, all properties at once; or
  stepwise         each property by itself: it holds in the state after one in which all hold
  cover_depth      bound of the reachability covers; cover_parameters: changed parameters for the
                   covers and the broken copies
  given            changes of the sources that set the start (an empty memory at once)
  ignored          outputs that no property speaks of, taken out with what makes them
  fails            labels that must fail without any change: a counter-example
  broken           (label, file, text, wrong text): the copy in which that property must fail within
                   broken_depth cycles; elsewhere: labels whose cover and broken copy are those of another case
  full             only with --full
"""

SKIP_THE_WALK = [
    ("row_memory.sv", "      init_done_q <= 1'b0;", "      init_done_q <= 1'b1;"),
    ("row_memory.sv", "  logic            init_done_q;",
     "  logic            init_done_q;\n  initial for (int r = 0; r < Rows; r++) rows_q[r] = '0;"),
]

LATE_XOFF = ("pfc_state.sv", "assign due[1] = pressed_i[x];", "assign due[1] = 1'b0;")

STEP_BROKEN = [
    ("cells_are_conserved", "row_release.sv",
     "keep_headroom[DiffW-1] ? keep_shared[CellW-1:0] : all_shared", "all_shared"),
    ("no_private_below_zero", "row_release.sv", "= keep_all[DiffW-1];", "= 1'b0;"),
    ("no_shared_below_zero", "row_release.sv", "keep_shared[DiffW-1]   ? '0 :", "1'b0 ? '0 :"),
    ("no_headroom_below_zero", "row_release.sv", "keep_headroom[DiffW-1] ? '0 : keep_headroom",
     "keep_headroom"),
    ("an_empty_pg_is_not_xoff", "pfc_state.sv", "!empty_i[x] && (reached_i[x]", "(reached_i[x]"),
    ("headroom_only_in_xoff", "pfc_state.sv", "due[c % 2] || in_headroom_i[x] ||", "due[c % 2] ||"),
    ("no_sum_below_zero", "pool_release.sv", "past_headroom_i ? headroom_all", "1'b0 ? headroom_all"),
    ("shared_sum_is_the_counters", "pool_release.sv", "= shared + free - add_shared",
     "= free - add_shared"),
    ("headroom_sum_is_the_counters", "pool_release.sv", "sum_headroom - headroom - row_headroom",
     "sum_headroom - row_headroom"),
    ("private_sum_is_the_counters", "pool_release.sv",
     "(hit_i && past_shared_i) ? private_part", "1'b0 ? private_part"),
    ("shared_fits_the_pool", "admission.sv", "LimitW'(rest_i) <= free_i;",
     "LimitW'(rest_i) <= free_i + 1;"),
    ("headroom_fits_its_pool", "admission.sv", "over_pool   = !dedicated_i &&",
     "over_pool   = !dedicated_i && 1'b0 &&"),
    ("occupancy_fits_the_memory", "admission.sv", "over_pool   = !dedicated_i &&",
     "over_pool   = !dedicated_i && 1'b0 &&"),
    ("overdrawn_is_told_and_changes_nothing", "row_release.sv", "= error_o ? {all_headroom",
     "= 1'b0 ? {all_headroom"),
    ("nothing_borrowed_by_the_free_cells", "pool_release.sv", "= shared + free - add_shared",
     "= free - shared - add_shared"),
    ("xoff_not_later_than_the_first_drop", *LATE_XOFF),
    ("only_with_an_exhausted_pool", "admission.sv", "over_limit   ? weir_pkg::ReasonHeadroomLimit",
     "over_pool    ? weir_pkg::ReasonHeadroomLimit"),
]
OF_THE_STEP = {label for label, *_ in STEP_BROKEN}

STEP = {"top": "mmu_step", "base": 2, "stepwise": True, "broken_depth": 8,
        "cover_parameters": {"AnyT": 0}}

CASES = [
    {**STEP, "name": "step, shared headroom pool", "parameters": {"AnyT": 1}, "broken": STEP_BROKEN},
    {"name": "covers of the step", "top": "mmu_step", "parameters": {}, "base": 2, "cover_depth": 9,
     "broken": [], "elsewhere": OF_THE_STEP, "full": True},
    {**STEP, "name": "step, own headroom", "cover_depth": 9, "parameters": {"Dedicated": 1, "AnyT": 1},
     "elsewhere": OF_THE_STEP - {"occupancy_fits_the_memory"},
     "broken": [("xoff_strictly_before_a_drop", *LATE_XOFF),
                ("occupancy_fits_the_memory", "admission.sv", "assign over_limit  = ",
                 "assign over_limit  = 1'b0 && ")]},
    {**STEP, "name": "step, upstream of N cells", "cover_depth": 9,
     "elsewhere": OF_THE_STEP |
     {"xoff_strictly_before_a_drop"}, "parameters": {"Dedicated": 1, "Limited": 1, "AnyT": 1},
     "broken": [("no_lossless_drop", *LATE_XOFF)]},
    {"name": "step, upstream of N cells, headroom one short", "top": "mmu_step", "base": 9,
     "parameters": {"Dedicated": 1, "Limited": 1, "Short": 1}, "fails": ["no_lossless_drop"]},
    {"name": "arbiter", "top": "arrival_arbiter", "inside": True, "parameters": {"Ports": 3},
     "base": 4, "induction": 2, "cover_depth": 6, "broken_depth": 6,
     "elsewhere": ["not_more_than_wait"],
     "broken": [
         ("each_other_once_before_the_victim", "arrival_arbiter.sv", "mask_q <= mask_d",
          "mask_q <= mask_q"),
         ("only_who_waits", "arrival_arbiter.sv", "= waiting_i[Ports-1:0]", "= ~waiting_i[Ports-1:0]"),
         ("a_port_that_exists", "arrival_arbiter.sv", "+ b] = |(first", "+ b] = ~|(first"),
         ("works_while_someone_waits", "arrival_arbiter.sv", "if (enable_i) begin",
          "if (enable_i && mask_q == '0) begin")]},
    {"name": "arbiter of two lanes", "top": "arrival_arbiter", "inside": True,
     "parameters": {"Ports": 3, "Lanes": 2}, "base": 4, "induction": 2, "cover_depth": 5,
     "broken_depth": 6, "elsewhere": ["a_port_that_exists", "works_while_someone_waits"],
     "broken": [
         ("each_other_once_before_the_victim", "arrival_arbiter.sv", "mask_q <= mask_d",
          "mask_q <= mask_q"),
         ("only_who_waits", "arrival_arbiter.sv", "> CountW'(j)", ">= CountW'(j)"),
         ("in_lane_order", "arrival_arbiter.sv", "valid_o[k] = all != '0;",
          "valid_o[k] = all != '0 && (k > 0 || mask_q == '0);"),
         ("not_more_than_wait", "arrival_arbiter.sv", "~first | left", "~'0 | left")]},
    {"name": "pfc generator", "top": "pfc_generator", "inside": True, "parameters": {},
     "ignored": ["m_axis_pfc_tdata_o"], "base": 5, "induction": 4, "cover_depth": 9,
     "broken_depth": 8,
     "broken": [
         ("timer_never_runs_past_zero", "pfc_generator.sv", "(timer > step) ? timer - step : 32'b0",
          "timer - step"),
         ("refresh_is_asked_for", "pfc_generator.sv", "request_o[p] = requested_q[p] || refresh[p] ||",
          "request_o[p] = requested_q[p] ||"),
         ("sent_within_the_bound", "pfc_generator.sv",
          "request_o[p] = requested_q[p] || refresh[p] ||", "request_o[p] = refresh[p] &&"),
         ("a_frame_tells_the_levels", "pfc_generator.sv", "start_xoff_o[8*p +: 8]   = classes",
          "start_xoff_o[8*p +: 8]   = ~classes"),
         ("no_frame_for_nothing", "pfc_generator.sv", "classes[8*p +: 8] | sent_q[8*p +: 8]",
          "classes[8*p +: 8]")]},
    {"name": "pfc receiver", "top": "pfc_receiver", "inside": True,
     "parameters": {"ResponseW": 3, "CountW": 1}, "ignored": ["stat_count_o"], "base": 3,
     "induction": 2, "cover_depth": 8, "broken_depth": 6,
     "broken": [
         ("timer_never_runs_past_zero", "pfc_receiver.sv",
          "(timer > step) ? timer - step : '0", "timer - step"),
         ("waits_for_the_response", "pfc_receiver.sv", "? response : left, load", "? '0 : left, load"),
         ("blocked_only_while_it_runs", "pfc_receiver.sv",
          "blocked[n] = busy[n] &&", "pause[8*p + n] ="),
         ("xon_releases_at_once", "pfc_receiver.sv",
          "blocked[n] = busy[n] &&", "pause[8*p + n] ="),
         ("blocked_after_the_response", "pfc_receiver.sv",
          "blocked[n] = busy[n] &&", "blocked[n] = busy[n] && take[p] &&"),
         ("loads_its_quanta", "pfc_receiver.sv", "{quanta, 16'b0}",
          "{quanta[7:0], quanta[15:8], 16'b0}")]},
    {"name": "row memory", "top": "row_memory", "inside": True,
     "parameters": {"Rows": 4, "Width": 4, "Writes": 2}, "base": 4, "induction": 2,
     "cover_depth": 10, "broken_depth": 9,
     "broken": [
         ("walked_rows_are_zero", "row_memory.sv", "rows_q[walk_q] <= '0", "rows_q[walk_q] <= '1"),
         ("a_read_shows_the_last_write", "row_memory.sv", "rows_q[rd_row_i[k*RowW +: RowW]]",
          "rows_q[rd_row_i[k*RowW +: RowW] ^ 1]"),
         ("memory_holds_the_last_write", "row_memory.sv", "wr_valid_i[k] && init_done_q",
          "wr_valid_i[k] && init_done_q && k == 0")]},
    {"name": "ingress pipeline", "top": "ingress_pipeline", "parameters": {}, "base": 6,
     "cover_depth": 8, "broken_depth": 7, "given": SKIP_THE_WALK,
     "broken": [
         ("row_before_the_arrival", "row_forward.sv", "if (previous_i[y])",
          "if (1'b0 && previous_i[y])"),
         ("whether_it_is_empty", "row_forward.sv", "if (older_i[y])",
          "if (1'b0 && older_i[y])"),
         ("free_cells", "pool_release.sv", "cells - headroom - row_headroom + free",
          "cells - row_headroom + free"),
         ("headroom_in_use", "pool_release.sv", "past_headroom_i ? headroom_all",
          "1'b0 ? headroom_all"),
         ("parts_of_the_packet", "segment_room.sv", "assign rest   = less_i ? rest_less",
          "assign rest   = 1'b0 ? rest_less"),
         ("row_after_the_release", "row_release.sv",
          "keep_headroom[DiffW-1] ? keep_shared[CellW-1:0] : all_shared", "all_shared"),
         ("row_after_the_arrival", "ingress_accounting.sv",
          "if (to == 2'd1) charged_row[CellW", "if (to == 2'd3) charged_row[CellW"),
         ("sums_after_the_arrival", "ingress_accounting.sv",
          "if (to == 2'd2) charged_pool", "if (to == 2'd3) charged_pool"),
         ("sums_after_the_release", "pool_release.sv", "= shared + free - add_shared",
          "= free - add_shared"),
         ("overdrawn_is_told", "row_release.sv", "= keep_all[DiffW-1];", "= 1'b0;")]},
]

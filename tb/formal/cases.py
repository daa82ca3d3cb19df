# SPDX-License-Identifier: Apache-2.0
"""What scripts/rtl/formal proves: one entry a design.

  top, parameters  the module under proof and its parameters
  inside           the properties are in tb/formal/<top>.props.sv and are read inside the module;
                   otherwise tb/formal/<top>.sv is a wrapper around blocks of rtl/
  base             cycles from reset on that are checked, at least the depth of the induction
                   (doubled by --full)
  induction        depth of the induction, all properties at once; or
  stepwise         each property by itself: it holds in the state after one in which all hold
  cover_depth      bound of the reachability covers; cover_parameters: changed parameters for the
                   covers and the mutants
  scenarios        guided covers: (constants, inputs of the cycles after reset, {label: the cycle in
                   which its cover holds}); the prover finds the other values
  broken_constants values of free constants in the mutants
  given            changes of the sources: the start (an empty memory at once), signals inside blocks
                   that the properties need
  ignored          outputs without properties, removed together with their logic
  fails            labels that must fail without any change: a counter-example
  broken           (label, file, text, wrong text): the mutant in which that property must fail within
                   broken_depth cycles; elsewhere: labels backed by another case
"""

SKIP_THE_WALK = [
    ("row_memory.sv", "      init_done_q <= 1'b0;", "      init_done_q <= 1'b1;"),
    ("ram_1w1r.sv", "  logic [Width-1:0] data_q;",
     "  logic [Width-1:0] data_q;\n  initial for (int r = 0; r < Rows; r++) rows_q[r] = '0;"),
]

# Internal signals that the properties need: rows of the memory as each read port has them, the PGs
# of cycle t + 1.
SHOW_THE_ROWS = [
    ("ram_1w1r.sv", "  input  logic [Width-1:0] wr_data_i",
     "  input  logic [Width-1:0] wr_data_i,\n  output logic [Rows*Width-1:0] rows_o"),
    ("ram_1w1r.sv", "  assign rd_data_o = data_q;", "  assign rd_data_o = data_q;\n"
     "  for (genvar r = 0; r < Rows; r++) begin : gen_rows\n"
     "    assign rows_o[r*Width +: Width] = rows_q[r];\n  end"),
    ("multiport_memory.sv", "  input  logic [Writes*Width-1:0] wr_data_i",
     "  input  logic [Writes*Width-1:0] wr_data_i,\n  output logic [Reads*Rows*Width-1:0] rows_o"),
    ("multiport_memory.sv", "  logic [Reads*PortW-1:0] from;",
     "  logic [Reads*PortW-1:0] from;\n  logic [Rows*PortW-1:0] last_port;"),
    ("multiport_memory.sv", "    assign from = from_q;",
     "    assign from = from_q;\n    assign last_port = last_port_q;"),
    ("multiport_memory.sv", "    assign from = '0;",
     "    assign from = '0;\n    assign last_port = '0;"),
    ("multiport_memory.sv", "    logic [Width-1:0]        data;",
     "    logic [Width-1:0] data;\n    logic [Writes*Rows*Width-1:0] rows;\n"
     "    for (genvar x = 0; x < Rows; x++) begin : gen_rows\n"
     "      assign rows_o[(r*Rows + x)*Width +: Width] =\n"
     "          rows[(last_port[x*PortW +: PortW]*Rows + x)*Width +: Width];\n    end"),
    ("multiport_memory.sv", ".wr_data_i(wr_data_i[w*Width +: Width])",
     ".wr_data_i(wr_data_i[w*Width +: Width]), .rows_o(rows[w*Rows*Width +: Rows*Width])"),
]
SHOW_THE_INSIDE = SHOW_THE_ROWS + [
    ("row_memory.sv", "  input  logic [Writes*Width-1:0] wr_data_i",
     "  input  logic [Writes*Width-1:0] wr_data_i,\n  output logic [Reads*Rows*Width-1:0] rows_o"),
    ("row_memory.sv", ".wr_data_i(wr_data)", ".wr_data_i(wr_data), .rows_o(rows_o)"),
    ("row_hazards.sv", "  output logic [Steps*RowW-1:0]  row2_o ",
     "  output logic [Steps*RowW-1:0]  row1_o,\n  output logic [Steps*RowW-1:0]  row2_o "),
    ("row_hazards.sv", "  assign row2_o     = row2_q;",
     "  assign row2_o     = row2_q;\n  assign row1_o     = row1_q;"),
]
ROW_MEMORY_GIVEN = SHOW_THE_ROWS + [
    ("row_memory.sv", "  assign init_done_o = init_done_q;",
     "  assign init_done_o = init_done_q;\n  logic [Reads*Rows*Width-1:0] rows;"),
    ("row_memory.sv", ".wr_data_i(wr_data)", ".wr_data_i(wr_data), .rows_o(rows)"),
]
INGRESS_GIVEN = SKIP_THE_WALK + SHOW_THE_INSIDE + [
    ("ingress_accounting.sv", "  assign pg = {arr_pg_i, rel_pg_i};",
     "  assign pg = {arr_pg_i, rel_pg_i};\n  logic [Steps*RowW-1:0] hazards_row1;\n"
     "  logic [(Steps+1)*Ports*8*Width-1:0] memory_rows;"),
    ("ingress_accounting.sv", ".row2_o(pg2)", ".row1_o(hazards_row1), .row2_o(pg2)"),
    ("ingress_accounting.sv", ".init_done_o,\n    .rd_row_i",
     ".init_done_o, .rows_o(memory_rows),\n    .rd_row_i"),
]
EGRESS_GIVEN = SKIP_THE_WALK + SHOW_THE_INSIDE + [
    ("egress_accounting.sv", "  assign queue = {arr_queue_i, rel_queue_i};",
     "  assign queue = {arr_queue_i, rel_queue_i};\n  logic [Steps*RowW-1:0] hazards_row1;\n"
     "  logic [(Steps+1)*Ports*8*Width-1:0] memory_rows;"),
    ("egress_accounting.sv", ".row2_o(queue2)", ".row1_o(hazards_row1), .row2_o(queue2)"),
    ("egress_accounting.sv", ".init_done_o,\n    .rd_row_i",
     ".init_done_o, .rows_o(memory_rows),\n    .rd_row_i"),
]

# The rows of a memory as a wire, which the wrapper finds by its name.
DOMAIN_GIVEN = SKIP_THE_WALK + [
    ("ram_1w1r.sv", "  assign rd_data_o = data_q;", "  assign rd_data_o = data_q;\n"
     "  logic [Rows*Width-1:0] rows;\n  for (genvar r = 0; r < Rows; r++) begin : gen_rows\n"
     "    assign rows[r*Width +: Width] = rows_q[r];\n  end"),
]

LATE_XOFF = ("pfc_state.sv", "assign due[1] = pressed_i[x];", "assign due[1] = 1'b0;")

STEP_BROKEN = [
    ("cells_are_conserved", "row_release.sv",
     "keep_headroom[DiffW-1] ? keep_shared[CellW-1:0] : all_shared", "all_shared"),
    ("no_private_below_zero", "row_release.sv", "= keep_all[DiffW-1];", "= 1'b0;"),
    ("no_shared_below_zero", "row_release.sv", "keep_shared[DiffW-1]   ? '0 :", "1'b0 ? '0 :"),
    ("no_headroom_below_zero", "row_release.sv", "keep_headroom[DiffW-1] ? '0 : keep_headroom",
     "keep_headroom"),
    ("an_empty_pg_is_not_xoff", "pfc_state.sv", "kept[c] && holds", "kept[c] && valid_i[x]"),
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
    ("overdrawn_is_reported_and_changes_nothing", "row_release.sv", "= error_o ? {all_headroom",
     "= 1'b0 ? {all_headroom"),
    ("nothing_borrowed_by_the_free_cells", "pool_release.sv", "= shared + free - add_shared",
     "= free - shared - add_shared"),
    ("xoff_only_by_its_rule", "pfc_state.sv", "= due & {2{holds && x >= Lanes}};",
     "= {2{holds && x >= Lanes}};"),
    ("xoff_whenever_its_rule_holds", *LATE_XOFF),
    ("xon_only_by_its_rule", "pfc_state.sv", "due[c % 2] || in_headroom_i[x] ||", "due[c % 2] ||"),
    ("xon_as_soon_as_its_rule_holds", "pfc_state.sv", "kept[c] && holds", "kept[c] || holds"),
    ("xoff_not_later_than_the_first_drop", *LATE_XOFF),
    ("only_with_an_exhausted_pool", "admission.sv", "over_limit   ? weir_pkg::ReasonHeadroomLimit",
     "over_pool    ? weir_pkg::ReasonHeadroomLimit"),
]
OF_THE_STEP = {label for label, *_ in STEP_BROKEN}


def steps(text):
    """Cycles of mmu_step: "+2:3" is an arrival of 3 cells at PG 2, "-0:1" a release at PG 0."""
    return [{"valid_i": 1, "release_i": int(word[0] == "-"), "pg_i": int(word[1]),
             "cells_i": int(word[3])} for word in text.split()]


def constants(phi, alpha, pool_b, pool_h, eta, rule):
    """Constants of mmu_step; phi and alpha (0: 1/2, 1: 1, 2: 8) of PG 0 to 3."""
    def packed(values, width):
        return sum(value << width * g for g, value in enumerate(values))
    return {"phis": packed(phi, 2), "alphas": packed(alpha, 2), "rules": packed([rule] * 4, 1),
            "triggers": 0, "pool_b": pool_b, "pool_h": pool_h, "eta": eta, "xon": 1,
            "xon_offset": 1}


# PGs 0 and 3 fill the shared pool up to a drop, and empty it; headroom in two PGs up to H; every
# cell of the memory used.
STEP_SCENARIOS = [
    (constants((1, 1, 1, 1), (0, 1, 2, 2), pool_b=4, pool_h=1, eta=3, rule=1),
     steps("+0:2 -3:3 +3:1 +0:1 +3:3 -0:3 +3:3 -0:1 +0:3"),
     {"xoff_only_by_its_rule": 1, "overdrawn_is_reported_and_changes_nothing": 3, "alpha_of_one_half": 4, "cells_are_conserved": 6,
      "no_private_below_zero": 6, "no_shared_below_zero": 6, "no_headroom_below_zero": 6,
      "an_empty_pg_is_not_xoff": 6, "no_sum_below_zero": 6, "shared_sum_is_the_counters": 6,
      "shared_fits_the_pool": 6, "nothing_borrowed_by_the_free_cells": 6, "alpha_of_eight": 7,
      "xoff_not_later_than_the_first_drop": 8, "only_with_an_exhausted_pool": 9}),
    (constants((2, 1, 1, 2), (0, 1, 2, 2), pool_b=4, pool_h=4, eta=4, rule=0),
     steps("+2:3 +1:2 +1:1 +2:2 +1:2 +0:3 -0:2"),
     {"alpha_of_one": 3, "xoff_whenever_its_rule_holds": 4, "xon_only_by_its_rule": 7,
      "xon_as_soon_as_its_rule_holds": 7, "headroom_fits_its_pool": 7, "headroom_sum_is_the_counters": 7,
      "private_sum_is_the_counters": 7, "headroom_only_in_xoff": 7}),
    (constants((1, 1, 1, 1), (0, 1, 2, 2), pool_b=2, pool_h=2, eta=3, rule=0),
     steps("+0:2 +3:2 +1:1 +2:3 +0:1"), {"occupancy_fits_the_memory": 5}),
]

# phi = 0 and T = 0 at PG 3, where an empty PG must still leave XOFF.
STEP_BROKEN_CONSTANTS = constants((1, 2, 1, 0), (2, 1, 2, 0), pool_b=0, pool_h=0, eta=0, rule=0)
for free in ("pool_b", "pool_h", "eta"):
    del STEP_BROKEN_CONSTANTS[free]

STEP = {"top": "mmu_step", "base": 2, "stepwise": True, "broken_depth": 8,
        "cover_parameters": {"AnyT": 0}, "broken_constants": STEP_BROKEN_CONSTANTS}

CASES = [
    {**STEP, "name": "step, shared headroom pool", "parameters": {"AnyT": 1}, "broken": STEP_BROKEN,
     "scenarios": STEP_SCENARIOS},
    {**STEP, "name": "step, own headroom", "cover_depth": 9, "parameters": {"Dedicated": 1, "AnyT": 1},
     "elsewhere": OF_THE_STEP - {"occupancy_fits_the_memory"},
     "broken": [("xoff_strictly_before_a_drop", *LATE_XOFF),
                ("occupancy_fits_the_memory", "admission.sv", "assign over_limit  =\n",
                 "assign over_limit  = 1'b0 &&\n")]},
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
         ("works_while_a_port_waits", "arrival_arbiter.sv", "if (enable_i) begin",
          "if (enable_i && mask_q == '0) begin")]},
    {"name": "arbiter of two lanes", "top": "arrival_arbiter", "inside": True,
     "parameters": {"Ports": 3, "Lanes": 2}, "base": 4, "induction": 2, "cover_depth": 5,
     "broken_depth": 6, "elsewhere": ["a_port_that_exists", "works_while_a_port_waits"],
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
         ("timer_never_runs_past_zero", "pfc_generator.sv",
          "~may_start & (due_q | ends)", "~may_start & due_q"),
         ("refresh_after_half_the_quanta", "pfc_generator.sv",
          "~{1'b0, quanta_q[16*p +: 16], 15'b0}", "~32'h0100_0000"),
         ("refresh_is_asked_for", "pfc_generator.sv", "request_o     = requested_q | refresh |",
          "request_o     = requested_q |"),
         ("sent_within_the_bound", "pfc_generator.sv",
          "request_o     = requested_q | refresh |", "request_o     = refresh &"),
         ("a_frame_has_the_levels", "pfc_generator.sv",
          "sent_q[8*p +: 8]     <= level[8*p +: 8]", "sent_q[8*p +: 8]     <= ~level[8*p +: 8]"),
         ("no_frame_for_nothing", "pfc_generator.sv",
          "<= level[8*p +: 8] | sent_q[8*p +: 8]", "<= level[8*p +: 8]")]},
    {"name": "pfc timers", "top": "pfc_timers", "inside": True,
     "parameters": {"ResponseW": 3}, "base": 3,
     "induction": 2, "cover_depth": 8, "broken_depth": 6,
     "broken": [
         ("timer_never_runs_past_zero", "pfc_timers.sv", "ran_q[8*p + k] && past[SumW-1]", "ran_q[8*p + k] && past != '0"),
         ("waits_for_the_response", "pfc_timers.sv",
          "starts[8*p + k] ? response != '0", "starts[8*p + k] ? 1'b0"),
         ("paused_only_while_it_runs", "pfc_timers.sv", "pause_o   = runs & ~waits",
          "pause_o   = ~waits"),
         ("xon_releases_at_once", "pfc_timers.sv",
          "loads[8*p + k] ? times_i[16*(8*p + k) +: 16] != '0", "loads[8*p + k] ? 1'b1"),
         ("paused_after_the_response", "pfc_timers.sv",
          "wait_end_q[ResponseW*(8*p + k) +: ResponseW] != edges", "1'b1"),
         ("loads_its_quanta", "pfc_timers.sv",
          "{1'b0, times_i[16*(8*p + k) +: 16], 16'b0}",
          "{1'b0, times_i[16*(8*p + k) +: 8], times_i[16*(8*p + k) + 8 +: 8], 16'b0}")]},
    {"name": "ecn marker", "top": "ecn_marker", "inside": True, "ignored": ["rd_data_o"],
     "parameters": {"Profiles": 2, "CellW": 4, "LenW": 2, "ByteW": 1, "StatW": 1}, "base": 5,
     "induction": 3, "cover_depth": 8, "broken_depth": 8,
     "broken": [
         ("q_is_the_sum", "ecn_marker.sv", "if (j < x && enters[j] &&", "if (1'b0 && enters[j] &&"),
         ("never_below_min", "wred_question.sv", "asks && from_min && !from_max",
          "asks && !from_max"),
         ("always_from_max_on", "wred_question.sv", "from_max = LimitW'(q_i) >= max",
          "from_max = LimitW'(q_i) > max"),
         ("nothing_that_does_not_ask", "wred_question.sv", "!(marks && ect_i)", "1'b1"),
         ("overdrawn_is_reported", "ecn_marker.sv", "found < CellW'(dep_cells_i)",
          "found <= CellW'(dep_cells_i)"),
         ("draws_only_between", "wred_question.sv", "asks && from_min && !from_max",
          "asks && from_min"),
         ("draws_never_stop", "wred_draws.sv", "step[0] ? polynomial", "step[1] ? polynomial")]},
    {"name": "row memory", "top": "row_memory", "inside": True,
     "parameters": {"Rows": 4, "Width": 4, "Reads": 2, "Writes": 2}, "base": 4, "induction": 2,
     "cover_depth": 10, "broken_depth": 9, "given": ROW_MEMORY_GIVEN,
     "broken": [
         ("walked_rows_are_zero", "row_memory.sv", "wr_data[k*Width +: Width] = '0",
          "wr_data[k*Width +: Width] = '1"),
         ("a_read_shows_the_last_write", "multiport_memory.sv", "if (meets_q[r*Writes + w])",
          "if (1'b0 && meets_q[r*Writes + w])"),
         ("memory_holds_the_last_write", "row_memory.sv", "wr_valid_i[k] && init_done_q",
          "wr_valid_i[k] && init_done_q && k == 0")]},
    {"name": "ingress pipeline", "top": "ingress_accounting", "inside": True, "base": 4,
     "parameters": {"Ports": 1, "CellW": 8, "LenW": 2}, "stepwise": True, "given": INGRESS_GIVEN,
     "cover_depth": 8, "broken_depth": 7,
     "broken_constants": {"phis": 0x0101010101010101, "pool_b": 200}, "broken": [
         ("row_before_the_arrival", "row_forward.sv", "if (previous_i[y])",
          "if (1'b0 && previous_i[y])"),
         ("whether_it_is_empty", "multiport_memory.sv", "if (meets_q[r*Writes + w])",
          "if (1'b0 && meets_q[r*Writes + w])"),
         ("free_after_each_release", "pool_release.sv", "cells - headroom - row_headroom + free",
          "cells - row_headroom + free"),
         ("sums_after_the_releases", "pool_release.sv", "past_headroom_i ? headroom_all",
          "1'b0 ? headroom_all"),
         ("parts_of_the_packet", "segment_room.sv", "assign rest   = less_i ? rest_less",
          "assign rest   = 1'b0 ? rest_less"),
         ("row_after_the_release", "row_release.sv",
          "keep_headroom[DiffW-1] ? keep_shared[CellW-1:0] : all_shared", "all_shared"),
         ("row_after_each_step", "pg_charge.sv",
          "if (to == weir_pkg::ToShared) charged_row[CellW", "if (to == 2'd3) charged_row[CellW"),
         ("sums_after_each_arrival", "pg_charge.sv",
          "if (to == weir_pkg::ToHeadroom) begin\n      charged_pool",
          "if (to == 2'd3) begin\n      charged_pool"),
         ("sums_of_the_step_before", "pool_release.sv", "= shared + free - add_shared",
          "= free - add_shared"),
         ("memory_holds_the_rows", "ingress_accounting.sv", ".wr_row_i  (pg2)",
          ".wr_row_i  (pg)"),
         ("row_for_csr", "ingress_accounting.sv", ".rd_row_i  ({rd_pg_i, pg})",
          ".rd_row_i  ({pg[RowW-1:0], pg})"),
         ("overdrawn_is_reported", "row_release.sv", "= keep_all[DiffW-1];", "= 1'b0;")]},
    {"name": "egress pipeline", "top": "egress_accounting", "inside": True, "base": 4,
     "parameters": {"Ports": 1, "CellW": 8, "LenW": 2}, "stepwise": True, "given": EGRESS_GIVEN,
     "cover_depth": 8, "broken_depth": 7,
     "broken_constants": {"minima": 0x01010101, "alphas": 0b01001000, "pool_b": 2}, "broken": [
         ("cells_are_conserved", "row_release.sv",
          "keep_headroom[DiffW-1] ? keep_shared[CellW-1:0] : all_shared", "all_shared"),
         ("no_minimum_below_zero", "row_release.sv", "= keep_all[DiffW-1];", "= 1'b0;"),
         ("no_shared_below_zero", "row_release.sv", "keep_shared[DiffW-1]   ? '0 :",
          "1'b0 ? '0 :"),
         ("shared_sum_is_the_counters", "egress_accounting.sv", "past[x] ? all : part", "part"),
         ("shared_fits_the_pool", "threshold_reach.sv", "= !left[LeftW-1];", "= 1'b1;"),
         ("refused_at_the_threshold", "threshold_reach.sv", "constant - held - plus",
          "constant - held - plus - plus"),
         ("row_after_each_step", "egress_accounting.sv",
          "row[CellW +: CellW] + CellW'(rest), row[0", "row[CellW +: CellW], row[0"),
         ("memory_holds_the_rows", "egress_accounting.sv", ".wr_row_i  (queue2)",
          ".wr_row_i  (queue)"),
         ("row_for_csr", "egress_accounting.sv", ".rd_row_i  ({rd_queue_i, queue})",
          ".rd_row_i  ({queue[RowW-1:0], queue})"),
         ("row_after_the_release", "multiport_memory.sv", "if (meets_q[r*Writes + w])",
          "if (1'b0 && meets_q[r*Writes + w])"),
         ("row_before_the_arrival", "row_forward.sv", "if (previous_i[y])",
          "if (1'b0 && previous_i[y])"),
         ("free_after_the_release", "egress_accounting.sv",
          "+ free - less;\n        assign all", "+ free;\n        assign all"),
         ("free_of_the_step_before", "egress_accounting.sv",
          "sums[p*FreeW +: FreeW] - FreeW'(rest);", "sums[p*FreeW +: FreeW];"),
         ("parts_of_the_packet", "segment_room.sv", "assign rest   = less_i ? rest_less",
          "assign rest   = 1'b0 ? rest_less"),
         ("overdrawn_is_reported", "row_release.sv", "= keep_all[DiffW-1];", "= 1'b0;")]},
    {"name": "domain", "top": "domain_steps", "base": 5, "parameters": {}, "given": DOMAIN_GIVEN,
     "stepwise": True, "cover_depth": 10, "broken_depth": 10, "broken": [
         ("verdicts_are_those_of_the_rules", "row_forward.sv", "if (previous_i[y])",
          "if (1'b0 && previous_i[y])"),
         ("thresholds_are_those_of_the_rules", "pool_release.sv", "= shared + free - add_shared",
          "= free - add_shared"),
         ("releases_are_those_of_the_rules", "multiport_memory.sv", "if (meets_q[r*Writes + w])",
          "if (1'b0 && meets_q[r*Writes + w])"),
         ("levels_are_those_of_the_rules", *LATE_XOFF)]},
]

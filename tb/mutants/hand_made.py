# SPDX-License-Identifier: Apache-2.0
"""Plausible faults, by block: (a piece of the source, the wrong text in its place).

The piece must occur exactly once in the expressions of the file: right sides of assignments and
conditions.
"""

HAND_MADE = {
    "admission": [
        ("LimitW'(rest_i) <= free_i", "LimitW'(rest_i) < free_i"),  # the last cell of the pool
        ("below_i && fits_shared", "below_i"),                      # the pool may overflow
        ("!dedicated_i", "dedicated_i"),
        ("(LimitW+1)'(headroom_limit_i) < (LimitW+1)'(headroom_i)",
         "(LimitW+1)'(headroom_limit_i) <= (LimitW+1)'(headroom_i)"),
    ],
    "arrival_verdicts": [
        ("judged_i | wred", "judged_i"),                            # no verdict of a drop
        ("{ThresholdW{!wred[k]}}", "{ThresholdW{1'b1}}"),
    ],
    "arrival_arbiter": [
        ("waiting_i[p*CountW +: CountW] > CountW'(j)", "waiting_i[p*CountW +: CountW] >= CountW'(j)"),
        ("wanted & ~lower", "wanted"),                              # all, not the first
    ],
    "counter_memory": [
        ("valid_q & ~clear_i", "valid_q"),
        ("live_q[rd_row_i] || (valid_q && row_q == rd_row_i)", "live_q[rd_row_i]"),
        ("rd_live_q ? shown : '0", "shown"),                        # a clear is not seen
    ],
    "csr_answer": [
        ("address_i + 24'd4", "address_i"),                         # another high word
    ],
    "csr_decode": [
        ("wdata_i > MaxCells", "wdata_i >= MaxCells"),
        ("access_o == csr_map_pkg::Cfg && started_i", "1'b0"),      # CFG written while running
    ],
    "csr_pfc_frames": [
        ("!noted_q || walk_q != PortW'(p)", "1'b1"),                # a note is added twice
    ],
    "csr_profiles": [
        ("loads[b]", "1'b1"),  # a write replaces the other fields
    ],
    "csr_reads": [
        ("every_domain && !greatest", "1'b0"),                      # sums of domains do not wrap
    ],
    "domain_lane": [
        ("(LimitW'(cells_i) < room) ? cells_i : room[LenW-1:0]", "cells_i"),
        ("lossless_i && empty_i[Lane]", "empty_i[Lane]"),
    ],
    "domain_requests": [
        ("started_q || starts", "starts"),                          # settings stay levels
        ("asked.arr_valid & kept_lanes", "asked.arr_valid"),       # what WRED refused is judged
    ],
    "csr_wred": [
        ("loads[b]", "1'b1"),  # a write replaces the other fields
        ("wdata_i[MapW-1:0] + MapW'(1)", "wdata_i[MapW-1:0]"),      # the profile before
        ("{polynomial_o[p*16 +: 16], 16'd0}", "seeds[p*32 +: 32]"),
    ],
    "dynamic_threshold": [
        ("ProductW'(free_i) * ProductW'(slope_n_i)", "ProductW'(free_i[15:0]) * ProductW'(slope_n_i)"),
        ("ProductW'(free_i) * ProductW'(slope_n_i)", "ProductW'(free_i) * ProductW'(slope_n_i[14:0])"),
        ("ProductW'(free_i) * ProductW'(slope_n_i)", "ProductW'(free_i) + ProductW'(slope_n_i)"),
    ],
    "ecn_marker": [
        ("found < CellW'(dep_cells_i)", "found <= CellW'(dep_cells_i)"),  # the last cell stays
        ("dep_ect_i && dep_sent_i", "dep_ect_i"),                   # a discarded packet draws
        ("enters[j] && arr_queue_i[j*3 +: 3] == queue[x*3 +: 3]", "enters[j]"),
    ],
    "ecn_marking": [
        ("arr_valid_i & arr_asks_i", "arr_asks_i"),                 # an idle lane asks
        ("valid[n] && 32'(row[n*RowW +: RowW]) >> 3 == 32'(p)", "valid[n]"),  # at every port
        ("{(Entries + 1){clear_q[2]}}, {Slots{clear_q[3]}}", "{(Packets + 1){clear_q[2]}}"),
        ("state_q ? 64'(state) : count", "count"),
    ],
    "egress_accounting": [
        ("(rest == '0) ? cells : LenW'(room)", "cells"),            # more than fits the minimum
    ],
    "ingress_accounting": [
        ("(rest == '0) ? arr_cells_i[k*LenW +: LenW] : room[LenW-1:0]",
         "arr_cells_i[k*LenW +: LenW]"),                            # more than phi
    ],
    "mark_memory": [
        ("j < k && valid_q[j]", "1'b0"),                            # lanes ignore each other
        ("row_q[j*RowW +: RowW] == rd_row_i", "1'b0"),
        ("rd_live_q ? shown : '0", "shown"),                        # a clear is not seen
    ],
    "multiport_memory": [
        ("meets_q[r*Writes + w]", "1'b0"),                          # a write of the cycle is missed
        ("from[r*PortW +: PortW] == PortW'(w)", "1'b0"),            # always the first copy
    ],
    "pfc_frame": [
        ("{quanta_i[16*p +: 8], quanta_i[16*p + 8 +: 8]}", "quanta_i[16*p +: 16]"),  # octets swapped
        ("FcsOfConstants ^ source_fcs_i[32*p +: 32]", "FcsOfConstants"),
    ],
    "pfc_generator": [
        ("level[8*p +: 8] | sent_q[8*p +: 8]", "level[8*p +: 8]"),  # XON is not sent
        ("pausing_q & (due_q | ends)", "'0"),                       # no refresh
    ],
    "pfc_ports": [
        ("start_i & start_ready_o & start_sends_o", "start_i & start_sends_o"),
    ],
    "pfc_quanta_fcs": [
        ("{quanta_i[7:0], quanta_i[15:8]}", "quanta_i"),
    ],
    "pfc_receiver": [
        ("s_axis_rx_tdata_i[AxisW*p + TypeBit + 16 +: 16] == pfc_frame_pkg::Opcode", "1'b1"),
        ("s_axis_rx_tdata_i[AxisW*p + TypeBit +: 16] == pfc_frame_pkg::MacControl", "1'b1"),
        ("beat == BeatW'(Beats - 1) && s_axis_rx_tkeep_i[KeepW*p + LastAt]",
         "beat == BeatW'(Beats - 1)"),
    ],
    "pfc_timers": [
        ("loads[8*p + k] && !running", "loads[8*p + k]"),           # the wait restarts
        ("ran_q[8*p + k] && past[SumW-1]", "ran_q[8*p + k] && past != '0"),  # past zero
        ("runs & ~waits", "runs"),                                  # no response time
    ],
    "pfc_state": [
        ("held <= xon", "held < xon"),
        ("{2{holds && x >= Lanes}}", "{2{valid_i[x] && x >= Lanes}}"),  # XOFF at an empty PG
        ("valid_i[y] && pg_i[y*RowW +: RowW] == pg_i[x*RowW +: RowW]", "1'b0"),
    ],
    "pool_release": [
        ("headroom + shared - cells", "shared - cells"),
        ("past_headroom_i ? headroom_all", "past_shared_i ? headroom_all"),
    ],
    "product_reach": [
        ("!left[LeftW-1]", "!left[LeftW-1] && left != '0"),         # w < T becomes w + 1 < T
    ],
    "row_forward": [
        ("previous_i[y]", "1'b0"),                                  # and from the step before
    ],
    "ram_1w1r": [
        ("wr_valid_i && wr_row_i == rd_row_i", "wr_valid_i"),       # reads that no write meets are lost
    ],
    "row_memory": [
        ("wr_valid_i[k] && init_done_q", "wr_valid_i[k]"),          # a write during the walk
        ("k == 0 && !init_done_q", "1'b0"),                         # nothing is cleared
        ("walk_q == RowW'(Rows - 1)", "walk_q == RowW'(Rows - 2)"), # the last row is not cleared
    ],
    "row_release": [
        ("keep_shared[DiffW-1] && !error_o", "keep_headroom[DiffW-1] && !error_o"),
        ("keep_headroom[DiffW-1] ? '0", "keep_shared[DiffW-1] ? '0"),
    ],
    "segment_room": [
        ("less_i ? room_less", "1'b0 ? room_less"),
        ("rest[MoreW-1] ? '0", "1'b0 ? '0"),
    ],
    "stats_counters": [
        ("reason != weir_pkg::ReasonAdmitted && lossless_empty_i[k]", "lossless_empty_i[k]"),
        ("clear_i ? '0 : pool_q", "pool_q"),
    ],
    "threshold_line": [
        ("policy == weir_pkg::PolicySharing        ? pool_i", "policy == weir_pkg::PolicySharing ? partition"),
    ],
    "threshold_reach": [
        ("- held - plus", "- held"),                                # w < T becomes w <= T
    ],
    "threshold_value": [
        ("|line[ProductW:weir_pkg::ThresholdW]", "1'b0"),           # T wraps
    ],
    "weir_domain": [
        ("rel_valid1[k] && rel_last1[k]", "rel_valid1[k]"),         # cells freed with the first copy
    ],
    "wred_draws": [
        ("load_i ? seed_i : state", "state"),
    ],
    "wred_hit": [
        ("SlopeW'(past_min_i) * slope_i + Half", "SlopeW'(past_min_i) * slope_i"),  # P rounded down
        ("ChanceW'(draw_i) < chance", "ChanceW'(draw_i) <= chance"),
    ],
    "wred_question": [
        ("LimitW'(q_i) >= max", "LimitW'(q_i) > max"),              # max is not certain
        ("drops && !lossless_i && !(marks && ect_i)", "drops && !lossless_i"),
    ],
    "xoff_stage": [
        ("rel_valid_i & ~rel_error_i", "rel_valid_i"),              # a failed release is judged
        ("arr_valid_i[k] && arr_lossless_i[k]", "arr_valid_i[k]"),  # XOFF at a lossy PG
    ],
}

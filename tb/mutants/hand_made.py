# SPDX-License-Identifier: Apache-2.0
"""Faults worth naming, by block: (an expression of the source, what a mistake makes of it).

The expression must stand exactly once in the file; the mutant's number chooses between the two.
"""

HAND_MADE = {
    "arrival_arbiter": [
        ("waiting_i[p*CountW +: CountW] > CountW'(j)", "waiting_i[p*CountW +: CountW] >= CountW'(j)"),
    ],
    "pfc_generator": [
        ("(timer > step) ? timer - step : 32'b0", "timer - step"),
        ("request_o ? classes | sent_q : '0", "request_o ? classes : '0"),
        ("start ? classes : sent_q", "start ? classes | sent_q : sent_q"),
        ("{1'b0, quanta_i, 15'b0}", "{quanta_i, 16'b0}"),
        ("(sent_q != '0) && (timer_q == '0)", "(sent_q != '0) && (timer_q == 32'b1)"),
    ],
    "pfc_receiver": [
        ("s_axis_rx_tdata_i[TypeBit +: 16] == MacControl",
         "s_axis_rx_tdata_i[TypeBit +: 8] == MacControl[7:0]"),
        ("!(beat_q == BeatW'(Beats - 1) && s_axis_rx_tkeep_i[KeepW-1])",
         "!(beat_q == BeatW'(Beats - 1) && s_axis_rx_tkeep_i[KeepW-2])"),
    ],
    "counter_memory": [
        ("valid_q & ~clear_i", "valid_q"),
    ],
}

// SPDX-License-Identifier: Apache-2.0
//
// Which steps of a pipeline meet at one row of a memory: those of its own cycle and those a cycle
// ahead. What the steps two cycles ahead have made of a row comes from the memory.
//
// Latency: answers of the steps of cycle t come in t + 1 (same2_o and row2_o in t + 2).
// Memory:  none.
// Golden:  none of its own: part of ingress_accounting and egress_accounting.
module row_hazards #(
  parameter int Steps = 2,   // of a cycle
  parameter int RowW  = 6    // bits of a row's number, 1 to 15
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,      // asynchronous, active low
  input  logic [Steps*RowW-1:0]  row_i,       // cycle t
  // x*Steps + y: step x is at the row of step y
  output logic [Steps*Steps-1:0] same_o,      // ... of its own cycle
  output logic [Steps*Steps-1:0] previous_o,  // ... of the cycle before
  output logic [Steps*Steps-1:0] same2_o,     // same_o, a cycle later
  output logic [Steps*RowW-1:0]  row2_o       // row_i, two cycles later
);

  logic [Steps*RowW-1:0]  row1_q, row2_q;
  logic [Steps*Steps-1:0] same_d, same_q, same2_q, previous_d, previous_q;

  always_comb begin
    for (int x = 0; x < Steps; x++) begin
      for (int y = 0; y < Steps; y++) begin
        same_d[x*Steps + y]     = row_i[x*RowW +: RowW] == row_i[y*RowW +: RowW];
        previous_d[x*Steps + y] = row_i[x*RowW +: RowW] == row1_q[y*RowW +: RowW];
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      row1_q     <= '0;
      row2_q     <= '0;
      same_q     <= '0;
      same2_q    <= '0;
      previous_q <= '0;
    end else begin
      row1_q     <= row_i;
      row2_q     <= row1_q;
      same_q     <= same_d;
      same2_q    <= same_q;
      previous_q <= previous_d;
    end
  end
  assign same_o     = same_q;
  assign previous_o = previous_q;
  assign same2_o    = same2_q;
  assign row2_o     = row2_q;

  initial begin
    if (Steps < 1) $fatal(1, "Steps = %0d: must be 1 or more", Steps);
    if (RowW < 1 || RowW > 15) $fatal(1, "RowW = %0d: must be 1 to 15", RowW);
  end

endmodule

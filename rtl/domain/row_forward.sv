// SPDX-License-Identifier: Apache-2.0
//
// The row that a step finds: what the memory has, or what the last cycle makes of it.
//
// Latency: none.
// Memory:  none.
// Golden:  none of its own: part of ingress_accounting and egress_accounting.
module row_forward #(
  parameter int Steps = 2,   // of a cycle, in their order
  parameter int Width = 51   // 1 .. 1024
) (
  input  logic [Width-1:0]       memory_i,
  input  logic [Steps-1:0]       previous_i,       // row_hazards of this step
  input  logic [Steps*Width-1:0] previous_rows_i,
  output logic [Width-1:0]       row_o
);

  always_comb begin
    row_o = memory_i;
    for (int y = 0; y < Steps; y++) begin
      if (previous_i[y]) row_o = previous_rows_i[y*Width +: Width];
    end
  end

  initial begin
    if (Steps < 1) $fatal(1, "Steps = %0d: must be 1 or more", Steps);
    if (Width < 1 || Width > 1024) $fatal(1, "Width = %0d: must be 1 to 1024", Width);
  end

endmodule

// SPDX-License-Identifier: Apache-2.0
//
// Memory of one row per priority group or queue, cleared by a walk after reset.
//
// Units:   rows. Writes of one row in one cycle: the highest port counts.
// Latency: a read of cycle t shows the writes before cycle t, data in cycle t + 1. init_done_o is 1
//          from cycle Rows after reset on; until then writes are ignored, reads give 0.
// Memory:  Reads read ports, Writes write ports (the walk uses the first).
// Golden:  none of its own: part of ingress_accounting and egress_accounting.
module row_memory #(
  parameter int Rows   = 64,                            // 2 and up
  parameter int Width  = 16,                            // 1 .. 1024
  parameter int Reads  = 1,
  parameter int Writes = 1,
  parameter int RowW   = (Rows > 1) ? $clog2(Rows) : 1  // derived: do not override
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,       // asynchronous, active low
  output logic                    init_done_o,
  input  logic [Reads*RowW-1:0]   rd_row_i,
  output logic [Reads*Width-1:0]  rd_data_o,
  input  logic [Writes-1:0]       wr_valid_i,
  input  logic [Writes*RowW-1:0]  wr_row_i,
  input  logic [Writes*Width-1:0] wr_data_i
);

  logic [Width-1:0] rows_q [0:Rows-1];

  logic            init_done_q;
  logic [RowW-1:0] walk_q;
  assign init_done_o = init_done_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      init_done_q <= 1'b0;
      walk_q      <= '0;
    end else if (!init_done_q) begin
      init_done_q <= walk_q == RowW'(Rows - 1);
      walk_q      <= walk_q + RowW'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    for (int k = 0; k < Writes; k++) begin
      if (k == 0 && !init_done_q) begin
        rows_q[walk_q] <= '0;
      end else if (wr_valid_i[k] && init_done_q) begin
        rows_q[wr_row_i[k*RowW +: RowW]] <= wr_data_i[k*Width +: Width];
      end
    end
  end

  for (genvar k = 0; k < Reads; k++) begin : gen_read
    logic [Width-1:0] data_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        data_q <= '0;
      end else if (!init_done_q) begin
        data_q <= '0;
      end else begin
        data_q <= rows_q[rd_row_i[k*RowW +: RowW]];
      end
    end
    assign rd_data_o[k*Width +: Width] = data_q;
  end

  initial begin
    if (Rows < 2) $fatal(1, "Rows = %0d: must be 2 or more", Rows);
    if (Width < 1 || Width > 1024) $fatal(1, "Width = %0d: must be 1 to 1024", Width);
    if (Reads < 1) $fatal(1, "Reads = %0d: must be 1 or more", Reads);
    if (Writes < 1) $fatal(1, "Writes = %0d: must be 1 or more", Writes);
  end

endmodule

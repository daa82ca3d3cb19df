// SPDX-License-Identifier: Apache-2.0
//
// A memory with many read and write ports whose rows are flip-flops: for a domain with so many
// lanes that copies in SRAM would be larger. A read keeps its row number, so that it shows the row
// after the edge, with what all ports have written.
//
// Rows that nothing has been written to hold anything: the reader masks them. Verilator needs
// --unroll-count above Writes where that is above 64.
//
// Units:   rows. Writes of one row in one cycle: the highest port counts.
// Latency: a read of cycle t shows the writes up to and including cycle t; data in cycle t + 1
//          alone.
// Memory:  Rows * Width and Reads * RowW flip-flops.
// Golden:  none of its own: part of multiport_memory.
module flip_flop_memory #(
  parameter int Rows   = 64,                            // 2 and up
  parameter int Width  = 16,                            // 1 .. 4096
  parameter int Reads  = 1,
  parameter int Writes = 1,
  parameter int RowW   = (Rows > 1) ? $clog2(Rows) : 1  // derived: do not override
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,      // asynchronous, active low
  input  logic [Reads*RowW-1:0]   rd_row_i,
  output logic [Reads*Width-1:0]  rd_data_o,
  input  logic [Writes-1:0]       wr_valid_i,
  input  logic [Writes*RowW-1:0]  wr_row_i,
  input  logic [Writes*Width-1:0] wr_data_i
);

  logic [Width-1:0]      rows_q [0:Rows-1];
  logic [Reads*RowW-1:0] rd_row_q;

  always_ff @(posedge clk_i) begin
    for (int w = 0; w < Writes; w++) begin
      if (wr_valid_i[w]) rows_q[wr_row_i[w*RowW +: RowW]] <= wr_data_i[w*Width +: Width];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rd_row_q <= '0;
    else         rd_row_q <= rd_row_i;
  end

  for (genvar r = 0; r < Reads; r++) begin : gen_read
    assign rd_data_o[r*Width +: Width] = rows_q[rd_row_q[r*RowW +: RowW]];
  end

  initial begin
    if (Rows < 2) $fatal(1, "Rows = %0d: must be 2 or more", Rows);
    if (Width < 1 || Width > 4096) $fatal(1, "Width = %0d: must be 1 to 4096", Width);
    if (Reads < 1) $fatal(1, "Reads = %0d: must be 1 or more", Reads);
    if (Writes < 1) $fatal(1, "Writes = %0d: must be 1 or more", Writes);
  end

endmodule

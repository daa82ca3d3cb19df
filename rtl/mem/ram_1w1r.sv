// SPDX-License-Identifier: Apache-2.0
//
// A memory of one write port and one read port, the only one of this RTL: replace this file to use
// an SRAM macro. FPGA tools map it to block RAM or distributed RAM.
//
// The read register has no reset, since that of a block RAM has none that is asynchronous; the
// reader masks what nothing has been written to. A read of the row that is being written is not
// made, so that no macro has to say what it would show: the register keeps what it has.
//
// Units:   rows.
// Latency: data of a read in the next cycle.
// Memory:  Rows x Width, one read and one write a cycle.
// Golden:  none of its own: part of multiport_memory.
module ram_1w1r #(
  parameter int Rows  = 64,                            // 2 and up
  parameter int Width = 16,                            // 1 .. 4096
  parameter int RowW  = (Rows > 1) ? $clog2(Rows) : 1  // derived: do not override
) (
  input  logic             clk_i,
  input  logic             rd_valid_i,
  input  logic [RowW-1:0]  rd_row_i,
  output logic [Width-1:0] rd_data_o,
  input  logic             wr_valid_i,
  input  logic [RowW-1:0]  wr_row_i,
  input  logic [Width-1:0] wr_data_i
);

  logic [Width-1:0] rows_q [0:Rows-1];
  logic [Width-1:0] data_q;
  logic             read;

  assign read = rd_valid_i && !(wr_valid_i && wr_row_i == rd_row_i);

  always_ff @(posedge clk_i) begin
    if (wr_valid_i) rows_q[wr_row_i] <= wr_data_i;
  end

  always_ff @(posedge clk_i) begin
    if (read) data_q <= rows_q[rd_row_i];
  end

  assign rd_data_o = data_q;

  initial begin
    if (Rows < 2) $fatal(1, "Rows = %0d: must be 2 or more", Rows);
    if (Width < 1 || Width > 4096) $fatal(1, "Width = %0d: must be 1 to 4096", Width);
  end

endmodule

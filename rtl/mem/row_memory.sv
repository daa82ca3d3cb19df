// SPDX-License-Identifier: Apache-2.0
//
// Memory of one row per priority group or queue, cleared by a walk after reset.
//
// Units:   rows. Writes of one row in one cycle: the highest port counts.
// Latency: a read of cycle t shows the writes up to and including cycle t, data in cycle t + 1.
//          init_done_o is 1 from cycle Rows after reset on; until then writes are ignored, reads
//          give 0.
// Memory:  one multiport_memory of Reads read ports and Writes write ports (the walk uses the
//          first).
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

  logic                    init_done_q, init_done_d;
  logic                    shows_q;  // init_done_q in the cycle of the read
  logic [RowW-1:0]         walk_q, walk_d;
  logic [Reads*Width-1:0]  data;
  logic [Reads-1:0]        every;  // read port reads in every cycle
  logic [Writes-1:0]       wr_valid;
  logic [Writes*RowW-1:0]  wr_row;
  logic [Writes*Width-1:0] wr_data;

  assign init_done_o = init_done_q;
  assign every       = '1;
  assign init_done_d = init_done_q || walk_q == RowW'(Rows - 1);
  assign walk_d      = init_done_q ? walk_q : walk_q + RowW'(1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      init_done_q <= 1'b0;
      shows_q     <= 1'b0;
      walk_q      <= '0;
    end else begin
      init_done_q <= init_done_d;
      shows_q     <= init_done_q;
      walk_q      <= walk_d;
    end
  end

  always_comb begin
    wr_valid = '0;
    wr_row   = wr_row_i;
    wr_data  = wr_data_i;
    for (int k = 0; k < Writes; k++) begin
      if (k == 0 && !init_done_q) begin
        wr_valid[k]               = 1'b1;
        wr_row[k*RowW +: RowW]    = walk_q;
        wr_data[k*Width +: Width] = '0;
      end else begin
        wr_valid[k] = wr_valid_i[k] && init_done_q;
      end
    end
  end

  multiport_memory #(.Rows(Rows), .Width(Width), .Reads(Reads), .Writes(Writes)) u_memory (
    .clk_i, .rst_ni, .rd_valid_i(every), .rd_row_i, .rd_data_o(data),
    .wr_valid_i(wr_valid), .wr_row_i(wr_row), .wr_data_i(wr_data)
  );
  assign rd_data_o = shows_q ? data : '0;

  initial begin
    if (Rows < 2) $fatal(1, "Rows = %0d: must be 2 or more", Rows);
    if (Width < 1 || Width > 1024) $fatal(1, "Width = %0d: must be 1 to 1024", Width);
    if (Reads < 1) $fatal(1, "Reads = %0d: must be 1 or more", Reads);
    if (Writes < 1) $fatal(1, "Writes = %0d: must be 1 or more", Writes);
  end

endmodule

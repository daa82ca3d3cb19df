// SPDX-License-Identifier: Apache-2.0
//
// A memory with several read and write ports. With up to eight write ports it is made of memories
// with one of each (ram_1w1r): a copy for each pair of a write port and a read port, and for each
// row the number of the port that wrote it last, whose copies have it (live-value table). With more
// it is a flip_flop_memory: there would be 90 copies and more.
//
// Rows that nothing has been written to hold anything: the reader masks them.
//
// Units:   rows. Writes of one row in one cycle: the highest port counts.
// Latency: a read of cycle t shows the writes up to and including cycle t; data in cycle t + 1
//          alone.
// Memory:  Reads * Writes memories of Rows x Width, one read and one write each. Flip-flops:
//          Rows * clog2(Writes), and Writes * Width for what was written last. With more than
//          MaxCopied write ports, Rows * Width flip-flops alone.
// Golden:  none of its own: part of row_memory, counter_memory and mark_memory.
module multiport_memory #(
  parameter int Rows   = 64,                            // 2 and up
  parameter int Width  = 16,                            // 1 .. 4096
  parameter int Reads  = 1,
  parameter int Writes = 1,
  parameter int RowW   = (Rows > 1) ? $clog2(Rows) : 1  // derived: do not override
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,      // asynchronous, active low
  input  logic [Reads-1:0]        rd_valid_i,
  input  logic [Reads*RowW-1:0]   rd_row_i,
  output logic [Reads*Width-1:0]  rd_data_o,
  input  logic [Writes-1:0]       wr_valid_i,
  input  logic [Writes*RowW-1:0]  wr_row_i,
  input  logic [Writes*Width-1:0] wr_data_i
);

  localparam int MaxCopied = 8;
  localparam int PortW     = (Writes > 1) ? $clog2(Writes) : 1;

  if (Writes > MaxCopied) begin : gen_flip_flops
    logic unused_valid;
    assign unused_valid = ^rd_valid_i;
    flip_flop_memory #(.Rows(Rows), .Width(Width), .Reads(Reads), .Writes(Writes)) u_rows (
      .clk_i, .rst_ni, .rd_row_i, .rd_data_o, .wr_valid_i, .wr_row_i, .wr_data_i
    );
  end else begin : gen_copies
    // ---- Which write port has a row's last write.
    logic [Reads*PortW-1:0] from;
    if (Writes > 1) begin : gen_live_values
      logic [Rows*PortW-1:0]  last_port_d, last_port_q;
      logic [Reads*PortW-1:0] from_d, from_q;
      assign from = from_q;
      always_comb begin
        last_port_d = last_port_q;
        for (int w = 0; w < Writes; w++) begin
          if (wr_valid_i[w]) last_port_d[wr_row_i[w*RowW +: RowW]*PortW +: PortW] = PortW'(w);
        end
        from_d = '0;
        for (int r = 0; r < Reads; r++) begin
          from_d[r*PortW +: PortW] = last_port_q[rd_row_i[r*RowW +: RowW]*PortW +: PortW];
        end
      end
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          last_port_q <= '0;
          from_q      <= '0;
        end else begin
          last_port_q <= last_port_d;
          from_q      <= from_d;
        end
      end
    end else begin : gen_one_port
      assign from = '0;
    end

    // ---- What was written in the cycle of the read is not in the memories' answer.
    logic [Reads*Writes-1:0] meets_d, meets_q;  // r*Writes + w: read r, write w
    logic [Writes*Width-1:0] written_d, written_q;
    always_comb begin
      written_d = written_q;
      meets_d   = '0;
      for (int w = 0; w < Writes; w++) begin
        if (wr_valid_i[w]) begin
          written_d[w*Width +: Width] = wr_data_i[w*Width +: Width];
          for (int r = 0; r < Reads; r++) begin
            meets_d[r*Writes + w] = wr_row_i[w*RowW +: RowW] == rd_row_i[r*RowW +: RowW];
          end
        end
      end
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        meets_q   <= '0;
        written_q <= '0;
      end else begin
        meets_q   <= meets_d;
        written_q <= written_d;
      end
    end

    for (genvar r = 0; r < Reads; r++) begin : gen_read
      logic [Writes*Width-1:0] copies;
      logic [Width-1:0]        data;
      for (genvar w = 0; w < Writes; w++) begin : gen_copy
        ram_1w1r #(.Rows(Rows), .Width(Width)) u_ram (
          .clk_i, .rd_valid_i(rd_valid_i[r]), .rd_row_i(rd_row_i[r*RowW +: RowW]),
          .rd_data_o(copies[w*Width +: Width]), .wr_valid_i(wr_valid_i[w]),
          .wr_row_i(wr_row_i[w*RowW +: RowW]), .wr_data_i(wr_data_i[w*Width +: Width])
        );
      end
      always_comb begin
        data = copies[0 +: Width];
        for (int w = 1; w < Writes; w++) begin
          if (from[r*PortW +: PortW] == PortW'(w)) data = copies[w*Width +: Width];
        end
        for (int w = 0; w < Writes; w++) begin
          if (meets_q[r*Writes + w]) data = written_q[w*Width +: Width];
        end
      end
      assign rd_data_o[r*Width +: Width] = data;
    end
  end

  initial begin
    if (Rows < 2) $fatal(1, "Rows = %0d: must be 2 or more", Rows);
    if (Width < 1 || Width > 4096) $fatal(1, "Width = %0d: must be 1 to 4096", Width);
    if (Reads < 1) $fatal(1, "Reads = %0d: must be 1 or more", Reads);
    if (Writes < 1) $fatal(1, "Writes = %0d: must be 1 or more", Writes);
  end

endmodule

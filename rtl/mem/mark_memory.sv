// SPDX-License-Identifier: Apache-2.0
//
// Rows of high-water marks in a memory: each lane raises the marks of its row to its levels, lane 0
// first; a mark is raised by a greater level only. Mark 0 carries a tag: that of the level it
// shows.
//
// Rows become valid and are cleared as in counter_memory: all at once, in the cycle of clear_i.
//
// Units:   whatever is measured; tags mean nothing here.
// Latency: as counter_memory: in the memory two cycles later, seen at once by updates and reads.
// Memory:  Rows x (Fields*MarkW + TagW), Lanes + 1 reads and Lanes writes a cycle; a flip-flop a
//          row.
// Golden:  systemc/include/weir/core/accounting/stats_counters.hpp, of which it is a part.
// Source:  docs/design/contract.md, 2.
module mark_memory #(
  parameter int Rows   = 64,                            // 2 and up
  parameter int Fields = 3,                             // marks of a row, 1 and up
  parameter int Lanes  = 1,                             // updates a cycle
  parameter int MarkW  = 19,                            // bits of a mark, 1 .. 64
  parameter int TagW   = 32,                            // bits of the tag, 1 .. 64
  parameter int RowW   = (Rows > 1) ? $clog2(Rows) : 1  // derived: do not override
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,   // asynchronous, active low
  input  logic                          clear_i,
  input  logic [Lanes-1:0]              valid_i,  // an update
  input  logic [Lanes*RowW-1:0]         row_i,
  input  logic [Lanes*Fields*MarkW-1:0] level_i,
  input  logic [Lanes*TagW-1:0]         tag_i,
  input  logic                          rd_valid_i,
  input  logic [RowW-1:0]               rd_row_i,
  output logic [Fields*MarkW+TagW-1:0]  rd_data_o // {tag, marks} of the read one cycle before
);

  localparam int LevelW = Fields * MarkW;
  localparam int Width  = LevelW + TagW;

  logic [Width-1:0]        memory_q [0:Rows-1];
  logic [Rows-1:0]         live_q;              // row has been written since the last clear
  logic [Lanes-1:0]        valid_q;             // stage 1: marks are compared and written
  logic [Lanes*RowW-1:0]   row_q;
  logic [Lanes*LevelW-1:0] level_q;
  logic [Lanes*TagW-1:0]   tag_q;
  logic [Lanes*Width-1:0]  before_q, after, read;
  logic [Width-1:0]        shown;
  logic [RowW-1:0]         row_now;             // Icarus indexes a memory by a plain vector only

  // The lanes of stage 1, each after the lanes before it.
  always_comb begin
    after = '0;
    for (int k = 0; k < Lanes; k++) begin
      if (valid_q[k]) begin
        after[k*Width +: Width] = before_q[k*Width +: Width];
        for (int j = 0; j < Lanes; j++) begin
          if (j < k && valid_q[j] && row_q[j*RowW +: RowW] == row_q[k*RowW +: RowW]) begin
            after[k*Width +: Width] = after[j*Width +: Width];
          end
        end
        if (after[k*Width +: MarkW] < level_q[k*LevelW +: MarkW]) begin
          after[k*Width + LevelW +: TagW] = tag_q[k*TagW +: TagW];
        end
        for (int f = 0; f < Fields; f++) begin
          if (after[k*Width + f*MarkW +: MarkW] < level_q[k*LevelW + f*MarkW +: MarkW]) begin
            after[k*Width + f*MarkW +: MarkW] = level_q[k*LevelW + f*MarkW +: MarkW];
          end
        end
      end
    end
  end

  // What the rows of this cycle's updates, and of its read, hold once stage 1 is written.
  always_comb begin
    read    = '0;
    row_now = '0;
    for (int k = 0; k < Lanes; k++) begin
      row_now = row_i[k*RowW +: RowW];
      if (valid_i[k] && !clear_i) begin
        if (live_q[row_now]) read[k*Width +: Width] = memory_q[row_now];
        for (int j = 0; j < Lanes; j++) begin
          if (valid_q[j] && row_q[j*RowW +: RowW] == row_now) begin
            read[k*Width +: Width] = after[j*Width +: Width];
          end
        end
      end
    end
    shown = '0;
    if (rd_valid_i) begin
      if (live_q[rd_row_i]) shown = memory_q[rd_row_i];
      for (int j = 0; j < Lanes; j++) begin
        if (valid_q[j] && row_q[j*RowW +: RowW] == rd_row_i) shown = after[j*Width +: Width];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    for (int k = 0; k < Lanes; k++) begin  // of several to one row the last one stays
      if (valid_q[k]) memory_q[row_q[k*RowW +: RowW]] <= after[k*Width +: Width];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      live_q    <= '0;
      valid_q   <= '0;
      row_q     <= '0;
      level_q   <= '0;
      tag_q     <= '0;
      before_q  <= '0;
      rd_data_o <= '0;
    end else begin
      if (clear_i) live_q <= '0;
      for (int k = 0; k < Lanes; k++) begin
        if (valid_q[k] && !clear_i) live_q[row_q[k*RowW +: RowW]] <= 1'b1;
      end
      valid_q <= valid_i;
      if (valid_i != '0) begin
        row_q    <= row_i;
        level_q  <= level_i;
        tag_q    <= tag_i;
        before_q <= read;
      end
      if (rd_valid_i) rd_data_o <= shown;
    end
  end

  initial begin
    if (Rows < 2) $fatal(1, "Rows = %0d: must be 2 or more", Rows);
    if (Fields < 1) $fatal(1, "Fields = %0d: must be 1 or more", Fields);
    if (Lanes < 1) $fatal(1, "Lanes = %0d: must be 1 or more", Lanes);
    if (MarkW < 1 || MarkW > 64) $fatal(1, "MarkW = %0d: must be 1 to 64", MarkW);
    if (TagW < 1 || TagW > 64) $fatal(1, "TagW = %0d: must be 1 to 64", TagW);
  end

endmodule

// SPDX-License-Identifier: Apache-2.0
//
// Rows of watermarks in a memory: each lane raises the marks of its row to its levels, lane 0
// first; a mark is raised by a greater level only. Mark 0 carries a tag: that of the level it
// shows.
//
// Rows become valid and are cleared as in counter_memory: all at once, in the cycle of clear_i.
//
// Units:   those of the measured level; the module does not interpret tags.
// Latency: as counter_memory: in the memory two cycles later, seen at once by updates and reads.
// Memory:  one multiport_memory of Rows x (Fields*MarkW + TagW), Lanes + 1 reads and Lanes writes;
//          a flip-flop a row.
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
  output logic [Fields*MarkW+TagW-1:0]  rd_data_o // {tag, marks} of a read one cycle before
);

  localparam int LevelW = Fields * MarkW;
  localparam int Width  = LevelW + TagW;

  logic [Rows-1:0]         live_d, live_q;          // row has been written since the last clear
  logic [Lanes-1:0]        valid_q;                 // stage 1: marks are compared and written
  logic [Lanes*RowW-1:0]   row_d, row_q;
  logic [Lanes*LevelW-1:0] level_d, level_q;
  logic [Lanes*TagW-1:0]   tag_d, tag_q;
  logic [Lanes-1:0]        live_row_d, live_row_q;  // of the updates, of the read
  logic                    rd_live_d, rd_live_q;
  logic [Lanes*Width-1:0]  after, found;
  logic [Width-1:0]        shown;

  // Reads of the updates and for csr; the writes of stage 1 are seen by all.
  multiport_memory #(
    .Rows(Rows), .Width(Width), .Reads(Lanes + 1),
    // With none at least one, so that the check below is reached and names it.
    .Writes((Lanes > 0) ? Lanes : 1)
  ) u_memory (
    .clk_i, .rst_ni, .rd_valid_i({rd_valid_i, valid_i}), .rd_row_i({rd_row_i, row_i}),
    .rd_data_o({shown, found}), .wr_valid_i(valid_q), .wr_row_i(row_q), .wr_data_i(after)
  );

  // The lanes of stage 1, each after the lanes before it.
  always_comb begin
    after = '0;
    for (int k = 0; k < Lanes; k++) begin
      if (valid_q[k]) begin
        if (live_row_q[k]) after[k*Width +: Width] = found[k*Width +: Width];
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

  // Which rows hold something once stage 1 is written.
  always_comb begin
    live_d     = clear_i ? '0 : live_q;
    live_row_d = '0;
    rd_live_d  = live_q[rd_row_i];
    for (int j = 0; j < Lanes; j++) begin
      if (valid_q[j]) begin
        if (!clear_i) live_d[row_q[j*RowW +: RowW]] = 1'b1;
        if (row_q[j*RowW +: RowW] == rd_row_i) rd_live_d = 1'b1;
      end
    end
    for (int k = 0; k < Lanes; k++) begin
      if (!clear_i) begin
        live_row_d[k] = live_q[row_i[k*RowW +: RowW]];
        for (int j = 0; j < Lanes; j++) begin
          if (valid_q[j] && row_q[j*RowW +: RowW] == row_i[k*RowW +: RowW]) live_row_d[k] = 1'b1;
        end
      end
    end
  end
  assign row_d     = (valid_i != '0) ? row_i : row_q;
  assign level_d   = (valid_i != '0) ? level_i : level_q;
  assign tag_d     = (valid_i != '0) ? tag_i : tag_q;
  assign rd_data_o = rd_live_q ? shown : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      live_q     <= '0;
      valid_q    <= '0;
      row_q      <= '0;
      level_q    <= '0;
      tag_q      <= '0;
      live_row_q <= '0;
      rd_live_q  <= 1'b0;
    end else begin
      live_q     <= live_d;
      valid_q    <= valid_i;
      row_q      <= row_d;
      level_q    <= level_d;
      tag_q      <= tag_d;
      live_row_q <= live_row_d;
      rd_live_q  <= rd_live_d;
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

// SPDX-License-Identifier: Apache-2.0
// A switch of four ports around the installed weir_mmu: its packets come in and go out elsewhere.
module uses_rtl (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic [3:0]   rel_waiting_i,
  input  logic [3:0]   arr_waiting_i,
  input  logic [4:0]   pg_i,
  input  logic [7:0]   cells_i,
  input  logic [4:0]   queue_i,
  output logic         admitted_o,
  output logic [31:0]  xoff_o,
  output logic [31:0]  pause_o
);

  logic [2:0] reason;
  logic       valid;
  assign admitted_o = valid && reason == '0;

  // Outputs that it does not use are left out.
  // verilator lint_off PINMISSING
  weir_mmu #(.Ports(4)) u_mmu (
    .clk_i, .rst_ni,
    .psel_i(1'b0), .penable_i(1'b0), .pwrite_i(1'b0), .paddr_i(24'h0), .pwdata_i(32'h0),
    .rel_waiting_i, .rel_pg_i(pg_i), .rel_cells_i(cells_i), .rel_queue_i(queue_i),
    .rel_last_i(1'b1),
    .arr_waiting_i, .arr_pg_i(pg_i), .arr_cells_i(cells_i), .arr_bytes_i(14'h0),
    .arr_queue_i(queue_i), .arr_mask_i(1'b1), .arr_ect_i(1'b0), .arr_asks_i(1'b0),
    .arr_valid_o(valid), .arr_reason_o(reason),
    .dep_valid_i(4'h0), .dep_sent_i(4'h0), .dep_queue_i(12'h0), .dep_cells_i(32'h0),
    .dep_bytes_i(56'h0), .dep_ect_i(4'h0), .xoff_o,
    .pfc_start_i(4'h0), .m_axis_pfc_tready_i(4'hf),
    .s_axis_rx_tdata_i(2048'h0), .s_axis_rx_tkeep_i(256'h0), .s_axis_rx_tvalid_i(4'h0),
    .s_axis_rx_tlast_i(4'h0), .s_axis_rx_tuser_i(4'h0), .pause_o
  );
  // verilator lint_on PINMISSING

endmodule

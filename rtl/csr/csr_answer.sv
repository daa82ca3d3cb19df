// SPDX-License-Identifier: Apache-2.0
//
// What an access is answered: the value of the register, its high word kept for the next read of
// it, and PSLVERR.
//
// Units:   as docs/reference/registers.md.
// Latency: 0 from the registers to the pins.
// Golden:  a part of csr.
// Source:  docs/design/contract.md, 4; AMBA 3 APB.
module csr_answer (
  input  logic        clk_i,
  input  logic        rst_ni,       // asynchronous, active low

  // The access
  input  logic [23:0] address_i,    // bytes
  input  logic        write_i,
  input  logic [3:0]  block_i,
  input  logic [5:0]  word_i,
  input  logic        wide_i,       // the low word of a register of 64 bits
  input  logic        high_word_i,  // the high one

  // What is known: the register refuses, its value; 1 in the cycles in which they are loaded
  input  logic        load_i,
  input  logic        refused_i,
  input  logic        value_load_i,
  input  logic [63:0] value_i,
  output logic [63:0] value_o,      // what has been read so far
  output logic        kept_o,       // the high word of this address is kept

  // The answer
  input  logic        done_i,       // to be given now
  input  logic        penable_i,
  output logic        pready_o,
  output logic [31:0] prdata_o,
  output logic        pslverr_o
);

  logic        error_q;
  logic [63:0] value_q, answer;
  logic        high_valid_q;
  logic [23:0] high_for_q;          // address of the high word that is kept
  logic [31:0] high_q;

  assign value_o = value_q;
  assign kept_o  = high_valid_q && high_for_q == address_i;

  // The profile of a priority group or queue: none is all ones.
  always_comb begin
    answer = value_q;
    if (block_i == csr_map_pkg::QueueBlock ||
        (block_i == csr_map_pkg::PgBlock && word_i == csr_map_pkg::PgProfile)) begin
      answer = (value_q == '0) ? 64'h0000_0000_ffff_ffff : value_q - 64'd1;
    end
  end

  assign pready_o  = done_i && penable_i;
  assign pslverr_o = pready_o && error_q;

  always_comb begin
    prdata_o = '0;
    if (pready_o && !error_q && !write_i) begin
      prdata_o = high_word_i ? answer[63:32] : answer[31:0];
      if (kept_o) prdata_o = high_q;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      error_q      <= 1'b0;
      value_q      <= '0;
      high_valid_q <= 1'b0;
      high_for_q   <= '0;
      high_q       <= '0;
    end else begin
      if (load_i) error_q <= refused_i;
      if (value_load_i) value_q <= value_i;
      if (done_i && !error_q && !write_i) begin
        if (wide_i) begin
          high_valid_q <= 1'b1;
          high_for_q   <= address_i + 24'd4;
          high_q       <= answer[63:32];
        end else if (kept_o) begin
          high_valid_q <= 1'b0;
        end
      end
    end
  end

endmodule

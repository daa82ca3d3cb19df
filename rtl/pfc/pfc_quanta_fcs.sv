// SPDX-License-Identifier: Apache-2.0
//
// What the quanta of a PFC frame contribute to its FCS, class by class, once for all ports.
//
// Units:   quanta of 512 bit times.
// Latency: 1 cycle.
// Golden:  none of its own; part of the frames of weir_mmu, compared by tb/lockstep.
// Source:  pfc_frame_pkg.
module pfc_quanta_fcs (
  input  logic            clk_i,
  input  logic            rst_ni,   // asynchronous, active low
  input  logic [15:0]     quanta_i,
  output logic [8*32-1:0] fcs_o     // of a time of that value at class n: [32n +: 32]
);

  localparam int FieldW  = pfc_frame_pkg::FieldW;
  localparam int TimesAt = 8 * (pfc_frame_pkg::TimesAt - pfc_frame_pkg::SourceAt);
  localparam logic [32*FieldW-1:0] Column = pfc_frame_pkg::fcs_columns(pfc_frame_pkg::Polynomial);

  logic            changes;
  logic [15:0]     quanta_q, swapped;
  logic [8*32-1:0] fcs_d, fcs_q;
  assign changes = quanta_i != quanta_q;
  assign swapped = {quanta_i[7:0], quanta_i[15:8]};

  // The guard saves simulation time.
  always_comb begin
    fcs_d = fcs_q;
    if (changes) begin
      for (int n = 0; n < 8; n++) begin
        for (int j = 0; j < 32; j++) begin
          fcs_d[32*n + j] = ^(swapped & Column[j*FieldW + TimesAt + 16*n +: 16]);
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      quanta_q <= '0;
      fcs_q    <= '0;
    end else if (changes) begin
      quanta_q <= quanta_i;
      fcs_q    <= fcs_d;
    end
  end
  assign fcs_o = fcs_q;

endmodule

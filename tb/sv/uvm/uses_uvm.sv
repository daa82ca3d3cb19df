// SPDX-License-Identifier: Apache-2.0
//
// Makes the environment of weir_mmu_uvm_pkg, so that front ends look at all of it.
module uses_uvm;
  initial begin
    weir_mmu_uvm_pkg::weir_mmu_uvm_env  env;
    weir_mmu_uvm_pkg::weir_mmu_request  request;
    uvm_pkg::uvm_phase                  phase;
    uvm_pkg::uvm_config_db #(string)::set(null, "env", "chip", "chip.toml");
    env     = weir_mmu_uvm_pkg::weir_mmu_uvm_env::type_id::create("env", null);
    request = weir_mmu_uvm_pkg::weir_mmu_request::type_id::create("request");
    request.kind = weir_mmu_uvm_pkg::CycleBegins;
    phase   = new("build");
    env.build_phase(phase);
    env.connect_phase(phase);
    env.requests.write(request);
  end
endmodule

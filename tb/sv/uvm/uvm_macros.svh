// SPDX-License-Identifier: Apache-2.0
//
// The macros of UVM that the sources of this project use, for tb/sv/uvm/uvm_pkg.sv.
`ifndef WEIR_UVM_MACROS
`define WEIR_UVM_MACROS

`define uvm_object_utils(T) \
  typedef uvm_object_registry #(T, `"T`") type_id;

`define uvm_component_utils(T) \
  typedef uvm_component_registry #(T, `"T`") type_id;

`define uvm_info(ID, MESSAGE, VERBOSITY) \
  begin if (32'(VERBOSITY) >= 0) $display("%s: %s", ID, MESSAGE); end
`define uvm_error(ID, MESSAGE) \
  begin $error("%s: %s", ID, MESSAGE); end
`define uvm_fatal(ID, MESSAGE) \
  begin $fatal(1, "%s: %s", ID, MESSAGE); end

`define uvm_analysis_imp_decl(SFX) \
  class uvm_analysis_imp``SFX #(type T = int, type IMP = int) \
      extends uvm_port_base #(uvm_tlm_if_base #(T, T)); \
    IMP m_imp; \
    function new(string name, IMP imp); \
      super.new(name, imp); \
      m_imp = imp; \
    endfunction \
    virtual function void write(T t); \
      m_imp.write``SFX(t); \
    endfunction \
  endclass

`endif

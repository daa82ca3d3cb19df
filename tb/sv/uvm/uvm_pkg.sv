// SPDX-License-Identifier: Apache-2.0
//
// What UVM (IEEE 1800.2) declares of the classes that sources of this project use, so that front ends
// check those without the library. Nothing of it runs a test.
package uvm_pkg;

  typedef enum {UVM_NONE = 0, UVM_LOW = 100, UVM_MEDIUM = 200, UVM_HIGH = 300} uvm_verbosity;
  typedef enum {UVM_NO_ENDIAN, UVM_LITTLE_ENDIAN, UVM_BIG_ENDIAN} uvm_endianness_e;
  typedef logic [63:0] uvm_reg_data_t;
  typedef logic [63:0] uvm_reg_addr_t;
  localparam int UVM_NO_COVERAGE = 0;

  virtual class uvm_object;
    string m_name;
    function new(string name = "");
      m_name = name;
    endfunction
    virtual function string convert2string();
      return m_name;
    endfunction
  endclass

  class uvm_phase extends uvm_object;
    function new(string name = "");
      super.new(name);
    endfunction
  endclass

  virtual class uvm_component extends uvm_object;
    uvm_component m_parent;
    function new(string name, uvm_component parent);
      super.new(name);
      m_parent = parent;
    endfunction
    virtual function void build_phase(uvm_phase phase); endfunction
    virtual function void connect_phase(uvm_phase phase); endfunction
    virtual function void check_phase(uvm_phase phase); endfunction
    virtual function void report_phase(uvm_phase phase); endfunction
  endclass

  class uvm_object_registry #(type T = uvm_object, string Tname = "");
    static function T create(string name = "", uvm_component parent = null, string contxt = "");
      T made;
      made = new(name);
      return made;
    endfunction
  endclass

  class uvm_component_registry #(type T = uvm_component, string Tname = "");
    static function T create(string name, uvm_component parent, string contxt = "");
      T made;
      made = new(name, parent);
      return made;
    endfunction
  endclass

  virtual class uvm_sequence_item extends uvm_object;
    function new(string name = "uvm_sequence_item");
      super.new(name);
    endfunction
  endclass

  virtual class uvm_scoreboard extends uvm_component;
    function new(string name, uvm_component parent);
      super.new(name, parent);
    endfunction
  endclass

  virtual class uvm_env extends uvm_component;
    function new(string name, uvm_component parent);
      super.new(name, parent);
    endfunction
  endclass

  class uvm_config_db #(type T = int);
    static function bit get(uvm_component cntxt, string inst_name, string field_name,
                            inout T value);
      return 1'b0;
    endfunction
    static function void set(uvm_component cntxt, string inst_name, string field_name, T value);
    endfunction
  endclass

  virtual class uvm_tlm_if_base #(type T1 = int, type T2 = int);
    virtual function void write(T1 t); endfunction
  endclass

  virtual class uvm_port_base #(type IF = uvm_tlm_if_base) extends IF;
    typedef uvm_port_base #(IF) this_type;
    this_type m_to[$];
    function new(string name, uvm_component parent); endfunction
    virtual function void connect(this_type provider);
      m_to.push_back(provider);
    endfunction
  endclass

  class uvm_analysis_port #(type T = int) extends uvm_port_base #(uvm_tlm_if_base #(T, T));
    function new(string name, uvm_component parent);
      super.new(name, parent);
    endfunction
    virtual function void write(T t);
      foreach (m_to[n]) m_to[n].write(t);
    endfunction
  endclass

  class uvm_analysis_export #(type T = int) extends uvm_port_base #(uvm_tlm_if_base #(T, T));
    function new(string name, uvm_component parent);
      super.new(name, parent);
    endfunction
    virtual function void write(T t);
      foreach (m_to[n]) m_to[n].write(t);
    endfunction
  endclass

  class uvm_analysis_imp #(type T = int, type IMP = int)
      extends uvm_port_base #(uvm_tlm_if_base #(T, T));
    IMP m_imp;
    function new(string name, IMP imp);
      super.new(name, imp);
      m_imp = imp;
    endfunction
    virtual function void write(T t);
      m_imp.write(t);
    endfunction
  endclass

  virtual class uvm_subscriber #(type T = int) extends uvm_component;
    uvm_analysis_imp #(T, uvm_subscriber #(T)) analysis_export;
    function new(string name, uvm_component parent);
      super.new(name, parent);
      analysis_export = new("analysis_export", this);
    endfunction
    pure virtual function void write(T t);
  endclass

  typedef class uvm_reg;
  typedef class uvm_reg_block;

  class uvm_reg_field extends uvm_object;
    typedef uvm_object_registry #(uvm_reg_field, "uvm_reg_field") type_id;
    function new(string name = "uvm_reg_field");
      super.new(name);
    endfunction
    function void configure(uvm_reg parent, int unsigned size, int unsigned lsb_pos, string access,
                            bit volatile, uvm_reg_data_t reset, bit has_reset, bit is_rand,
                            bit individually_accessible);
    endfunction
  endclass

  class uvm_reg extends uvm_object;
    function new(string name, int unsigned n_bits, int has_coverage);
      super.new(name);
    endfunction
    function void configure(uvm_reg_block blk_parent, uvm_object regfile_parent = null,
                            string hdl_path = "");
    endfunction
    virtual function void build(); endfunction
  endclass

  class uvm_reg_map extends uvm_object;
    function new(string name = "uvm_reg_map");
      super.new(name);
    endfunction
    virtual function void add_reg(uvm_reg rg, uvm_reg_addr_t offset, string rights = "RW",
                                  bit unmapped = 0, uvm_object frontdoor = null);
    endfunction
    virtual function void add_submap(uvm_reg_map child_map, uvm_reg_addr_t offset);
    endfunction
  endclass

  class uvm_reg_block extends uvm_object;
    uvm_reg_map default_map;
    function new(string name = "", int has_coverage = UVM_NO_COVERAGE);
      super.new(name);
    endfunction
    function void configure(uvm_reg_block parent = null, string hdl_path = "");
    endfunction
    virtual function uvm_reg_map create_map(string name, uvm_reg_addr_t base_addr,
                                            int unsigned n_bytes, uvm_endianness_e endian,
                                            bit byte_addressing = 1);
      uvm_reg_map map;
      map = new(name);
      return map;
    endfunction
    virtual function void build(); endfunction
  endclass

endpackage

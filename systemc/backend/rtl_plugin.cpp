// SPDX-License-Identifier: Apache-2.0
// The Verilated weir_mmu, or a user's module with the same ports, as the interface of
// rtl_plugin.hpp.
#include "weir/model/rtl/rtl_plugin.hpp"

#include <verilated.h>
#include <verilated_vcd_c.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "Vweir_mmu.h"
#include "rtl_shape.hpp"

// Passes a waveform to the caller that requested it, in place of a file.
class WaveText final : public VerilatedVcdFile {
 public:
  WaveText(weir_rtl_write* write, void* user) : write_{write}, user_{user} {}
  bool open(const std::string&) override { return true; }
  void close() override {}
  ssize_t write(const char* text, ssize_t length) override {
    write_(user_, text, static_cast<uint64_t>(length));
    return length;
  }

 private:
  weir_rtl_write* const write_;
  void* const user_;
};

struct weir_rtl {
  explicit weir_rtl(const char* name) : context{new VerilatedContext} {
    context->traceEverOn(true);
    model.reset(new Vweir_mmu{context.get(), name});
  }
  ~weir_rtl() { model->final(); }

  std::unique_ptr<VerilatedContext> context;
  std::unique_ptr<Vweir_mmu> model;
  std::unique_ptr<WaveText> wave_text;
  std::unique_ptr<VerilatedVcdC> wave;
  std::vector<weir_rtl_pin> pins;
};

namespace {

template <class Port>
weir_rtl_pin pin(const char* name, Port& port) {
  return {name, reinterpret_cast<uint8_t*>(&port), sizeof(Port)};
}

void add_shared_pins(weir_rtl& rtl) {
  Vweir_mmu& m = *rtl.model;
  rtl.pins = {
      pin("clk_i", m.clk_i),       pin("rst_ni", m.rst_ni),       pin("init_done_o", m.init_done_o),
      pin("psel_i", m.psel_i),     pin("penable_i", m.penable_i), pin("pwrite_i", m.pwrite_i),
      pin("paddr_i", m.paddr_i),   pin("pwdata_i", m.pwdata_i),   pin("pready_o", m.pready_o),
      pin("prdata_o", m.prdata_o), pin("pslverr_o", m.pslverr_o), pin("xoff_o", m.xoff_o)};
}

void add_release_pins(weir_rtl& rtl) {
  Vweir_mmu& m = *rtl.model;
  rtl.pins.insert(
      rtl.pins.end(),
      {pin("rel_waiting_i", m.rel_waiting_i), pin("rel_grant_valid_o", m.rel_grant_valid_o),
       pin("rel_grant_port_o", m.rel_grant_port_o), pin("rel_pg_i", m.rel_pg_i),
       pin("rel_cells_i", m.rel_cells_i), pin("rel_queue_i", m.rel_queue_i),
       pin("rel_last_i", m.rel_last_i), pin("rel_valid_o", m.rel_valid_o),
       pin("rel_pg_o", m.rel_pg_o), pin("rel_xoff_o", m.rel_xoff_o),
       pin("rel_changed_o", m.rel_changed_o), pin("rel_error_o", m.rel_error_o)});
}

void add_arrival_pins(weir_rtl& rtl) {
  Vweir_mmu& m = *rtl.model;
  rtl.pins.insert(
      rtl.pins.end(),
      {pin("arr_waiting_i", m.arr_waiting_i), pin("arr_grant_valid_o", m.arr_grant_valid_o),
       pin("arr_grant_port_o", m.arr_grant_port_o), pin("arr_pg_i", m.arr_pg_i),
       pin("arr_cells_i", m.arr_cells_i), pin("arr_bytes_i", m.arr_bytes_i),
       pin("arr_queue_i", m.arr_queue_i), pin("arr_mask_i", m.arr_mask_i),
       pin("arr_valid_o", m.arr_valid_o), pin("arr_pg_o", m.arr_pg_o),
       pin("arr_reason_o", m.arr_reason_o), pin("arr_private_o", m.arr_private_o),
       pin("arr_shared_o", m.arr_shared_o), pin("arr_headroom_o", m.arr_headroom_o),
       pin("arr_threshold_o", m.arr_threshold_o), pin("arr_xoff_o", m.arr_xoff_o),
       pin("arr_changed_o", m.arr_changed_o), pin("arr_mask_o", m.arr_mask_o)});
}

void add_pfc_pins(weir_rtl& rtl) {
  Vweir_mmu& m = *rtl.model;
  rtl.pins.insert(
      rtl.pins.end(),
      {pin("pfc_request_o", m.pfc_request_o), pin("pfc_start_i", m.pfc_start_i),
       pin("pfc_ready_o", m.pfc_ready_o), pin("pfc_sends_o", m.pfc_sends_o),
       pin("m_axis_pfc_tdata_o", m.m_axis_pfc_tdata_o),
       pin("m_axis_pfc_tkeep_o", m.m_axis_pfc_tkeep_o),
       pin("m_axis_pfc_tvalid_o", m.m_axis_pfc_tvalid_o),
       pin("m_axis_pfc_tready_i", m.m_axis_pfc_tready_i),
       pin("m_axis_pfc_tlast_o", m.m_axis_pfc_tlast_o),
       pin("s_axis_rx_tdata_i", m.s_axis_rx_tdata_i), pin("s_axis_rx_tkeep_i", m.s_axis_rx_tkeep_i),
       pin("s_axis_rx_tvalid_i", m.s_axis_rx_tvalid_i),
       pin("s_axis_rx_tlast_i", m.s_axis_rx_tlast_i), pin("s_axis_rx_tuser_i", m.s_axis_rx_tuser_i),
       pin("pause_o", m.pause_o)});
}

weir_rtl* create(const char* name) {
  auto* rtl = new weir_rtl{name};
  add_shared_pins(*rtl);
  add_release_pins(*rtl);
  add_arrival_pins(*rtl);
  add_pfc_pins(*rtl);
  return rtl;
}

void destroy(weir_rtl* rtl) { delete rtl; }

const weir_rtl_pin* pins(weir_rtl* rtl, uint32_t* count) {
  *count = static_cast<uint32_t>(rtl->pins.size());
  return rtl->pins.data();
}

void eval(weir_rtl* rtl) { rtl->model->eval(); }

void wave_open(weir_rtl* rtl, weir_rtl_write* write, void* user) {
  rtl->wave_text.reset(new WaveText{write, user});
  rtl->wave.reset(new VerilatedVcdC{rtl->wave_text.get()});
  rtl->model->trace(rtl->wave.get(), 99);
  rtl->wave->open("");
  rtl->wave->flush();
}

void wave_dump(weir_rtl* rtl, uint64_t time) {
  rtl->wave->dump(time);
  rtl->wave->flush();
}

void wave_close(weir_rtl* rtl) {
  rtl->wave->close();
  rtl->wave.reset();
  rtl->wave_text.reset();
}

const weir_rtl_api api{
    weir_rtl_shape_built, create, destroy, pins, eval, wave_open, wave_dump, wave_close};

}  // namespace

extern "C" __attribute__((visibility("default"))) const weir_rtl_api* weir_rtl_api_v1() {
  return &api;
}

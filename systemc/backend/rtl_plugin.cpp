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

weir_rtl* create(const char* name) {
  auto* rtl = new weir_rtl{name};
  weir::for_each_pin(*rtl->model, [rtl](weir::MmuPin pin, auto& port) {
    rtl->pins.push_back({weir::row_of(pin).name, reinterpret_cast<uint8_t*>(&port), sizeof(port)});
  });
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

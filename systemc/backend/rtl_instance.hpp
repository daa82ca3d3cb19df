// SPDX-License-Identifier: Apache-2.0
// One instance of a Verilated module, as the libraries of rtl_plugin.hpp and rtl_block_plugin.hpp
// offer it.
#pragma once
#include <verilated.h>
#include <verilated_vcd_c.h>

#include <cstdint>
#include <memory>

/// Passes a waveform to the caller that requested it, in place of a file.
class WaveText final : public VerilatedVcdFile {
 public:
  using Write = void(void* user, const char* text, std::uint64_t length);

  WaveText(Write* write, void* user) : write_{write}, user_{user} {}
  bool open(const std::string&) override { return true; }
  void close() override {}
  ssize_t write(const char* text, ssize_t length) override {
    write_(user_, text, static_cast<std::uint64_t>(length));
    return length;
  }

 private:
  Write* const write_;
  void* const user_;
};

template <class Model>
class RtlInstance {
 public:
  explicit RtlInstance(const char* name) : context_{new VerilatedContext} {
    context_->traceEverOn(true);
    model_.reset(new Model{context_.get(), name});
  }
  ~RtlInstance() {
    use_context();
    model_->final();
    model_.reset();
    Verilated::threadContextp(nullptr);
  }

  [[nodiscard]] Model& model() { return *model_; }
  void eval() { model_->eval(); }

  void wave_open(WaveText::Write* write, void* user) {
    use_context();
    wave_text_.reset(new WaveText{write, user});
    wave_.reset(new VerilatedVcdC{wave_text_.get()});
    model_->trace(wave_.get(), 99);
    wave_->open("");
    wave_->flush();
  }
  void wave_dump(std::uint64_t time) {
    wave_->dump(time);
    wave_->flush();
  }
  void wave_close() {
    wave_->close();
    wave_.reset();
    wave_text_.reset();
  }

 private:
  // Verilator asks the thread for the context; without this it is that of the last instance made.
  void use_context() const { Verilated::threadContextp(context_.get()); }

  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<WaveText> wave_text_;
  std::unique_ptr<VerilatedVcdC> wave_;
};

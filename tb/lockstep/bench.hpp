// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <unistd.h>
#include <verilated.h>
#include <verilated_cov.h>

#include <cstdint>
#include <memory>
#include <string>

#if VM_COVERAGE
#include "lockstep/toggles.hpp"
#endif

namespace weir::test {

/// A Verilated module with clk_i and rst_ni, and its clock.
///
///   Bench<Vadmission> bench;
///   bench.reset();
///   bench->arr_valid_i = 1; bench.settle();  // combinational outputs of this cycle
///   bench.clock();                           // the edge that ends the cycle
///
/// Timing:  outputs read after settle() belong to the cycle that the next clock() ends; those of
///          registers can be read after clock() too. The clock falls with the next settle(), so
///          that a cycle costs two evaluations.
template <class Model>
class Bench {
 public:
  Bench()
      : context_{std::make_unique<VerilatedContext>()},
        model_{std::make_unique<Model>(context_.get())} {
#if VM_COVERAGE
    context_->traceEverOn(true);
    toggles_ = std::make_unique<ToggleCounter>(*model_);
#endif
  }
  ~Bench() {
    // Verilator asks the thread for the context; without this it is that of the last bench made.
    Verilated::threadContextp(context_.get());
    model_->final();
#if VM_COVERAGE
    static int benches = 0;  // benches of this model in this process
    const std::string of = std::string{model_->modelName()} + "." + std::to_string(getpid()) + "." +
                           std::to_string(benches++);
    context_->coveragep()->write(("coverage." + of + ".dat").c_str());
    toggles_->write("toggles." + of + ".txt");
    toggles_.reset();
#endif
    model_.reset();
    Verilated::threadContextp(nullptr);
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  [[nodiscard]] Model* operator->() noexcept { return model_.get(); }
  [[nodiscard]] Model& model() noexcept { return *model_; }

  void settle() {
    model_->clk_i = 0;
    model_->eval();
#if VM_COVERAGE
    if (cycles_ % ToggleCounter::every == 0) toggles_->sample(cycles_);
#endif
  }
  void clock() {
    if (model_->clk_i != 0) settle();
    model_->clk_i = 1;
    model_->eval();
#if VM_COVERAGE
    if (model_->rst_ni == 0) toggles_->sample(cycles_);  // after reset
#endif
    ++cycles_;
  }
  /// Holds reset for `cycles` edges.
  void reset(int cycles = 2) {
    model_->rst_ni = 0;
    settle();
    for (int i = 0; i < cycles; ++i) clock();
    settle();
    model_->rst_ni = 1;
    settle();
  }
  [[nodiscard]] std::uint64_t cycles() const noexcept { return cycles_; }

 private:
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Model> model_;
#if VM_COVERAGE
  std::unique_ptr<ToggleCounter> toggles_;
#endif
  std::uint64_t cycles_{0};
};

}  // namespace weir::test

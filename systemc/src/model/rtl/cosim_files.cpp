// SPDX-License-Identifier: Apache-2.0
// What Cosim writes into files: the waveform around a difference, and vectors.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <fstream>
#include <string_view>

#include "cosim_pfc.hpp"
#include "cosim_registers.hpp"
#include "pin_table.hpp"
#include "weir/core/errors.hpp"
#include "weir/model/rtl/rtl_registers.hpp"

namespace weir {
namespace {

std::ofstream open_file(const char* option, const std::string& path) {
  std::ofstream file{path};
  if (!file) throw ConfigError(option, path, "must be a file that can be written");
  return file;
}

void close_file(std::ofstream& file, const std::string& path) {
  if (!file.flush()) throw ModelError("cannot write " + path);
}

}  // namespace

void Cosim::write_wave(const std::string& path, std::uint64_t first, std::uint64_t last) {
  begin();
  comparing_ = false;
  run(first);
  std::ofstream file = open_file("--wave", path);
  const std::uint64_t origin = cycles_ - rtl_->cycle();  // resets begin the RTL's time anew
  file << rtl_->open_wave([&](std::uint64_t half_cycle, std::string_view changes) {
    const std::size_t line = changes.empty() || changes[0] != '#' ? 0 : changes.find('\n') + 1;
    file << '#' << (2 * origin + half_cycle) * chip_.clock.count() / 2 << '\n'
         << changes.substr(line);
  });
  run(last - first);
  rtl_->close_wave();
  close_file(file, path);
}

void Cosim::write_setup(const std::string& path) {
  std::ofstream file = open_file("--vector", path);
  fmt::print(file, "address_hex,value_hex\n");
  for (const auto& [address, value] : rtl_->settings(registers_->target(*mmu_, 0)))
    fmt::print(file, "{:x},{:x}\n", address, value);
  close_file(file, path);
}

// Words that are not 0, as the core has them.
void Cosim::write_held(const std::string& path) {
  std::ofstream file = open_file("--vector", path);
  fmt::print(file, "address_hex,value_hex,register\n");
  const RegisterTarget target = registers_->target(*mmu_, rtl_->cycle());
  for_each_counter(target, true,
                   [&](const RegisterBlock& block, const Register& reg, std::size_t index) {
                     if (reg.access != RegisterAccess::ro) return true;
                     const std::uint64_t value = reg.read(target, index);
                     for (unsigned word = 0; word < reg.words; ++word)
                       if (const std::uint64_t part = value >> 32 * word & 0xffff'ffffU; part != 0)
                         fmt::print(file, "{:x},{:x},{}[{}].{}\n",
                                    rtl_->address_of(block, reg, index) + 4 * word, part,
                                    block.name, index, reg.name);
                     return true;
                   });
  close_file(file, path);
}

void Cosim::write_vector(const std::string& prefix, std::uint64_t cycles) {
  begin();
  write_setup(prefix + ".setup.csv");
  const std::string path = prefix + ".cycles.csv";
  std::ofstream file = open_file("--vector", path);
  PinTable table{file, *rtl_};
  taker_ = [&] {
    rtl_->settle();
    table.take(rtl_->cycle());
  };
  run(cycles);
  drain();
  taker_ = nullptr;
  close_file(file, path);
  write_held(prefix + ".held.csv");
  check_registers();
}

}  // namespace weir

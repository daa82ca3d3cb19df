// SPDX-License-Identifier: Apache-2.0
// What Cosim writes into files: the waveform around a difference, and vectors.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <sstream>
#include <string_view>

#include "cosim_pfc.hpp"
#include "pin_table.hpp"
#include "weir/config/files/output_file.hpp"
#include "weir/model/rtl/cosim.hpp"
#include "weir/model/rtl/register_shelf.hpp"
#include "weir/model/rtl/rtl_registers.hpp"

namespace weir {
namespace {

void complete(OutputFile& file, const std::ostringstream& text) {
  file.write(text.str());
  file.commit();
}

}  // namespace

void Cosim::write_wave(const std::string& path, std::uint64_t first, std::uint64_t last) {
  begin();
  comparing_ = false;
  run(first);
  OutputFile out{"--wave", path};
  std::ostringstream file;
  const std::uint64_t origin = cycles_ - rtl_->cycle();  // a reset starts the RTL's time again at 0
  file << rtl_->open_wave([&](std::uint64_t half_cycle, std::string_view changes) {
    const std::size_t line = changes.empty() || changes[0] != '#' ? 0 : changes.find('\n') + 1;
    file << '#' << half_edge(2 * origin + half_cycle, chip_.clock).count() << '\n'
         << changes.substr(line);
  });
  run(last - first);
  rtl_->close_wave();
  complete(out, file);
}

void Cosim::write_setup(const std::string& path) {
  OutputFile out{"--vector", path, NamedBy::program};
  std::ostringstream file;
  fmt::print(file, "address_hex,value_hex\n");
  for (const auto& [address, value] : rtl_->settings(registers_->target(*mmu_, 0)))
    fmt::print(file, "{:x},{:x}\n", address, value);
  complete(out, file);
}

// Words that are not 0, as the core has them.
void Cosim::write_held(const std::string& path) {
  OutputFile out{"--vector", path, NamedBy::program};
  std::ostringstream file;
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
  complete(out, file);
}

void Cosim::write_vector(const std::string& prefix, std::uint64_t cycles) {
  begin();
  write_setup(prefix + ".setup.csv");
  const std::string path = prefix + ".cycles.csv";
  OutputFile out{"--vector", path, NamedBy::program};
  std::ostringstream file;
  PinTable table{file, *rtl_};
  taker_ = [&] {
    rtl_->settle();
    table.take(rtl_->cycle());
  };
  run(cycles);
  drain();
  taker_ = nullptr;
  complete(out, file);
  write_held(prefix + ".held.csv");
  check_registers();
}

}  // namespace weir

// SPDX-License-Identifier: Apache-2.0
#include "pin_table.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <string>

namespace weir {
namespace {

// The octets of a pin as one number; empty for 0.
std::string hex_of(const std::vector<std::uint8_t>& octets) {
  std::string text;
  for (std::size_t i = octets.size(); i-- > 0;) text += fmt::format("{:02x}", octets[i]);
  const std::size_t first = text.find_first_not_of('0');
  return first == std::string::npos ? std::string{} : text.substr(first);
}

}  // namespace

PinTable::PinTable(std::ostream& out, const RtlMmu& rtl) : out_{out} {
  fmt::print(out_, "# weir_mmu");
  for (const RtlParameter& parameter : rtl_parameters)
    fmt::print(out_, " {}={}", parameter.name, rtl.shape().*parameter.built);
  fmt::print(out_, "\ncycle");
  for (const bool inputs : {true, false})
    for (std::size_t i = 0; i < mmu_pin_count; ++i)
      if (mmu_pins[i].in_vector && mmu_pins[i].input == inputs) add(static_cast<MmuPin>(i), rtl);
  fmt::print(out_, "\n");
}

// Inputs that do not count are 0 already.
void PinTable::add(MmuPin pin, const RtlMmu& rtl) {
  const MmuPinRow& row = row_of(pin);
  Column column{rtl.pins()[pin], {}, 0, rtl.pins().bits(pin)};
  if (!row.input && row.valid) {
    column.valid = rtl.pins()[*row.valid];
    column.slots = row.parts(rtl.shape());
  }
  columns_.push_back(column);
  fmt::print(out_, ",{}_hex", row.name);
}

bool PinTable::counts(const Column& column) const {
  return column.slots == 0 || column.valid.any();
}

void PinTable::take(std::uint64_t cycle) {
  std::string row = fmt::format("{}", cycle);
  for (const Column& column : columns_) {
    row += ',';
    if (!counts(column)) continue;
    std::vector<std::uint8_t> octets(column.pin.data(), column.pin.data() + column.pin.bytes());
    for (std::size_t slot = 0; slot < column.slots; ++slot)
      for (std::size_t bit = slot * column.width; bit < (slot + 1) * column.width; ++bit)
        if (column.valid.get(slot, 1) == 0) RtlPin{octets.data(), octets.size()}.set(bit, 1, 0);
    row += hex_of(octets);
  }
  fmt::print(out_, "{}\n", row);
}

}  // namespace weir

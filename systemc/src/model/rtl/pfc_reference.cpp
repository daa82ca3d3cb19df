// SPDX-License-Identifier: Apache-2.0
#include "weir/model/rtl/pfc_reference.hpp"

#include <fmt/format.h>

namespace weir {
namespace {

// Of the values of `count` octets: the first one that differs, and both.
struct Octet {
  std::size_t at;
  std::uint64_t expected, actual;
};

Octet first_octet(const LockstepValue& value) {
  const std::size_t at = lowest_bit(value.expected ^ value.actual) / 8;
  return {at, value.expected >> 8 * at & 0xffU, value.actual >> 8 * at & 0xffU};
}

// Ones from the lowest bit on.
std::uint64_t low_ones(std::uint64_t mask) {
  return ~mask == 0 ? 64 : std::uint64_t{lowest_bit(~mask)};
}

}  // namespace

LockstepDifference PfcReference::describe(const LockstepValue& value) const {
  std::size_t port = value.part;
  std::uint64_t expected = value.expected, actual = value.actual;
  if (value.pin == MmuPin::pause_o || value.pin == MmuPin::m_axis_pfc_tdata_o) {
    const Octet octet = first_octet(value);
    port = value.pin == MmuPin::pause_o ? value.part + octet.at : value.part / beat_;
    expected = octet.expected;
    actual = octet.actual;
  } else if (value.pin == MmuPin::m_axis_pfc_tkeep_o) {
    expected = low_ones(expected);
    actual = low_ones(actual);
  } else if (value.pin != MmuPin::m_axis_pfc_tlast_o) {
    const unsigned bit = lowest_bit(expected ^ actual);
    port = value.part + bit;
    expected = expected >> bit & 1U;
    actual = actual >> bit & 1U;
  }
  return {fmt::format("port {}", port), row_of(value.pin).name, std::to_string(expected),
          std::to_string(actual)};
}

}  // namespace weir

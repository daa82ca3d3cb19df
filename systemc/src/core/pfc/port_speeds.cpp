// SPDX-License-Identifier: Apache-2.0
#include "weir/core/pfc/port_speeds.hpp"

#include <algorithm>

#include "weir/core/errors.hpp"

namespace weir {
namespace {

constexpr std::uint64_t giga = 1'000'000'000;

std::string in_gbps(BitRate rate) {
  const std::uint64_t rest = rate.count() % giga;
  std::string text = std::to_string(rate.count() / giga);
  if (rest == 0) return text;
  std::string decimals = std::to_string(giga + rest).substr(1);
  decimals.erase(decimals.find_last_not_of('0') + 1);
  return text + "." + decimals;
}

}  // namespace

const std::vector<PortSpeed>& port_speeds() {
  constexpr std::string_view annex = "802.3 31B.3.7", practice = "common practice";
  static const std::vector<PortSpeed> table{
      {BitRate{1 * giga}, Quanta{60}, practice},    // as 10G
      {BitRate{10 * giga}, Quanta{60}, annex},      //
      {BitRate{25 * giga}, Quanta{80}, annex},      //
      {BitRate{40 * giga}, Quanta{118}, annex},     //
      {BitRate{50 * giga}, Quanta{147}, annex},     //
      {BitRate{100 * giga}, Quanta{394}, annex},    //
      {BitRate{200 * giga}, Quanta{453}, annex},    //
      {BitRate{400 * giga}, Quanta{905}, annex},    //
      {BitRate{800 * giga}, Quanta{905}, practice}  // as 400G
  };
  return table;
}

const PortSpeed* find_port_speed(BitRate rate) noexcept {
  const std::vector<PortSpeed>& table = port_speeds();
  const auto row = std::find_if(table.begin(), table.end(),
                                [&](const PortSpeed& speed) { return speed.rate == rate; });
  return row == table.end() ? nullptr : &*row;
}

Quanta response_limit(BitRate rate) {
  const PortSpeed* const speed = find_port_speed(rate);
  if (speed == nullptr) throw ConfigError{"response", "none", unknown_response(rate)};
  return speed->response;
}

void check_port_rate(BitRate rate) {
  if (!is_port_rate(rate))
    throw ConfigError{"rate", std::to_string(rate.count()) + " bps", legal_port_rates()};
}

std::string legal_port_rates() {
  return "must be from " + in_gbps(min_port_rate) + " to " + in_gbps(max_port_rate) +
         " Gbps, and a byte must last whole picoseconds, as at the rates of IEEE 802.3";
}

std::string unknown_response(BitRate rate) {
  std::string known;
  for (const PortSpeed& speed : port_speeds())
    known += (known.empty() ? "" : ", ") + in_gbps(speed.rate);
  return "must be given at " + in_gbps(rate) +
         " Gbps, such as \"1 us\": the PFC response limit is known only for " + known + " Gbps";
}

}  // namespace weir

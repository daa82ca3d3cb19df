// SPDX-License-Identifier: Apache-2.0
// The ports that captures show, and the other ends of their links.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "weir/trace/forensics/pfc_forensics.hpp"

namespace weir {

/// An interface of a capture, with what its comment says.
struct TappedInterface {
  std::string file, name, peer;  ///< `name` is unique among all captures.
  std::string node;
  std::optional<BitRate> rate;
  std::optional<Picoseconds> delay, response;
  std::optional<ClockPeriod> clock;
};

class StationTable {
 public:
  explicit StationTable(const PfcAssumptions& assumptions) : assumptions_{assumptions} {}

  /// Number of the interface among all. `label` of the file (capture_labels()); `several`:
  /// captures, so that names need it.
  std::size_t add(const std::filesystem::path& file, const std::string& label,
                  const CaptureInterface& interface, std::size_t number, bool several);
  /// Who sends what is outbound, or inbound, there.
  [[nodiscard]] std::size_t station(std::size_t interface, bool outbound);
  /// The station of an address, where a capture says no direction.
  [[nodiscard]] std::size_t station_of(std::size_t interface, std::uint64_t address);
  /// The same; none: the address has sent no PFC.
  [[nodiscard]] std::optional<std::size_t> known(std::size_t interface,
                                                 std::uint64_t address) const;

  /// Whether captures show further ports of the node.
  [[nodiscard]] bool has_other_ports(std::size_t station) const;
  [[nodiscard]] const TappedInterface& interface(std::size_t i) const { return interfaces_[i]; }
  [[nodiscard]] std::vector<PfcStation>& all() noexcept { return stations_; }
  /// Its speed is needed now. Errors: ConfigError (key "--rate") where it is not given,
  /// FileError where the capture says one that is none.
  void need_rate(std::size_t station);

 private:
  enum class Side : std::uint8_t { port, other_end, address, other_end_of_address };
  using Key = std::tuple<std::size_t, Side, std::uint64_t>;

  std::size_t at(const Key& key, std::string name, std::string node, std::size_t interface);
  void pair(std::size_t a, std::size_t b);
  [[nodiscard]] BitRate rate_of(const TappedInterface& tapped) const;

  const PfcAssumptions& assumptions_;
  std::vector<TappedInterface> interfaces_;
  std::vector<PfcStation> stations_;
  std::vector<std::size_t> interface_of_;  // of each station
  std::map<Key, std::size_t> by_key_;
  std::map<std::pair<std::string, std::string>, std::size_t> by_name_;  // file, interface
  std::map<std::string, std::size_t> ports_of_node_;
};

}  // namespace weir

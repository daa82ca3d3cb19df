// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "weir/config/format/reader.hpp"
#include "weir/config/scenario/scenario.hpp"

/// The parts of a scenario file, each read by one function; load_scenario() calls them in this
/// order. `folder` contains the files that the scenario names.
namespace weir::scenario_sections {

/// Most switches of a scenario, by [topology] or by name: each has a chip of its own.
inline constexpr std::size_t max_switches = 4096;

/// The result of [topology], before the chips are known.
struct TopologyPlan {
  /// Ports whose rate the topology sets, in place of the chip file.
  struct Rates {
    std::uint32_t first{0}, count{0};
    std::optional<BitRate> rate;  ///< None: the chip's.
  };
  /// Switches of the same tier, which have the same chip.
  struct Tier {
    const Node* chip{nullptr};  ///< [topology.leaf] ...; may be missing.
    std::vector<Rates> rates;
    std::uint32_t ports{0};  ///< Ports needed.
  };
  struct Switch {
    std::string name;
    std::size_t tier{0};
  };
  struct Host {
    std::string name;
    std::size_t node{0};  ///< Index into `switches`.
    std::uint32_t port{0};
  };
  struct Link {
    std::size_t a{0}, b{0};  ///< Indices into `switches`.
    std::uint32_t a_port{0}, b_port{0};
    Picoseconds delay;
  };

  const Node* node{nullptr};  ///< None: no [topology].
  std::vector<Tier> tiers;
  std::vector<Switch> switches;
  std::vector<Host> hosts;
  std::vector<Link> links;
};

/// Detection or restore time of a watchdog: longer than 0, at most an hour. Errors: FileError.
[[nodiscard]] Picoseconds to_watchdog_time(const Node& value);
/// A time later than `begin`, the value of the key `key`. Errors: FileError.
[[nodiscard]] Picoseconds to_time_after(const Node& value, Picoseconds begin, const char* key);

/// [topology]
[[nodiscard]] TopologyPlan read_topology(TableReader& document);
/// [switches] and [switch.NAME]. Errors of chips are added to `errors`; such a switch has what
/// could be read of its chip.
void read_switches(TableReader& document, const TopologyPlan& plan,
                   const std::filesystem::path& folder, ErrorList& errors, Scenario& scenario);
/// [hosts] and [host.NAME], with the link of each. False: some were refused, and none is there.
[[nodiscard]] bool read_hosts(TableReader& document, const TopologyPlan& plan, Scenario& scenario);
/// [[link]], and the links of [topology].
void read_links(TableReader& document, const TopologyPlan& plan, Scenario& scenario);
/// [[route]] and [ecmp]
void read_routes(TableReader& document, Scenario& scenario);
/// [dcqcn.NAME]
void read_dcqcn(TableReader& document, Scenario& scenario);
/// Parameters of the table or preset of that name. Errors: FileError that lists the names.
[[nodiscard]] DcqcnSettings to_dcqcn(const Node& value, const Scenario& scenario);
/// [[traffic]]
void read_traffic(TableReader& document, const std::filesystem::path& folder, Scenario& scenario);
/// [nic.NAME]
void read_nics(TableReader& document, Scenario& scenario);
/// [[fault]]
void read_faults(TableReader& document, Scenario& scenario);
/// [[desired]]
void read_desired(TableReader& document, const TopologyPlan& plan,
                  const std::filesystem::path& folder, Scenario& scenario);
/// [monitor]
void read_monitor(TableReader& document, Scenario& scenario);
/// [pingmesh]
void read_pingmesh(TableReader& document, Scenario& scenario);
/// Hosts by name, of a scenario whose hosts are complete: lists of traffic name thousands of them.
class HostIndex {
 public:
  explicit HostIndex(const Scenario& scenario);
  /// Indices of the hosts in `value`, read by to_names(). Errors: FileError at the wrong element,
  /// or where there are more than max_names.
  [[nodiscard]] std::vector<std::size_t> hosts_in(const Node& value) const;

 private:
  [[nodiscard]] std::size_t at(const Node& value, const std::string& name) const;
  void add(const Node& value, std::vector<std::size_t>& list) const;

  const std::vector<HostSpec>& hosts_;
  std::unordered_map<std::string, std::size_t> index_;
};

/// An entry of [[fault]] with a `kind`: a fault of a host.
void read_host_fault(const TableReader& document, const Node& node, const HostIndex& hosts,
                     Scenario& scenario);
/// [watchdog.NAME]
void read_watchdogs(TableReader& document, Scenario& scenario);

/// Classes 0 to 7, at least one: bit n is class n.
[[nodiscard]] std::uint8_t to_classes(const Node& value);
/// Priorities that are lossless at the port of a host.
[[nodiscard]] std::uint8_t lossless_classes_of_host(std::size_t host, const Scenario& scenario);

/// The propagation delay of a cable from `cable` (with `delay_per_metre`) or `delay`; none: neither
/// is written. `prefix` precedes the first two: `spine_cable`.
[[nodiscard]] std::optional<Picoseconds> read_delay(TableReader& reader,
                                                    const std::string& prefix = "");
/// Index of the switch of that name. Errors: FileError at `value` that lists the existing names.
[[nodiscard]] std::size_t switch_named(const Node& value, const std::string& name,
                                       const Scenario& scenario);
/// The switches that `names` lists; all where it is nullptr. Errors: as switch_named().
[[nodiscard]] std::vector<std::size_t> switches_in(const Node* names, const Scenario& scenario);
/// The chip of switch `node`, overridden by the keys of `over`.
[[nodiscard]] Chip chip_with(TableReader& document, const TopologyPlan& plan, std::size_t node,
                             const Node& over, const std::filesystem::path& folder,
                             const Scenario& scenario);
/// Ports of switch `node`, such as "0-3,8", at least one; sorted.
[[nodiscard]] std::vector<PortId> to_ports(const Node& value, std::size_t node,
                                           const Scenario& scenario);
/// A port of a switch: "T0.port[2]".
[[nodiscard]] LinkEnd to_port(const Node& value, const Scenario& scenario);
/// Name of a port, as above, or of a host.
[[nodiscard]] std::string name_of(const LinkEnd& end, const Scenario& scenario);
/// The port of a switch that a host is connected to. Range: after read_hosts().
[[nodiscard]] const LinkEnd& port_of_host(std::size_t host, const Scenario& scenario);

/// Adds links to a scenario, each end to a port that is free.
class Cabling {
 public:
  explicit Cabling(Scenario& scenario);
  /// Errors: FileError at `place` when a port is taken or the rates differ.
  void add(const LinkSpec& link, const Node& place);

 private:
  void check_free(const LinkEnd& end, const LinkEnd& peer, const Node& place) const;
  void take(std::size_t link);

  Scenario& scenario_;
  std::unordered_map<std::uint64_t, std::size_t> links_;  // by their ends
};

/// The longest frame that every switch accepts.
[[nodiscard]] Bytes min_mtu(const Scenario& scenario);
/// `packet`: the length of frames that every switch accepts, by default `usual`, or the longest of
/// them where that is shorter.
[[nodiscard]] Bytes read_packet(TableReader& reader, Bytes usual, const Scenario& scenario);

}  // namespace weir::scenario_sections

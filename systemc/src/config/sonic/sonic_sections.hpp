// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/config/sonic/sonic_import.hpp"
#include "weir/core/ethernet.hpp"
#include "weir/core/index.hpp"

/// The parts of an import, each one function over the same draft; import_sonic() calls them in this
/// order.
namespace weir::sonic_sections {

/// Ethernet header, one VLAN tag and FCS, which SONiC's mtu excludes, in bytes.
inline constexpr std::int64_t frame_overhead = header_octets + tag_octets + fcs_octets;
/// What SONiC assumes where the files say nothing: mtu, and the classes with PFC.
inline constexpr std::int64_t sonic_mtu = 9100;
inline constexpr const char* usual_pfc_enable = "3,4";
/// Cables of the scenario that have no length in the files.
inline constexpr const char* usual_cable = "5 m";
/// The pool of the profiles that the switch itself creates.
inline constexpr const char* lossless_pool = "ingress_lossless_pool";
/// Largest size that a file may give, in bytes.
inline constexpr std::int64_t max_bytes = 1LL << 40;

/// A row of BUFFER_PROFILE, or the profile that the switch creates for a speed and a cable. Numbers
/// are integer nodes with the origin of their source.
struct BufferProfile {
  std::string name, pool;
  Node place;  ///< Origin and path of the whole.
  bool lossless{false};
  Node size;
  std::optional<Node> xon, xoff, xon_offset, dynamic_th, static_th;
};

/// Notes of an import, each once, with the rows that it is about.
class NoteList {
 public:
  /// `key` may be empty: the whole table, or something missing.
  void add(const Origin& origin, const std::string& table, const std::string& key,
           const std::string& field, const std::string& why);
  [[nodiscard]] std::vector<SonicNote> take() { return std::move(notes_); }

 private:
  std::vector<SonicNote> notes_;
  std::map<std::array<std::string, 3>, std::size_t> number_of_;  // of table, field and reason
  std::set<std::pair<std::size_t, std::string>> keys_;           // of a note
};

struct Draft {
  const SonicTables& tables;
  const SonicOptions& options;
  SonicImport& out;
  SonicAsic asic;
  NoteList assumed, unmapped;
  std::set<const Node*> used;  ///< Fields that went into the chip.
  std::vector<BufferProfile> profiles;
  /// Index into `profiles`.
  IndexedVector<PgIndex, std::optional<std::size_t>> profile_of_pg;
  IndexedVector<QueueIndex, std::optional<std::size_t>> profile_of_queue;
  std::vector<const Node*> wred_rows;  ///< Of WRED_PROFILE, those that queues name.
  /// Index into `wred_rows`.
  IndexedVector<QueueIndex, std::optional<std::size_t>> wred_of_queue;

  /// The field `name` of `row`, or nullptr; it counts as used.
  [[nodiscard]] const Node* take(const Node& row, std::string_view name);
  [[nodiscard]] const Node* take(std::string_view table, std::string_view row,
                                 std::string_view name);
  void assume(const Origin& origin, const std::string& table, const std::string& field,
              const std::string& why);
  void leave_out(const Node& value, const std::string& table, const std::string& key,
                 const std::string& field, const std::string& why);
};

/// The chip of DEVICE_METADATA, or of the options.
void choose_asic(Draft& draft);
/// PORT, CABLE_LENGTH, PFC_WD.
void read_ports(Draft& draft);
/// [map], [classify], [scheduler]: PORT_QOS_MAP and the maps that it names; QUEUE, SCHEDULER, which
/// WRED_PROFILE a queue has.
void read_qos(Draft& draft);
/// BUFFER_PG and BUFFER_QUEUE with their profiles, pg_profile_lookup.ini.
void assign_profiles(Draft& draft);
/// The profile that the switch itself creates for a port: by lookup, or by formula.
[[nodiscard]] std::size_t made_profile(Draft& draft, std::size_t port, const Node* asking);
/// Pool `name` of BUFFER_POOL. Errors: FileError at `value` when there is none of that type.
[[nodiscard]] const Node& pool_row(const Draft& draft, const std::string& name,
                                   std::string_view type, const Node& value);
/// Whether headroom is a pool: one of the size `xoff`, or, where that is 0 or missing, of a share
/// of all headroom, by over_subscribe_ratio.
[[nodiscard]] bool has_headroom_pool(Draft& draft, const Node& pool);
/// [chip], [[port]], [map], [scheduler].
void write_ports(Draft& draft);
/// [pool.*], [profile.*], [egress_pool.*], [queue.*], [wred.*].
void write_buffers(Draft& draft);
/// Everything that was read but not used.
void list_unmapped(Draft& draft);

/// Ports of a row's key, "Ethernet0,Ethernet4". Errors: FileError when one of them is not in PORT.
[[nodiscard]] std::vector<std::size_t> ports_of(const Draft& draft, const Node& row,
                                                std::string_view names);
/// Bit n for each number of "3-4", "0" or "3,4". Errors: FileError.
[[nodiscard]] std::uint8_t mask_of(const Node& row, std::string_view text);
/// The PFC classes of a field pfc_enable, bit n for class n; empty: none. Errors: FileError.
[[nodiscard]] std::uint8_t pfc_enable_of(const Node& enable);
[[nodiscard]] std::string bytes_text(std::int64_t bytes);
/// As in PORT: "40000".
[[nodiscard]] std::string speed_text(const SonicPort& port);

}  // namespace weir::sonic_sections

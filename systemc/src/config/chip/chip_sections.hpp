// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "weir/config/format/reader.hpp"
#include "weir/core/chip.hpp"

/// The parts of a chip file, each read by one function; build_chip() calls them in this order.
namespace weir::chip_sections {

/// [chip] and [[port]].
void read_chip(TableReader& document, Chip& chip);
/// [map] and [scheduler].
void read_maps(TableReader& document, Chip& chip);
/// [classify], [dscp_map.*] and [neighbours].
void read_forwarding(TableReader& document, Chip& chip);
/// [pool.*], [egress_pool.*], and through the next two [profile.*] and [queue.*].
void read_buffers(TableReader& document, Chip& chip);

/// [profile.*]: needs the names of the ingress pools.
void read_profiles(TableReader& document, Chip& chip);
/// [queue.*]: needs the names of all pools. Returns, for each ingress pool, the cells that queue
/// minimums take out of it.
[[nodiscard]] IndexedVector<PoolNumber, std::uint64_t> read_queues(TableReader& document,
                                                                   Chip& chip);

/// [wred.*] and [draw].
void read_wred(TableReader& document, Chip& chip);

struct Headroom {
  Cells cells;
  std::optional<HeadroomRequest> request;
};
/// The headroom of the profile that is being read: a size, or { cable, method } of which the sizer
/// makes one. Needs the ports, and which of them have the profile. Errors: FileError, at a key of
/// `chip_table`, [chip], where that is what is wrong.
[[nodiscard]] Headroom to_headroom(const Node& value, const Chip& chip, const Node& chip_table);
/// The pool that `value` names. Errors: FileError that lists the names.
template <class I>
[[nodiscard]] I to_pool(const Node& value, const IndexedVector<I, Pool>& pools);
/// The tables of a group such as [pool.NAME]. Errors: FileError when `group` is not a table.
[[nodiscard]] const std::vector<Node>& tables_in(const Node& group);

}  // namespace weir::chip_sections

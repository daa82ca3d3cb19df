// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "weir/config/sweep/sweep.hpp"

namespace weir {

/// Calls row(kind, getter) for each kind of [figure.NAME], in the order of the messages. The one
/// table of them.
///
/// A getter takes the sums over the hosts and priorities of a figure (HostSums of
/// trace/sweep/sweep_run.cpp, which this room does not know), and returns a number, or a quantity
/// in the unit of the kind. A caller that needs only the kinds ignores it.
template <class Row>
void for_each_figure_kind(Row&& row) {
  using Unit = MetricUnit;
  using Group = FigureKind::Group;
  row(FigureKind{"delivered_packets", Unit::count, Group::delivered},
      [](const auto& h) { return h.packets; });
  row(FigureKind{"delivered_bytes", Unit::bytes, Group::delivered},
      [](const auto& h) { return h.bytes; });
  row(FigureKind{"throughput", Unit::bits_per_second, Group::delivered},
      [](const auto& h) { return h.bits_per_second(); });
  row(FigureKind{"average_latency", Unit::picoseconds, Group::latency},
      [](const auto& h) { return h.latency.average(); });
  row(FigureKind{"latency_p50", Unit::picoseconds, Group::latency},
      [](const auto& h) { return h.latency.percentile(500); });
  row(FigureKind{"latency_p99", Unit::picoseconds, Group::latency},
      [](const auto& h) { return h.latency.percentile(990); });
  row(FigureKind{"latency_p999", Unit::picoseconds, Group::latency},
      [](const auto& h) { return h.latency.percentile(999); });
  row(FigureKind{"longest_latency", Unit::picoseconds, Group::latency},
      [](const auto& h) { return h.latency.longest; });
  row(FigureKind{"pause_time", Unit::picoseconds, Group::pause},
      [](const auto& h) { return h.pause_time; });
}

}  // namespace weir

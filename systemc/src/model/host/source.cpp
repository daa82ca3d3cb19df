// SPDX-License-Identifier: Apache-2.0
#include "weir/model/host/source.hpp"

#include <array>

#include "host/sources/source_makers.hpp"
#include "weir/core/errors.hpp"
#include "weir/model/host/rdma_source.hpp"

namespace weir {
namespace {

std::unique_ptr<Source> make_rdma_source(const TrafficSpec& traffic, const SourcePlace& place) {
  return std::make_unique<RdmaSource>(traffic, place);
}

struct SourceRow {
  TrafficKind kind;
  std::unique_ptr<Source> (*make)(const TrafficSpec&, const SourcePlace&);
};

constexpr std::array<SourceRow, 7> source_table{{
    {TrafficKind::constant, make_constant_source},
    {TrafficKind::poisson, make_poisson_source},
    {TrafficKind::on_off, make_on_off_source},
    {TrafficKind::incast, make_incast_source},
    {TrafficKind::messages, make_message_source},
    {TrafficKind::replay, make_replay_source},
    {TrafficKind::rdma, make_rdma_source},
}};

}  // namespace

std::unique_ptr<Source> make_source(const TrafficSpec& traffic, const SourcePlace& place) {
  for (const SourceRow& row : source_table)
    if (row.kind == traffic.kind) return row.make(traffic, place);
  throw ModelError("no source for this kind of traffic");
}

}  // namespace weir

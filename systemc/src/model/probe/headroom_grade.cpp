// SPDX-License-Identifier: Apache-2.0
#include "weir/model/probe/headroom_grade.hpp"

#include <algorithm>

#include "weir/core/policies/sharing_policy.hpp"
#include "weir/model/probe/headroom_adversary.hpp"

namespace weir {
namespace {

constexpr std::size_t attacked_ports = 4, lossless_class = 3;
// What is shared: more than the largest frames of all ports, so that T is above 0.
constexpr std::uint64_t shared_frames = 100;

Chip bench_chip(const HeadroomPort& port) {
  Chip chip;
  chip.name = "headroom bench";
  chip.cell = port.cell;
  chip.cell_overhead = port.cell_overhead;
  chip.mtu = port.mtu;
  chip.clock = port.clock;
  chip.admit_latency = port.admit_latency;
  chip.pfc_latency = port.pfc_latency;
  chip.ports.resize(attacked_ports);
  for (PortSetting& setting : chip.ports) {
    setting.rate = port.rate;
    setting.response = port.peer_response();
  }
  const Cells shared{
      static_cast<Cells::rep>(chip.cells(port.mtu).count() * shared_frames * attacked_ports)};
  chip.ingress_pools = {{"pool", shared, Cells{}, true}};
  Profile lossless;
  lossless.name = "lossless";
  lossless.lossless = true;
  lossless.threshold = {Policy::dynamic, Alpha{1, 3}, Cells{}, {}};
  Profile lossy;
  lossy.name = "lossy";
  lossy.threshold = {Policy::fixed, Alpha{}, shared, {}};
  chip.profiles = {lossless, lossy};
  for (std::size_t pg = 0; pg < attacked_ports * priorities; ++pg)
    chip.profile_of_pg.push_back(pg % priorities == lossless_class ? ProfileIndex{0}
                                                                   : ProfileIndex{1});
  chip.profile_of_queue.resize(attacked_ports * priorities);
  chip.lanes = default_lanes(chip);
  return chip;
}

}  // namespace

HeadroomGrade grade_headroom(const HeadroomPort& port, Cells given) {
  const Chip chip = bench_chip(port);
  HeadroomPort sized = port;
  sized.slot_wait = headroom_port(chip, PortId{0}, port.cable).slot_wait;
  HeadroomGrade grade;
  grade.given = given;
  grade.standard = size_headroom("standard", sized).cells;
  grade.worst_case = size_headroom("worst_case", sized).cells;
  // More than any formula asks for: a need above worst_case is to be measured, not cut off.
  const Cells ample{grade.worst_case.count() * 2 + 1000};
  for (const AttackedPg& pg : attack({with_headroom(chip, ample), port.propagation()}).pgs)
    grade.need = std::max(grade.need, pg.peak);
  for (const AttackedPg& pg : attack({with_headroom(chip, given), port.propagation()}).pgs)
    grade.drops += pg.drops;
  return grade;
}

}  // namespace weir

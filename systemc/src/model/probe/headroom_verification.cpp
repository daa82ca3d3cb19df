// SPDX-License-Identifier: Apache-2.0
#include "weir/model/probe/headroom_verification.hpp"

#include <algorithm>
#include <optional>

#include "weir/core/errors.hpp"
#include "weir/core/headroom/cell_packing.hpp"

namespace weir {
namespace {

bool same_kind(const HeadroomPort& a, const HeadroomPort& b) {
  return a.rate == b.rate && a.response == b.response && a.slot_wait == b.slot_wait;
}

// The cells of frames that pass while a full port FIFO drains before the trigger.
Cells cells_of_wait(const Chip& chip, const HeadroomPort& port) {
  if (chip.lanes >= default_lanes(chip)) return Cells{};
  const std::uint64_t wait = port.clock.max_time(Cycle{port.slot_wait}).count();
  return max_cells(Bytes{wait / byte_time(port.rate).count() + 1},
                   {port.mtu, port.cell, port.cell_overhead});
}

// The least headroom of the port's lossless priority groups.
Cells configured_at(const Chip& chip, PortId port) {
  std::optional<Cells> least;
  for (std::uint8_t pg = 0; pg < priorities; ++pg) {
    const auto& index = chip.profile_of_pg[pg_index(port, Priority{pg})];
    if (!index || !chip.profiles[*index].lossless) continue;
    const Cells headroom = chip.profiles[*index].headroom;
    least = least ? std::min(*least, headroom) : headroom;
  }
  return least.value_or(Cells{});
}

HeadroomProof proof_of(const Chip& chip, PortId port, const HeadroomPort& setting) {
  HeadroomProof proof;
  proof.port = port;
  proof.setting = setting;
  proof.configured = configured_at(chip, port);
  proof.allowed = chip.cells(chip.mtu) + cells_of_wait(chip, setting);
  for (const HeadroomMethod& method : headroom_methods()) {
    const Cells cells = size_headroom(method.name, setting).cells;
    proof.methods.push_back({method.name, cells});
    if (method.name == "worst_case") proof.worst_case = cells;
  }
  return proof;
}

HeadroomPort setting_of(const Chip& chip, PortId port, Millimetres cable, Picoseconds per_metre) {
  HeadroomPort setting = headroom_port(chip, port, cable);
  setting.delay_per_metre = per_metre;
  return setting;
}

// Drops at the ports of a kind when every lossless PG has `headroom`.
std::uint64_t drops_with(const Chip& chip, Cells headroom, const HeadroomProof& kind,
                         Millimetres cable) {
  const Picoseconds per_metre = kind.setting.delay_per_metre;
  const AttackResult result = attack({with_headroom(chip, headroom), kind.setting.propagation()});
  std::uint64_t drops = 0;
  for (const AttackedPg& pg : result.pgs)
    if (same_kind(setting_of(chip, pg.port, cable, per_metre), kind.setting)) drops += pg.drops;
  return drops;
}

}  // namespace

std::vector<HeadroomProof> verify_headroom(const Chip& chip, Millimetres cable,
                                           Picoseconds delay_per_metre) {
  std::vector<HeadroomProof> proofs;
  Cells ample;
  for (std::size_t i = 0; i < chip.ports.size(); ++i) {
    const PortId port{static_cast<std::uint16_t>(i)};
    const HeadroomPort setting = setting_of(chip, port, cable, delay_per_metre);
    setting.check();
    ample = std::max(ample, size_headroom("worst_case", setting).cells);
  }
  // More than any formula asks for: a need above worst_case is to be measured, not cut off.
  ample = Cells{ample.count() * 2 + 1000};
  const Picoseconds propagation = setting_of(chip, PortId{0}, cable, delay_per_metre).propagation();
  const AttackResult result = attack({with_headroom(chip, ample), propagation});
  for (const AttackedPg& pg : result.pgs) {
    const HeadroomPort setting = setting_of(chip, pg.port, cable, delay_per_metre);
    const auto known = std::find_if(proofs.begin(), proofs.end(), [&](const HeadroomProof& proof) {
      return same_kind(proof.setting, setting);
    });
    HeadroomProof& proof =
        known != proofs.end() ? *known : proofs.emplace_back(proof_of(chip, pg.port, setting));
    proof.configured = std::min(proof.configured, configured_at(chip, pg.port));
    if (proof.need < pg.peak) {
      proof.need = pg.peak;
      proof.port = pg.port;
    }
  }
  for (HeadroomProof& proof : proofs) {
    proof.drops_at_need = drops_with(chip, proof.need, proof, cable);
    proof.drops_below = drops_with(chip, saturating_subtract(proof.need, Cells{1}), proof, cable);
  }
  return proofs;
}

}  // namespace weir

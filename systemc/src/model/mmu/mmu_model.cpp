// SPDX-License-Identifier: Apache-2.0
#include "weir/model/mmu/mmu_model.hpp"

#include <optional>

#include "weir/core/errors.hpp"
#include "weir/model/mmu/admission_rules_unit.hpp"
#include "weir/model/mmu/dynamic_threshold_unit.hpp"
#include "weir/model/mmu/ecn_marker_unit.hpp"
#include "weir/model/mmu/egress_accounting_unit.hpp"
#include "weir/model/mmu/headroom_sizer_unit.hpp"
#include "weir/model/mmu/ingress_accounting_unit.hpp"
#include "weir/model/mmu/pfc_state_unit.hpp"
#include "weir/model/mmu/stats_counters_unit.hpp"
#include "weir/model/rtl/rtl_block_unit.hpp"
#include "weir/model/rtl/rtl_mmu_unit.hpp"

namespace weir {
namespace {

// The block of `maker`, or the built-in one.
template <class BuiltIn, class Interface, class Of>
std::unique_ptr<MmuBlock<Interface>> make(const BlockMaker<Interface, Of>& maker, const char* name,
                                          const Of& of) {
  if (maker) return maker(name, of);
  return std::make_unique<BuiltIn>(name, of);
}

std::unique_ptr<PfcGeneratorBlock> make_generator(const MmuBlocks& blocks,
                                                  const SwitchContext& context) {
  if (blocks.pfc_generator) return blocks.pfc_generator("pfc_generator", context);
  return std::make_unique<PfcGeneratorUnit>("pfc_generator", context);
}

std::unique_ptr<PfcReceiverBlock> make_receiver(const MmuBlocks& blocks,
                                                const SwitchContext& context) {
  if (blocks.pfc_receiver) return blocks.pfc_receiver("pfc_receiver", context);
  return std::make_unique<PfcReceiverUnit>("pfc_receiver", context);
}

Chip with_headroom(Chip chip, const HeadroomSizerIf& sizer) {
  const IndexedVector<ProfileIndex, Cells> profiles = sizer.profiles();
  for (ProfileIndex i; i < chip.profiles.end_index(); ++i)
    chip.profiles[i].headroom = profiles.at(i);
  return chip;
}

// The core class of a block, or a copy of what it would hold.
template <class Core, class Block, class Of>
Core* core_of(Block& block, std::optional<Core>& copy, const Of& of) {
  Core* const core = block.core();
  return core != nullptr ? core : &copy.emplace(of);
}

}  // namespace

struct MmuModel::Copies {
  explicit Copies(MmuModel& mmu)
      : parts{core_of(*mmu.ingress_accounting, ingress, mmu.settings_.chip()),
              core_of(*mmu.dynamic_threshold, thresholds, mmu.settings_),
              core_of(*mmu.egress_accounting, egress, mmu.settings_.chip()),
              core_of(*mmu.pfc_state, pfc, mmu.settings_.chip()),
              core_of(*mmu.stats_counters, stats, mmu.settings_.chip())},
        own_rules{mmu.admission_rules->core() == nullptr} {}

  std::optional<IngressAccounting> ingress;
  std::optional<Thresholds> thresholds;
  std::optional<EgressAccounting> egress;
  std::optional<PfcState> pfc;
  std::optional<StatsCounters> stats;
  const MmuParts parts;
  const bool own_rules;  // of which nothing is to be copied

  [[nodiscard]] bool any() const noexcept {
    return ingress || thresholds || egress || pfc || stats || own_rules;
  }
};

MmuModel::MmuModel(const sc_core::sc_module_name& name, const SwitchContext& parent,
                   const MmuBackend& backend)
    : sc_core::sc_module{name},
      headroom_sizer{
          make<HeadroomSizerUnit>(backend.blocks.headroom_sizer, "headroom_sizer", parent.chip)},
      agenda_{parent.model.agenda},
      settings_{with_headroom(parent.chip, *headroom_sizer)},
      ingress_accounting{make<IngressAccountingUnit>(backend.blocks.ingress_accounting,
                                                     "ingress_accounting", settings_)},
      egress_accounting{make<EgressAccountingUnit>(backend.blocks.egress_accounting,
                                                   "egress_accounting", settings_)},
      dynamic_threshold{make<DynamicThresholdUnit>(backend.blocks.dynamic_threshold,
                                                   "dynamic_threshold", settings_)},
      admission_rules{
          make<AdmissionRulesUnit>(backend.blocks.admission, "admission_rules", settings_)},
      pfc_state{make<PfcStateUnit>(backend.blocks.pfc_state, "pfc_state", settings_)},
      stats_counters{
          make<StatsCountersUnit>(backend.blocks.stats_counters, "stats_counters", settings_)},
      copies_{std::make_unique<Copies>(*this)},
      admission{"admission", inside(parent), settings_, copies_->parts, replicas_},
      arrival_arbiter{"arrival_arbiter", inside(parent), replicas_},
      pfc_generator{make_generator(backend.blocks, inside(parent))},
      pfc_receiver{make_receiver(backend.blocks, inside(parent))},
      csr{"csr",
          {admission.core(), *pfc_generator, *pfc_receiver, parent.counters, Cycle{0}},
          parent.model.agenda} {
  if (backend.blocks.decision) decision = backend.blocks.decision("decision", admission);
  const bool rtl_decides = backend.kind == BackendKind::rtl && copies_->any();
  if (rtl_decides || (backend.kind != BackendKind::model && decision))
    throw ConfigError{"backend", rtl_decides ? "rtl" : "rtl or lockstep",
                      "the RTL decides in the place of a replaced block: use backend model"};
  if (backend.kind != BackendKind::model)
    rtl = std::make_unique<RtlMmuUnit>(
        "rtl", admission.core(),
        RegisterTarget{admission.core(), *pfc_generator, *pfc_receiver, parent.counters, Cycle{0}},
        admission, parent.model.agenda, backend, parent.name);
  admission.ingress_accounting.bind(ingress_accounting->state);
  admission.dynamic_threshold.bind(dynamic_threshold->state);
  admission.admission_rules.bind(admission_rules->state);
  admission.egress_accounting.bind(egress_accounting->state);
  admission.pfc_state.bind(pfc_state->state);
  admission.stats_counters.bind(stats_counters->state);
  admission.pfc_generator.bind(pfc_generator->levels);
  sc_core::sc_export<MmuStepIf>& decides = rtl        ? rtl->step
                                           : decision ? decision->state
                                                      : admission.step;
  if (!parent.chip.wred_profiles.empty()) {
    ecn_marker = std::make_unique<EcnMarkerUnit>("ecn_marker", inside(parent), admission);
    ecn_marker->decision.bind(decides);
    admission.core().set_marker_owner(*ecn_marker);
    if (rtl) rtl->follow(*ecn_marker);
  }
  arrival_arbiter.admission.bind(drops_early(parent.chip) ? ecn_marker->step : decides);
  find_rtl_blocks();
}

MmuModel::~MmuModel() = default;

Cells MmuModel::threshold(PgIndex pg) const {
  return core().threshold(pg, ClockEdges{core().chip().clock}.cycle_at_or_after(agenda_.now()));
}

void MmuModel::find_rtl_blocks() {
  sc_core::sc_module* const blocks[]{ingress_accounting.get(), dynamic_threshold.get(),
                                     admission_rules.get(),    egress_accounting.get(),
                                     pfc_state.get(),          stats_counters.get(),
                                     pfc_generator.get(),      pfc_receiver.get()};
  for (sc_core::sc_module* const block : blocks)
    if (auto* const unit = dynamic_cast<RtlBlockUnit*>(block)) {
      unit->follow(agenda_);
      rtl_blocks_.push_back(unit);
    }
}

std::optional<RtlDifference> MmuModel::difference() const {
  if (rtl && rtl->difference()) return rtl->difference();
  for (const RtlBlockUnit* const block : rtl_blocks_)
    if (block->difference()) return block->difference();
  return std::nullopt;
}

std::vector<RtlWave*> MmuModel::rtl_waves() const {
  std::vector<RtlWave*> waves;
  if (rtl) waves.push_back(rtl.get());
  for (RtlBlockUnit* const block : rtl_blocks_)
    for (RtlWave* const wave : block->waves()) waves.push_back(wave);
  return waves;
}

void MmuModel::finish(Picoseconds end) {
  if (rtl) rtl->finish();
  if (ecn_marker) ecn_marker->finish();
  for (RtlBlockUnit* const block : rtl_blocks_) block->finish(end);
}

}  // namespace weir

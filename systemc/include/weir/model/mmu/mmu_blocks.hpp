// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>

#include "weir/core/chip.hpp"
#include "weir/model/interfaces.hpp"
#include "weir/model/mmu/admission_unit.hpp"
#include "weir/model/mmu/block_interfaces.hpp"
#include "weir/model/mmu/pfc_generator_unit.hpp"
#include "weir/model/mmu/pfc_receiver_unit.hpp"
#include "weir/model/switch/switch_context.hpp"

namespace weir {

/// Makes a block called `name` in the MMU that is being built. Settings outlive the block; a Chip
/// is lent for the call.
template <class Interface, class Of = MmuSettings>
using BlockMaker =
    std::function<std::unique_ptr<MmuBlock<Interface>>(const char* name, const Of& of)>;

/// The modules that MMUs are built of: who makes them. An empty maker: the block is the built-in
/// one. A user's block takes its place in every switch of the network; what others look at
/// (register reads, waveforms, summaries) shows its values under the same names.
struct MmuBlocks {
  BlockMaker<IngressAccountingIf> ingress_accounting;
  BlockMaker<DynamicThresholdIf> dynamic_threshold;
  /// The ingress rules; the module is `admission_rules`, which `admission` asks in a step.
  BlockMaker<AdmissionIf> admission;
  BlockMaker<EgressAccountingIf> egress_accounting;
  BlockMaker<PfcStateIf> pfc_state;
  BlockMaker<StatsCountersIf> stats_counters;
  /// Made first: the headroom of the settings is what it answers.
  BlockMaker<HeadroomSizerIf, Chip> headroom_sizer;
  std::function<std::unique_ptr<PfcGeneratorBlock>(const char* name, const SwitchContext& context)>
      pfc_generator;
  std::function<std::unique_ptr<PfcReceiverBlock>(const char* name, const SwitchContext& context)>
      pfc_receiver;
  /// Takes the arbiter's requests in the place of `admission`, which delivers its verdicts.
  std::function<std::unique_ptr<MmuBlock<MmuStepIf>>(const char* name, AdmissionUnit& admission)>
      decision;
  /// Built-in blocks, too, are called through their interfaces: slower, and the same results.
  bool through_interfaces{false};
};

}  // namespace weir

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "rtl_port.hpp"
#include "weir/core/mmu_settings.hpp"
#include "weir/model/mmu/block_interfaces.hpp"
#include "weir/model/mmu/pfc_generator_unit.hpp"
#include "weir/model/mmu/pfc_receiver_unit.hpp"

namespace weir {

/// Bits of a beat of the PFC blocks: a PFC frame is one beat, so that it is whole one cycle after
/// its start.
inline constexpr unsigned block_axis_width = 512;

// Makers of the blocks that RTL can replace. Errors: ConfigError when the RTL does not fit the
// chip.
[[nodiscard]] std::unique_ptr<PfcGeneratorBlock> make_pfc_generator_rtl(
    const char* name, const RtlBlockContext& context);
[[nodiscard]] std::unique_ptr<PfcReceiverBlock> make_pfc_receiver_rtl(
    const char* name, const RtlBlockContext& context);
[[nodiscard]] std::unique_ptr<MmuBlock<AdmissionIf>> make_admission_rtl(
    const char* name, const MmuSettings& settings, const RtlBlockLibrary& library);
[[nodiscard]] std::unique_ptr<MmuBlock<DynamicThresholdIf>> make_dynamic_threshold_rtl(
    const char* name, const MmuSettings& settings, const RtlBlockLibrary& library);
[[nodiscard]] std::unique_ptr<MmuBlock<PfcStateIf>> make_pfc_state_rtl(
    const char* name, const MmuSettings& settings, const RtlBlockLibrary& library);
[[nodiscard]] std::unique_ptr<MmuBlock<IngressAccountingIf>> make_ingress_accounting_rtl(
    const char* name, const MmuSettings& settings, const RtlBlockLibrary& library);
[[nodiscard]] std::unique_ptr<MmuBlock<EgressAccountingIf>> make_egress_accounting_rtl(
    const char* name, const MmuSettings& settings, const RtlBlockLibrary& library);
[[nodiscard]] std::unique_ptr<MmuBlock<StatsCountersIf>> make_stats_counters_rtl(
    const char* name, const MmuSettings& settings, const RtlBlockLibrary& library);

}  // namespace weir

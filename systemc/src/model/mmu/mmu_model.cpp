// SPDX-License-Identifier: Apache-2.0
#include "weir/model/mmu/mmu_model.hpp"

#include "weir/model/rtl/rtl_mmu_unit.hpp"

namespace weir {

MmuModel::MmuModel(const sc_core::sc_module_name& name, const Chip& chip, Agenda& agenda,
                   FramePool& frames, std::vector<PortCounters>& counters,
                   const Observers& observers, const std::string& switch_name,
                   const MmuBackend& backend)
    : sc_core::sc_module{name},
      core_{chip},
      ingress_accounting{"ingress_accounting", core_},
      egress_accounting{"egress_accounting", core_},
      dynamic_threshold{"dynamic_threshold", core_, agenda},
      pfc_state{"pfc_state", core_},
      stats_counters{"stats_counters", core_},
      headroom_sizer{"headroom_sizer", core_},
      admission{"admission", core_, replicas_, frames, counters, observers, switch_name},
      arrival_arbiter{"arrival_arbiter", chip, agenda, replicas_, counters, observers, switch_name},
      pfc_generator{"pfc_generator", chip, agenda, observers, switch_name},
      pfc_receiver{"pfc_receiver", chip, agenda, counters, observers, switch_name},
      csr{"csr", {core_, pfc_generator, pfc_receiver, counters, Cycle{0}}, agenda} {
  if (backend.kind != BackendKind::model)
    rtl = std::make_unique<RtlMmuUnit>(
        "rtl", core_, RegisterTarget{core_, pfc_generator, pfc_receiver, counters, Cycle{0}},
        admission, agenda, backend, switch_name);
  arrival_arbiter.admission.bind(rtl ? rtl->step : admission.step);
  admission.pfc_generator.bind(pfc_generator.levels);
}

MmuModel::~MmuModel() = default;

void MmuModel::finish() {
  if (rtl) rtl->finish();
}

}  // namespace weir

// SPDX-License-Identifier: Apache-2.0
#include "pin_table.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <string>

#include "weir/model/rtl/index_width.hpp"

namespace weir {
namespace {

/// A pin; of those that count only with a valid bit, the pin of these and the width of each part.
struct PinSpec {
  std::string_view name, valid;
  std::size_t slots{0}, width{0};
};

std::vector<PinSpec> pins_of(const weir_rtl_shape& shape) {
  const std::size_t slots = std::size_t{shape.domains} * shape.lanes, ports = shape.ports;
  const std::size_t row = index_width(ports * priorities), port = index_width(ports);
  const std::size_t len = shape.len_width, axis = shape.axis_width;
  return {{"psel_i", {}},
          {"penable_i", {}},
          {"pwrite_i", {}},
          {"paddr_i", {}},
          {"pwdata_i", {}},
          {"rel_waiting_i", {}},
          {"rel_pg_i", {}},
          {"rel_cells_i", {}},
          {"rel_queue_i", {}},
          {"rel_last_i", {}},
          {"arr_waiting_i", {}},
          {"arr_pg_i", {}},
          {"arr_cells_i", {}},
          {"arr_bytes_i", {}},
          {"arr_queue_i", {}},
          {"arr_mask_i", {}},
          {"pfc_start_i", {}},
          {"m_axis_pfc_tready_i", {}},
          {"s_axis_rx_tdata_i", {}},
          {"s_axis_rx_tkeep_i", {}},
          {"s_axis_rx_tvalid_i", {}},
          {"s_axis_rx_tlast_i", {}},
          {"s_axis_rx_tuser_i", {}},
          {"pready_o", {}},
          {"pslverr_o", "pready_o", 1, 1},
          {"rel_grant_valid_o", {}},
          {"rel_grant_port_o", "rel_grant_valid_o", slots, port},
          {"arr_grant_valid_o", {}},
          {"arr_grant_port_o", "arr_grant_valid_o", slots, port},
          {"rel_valid_o", {}},
          {"rel_pg_o", "rel_valid_o", slots, row},
          {"rel_xoff_o", "rel_valid_o", slots, 1},
          {"rel_changed_o", "rel_valid_o", slots, 1},
          {"rel_error_o", "rel_valid_o", slots, 1},
          {"arr_valid_o", {}},
          {"arr_pg_o", "arr_valid_o", slots, row},
          {"arr_reason_o", "arr_valid_o", slots, 3},
          {"arr_private_o", "arr_valid_o", slots, len},
          {"arr_shared_o", "arr_valid_o", slots, len},
          {"arr_headroom_o", "arr_valid_o", slots, len},
          {"arr_threshold_o", "arr_valid_o", slots, 32},
          {"arr_xoff_o", "arr_valid_o", slots, 1},
          {"arr_changed_o", "arr_valid_o", slots, 1},
          {"arr_mask_o", "arr_valid_o", slots, shape.copies},
          {"xoff_o", {}},
          {"pfc_request_o", {}},
          {"pfc_ready_o", {}},
          {"pfc_sends_o", {}},
          {"m_axis_pfc_tvalid_o", {}},
          {"m_axis_pfc_tdata_o", "m_axis_pfc_tvalid_o", ports, axis},
          {"m_axis_pfc_tkeep_o", "m_axis_pfc_tvalid_o", ports, axis / 8},
          {"m_axis_pfc_tlast_o", "m_axis_pfc_tvalid_o", ports, 1},
          {"pause_o", {}}};
}

// The octets of a pin as one number; empty for 0.
std::string hex_of(const std::vector<std::uint8_t>& octets) {
  std::string text;
  for (std::size_t i = octets.size(); i-- > 0;) text += fmt::format("{:02x}", octets[i]);
  const std::size_t first = text.find_first_not_of('0');
  return first == std::string::npos ? std::string{} : text.substr(first);
}

}  // namespace

PinTable::PinTable(std::ostream& out, RtlMmu& rtl) : out_{out} {
  const weir_rtl_shape& shape = rtl.shape();
  fmt::print(out_,
             "# weir_mmu Ports={} Domains={} Lanes={} Copies={} Profiles={} QueueProfiles={} "
             "Pools={} EgressPools={} CellW={} LenW={} ByteW={} StatW={} AdmitLatency={} "
             "PfcLatency={} ThresholdLag={} AxisW={}\ncycle",
             shape.ports, shape.domains, shape.lanes, shape.copies, shape.profiles,
             shape.queue_profiles, shape.pools, shape.egress_pools, shape.cell_width,
             shape.len_width, shape.byte_width, shape.stat_width, shape.admit_latency,
             shape.pfc_latency, shape.threshold_lag, shape.axis_width);
  for (const PinSpec& spec : pins_of(shape)) {
    Column column{spec.name, rtl.pin(spec.name.data()), {}, spec.slots, spec.width};
    if (spec.slots != 0) column.valid = rtl.pin(spec.valid.data());
    columns_.push_back(column);
    fmt::print(out_, ",{}_hex", spec.name);
  }
  fmt::print(out_, "\n");
}

bool PinTable::counts(const Column& column) const {
  return column.slots == 0 || column.valid.any();
}

void PinTable::take(std::uint64_t cycle) {
  std::string row = fmt::format("{}", cycle);
  for (const Column& column : columns_) {
    row += ',';
    if (!counts(column)) continue;
    std::vector<std::uint8_t> octets(column.pin.data(), column.pin.data() + column.pin.bytes());
    for (std::size_t slot = 0; slot < column.slots; ++slot)
      for (std::size_t bit = slot * column.width; bit < (slot + 1) * column.width; ++bit)
        if (column.valid.get(slot, 1) == 0) RtlPin{octets.data(), octets.size()}.set(bit, 1, 0);
    row += hex_of(octets);
  }
  fmt::print(out_, "{}\n", row);
}

}  // namespace weir

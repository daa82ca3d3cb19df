// SPDX-License-Identifier: Apache-2.0
#pragma once
// The pins and parameters of weir_mmu. Made by scripts/rtl/pins from rtl/weir_mmu.pins.csv and
// weir_mmu.parameters.csv: change those.
// clang-format off
#include <cstddef>
#include <cstdint>
#include <optional>

#include "weir/model/rtl/index_width.hpp"

extern "C" {

// What the RTL was built for: parameters of weir_mmu.
struct weir_rtl_shape {
  uint32_t abi;  // weir_rtl_abi of the library
  uint32_t ports;  // Ports
  uint32_t domains;  // Domains
  uint32_t lanes;  // Lanes
  uint32_t copies;  // Copies
  uint32_t profiles;  // Profiles
  uint32_t queue_profiles;  // QueueProfiles
  uint32_t pools;  // Pools
  uint32_t egress_pools;  // EgressPools
  uint32_t cell_width;  // CellW
  uint32_t len_width;  // LenW
  uint32_t byte_width;  // ByteW
  uint32_t stat_width;  // StatW
  uint32_t admit_latency;  // AdmitLatency
  uint32_t pfc_latency;  // PfcLatency
  uint32_t threshold_lag;  // ThresholdLag
  uint32_t wred_profiles;  // WredProfiles
  uint32_t wred_drops;  // WredDrops
  uint32_t mark_latency;  // MarkLatency
  uint32_t axis_width;  // AxisW
  uint32_t fcs_in_stream;  // FcsInStream
};

}

namespace weir {

/// A parameter of weir_mmu: its name, its option in scripts/rtl/make-backend and what is taken
/// without it; whether a library must be built for exactly what a chip needs.
struct RtlParameter {
  const char* name;
  const char* option;
  std::uint32_t weir_rtl_shape::*built;
  std::uint32_t usual;
  bool exactly;
};

inline constexpr RtlParameter rtl_parameters[]{
    {"Ports", "ports", &weir_rtl_shape::ports, 32, false},
    {"Domains", "domains", &weir_rtl_shape::domains, 1, false},
    {"Lanes", "lanes", &weir_rtl_shape::lanes, 1, true},
    {"Copies", "copies", &weir_rtl_shape::copies, 1, false},
    {"Profiles", "profiles", &weir_rtl_shape::profiles, 8, false},
    {"QueueProfiles", "queue-profiles", &weir_rtl_shape::queue_profiles, 8, false},
    {"Pools", "pools", &weir_rtl_shape::pools, 4, false},
    {"EgressPools", "egress-pools", &weir_rtl_shape::egress_pools, 4, false},
    {"CellW", "cell-width", &weir_rtl_shape::cell_width, 17, false},
    {"LenW", "len-width", &weir_rtl_shape::len_width, 8, false},
    {"ByteW", "byte-width", &weir_rtl_shape::byte_width, 14, false},
    {"StatW", "stat-width", &weir_rtl_shape::stat_width, 48, false},
    {"AdmitLatency", "admit", &weir_rtl_shape::admit_latency, 3, true},
    {"PfcLatency", "pfc", &weir_rtl_shape::pfc_latency, 2, true},
    {"ThresholdLag", "threshold-lag", &weir_rtl_shape::threshold_lag, 0, true},
    {"WredProfiles", "wred-profiles", &weir_rtl_shape::wred_profiles, 0, false},
    {"WredDrops", "wred-drops", &weir_rtl_shape::wred_drops, 0, false},
    {"MarkLatency", "mark", &weir_rtl_shape::mark_latency, 2, true},
    {"AxisW", "axis-width", &weir_rtl_shape::axis_width, 512, false},
    {"FcsInStream", "fcs-in-stream", &weir_rtl_shape::fcs_in_stream, 1, false},
};

/// The pins, named as in the RTL.
enum class MmuPin : std::uint8_t {
  clk_i,
  rst_ni,
  init_done_o,
  psel_i,
  penable_i,
  pwrite_i,
  paddr_i,
  pwdata_i,
  pready_o,
  prdata_o,
  pslverr_o,
  rel_waiting_i,
  rel_grant_valid_o,
  rel_grant_port_o,
  rel_pg_i,
  rel_cells_i,
  rel_queue_i,
  rel_last_i,
  arr_waiting_i,
  arr_grant_valid_o,
  arr_grant_port_o,
  arr_pg_i,
  arr_cells_i,
  arr_bytes_i,
  arr_queue_i,
  arr_mask_i,
  arr_ect_i,
  arr_asks_i,
  rel_valid_o,
  rel_pg_o,
  rel_xoff_o,
  rel_changed_o,
  rel_error_o,
  arr_valid_o,
  arr_pg_o,
  arr_reason_o,
  arr_private_o,
  arr_shared_o,
  arr_headroom_o,
  arr_threshold_o,
  arr_xoff_o,
  arr_changed_o,
  arr_mask_o,
  arr_mark_o,
  dep_valid_i,
  dep_sent_i,
  dep_queue_i,
  dep_cells_i,
  dep_bytes_i,
  dep_ect_i,
  dep_mark_o,
  dep_error_o,
  xoff_o,
  pfc_request_o,
  pfc_start_i,
  pfc_ready_o,
  pfc_sends_o,
  m_axis_pfc_tvalid_o,
  m_axis_pfc_tdata_o,
  m_axis_pfc_tkeep_o,
  m_axis_pfc_tready_i,
  m_axis_pfc_tlast_o,
  s_axis_rx_tdata_i,
  s_axis_rx_tkeep_i,
  s_axis_rx_tvalid_i,
  s_axis_rx_tlast_i,
  s_axis_rx_tuser_i,
  pause_o
};
inline constexpr std::size_t mmu_pin_count = 68;

/// Of the data of a request, of each of its copies, of a verdict; weir_domain has these too. What a
/// marker is asked in a cycle.
enum class MmuPinKind : std::uint8_t { request, copy, verdict, marker, other };

/// A pin: part n of it is at [n * bits, (n + 1) * bits).
struct MmuPinRow {
  const char* name;
  bool input;
  bool in_vector;               ///< A column of vectors/mmu.
  MmuPinKind kind;
  std::optional<MmuPin> valid;  ///< Parts count where the bit of this pin is set; none: always.
  std::size_t (*parts)(const weir_rtl_shape&);
  std::size_t (*bits)(const weir_rtl_shape&);
};

/// In the order of MmuPin.
inline constexpr MmuPinRow mmu_pins[mmu_pin_count]{
    {"clk_i", true, false, MmuPinKind::other, std::nullopt,
     [](const weir_rtl_shape&) { return std::size_t{1}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"rst_ni", true, false, MmuPinKind::other, std::nullopt,
     [](const weir_rtl_shape&) { return std::size_t{1}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"init_done_o", false, false, MmuPinKind::other, std::nullopt,
     [](const weir_rtl_shape&) { return std::size_t{1}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"psel_i", true, true, MmuPinKind::other, std::nullopt,
     [](const weir_rtl_shape&) { return std::size_t{1}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"penable_i", true, true, MmuPinKind::other, std::nullopt,
     [](const weir_rtl_shape&) { return std::size_t{1}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"pwrite_i", true, true, MmuPinKind::other, std::nullopt,
     [](const weir_rtl_shape&) { return std::size_t{1}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"paddr_i", true, true, MmuPinKind::other, std::nullopt,
     [](const weir_rtl_shape&) { return std::size_t{1}; },
     [](const weir_rtl_shape&) { return std::size_t{24}; }},
    {"pwdata_i", true, true, MmuPinKind::other, std::nullopt,
     [](const weir_rtl_shape&) { return std::size_t{1}; },
     [](const weir_rtl_shape&) { return std::size_t{32}; }},
    {"pready_o", false, true, MmuPinKind::other, std::nullopt,
     [](const weir_rtl_shape&) { return std::size_t{1}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"prdata_o", false, false, MmuPinKind::other, std::nullopt,
     [](const weir_rtl_shape&) { return std::size_t{1}; },
     [](const weir_rtl_shape&) { return std::size_t{32}; }},
    {"pslverr_o", false, true, MmuPinKind::other, MmuPin::pready_o,
     [](const weir_rtl_shape&) { return std::size_t{1}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"rel_waiting_i", true, true, MmuPinKind::other, std::nullopt,
     [](const weir_rtl_shape& s) { return std::size_t{s.domains * s.ports}; },
     [](const weir_rtl_shape& s) { return std::size_t{index_width(s.lanes + 1)}; }},
    {"rel_grant_valid_o", false, true, MmuPinKind::other, std::nullopt,
     [](const weir_rtl_shape& s) { return std::size_t{(s.domains * s.lanes)}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"rel_grant_port_o", false, true, MmuPinKind::other, MmuPin::rel_grant_valid_o,
     [](const weir_rtl_shape& s) { return std::size_t{(s.domains * s.lanes)}; },
     [](const weir_rtl_shape& s) { return std::size_t{index_width(s.ports)}; }},
    {"rel_pg_i", true, true, MmuPinKind::request, MmuPin::rel_grant_valid_o,
     [](const weir_rtl_shape& s) { return std::size_t{(s.domains * s.lanes)}; },
     [](const weir_rtl_shape& s) { return std::size_t{index_width(s.ports * 8)}; }},
    {"rel_cells_i", true, true, MmuPinKind::request, MmuPin::rel_grant_valid_o,
     [](const weir_rtl_shape& s) { return std::size_t{(s.domains * s.lanes)}; },
     [](const weir_rtl_shape& s) { return std::size_t{s.len_width}; }},
    {"rel_queue_i", true, true, MmuPinKind::request, MmuPin::rel_grant_valid_o,
     [](const weir_rtl_shape& s) { return std::size_t{(s.domains * s.lanes)}; },
     [](const weir_rtl_shape& s) { return std::size_t{index_width(s.ports * 8)}; }},
    {"rel_last_i", true, true, MmuPinKind::request, MmuPin::rel_grant_valid_o,
     [](const weir_rtl_shape& s) { return std::size_t{(s.domains * s.lanes)}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"arr_waiting_i", true, true, MmuPinKind::other, std::nullopt,
     [](const weir_rtl_shape& s) { return std::size_t{s.domains * s.ports}; },
     [](const weir_rtl_shape& s) { return std::size_t{index_width(s.lanes + 1)}; }},
    {"arr_grant_valid_o", false, true, MmuPinKind::other, std::nullopt,
     [](const weir_rtl_shape& s) { return std::size_t{(s.domains * s.lanes)}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"arr_grant_port_o", false, true, MmuPinKind::other, MmuPin::arr_grant_valid_o,
     [](const weir_rtl_shape& s) { return std::size_t{(s.domains * s.lanes)}; },
     [](const weir_rtl_shape& s) { return std::size_t{index_width(s.ports)}; }},
    {"arr_pg_i", true, true, MmuPinKind::request, MmuPin::arr_grant_valid_o,
     [](const weir_rtl_shape& s) { return std::size_t{(s.domains * s.lanes)}; },
     [](const weir_rtl_shape& s) { return std::size_t{index_width(s.ports * 8)}; }},
    {"arr_cells_i", true, true, MmuPinKind::request, MmuPin::arr_grant_valid_o,
     [](const weir_rtl_shape& s) { return std::size_t{(s.domains * s.lanes)}; },
     [](const weir_rtl_shape& s) { return std::size_t{s.len_width}; }},
    {"arr_bytes_i", true, true, MmuPinKind::request, MmuPin::arr_grant_valid_o,
     [](const weir_rtl_shape& s) { return std::size_t{(s.domains * s.lanes)}; },
     [](const weir_rtl_shape& s) { return std::size_t{s.byte_width}; }},
    {"arr_queue_i", true, true, MmuPinKind::copy, MmuPin::arr_grant_valid_o,
     [](const weir_rtl_shape& s) { return std::size_t{(s.domains * s.lanes) * s.copies}; },
     [](const weir_rtl_shape& s) { return std::size_t{index_width(s.ports * 8)}; }},
    {"arr_mask_i", true, true, MmuPinKind::copy, MmuPin::arr_grant_valid_o,
     [](const weir_rtl_shape& s) { return std::size_t{(s.domains * s.lanes) * s.copies}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"arr_ect_i", true, true, MmuPinKind::marker, MmuPin::arr_grant_valid_o,
     [](const weir_rtl_shape& s) { return std::size_t{(s.domains * s.lanes)}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"arr_asks_i", true, true, MmuPinKind::marker, MmuPin::arr_grant_valid_o,
     [](const weir_rtl_shape& s) { return std::size_t{(s.domains * s.lanes)}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"rel_valid_o", false, true, MmuPinKind::verdict, std::nullopt,
     [](const weir_rtl_shape& s) { return std::size_t{(s.domains * s.lanes)}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"rel_pg_o", false, true, MmuPinKind::verdict, MmuPin::rel_valid_o,
     [](const weir_rtl_shape& s) { return std::size_t{(s.domains * s.lanes)}; },
     [](const weir_rtl_shape& s) { return std::size_t{index_width(s.ports * 8)}; }},
    {"rel_xoff_o", false, true, MmuPinKind::verdict, MmuPin::rel_valid_o,
     [](const weir_rtl_shape& s) { return std::size_t{(s.domains * s.lanes)}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"rel_changed_o", false, true, MmuPinKind::verdict, MmuPin::rel_valid_o,
     [](const weir_rtl_shape& s) { return std::size_t{(s.domains * s.lanes)}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"rel_error_o", false, true, MmuPinKind::verdict, MmuPin::rel_valid_o,
     [](const weir_rtl_shape& s) { return std::size_t{(s.domains * s.lanes)}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"arr_valid_o", false, true, MmuPinKind::verdict, std::nullopt,
     [](const weir_rtl_shape& s) { return std::size_t{(s.domains * s.lanes)}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"arr_pg_o", false, true, MmuPinKind::verdict, MmuPin::arr_valid_o,
     [](const weir_rtl_shape& s) { return std::size_t{(s.domains * s.lanes)}; },
     [](const weir_rtl_shape& s) { return std::size_t{index_width(s.ports * 8)}; }},
    {"arr_reason_o", false, true, MmuPinKind::verdict, MmuPin::arr_valid_o,
     [](const weir_rtl_shape& s) { return std::size_t{(s.domains * s.lanes)}; },
     [](const weir_rtl_shape&) { return std::size_t{3}; }},
    {"arr_private_o", false, true, MmuPinKind::verdict, MmuPin::arr_valid_o,
     [](const weir_rtl_shape& s) { return std::size_t{(s.domains * s.lanes)}; },
     [](const weir_rtl_shape& s) { return std::size_t{s.len_width}; }},
    {"arr_shared_o", false, true, MmuPinKind::verdict, MmuPin::arr_valid_o,
     [](const weir_rtl_shape& s) { return std::size_t{(s.domains * s.lanes)}; },
     [](const weir_rtl_shape& s) { return std::size_t{s.len_width}; }},
    {"arr_headroom_o", false, true, MmuPinKind::verdict, MmuPin::arr_valid_o,
     [](const weir_rtl_shape& s) { return std::size_t{(s.domains * s.lanes)}; },
     [](const weir_rtl_shape& s) { return std::size_t{s.len_width}; }},
    {"arr_threshold_o", false, true, MmuPinKind::verdict, MmuPin::arr_valid_o,
     [](const weir_rtl_shape& s) { return std::size_t{(s.domains * s.lanes)}; },
     [](const weir_rtl_shape&) { return std::size_t{32}; }},
    {"arr_xoff_o", false, true, MmuPinKind::verdict, MmuPin::arr_valid_o,
     [](const weir_rtl_shape& s) { return std::size_t{(s.domains * s.lanes)}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"arr_changed_o", false, true, MmuPinKind::verdict, MmuPin::arr_valid_o,
     [](const weir_rtl_shape& s) { return std::size_t{(s.domains * s.lanes)}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"arr_mask_o", false, true, MmuPinKind::verdict, MmuPin::arr_valid_o,
     [](const weir_rtl_shape& s) { return std::size_t{(s.domains * s.lanes)}; },
     [](const weir_rtl_shape& s) { return std::size_t{s.copies}; }},
    {"arr_mark_o", false, true, MmuPinKind::other, std::nullopt,
     [](const weir_rtl_shape& s) { return std::size_t{(s.domains * s.lanes) * s.copies}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"dep_valid_i", true, true, MmuPinKind::marker, std::nullopt,
     [](const weir_rtl_shape& s) { return std::size_t{s.ports}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"dep_sent_i", true, true, MmuPinKind::marker, MmuPin::dep_valid_i,
     [](const weir_rtl_shape& s) { return std::size_t{s.ports}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"dep_queue_i", true, true, MmuPinKind::marker, MmuPin::dep_valid_i,
     [](const weir_rtl_shape& s) { return std::size_t{s.ports}; },
     [](const weir_rtl_shape&) { return std::size_t{3}; }},
    {"dep_cells_i", true, true, MmuPinKind::marker, MmuPin::dep_valid_i,
     [](const weir_rtl_shape& s) { return std::size_t{s.ports}; },
     [](const weir_rtl_shape& s) { return std::size_t{s.len_width}; }},
    {"dep_bytes_i", true, true, MmuPinKind::marker, MmuPin::dep_valid_i,
     [](const weir_rtl_shape& s) { return std::size_t{s.ports}; },
     [](const weir_rtl_shape& s) { return std::size_t{s.byte_width}; }},
    {"dep_ect_i", true, true, MmuPinKind::marker, MmuPin::dep_valid_i,
     [](const weir_rtl_shape& s) { return std::size_t{s.ports}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"dep_mark_o", false, true, MmuPinKind::other, std::nullopt,
     [](const weir_rtl_shape& s) { return std::size_t{s.ports}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"dep_error_o", false, true, MmuPinKind::other, std::nullopt,
     [](const weir_rtl_shape& s) { return std::size_t{s.ports}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"xoff_o", false, true, MmuPinKind::other, std::nullopt,
     [](const weir_rtl_shape& s) { return std::size_t{s.ports}; },
     [](const weir_rtl_shape&) { return std::size_t{8}; }},
    {"pfc_request_o", false, true, MmuPinKind::other, std::nullopt,
     [](const weir_rtl_shape& s) { return std::size_t{s.ports}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"pfc_start_i", true, true, MmuPinKind::other, std::nullopt,
     [](const weir_rtl_shape& s) { return std::size_t{s.ports}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"pfc_ready_o", false, true, MmuPinKind::other, std::nullopt,
     [](const weir_rtl_shape& s) { return std::size_t{s.ports}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"pfc_sends_o", false, true, MmuPinKind::other, std::nullopt,
     [](const weir_rtl_shape& s) { return std::size_t{s.ports}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"m_axis_pfc_tvalid_o", false, true, MmuPinKind::other, std::nullopt,
     [](const weir_rtl_shape& s) { return std::size_t{s.ports}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"m_axis_pfc_tdata_o", false, true, MmuPinKind::other, MmuPin::m_axis_pfc_tvalid_o,
     [](const weir_rtl_shape& s) { return std::size_t{s.ports}; },
     [](const weir_rtl_shape& s) { return std::size_t{s.axis_width}; }},
    {"m_axis_pfc_tkeep_o", false, true, MmuPinKind::other, MmuPin::m_axis_pfc_tvalid_o,
     [](const weir_rtl_shape& s) { return std::size_t{s.ports}; },
     [](const weir_rtl_shape& s) { return std::size_t{s.axis_width / 8}; }},
    {"m_axis_pfc_tready_i", true, true, MmuPinKind::other, std::nullopt,
     [](const weir_rtl_shape& s) { return std::size_t{s.ports}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"m_axis_pfc_tlast_o", false, true, MmuPinKind::other, MmuPin::m_axis_pfc_tvalid_o,
     [](const weir_rtl_shape& s) { return std::size_t{s.ports}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"s_axis_rx_tdata_i", true, true, MmuPinKind::other, MmuPin::s_axis_rx_tvalid_i,
     [](const weir_rtl_shape& s) { return std::size_t{s.ports}; },
     [](const weir_rtl_shape& s) { return std::size_t{s.axis_width}; }},
    {"s_axis_rx_tkeep_i", true, true, MmuPinKind::other, MmuPin::s_axis_rx_tvalid_i,
     [](const weir_rtl_shape& s) { return std::size_t{s.ports}; },
     [](const weir_rtl_shape& s) { return std::size_t{s.axis_width / 8}; }},
    {"s_axis_rx_tvalid_i", true, true, MmuPinKind::other, std::nullopt,
     [](const weir_rtl_shape& s) { return std::size_t{s.ports}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"s_axis_rx_tlast_i", true, true, MmuPinKind::other, MmuPin::s_axis_rx_tvalid_i,
     [](const weir_rtl_shape& s) { return std::size_t{s.ports}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"s_axis_rx_tuser_i", true, true, MmuPinKind::other, MmuPin::s_axis_rx_tvalid_i,
     [](const weir_rtl_shape& s) { return std::size_t{s.ports}; },
     [](const weir_rtl_shape&) { return std::size_t{1}; }},
    {"pause_o", false, true, MmuPinKind::other, std::nullopt,
     [](const weir_rtl_shape& s) { return std::size_t{s.ports}; },
     [](const weir_rtl_shape&) { return std::size_t{8}; }},
};

[[nodiscard]] constexpr const MmuPinRow& row_of(MmuPin pin) noexcept {
  return mmu_pins[static_cast<std::size_t>(pin)];
}

/// Calls take(MmuPin, pin) for the pins of requests and verdicts, which a Verilated weir_domain has
/// by the same names.
template <class Model, class Take>
void for_each_lane_pin(Model& pins, Take&& take) {
  take(MmuPin::rel_pg_i, pins.rel_pg_i);
  take(MmuPin::rel_cells_i, pins.rel_cells_i);
  take(MmuPin::rel_queue_i, pins.rel_queue_i);
  take(MmuPin::rel_last_i, pins.rel_last_i);
  take(MmuPin::arr_pg_i, pins.arr_pg_i);
  take(MmuPin::arr_cells_i, pins.arr_cells_i);
  take(MmuPin::arr_bytes_i, pins.arr_bytes_i);
  take(MmuPin::arr_queue_i, pins.arr_queue_i);
  take(MmuPin::arr_mask_i, pins.arr_mask_i);
  take(MmuPin::rel_valid_o, pins.rel_valid_o);
  take(MmuPin::rel_pg_o, pins.rel_pg_o);
  take(MmuPin::rel_xoff_o, pins.rel_xoff_o);
  take(MmuPin::rel_changed_o, pins.rel_changed_o);
  take(MmuPin::rel_error_o, pins.rel_error_o);
  take(MmuPin::arr_valid_o, pins.arr_valid_o);
  take(MmuPin::arr_pg_o, pins.arr_pg_o);
  take(MmuPin::arr_reason_o, pins.arr_reason_o);
  take(MmuPin::arr_private_o, pins.arr_private_o);
  take(MmuPin::arr_shared_o, pins.arr_shared_o);
  take(MmuPin::arr_headroom_o, pins.arr_headroom_o);
  take(MmuPin::arr_threshold_o, pins.arr_threshold_o);
  take(MmuPin::arr_xoff_o, pins.arr_xoff_o);
  take(MmuPin::arr_changed_o, pins.arr_changed_o);
  take(MmuPin::arr_mask_o, pins.arr_mask_o);
}

/// Calls take(MmuPin, pin) for each pin of a Verilated weir_mmu.
template <class Model, class Take>
void for_each_pin(Model& pins, Take&& take) {
  take(MmuPin::clk_i, pins.clk_i);
  take(MmuPin::rst_ni, pins.rst_ni);
  take(MmuPin::init_done_o, pins.init_done_o);
  take(MmuPin::psel_i, pins.psel_i);
  take(MmuPin::penable_i, pins.penable_i);
  take(MmuPin::pwrite_i, pins.pwrite_i);
  take(MmuPin::paddr_i, pins.paddr_i);
  take(MmuPin::pwdata_i, pins.pwdata_i);
  take(MmuPin::pready_o, pins.pready_o);
  take(MmuPin::prdata_o, pins.prdata_o);
  take(MmuPin::pslverr_o, pins.pslverr_o);
  take(MmuPin::rel_waiting_i, pins.rel_waiting_i);
  take(MmuPin::rel_grant_valid_o, pins.rel_grant_valid_o);
  take(MmuPin::rel_grant_port_o, pins.rel_grant_port_o);
  take(MmuPin::arr_waiting_i, pins.arr_waiting_i);
  take(MmuPin::arr_grant_valid_o, pins.arr_grant_valid_o);
  take(MmuPin::arr_grant_port_o, pins.arr_grant_port_o);
  take(MmuPin::arr_ect_i, pins.arr_ect_i);
  take(MmuPin::arr_asks_i, pins.arr_asks_i);
  take(MmuPin::arr_mark_o, pins.arr_mark_o);
  take(MmuPin::dep_valid_i, pins.dep_valid_i);
  take(MmuPin::dep_sent_i, pins.dep_sent_i);
  take(MmuPin::dep_queue_i, pins.dep_queue_i);
  take(MmuPin::dep_cells_i, pins.dep_cells_i);
  take(MmuPin::dep_bytes_i, pins.dep_bytes_i);
  take(MmuPin::dep_ect_i, pins.dep_ect_i);
  take(MmuPin::dep_mark_o, pins.dep_mark_o);
  take(MmuPin::dep_error_o, pins.dep_error_o);
  take(MmuPin::xoff_o, pins.xoff_o);
  take(MmuPin::pfc_request_o, pins.pfc_request_o);
  take(MmuPin::pfc_start_i, pins.pfc_start_i);
  take(MmuPin::pfc_ready_o, pins.pfc_ready_o);
  take(MmuPin::pfc_sends_o, pins.pfc_sends_o);
  take(MmuPin::m_axis_pfc_tvalid_o, pins.m_axis_pfc_tvalid_o);
  take(MmuPin::m_axis_pfc_tdata_o, pins.m_axis_pfc_tdata_o);
  take(MmuPin::m_axis_pfc_tkeep_o, pins.m_axis_pfc_tkeep_o);
  take(MmuPin::m_axis_pfc_tready_i, pins.m_axis_pfc_tready_i);
  take(MmuPin::m_axis_pfc_tlast_o, pins.m_axis_pfc_tlast_o);
  take(MmuPin::s_axis_rx_tdata_i, pins.s_axis_rx_tdata_i);
  take(MmuPin::s_axis_rx_tkeep_i, pins.s_axis_rx_tkeep_i);
  take(MmuPin::s_axis_rx_tvalid_i, pins.s_axis_rx_tvalid_i);
  take(MmuPin::s_axis_rx_tlast_i, pins.s_axis_rx_tlast_i);
  take(MmuPin::s_axis_rx_tuser_i, pins.s_axis_rx_tuser_i);
  take(MmuPin::pause_o, pins.pause_o);
  for_each_lane_pin(pins, take);
}

}  // namespace weir
// clang-format on

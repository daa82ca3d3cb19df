// SPDX-License-Identifier: Apache-2.0
#include "fuzz/reader_table.hpp"

namespace weir::fuzz {

const std::vector<Reader>& readers() {
  static const std::vector<Reader> table{
      {"scenario", "scenario, TOML and JSON, with lint and configured values", read_scenario},
      {"chip", "chip file, TOML and JSON, with lint and round trip", read_chip},
      {"set", "`--set` on a scenario and its chip", read_set},
      {"sweep", "sweep file, with its points, check and digest", read_sweep},
      {"units", "sizes, rates, times ... and patterns of names, with round trips", read_units},
      {"csv", "CSV: packets of a replay, message sizes", read_csv_file},
      {"capture", "pcap and pcapng", read_capture},
      {"pfc_capture", "captures of PFC, with what is found in them", read_pfc_capture},
      {"silicon", "silicon cases, with their chips", read_silicon},
      {"sonic", "SONiC folder, with lint and round trip", read_sonic_folder},
      {"pfc", "octets of PFC frames, with round trip", read_pfc},
      {"result", "result folder of a run: report, comparison, replacement", read_result_folder},
      {"sweep_results", "sweep.sqlite: SQL or bytes, with its page", read_sweep_results}};
  return table;
}

const Reader* reader_named(std::string_view name) {
  for (const Reader& reader : readers())
    if (reader.name == name) return &reader;
  return nullptr;
}

}  // namespace weir::fuzz

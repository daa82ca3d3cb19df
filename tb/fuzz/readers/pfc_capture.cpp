// SPDX-License-Identifier: Apache-2.0
// A capture as `weir pfc` takes it: pcap or pcapng by its first octets, with the page of it.
#include <cstddef>
#include <filesystem>
#include <string_view>

#include "fuzz/oracle.hpp"
#include "fuzz/reader_table.hpp"
#include "fuzz/scratch.hpp"
#include "weir/trace/forensics/pfc_forensics.hpp"

namespace weir::fuzz {

void read_pfc_capture(std::string_view input) {
  const std::filesystem::path file = Scratch::folder().file("pfc.pcapng", input);
  static_cast<void>(taken([&] {
    PfcAssumptions assumptions;
    assumptions.rate = BitRate{100'000'000'000};
    PfcForensics forensics{assumptions};
    forensics.read(file);
    const PfcReport report = forensics.finish();
    require(report.pfc_frames <= report.frames, "more PFC than frames");
    for (const PfcFlow& flow : report.flows) {
      require(flow.from < report.stations.size() && flow.to < report.stations.size(),
              "a station that is not there");
      require(flow.refreshes <= flow.pauses && flow.late_frames <= flow.data_frames,
              "a part that is more than the whole");
      Picoseconds sum, before;
      for (const PauseInterval& interval : flow.intervals) {
        require(before <= interval.start && interval.start < interval.end, "pauses that overlap");
        before = interval.end;
        sum += interval.end - interval.start;
      }
      require(sum == flow.pause.total && before <= report.end, "a pause beyond the capture");
      require(flow.intervals.size() == flow.pause.pauses, "a pause that is not counted");
    }
  }));
}

}  // namespace weir::fuzz

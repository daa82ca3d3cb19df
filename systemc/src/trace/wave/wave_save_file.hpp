// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "wave_signals.hpp"
#include "wave_window.hpp"
#include "weir/config/scenario/scenario.hpp"

namespace weir {

/// What a waveform has.
struct WaveContents {
  const std::vector<WaveGroup>& groups;
  const std::vector<WaveQueue>& queues;
  const std::map<std::string, unsigned>& names;  ///< Of all signals.
};

/// Writes the list for GTKWave next to `wave` (*.gtkw): grouped, coloured, occupancy against its
/// limit as analog traces, markers. `begin`, `end`: first and last time of the waveform.
/// Errors: ModelError when the file cannot be written.
void write_save_file(const std::filesystem::path& wave, const Scenario& scenario,
                     const WaveContents& contents, const WaveMarks& marks, std::uint64_t begin,
                     std::uint64_t end);

}  // namespace weir

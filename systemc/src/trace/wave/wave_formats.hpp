// SPDX-License-Identifier: Apache-2.0
// The two formats behind WaveWriter.
#pragma once
#include <memory>
#include <string>

#include "weir/trace/wave/wave_writer.hpp"

namespace weir {

/// IEEE 1364 value change dump, with GTKWave's string variables. None: the file cannot be made.
[[nodiscard]] std::unique_ptr<WaveWriter> make_vcd_writer(const std::string& file);
/// Fast signal trace, through the writer that Verilator ships. None: the file cannot be made.
[[nodiscard]] std::unique_ptr<WaveWriter> make_fst_writer(const std::string& file);

}  // namespace weir

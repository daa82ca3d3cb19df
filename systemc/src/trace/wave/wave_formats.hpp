// SPDX-License-Identifier: Apache-2.0
// The two implementations of WaveWriter.
#pragma once
#include <memory>

#include "weir/config/files/output_file.hpp"
#include "weir/trace/wave/wave_writer.hpp"

namespace weir {

/// IEEE 1364 value change dump, with GTKWave's string variables.
[[nodiscard]] std::unique_ptr<WaveWriter> make_vcd_writer(OutputFile file);
/// Fast signal trace, through the writer that Verilator ships. None: it cannot make the file.
[[nodiscard]] std::unique_ptr<WaveWriter> make_fst_writer(OutputFile file);

}  // namespace weir

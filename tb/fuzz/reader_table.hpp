// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

// The readers of bytes from outside, each with a fuzzer (tb/fuzz/fuzz_main.cpp), seeds
// (scripts/check/fuzz) and a corpus of inputs that once broke it (tb/fuzz/corpus/NAME).
namespace weir::fuzz {

/// One row of the table of readers.
struct Reader {
  std::string_view name;  ///< Of its corpus as well.
  std::string_view what;  ///< The inputs, for the table of measurements.
  /// Reads `input` and checks what holds for any input. Errors: Broken, or what else the reader
  /// throws.
  void (*read)(std::string_view input);
};

/// All readers. Fuzzers, corpus test and scripts walk this table.
[[nodiscard]] const std::vector<Reader>& readers();
/// The reader of this name, or nullptr.
[[nodiscard]] const Reader* reader_named(std::string_view name);

// Each is in readers/NAME.cpp, with the form of its input.
void read_scenario(std::string_view input);
void read_chip(std::string_view input);
void read_set(std::string_view input);
void read_sweep(std::string_view input);
void read_units(std::string_view input);
void read_csv_file(std::string_view input);
void read_capture(std::string_view input);
void read_pfc_capture(std::string_view input);
void read_silicon(std::string_view input);
void read_sonic_folder(std::string_view input);
void read_pfc(std::string_view input);
void read_result_folder(std::string_view input);
void read_sweep_results(std::string_view input);

}  // namespace weir::fuzz

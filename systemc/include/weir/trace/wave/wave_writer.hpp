// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "weir/config/files/output_file.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// A waveform file: first the hierarchy, then values at ascending times.
///
/// The same calls give the same bytes: dates and similar fields are fixed.
///
/// Units:   one time axis in picoseconds.
/// Errors:  ModelError when the file cannot be written, by complete() at the latest.
class WaveWriter {
 public:
  using Variable = std::uint32_t;

  virtual ~WaveWriter() = default;

  // The hierarchy.
  virtual void push_scope(std::string_view name) = 0;
  virtual void pop_scope() = 0;
  virtual Variable add_integer(std::string_view name, unsigned bits) = 0;
  virtual Variable add_text(std::string_view name) = 0;
  /// Another name of `variable`, an integer of `bits`, in this scope; both share their values.
  virtual void add_alias(std::string_view name, unsigned bits, Variable variable) = 0;
  virtual void end_of_hierarchy() = 0;

  // Values.
  virtual void time(Picoseconds now) = 0;
  virtual void integer(Variable variable, std::uint64_t value) = 0;
  /// Range: printable characters without blanks.
  virtual void text(Variable variable, std::string_view value) = 0;

  // The end.
  virtual void complete() = 0;  ///< Everything is packed and written, under no name yet.
  virtual void commit() = 0;    ///< Last: the file has its name. Without it, nothing is left.
};

/// The writer for a file of that name: `.fst` or `.vcd`.
/// Errors: ConfigError (key "--wave") for any other name, and when the file cannot be made.
[[nodiscard]] std::unique_ptr<WaveWriter> make_wave_writer(const std::filesystem::path& file,
                                                           NamedBy by);

}  // namespace weir

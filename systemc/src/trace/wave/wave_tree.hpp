// SPDX-License-Identifier: Apache-2.0
// Variables of a waveform: which part of the hierarchy is declared, and which changes are written
// when.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "weir/trace/wave/wave_writer.hpp"

namespace weir {

/// Whether `text` matches `pattern`, in which `*` matches anything and `?` one character; all other
/// characters, brackets too, match themselves.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view text) noexcept;

/// What a value means in text.
enum class WaveKind : std::uint8_t { integer, frame, pause };

/// Pause state of a queue or class, as a number.
enum class PauseState : std::uint8_t {
  open,
  closing,  ///< The timer runs, but so does the port's response time: it still sends.
  paused,
};

/// A frame on the wire as a number; 0: idle.
[[nodiscard]] constexpr std::uint64_t data_frame(std::uint32_t length, std::uint32_t priority) {
  return std::uint64_t{1} << 61 | std::uint64_t{priority} << 32 | length;
}
[[nodiscard]] constexpr std::uint64_t control_frame(std::uint32_t xoff, std::uint32_t xon) {
  return std::uint64_t{1} << 62 | std::uint64_t{xoff} << 8 | xon;
}
/// "idle", "1024B:p3", "PFC:XOFF=3,4:XON=0"; "open", "closing", "paused".
[[nodiscard]] std::string wave_text(WaveKind kind, std::uint64_t value);

/// The variables: declared in the order of the hierarchy, then set; written on change only, once
/// for all changes at one time.
class WaveTree {
 public:
  /// Means a variable outside the requested scope.
  static constexpr std::uint32_t none = 0;

  /// `scope`: only variables whose full name matches; empty: all.
  /// `interrupted`: as in WaveOptions. Errors: WaveInterrupted from add().
  WaveTree(WaveWriter& writer, std::string scope, std::function<bool()> interrupted)
      : writer_{writer}, scope_{std::move(scope)}, interrupted_{std::move(interrupted)} {}

  /// Declares `name` in `path` ("tor.port[3].pg[3]"), beginning with value 0.
  [[nodiscard]] std::uint32_t add(const std::string& path, std::string_view name, unsigned bits,
                                  WaveKind kind = WaveKind::integer);
  /// Another name of `original`; the first one within the scope if that is none.
  [[nodiscard]] std::uint32_t add_alias(const std::string& path, std::string_view name,
                                        unsigned bits, std::uint32_t original);
  void end_of_hierarchy();
  /// Full names of all that is declared, and their bits; 0: text.
  [[nodiscard]] const std::map<std::string, unsigned>& names() const noexcept { return names_; }

  void set(std::uint32_t variable, std::uint64_t value) {
    Variable& entry = variables_[variable];
    if (entry.value == value) return;
    entry.value = value;
    if (entry.dirty) return;
    entry.dirty = true;
    dirty_.push_back(variable);
  }
  [[nodiscard]] std::uint64_t value(std::uint32_t variable) const {
    return variables_[variable].value;
  }
  /// Writes what has changed, as of `now`.
  void write_changes(Picoseconds now);
  /// Discards the changes: nothing is written yet.
  void drop_changes() noexcept;
  /// Writes all values, as of `now`.
  void write_all(Picoseconds now);

 private:
  struct Variable {
    std::uint64_t value{0}, written{0};
    WaveWriter::Variable writer{0};
    WaveKind kind{WaveKind::integer};
    bool dirty{false}, declared{false};
  };

  [[nodiscard]] bool wanted(const std::string& path, std::string_view name) const;
  void enter(const std::string& path);
  [[nodiscard]] std::string_view text_of(const Variable& variable);
  void write(Variable& variable);

  WaveWriter& writer_;
  const std::string scope_;
  const std::function<bool()> interrupted_;
  std::vector<std::string> open_;  // scopes
  std::vector<Variable> variables_{Variable{}};
  std::vector<std::uint32_t> dirty_;
  std::map<std::string, unsigned> names_;
  std::unordered_map<std::uint64_t, std::string> texts_;  // of values
  std::array<std::pair<std::uint64_t, const std::string*>, 64> recent_{};
};

}  // namespace weir

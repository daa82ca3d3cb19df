// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdexcept>
#include <string>
#include <string_view>

#include "weir/core/errors.hpp"

// What any input may do to a reader: it is taken, or refused with the project's own error.
namespace weir::fuzz {

/// A reader has done what none may: the finding of a fuzzer.
class Broken : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws Broken with `what` unless `good`.
void require(bool good, const std::string& what);

/// Whether a terminal shows `text` as it is: valid UTF-8 without control characters and without
/// those that turn the direction of text. Written from the standards, not from printable().
[[nodiscard]] bool is_plain_text(std::string_view text) noexcept;

/// Errors: Broken when a message says nothing, or would command the terminal where main() prints
/// it.
void check_message(std::string_view message);

/// Why `read` refuses its input with a ConfigError; empty when it takes it. Errors: Broken for a
/// message that is wrong; whatever else `read` throws, a ModelError too, passes and is a finding.
template <class F>
[[nodiscard]] std::string refusal(F&& read) {
  try {
    read();
    return {};
  } catch (const ConfigError& refused) {
    check_message(refused.what());
    return refused.what();
  }
}

/// Whether `read` takes its input. Errors: as refusal().
template <class F>
[[nodiscard]] bool taken(F&& read) {
  return refusal(read).empty();
}

}  // namespace weir::fuzz

// SPDX-License-Identifier: Apache-2.0
#include "weir/core/printable.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace weir {
namespace {

struct Character {
  std::uint32_t code{0};
  std::size_t length{1};  // in bytes
  bool valid{false};
};

std::size_t length_of(unsigned char first) {
  if (first < 0x80) return 1;
  if (0xc2 <= first && first <= 0xdf) return 2;
  if (0xe0 <= first && first <= 0xef) return 3;
  if (0xf0 <= first && first <= 0xf4) return 4;
  return 0;
}

// The first character of a text that is not empty.
Character first_of(std::string_view text) {
  constexpr std::array<std::uint32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = length_of(byte(0));
  if (length == 1) return {byte(0), 1, true};
  if (length == 0 || text.size() < length) return {};
  std::uint32_t code = byte(0) & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fU);
  }
  const bool surrogate = 0xd800 <= code && code <= 0xdfff;
  if (code < least[length] || 0x10ffff < code || surrogate) return {};
  return {code, length, true};
}

bool is_control(std::uint32_t code) {
  if (code < 0x20 || (0x7f <= code && code <= 0x9f)) return true;
  return code == 0x61c || code == 0x200e || code == 0x200f || (0x202a <= code && code <= 0x202e) ||
         (0x2066 <= code && code <= 0x2069);
}

bool is_plain(char letter) { return ' ' <= letter && letter <= '~'; }

// `replaced` appends what a control character, or a byte that is no UTF-8, becomes.
template <class Replace>
std::string replaced(std::string_view text, Replace&& replace) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto plain = static_cast<std::size_t>(
        std::find_if_not(text.begin(), text.end(), is_plain) - text.begin());
    out.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) break;
    const Character letter = first_of(text);
    if (letter.valid && !is_control(letter.code))
      out.append(text.substr(0, letter.length));
    else
      replace(out, letter);
    text.remove_prefix(letter.length);
  }
  return out;
}

std::string with_question_marks(std::string_view text, char newline) {
  return replaced(text, [newline](std::string& out, const Character& letter) {
    if (letter.valid && letter.code == '\n')
      out += newline;
    else
      out += letter.valid && letter.code == '\t' ? ' ' : '?';
  });
}

}  // namespace

std::string printable(std::string_view text) { return with_question_marks(text, '\n'); }

std::string printable_line(std::string_view text) { return with_question_marks(text, ' '); }

std::string printable_json(std::string_view json) {
  constexpr std::string_view digits = "0123456789abcdef";
  return replaced(json, [&](std::string& out, const Character& letter) {
    if (letter.valid && letter.code == '\n') {
      out += '\n';
      return;
    }
    const std::uint32_t code = letter.valid ? letter.code : 0xfffd;
    out += "\\u";
    for (int shift = 12; 0 <= shift; shift -= 4) out += digits[code >> shift & 0xfU];
  });
}

}  // namespace weir

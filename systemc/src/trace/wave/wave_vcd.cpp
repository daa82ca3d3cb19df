// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <charconv>
#include <cstring>
#include <vector>

#include "wave_digits.hpp"
#include "wave_formats.hpp"
#include "weir/core/bits.hpp"
#include "weir/core/errors.hpp"

namespace weir {
namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 18;
constexpr std::size_t max_per_value = 512;  // longest line of a value

// "00" to "99", one after another.
constexpr std::array<char, 200> two_digits = [] {
  std::array<char, 200> table{};
  for (std::size_t i = 0; i < table.size(); ++i)
    table[i] = static_cast<char>('0' + (i % 2 == 0 ? i / 20 : i / 2 % 10));
  return table;
}();

// Own buffer and own digits: a value costs some nanoseconds.
class VcdWriter final : public WaveWriter {
 public:
  explicit VcdWriter(OutputFile file) : file_{std::move(file)}, buffer_(buffer_size) {
    put("$version Weir $end\n$timescale 1ps $end\n");
  }

  void push_scope(std::string_view name) override { line({"$scope module ", name, " $end\n"}); }
  void pop_scope() override { put("$upscope $end\n"); }
  Variable add_integer(std::string_view name, unsigned bits) override {
    const Variable variable = add_code(bits);
    declare(name, bits, variable);
    return variable;
  }
  Variable add_text(std::string_view name) override {
    const Variable variable = add_code(0);
    line({"$var string 1 ", code_of(variable), " ", name, " $end\n"});
    return variable;
  }
  void add_alias(std::string_view name, unsigned bits, Variable variable) override {
    declare(name, bits, variable);
  }
  void end_of_hierarchy() override { put("$enddefinitions $end\n"); }

  void time(Picoseconds now) override {
    char* to = room();
    *to++ = '#';
    // Only the last eight digits change all the time.
    constexpr std::uint64_t often = 100'000'000;
    const std::uint64_t seldom = now.count() / often;
    if (seldom == 0) {
      to = std::to_chars(to, to + 8, now.count()).ptr;
    } else {
      if (seldom != seldom_) {
        seldom_ = seldom;
        seldom_end_ = std::to_chars(seldom_digits_.begin(), seldom_digits_.end(), seldom).ptr;
      }
      std::memcpy(to, seldom_digits_.data(), seldom_digits_.size());
      to = put_eight(to + (seldom_end_ - seldom_digits_.data()),
                     static_cast<std::uint32_t>(now.count() % often));
    }
    *to++ = '\n';
    used_ = to;
  }
  void integer(Variable variable, std::uint64_t value) override {
    char* to = room();
    const Code& code = codes_[variable];
    if (code.bits == 1) {
      *to++ = value != 0 ? '1' : '0';
      std::memcpy(to, code.line_end.data() + 1, code.line_end.size() - 1);
      used_ = to + code.length - 1;
      return;
    }
    *to++ = 'b';
    to = put_digits(to, value, highest_bit(value | 1) + 1);  // without leading zeros
    std::memcpy(to, code.line_end.data(), code.line_end.size());
    used_ = to + code.length;
  }
  void text(Variable variable, std::string_view value) override {
    char* to = room();
    const Code& code = codes_[variable];
    *to++ = 's';
    value = value.substr(0, max_per_value / 2);
    std::memcpy(to, value.data(), value.size());
    to += value.size();
    std::memcpy(to, code.line_end.data(), code.line_end.size());
    used_ = to + code.length;
  }
  void complete() override { flush(); }
  void commit() override { file_.commit(); }

 private:
  /// What ends the line of a value: a blank, the code of the variable, a new line.
  struct Code {
    std::array<char, 8> line_end{' '};
    std::uint8_t length{1};
    std::uint8_t bits{0};
  };

  Variable add_code(unsigned bits) {
    constexpr unsigned first = '!', count = '~' - '!' + 1;
    Code code;
    code.bits = static_cast<std::uint8_t>(bits);
    std::size_t left = codes_.size();
    do {
      code.line_end[code.length++] = static_cast<char>(first + left % count);
      left /= count;
    } while (left-- != 0);
    code.line_end[code.length++] = '\n';
    codes_.push_back(code);
    return static_cast<Variable>(codes_.size() - 1);
  }
  [[nodiscard]] std::string_view code_of(Variable variable) const {
    return {codes_[variable].line_end.data() + 1, codes_[variable].length - std::size_t{2}};
  }
  void declare(std::string_view name, unsigned bits, Variable variable) {
    const std::string range = bits == 1 ? "" : " [" + std::to_string(bits - 1) + ":0]";
    line({"$var wire ", std::to_string(bits), " ", code_of(variable), " ", name, range, " $end\n"});
  }
  void line(std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts) put(part);
  }
  void put(std::string_view text) {
    for (const char c : text) {
      if (used_ == end()) flush();
      *used_++ = c;
    }
  }
  static char* put_eight(char* to, std::uint32_t value) noexcept {
    const std::uint32_t high = value / 10'000, low = value % 10'000;
    for (const std::uint32_t pair : {high / 100, high % 100, low / 100, low % 100}) {
      std::memcpy(to, &two_digits[2 * std::size_t{pair}], 2);
      to += 2;
    }
    return to;
  }
  [[nodiscard]] const char* end() const noexcept { return buffer_.data() + buffer_.size(); }
  // Room for the longest value and its end of line.
  char* room() {
    if (end() - used_ < static_cast<std::ptrdiff_t>(max_per_value)) flush();
    return used_;
  }
  void flush() {
    const auto size = static_cast<std::size_t>(used_ - buffer_.data());
    file_.write({buffer_.data(), size});
    used_ = buffer_.data();
  }

  OutputFile file_;
  std::vector<char> buffer_;
  char* used_{buffer_.data()};
  std::uint64_t seldom_{0};
  std::array<char, 16> seldom_digits_{};
  const char* seldom_end_{nullptr};
  std::vector<Code> codes_;
};

}  // namespace

std::unique_ptr<WaveWriter> make_vcd_writer(OutputFile file) {
  return std::make_unique<VcdWriter>(std::move(file));
}

}  // namespace weir

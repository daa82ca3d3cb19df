// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdio>
#include <vector>

#include "wave_formats.hpp"
#include "weir/core/errors.hpp"

namespace weir {
namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 18;
constexpr std::size_t most_per_value = 512;  // longest line of a value

// Own buffer and own digits: a value costs tens of nanoseconds.
class VcdWriter final : public WaveWriter {
 public:
  explicit VcdWriter(std::FILE* file) : file_{file}, buffer_(buffer_size) {
    put("$version Weir $end\n$timescale 1ps $end\n");
  }
  ~VcdWriter() override {
    if (file_ != nullptr) std::fclose(file_);
  }
  VcdWriter(const VcdWriter&) = delete;
  VcdWriter& operator=(const VcdWriter&) = delete;

  void push_scope(std::string_view name) override { line({"$scope module ", name, " $end\n"}); }
  void pop_scope() override { put("$upscope $end\n"); }
  Variable add_integer(std::string_view name, unsigned bits) override {
    const Variable variable = add_code();
    bits_.back() = bits;
    declare(name, bits, variable);
    return variable;
  }
  Variable add_text(std::string_view name) override {
    const Variable variable = add_code();
    line({"$var string 1 ", code_of(variable), " ", name, " $end\n"});
    return variable;
  }
  void add_alias(std::string_view name, unsigned bits, Variable variable) override {
    declare(name, bits, variable);
  }
  void end_of_hierarchy() override { put("$enddefinitions $end\n"); }

  void time(Picoseconds now) override {
    room();
    buffer_[used_++] = '#';
    put_number(now.count());
    buffer_[used_++] = '\n';
  }
  void integer(Variable variable, std::uint64_t value) override {
    room();
    if (bits_[variable] == 1) {
      buffer_[used_++] = value != 0 ? '1' : '0';
    } else {
      buffer_[used_++] = 'b';
      put_binary(value);
      buffer_[used_++] = ' ';
    }
    put_code(variable);
  }
  void text(Variable variable, std::string_view value) override {
    room();
    buffer_[used_++] = 's';
    for (const char c : value.substr(0, most_per_value / 2)) buffer_[used_++] = c;
    buffer_[used_++] = ' ';
    put_code(variable);
  }
  void close() override {
    flush();
    const bool good = std::fclose(file_) == 0 && !failed_;
    file_ = nullptr;
    if (!good) throw ModelError("the waveform cannot be written: is the disk full?");
  }

 private:
  struct Code {
    std::array<char, 7> characters{};
    std::uint8_t length{0};
  };

  Variable add_code() {
    constexpr unsigned first = '!', count = '~' - '!' + 1;
    Code code;
    std::size_t left = codes_.size();
    do {
      code.characters[code.length++] = static_cast<char>(first + left % count);
      left /= count;
    } while (left-- != 0);
    codes_.push_back(code);
    bits_.push_back(0);
    return static_cast<Variable>(codes_.size() - 1);
  }
  [[nodiscard]] std::string_view code_of(Variable variable) const {
    return {codes_[variable].characters.data(), codes_[variable].length};
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
      if (used_ == buffer_.size()) flush();
      buffer_[used_++] = c;
    }
  }
  void put_code(Variable variable) {
    const Code& code = codes_[variable];
    for (unsigned i = 0; i < code.length; ++i) buffer_[used_++] = code.characters[i];
    buffer_[used_++] = '\n';
  }
  void put_number(std::uint64_t value) {
    std::array<char, 20> digits;
    std::size_t count = 0;
    do digits[count++] = static_cast<char>('0' + value % 10);
    while ((value /= 10) != 0);
    while (count != 0) buffer_[used_++] = digits[--count];
  }
  // Without leading zeros.
  void put_binary(std::uint64_t value) {
    unsigned bits = 1;
    while (bits < 64 && value >> bits != 0) ++bits;
    while (bits != 0) buffer_[used_++] = static_cast<char>('0' + (value >> --bits & 1U));
  }
  void room() {
    if (buffer_.size() - used_ < most_per_value) flush();
  }
  void flush() {
    failed_ = failed_ || std::fwrite(buffer_.data(), 1, used_, file_) != used_;
    used_ = 0;
  }

  std::FILE* file_;
  std::vector<char> buffer_;
  std::size_t used_{0};
  bool failed_{false};
  std::vector<Code> codes_;
  std::vector<unsigned> bits_;
};

}  // namespace

std::unique_ptr<WaveWriter> make_vcd_writer(const std::string& file) {
  std::FILE* stream = std::fopen(file.c_str(), "wb");
  return stream == nullptr ? nullptr : std::make_unique<VcdWriter>(stream);
}

}  // namespace weir

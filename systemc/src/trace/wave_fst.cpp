// SPDX-License-Identifier: Apache-2.0
#include <fstapi.h>
#include <zlib.h>

#include <array>
#include <cstring>
#include <vector>

#include "wave_formats.hpp"
#include "weir/core/errors.hpp"

// The library compresses time stamps with zlib's slowest level, a quarter of the cost of a
// waveform; its calls are renamed (CMakeLists.txt) and end here.
extern "C" int weir_compress2(Bytef* to, uLongf* to_length, const Bytef* from, uLong length, int) {
  return compress2(to, to_length, from, length, Z_BEST_SPEED);
}

namespace weir {
namespace {

// Eight binary digits of every octet.
constexpr std::array<std::array<char, 8>, 256> digits_of = [] {
  std::array<std::array<char, 8>, 256> table{};
  for (std::size_t octet = 0; octet < table.size(); ++octet)
    for (std::size_t bit = 0; bit < 8; ++bit)
      table[octet][bit] = (octet >> (7 - bit) & 1U) != 0 ? '1' : '0';
  return table;
}();

class FstWriter final : public WaveWriter {
 public:
  explicit FstWriter(void* context) : context_{context} {
    // The library would put the time of day there.
    fstWriterSetDate(context_, "");
    fstWriterSetVersion(context_, "Weir");
    fstWriterSetTimescale(context_, -12);
    fstWriterSetPackType(context_, FST_WR_PT_LZ4);
  }
  ~FstWriter() override {
    if (context_ != nullptr) fstWriterClose(context_);
  }
  FstWriter(const FstWriter&) = delete;
  FstWriter& operator=(const FstWriter&) = delete;

  void push_scope(std::string_view name) override {
    fstWriterSetScope(context_, FST_ST_VCD_MODULE, std::string{name}.c_str(), nullptr);
  }
  void pop_scope() override { fstWriterSetUpscope(context_); }
  Variable add_integer(std::string_view name, unsigned bits) override {
    return remember(create(FST_VT_VCD_WIRE, name, bits, 0), bits);
  }
  Variable add_text(std::string_view name) override {
    return remember(create(FST_VT_GEN_STRING, name, 0, 0), 0);
  }
  void add_alias(std::string_view name, unsigned bits, Variable variable) override {
    create(FST_VT_VCD_WIRE, name, bits, variables_[variable].handle);
  }
  void end_of_hierarchy() override {}

  void time(Picoseconds now) override { fstWriterEmitTimeChange(context_, now.count()); }
  void integer(Variable variable, std::uint64_t value) override {
    const Entry& entry = variables_[variable];
    std::array<char, 64> digits;
    const unsigned octets = (entry.bits + 7) / 8;
    for (unsigned i = 0; i < octets; ++i)
      std::memcpy(&digits[8 * (octets - 1 - i)], digits_of[value >> 8 * i & 0xffU].data(), 8);
    fstWriterEmitValueChange(context_, entry.handle, &digits[8 * octets - entry.bits]);
  }
  void text(Variable variable, std::string_view value) override {
    fstWriterEmitVariableLengthValueChange(context_, variables_[variable].handle, value.data(),
                                           static_cast<std::uint32_t>(value.size()));
  }
  void close() override {
    const bool failed = fstWriterGetFseekFailed(context_) != 0;
    fstWriterClose(context_);
    context_ = nullptr;
    if (failed) throw ModelError("the waveform cannot be written: is the disk full?");
  }

 private:
  struct Entry {
    fstHandle handle;
    unsigned bits;
  };

  fstHandle create(fstVarType type, std::string_view name, unsigned bits, fstHandle alias) {
    const std::string range = bits <= 1 ? "" : " [" + std::to_string(bits - 1) + ":0]";
    return fstWriterCreateVar(context_, type, FST_VD_IMPLICIT, bits,
                              (std::string{name} + range).c_str(), alias);
  }
  Variable remember(fstHandle handle, unsigned bits) {
    variables_.push_back({handle, bits});
    return static_cast<Variable>(variables_.size() - 1);
  }

  void* context_;
  std::vector<Entry> variables_;
};

}  // namespace

std::unique_ptr<WaveWriter> make_fst_writer(const std::string& file) {
  void* context = fstWriterCreate(file.c_str(), 1);
  return context == nullptr ? nullptr : std::make_unique<FstWriter>(context);
}

}  // namespace weir

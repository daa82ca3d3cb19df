// SPDX-License-Identifier: Apache-2.0
#include <fstapi.h>
#include <zlib.h>

#include <array>
#include <cstdio>
#include <vector>

#include "wave_digits.hpp"
#include "wave_formats.hpp"
#include "weir/core/errors.hpp"

// Two calls of the library are renamed (CMakeLists.txt) and end here: each was a quarter of the
// cost of a waveform. It compresses time stamps with zlib's slowest level, and it writes them to a
// temporary file, two or three octets a call (and never looks whether that went well).
extern "C" int weir_compress2(Bytef* to, uLongf* to_length, const Bytef* from, uLong length, int) {
  return compress2(to, to_length, from, length, Z_BEST_SPEED);
}
extern "C" std::size_t weir_fwrite(const void* from, std::size_t size, std::size_t count,
                                   std::FILE* file) {
  constexpr std::size_t few = 10;
  if (size * count > few) return std::fwrite(from, size, count, file);
  const auto* octet = static_cast<const unsigned char*>(from);
  for (const unsigned char* const end = octet + size * count; octet != end; ++octet)
    putc_unlocked(*octet, file);
  return count;
}

namespace weir {
namespace {

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
    put_octets(digits.data(), value, entry.octets);
    fstWriterEmitValueChange(context_, entry.handle, digits.data() + entry.left_out);
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
    std::uint8_t octets, left_out;  // digits of so many octets, but for the first ones
  };

  fstHandle create(fstVarType type, std::string_view name, unsigned bits, fstHandle alias) {
    const std::string range = bits <= 1 ? "" : " [" + std::to_string(bits - 1) + ":0]";
    return fstWriterCreateVar(context_, type, FST_VD_IMPLICIT, bits,
                              (std::string{name} + range).c_str(), alias);
  }
  Variable remember(fstHandle handle, unsigned bits) {
    const unsigned octets = (bits + 7) / 8;
    variables_.push_back(
        {handle, static_cast<std::uint8_t>(octets), static_cast<std::uint8_t>(8 * octets - bits)});
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

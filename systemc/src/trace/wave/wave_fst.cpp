// SPDX-License-Identifier: Apache-2.0
#include <fstapi.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <vector>

#include "wave_digits.hpp"
#include "wave_formats.hpp"
#include "weir/core/errors.hpp"

// Five calls of the library are renamed (CMakeLists.txt) and end here. It compresses time stamps
// with zlib's slowest level, and it writes them to a temporary file, two or three octets a call:
// each was a quarter of the cost of a waveform. And it never looks whether a write went well, but
// maps what it has not written into memory later: so a failure ends it here (it is compiled as
// C++).
namespace {
void check_written(bool good) {
  if (!good) throw weir::ModelError("the waveform cannot be written: is the disk full?");
}
}  // namespace
extern "C" int weir_compress2(Bytef* to, uLongf* to_length, const Bytef* from, uLong length, int) {
  return compress2(to, to_length, from, length, Z_BEST_SPEED);
}
extern "C" std::size_t weir_fwrite(const void* from, std::size_t size, std::size_t count,
                                   std::FILE* file) {
  constexpr std::size_t few = 10;
  if (size * count > few) {
    check_written(std::fwrite(from, size, count, file) == count);
    return count;
  }
  const auto* octet = static_cast<const unsigned char*>(from);
  for (const unsigned char* const end = octet + size * count; octet != end; ++octet)
    if (putc_unlocked(*octet, file) == EOF) check_written(false);
  return count;
}
extern "C" int weir_fflush(std::FILE* file) {
  check_written(std::fflush(file) == 0);
  return 0;
}
// Both write first what is still in the buffer.
extern "C" int weir_fseeko(std::FILE* file, off_t offset, int from) {
  check_written(fseeko(file, offset, from) == 0);
  return 0;
}
extern "C" int weir_fclose(std::FILE* file) {
  check_written(std::fclose(file) == 0);
  return 0;
}

namespace weir {
namespace {

// Whether the blocks of the file reach its end exactly and one of them is the hierarchy, the last
// to be written: the library does not look at what became of its writes.
bool is_whole(const std::filesystem::path& path) {
  std::ifstream in{path, std::ios::binary};
  bool hierarchy = false;
  std::array<unsigned char, 9> head{};  // the kind, and the length of the rest in big-endian octets
  while (in.read(reinterpret_cast<char*>(head.data()), head.size())) {
    std::uint64_t length = 0;
    for (std::size_t k = 1; k < head.size(); ++k) length = length << 8 | head[k];
    if (length < 8) return false;
    hierarchy = hierarchy || head[0] == FST_BL_HIER || head[0] == FST_BL_HIER_LZ4 ||
                head[0] == FST_BL_HIER_LZ4DUO;
    if (length == 8) continue;
    in.seekg(static_cast<std::streamoff>(length - 9), std::ios::cur);
    if (in.get() == std::ifstream::traits_type::eof()) return false;
  }
  return in.gcount() == 0 && hierarchy;
}

class FstWriter final : public WaveWriter {
 public:
  FstWriter(OutputFile file, std::filesystem::path path, void* context)
      : file_{std::move(file)}, path_{std::move(path)}, context_{context} {
    // The library would put the time of day there.
    fstWriterSetDate(context_, "");
    fstWriterSetVersion(context_, "Weir");
    fstWriterSetTimescale(context_, -12);
    fstWriterSetPackType(context_, FST_WR_PT_LZ4);
  }
  ~FstWriter() override {
    if (context_ == nullptr) return;
    try {
      fstWriterClose(context_);
    } catch (const ModelError&) {
      // The run has failed already: this file is removed.
    }
  }
  FstWriter(const FstWriter&) = delete;
  FstWriter& operator=(const FstWriter&) = delete;

  void push_scope(std::string_view name) override {
    guarded([&] {
      fstWriterSetScope(context_, FST_ST_VCD_MODULE, std::string{name}.c_str(), nullptr);
    });
  }
  void pop_scope() override {
    guarded([&] { fstWriterSetUpscope(context_); });
  }
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

  void time(Picoseconds now) override {
    if (std::max(min_block, values_) <= in_block_) {
      guarded([&] { fstWriterFlushContext(context_); });
      in_block_ = 0;
    }
    guarded([&] { fstWriterEmitTimeChange(context_, now.count()); });
  }
  void integer(Variable variable, std::uint64_t value) override {
    const Entry& entry = variables_[variable];
    in_block_ += octets_of_change + 8U * entry.octets;
    std::array<char, 64> digits;
    put_octets(digits.data(), value, entry.octets);
    guarded(
        [&] { fstWriterEmitValueChange(context_, entry.handle, digits.data() + entry.left_out); });
  }
  void text(Variable variable, std::string_view value) override {
    in_block_ += octets_of_change + value.size();
    guarded([&] {
      fstWriterEmitVariableLengthValueChange(context_, variables_[variable].handle, value.data(),
                                             static_cast<std::uint32_t>(value.size()));
    });
  }
  void complete() override {
    const bool failed = fstWriterGetFseekFailed(context_) != 0;
    guarded([&] { fstWriterClose(context_); });
    context_ = nullptr;
    check_written(!failed && is_whole(path_));
  }
  void commit() override { file_.commit(); }

 private:
  // A block is packed at once, and begins with all values: it is no smaller than these,
  // and small enough that its end can be waited for. The library's own limit depends on the memory
  // of the machine.
  static constexpr std::uint64_t min_block = std::uint64_t{1} << 24, octets_of_change = 8;

  struct Entry {
    fstHandle handle;
    std::uint8_t octets, left_out;  // digits of so many octets, but for the first ones
  };

  // After a write that failed the library is left alone: what it has half done it cannot complete.
  template <class F>
  void guarded(F&& f) {
    try {
      f();
    } catch (const ModelError&) {
      context_ = nullptr;
      throw;
    }
  }
  fstHandle create(fstVarType type, std::string_view name, unsigned bits, fstHandle alias) {
    const std::string range = bits <= 1 ? "" : " [" + std::to_string(bits - 1) + ":0]";
    fstHandle handle = 0;
    guarded([&] {
      handle = fstWriterCreateVar(context_, type, FST_VD_IMPLICIT, bits,
                                  (std::string{name} + range).c_str(), alias);
    });
    return handle;
  }
  Variable remember(fstHandle handle, unsigned bits) {
    const unsigned octets = (bits + 7) / 8;
    values_ += bits;
    variables_.push_back(
        {handle, static_cast<std::uint8_t>(octets), static_cast<std::uint8_t>(8 * octets - bits)});
    return static_cast<Variable>(variables_.size() - 1);
  }

  OutputFile file_;
  const std::filesystem::path path_;  // where the library writes it
  void* context_;
  std::vector<Entry> variables_;
  std::uint64_t values_{0};    // octets of one value of each variable, a digit an octet
  std::uint64_t in_block_{0};  // octets of changes since the last block, about
};

}  // namespace

std::unique_ptr<WaveWriter> make_fst_writer(OutputFile file) {
  std::filesystem::path path = file.path_for_library();
  void* context = fstWriterCreate(path.c_str(), 1);
  if (context == nullptr) return nullptr;
  return std::make_unique<FstWriter>(std::move(file), std::move(path), context);
}

}  // namespace weir

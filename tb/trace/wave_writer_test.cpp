// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/wave/wave_writer.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>

#include "support/program.hpp"
#include "support/vcd_reader.hpp"
#include "weir/core/errors.hpp"

namespace weir::wave_writer_test {
namespace {

namespace fs = std::filesystem;

class WaveWriters : public test::InFolder {
 protected:
  // Files of this process may have `octets` from here on.
  static void limit_files(rlim_t octets) {
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{};
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = std::min(octets, limit.rlim_max);
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  static void write_wave(const std::string& file, int count = 2'000, std::uint64_t steps = 50) {
    const std::unique_ptr<WaveWriter> writer = make_wave_writer(file, NamedBy::user);
    writer->push_scope("top");
    std::vector<WaveWriter::Variable> variables;
    for (int i = 0; i < count; ++i)
      variables.push_back(writer->add_integer("a_name_of_some_length_" + std::to_string(i), 32));
    writer->pop_scope();
    writer->end_of_hierarchy();
    std::uint64_t value = 1;
    for (std::uint64_t time = 0; time < steps; ++time) {
      writer->time(Picoseconds{time * 1'000});
      for (const WaveWriter::Variable variable : variables)
        writer->integer(variable, (value = value * 6'364'136'223'846'793'005U + 1) >> 32);
    }
    writer->complete();
    writer->commit();
  }
  // Blocks of value changes: each section begins with its kind and, in big-endian octets, its
  // length.
  static std::size_t blocks_of(const std::string& file) {
    std::ifstream in{file, std::ios::binary};
    std::size_t blocks = 0;
    for (int kind = in.get(); kind != std::ifstream::traits_type::eof(); kind = in.get()) {
      constexpr int value_changes = 1;  // FST_BL_VCDATA
      if (kind == value_changes) ++blocks;
      std::uint64_t length = 0;
      for (int k = 0; k < 8; ++k) length = length << 8 | static_cast<unsigned>(in.get());
      in.seekg(static_cast<std::streamoff>(length - 8), std::ios::cur);
    }
    return blocks;
  }
};

// The end of a file packs one block: it takes the same time after a run of any length.
TEST_F(WaveWriters, AnFstIsPackedBlockByBlockAndHoldsWhatTheVcdHolds) {
  constexpr int count = 100;
  constexpr std::uint64_t steps = 12'000;  // 40 octets a change: 48 MB
  for (const char* const name : {"w.vcd", "w.fst"}) write_wave(at(name), count, steps);
  EXPECT_EQ(blocks_of(at("w.fst")), 3U);
  const test::VcdReader vcd = test::VcdReader::from_file(at("w.vcd"));
  const test::VcdReader fst = test::VcdReader::from_fst(at("w.fst"));
  for (int i = 0; i < count; ++i) {
    const std::string name = "top.a_name_of_some_length_" + std::to_string(i);
    const auto a = vcd.changes(name), b = fst.changes(name);
    ASSERT_EQ(a.size(), steps) << name;
    ASSERT_EQ(b.size(), steps) << name;
    for (std::size_t n = 0; n < a.size(); ++n) {
      ASSERT_EQ(a[n].time, b[n].time) << name;
      ASSERT_EQ(a[n].value, b[n].value) << name << " at " << a[n].time;
    }
  }
}

TEST_F(WaveWriters, AFileThatDoesNotFitIsAnErrorAndLeavesNothing) {
  for (const char* const name : {"w.vcd", "w.fst"}) {
    write_wave(at(name));
    const auto whole = static_cast<rlim_t>(fs::file_size(at(name)));
    fs::remove(at(name));
    for (const rlim_t part : {whole / 1'000, whole / 100, whole / 10, whole / 2, whole - 1}) {
      limit_files(part);
      EXPECT_THROW(write_wave(at(name)), ModelError) << name << " in " << part << " of " << whole;
      limit_files(RLIM_INFINITY);
      EXPECT_TRUE(fs::is_empty(at(""))) << name << " in " << part << " of " << whole;
    }
  }
}

}  // namespace
}  // namespace weir::wave_writer_test

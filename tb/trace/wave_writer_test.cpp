// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/wave/wave_writer.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "support/program.hpp"
#include "weir/core/errors.hpp"

namespace weir {
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
  static void write_wave(const std::string& file) {
    const std::unique_ptr<WaveWriter> writer = make_wave_writer(file);
    writer->push_scope("top");
    std::vector<WaveWriter::Variable> variables;
    for (int i = 0; i < 2'000; ++i)
      variables.push_back(writer->add_integer("a_name_of_some_length_" + std::to_string(i), 32));
    writer->pop_scope();
    writer->end_of_hierarchy();
    std::uint64_t value = 1;
    for (std::uint64_t time = 0; time < 50; ++time) {
      writer->time(Picoseconds{time * 1'000});
      for (const WaveWriter::Variable variable : variables)
        writer->integer(variable, (value = value * 6'364'136'223'846'793'005U + 1) >> 32);
    }
    writer->close();
  }
};

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
}  // namespace weir

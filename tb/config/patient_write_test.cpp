// SPDX-License-Identifier: Apache-2.0
#include "weir/config/files/patient_write.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <string>
#include <thread>

namespace weir::patient_write_test {
namespace {

// A pipe of one page; nothing reads it but read_all().
class Pipe {
 public:
  Pipe() {
    EXPECT_EQ(pipe(ends_), 0);
    EXPECT_EQ(fcntl(ends_[1], F_SETPIPE_SZ, 4096), 4096);
  }
  ~Pipe() {
    end_reading();
    end_writing();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  [[nodiscard]] int in() const { return ends_[1]; }
  void end_reading() { end(ends_[0]); }
  void end_writing() { end(ends_[1]); }
  [[nodiscard]] std::string read_all() const {
    std::string all(1'000'000, '\0');
    std::size_t size = 0;
    for (ssize_t count; (count = read(ends_[0], &all[size], all.size() - size)) > 0;)
      size += static_cast<std::size_t>(count);
    return all.substr(0, size);
  }

 private:
  static void end(int& descriptor) {
    if (descriptor >= 0) close(descriptor);
    descriptor = -1;
  }
  int ends_[2]{-1, -1};
};

const std::string page(4096, 'p');

// Each test is a process of its own: a hurry does not end.
TEST(PatientWrite, WaitsForAReaderAndWritesEverythingInOrder) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += std::to_string(i) + " ";
  Pipe pipe;
  std::string got;
  std::thread reader{[&] { got = pipe.read_all(); }};
  EXPECT_EQ(patient_write(pipe.in(), text), 0);
  pipe.end_writing();
  reader.join();
  EXPECT_TRUE(got == text);
}

TEST(PatientWrite, GivesUpWhatTakesNothingOnceOutputsHurryAndNothingElse) {
  const Pipe full, other;
  EXPECT_EQ(patient_write(full.in(), page), 0);
  EXPECT_FALSE(outputs_hurry());
  hurry_outputs();
  EXPECT_TRUE(outputs_hurry());
  EXPECT_EQ(patient_write(full.in(), "x"), ETIMEDOUT);
  EXPECT_EQ(patient_write(full.in(), "x"), ETIMEDOUT);
  EXPECT_EQ(patient_write(full.in(), ""), 0) << "nothing is to be written";
  EXPECT_EQ(patient_write(other.in(), page), 0) << "it has room";
  EXPECT_EQ(patient_write(other.in(), page), ETIMEDOUT);
}

TEST(PatientWrite, AHurryEndsAWaitThatHasBegun) {
  const Pipe full;
  EXPECT_EQ(patient_write(full.in(), page), 0);
  int failure = 0;
  std::thread writer{[&] { failure = patient_write(full.in(), "x"); }};
  hurry_outputs();
  writer.join();
  EXPECT_EQ(failure, ETIMEDOUT);
}

TEST(PatientWrite, NamesWhatIsWrong) {
  std::signal(SIGPIPE, SIG_IGN);
  Pipe without_reader;
  without_reader.end_reading();
  EXPECT_EQ(patient_write(without_reader.in(), "x"), EPIPE);
  EXPECT_EQ(patient_write(-1, "x"), EBADF);
  const int full_disk = open("/dev/full", O_WRONLY | O_CLOEXEC);
  EXPECT_EQ(patient_write(full_disk, "x"), ENOSPC);
  close(full_disk);
}

}  // namespace
}  // namespace weir::patient_write_test

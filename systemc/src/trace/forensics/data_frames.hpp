// SPDX-License-Identifier: Apache-2.0
// The data frames of captures in the order of time, read once more: none is kept longer than the
// stamps of its capture are out of order.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <queue>
#include <tuple>
#include <vector>

#include "weir/config/format/capture_file.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// A data frame that starts at a station.
struct DataFrame {
  Picoseconds start;
  std::size_t file{0};
  std::uint64_t number{0};  ///< In its file.
  std::size_t station{0};
  Priority priority;
  std::uint32_t length{0};
};

class DataFrames {
 public:
  /// A capture that has been read before.
  struct Source {
    std::filesystem::path file;
    Picoseconds
        disorder;  ///< By how much a stamp may be before one that comes earlier in the file.
  };
  /// The moment of a stamp.
  using Clock = std::function<Picoseconds(const CaptureStamp&)>;
  /// What is to be followed of a frame; its file and number are filled in.
  using Choice = std::function<std::optional<DataFrame>(std::size_t file, const CapturedFrame&)>;

  /// `ahead`: by how much a start may be before the stamp.
  DataFrames(std::vector<Source> sources, Picoseconds ahead, Clock clock, Choice choice);

  /// The next one; frames that start at one moment are in the order of files and numbers.
  [[nodiscard]] std::optional<DataFrame> next();
  /// How many were in memory at a time.
  [[nodiscard]] std::size_t max_held() const noexcept { return max_held_; }

 private:
  struct Open {
    CaptureFile capture;
    Picoseconds disorder;
    Picoseconds reached;  ///< The latest stamp so far.
    bool ended{false};
  };
  struct Later {
    bool operator()(const DataFrame& a, const DataFrame& b) const noexcept {
      return std::tie(b.start, b.file, b.number) < std::tie(a.start, a.file, a.number);
    }
  };

  [[nodiscard]] std::optional<std::size_t> least_advanced() const;
  [[nodiscard]] bool is_settled(const DataFrame& frame) const;
  void read(std::size_t file);

  std::vector<Open> open_;
  const Picoseconds ahead_;
  const Clock clock_;
  const Choice choice_;
  std::priority_queue<DataFrame, std::vector<DataFrame>, Later> held_;
  std::size_t max_held_{0};
};

}  // namespace weir

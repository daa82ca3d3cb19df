// SPDX-License-Identifier: Apache-2.0
// The values over time that a report shows, chosen from all that were recorded.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "history_record.hpp"
#include "json_tree_writer.hpp"

namespace weir {

/// A value over time, with what is said of it.
struct ShownValue {
  const std::string* node;
  const char* kind;
  std::string name;
  std::function<void(JsonTreeWriter&)> add_more;
  std::vector<SeriesPoint> points;
};

/// In the order of report.json, as coarse as they are shown.
class ShownValues {
 public:
  /// `end`: of the run.
  ShownValues(const HistoryRecord& record, Picoseconds end);

  [[nodiscard]] const std::vector<ShownValue>& all() const noexcept { return values_; }
  [[nodiscard]] std::uint64_t bucket_ps() const noexcept { return width_; }

 private:
  using RecordedNode = HistoryRecord::Node;

  template <class More>
  void collect(const std::string& node, const char* kind, std::string name, std::size_t series,
               More&& more);
  void collect_pools();
  void collect_groups();
  void collect_queues();
  void collect_holders();
  void collect_class(const RecordedNode& node, PoolIndex pool, std::size_t number, const char* what,
                     std::size_t series);
  void collect_band(const RecordedNode& node, PoolIndex pool, const std::string& band,
                    std::vector<SeriesPoint> points);
  void collect_limit(const std::string& node, const std::string& name, const Threshold& threshold,
                     std::size_t series);
  [[nodiscard]] std::size_t points() const;

  const HistoryRecord& record_;
  std::vector<ShownValue> values_;
  std::uint64_t width_;   // of a bucket of the values
  unsigned halvings_{0};  // of those that were recorded
};

/// "port[0].pg[3]"
[[nodiscard]] std::string group_name(PgIndex pg);
/// "port[0].queue[3]"
[[nodiscard]] std::string queue_name(QueueIndex queue);
/// "lossless, domain 0"
[[nodiscard]] std::string pool_name(const Chip& chip, PoolIndex pool);

}  // namespace weir

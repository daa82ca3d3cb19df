// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace weir {

/// A table of a page, row by row.
struct TableText {
  std::string id, caption;
  std::vector<std::string> head;

  /// `id` of the row, and where its first cell leads; empty: none.
  void begin_row(const std::string& id, const std::string& link);
  /// `order`: what the cell is sorted by.
  void add(const std::string& text, double order, bool number = false);
  /// Words to type; sorted by `order`.
  void add_command(const std::string& text, double order);
  [[nodiscard]] std::string html() const;

 private:
  std::string rows_, link_;
  bool first_{true};
};

}  // namespace weir

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "weir/core/chip.hpp"

namespace weir::test {

/// A table of vectors/blocks: `#` starts a comment line, the first other line names the columns.
/// Errors: std::runtime_error with file and line where a row and the header differ in their number
/// of fields.
struct CsvTable {
  struct Row {
    std::size_t line{0};
    std::map<std::string, std::string> fields;
    /// The number in a column; an empty field is an error.
    [[nodiscard]] std::uint64_t number(const std::string& column) const;
    [[nodiscard]] const std::string& text(const std::string& column) const;
    [[nodiscard]] bool empty(const std::string& column) const { return text(column).empty(); }
    /// "0+8+17" -> {0, 8, 17}; empty -> {}.
    [[nodiscard]] std::vector<std::size_t> list(const std::string& column) const;
  };
  std::vector<Row> rows;
};

[[nodiscard]] CsvTable read_csv(const std::string& path);

/// The chip of a <case>.chip.csv: rows `record,index,key,value`; keys that are not given keep their
/// default.
[[nodiscard]] Chip read_chip(const std::string& path);

/// Names of all cases in vectors/blocks, sorted.
[[nodiscard]] std::vector<std::string> step_vector_cases(const std::string& folder);

}  // namespace weir::test

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

// Pieces of a page.
namespace weir {

/// `text` as it may be between tags and in attributes: what a user wrote stays text.
[[nodiscard]] std::string escaped(std::string_view text);
/// In decimal digits.
void append_number(std::string& out, std::uint64_t number);

/// A table, row by row.
class HtmlTable {
 public:
  struct Column {
    std::string title;
    bool number{false};
  };
  /// `sorts`: heads are buttons that sort.
  explicit HtmlTable(std::vector<Column> columns, bool sorts = false);

  /// A cell of the next column; after the last one the next row begins.
  HtmlTable& text(std::string_view words);
  /// `words` as shown, `value` as sorted.
  HtmlTable& number(std::string_view words, double value);
  /// The same with HTML of our own.
  HtmlTable& html(std::string_view markup);

  /// The whole of it; the table is empty then.
  [[nodiscard]] std::string done();
  [[nodiscard]] bool empty() const noexcept { return !has_cells_; }

 private:
  void begin_cell();
  void end_cell(std::string_view words);

  const std::vector<Column> columns_;
  const bool sorts_;
  bool has_cells_{false};
  std::size_t column_{0};
  std::string text_;  // so far
};

/// What a page is made of.
struct PageParts {
  std::string title;  ///< As text.
  std::string body;   ///< HTML.
  /// Of page_assets.hpp; page_style comes before them.
  std::vector<const char*> styles, scripts;
  std::string data;  ///< JSON for the scripts, in the element `data`; empty: none.
};

/// Texts that follow each other; their owner keeps them.
using TextPieces = std::vector<std::string_view>;

/// The page in pieces, one call of `write` for each: `body` and `data` take the place of those in
/// `page`.
void write_html_page(const PageParts& page, const TextPieces& body, const TextPieces& data,
                     const std::function<void(std::string_view)>& write);
/// A whole page, for report, sweep and comparison alike. Nothing in it makes a request, and a
/// policy in its head keeps it so: scripts of page_assets.hpp run and no others, no handlers in
/// markup.
[[nodiscard]] std::string html_page(const PageParts& page);

}  // namespace weir

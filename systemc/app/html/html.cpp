// SPDX-License-Identifier: Apache-2.0
#include "html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "page_assets.hpp"

namespace weir {
namespace {

// JSON as it may be in a script element: no "<" in it.
void append_escaped_json(std::string& out, const std::string& json) {
  for (std::size_t from = 0; from < json.size();) {
    const std::size_t found = std::min(json.find('<', from), json.size());
    out.append(json, from, found - from);
    if (found < json.size()) out += "\\u003c";
    from = found + 1;
  }
}

}  // namespace

std::string escaped(std::string_view text) {
  if (text.find_first_of("&<>\"") == std::string_view::npos) return std::string{text};
  std::string out;
  for (const char letter : text) {
    switch (letter) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += letter;
    }
  }
  return out;
}

HtmlTable::HtmlTable(std::vector<Column> columns, bool sorts)
    : columns_{std::move(columns)}, sorts_{sorts} {}

void HtmlTable::cell(const std::string& attributes, std::string_view markup) {
  if (column_ == 0) rows_ += "<tr>";
  // A large report has tens of thousands of cells.
  rows_ += columns_[column_].number ? "<td class=n" : "<td";
  rows_.append(attributes).append(">").append(markup).append("</td>");
  if (++column_ < columns_.size()) return;
  rows_ += "</tr>\n";
  column_ = 0;
}

HtmlTable& HtmlTable::text(std::string_view words) {
  cell("", escaped(words));
  return *this;
}

HtmlTable& HtmlTable::number(std::string_view words, double value) {
  if (!sorts_) {
    cell("", escaped(words));
    return *this;
  }
  std::string attribute = " data-v=";
  constexpr double exact = 1e15;  // up to there a whole number is written as an integer is
  if (0 <= value && value < exact && value == std::floor(value)) {
    const fmt::format_int digits{static_cast<std::uint64_t>(value)};
    attribute.append(digits.data(), digits.size());
  } else {
    attribute += fmt::format("{}", value);
  }
  cell(attribute, escaped(words));
  return *this;
}

HtmlTable& HtmlTable::html(std::string_view markup) {
  cell("", markup);
  return *this;
}

std::string HtmlTable::done() const {
  std::string heads;
  for (const Column& column : columns_) {
    const std::string title = escaped(column.title);
    heads += fmt::format("<th scope=col{}>{}</th>", column.number ? " class=n" : "",
                         sorts_ ? "<button type=button>" + title + "</button>" : title);
  }
  return fmt::format("<table{}>\n<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody></table>\n",
                     sorts_ ? " class=sorts" : "", heads, rows_);
}

std::string html_page(const PageParts& page) {
  // The policy keeps the page whole: it loads no other file, and no script runs but ours,
  // whatever a name in it contains.
  std::string head = fmt::format(R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src {}; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{}</title>
<link rel="icon" href="data:,">
<style>
{})",
                                 assets::script_digests, escaped(page.title), assets::page_style);
  for (const char* const style : page.styles) head += style;
  std::string scripts;
  // Exactly the text that the policy has the digest of.
  for (const char* const script : page.scripts)
    scripts += fmt::format("<script>{}</script>\n", script);
  // Of charts a MB: it is copied once.
  std::string out;
  constexpr std::size_t markup = 256;
  out.reserve(head.size() + page.body.size() + page.data.size() + scripts.size() + markup);
  out.append(head).append("</style>\n</head>\n<body>\n").append(page.body);
  if (!page.data.empty()) {
    out += "<script type=\"application/json\" id=data>";
    append_escaped_json(out, page.data);
    out += "</script>\n";
  }
  return out.append(scripts).append("</body>\n</html>\n");
}

}  // namespace weir

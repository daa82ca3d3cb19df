// SPDX-License-Identifier: Apache-2.0
#include "html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "page_assets.hpp"
#include "weir/core/printable.hpp"

namespace weir {
namespace {

// Whether there is a DEL or a byte outside ASCII. Eight bytes at a time: a report has megabytes.
bool beyond_ascii(std::string_view text) {
  constexpr std::uint64_t high_bits = 0x8080'8080'8080'8080U;
  std::uint64_t bits = 0;
  std::size_t at = 0;
  for (std::uint64_t word = 0; at + sizeof word <= text.size(); at += sizeof word) {
    std::memcpy(&word, text.data() + at, sizeof word);
    bits |= word;
  }
  for (; at < text.size(); ++at) bits |= static_cast<unsigned char>(text[at]);
  return (bits & high_bits) != 0 || text.find('\x7f') != std::string_view::npos;
}

// JSON as it may be in a script element: printable, and no "<" in it. It has no C0 in its strings.
void write_escaped_json(std::string_view json, const std::function<void(std::string_view)>& write) {
  if (beyond_ascii(json)) {
    const std::string printed = printable_json(json);
    if (printed != json) return write_escaped_json(printed, write);
  }
  for (std::size_t from = 0; from < json.size();) {
    const std::size_t found = std::min(json.find('<', from), json.size());
    write(json.substr(from, found - from));
    if (found < json.size()) write("\\u003c");
    from = found + 1;
  }
}

// Empty: the letter may be there itself.
constexpr std::string_view escape_of(char letter) {
  switch (letter) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    default:
      return {};
  }
}

// What is not shown as it is: the letters above, and what may be no printable character.
constexpr std::array<bool, 256> escaped_letters = [] {
  std::array<bool, 256> all{};
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = !escape_of(static_cast<char>(i)).empty() || i < ' ' || i >= 0x7f;
  return all;
}();

bool has_escapes(std::string_view text) {
  for (const char letter : text)
    if (escaped_letters[static_cast<unsigned char>(letter)]) return true;
  return false;
}

}  // namespace

void append_number(std::string& out, std::uint64_t number) {
  const fmt::format_int digits{number};
  out.append(digits.data(), digits.size());
}

std::string escaped(std::string_view text) {
  if (!has_escapes(text)) return std::string{text};
  std::string out;
  for (const char letter : printable(text)) {
    const std::string_view escape = escape_of(letter);
    if (escape.empty())
      out += letter;
    else
      out += escape;
  }
  return out;
}

HtmlTable::HtmlTable(std::vector<Column> columns, bool sorts)
    : columns_{std::move(columns)}, sorts_{sorts} {
  text_ = sorts_ ? "<table class=sorts>\n<thead><tr>" : "<table>\n<thead><tr>";
  for (const Column& column : columns_) {
    const std::string title = escaped(column.title);
    text_.append("<th scope=col").append(column.number ? " class=n>" : ">");
    text_ += sorts_ ? "<button type=button>" + title + "</button>" : title;
    text_ += "</th>";
  }
  text_ += "</tr></thead>\n<tbody>\n";
}

// A large report has tens of thousands of cells: each is written in its place.
void HtmlTable::begin_cell() {
  has_cells_ = true;
  const bool number = columns_[column_].number;
  if (column_ == 0)
    text_ += number ? "<tr><td class=n" : "<tr><td";
  else
    text_ += number ? "<td class=n" : "<td";
}

// `words` as HTML.
void HtmlTable::end_cell(std::string_view words) {
  text_.append(1, '>').append(words);
  if (++column_ < columns_.size()) {
    text_ += "</td>";
    return;
  }
  text_ += "</td></tr>\n";
  column_ = 0;
}

HtmlTable& HtmlTable::text(std::string_view words) {
  begin_cell();
  if (has_escapes(words))
    end_cell(escaped(words));
  else
    end_cell(words);
  return *this;
}

HtmlTable& HtmlTable::number(std::string_view words, double value) {
  if (!sorts_) return text(words);
  begin_cell();
  text_ += " data-v=";
  constexpr double exact = 1e15;  // up to there a whole number is written as an integer is
  if (0 <= value && value < exact &&
      value == static_cast<double>(static_cast<std::uint64_t>(value)))
    append_number(text_, static_cast<std::uint64_t>(value));
  else
    text_ += fmt::format("{}", value);
  if (has_escapes(words))
    end_cell(escaped(words));
  else
    end_cell(words);
  return *this;
}

HtmlTable& HtmlTable::html(std::string_view markup) {
  begin_cell();
  end_cell(markup);
  return *this;
}

std::string HtmlTable::done() {
  text_ += "</tbody></table>\n";
  return std::move(text_);
}

void write_html_page(const PageParts& page, const TextPieces& body, const TextPieces& data,
                     const std::function<void(std::string_view)>& write) {
  // The policy keeps the page whole: it loads no other file, and no script runs but ours,
  // whatever a name in it contains.
  write(fmt::format(R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src {}; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{}</title>
<link rel="icon" href="data:,">
<style>
)",
                    assets::script_digests, escaped(page.title)));
  write(assets::page_style);
  for (const char* const style : page.styles) write(style);
  write("</style>\n</head>\n<body>\n");
  for (const std::string_view piece : body) write(piece);
  if (std::any_of(data.begin(), data.end(),
                  [](std::string_view piece) { return !piece.empty(); })) {
    write("<script type=\"application/json\" id=data>");
    for (const std::string_view piece : data) write_escaped_json(piece, write);
    write("</script>\n");
  }
  for (const char* const script : page.scripts) {
    write("<script>");
    write(script);  // exactly the text that the policy has the digest of
    write("</script>\n");
  }
  write("</body>\n</html>\n");
}

std::string html_page(const PageParts& page) {
  std::string out;
  write_html_page(page, {page.body}, {page.data}, [&](std::string_view piece) { out += piece; });
  return out;
}

}  // namespace weir

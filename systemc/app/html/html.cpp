// SPDX-License-Identifier: Apache-2.0
#include "html.hpp"

#include <fmt/format.h>

#include "page_assets.hpp"

namespace weir {

std::string escaped(std::string_view text) {
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

std::string escaped_json(const std::string& json) {
  std::string out;
  out.reserve(json.size());
  for (const char letter : json) {
    if (letter == '<')
      out += "\\u003c";
    else
      out += letter;
  }
  return out;
}

HtmlTable::HtmlTable(std::vector<Column> columns, bool sorts)
    : columns_{std::move(columns)}, sorts_{sorts} {}

void HtmlTable::cell(const std::string& attributes, std::string_view markup) {
  if (column_ == 0) rows_ += "<tr>";
  const char* const style = columns_[column_].number ? " class=n" : "";
  rows_ += fmt::format("<td{}{}>{}</td>", style, attributes, markup);
  if (++column_ < columns_.size()) return;
  rows_ += "</tr>\n";
  column_ = 0;
}

HtmlTable& HtmlTable::text(std::string_view words) {
  cell("", escaped(words));
  return *this;
}

HtmlTable& HtmlTable::number(std::string_view words, double value) {
  cell(sorts_ ? fmt::format(" data-v={}", value) : "", escaped(words));
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
  if (!page.data.empty())
    scripts +=
        "<script type=\"application/json\" id=data>" + escaped_json(page.data) + "</script>\n";
  // Exactly the text that the policy has the digest of.
  for (const char* const script : page.scripts)
    scripts += fmt::format("<script>{}</script>\n", script);
  return head + "</style>\n</head>\n<body>\n" + page.body + scripts + "</body>\n</html>\n";
}

}  // namespace weir

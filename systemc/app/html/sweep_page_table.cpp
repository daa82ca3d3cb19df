// SPDX-License-Identifier: Apache-2.0
#include "sweep_page_table.hpp"

#include <fmt/format.h>

#include "html.hpp"

namespace weir {

void TableText::begin_row(const std::string& row_id, const std::string& link) {
  if (!rows_.empty()) rows_ += "</tr>\n";
  rows_ += row_id.empty() ? "<tr>" : "<tr id=\"" + escaped(row_id) + "\" tabindex=\"-1\">";
  link_ = link;
  first_ = true;
}

void TableText::add(const std::string& text, double order, bool number) {
  const bool linked = first_ && !link_.empty();
  rows_ += fmt::format("<td data-v=\"{:.17g}\"{}>{}{}{}</td>", order, number ? " class=\"n\"" : "",
                       linked ? "<a href=\"" + escaped(link_) + "\">" : "", escaped(text),
                       linked ? "</a>" : "");
  first_ = false;
}

void TableText::add_command(const std::string& text, double order) {
  rows_ += fmt::format("<td data-v=\"{:.17g}\"><code>{}</code></td>", order, escaped(text));
  first_ = false;
}

std::string TableText::html() const {
  std::string text = "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"" +
                     escaped(caption) + "\"><table" +
                     (id.empty() ? "" : " id=\"" + escaped(id) + "\"") + "><caption>" +
                     escaped(caption) + "</caption><thead><tr>";
  for (const std::string& name : head)
    text += "<th scope=\"col\"><button type=\"button\">" + escaped(name) + "</button></th>";
  return text + "</tr></thead><tbody>\n" + rows_ + (rows_.empty() ? "" : "</tr>\n") +
         "</tbody></table></div>\n";
}

}  // namespace weir

// SPDX-License-Identifier: Apache-2.0
#include "sweep_page_frame.hpp"

#include <fmt/format.h>

#include "html.hpp"

namespace weir {
namespace {

constexpr const char* style = R"(
:root { color-scheme: light dark; --page: #fff; --text: #1b1f24; --quiet: #57606a; --line: #c8ced6;
  --panel: #f4f6f8; --link: #0b57b0; --mark: #0b57b0; }
@media screen and (prefers-color-scheme: dark) { :root { --page: #14181d; --text: #e3e7ec;
  --quiet: #9aa5b1; --line: #3a434d; --panel: #1d232a; --link: #79b4ff; --mark: #79b4ff; } }
body { margin: 0 auto; padding: 1rem 1.5rem 4rem; max-width: 82rem; background: var(--page);
  color: var(--text); font: 15px/1.45 system-ui, sans-serif; }
p { max-width: 60rem; } a { color: var(--link); } nav a { margin-right: 1rem; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
:target { outline: 2px solid var(--link); }
.wide { overflow: auto; max-height: 38rem; border: 1px solid var(--line); margin: .5rem 0 1rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--quiet); padding: .2rem .5rem; }
th, td { border-bottom: 1px solid var(--line); padding: .2rem .55rem; text-align: left; }
th { background: var(--panel); position: sticky; top: 0; } td.n { text-align: right; white-space: nowrap; }
th button { font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer; }
th[aria-sort=ascending] button::after { content: " \25B2"; }
th[aria-sort=descending] button::after { content: " \25BC"; }
summary { font-weight: 600; cursor: pointer; margin: 1rem 0 .4rem; }
figure { display: inline-block; margin: 0 1rem 1rem 0; vertical-align: top; }
svg { max-width: 100%; height: auto; } svg text { fill: var(--text); font: 12px system-ui, sans-serif; }
svg .quiet { fill: var(--quiet); } svg .axis { stroke: var(--quiet); fill: none; }
svg .grid { stroke: var(--line); } svg .other { fill: none; stroke: var(--quiet); }
svg .member { fill: var(--mark); stroke: var(--text); } svg .bar { fill: var(--mark); }
svg .field { fill: var(--mark); stroke: var(--line); } svg .none { fill: none; stroke: var(--line); }
@media print { .wide { max-height: none; overflow: visible; border: 0; } th { position: static; }
  nav, label { display: none; } svg, tr { break-inside: avoid; } }
)";

// Without it the page is whole all the same: it sorts and filters only.
constexpr const char* script = R"(
for (const head of document.querySelectorAll("th button")) head.addEventListener("click", () => {
  const cell = head.parentElement, table = cell.closest("table"), body = table.tBodies[0];
  const up = cell.getAttribute("aria-sort") !== "ascending";
  for (const other of cell.parentElement.children) other.removeAttribute("aria-sort");
  cell.setAttribute("aria-sort", up ? "ascending" : "descending");
  const rows = [...body.rows].map(row => [row.cells[cell.cellIndex], row]);
  rows.sort(([a], [b]) => {
    const order = a.dataset.v - b.dataset.v || a.textContent.localeCompare(b.textContent);
    return up ? order : -order;
  });
  body.append(...rows.map(([, row]) => row));
});
for (const filter of document.querySelectorAll("input[data-table]")) {
  const rows = document.getElementById(filter.dataset.table).tBodies[0].rows;
  const status = filter.closest("p").querySelector("[role=status]");
  filter.addEventListener("input", () => {
    const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !wanted.every(word => text.includes(word));
      shown += !row.hidden;
    }
    status.textContent = wanted.length ? shown + " rows" : "";
  });
}
)";

}  // namespace

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

std::string page_around(const std::string& title, const std::string& body) {
  return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         escaped(title) + "</title>\n<style>" + style + "</style></head>\n<body><main>\n" + body +
         "</main>\n<script>" + script + "</script></body></html>\n";
}

}  // namespace weir

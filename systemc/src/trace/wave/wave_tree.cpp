// SPDX-License-Identifier: Apache-2.0
#include "wave_tree.hpp"

#include <algorithm>

#include "weir/core/units.hpp"
#include "weir/trace/wave/wave_recorder.hpp"

namespace weir {

bool matches(std::string_view pattern, std::string_view text) noexcept {
  std::size_t p = 0, t = 0, star = std::string_view::npos, from = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;  // let the last star take one character more
      t = ++from;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

namespace {

std::string classes(std::string_view word, std::uint64_t mask) {
  std::string text;
  for (unsigned n = 0; n < priorities; ++n)
    if ((mask >> n & 1U) != 0)
      text += (text.empty() ? ":" + std::string{word} + "=" : ",") + std::to_string(n);
  return text;
}

}  // namespace

std::string wave_text(WaveKind kind, std::uint64_t value) {
  if (kind == WaveKind::pause) {
    constexpr const char* names[] = {"open", "closing", "paused"};
    return names[value];
  }
  if (value == 0) return "idle";
  if (value >> 62 != 0)
    return "PFC" + classes("XOFF", value >> 8 & 0xffU) + classes("XON", value & 0xffU);
  return std::to_string(value & 0xffff'ffffU) + "B:p" + std::to_string(value >> 32 & 7U);
}

bool WaveTree::wanted(const std::string& path, std::string_view name) const {
  return scope_.empty() || matches(scope_, path + "." + std::string{name});
}

// Opens the scopes of `path`, closing those that it does not share with the last one.
void WaveTree::enter(const std::string& path) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find('.', at), path.size());
    parts.push_back(path.substr(at, end - at));
    at = end + 1;
  }
  std::size_t same = 0;
  while (same < open_.size() && same < parts.size() && open_[same] == parts[same]) ++same;
  for (; open_.size() != same; open_.pop_back()) writer_.pop_scope();
  for (; same < parts.size(); ++same) {
    writer_.push_scope(parts[same]);
    open_.push_back(parts[same]);
  }
}

std::uint32_t WaveTree::add(const std::string& path, std::string_view name, unsigned bits,
                            WaveKind kind) {
  if (!wanted(path, name)) return none;
  if (interrupted_ && interrupted_()) throw WaveInterrupted{};
  enter(path);
  names_.emplace(path + "." + std::string{name}, bits);
  Variable variable;
  variable.kind = kind;
  variable.declared = true;
  variable.writer =
      kind == WaveKind::integer ? writer_.add_integer(name, bits) : writer_.add_text(name);
  variables_.push_back(variable);
  return static_cast<std::uint32_t>(variables_.size() - 1);
}

std::uint32_t WaveTree::add_alias(const std::string& path, std::string_view name, unsigned bits,
                                  std::uint32_t original) {
  if (original == none) return add(path, name, bits);
  if (!wanted(path, name)) return original;
  enter(path);
  names_.emplace(path + "." + std::string{name}, bits);
  writer_.add_alias(name, bits, variables_[original].writer);
  return original;
}

void WaveTree::end_of_hierarchy() {
  for (; !open_.empty(); open_.pop_back()) writer_.pop_scope();
  writer_.end_of_hierarchy();
}

// Few lengths are used again and again: the last ones are in a small table.
std::string_view WaveTree::text_of(const Variable& variable) {
  constexpr std::string_view idle{"idle"};
  if (variable.value == 0 && variable.kind == WaveKind::frame) return idle;
  const std::uint64_t key = variable.value << 1 | (variable.kind == WaveKind::frame ? 1 : 0);
  auto& [recent, text] = recent_[(key ^ key >> 33) % recent_.size()];
  if (text == nullptr || recent != key) {
    std::string& known = texts_[key];
    if (known.empty()) known = wave_text(variable.kind, variable.value);
    recent = key;
    text = &known;
  }
  return *text;
}

void WaveTree::write(Variable& variable) {
  variable.written = variable.value;
  if (variable.kind == WaveKind::integer)
    writer_.integer(variable.writer, variable.value);
  else
    writer_.text(variable.writer, text_of(variable));
}

void WaveTree::write_changes(Picoseconds now) {
  bool time_written = false;
  for (const std::uint32_t index : dirty_) {
    Variable& variable = variables_[index];
    variable.dirty = false;
    if (!variable.declared || variable.value == variable.written) continue;
    if (!time_written) writer_.time(now);
    time_written = true;
    write(variable);
  }
  dirty_.clear();
}

void WaveTree::drop_changes() noexcept {
  for (const std::uint32_t index : dirty_) variables_[index].dirty = false;
  dirty_.clear();
}

void WaveTree::write_all(Picoseconds now) {
  drop_changes();
  writer_.time(now);
  for (Variable& variable : variables_)
    if (variable.declared) write(variable);
}

}  // namespace weir

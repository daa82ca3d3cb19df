// SPDX-License-Identifier: Apache-2.0
#include "wave_save_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "weir/core/errors.hpp"

namespace weir {
namespace {

constexpr std::size_t most_groups = 24;  // priority groups that are shown; more fit no screen

// Bits of a GTKWave trace.
constexpr unsigned decimal = 0x4, right = 0x20, blank = 0x200, step = 0x8000, stretch = 0x20000;
constexpr unsigned full_scale = 0x80000, group_begin = 0x800000, group_end = 0x1000000;

enum class Color : int { none, red, orange, yellow, green, blue, indigo, violet };

class SaveFile {
 public:
  explicit SaveFile(const std::map<std::string, unsigned>& names) : names_{names} {}

  void open_group(const std::string& title) {
    text_ += fmt::format("@{:x}\n-{}\n", group_begin | blank, title);
  }
  void close_group(const std::string& title) {
    text_ += fmt::format("@{:x}\n-{}\n", group_end | blank, title);
  }
  /// A number over time, `rows` lines high.
  void analog(const std::string& name, Color color, int rows) {
    if (!add(name, color, decimal | right | step | full_scale)) return;
    text_ += fmt::format("@{:x}\n", stretch);
    for (int row = 1; row < rows; ++row) text_ += "-\n";
  }
  void number(const std::string& name, Color color) { add(name, color, decimal | right); }
  void plain(const std::string& name, Color color) { add(name, color, right); }
  void line(const std::string& text) { text_ += text + "\n"; }

  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 private:
  bool add(const std::string& name, Color color, unsigned flags) {
    const auto known = names_.find(name);
    if (known == names_.end()) return false;
    if (color != Color::none) text_ += fmt::format("[color] {}\n", static_cast<int>(color));
    text_ += fmt::format("@{:x}\n{}", flags, name);
    if (1 < known->second) text_ += fmt::format("[{}:0]", known->second - 1);
    text_ += "\n";
    return true;
  }

  const std::map<std::string, unsigned>& names_;
  std::string text_;
};

void add_pools(SaveFile& save, const SwitchSpec& spec, const std::map<std::string, unsigned>& all) {
  const std::string prefix = spec.name + ".mmu.", title = spec.name + " pools and limits";
  auto name = all.lower_bound(prefix);
  save.open_group(title);
  for (; name != all.end() && name->first.compare(0, prefix.size(), prefix) == 0; ++name) {
    const std::string leaf = name->first.substr(name->first.rfind('.') + 1);
    const Color color = leaf == "S"          ? Color::green
                        : leaf == "headroom" ? Color::orange
                        : leaf == "free"     ? Color::indigo
                                             : Color::blue;
    save.analog(name->first, color, 3);
  }
  save.close_group(title);
}

void add_group(SaveFile& save, const WaveGroup& group) {
  save.open_group(group.path);
  save.analog(group.path + ".shared", Color::green, 4);
  save.analog(group.path + ".T", Color::blue, 4);
  save.analog(group.path + ".headroom", Color::orange, 3);
  save.plain(group.path + ".xoff", Color::red);
  save.number(group.path + ".private", Color::none);
  save.close_group(group.path);
}

void add_wires(SaveFile& save, const Scenario& scenario, const std::vector<std::string>& ports) {
  save.open_group("wires and pauses");
  for (const std::string& port : ports) save.plain(port + ".tx.frame", Color::yellow);
  for (const HostSpec& host : scenario.hosts) {
    if (most_groups < scenario.hosts.size()) break;
    save.plain(host.name + ".tx.frame", Color::indigo);
  }
  save.close_group("wires and pauses");
}

std::string marker(std::uint64_t time) {
  return time == WaveMarks::never ? "-1" : std::to_string(time);
}

}  // namespace

void write_save_file(const std::filesystem::path& wave, const Scenario& scenario,
                     const std::vector<WaveGroup>& groups,
                     const std::map<std::string, unsigned>& names, const WaveMarks& marks,
                     std::uint64_t begin, std::uint64_t end) {
  SaveFile save{names};
  save.line("[*] Weir: " + scenario.name);
  save.line(fmt::format("[dumpfile] \"{}\"", wave.filename().string()));
  save.line(fmt::format("[timestart] {}", begin));
  save.line("[size] 1600 1000");
  // The whole file on the screen: GTKWave's zoom is the power of two of the time of 200 pixels.
  constexpr double wave_pixels = 1000, frame_pixels = 200;
  const auto time = static_cast<double>(end - std::min(begin, end));
  const double zoom = -std::log2(std::max(1.0, time * frame_pixels / wave_pixels));
  std::string line = fmt::format("*{:.6f} {} {} {} {}", zoom, begin, marker(marks.first_xoff),
                                 marker(marks.first_drop), marker(marks.deadlock));
  for (int letter = 3; letter < 26; ++letter) line += " -1";
  save.line(line);
  if (marks.first_xoff != WaveMarks::never) save.line("[markername] Afirst XOFF");
  if (marks.first_drop != WaveMarks::never) save.line("[markername] Bfirst drop");
  if (marks.deadlock != WaveMarks::never) save.line("[markername] Cdeadlock");
  for (const SwitchSpec& spec : scenario.switches) add_pools(save, spec, names);
  std::vector<std::string> ports;
  std::size_t shown = 0;
  for (const WaveGroup& group : groups) {
    if (!group.used || shown++ == most_groups) continue;
    add_group(save, group);
    const std::string port = group.path.substr(0, group.path.rfind('.'));
    if (ports.empty() || ports.back() != port) ports.push_back(port);
  }
  add_wires(save, scenario, ports);
  std::filesystem::path file = wave;
  file.replace_extension(".gtkw");
  std::ofstream out{file, std::ios::binary};
  out << save.text();
  out.close();
  if (!out) throw ModelError(file.string() + " cannot be written");
}

}  // namespace weir

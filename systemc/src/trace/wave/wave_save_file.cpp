// SPDX-License-Identifier: Apache-2.0
#include "wave_save_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

#include "weir/config/files/output_file.hpp"
#include "weir/model/rtl/mmu_pins.hpp"

namespace weir {
namespace {

constexpr std::size_t max_groups = 24;  // priority groups that are shown; more fit no screen
constexpr std::size_t max_queues = 8;   // queues with a WRED profile, likewise

// Marker A and so on.
constexpr std::array<std::pair<WaveTrigger, const char*>, 5> marker_names{
    {{WaveTrigger::first_xoff, "first XOFF"},
     {WaveTrigger::first_drop, "first drop"},
     {WaveTrigger::deadlock, "deadlock"},
     {WaveTrigger::watchdog, "watchdog"},
     {WaveTrigger::mismatch, "mismatch"}}};
static_assert(marker_names.size() == wave_triggers.size(), "each trigger has a marker");

// Bits of a GTKWave trace.
constexpr unsigned decimal = 0x4, right = 0x20, blank = 0x200, step = 0x8000, stretch = 0x20000;
constexpr unsigned full_scale = 0x80000, group_begin = 0x800000, group_end = 0x1000000;
constexpr unsigned collapsed = 0x1000, closed = 0x400000;

enum class Color : int { none, red, orange, yellow, green, blue, indigo, violet };

class SaveFile {
 public:
  explicit SaveFile(const std::map<std::string, unsigned>& names) : names_{names} {}

  void open_group(const std::string& title) { begin_group(title, 0); }
  void close_group(const std::string& title) { end_group(title, 0); }
  /// The same, folded to its title.
  void open_folded(const std::string& title) { begin_group(title, closed); }
  void close_folded(const std::string& title) { end_group(title, closed | collapsed); }
  /// A number over time, `rows` lines high, under `label`; an empty label shows the name.
  void analog(const std::string& name, Color color, int rows, const std::string& label = {}) {
    if (!add(name, color, decimal | right | step | full_scale, label)) return;
    text_ += fmt::format("@{:x}\n", stretch);
    for (int row = 1; row < rows; ++row) text_ += "-\n";
  }
  void number(const std::string& name, Color color) { add(name, color, decimal | right); }
  void plain(const std::string& name, Color color) { add(name, color, right); }
  void line(const std::string& text) { text_ += text + "\n"; }

  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 private:
  void begin_group(const std::string& title, unsigned flags) {
    text_ += fmt::format("@{:x}\n-{}\n", group_begin | blank | flags, title);
  }
  void end_group(const std::string& title, unsigned flags) {
    text_ += fmt::format("@{:x}\n-{}\n", group_end | blank | flags, title);
  }
  bool add(const std::string& name, Color color, unsigned flags, const std::string& label = {}) {
    const auto known = names_.find(name);
    if (known == names_.end()) return false;
    if (color != Color::none) text_ += fmt::format("[color] {}\n", static_cast<int>(color));
    text_ += fmt::format("@{:x}\n", flags);
    if (!label.empty()) text_ += fmt::format("+{{{}}} ", label);
    text_ += name;
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
    if (name->first.compare(prefix.size(), 4, "rtl.") == 0) continue;
    const std::string leaf = name->first.substr(name->first.rfind('.') + 1);
    // "domain[1] lossless shared": without the module, which the leaf implies, and without dots,
    // after which GTKWave cuts off what is in front.
    const std::size_t place = name->first.find('.', prefix.size());
    std::string label = place == std::string::npos ? "" : name->first.substr(place + 1);
    std::replace(label.begin(), label.end(), '.', ' ');
    const Color color = leaf == "shared"     ? Color::green
                        : leaf == "headroom" ? Color::orange
                        : leaf == "free"     ? Color::indigo
                                             : Color::blue;
    save.analog(name->first, color, 3, label);
  }
  save.close_group(title);
}

// A pin, or its parts: one a lane.
std::vector<std::string> parts_of(const std::string& pin,
                                  const std::map<std::string, unsigned>& all) {
  if (all.count(pin) != 0) return {pin};
  std::vector<std::string> parts;
  for (std::size_t i = 0; all.count(pin + "[" + std::to_string(i) + "]") != 0; ++i)
    parts.push_back(pin + "[" + std::to_string(i) + "]");
  return parts;
}

// What an RTL is asked and answers.
void add_rtl(SaveFile& save, const SwitchSpec& spec, const std::map<std::string, unsigned>& all) {
  const std::string prefix = spec.name + ".mmu.rtl.", title = spec.name + " pins of the RTL";
  const auto first = all.lower_bound(prefix);
  if (first == all.end() || first->first.compare(0, prefix.size(), prefix) != 0) return;
  save.open_group(title);
  for (const MmuPin pin :
       {MmuPin::clk_i, MmuPin::arr_pg_i, MmuPin::arr_cells_i, MmuPin::arr_valid_o, MmuPin::arr_pg_o,
        MmuPin::arr_reason_o, MmuPin::arr_private_o, MmuPin::arr_shared_o, MmuPin::arr_headroom_o,
        MmuPin::arr_threshold_o, MmuPin::arr_xoff_o, MmuPin::rel_pg_i, MmuPin::rel_cells_i,
        MmuPin::rel_valid_o, MmuPin::rel_pg_o, MmuPin::rel_xoff_o})
    for (const std::string& name : parts_of(prefix + row_of(pin).name, all))
      save.number(name, Color::violet);
  save.close_group(title);
}

// It went to XOFF, held a cell in headroom, or lost a packet.
bool is_notable(const WaveGroup& group) {
  return group.used_headroom || group.drops || group.first_xoff != WaveGroup::never;
}

// The groups that were used: in the order of their first XOFF, then those with headroom, then those
// with drops, then the rest; at most max_groups.
std::vector<const WaveGroup*> groups_to_show(const std::vector<WaveGroup>& groups) {
  std::vector<const WaveGroup*> shown;
  for (const WaveGroup& group : groups)
    if (group.used || group.drops) shown.push_back(&group);
  const auto rank = [](const WaveGroup* group) {
    return std::tuple{group->first_xoff, !group->used_headroom, !group->drops};
  };
  std::stable_sort(shown.begin(), shown.end(),
                   [&](const WaveGroup* a, const WaveGroup* b) { return rank(a) < rank(b); });
  shown.resize(std::min(shown.size(), max_groups));
  return shown;
}

void add_group(SaveFile& save, const WaveGroup& group) {
  const bool folded = !is_notable(group);
  folded ? save.open_folded(group.path) : save.open_group(group.path);
  save.analog(group.path + ".shared", Color::green, 4);
  save.analog(group.path + ".threshold", Color::blue, 4);
  save.plain(group.path + ".at_threshold", Color::yellow);
  save.analog(group.path + ".headroom", Color::orange, 3);
  save.plain(group.path + ".xoff", Color::red);
  save.number(group.path + ".private", Color::none);
  folded ? save.close_folded(group.path) : save.close_group(group.path);
}

// The deepest queues with a WRED profile, each with its thresholds.
void add_queues(SaveFile& save, const std::vector<WaveQueue>& queues) {
  std::vector<const WaveQueue*> shown;
  for (const WaveQueue& queue : queues)
    if (queue.most != 0) shown.push_back(&queue);
  std::stable_sort(shown.begin(), shown.end(),
                   [](const WaveQueue* a, const WaveQueue* b) { return b->most < a->most; });
  shown.resize(std::min(shown.size(), max_queues));
  for (const WaveQueue* const queue : shown) {
    save.open_group(queue->path);
    save.analog(queue->path + ".waiting", Color::green, 4);
    save.number(queue->path + ".min", Color::blue);
    save.number(queue->path + ".max", Color::blue);
    save.close_group(queue->path);
  }
}

void add_wires(SaveFile& save, const Scenario& scenario, const std::vector<std::string>& ports) {
  save.open_group("wires and pauses");
  for (const std::string& port : ports) save.plain(port + ".tx.frame", Color::yellow);
  for (const HostSpec& host : scenario.hosts) {
    if (max_groups < scenario.hosts.size()) break;
    save.plain(host.name + ".tx.frame", Color::indigo);
  }
  save.close_group("wires and pauses");
}

std::string marker(std::uint64_t time) {
  return time == WaveMarks::never ? "-1" : std::to_string(time);
}

}  // namespace

void write_save_file(const std::filesystem::path& wave, const Scenario& scenario,
                     const WaveContents& contents, const WaveMarks& marks, std::uint64_t begin,
                     std::uint64_t end) {
  const std::map<std::string, unsigned>& names = contents.names;
  SaveFile save{names};
  save.line("[*] Weir: " + scenario.name);
  save.line(fmt::format("[dumpfile] \"{}\"", wave.filename().string()));
  save.line(fmt::format("[timestart] {}", begin));
  save.line("[size] 1600 1000");
  // The whole file on the screen: GTKWave's zoom is the power of two of the time of 200 pixels.
  constexpr double wave_pixels = 1000, frame_pixels = 200;
  const auto time = static_cast<double>(end - std::min(begin, end));
  const double zoom = -std::log2(std::max(1.0, time * frame_pixels / wave_pixels));
  std::string line = fmt::format("*{:.6f} {}", zoom, begin);
  for (const auto& [trigger, name] : marker_names) line += " " + marker(marks.at(trigger));
  for (std::size_t letter = marker_names.size(); letter < 26; ++letter) line += " -1";
  save.line(line);
  for (std::size_t i = 0; i < marker_names.size(); ++i)
    if (marks.at(marker_names[i].first) != WaveMarks::never)
      save.line(
          fmt::format("[markername] {}{}", static_cast<char>('A' + i), marker_names[i].second));
  for (const SwitchSpec& spec : scenario.switches) add_pools(save, spec, names);
  for (const SwitchSpec& spec : scenario.switches) add_rtl(save, spec, names);
  std::vector<std::string> ports;
  for (const WaveGroup* const group : groups_to_show(contents.groups)) {
    add_group(save, *group);
    const std::string port = group->path.substr(0, group->path.rfind('.'));
    if (std::find(ports.begin(), ports.end(), port) == ports.end()) ports.push_back(port);
  }
  add_queues(save, contents.queues);
  add_wires(save, scenario, ports);
  std::filesystem::path file = wave;
  file.replace_extension(".gtkw");
  write_file("--wave", file, save.text(), NamedBy::program);
}

}  // namespace weir

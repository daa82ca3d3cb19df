// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "weir/config/format/document.hpp"
#include "weir/config/format/reader.hpp"
#include "weir/config/scenario/scenario_file.hpp"
#include "weir/config/sweep/sweep.hpp"

namespace weir {
namespace {

namespace fs = std::filesystem;

// Of longer lists only so many values are checked.
constexpr std::size_t max_looks = 1'000;
// Points that are tried to find one that can run.
constexpr std::uint64_t max_tries = 64;

// The error of loading the scenario with these overrides, or the scenario.
struct Loaded {
  std::optional<FileError> error;
  std::vector<HostSpec> hosts;

  [[nodiscard]] bool good() const noexcept { return !error.has_value(); }
};

Loaded load(const fs::path& file, const std::vector<std::string>& overrides) {
  try {
    return {std::nullopt, load_scenario(file, overrides).hosts};
  } catch (const FileError& error) {
    return {error, {}};
  } catch (const ConfigError& error) {
    return {FileError{{file.string(), 0}, error.key(), error.value(), error.legal()}, {}};
  }
}

// Whether an error is about the key, or about a part of its value.
bool is_about(const std::string& key, const FileError& error) {
  return error.key() == key || error.key().rfind(key + ".", 0) == 0;
}

bool is_about_set(const FileError& error) { return error.origin().file == "--set"; }

// The error of a value, in terms of the sweep file. Errors at other places keep their own place.
[[noreturn]] void refuse(const std::string& key, const SweepValue& value, const FileError& error) {
  if (is_about_set(error)) throw FileError{value.origin, key, value.toml, error.legal()};
  throw FileError{value.origin, key, value.toml, "does not work: " + std::string{error.what()}};
}

// The form of a value. Quantities in one unit have one form, as have whole numbers: "16 MB" is
// written as "1.5 MB" is, and may only not fit. Anything else is a form of its own: "1/3" is not
// "1/8".
std::string look_of(const SweepValue& value) {
  if (value.is_option) return value.path;  // no other is like it
  if (value.integer) return "#";
  const std::size_t unit = value.text.find_first_not_of("-.0123456789");
  const bool is_quantity =
      unit != 0 && unit != std::string::npos &&
      std::all_of(value.text.begin() + static_cast<std::ptrdiff_t>(unit), value.text.end(),
                  [](unsigned char letter) { return letter == ' ' || std::isalpha(letter) != 0; });
  return is_quantity ? "#" + value.text.substr(unit) : value.toml;
}

// Checks one scenario with one workload.
class Checker {
 public:
  Checker(const Sweep& sweep, std::size_t scenario, std::size_t workload)
      : sweep_{sweep}, file_{sweep.scenarios[scenario].file} {
    first_.scenario = scenario;
    first_.workload = workload;
    const std::uint64_t combinations =
        std::max<std::size_t>(sweep.workloads.size(), 1) * sweep.scenarios.size();
    share_ = sweep.points / combinations;
    offset_ = share_ * (scenario * std::max<std::size_t>(sweep.workloads.size(), 1) + workload);
  }

  void check() {
    check_settings();
    find_reference();
    for (std::size_t axis = 0; axis < sweep_.axes.size(); ++axis) check_axis(axis);
    check_figures();
  }

 private:
  [[nodiscard]] std::vector<const std::vector<SweepSetting>*> groups() const {
    std::vector<const std::vector<SweepSetting>*> list{&sweep_.set,
                                                       &sweep_.scenarios[first_.scenario].set};
    if (!sweep_.workloads.empty()) list.push_back(&sweep_.workloads[first_.workload].set);
    return list;
  }

  static void add_to(std::vector<std::string>& overrides,
                     const std::vector<SweepSetting>& settings) {
    for (const SweepSetting& setting : settings)
      overrides.push_back(setting.key + "=" + setting.value.toml);
  }

  // Settings that take effect together do not work, on top of `overrides`: blames the one that the
  // error names, else the first with which they do not.
  void refuse_one(std::vector<std::string> overrides, const std::vector<SweepSetting>& settings,
                  const FileError& error) const {
    for (const SweepSetting& setting : settings)
      if (is_about(setting.key, error)) refuse(setting.key, setting.value, error);
    for (const SweepSetting& setting : settings) {
      add_to(overrides, {setting});
      const Loaded now = load(file_, overrides);
      if (!now.good()) refuse(setting.key, setting.value, *now.error);
    }
  }

  // Fixed settings of the sweep must load by themselves; values of an axis may still be missing.
  void check_settings() {
    const Loaded plain = load(file_, {});
    if (!plain.good() && sweep_.axes.empty() && sweep_.set.empty()) throw FileError{*plain.error};
    bool good = plain.good();
    for (const auto* group : groups()) {
      if (group->empty()) continue;
      const std::vector<std::string> before = base_;
      add_to(base_, *group);
      const Loaded now = load(file_, base_);
      if (good && !now.good() && is_about_set(*now.error)) refuse_one(before, *group, *now.error);
      good = good && now.good();
      hosts_ = now.hosts;
    }
  }

  // A point that can run; every value is tried on top of it.
  void find_reference() {
    const std::uint64_t tries = std::min(share_, max_tries);
    for (std::uint64_t i = 0; i < tries; ++i) {
      SweepPoint point = sweep_point(sweep_, offset_ + i * (share_ / tries));
      const Loaded loaded = load(file_, overrides_of(sweep_, point));
      if (loaded.good()) {
        reference_ = std::move(point);
        hosts_ = loaded.hosts;
        return;
      }
      if (i == 0) first_error_ = loaded.error;
    }
    blame();
  }

  // No point loads: reports the axis none of whose values works alone, or the scenario itself.
  [[noreturn]] void blame() {
    const Loaded base = load(file_, base_);
    if (!base.good()) blame_settings(*base.error);
    for (const SweepAxis& axis : sweep_.axes) {
      const std::vector<SweepSetting> settings = settings_of(axis, axis.values.front());
      if (settings.empty()) continue;
      std::vector<std::string> overrides = base_;
      add_to(overrides, settings);
      const Loaded alone = load(file_, overrides);
      const bool own = !alone.good() && is_about_set(*alone.error) &&
                       (base.good() || alone.error->key() != base.error->key());
      if (own) refuse_one(base_, settings, *alone.error);
    }
    if (is_about_set(*first_error_))
      throw FileError{{sweep_.file.string(), 0},
                      first_error_->key(),
                      first_error_->value(),
                      "no point of the sweep can be run: " + first_error_->legal()};
    throw FileError{*first_error_};
  }

  void blame_settings(const FileError& error) const {
    if (!is_about_set(error)) {
      if (sweep_.axes.empty()) throw FileError{error};
      return;
    }
    for (const auto* group : groups())
      for (const SweepSetting& setting : *group)
        if (is_about(setting.key, error)) refuse(setting.key, setting.value, error);
  }

  void check_axis(std::size_t index) {
    const SweepAxis& axis = sweep_.axes[index];
    std::set<std::string> good{look_of(axis.values[reference_.values[index]])};
    std::vector<std::pair<const SweepValue*, FileError>> bad;
    const std::size_t stride = (axis.values.size() + max_looks - 1) / max_looks;
    for (std::size_t i = 0; i < axis.values.size(); i += stride) {
      if (good.count(look_of(axis.values[i])) != 0) continue;
      SweepPoint point = reference_;
      point.values[index] = i;
      const Loaded loaded = load(file_, overrides_of(sweep_, point));
      if (loaded.good())
        good.insert(look_of(axis.values[i]));
      else
        bad.emplace_back(&axis.values[i], *loaded.error);
    }
    for (const auto& [value, error] : bad)
      if (good.count(look_of(*value)) == 0 && !runs_somewhere(index, *value))
        refuse_value(axis, *value, error);
  }

  [[noreturn]] static void refuse_value(const SweepAxis& axis, const SweepValue& value,
                                        const FileError& error) {
    if (!value.is_option) refuse(axis.keys.front(), value, error);
    for (const SweepSetting& setting : value.set)
      if (is_about(setting.key, error)) refuse(setting.key, setting.value, error);
    throw FileError{value.origin, value.path, value.toml,
                    "does not work: " + std::string{error.what()}};
  }

  // Whether any of some points, spread over the sweep, can run with this value: the value may only
  // conflict with the reference.
  [[nodiscard]] bool runs_somewhere(std::size_t axis, const SweepValue& value) const {
    constexpr std::uint64_t scatter = 0x9e37'79b9'7f4a'7c15;  // odd, so that it follows no axis
    for (std::uint64_t i = 0; i < std::min(share_, max_tries); ++i) {
      SweepPoint point = sweep_point(sweep_, offset_ + i * scatter % share_);
      point.values[axis] = static_cast<std::size_t>(&value - sweep_.axes[axis].values.data());
      if (load(file_, overrides_of(sweep_, point)).good()) return true;
    }
    return false;
  }

  void check_figures() const {
    for (const SweepFigure& figure : sweep_.figures) {
      for (const std::string& host : figure.hosts) {
        const bool known = std::any_of(hosts_.begin(), hosts_.end(),
                                       [&](const HostSpec& spec) { return spec.name == host; });
        if (!known)
          throw FileError{figure.origin, "figure." + figure.name + ".hosts", "\"" + host + "\"",
                          "there is no such host in " + file_.string()};
      }
    }
  }

  const Sweep& sweep_;
  const fs::path file_;
  SweepPoint first_;
  std::uint64_t share_{0}, offset_{0};  // points of this scenario and workload
  std::vector<std::string> base_;
  SweepPoint reference_;
  std::optional<FileError> first_error_;
  std::vector<HostSpec> hosts_;
};

// FNV-1a: it must detect changed files, not forged ones.
class Digest {
 public:
  void add(const std::string& text) {
    for (const char letter : text) mix(static_cast<unsigned char>(letter));
    mix(0xff);  // never in UTF-8: separates texts
  }
  [[nodiscard]] std::string text() const {
    constexpr const char* digits = "0123456789abcdef";
    std::string hex;
    for (int shift = 60; shift >= 0; shift -= 4) hex += digits[state_ >> shift & 15U];
    return hex;
  }

 private:
  void mix(std::uint64_t byte) { state_ = (state_ ^ byte) * 0x100'0000'01b3ULL; }
  std::uint64_t state_{0xcbf2'9ce4'8422'2325ULL};
};

void add_file(Digest& digest, const fs::path& file) {
  std::error_code error;
  if (fs::is_regular_file(file, error)) digest.add(read_text(file, {}, ""));
}

// Contents of all files that the document names.
void add_named_files(Digest& digest, const Node& node, const fs::path& folder) {
  if (node.kind == Node::Kind::text && !node.text.empty()) add_file(digest, folder / node.text);
  for (const Node& child : node.children) add_named_files(digest, child, folder);
}

}  // namespace

void check_sweep(const Sweep& sweep) {
  for (std::size_t scenario = 0; scenario < sweep.scenarios.size(); ++scenario)
    for (std::size_t workload = 0; workload < std::max<std::size_t>(sweep.workloads.size(), 1);
         ++workload)
      Checker{sweep, scenario, workload}.check();
}

std::string sweep_digest(const Sweep& sweep) {
  Digest digest;
  digest.add(read_text(sweep.file, {}, ""));
  for (const SweepScenario& scenario : sweep.scenarios) {
    const fs::path folder = scenario.file.parent_path();
    digest.add(read_text(scenario.file, {}, ""));
    add_named_files(digest, read_document(scenario.file), folder);
    const auto add_values = [&](const std::vector<SweepSetting>& settings) {
      for (const SweepSetting& setting : settings) add_file(digest, folder / setting.value.text);
    };
    add_values(sweep.set);
    add_values(scenario.set);
    for (const SweepWorkload& workload : sweep.workloads) add_values(workload.set);
    for (const SweepAxis& axis : sweep.axes) {
      if (axis.values.size() > max_looks) continue;  // a range of numbers
      for (const SweepValue& value : axis.values)
        if (value.is_option)
          add_values(value.set);
        else
          add_file(digest, folder / value.text);
    }
  }
  return digest.text();
}

}  // namespace weir

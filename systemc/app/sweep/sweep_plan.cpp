// SPDX-License-Identifier: Apache-2.0
#include "sweep_plan.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "sweep_outcomes.hpp"
#include "text/format.hpp"
#include "weir/config/files/output_file.hpp"
#include "weir/config/files/output_folder.hpp"
#include "weir/config/format/document.hpp"
#include "weir/config/format/reader.hpp"
#include "weir/config/format/units.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/version.hpp"

namespace weir {
namespace {

namespace fs = std::filesystem;

// A file that only this process has made: another start of the same task may still be running on
// a node that its scheduler has given up.
class OutcomeFile {
 public:
  OutcomeFile(const fs::path& folder, const SweepShare& share) {
    for (int start = 1; handle_ < 0; ++start) {
      path_ = folder / fmt::format("{}-of-{}.{}.jsonl", share.number, share.of, start);
      handle_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (handle_ < 0 && errno != EEXIST) fail();
    }
  }
  ~OutcomeFile() { close(handle_); }
  OutcomeFile(const OutcomeFile&) = delete;
  OutcomeFile& operator=(const OutcomeFile&) = delete;

  void add(const std::string& line) {
    std::string_view rest = line;
    while (!rest.empty()) {
      const ssize_t written = write(handle_, rest.data(), rest.size());
      if (written < 0 && errno != EINTR) fail();
      if (written > 0) rest.remove_prefix(static_cast<std::size_t>(written));
    }
  }

 private:
  [[noreturn]] void fail() const {
    throw ModelError(path_.string() +
                     " cannot be written: " + std::generic_category().message(errno));
  }

  fs::path path_;
  int handle_{-1};
};

std::string first_line_of(const fs::path& file) {
  const std::string text = text_or_nothing(file);
  return text.substr(0, text.find('\n'));
}

[[noreturn]] void refuse_share(const std::string& text, const std::string& why) {
  throw ConfigError("--point", text, why);
}

}  // namespace

SweepShare parse_share(const std::string& text, std::uint64_t points) {
  const std::size_t slash = text.find('/');
  const auto number = parse_count(text.substr(0, slash));
  const auto of = parse_count(slash == std::string::npos ? std::string{} : text.substr(slash + 1));
  if (!number || !of)
    refuse_share(text, "must be I/N: the number of this task, from 1, and how many there are");
  if (*of < 1 || *of > points)
    refuse_share(text, "N must be from 1 to " + format_quantity(points) + ", the number of points");
  if (*number < 1 || *number > *of)
    refuse_share(text, "I must be from 1 to " + format_quantity(*of) +
                           " (where a scheduler counts from 0, add 1)");
  return {*number, *of};
}

SweepPlan::SweepPlan(const Sweep& sweep, std::string digest, fs::path folder)
    : sweep_{sweep}, digest_{std::move(digest)}, folder_{std::move(folder)} {}

bool SweepPlan::exists() const { return fs::exists(fs::symlink_status(file())); }

void SweepPlan::write() const {
  free_name_of_folder(outcomes());
  const nlohmann::ordered_json plan{
      {"digest", digest_}, {"name", sweep_.name}, {"points", sweep_.points}, {"version", version}};
  write_file("--out", file(), plan.dump(2) + "\n", NamedBy::program);
  std::error_code error;
  fs::create_directories(outcomes(), error);
  if (error) throw ModelError(outcomes().string() + " cannot be made: " + error.message());
}

void SweepPlan::check() const {
  const Origin place{file().string(), 0};
  if (!exists())
    throw FileError{place, "", "", "there is no plan; make it with --plan and the same --out"};
  std::error_code ignored;  // reading a pipe would wait for ever
  if (!fs::is_regular_file(file(), ignored))
    throw FileError{place, "", "", "must be a regular file, as --plan writes it"};
  const Node plan = read_document(file());
  TableReader reader{plan};
  const auto text = [&](std::string_view key) {
    const auto to_value = [](const Node& node) { return to_text(node); };
    return reader.get(key, to_value, "must be a text");
  };
  const std::string digest = text("digest"), made_by = text("version");
  static_cast<void>(text("name"));
  const auto points = static_cast<std::uint64_t>(reader.get(
      "points", integer_from(1, std::numeric_limits<std::int64_t>::max()), "must be a number"));
  reader.finish();
  const std::string of_another = "is the plan of another sweep: " + sweep_.file.string() +
                                 ", or a file that it names, has changed since; plan again";
  if (digest != digest_) throw FileError{place, "digest", "\"" + digest + "\"", of_another};
  if (points != sweep_.points) throw FileError{place, "points", std::to_string(points), of_another};
  if (made_by != version)
    throw FileError{place, "version", "\"" + made_by + "\"",
                    "the plan is of another version than this program, " + std::string{version}};
}

std::vector<std::uint64_t> SweepPlan::finished_of(const SweepShare& share) const {
  std::set<std::uint64_t> points;
  std::error_code error;
  const std::string begin = fmt::format("{}-of-{}.", share.number, share.of);
  for (const fs::directory_entry& entry : fs::directory_iterator(outcomes(), error)) {
    if (entry.path().filename().string().rfind(begin, 0) != 0) continue;
    if (first_line_of(entry.path()) == digest_) points.merge(points_in(sweep_, entry.path()));
  }
  return {points.begin(), points.end()};
}

bool SweepPlan::run(const SweepShare& share, unsigned jobs,
                    const std::function<bool()>& stop) const {
  free_name_of_folder(outcomes());
  std::error_code error;
  fs::create_directory(outcomes(), error);  // opening a file in it reports it
  PendingPoints pending{sweep_.points, finished_of(share), share};
  PendingPoints to_count = pending;
  std::set<std::uint64_t> left = all_of(to_count);
  OutcomeFile file{outcomes(), share};
  file.add(digest_ + "\n");
  const SweepWork work{sweep_, pending,
                       [&](const SweepOutcome& outcome) {
                         file.add(to_line(outcome) + "\n");
                         left.erase(outcome.point);
                       },
                       stop};
  static_cast<void>(run_local(work, jobs));
  return left.empty();
}

void SweepPlan::check_outcomes() const {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(outcomes(), error)) {
    if (entry.is_regular_file(error) && max_outcome_bytes < entry.file_size(error))
      throw FileError{{entry.path().string(), 0},
                      "",
                      "",
                      "is larger than " + format_quantity(max_outcome_bytes) +
                          " bytes, which no task writes; take the file away"};
    const std::string digest = first_line_of(entry.path());
    if (digest.empty() || digest == digest_) continue;  // a task that has just begun has none yet
    throw FileError{{entry.path().string(), 1},
                    "",
                    "",
                    "holds points of another sweep than the plan; take the file away"};
  }
}

void SweepPlan::collect(const SweepWork& work) const {
  std::set<std::uint64_t> wanted = all_of(work.pending);
  OutcomeCollector{wanted, work}.collect(outcomes());
}

void SweepPlan::forget_outcomes() const {
  std::error_code ignored;
  fs::remove_all(outcomes(), ignored);
}

}  // namespace weir

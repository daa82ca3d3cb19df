// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <future>
#include <optional>

#include "sink_table.hpp"
#include "text/format.hpp"
#include "weir/config/format/units.hpp"
#include "weir/core/errors.hpp"
#include "weir/trace/events/event_database.hpp"

namespace weir {
namespace {

Bytes to_limit(const std::string& text) {
  const std::optional<Bytes> limit = parse_bytes(text);
  if (!limit || *limit < min_events_limit)
    throw ConfigError(
        "--events-limit", text,
        fmt::format("{}, at least {}", legal::bytes, format_quantity(min_events_limit)));
  return *limit;
}

constexpr std::array<std::pair<const char*, EventDetail>, 3> event_details{
    {{"drops", EventDetail::drops}, {"pfc", EventDetail::pfc}, {"all", EventDetail::all}}};

class EventSink final : public Sink {
 public:
  EventSink(CLI::App& command, const SinkRow& row) : file_{row.files.front()} {
    command.add_option(row.option, detail_, row.help)->check(CLI::IsMember(event_details));
    command
        .add_option("--events-limit", limit_text_,
                    fmt::format("Size of events.sqlite; past it the first and the last events are "
                                "kept (default: {})",
                                format_quantity(default_events_limit)))
        ->type_name("SIZE");
  }
  void plan(FileRoles&, const std::filesystem::path&, bool) override {
    if (!limit_text_.empty()) limit_ = to_limit(limit_text_);
  }
  void open(const SinkRun& run) override {
    // Range: `detail_` is one of event_details, as CLI11 has checked.
    const auto detail = std::find_if(event_details.begin(), event_details.end(),
                                     [&](const auto& row) { return row.first == detail_; });
    events_.emplace(run.folder.path_of(file_), run.network.scenario(), detail->second, limit_);
    run.network.watch(*events_);
  }
  // What is left goes into the file, with its indexes.
  void simulated(Picoseconds end, const std::shared_future<void>&) override {
    finished_ = std::async(std::launch::async, [this, end] { events_->finish(end); });
  }
  void finish(SinkEnd& end) override {
    finished_.get();
    if (!events_->left_out()) return;
    const EventsLeftOut& left_out = *events_->left_out();
    end.notes.push_back(
        fmt::format("{} leaves out {} events, after {} until {}: with them it is larger than {} "
                    "(--events-limit)",
                    file_, format_quantity(left_out.rows), format_quantity(left_out.after),
                    format_quantity(left_out.until), format_quantity(limit_)));
  }

 private:
  const std::string file_;
  std::string detail_{"pfc"}, limit_text_;
  Bytes limit_{default_events_limit};
  std::optional<EventDatabase> events_;
  std::future<void> finished_;  // after what it works on: its end waits
};

}  // namespace

std::unique_ptr<Sink> make_event_sink(CLI::App& command, const SinkRow& row) {
  return std::make_unique<EventSink>(command, row);
}

}  // namespace weir

// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/forensics/pfc_forensics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <tuple>
#include <utility>

#include "forensics/capture_labels.hpp"
#include "forensics/control_frame.hpp"
#include "forensics/data_frames.hpp"
#include "forensics/flow_judge.hpp"
#include "forensics/flow_tracker.hpp"
#include "forensics/station_table.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/ethernet.hpp"

namespace weir {
namespace {

constexpr std::uint64_t s_per_day = 86'400;
constexpr std::size_t max_causes = 2'000'000;

/// What of a frame counts: PFC, or data with a class. Those of PFC are kept.
struct Seen {
  CaptureStamp stamp;
  std::size_t interface;
  CaptureDirection direction;
  std::uint32_t length;
  std::uint64_t source, destination;
  PfcFrame pfc;
};

/// One capture, as far as it is needed to read it again.
struct Survey {
  std::filesystem::path file;
  std::string label;
  std::vector<std::size_t> numbers;    // of its interfaces
  std::optional<CaptureStamp> latest;  // so far
  Picoseconds disorder;                // of its stamps
};

/// What PFC frames do, in the order of time: one arrives before another starts at that moment.
struct Event {
  enum class Kind : std::uint8_t { arrives, leaves } kind;
  Picoseconds time;
  std::size_t seen, station;
  std::size_t paused;  // by a PAUSE that leaves; who is whose peer may be learned later

  friend bool operator<(const Event& a, const Event& b) noexcept {
    return std::tie(a.time, a.kind) < std::tie(b.time, b.kind);
  }
};

}  // namespace

std::string_view to_string(PauseEnd end) noexcept {
  switch (end) {
    case PauseEnd::xon:
      return "xon";
    case PauseEnd::timer:
      return "timer";
    case PauseEnd::open:
      return "open";
  }
  return "unknown";
}

std::string_view to_string(PfcVerdict verdict) noexcept {
  switch (verdict) {
    case PfcVerdict::no_pause:
      return "no pause";
    case PfcVerdict::congestion:
      return "congestion";
    case PfcVerdict::open:
      return "still paused at the end";
    case PfcVerdict::passed_on:
      return "passed on";
    case PfcVerdict::storm:
      return "STORM";
  }
  return "unknown";
}

bool PfcReport::bad() const {
  return std::any_of(findings.begin(), findings.end(),
                     [](const PfcFinding& finding) { return row_of(finding.fault).bad; });
}

class PfcForensics::State {
 public:
  explicit State(PfcAssumptions assumptions)
      : assumptions_{std::move(assumptions)}, stations_{assumptions_} {}

  void add(const std::filesystem::path& file) { files_.push_back({file, {}, {}, {}, {}}); }
  [[nodiscard]] PfcReport finish() {
    label_files();
    for (Survey& file : files_) read(file);
    choose_begin();
    std::vector<Event> events = pfc_events();
    std::stable_sort(events.begin(), events.end());
    follow(events);
    conclude();
    return std::move(report_);
  }

 private:
  using FlowKey = std::pair<std::size_t, Priority::rep>;  // of the paused station

  void label_files() {
    std::vector<std::filesystem::path> paths;
    for (const Survey& file : files_) paths.push_back(file.file);
    const std::vector<std::string> labels = capture_labels(paths);
    for (std::size_t i = 0; i < files_.size(); ++i) files_[i].label = labels[i];
  }

  // One capture: its interfaces, its PFC frames.
  void read(Survey& file) {
    if (std::error_code none; std::filesystem::is_fifo(file.file, none))
      throw ConfigError("CAPTURE", file.file.string(),
                        "must be a file, no pipe: captures are read twice");
    CaptureFile capture{file.file};
    for (CapturedFrame frame; capture.next(frame);) {
      add_interfaces(file, capture);
      ++report_.frames;
      longest_ = std::max(longest_, frame.length);
      const EthernetHeader header = ethernet_header(frame.octets);
      Seen seen = seen_of(file, frame, header);
      take_stamp(file, seen.stamp);
      if (header.type != mac_control_type) continue;
      const ControlFrame control = check_control_frame(frame, header);
      for (const PfcFault fault : control.faults) note(fault, seen, frame.number);
      if (!control.pfc) continue;
      ++report_.pfc_frames;
      seen.pfc = *control.pfc;
      seen_.push_back(seen);
    }
    add_interfaces(file, capture);
    for (const CaptureInterface& interface : capture.interfaces())
      if (interface.end && (!end_ || *end_ < *interface.end)) end_ = interface.end;
  }
  [[nodiscard]] static Seen seen_of(const Survey& file, const CapturedFrame& frame,
                                    const EthernetHeader& header) {
    return {frame.stamp,
            file.numbers[frame.interface],
            frame.direction,
            frame.length,
            header.source,
            header.destination,
            {}};
  }
  void take_stamp(Survey& file, const CaptureStamp& stamp) {
    if (!first_ || stamp < *first_) first_ = stamp;
    if (!last_ || *last_ < stamp) last_ = stamp;
    if (!file.latest || *file.latest < stamp)
      file.latest = stamp;
    else if (file.latest->seconds - stamp.seconds <= max_capture_span_s)  // else refused below
      file.disorder = std::max(file.disorder, between(stamp, *file.latest));
  }
  void add_interfaces(Survey& file, const CaptureFile& capture) {
    const auto& interfaces = capture.interfaces();
    std::vector<std::size_t>& numbers = file.numbers;
    while (numbers.size() < interfaces.size())
      numbers.push_back(stations_.add(file.file, file.label, interfaces[numbers.size()],
                                      numbers.size(), 1 < files_.size()));
  }
  [[nodiscard]] Priority class_of(const EthernetHeader& header) const {
    if (header.priority) return *header.priority;
    if (!header.dscp) return Priority{0};
    const auto mapped = assumptions_.class_of_dscp.find(*header.dscp);
    return mapped != assumptions_.class_of_dscp.end() ? mapped->second
                                                      : class_of_selector(*header.dscp);
  }

  // Simulations begin at 0; captures of wires at their first frame.
  void choose_begin() {
    if (!first_) throw ConfigError("CAPTURE", files_.front().file.string(), "holds no frame");
    if (s_per_day <= first_->seconds) report_.begin = *first_;
    if (end_ && *last_ < *end_) last_ = end_;
    if (max_capture_span_s < last_->seconds - report_.begin.seconds)
      throw ConfigError(
          "CAPTURE", files_.front().file.string(),
          fmt::format("the stamps of all captures must lie within {} s", max_capture_span_s));
    report_.end = end_ ? since_begin(*last_) : Picoseconds{};
    for (auto& [key, finding] : frame_findings_) finding.first = since_begin(finding_stamps_[key]);
  }
  [[nodiscard]] static Picoseconds between(const CaptureStamp& from, const CaptureStamp& to) {
    return Picoseconds{(to.seconds - from.seconds) * picoseconds_per_second + to.picoseconds -
                       from.picoseconds};
  }
  [[nodiscard]] Picoseconds since_begin(const CaptureStamp& stamp) const {
    return between(report_.begin, stamp);
  }

  [[nodiscard]] std::size_t sender_of(const Seen& seen) {
    if (seen.direction == CaptureDirection::unknown)
      return stations_.station_of(seen.interface, seen.source);
    return stations_.station(seen.interface, seen.direction == CaptureDirection::outbound);
  }
  // Of a data frame; none: it cannot be known.
  [[nodiscard]] std::optional<std::size_t> data_sender_of(const Seen& seen) {
    if (seen.direction != CaptureDirection::unknown) return sender_of(seen);
    if (const auto sender = stations_.known(seen.interface, seen.source)) return sender;
    const auto receiver = stations_.known(seen.interface, seen.destination);
    if (!receiver) return std::nullopt;
    return stations_.all()[*receiver].peer;
  }
  [[nodiscard]] Picoseconds time_on_wire(const Seen& seen, const PfcStation& station) const {
    return byte_time(station.rate) * (preamble_bytes.count() + seen.length);
  }
  // Of the first bit, where it was captured.
  [[nodiscard]] Picoseconds first_bit(const Seen& seen, const PfcStation& sender) const {
    const Picoseconds stamp = since_begin(seen.stamp);
    if (!assumptions_.stamps_are_of_last_bit) return stamp;
    return saturating_subtract(stamp, time_on_wire(seen, sender));
  }

  [[nodiscard]] std::vector<Event> pfc_events() {
    std::vector<Event> events;
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      const Seen& seen = seen_[i];
      const std::size_t sender = sender_of(seen);
      const std::size_t paused = stations_.all()[sender].peer;
      stations_.need_rate(sender);
      stations_.need_rate(paused);
      PfcStation& station = stations_.all()[sender];
      ++station.pfc_frames;
      const Picoseconds first = first_bit(seen, station);
      const bool there = seen.direction != CaptureDirection::outbound;  // at the paused end
      const Picoseconds last = first + time_on_wire(seen, station);
      const Picoseconds arrival = there ? last : last + station.delay;
      events.push_back({Event::Kind::leaves,
                        there ? saturating_subtract(first, station.delay) : first, i, sender,
                        paused});
      events.push_back({Event::Kind::arrives, arrival, i, paused, paused});
      if (!end_) report_.end = std::max(report_.end, arrival);
      for (std::size_t n = 0; n < priorities; ++n)
        if ((seen.pfc.class_enable >> n & 1U) != 0) add_flow(sender, paused, n);
    }
    if (!end_) report_.end = std::max(report_.end, since_begin(*last_));
    return events;
  }
  void add_flow(std::size_t from, std::size_t to, std::size_t n) {
    const Priority priority{static_cast<std::uint8_t>(n)};
    const auto [place, is_new] =
        flow_of_.emplace(FlowKey{to, priority.count()}, report_.flows.size());
    if (!is_new) return;
    PfcFlow flow;
    flow.from = from;
    flow.to = to;
    flow.priority = priority;
    flow.first_sent = Picoseconds{~std::uint64_t{0}};
    report_.flows.push_back(std::move(flow));
    trackers_.emplace_back(stations_.all()[to], priority, assumptions_.poll);
    flows_into_[{stations_.all()[to].node, priority.count()}].push_back(place->second);
  }
  // A data frame of the class that a flow pauses at its sender.
  [[nodiscard]] std::optional<DataFrame> chosen(std::size_t file, const CapturedFrame& frame) {
    const EthernetHeader header = ethernet_header(frame.octets);
    if (header.type == mac_control_type) return std::nullopt;
    const Seen seen = seen_of(files_[file], frame, header);
    const std::optional<std::size_t> sender = data_sender_of(seen);
    if (!sender) {
      ++undirected_;
      return std::nullopt;
    }
    PfcStation& station = stations_.all()[*sender];
    ++station.data_frames;
    const Priority priority = class_of(header);
    if (flow_of_.find({*sender, priority.count()}) == flow_of_.end()) return std::nullopt;
    Picoseconds start = first_bit(seen, station);
    if (seen.direction == CaptureDirection::inbound)
      start = saturating_subtract(start, station.delay);
    return DataFrame{start, file, frame.number, *sender, priority, frame.length};
  }
  // By how much a data frame may start before its stamp.
  [[nodiscard]] Picoseconds max_lead() {
    Picoseconds most;
    for (const auto& [key, flow] : flow_of_) {
      const PfcStation& station = stations_.all()[key.first];
      const Picoseconds wire = byte_time(station.rate) * (preamble_bytes.count() + longest_);
      most = std::max(most, station.delay + wire);
    }
    return most;
  }

  void follow(const std::vector<Event>& events) {
    std::vector<DataFrames::Source> sources;
    for (const Survey& file : files_) sources.push_back({file.file, file.disorder});
    DataFrames data{
        std::move(sources), max_lead(),
        [this](const CaptureStamp& stamp) { return since_begin(stamp); },
        [this](std::size_t file, const CapturedFrame& frame) { return chosen(file, frame); }};
    auto event = events.begin();
    while (const auto frame = data.next()) {
      for (; event != events.end() && event->time <= frame->start; ++event) apply(*event);
      const std::size_t flow = flow_of_.at({frame->station, frame->priority.count()});
      trackers_[flow].started(report_.flows[flow], frame->length, frame->start);
    }
    for (; event != events.end(); ++event) apply(*event);
    report_.max_held = data.max_held();
  }
  void apply(const Event& event) {
    const PfcFrame& pfc = seen_[event.seen].pfc;
    for (std::uint8_t n = 0; n < priorities; ++n) {
      if ((pfc.class_enable >> n & 1U) == 0) continue;
      if (event.kind == Event::Kind::leaves)
        left(event, n, pfc.time[n]);
      else
        arrived(event, n, pfc.time[n]);
    }
  }
  // A PAUSE leaves: does its sender wait itself?
  void left(const Event& event, std::uint8_t n, Quanta quanta) {
    if (quanta.count() == 0) return;
    const std::size_t number = flow_of_.at({event.paused, n});
    PfcFlow& flow = report_.flows[number];
    flow.first_sent = std::min(flow.first_sent, event.time);
    const bool refresh = trackers_[number].running(event.time);
    bool because = false, waits = false;
    for (const std::size_t other : flows_into_[{stations_.all()[event.station].node, n}]) {
      const std::size_t paused = report_.flows[other].to;
      if (!trackers_[other].is_paused(event.time)) continue;
      // A switch may send back through the port that it pauses, a host does not.
      waits = waits || paused != event.station || stations_.has_other_ports(event.station);
      if (paused == event.station) continue;
      if (!refresh) ++cause(flow, paused);
      because = true;
    }
    if (!refresh && !because) ++flow.origins;
    waits_[event.seen] = waits;
  }
  // The count of a cause; of n ports that are all paused each may have n.
  std::uint64_t& cause(PfcFlow& flow, std::size_t paused) {
    const auto [place, is_new] = flow.because.try_emplace(paused, 0);
    if (is_new && max_causes < ++causes_)
      throw ConfigError("CAPTURE", files_.front().file.string(),
                        fmt::format("must not have more than {} pairs of a PAUSE and a paused port "
                                    "of its sender",
                                    max_causes));
    return place->second;
  }
  void arrived(const Event& event, std::uint8_t n, Quanta quanta) {
    if (report_.end < event.time) return;  // the capture does not show what it does
    const std::size_t flow = flow_of_.at({event.station, n});
    trackers_[flow].received(report_.flows[flow], quanta, event.time, waits_[event.seen]);
  }

  void note(PfcFault fault, const Seen& seen, std::uint64_t packet) {
    const auto key = std::pair{seen.interface, fault};
    PfcFinding& finding = frame_findings_[key];
    if (finding.count++ != 0) return;
    finding.fault = fault;
    finding.where = stations_.interface(seen.interface).name;
    finding.packet = packet;
    finding_stamps_[key] = seen.stamp;
  }
  void conclude() {
    for (const auto& [key, finding] : frame_findings_) report_.findings.push_back(finding);
    FlowJudge judge{stations_.all(), assumptions_.storm, report_.findings};
    for (std::size_t i = 0; i < report_.flows.size(); ++i) {
      PfcFlow& flow = report_.flows[i];
      trackers_[i].finish(flow, report_.end, judge.storm_of(stations_.all()[flow.to]));
    }
    judge.add_all(report_.flows);
    if (undirected_ != 0) {
      PfcFinding finding;
      finding.fault = PfcFault::no_direction;
      finding.where = "all captures";
      finding.count = undirected_;
      report_.findings.push_back(std::move(finding));
    }
    std::stable_sort(report_.findings.begin(), report_.findings.end(),
                     [](const PfcFinding& a, const PfcFinding& b) { return a.fault < b.fault; });
    std::stable_sort(
        report_.flows.begin(), report_.flows.end(),
        [](const PfcFlow& a, const PfcFlow& b) { return a.first_sent < b.first_sent; });
    report_.stations = std::move(stations_.all());
    report_.poll = assumptions_.poll;
  }
  const PfcAssumptions assumptions_;
  StationTable stations_;
  std::vector<Survey> files_;
  std::vector<Seen> seen_;  // PFC frames
  std::uint32_t longest_{0};
  std::optional<CaptureStamp> first_, last_, end_;
  std::map<std::pair<std::size_t, PfcFault>, PfcFinding> frame_findings_;
  std::map<std::pair<std::size_t, PfcFault>, CaptureStamp> finding_stamps_;
  std::map<FlowKey, std::size_t> flow_of_;
  std::map<std::pair<std::string, Priority::rep>, std::vector<std::size_t>> flows_into_;
  std::map<std::size_t, bool> waits_;  // senders of PFC frames, by frame
  std::vector<FlowTracker> trackers_;
  std::size_t causes_{0};
  std::uint64_t undirected_{0};
  PfcReport report_;
};

PfcForensics::PfcForensics(PfcAssumptions assumptions)
    : state_{std::make_unique<State>(std::move(assumptions))} {}
PfcForensics::~PfcForensics() = default;

void PfcForensics::read(const std::filesystem::path& file) { state_->add(file); }
PfcReport PfcForensics::finish() { return state_->finish(); }

}  // namespace weir

// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/events/timeline.hpp"

#include <fmt/format.h>

#include <array>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "weir/config/files/output_file.hpp"
#include "weir/config/format/port_name.hpp"
#include "weir/core/pfc/pause_timer.hpp"
#include "weir/model/network/frame.hpp"
#include "weir/model/network/network_events.hpp"

namespace weir {
namespace {

// Microseconds, exact.
std::string stamp(Picoseconds time) {
  return fmt::format("{}.{:06}", time.count() / 1'000'000, time.count() % 1'000'000);
}

/// The pause of a class at a port: it may not start a frame from `from`, the response time after
/// the PAUSE, until its timer ends.
struct Pause {
  std::optional<Picoseconds> from;
  Picoseconds until;
  std::optional<std::uint64_t> arrow;  // of the PAUSE that began it
  Picoseconds sent;
};

struct Port {
  std::size_t node{0}, number{0};
  bool is_host{false}, obeys{true};
  BitRate rate;
  ClockPeriod clock{default_clock};  // of a switch
  Picoseconds delay, response;
  std::size_t peer{0};                                            // into the list of ports
  std::array<Pause, priorities> pauses;                           // of what this port sends
  std::array<std::optional<Picoseconds>, priorities> xoff_since;  // by priority group
  struct Sent {
    Picoseconds time;
    std::uint64_t arrow;
  };
  std::array<std::deque<Sent>, priorities> on_the_way;  // PAUSE frames in flight from this port
};

}  // namespace

class Timeline::Tracks {
 public:
  Tracks(const std::filesystem::path& file, const Scenario& scenario) : out_{"--timeline", file} {
    out_.write("{\"displayTimeUnit\": \"ns\", \"traceEvents\": [");
    for (const SwitchSpec& spec : scenario.switches) add_node(spec.name);
    for (const HostSpec& spec : scenario.hosts) add_node(spec.name);
    for (const LinkSpec& link : scenario.links) {
      const std::size_t a = add_port(scenario, link.a, link.delay);
      const std::size_t b = add_port(scenario, link.b, link.delay);
      ports_[a].peer = b;
      ports_[b].peer = a;
    }
  }

  void level(const std::string& node, PortId number, Priority pg, bool xoff, Picoseconds time) {
    Port& port = at(node, number);
    std::optional<Picoseconds>& since = port.xoff_since[pg.count()];
    if (!xoff && since) slice(port, pg.count(), "XOFF", *since, time);
    since = xoff ? std::optional{time} : std::nullopt;
  }
  void sent(const std::string& node, PortId number, const PfcFrame& frame, Picoseconds time) {
    Port& port = at(node, number);
    const Picoseconds length = frame_time(pfc_frame_bytes.count(), byte_time(port.rate));
    for (std::size_t n = 0; n < priorities; ++n) {
      if ((frame.class_enable >> n & 1U) == 0) continue;
      const bool pause = frame.time[n].count() != 0;
      slice(port, priorities + n, pause ? "PAUSE sent" : "RESUME sent", time, time + length);
      if (!pause) continue;
      port.on_the_way[n].push_back({time, ++arrows_});
    }
  }
  void received(const std::string& node, PortId number, const PfcFrame& frame, Picoseconds time) {
    Port& port = at(node, number);
    for (std::size_t n = 0; n < priorities; ++n)
      if ((frame.class_enable >> n & 1U) != 0) load(port, n, frame.time[n], time);
  }
  // The mark is at the time of formation; its arguments name the members in order.
  void deadlock(const DeadlockReport& report) {
    nlohmann::ordered_json members = nlohmann::ordered_json::array();
    for (const DeadlockMember& member : report.members)
      members.push_back(fmt::format("{} class {} waits for {}", port_name(member.node, member.port),
                                    member.priority.count(), member.waits_for));
    const DeadlockMember& last = report.members.back();
    const Port& port = at(last.node, last.port);
    event(fmt::format(
        R"("ph": "i", "s": "g", "name": "DEADLOCK", "cat": "pfc", {}, "ts": {}, "args": {})",
        track(port, 2 * priorities + last.priority.count()), stamp(report.formed),
        nlohmann::ordered_json{{"members", members}, {"frames", report.frames}}.dump()));
  }
  // Two counters of a queue: what waits, with the thresholds in its name, and what was marked.
  void queue(const QueueSample& sample, Picoseconds time) {
    const std::string place = fmt::format("port[{}] queue {}", port_of(sample.queue).count(),
                                          number_in_port(sample.queue).count());
    counter(sample.node,
            fmt::format("{} waiting (K_min {}, K_max {})", place, sample.profile.min.count(),
                        sample.profile.max.count()),
            "cells", sample.waiting.count(), time);
    counter(sample.node, place + " marked", "packets", sample.counters.marked_packets, time);
  }
  void finish(Picoseconds time) {
    for (Port& port : ports_)
      for (std::size_t n = 0; n < priorities; ++n) {
        end_pause(port, n, time);
        if (port.xoff_since[n]) slice(port, n, "XOFF", *port.xoff_since[n], time);
      }
    out_.write("\n]}\n");
    out_.commit();
  }

 private:
  // Three groups of tracks a port: levels of its PGs, PFC frames it sends, classes it may not send.
  static constexpr std::size_t tracks_per_port = 3 * priorities;

  void add_node(const std::string& name) {
    numbers_.emplace(name, numbers_.size());
    event(fmt::format(R"("ph": "M", "name": "process_name", "pid": {}, "args": {{"name": {}}})",
                      numbers_.size(), nlohmann::json(name).dump()));
  }
  std::size_t add_port(const Scenario& scenario, const LinkEnd& end, Picoseconds delay) {
    Port port;
    port.is_host = end.is_host;
    port.node = end.node + (end.is_host ? scenario.switches.size() : 0);
    port.number = end.port.count();
    port.delay = delay;
    if (end.is_host) {
      port.rate = scenario.hosts[end.node].rate;
      port.obeys = scenario.hosts[end.node].obeys_pfc;
      port.response = scenario.hosts[end.node].response;
    } else {
      port.rate = scenario.switches[end.node].chip.ports[port.number].rate;
      port.clock = scenario.switches[end.node].chip.clock;
      port.response = CycleTimeBase{port.rate, port.clock}.response(
          scenario.switches[end.node].chip.ports[port.number].response);
    }
    by_place_.emplace(std::pair{port.node, port.number}, ports_.size());
    ports_.push_back(std::move(port));
    return ports_.size() - 1;
  }
  Port& at(const std::string& node, PortId number) {
    return ports_[by_place_.at({numbers_.at(node), number.count()})];
  }

  void load(Port& port, std::size_t n, Quanta quanta, Picoseconds time) {
    const std::optional<std::uint64_t> arrow = arrived(ports_[port.peer], n, quanta, time);
    if (!port.obeys) return;
    Pause& pause = port.pauses[n];
    const Picoseconds loaded =
        port.is_host ? time : CycleTimeBase{port.rate, port.clock}.load_time(time);
    if (quanta.count() == 0 || pause.until <= time) end_pause(port, n, loaded);
    if (quanta.count() == 0) return;
    if (!pause.from) {
      pause.from = std::max(loaded, time + port.response);
      pause.arrow = arrow;
      pause.sent = sent_at_;
    }
    pause.until = expiry(port, loaded, quanta);
  }
  static Picoseconds expiry(const Port& port, Picoseconds loaded, Quanta quanta) {
    return port.is_host ? WireTimeBase{port.rate}.expiry(loaded, quanta)
                        : CycleTimeBase{port.rate, port.clock}.expiry(loaded, quanta);
  }
  // The last PAUSE that can have arrived by now; earlier ones are lost or have arrived.
  std::optional<std::uint64_t> arrived(Port& sender, std::size_t n, Quanta quanta,
                                       Picoseconds time) {
    if (quanta.count() == 0) return std::nullopt;
    const Picoseconds way =
        sender.delay + frame_time(pfc_frame_bytes.count(), byte_time(sender.rate));
    std::optional<std::uint64_t> arrow;
    auto& sent = sender.on_the_way[n];
    for (; !sent.empty() && sent.front().time + way <= time; sent.pop_front()) {
      arrow = sent.front().arrow;
      sent_at_ = sent.front().time;
    }
    return arrow;
  }
  void end_pause(Port& port, std::size_t n, Picoseconds time) {
    Pause& pause = port.pauses[n];
    if (!pause.from) return;
    const Picoseconds from = *pause.from, until = std::min(time, pause.until);
    pause.from.reset();
    if (until <= from) return;  // over before the port had to obey
    slice(port, 2 * priorities + n, "paused", from, until);
    if (pause.arrow) link(ports_[port.peer], port, n, pause, from);
  }
  void link(const Port& sender, const Port& receiver, std::size_t n, const Pause& pause,
            Picoseconds time) {
    const char* const form =
        R"("ph": "{}", "name": "PAUSE", "cat": "pfc", "id": {}, {}, "ts": {}{})";
    event(fmt::format(fmt::runtime(form), "s", *pause.arrow, track(sender, priorities + n),
                      stamp(pause.sent), ""));
    event(fmt::format(fmt::runtime(form), "f", *pause.arrow, track(receiver, 2 * priorities + n),
                      stamp(time), R"(, "bp": "e")"));
  }
  void slice(const Port& port, std::size_t which, const char* name, Picoseconds from,
             Picoseconds to) {
    event(fmt::format(R"("ph": "X", "name": "{}", "cat": "pfc", {}, "ts": {}, "dur": {})", name,
                      track(port, which), stamp(from), stamp(to - from)));
  }
  void counter(const std::string& node, const std::string& name, const char* unit,
               std::uint64_t value, Picoseconds time) {
    event(fmt::format(R"("ph": "C", "name": "{}", "cat": "ecn", "pid": {}, "ts": {}, )"
                      R"("args": {{"{}": {}}})",
                      name, numbers_.at(node) + 1, stamp(time), unit, value));
  }
  // Names a track when it is first used.
  std::string track(const Port& port, std::size_t which) {
    static constexpr const char* kinds[] = {"PG {} XOFF", "PFC sent, class {}", "class {} paused"};
    const std::size_t number = port.number * tracks_per_port + which;
    const std::string place = fmt::format(R"("pid": {}, "tid": {})", port.node + 1, number);
    if (named_.emplace(std::pair{port.node, number}, true).second)
      event(fmt::format(
          R"("ph": "M", "name": "thread_name", {}, "args": {{"name": "port[{}] {}"}})", place,
          port.number, fmt::format(fmt::runtime(kinds[which / priorities]), which % priorities)));
    return place;
  }
  void event(const std::string& fields) {
    out_.write(events_++ == 0 ? "\n{" : ",\n{");
    out_.write(fields);
    out_.write("}");
  }

  OutputFile out_;
  std::map<std::string, std::size_t> numbers_;
  std::vector<Port> ports_;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> by_place_;
  std::map<std::pair<std::size_t, std::size_t>, bool> named_;
  std::uint64_t arrows_{0}, events_{0};
  Picoseconds sent_at_;
};

Timeline::Timeline(const std::filesystem::path& file, const Scenario& scenario)
    : tracks_{std::make_unique<Tracks>(file, scenario)} {}

Timeline::~Timeline() = default;

void Timeline::finish(Picoseconds time) { tracks_->finish(time); }

void Timeline::level(const std::string& switch_name, PortId port, Priority pg, bool xoff,
                     Picoseconds time) {
  tracks_->level(switch_name, port, pg, xoff, time);
}

void Timeline::pfc_sent(const std::string& node, PortId port, const PfcFrame& frame,
                        Picoseconds time) {
  tracks_->sent(node, port, frame, time);
}

void Timeline::deadlock(const DeadlockReport& report, Picoseconds) { tracks_->deadlock(report); }

void Timeline::queue_sample(const QueueSample& sample, Picoseconds time) {
  tracks_->queue(sample, time);
}

void Timeline::pfc_received(const std::string& node, PortId port, const PfcFrame& frame,
                            Picoseconds time) {
  tracks_->received(node, port, frame, time);
}

}  // namespace weir

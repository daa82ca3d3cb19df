// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/events/event_database.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include <new>
#include <optional>
#include <vector>

#include "queued_drop.hpp"
#include "row_writer.hpp"
#include "verdict_rows.hpp"
#include "weir/config/files/result_names.hpp"
#include "weir/core/errors.hpp"
#include "weir/model/network/network_events.hpp"

namespace weir {
namespace {

// No journal: the folder of the file is valid only when the whole run is over.
constexpr const char* table_definitions = R"sql(
PRAGMA page_size = 4096;
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE;
CREATE TABLE run (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE ports (node TEXT, port INTEGER, kind TEXT, rate_bps INTEGER,
                    peer_node TEXT, peer_port INTEGER, delay_ps INTEGER);
CREATE TABLE pfc_frames (time_ps INTEGER, node TEXT, port INTEGER, direction TEXT,
                         class INTEGER, quanta INTEGER);
CREATE TABLE watchdogs (time_ps INTEGER, node TEXT, port INTEGER, class INTEGER, action TEXT);
CREATE TABLE levels (time_ps INTEGER, switch TEXT, port INTEGER, pg INTEGER, xoff INTEGER);
CREATE TABLE drops (time_ps INTEGER, switch TEXT, port INTEGER, pg INTEGER, queue INTEGER,
                    priority INTEGER, length INTEGER, flow INTEGER, source TEXT,
                    destination TEXT, sequence INTEGER, reason TEXT);
)sql";

// Findings and measurements in addition to packets: few rows, independent of --events.
constexpr const char* watch_definitions = R"sql(
CREATE TABLE deadlocks (id INTEGER PRIMARY KEY, formed_ps INTEGER, found_ps INTEGER,
                        queues INTEGER, frames INTEGER, bytes INTEGER);
CREATE TABLE deadlock_members (deadlock INTEGER, position INTEGER, switch TEXT, port INTEGER,
                               class INTEGER, since_ps INTEGER, frames INTEGER, bytes INTEGER,
                               waits_for TEXT);
CREATE TABLE port_samples (time_ps INTEGER, node TEXT, port INTEGER, priority INTEGER,
                           rx_packets INTEGER, rx_bytes INTEGER, tx_packets INTEGER,
                           tx_bytes INTEGER, pauses_sent INTEGER, pauses_received INTEGER,
                           pause_time_ps INTEGER, pause_intervals INTEGER,
                           longest_pause_ps INTEGER, mac_drops INTEGER, ingress_drops INTEGER,
                           egress_drops INTEGER, queue_frames INTEGER, held_cells INTEGER);
CREATE TABLE pool_samples (time_ps INTEGER, switch TEXT, pool TEXT, domain INTEGER,
                           private_cells INTEGER, shared_cells INTEGER, headroom_cells INTEGER);
CREATE TABLE queue_samples (time_ps INTEGER, switch TEXT, port INTEGER, queue INTEGER,
                            waiting_cells INTEGER, min_cells INTEGER, max_cells INTEGER,
                            marked_packets INTEGER, wred_drops INTEGER);
CREATE TABLE rate_samples (time_ps INTEGER, host TEXT, peer TEXT, flow INTEGER,
                           connection INTEGER, rate_bps INTEGER, target_bps INTEGER,
                           alpha_ppm INTEGER, cnps INTEGER);
CREATE TABLE drifts (switch TEXT, key TEXT, desired TEXT, running TEXT, found_ps INTEGER,
                     repaired_ps INTEGER);
CREATE TABLE probes (time_ps INTEGER, source TEXT, destination TEXT, priority INTEGER, level TEXT,
                     code TEXT, rtt_ps INTEGER, dropped_at TEXT);
CREATE TABLE left_out (name TEXT, after_ps INTEGER, until_ps INTEGER, rows INTEGER);
)sql";

// By time only: rows are nearly in that order, so it is cheap; an index by name and port costs more
// than writing the rows. They are there from the start: in this order that costs less than sorting
// at the end, and a run that is interrupted ends as soon after an hour as after a second.
constexpr const char* index_definitions = R"sql(
CREATE INDEX pfc_frames_by_time ON pfc_frames (time_ps);
CREATE INDEX levels_by_time ON levels (time_ps);
CREATE INDEX drops_by_time ON drops (time_ps);
CREATE INDEX port_samples_by_time ON port_samples (time_ps);
)sql";

// The kinds of the columns of a table, as its definition above declares them.
std::vector<Column> columns_of(const std::string& table) {
  const std::string head = "CREATE TABLE " + table + " (";
  std::vector<Column> columns;
  for (std::string_view text : {table_definitions, watch_definitions}) {
    const std::size_t at = text.find(head);
    if (at == std::string_view::npos) continue;
    text.remove_prefix(at + head.size());
    text = text.substr(0, text.find(')'));
    for (;;) {
      const std::size_t end = text.find(',');
      const bool is_text = text.substr(0, end).find(" TEXT") != std::string_view::npos;
      columns.push_back(is_text ? Column::text : Column::integer);
      if (end == std::string_view::npos) return columns;
      text.remove_prefix(end + 1);
    }
  }
  return columns;
}

// SQLite's error text, as an error of this run.
template <class F>
void guarded(F&& f) {
  try {
    f();
  } catch (const SQLite::Exception& error) {
    if (error.getErrorCode() == SQLITE_NOMEM) throw std::bad_alloc{};
    throw ModelError(std::string{result_names::events} + ": " + error.what());
  }
}

}  // namespace

class EventDatabase::Tables {
 public:
  Tables(const std::filesystem::path& file, const Scenario& scenario, bool verdicts, Bytes limit)
      : database_{file.string(),
                  SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE | SQLite::OPEN_NOMUTEX},
        schema_{database_},
        writer_{database_, limit} {
    for (const HostSpec& host : scenario.hosts) host_names_.push_back(host.name);
    if (verdicts) verdicts_.emplace(database_, writer_, scenario);
    add_run("scenario", scenario.name);
    add_run("seed", sqlite_integer(scenario.seed));
    add_run("until_ps", sqlite_integer(scenario.until));
    for (const LinkSpec& link : scenario.links) {
      add_port(scenario, link.a, link.b, link.delay);
      add_port(scenario, link.b, link.a, link.delay);
    }
  }

  void add_run(const char* key, std::int64_t value) { writer_.insert(run_numbers_, key, value); }
  void add_run(const char* key, const std::string& value) {
    writer_.insert(run_texts_, key, value);
  }
  template <class... Values>
  void add_pfc_frame(const Values&... values) {
    writer_.insert(pfc_frames_, values...);
  }
  template <class... Values>
  void add_watchdog(const Values&... values) {
    writer_.insert(watchdogs_, values...);
  }
  template <class... Values>
  void add_level(const Values&... values) {
    writer_.insert(levels_, values...);
  }
  void add_drop(const std::string& node, const Frame& frame, PortId port,
                std::optional<std::int64_t> pg, std::optional<std::int64_t> queue,
                std::string_view reason, Picoseconds time) {
    writer_.insert(drops_, time, node, port, pg, queue, frame.priority,
                   sqlite_integer(frame.length), sqlite_integer(frame.flow),
                   host_names_[frame.source], host_names_[frame.destination],
                   sqlite_integer(frame.sequence), reason);
  }
  [[nodiscard]] VerdictRows& verdicts() { return *verdicts_; }
  void add_deadlock(const DeadlockReport& report) {
    const std::int64_t id = ++deadlock_count_;
    writer_.insert(deadlocks_, id, report.formed, report.found, sqlite_integer(report.queues),
                   sqlite_integer(report.frames), report.bytes);
    std::int64_t position = 0;
    for (const DeadlockMember& member : report.members)
      writer_.insert(members_, id, ++position, member.node, member.port, member.priority,
                     member.since, sqlite_integer(member.frames), member.bytes, member.waits_for);
  }
  void add_sample(const PortSample& sample, Picoseconds time) {
    const PortCounters::ByPriority& counts = sample.counts;
    writer_.insert(port_samples_, time, sample.node, sample.port, sample.priority,
                   sqlite_integer(counts.rx_packets), counts.rx_bytes,
                   sqlite_integer(counts.tx_packets), counts.tx_bytes,
                   sqlite_integer(counts.pauses_sent), sqlite_integer(counts.pauses_received),
                   sample.pause.total, sqlite_integer(sample.pause.pauses), sample.pause.longest,
                   sqlite_integer(counts.mac_drops), sqlite_integer(counts.ingress_drops),
                   sqlite_integer(counts.egress_drops), sqlite_integer(sample.queue_frames),
                   sample.held ? std::optional{sqlite_integer(*sample.held)} : std::nullopt);
  }
  void add_sample(const PoolSample& sample, Picoseconds time) {
    writer_.insert(pool_samples_, time, sample.node, sample.pool, sample.domain,
                   sample.use.private_cells, sample.use.shared, sample.use.headroom);
  }
  void add_sample(const QueueSample& sample, Picoseconds time) {
    writer_.insert(queue_samples_, time, sample.node, port_of(sample.queue),
                   number_in_port(sample.queue), sample.waiting, sample.profile.min,
                   sample.profile.max, sqlite_integer(sample.counters.marked_packets),
                   sqlite_integer(sample.counters.dropped));
  }
  void add_sample(const RateSample& sample, Picoseconds time) {
    constexpr std::uint64_t ppm = 1'000'000;
    const ConnectionRate& rate = sample.rate;
    writer_.insert(rate_samples_, time, sample.host, sample.peer, sqlite_integer(rate.flow),
                   sqlite_integer(rate.connection), rate.rate, rate.target,
                   sqlite_integer(rate.alpha * ppm / DcqcnSettings::whole),
                   sqlite_integer(rate.cnps));
  }
  void add_drift(const DriftReport& report) {
    writer_.insert(
        drifts_, report.node, report.drift.key, report.drift.desired, report.drift.running,
        report.found,
        report.repaired ? std::optional{sqlite_integer(*report.repaired)} : std::nullopt);
  }
  void add_probe(const PingResult& probe) {
    writer_.insert(probes_, probe.sent, probe.source, probe.destination, probe.priority,
                   to_string(probe.level), to_string(probe.code),
                   probe.rtt ? std::optional{sqlite_integer(*probe.rtt)} : std::nullopt,
                   probe.where);
  }
  std::optional<EventsLeftOut> finish() {
    if (verdicts_) verdicts_->finish();
    writer_.finish();
    const std::optional<RowLimit::Interval> interval = writer_.limit().left_out();
    if (!interval) return std::nullopt;
    return add_left_out(*interval);
  }

 private:
  // Creates the tables before any statement on them is prepared.
  struct Schema {
    explicit Schema(SQLite::Database& database) {
      database.exec(table_definitions);
      database.exec(watch_definitions);
      database.exec(index_definitions);
    }
  };

  void add_port(const Scenario& scenario, const LinkEnd& end, const LinkEnd& peer,
                Picoseconds delay) {
    const auto name = [&](const LinkEnd& e) {
      return e.is_host ? scenario.hosts[e.node].name : scenario.switches[e.node].name;
    };
    const BitRate rate = end.is_host
                             ? scenario.hosts[end.node].rate
                             : scenario.switches[end.node].chip.ports[end.port.count()].rate;
    writer_.insert(ports_, name(end), end.port, end.is_host ? "host" : "switch", rate, name(peer),
                   peer.port, delay);
  }
  EventsLeftOut add_left_out(const RowLimit::Interval& interval) {
    EventsLeftOut sum{Picoseconds{static_cast<std::uint64_t>(interval.after)},
                      Picoseconds{static_cast<std::uint64_t>(interval.until)}, 0};
    SQLite::Statement insert{database_, "INSERT INTO left_out VALUES (?, ?, ?, ?)"};
    for (const auto& [table, rows] : writer_.limit().rows_left_out()) {
      insert.bind(1, table);
      insert.bind(2, interval.after);
      insert.bind(3, interval.until);
      insert.bind(4, sqlite_integer(rows));
      insert.exec();
      insert.reset();
      sum.rows += rows;
    }
    if (verdicts_) verdicts_->remove_blocks(database_, interval.after, interval.until);
    return sum;
  }
  std::size_t table(const char* name) { return writer_.add_table(name, columns_of(name)); }
  std::size_t events(const char* name) { return writer_.add_events(name, columns_of(name)); }

  SQLite::Database database_;
  Schema schema_;
  RowWriter writer_;
  const std::size_t run_texts_{writer_.add_table("run", {Column::text, Column::text})},
      run_numbers_{writer_.add_table("run", {Column::text, Column::integer})},
      ports_{table("ports")}, pfc_frames_{events("pfc_frames")}, watchdogs_{events("watchdogs")},
      levels_{events("levels")}, drops_{events("drops")}, deadlocks_{table("deadlocks")},
      members_{table("deadlock_members")}, port_samples_{events("port_samples")},
      pool_samples_{events("pool_samples")}, queue_samples_{events("queue_samples")},
      rate_samples_{events("rate_samples")}, drifts_{table("drifts")}, probes_{events("probes")};
  std::optional<VerdictRows> verdicts_;
  std::vector<std::string> host_names_;
  std::int64_t deadlock_count_{0};
};

EventDatabase::EventDatabase(const std::filesystem::path& file, const Scenario& scenario,
                             EventDetail detail, Bytes limit)
    : detail_{detail} {
  guarded([&] {
    tables_ = std::make_unique<Tables>(file, scenario, detail == EventDetail::all, limit);
  });
}

EventDatabase::~EventDatabase() = default;

void EventDatabase::finish(Picoseconds time) {
  guarded([&] {
    tables_->add_run("time_ps", sqlite_integer(time));
    left_out_ = tables_->finish();
  });
  tables_.reset();
}

void EventDatabase::verdict(const std::string& switch_name, const Frame& frame,
                            const Verdict& verdict, Picoseconds time) {
  guarded([&] { tables_->verdicts().add(switch_name, frame, verdict, time); });
}

void EventDatabase::frame_started(const std::string&, PortId, const Frame& frame,
                                  Picoseconds start) {
  guarded([&] { tables_->verdicts().depart(frame, start); });
}

void EventDatabase::refused(const std::string& switch_name, const Frame& frame,
                            const Verdict& verdict, Picoseconds time) {
  guarded([&] {
    tables_->add_drop(switch_name, frame, frame.ingress_port, std::int64_t{frame.pg},
                      std::int64_t{frame.queue}, to_string(verdict.reason), time);
  });
}

void EventDatabase::mac_drop(const std::string& switch_name, const Frame& frame, PortId port,
                             MacDrop reason, Picoseconds time) {
  const bool queued = is_queued_drop(reason);
  if (queued && detail_ == EventDetail::all)
    guarded([&] { tables_->verdicts().depart(frame, std::nullopt); });
  // A surplus copy of a flooded packet; there are many of them.
  if (reason == MacDrop::stray_copy && detail_ != EventDetail::all) return;
  guarded([&] {
    tables_->add_drop(switch_name, frame, port, std::nullopt, std::nullopt, to_string(reason),
                      time);
  });
}

void EventDatabase::watchdog(const std::string& node, PortId port, std::uint8_t classes,
                             WatchdogEvent event, Picoseconds time) {
  guarded([&] {
    for (std::size_t n = 0; n < priorities; ++n)
      if ((classes >> n & 1U) != 0)
        tables_->add_watchdog(sqlite_integer(time), node, sqlite_integer(port), sqlite_integer(n),
                              to_string(event));
  });
}

void EventDatabase::level(const std::string& switch_name, PortId port, Priority pg, bool xoff,
                          Picoseconds time) {
  if (detail_ == EventDetail::drops) return;
  guarded([&] {
    tables_->add_level(sqlite_integer(time), switch_name, sqlite_integer(port), sqlite_integer(pg),
                       std::int64_t{xoff ? 1 : 0});
  });
}

void EventDatabase::deadlock(const DeadlockReport& report, Picoseconds) {
  guarded([&] { tables_->add_deadlock(report); });
}

void EventDatabase::port_sample(const PortSample& sample, Picoseconds time) {
  guarded([&] { tables_->add_sample(sample, time); });
}

void EventDatabase::pool_sample(const PoolSample& sample, Picoseconds time) {
  guarded([&] { tables_->add_sample(sample, time); });
}

void EventDatabase::queue_sample(const QueueSample& sample, Picoseconds time) {
  guarded([&] { tables_->add_sample(sample, time); });
}

void EventDatabase::rate_sample(const RateSample& sample, Picoseconds time) {
  guarded([&] { tables_->add_sample(sample, time); });
}

void EventDatabase::probe(const PingResult& probe) {
  guarded([&] { tables_->add_probe(probe); });
}

void EventDatabase::drift(const DriftReport& report) {
  guarded([&] { tables_->add_drift(report); });
}

namespace {

template <class Tables>
void add_classes(Tables& tables, const std::string& node, PortId port, const PfcFrame& frame,
                 std::string_view direction, Picoseconds time) {
  guarded([&] {
    for (std::size_t n = 0; (frame.class_enable >> n) != 0; ++n)
      if ((frame.class_enable >> n & 1U) != 0)
        tables.add_pfc_frame(sqlite_integer(time), node, sqlite_integer(port), direction,
                             sqlite_integer(n), sqlite_integer(frame.time[n]));
  });
}

}  // namespace

void EventDatabase::pfc_sent(const std::string& node, PortId port, const PfcFrame& frame,
                             Picoseconds time) {
  if (detail_ == EventDetail::drops) return;
  add_classes(*tables_, node, port, frame, "sent", time);
}

void EventDatabase::pfc_received(const std::string& node, PortId port, const PfcFrame& frame,
                                 Picoseconds time) {
  if (detail_ == EventDetail::drops) return;
  add_classes(*tables_, node, port, frame, "received", time);
}

std::string_view to_string(WatchdogEvent event) noexcept {
  switch (event) {
    case WatchdogEvent::drop:
      return "drop";
    case WatchdogEvent::forward:
      return "forward";
    case WatchdogEvent::alert:
      return "alert";
    case WatchdogEvent::restored:
      return "restored";
    case WatchdogEvent::pauses_off:
      return "pauses_off";
  }
  return "unknown";
}

}  // namespace weir

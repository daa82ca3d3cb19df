// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/event_database.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include <optional>
#include <vector>

#include "verdict_rows.hpp"
#include "weir/core/errors.hpp"

namespace weir {
namespace {

constexpr std::uint64_t rows_per_transaction = 100'000;

// No journal: the file belongs to a folder that counts only once the whole run is over.
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

// By time alone: rows come nearly in that order, so it costs little; an index by name and port
// costs more than writing the rows.
constexpr const char* index_definitions = R"sql(
CREATE INDEX pfc_frames_by_time ON pfc_frames (time_ps);
CREATE INDEX levels_by_time ON levels (time_ps);
CREATE INDEX drops_by_time ON drops (time_ps);
)sql";

std::int64_t number(std::uint64_t value) { return static_cast<std::int64_t>(value); }
template <class Tag, class Rep>
std::int64_t number(Quantity<Tag, Rep> quantity) {
  return number(std::uint64_t{quantity.count()});
}

// SQLite's own words, as an error of this run.
template <class F>
void guarded(F&& f) {
  try {
    f();
  } catch (const SQLite::Exception& error) {
    throw ModelError(std::string{"events.sqlite: "} + error.what());
  }
}

}  // namespace

class EventDatabase::Tables {
 public:
  Tables(const std::filesystem::path& file, const Scenario& scenario, bool verdicts)
      : database_{file.string(),
                  SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE | SQLite::OPEN_NOMUTEX},
        schema_{database_} {
    for (const HostSpec& host : scenario.hosts) host_names_.push_back(host.name);
    transaction_.emplace(database_);
    if (verdicts) verdicts_.emplace(database_, scenario);
    add_run("scenario", scenario.name);
    add_run("seed", number(scenario.seed));
    add_run("until_ps", number(scenario.until));
    for (const LinkSpec& link : scenario.links) {
      add_port(scenario, link.a, link.b, link.delay);
      add_port(scenario, link.b, link.a, link.delay);
    }
  }

  template <class Value>
  void add_run(const char* key, const Value& value) {
    insert(run_, key, value);
  }
  template <class... Values>
  void add_pfc_frame(const Values&... values) {
    insert(pfc_frames_, values...);
  }
  template <class... Values>
  void add_watchdog(const Values&... values) {
    insert(watchdogs_, values...);
  }
  template <class... Values>
  void add_level(const Values&... values) {
    insert(levels_, values...);
  }
  void add_drop(const std::string& node, const Frame& frame, PortId port,
                std::optional<std::int64_t> pg, std::optional<std::int64_t> queue,
                std::string_view reason, Picoseconds time) {
    insert(drops_, number(time), node, number(port), pg, queue, number(frame.priority),
           number(frame.length), number(frame.flow), host_names_[frame.source],
           host_names_[frame.destination], number(frame.sequence), std::string{reason});
  }
  [[nodiscard]] VerdictRows& verdicts() { return *verdicts_; }
  void finish() {
    if (verdicts_) verdicts_->finish();
    database_.exec(index_definitions);
    transaction_->commit();
  }

 private:
  // Creates the tables before any statement on them is prepared.
  struct Schema {
    explicit Schema(SQLite::Database& database) { database.exec(table_definitions); }
  };

  void add_port(const Scenario& scenario, const LinkEnd& end, const LinkEnd& peer,
                Picoseconds delay) {
    const auto name = [&](const LinkEnd& e) {
      return e.is_host ? scenario.hosts[e.node].name : scenario.switches[e.node].name;
    };
    const BitRate rate = end.is_host
                             ? scenario.hosts[end.node].rate
                             : scenario.switches[end.node].chip.ports[end.port.count()].rate;
    insert(ports_, name(end), number(end.port), std::string{end.is_host ? "host" : "switch"},
           number(rate), name(peer), number(peer.port), number(delay));
  }

  template <class... Values>
  void insert(SQLite::Statement& statement, const Values&... values) {
    int column = 0;
    (bind(statement, ++column, values), ...);
    statement.exec();
    statement.reset();
    if (++rows_ % rows_per_transaction != 0) return;
    transaction_->commit();
    transaction_.emplace(database_);
  }
  static void bind(SQLite::Statement& statement, int column, std::int64_t value) {
    statement.bind(column, value);
  }
  // The text outlives the one execution that it is bound for.
  static void bind(SQLite::Statement& statement, int column, const std::string& value) {
    statement.bindNoCopy(column, value);
  }
  static void bind(SQLite::Statement& statement, int column, const char* value) {
    statement.bindNoCopy(column, value);
  }
  static void bind(SQLite::Statement& statement, int column, std::optional<std::int64_t> value) {
    if (value)
      statement.bind(column, *value);
    else
      statement.bind(column);
  }

  SQLite::Database database_;
  Schema schema_;
  SQLite::Statement run_{database_, "INSERT INTO run VALUES (?,?)"};
  SQLite::Statement ports_{database_, "INSERT INTO ports VALUES (?,?,?,?,?,?,?)"};
  SQLite::Statement pfc_frames_{database_, "INSERT INTO pfc_frames VALUES (?,?,?,?,?,?)"};
  SQLite::Statement watchdogs_{database_, "INSERT INTO watchdogs VALUES (?,?,?,?,?)"};
  SQLite::Statement levels_{database_, "INSERT INTO levels VALUES (?,?,?,?,?)"};
  SQLite::Statement drops_{database_, "INSERT INTO drops VALUES (?,?,?,?,?,?,?,?,?,?,?,?)"};
  std::optional<VerdictRows> verdicts_;
  std::vector<std::string> host_names_;
  std::uint64_t rows_{0};
  std::optional<SQLite::Transaction> transaction_;
};

EventDatabase::EventDatabase(const std::filesystem::path& file, const Scenario& scenario,
                             EventDetail detail)
    : detail_{detail} {
  guarded([&] { tables_ = std::make_unique<Tables>(file, scenario, detail == EventDetail::all); });
}

EventDatabase::~EventDatabase() = default;

void EventDatabase::finish(Picoseconds time) {
  guarded([&] {
    tables_->add_run("time_ps", number(time));
    tables_->finish();
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
  const bool queued = reason == MacDrop::stray_copy || reason == MacDrop::watchdog_egress;
  if (queued && detail_ == EventDetail::all)
    guarded([&] { tables_->verdicts().depart(frame, std::nullopt); });
  // No packet that anybody misses, and many of them.
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
        tables_->add_watchdog(number(time), node, number(port), number(n),
                              std::string{to_string(event)});
  });
}

void EventDatabase::level(const std::string& switch_name, PortId port, Priority pg, bool xoff,
                          Picoseconds time) {
  if (detail_ == EventDetail::drops) return;
  guarded([&] {
    tables_->add_level(number(time), switch_name, number(port), number(pg),
                       std::int64_t{xoff ? 1 : 0});
  });
}

namespace {

template <class Tables>
void add_classes(Tables& tables, const std::string& node, PortId port, const PfcFrame& frame,
                 const std::string& direction, Picoseconds time) {
  guarded([&] {
    for (std::size_t n = 0; n < priorities; ++n)
      if ((frame.class_enable >> n & 1U) != 0)
        tables.add_pfc_frame(number(time), node, number(port), direction, number(n),
                             number(frame.time[n]));
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

std::string_view to_string(MacDrop reason) noexcept {
  switch (reason) {
    case MacDrop::oversize:
      return "oversize";
    case MacDrop::no_route:
      return "no_route";
    case MacDrop::port_fifo:
      return "port_fifo";
    case MacDrop::ttl:
      return "ttl";
    case MacDrop::incomplete_arp:
      return "incomplete_arp";
    case MacDrop::no_neighbour:
      return "no_neighbour";
    case MacDrop::cpu_queue:
      return "cpu_queue";
    case MacDrop::stray_copy:
      return "stray_copy";
    case MacDrop::dead_host:
      return "dead_host";
    case MacDrop::watchdog:
      return "watchdog";
    case MacDrop::watchdog_egress:
      return "watchdog_egress";
    case MacDrop::nic_buffer:
      return "nic_buffer";
  }
  return "unknown";
}

}  // namespace weir

// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/wave/wave_recorder.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

#include "events/queued_drop.hpp"
#include "wave_rtl.hpp"
#include "wave_save_file.hpp"
#include "wave_signals.hpp"
#include "wave_window.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/scheduling/clock_edges.hpp"
#include "weir/model/network/frame.hpp"
#include "weir/model/network/network_events.hpp"

namespace weir {
namespace {

// What is ahead of the writer is still to be written when the run ends.
constexpr std::size_t records_per_batch = 4'096;
constexpr std::size_t record_batches_ahead = 8;  // then the simulation waits

/// Records, and the time before which no further record can come.
struct Batch {
  std::vector<WaveRecord> records;  // the first `size` of them are valid
  std::size_t size{0};
  std::uint64_t complete{0};
};

}  // namespace

WaveTrigger wave_trigger(std::string_view name) {
  std::string legal;
  for (const WaveTriggerRow& row : wave_triggers) {
    if (row.name == name) return row.trigger;
    legal += (legal.empty() ? "must be one of " : ", ") + std::string{row.name};
  }
  throw ConfigError("--wave-trigger", std::string{name}, legal);
}

class WaveRecorder::Recording {
 public:
  Recording(const WaveOptions& options, const Scenario& scenario, const std::vector<RtlWave*>& rtl)
      : options_{options},
        scenario_{scenario},
        writer_{make_wave_writer(options.file, options.named_by)},
        tree_{*writer_, options.scope, options.interrupted},
        signals_{scenario, tree_, [&](const std::string& node) { add_rtl(rtl, node); }},
        window_{options, signals_} {
    tree_.end_of_hierarchy();
    if (tree_.names().empty()) {
      close_rtl();
      throw ConfigError("--wave-scope", options.scope,
                        "matches no name; names look like " +
                            (signals_.groups().empty() ? "h0" : signals_.groups().front().path) +
                            ".shared");
    }
    for (std::size_t i = 0; i < scenario.switches.size(); ++i)
      numbers_.emplace(scenario.switches[i].name, i);
    for (std::size_t i = 0; i < scenario.hosts.size(); ++i)
      numbers_.emplace(scenario.hosts[i].name, scenario.switches.size() + i);
    begin_batch({});
    thread_ = std::thread{[this] { write_batches(); }};
  }
  ~Recording() {
    close_rtl();
    join();
  }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  /// No later call has an earlier time, except for late changes of an RTL.
  void note_now(const WaveRecord& record) {
    now_ = std::max(now_, record.time);
    note(record);
  }
  void note(const WaveRecord& record) {
    *next_++ = record;
    if (next_ == end_) batch_is_full();
  }
  void mismatch(std::uint64_t time) {
    differs_ = true;
    note_now({time, 0, 0, 0, 0, 0, WaveEvent::mismatch, false});
  }
  /// Number of the node of that name. Names of modules live as long as this object, so their
  /// address identifies them.
  [[nodiscard]] std::uint16_t node(const std::string& name) {
    auto& [known, number] = recent_[reinterpret_cast<std::uintptr_t>(&name) / 64 % recent_.size()];
    if (known == &name) return number;
    known = &name;
    return number = static_cast<std::uint16_t>(numbers_.at(name));
  }
  [[nodiscard]] bool over() const noexcept { return over_.load(std::memory_order_relaxed); }

  void finish(std::uint64_t end, const std::function<void()>& may_stay) {
    now_ = std::max(now_, end);
    catch_up();
    close_rtl();
    if (differs_) end = std::max(end, rtl_end_);  // some cycles more
    late_ = 0;
    now_ = end + 1;
    hand_over(now_);
    join();
    if (failure_) std::rethrow_exception(failure_);
    for (const WaveRecord& record : pending_)  // found by the last look, at the very end
      if (record.event == WaveEvent::deadlock) window_.take(record);
    const std::uint64_t last = window_.finish(end);
    writer_->time(Picoseconds{last});
    writer_->complete();
    if (may_stay) may_stay();
    writer_->commit();
    write_save_file(options_.file, scenario_, {signals_.groups(), signals_.queues(), tree_.names()},
                    window_.marks(), std::min(window_.begin(), last), last);
  }
  [[nodiscard]] bool triggered() const noexcept { return window_.triggered(); }

 private:
  /// An RTL whose signals are in the waveform.
  struct Rtl {
    RtlWave* source;
    WaveRtl signals;
  };

  // Its signals are inside its MMU.
  void add_rtl(const std::vector<RtlWave*>& sources, const std::string& node) {
    for (RtlWave* const source : sources) {
      if (source->wave_name() != node) continue;
      const std::size_t number = rtl_.size();
      const std::string header =
          source->open_wave([this, number](Picoseconds time, std::string_view changes) {
            note_rtl(number, time.count(), changes);
          });
      rtl_.push_back(
          {source,
           WaveRtl{header, node + "." + source->wave_path(),
                   [&](std::string_view signal) { return source->wave_parts(signal); }, tree_}});
      late_ = std::max(late_, source->wave_lag().count());
    }
  }
  void note_rtl(std::size_t number, std::uint64_t time, std::string_view changes) {
    rtl_end_ = std::max(rtl_end_, time);
    rtl_[number].signals.read(changes, [&](std::uint32_t variable, std::uint64_t value) {
      *next_++ = {time,
                  variable,
                  static_cast<std::uint32_t>(value),
                  static_cast<std::uint32_t>(value >> 32),
                  0,
                  0,
                  WaveEvent::rtl,
                  false};
      if (next_ == end_) make_room();
    });
    // An RTL is clocked while nothing else happens, for as long as that lasts. It is in the middle
    // of a cycle, so the others are clocked to an earlier one.
    if (catching_up_ || filling_.records.size() == records_per_batch) return;
    const std::uint64_t earlier = time - std::min(time, late_);
    clock_rtl(earlier);
    hand_over(earlier);
  }
  // An RTL without requests does not run; without this, it would report its idle cycles much later.
  void catch_up() {
    if (over()) return close_rtl();
    if (!differs_) clock_rtl(now_);
  }
  void clock_rtl(std::uint64_t now) {
    catching_up_ = true;
    for (const Rtl& rtl : rtl_) rtl.source->catch_up(Picoseconds{now});
    catching_up_ = false;
  }
  void close_rtl() {
    for (const Rtl& rtl : rtl_) rtl.source->close_wave();
    rtl_.clear();
  }

  void batch_is_full() {
    if (!rtl_.empty()) {
      make_room();  // for the changes that follow
      catch_up();
    }
    hand_over(now_);
  }
  void make_room() {
    const std::size_t size = filling_.records.size();
    filling_.records.resize(2 * size);
    next_ = filling_.records.data() + size;
    end_ = filling_.records.data() + filling_.records.size();
  }
  void begin_batch(Batch batch) {
    filling_ = std::move(batch);
    filling_.records.resize(records_per_batch);
    next_ = filling_.records.data();
    end_ = next_ + records_per_batch;
  }
  // Each RTL has been clocked to `now`, and no other record before it will come.
  void hand_over(std::uint64_t now) {
    filling_.size = static_cast<std::size_t>(next_ - filling_.records.data());
    filling_.complete = now - std::min(now, late_);
    std::unique_lock<std::mutex> lock{mutex_};
    changed_.wait(lock, [this] { return queue_.size() < record_batches_ahead; });
    Batch spare;
    if (!spare_.empty()) {
      spare = std::move(spare_.back());
      spare_.pop_back();
    }
    queue_.push_back(std::move(filling_));
    begin_batch(std::move(spare));
    changed_.notify_all();
  }
  void join() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard<std::mutex> lock{mutex_};
      last_ = true;
      changed_.notify_all();
    }
    thread_.join();
  }

  // The thread; finish() rethrows its exceptions.
  void write_batches() {
    for (;;) {
      std::unique_lock<std::mutex> lock{mutex_};
      changed_.wait(lock, [this] { return !queue_.empty() || last_; });
      if (queue_.empty()) return;
      Batch batch = std::move(queue_.front());
      queue_.pop_front();
      changed_.notify_all();
      lock.unlock();
      try {
        if (!failure_ && !window_.over()) write(batch);
      } catch (...) {
        failure_ = std::current_exception();
      }
      if (failure_ || window_.over()) over_.store(true, std::memory_order_relaxed);
      lock.lock();
      spare_.push_back(std::move(batch));
    }
  }
  // Hosts decide ahead of time and verdicts are visible later than their step, so records are
  // sorted by time. Most are at most a few places away from theirs.
  void write(const Batch& batch) {
    const auto earlier = [](const WaveRecord& a, const WaveRecord& b) { return a.time < b.time; };
    bool sorted = true;
    std::size_t size = pending_.size();
    pending_.resize(size + batch.size);
    for (std::size_t i = 0; i < batch.size; ++i) {
      const WaveRecord& record = batch.records[i];
      if (sorted)
        sorted = sink(record, size);
      else
        pending_[size] = record;
      ++size;
    }
    if (!sorted) std::stable_sort(pending_.begin(), pending_.end(), earlier);
    std::size_t done = 0;
    while (done < pending_.size() && pending_[done].time < batch.complete)
      window_.take(pending_[done++]);
    pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(done));
  }

  // Inserts it after the first `at` ones, or at its place among them; false when that is too far
  // away.
  bool sink(const WaveRecord& record, std::size_t at) {
    constexpr std::size_t most = 64;
    WaveRecord* const first = pending_.data();
    WaveRecord* place = first + at;
    const WaveRecord* const stop = place - std::min(at, most);
    for (; place != stop && record.time < place[-1].time; --place) *place = place[-1];
    *place = record;
    return place == first || place[-1].time <= record.time;
  }

  const WaveOptions options_;
  const Scenario& scenario_;
  const std::unique_ptr<WaveWriter> writer_;
  WaveTree tree_;
  std::vector<Rtl> rtl_;
  std::uint64_t late_{0};  // changes of an RTL may be so late
  WaveSignals signals_;
  WaveWindow window_;

  // The simulation's side.
  std::unordered_map<std::string, std::size_t> numbers_;
  std::array<std::pair<const std::string*, std::uint16_t>, 256> recent_{};
  Batch filling_;
  WaveRecord *next_{nullptr}, *end_{nullptr};  // where the next one goes, and where no more can
  std::uint64_t now_{0}, rtl_end_{0};
  bool differs_{false}, catching_up_{false};

  // Between the two.
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Batch> queue_;
  std::vector<Batch> spare_;
  bool last_{false};
  std::atomic<bool> over_{false};

  // The writer's side, and finish() once it has ended.
  std::vector<WaveRecord> pending_;
  std::exception_ptr failure_;
  std::thread thread_;
};

WaveRecorder::WaveRecorder(const WaveOptions& options, const Scenario& scenario,
                           const std::vector<RtlWave*>& rtl)
    : recording_{std::make_unique<Recording>(options, scenario, rtl)} {}

WaveRecorder::~WaveRecorder() = default;

void WaveRecorder::finish(Picoseconds time, const std::function<void()>& may_stay) {
  recording_->finish(time.count(), may_stay);
}

void WaveRecorder::mismatch(Picoseconds time) { recording_->mismatch(time.count()); }

bool WaveRecorder::triggered() const noexcept { return recording_->triggered(); }

void WaveRecorder::verdict(const std::string& switch_name, const Frame& frame,
                           const Verdict& verdict, Picoseconds visible) {
  if (recording_->over()) return;
  const auto queue = static_cast<std::uint32_t>(queue_of(frame).value());
  // Of a drop its priority group, plus one.
  const std::uint32_t group =
      verdict.admitted() ? 0 : static_cast<std::uint32_t>(pg_of(frame).value()) + 1;
  recording_->note({visible.count(), queue, group, 0, 0, recording_->node(switch_name),
                    verdict.admitted() ? WaveEvent::queued : WaveEvent::drop, false});
}

void WaveRecorder::copy_queued(const std::string& switch_name, const Frame& copy,
                               Picoseconds visible) {
  if (recording_->over()) return;
  const auto queue = static_cast<std::uint32_t>(queue_of(copy).value());
  recording_->note(
      {visible.count(), queue, 0, 0, 0, recording_->node(switch_name), WaveEvent::queued, false});
}

void WaveRecorder::stepped(const std::string& switch_name, const Mmu& mmu, PgIndex pg,
                           Picoseconds edge) {
  if (recording_->over()) return;
  const Placement& held = mmu.ingress().pg(pg);
  recording_->note_now({edge.count(), static_cast<std::uint32_t>(pg.value()),
                        held.private_cells.count(), held.shared.count(), held.headroom.count(),
                        recording_->node(switch_name), WaveEvent::step, mmu.pfc().xoff(pg)});
  if (!mmu.has_own_limits()) return;
  const Cycle now = ClockEdges{mmu.chip().clock}.cycle_at_or_after(edge);
  recording_->note_now({edge.count(), static_cast<std::uint32_t>(pg.value()),
                        mmu.threshold(pg, now).count(), 0, 0, recording_->node(switch_name),
                        WaveEvent::limit, false});
}

void WaveRecorder::waiting(const std::string& switch_name, QueueIndex queue, Cells q,
                           Picoseconds time) {
  if (recording_->over()) return;
  recording_->note({time.count(), static_cast<std::uint32_t>(queue.value()), q.count(), 0, 0,
                    recording_->node(switch_name), WaveEvent::waiting, false});
}

void WaveRecorder::frame_started(const std::string& node, PortId port, const Frame& frame,
                                 Picoseconds start) {
  if (recording_->over()) return;
  WaveRecord record{start.count(), port.count(),           frame.length,    frame.priority.count(),
                    frame.queue,   recording_->node(node), WaveEvent::data, false};
  if (frame.kind == FrameKind::pfc) {
    record.event = WaveEvent::control;
    record.a = record.b = 0;
    for (unsigned n = 0; n < priorities; ++n)
      if ((frame.pfc.class_enable >> n & 1U) != 0)
        (frame.pfc.time[n].count() != 0 ? record.a : record.b) |= 1U << n;
  }
  recording_->note(record);
}

void WaveRecorder::mac_drop(const std::string& switch_name, const Frame& frame, PortId port,
                            MacDrop reason, Picoseconds time) {
  if (recording_->over()) return;
  const bool queued = is_queued_drop(reason);
  const auto index = static_cast<std::uint32_t>(
      queued ? queue_index(port, Priority{frame.queue}).value() : std::size_t{port.count()});
  recording_->note({time.count(), index, 0, 0, 0, recording_->node(switch_name),
                    queued ? WaveEvent::left : WaveEvent::drop, false});
  if (reason == MacDrop::watchdog_egress)  // a packet is lost, too
    recording_->note({time.count(), port.count(), 0, 0, 0, recording_->node(switch_name),
                      WaveEvent::drop, false});
}

void WaveRecorder::pfc_received(const std::string& node, PortId port, const PfcFrame& frame,
                                Picoseconds time) {
  if (recording_->over()) return;
  for (std::uint32_t n = 0; n < priorities; ++n)
    if ((frame.class_enable >> n & 1U) != 0)
      recording_->note_now({time.count(), static_cast<std::uint32_t>(port.count() * priorities + n),
                            frame.time[n].count(), 0, 0, recording_->node(node), WaveEvent::pause,
                            false});
}

// It formed before it was found: the record has the time of formation.
void WaveRecorder::deadlock(const DeadlockReport& report, Picoseconds found) {
  if (recording_->over()) return;
  const std::uint64_t formed = report.formed.count();
  recording_->note_now({found.count(), 0, static_cast<std::uint32_t>(formed),
                        static_cast<std::uint32_t>(formed >> 32), 0, 0, WaveEvent::deadlock,
                        false});
}

void WaveRecorder::watchdog(const std::string& node, PortId port, std::uint8_t classes,
                            WatchdogEvent event, Picoseconds time) {
  if (recording_->over() || event == WatchdogEvent::restored) return;
  recording_->note_now({time.count(), port.count(), classes, 0, 0, recording_->node(node),
                        WaveEvent::watchdog, false});
}

}  // namespace weir

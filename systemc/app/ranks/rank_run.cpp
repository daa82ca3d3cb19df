// SPDX-License-Identifier: Apache-2.0
#include "ranks/rank_run.hpp"

#include <algorithm>
#include <exception>
#include <future>
#include <optional>
#include <utility>

#include "output/interrupt.hpp"
#include "output/progress.hpp"
#include "output/screen.hpp"
#include "ranks/rank_efficiency.hpp"
#include "ranks/rank_limits.hpp"
#include "sinks/sink_table.hpp"
#include "text/exit_codes.hpp"
#include "weir/core/errors.hpp"
#include "weir/model/ranks/network_rank.hpp"
#include "weir/model/ranks/rank_library.hpp"
#include "weir/model/ranks/rank_message.hpp"
#include "weir/trace/ranks/call_recorder.hpp"
#include "weir/trace/ranks/call_replay.hpp"
#include "weir/trace/ranks/summary_parts.hpp"
#include "weir/trace/summary/measurement.hpp"
#include "weir/trace/wave/wave_recorder.hpp"

namespace weir {
namespace {

using Clock = std::chrono::steady_clock;

// So many windows' calls are sent to rank 0 at once.
constexpr std::uint64_t windows_a_batch = 16;

/// Leaves the other ranks at the end of a block, also of one that throws.
class LeaveAtTheEnd {
 public:
  explicit LeaveAtTheEnd(RankTransport& transport) noexcept : transport_{transport} {}
  ~LeaveAtTheEnd() { transport_.leave(); }
  LeaveAtTheEnd(const LeaveAtTheEnd&) = delete;
  LeaveAtTheEnd& operator=(const LeaveAtTheEnd&) = delete;

 private:
  RankTransport& transport_;
};

/// One rank's part of a run.
class RankRun {
 public:
  RankRun(RunOptions& options, RankTransport& transport)
      : options_{options}, transport_{transport} {}

  /// The other ranks have nothing more to do: an error is that of the first rank alone.
  [[nodiscard]] bool others_are_done() const noexcept { return others_are_done_; }

  [[nodiscard]] int run() {
    if (!all_can([this] { prepare(); })) return usage_error;
    if (!all_can([this] { open_sinks(); })) return usage_error;
    simulate();
    return first() ? finish_first() : finish_other();
  }

 private:
  [[nodiscard]] bool first() const noexcept { return transport_.rank() == 0; }

  // Whether `step` succeeds at every rank. The first rank at which it does not throws what is
  // wrong.
  bool all_can(const std::function<void()>& step) {
    std::exception_ptr error;
    try {
      step();
    } catch (...) {
      error = std::current_exception();
    }
    const std::uint64_t none = transport_.size();
    const std::uint64_t least = transport_.least(error ? transport_.rank() : none);
    if (least == none) return true;
    if (least != transport_.rank()) {
      transport_.leave();
      return false;
    }
    transport_.leave();
    std::rethrow_exception(error);
  }

  void prepare() {
    plan_.emplace(plan_run(options_));
    refuse_what_ranks_cannot(options_);
    Partition partition = partition_of(options_, plan_->scenario, transport_.size());
    network_ = std::make_unique<Network>(plan_->scenario);
    rank_.emplace(*network_, transport_, std::move(partition));
    replay_.emplace(*network_);
    network_->divert(replay_->observers());
    measurement_.emplace(*network_);  // of this rank alone
    network_->elaborate();
    catch_interrupts();
    catch_interrupt(rank_interrupt);
  }

  // The first rank has the observers of all, but for those that each rank has of its own switches.
  void open_sinks() {
    if (!first()) {
      for (const std::unique_ptr<Sink>& sink : options_.sinks) sink->open_part(*network_);
      return;
    }
    folder_.emplace(plan_->out, files_of_sinks());
    const SinkRun sink_run{options_.scenario, plan_->overrides, *network_,
                           options_.backend,  *folder_,         options_.quiet};
    for (const std::unique_ptr<Sink>& sink : options_.sinks) sink->open(sink_run);
  }

  void simulate() {
    RankMessage wanted;
    if (first()) RankWriter{wanted}.raw(replay_->wanted());
    transport_.share(wanted);
    recorder_.emplace(*network_, RankReader{wanted}.raw<CallsWanted>());
    network_->watch_here(*recorder_);
    network_->report_to(*recorder_, *recorder_);
    if (const std::string text = predicted_efficiency(*rank_, plan_->scenario);
        first() && !options_.quiet)
      print(stderr, "{}\n", text);
    start_ = Clock::now();
    Progress progress{
        options_.quiet || !first() ? ProgressLine::Style::none : ProgressLine::style_of_stderr(),
        plan_->scenario.until};
    rank_->run([&](Picoseconds now) {
      if (rank_->windows() % windows_a_batch == 0) hand_over_calls();
      show(progress, now);
      return interrupt_signal() != 0;
    });
    network_->finish();
    hand_over_calls();
    hand_over_parts();
    if (first()) network_->finish_account(replay_->observers());
  }

  // Counting takes as long as a window, so progress is shown at most every 100 ms.
  void show(Progress& progress, Picoseconds now) {
    constexpr std::chrono::milliseconds between{100};
    if (Clock::now() < shown_ + between) return;
    shown_ = Clock::now();
    progress.update(now, delivered_packets());
  }

  // Those of this rank, as many as those of the others, about.
  [[nodiscard]] std::uint64_t delivered_packets() const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < network_->host_count(); ++i)
      for (const PortCounters::ByPriority& counts : network_->host(i).counters().priority)
        sum += counts.rx_packets;
    return sum * transport_.size();
  }

  void hand_over_calls() {
    const std::vector<RankMessage> all = transport_.gather(recorder_->message());
    recorder_->message().clear();
    if (first()) replay_->replay(all, *recorder_);
  }

  void hand_over_parts() {
    RankMessage mine;
    if (!first())
      for (const std::unique_ptr<Sink>& sink : options_.sinks) sink->write_part(mine);
    const std::vector<RankMessage> all = transport_.gather(mine);
    for (std::size_t rank = 1; rank < all.size(); ++rank) {
      RankReader reader{all[rank]};
      for (const std::unique_ptr<Sink>& sink : options_.sinks) sink->read_part(reader);
    }
  }

  // The signal that any rank got.
  [[nodiscard]] int signal_of_all() {
    const auto own = static_cast<std::uint64_t>(interrupt_signal());
    return static_cast<int>(~transport_.least(~own));
  }

  [[nodiscard]] int finish_other() {
    check_conservation_of_all(*network_);
    static_cast<void>(summary_of_all(*network_, measurement_->summary()));
    static_cast<void>(signal_of_all());
    transport_.leave();
    leave_all();
    return 0;
  }

  [[nodiscard]] int finish_first() {
    auto to_the_files = std::make_unique<const PipesWithoutReaderFail>();
    check_conservation_of_all(*network_);
    std::promise<void> checked;
    checked.set_value();
    const std::shared_future<void> done = checked.get_future().share();
    for (const std::unique_ptr<Sink>& sink : options_.sinks)
      sink->simulated(time_reached(*network_), done);
    auto summary =
        std::make_unique<const Summary>(summary_of_all(*network_, measurement_->summary()));
    const int signal = signal_of_all();
    others_are_done_ = true;
    // To leave takes Open MPI 50 ms: results come before it.
    const LeaveAtTheEnd leave{transport_};
    const RunEnd end{options_, *network_, options_.sinks, *summary, *folder_, start_, signal};
    const std::unique_ptr<const RunReport> report = write_results(end);
    to_the_files.reset();
    print_summary(end, *report);
    leave_to_the_end(std::move(summary));
    leave_to_the_end(std::make_unique<Sinks>(std::move(options_.sinks)));
    leave_all();
    return report->exit_code;
  }

  void leave_all() { leave_to_the_end(std::move(network_)); }

  RunOptions& options_;
  RankTransport& transport_;
  std::optional<RunPlan> plan_;
  std::unique_ptr<Network> network_;
  std::optional<NetworkRank> rank_;
  std::optional<Measurement> measurement_;
  std::optional<CallReplay> replay_;
  std::optional<CallRecorder> recorder_;
  std::optional<ResultFolder> folder_;
  Clock::time_point start_, shown_;
  bool others_are_done_{false};
};

}  // namespace

int run_as_rank(RunOptions& options, int (*run_alone)(RunOptions& options, const RunPlan& plan)) {
  const std::unique_ptr<RankTransport> transport = rank_library().join();
  if (transport->size() == 1) {
    const int code = run_alone(options, plan_run(options));
    transport->leave();
    return code;
  }
  const std::size_t rank = transport->rank();
  auto run = std::make_unique<RankRun>(options, *transport);
  try {
    const int code = run->run();
    leave_to_the_end(std::move(run));
    return rank == 0 ? code : 0;
  } catch (const ConfigError&) {  // all ranks know
    throw;
  } catch (const WaveInterrupted&) {  // likewise; nothing is simulated: earlier results stay
    return 128 + interrupt_signal();
  } catch (const std::exception& error) {
    if (run->others_are_done()) throw;
    print(stderr, "weir: rank {}: {}\n", rank, error.what());
    transport->end_all(3);
    throw;  // not reached
  }
}

}  // namespace weir

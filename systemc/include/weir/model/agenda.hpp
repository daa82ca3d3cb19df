// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <systemc>
#include <vector>

#include "weir/core/units.hpp"

namespace weir {

/// The order of the tasks of one moment: observers of the state before it; inputs take effect;
/// transmitters choose; the clock edge of that moment; observers of the state after it.
enum class Rank : std::uint8_t { before, input, output, edge, look };

/// An object with tasks at certain moments. Enrolled once with an Agenda.
class Actor {
 public:
  virtual ~Actor() = default;
  /// The moment of a task has come. `what` and `argument` are those of Agenda::post().
  virtual void act(Picoseconds now, std::uint32_t what, std::uint64_t argument) = 0;
};

/// What a switch and its neighbours will do and when: a calendar queue with one kernel event.
///
/// Tasks run in the order (time, rank, actor, what, order of posting), so results do not depend on
/// which process the kernel wakes first. The agenda may run ahead of kernel time as long as nothing
/// outside can still send it an earlier task: limit_lookahead() states how far. Idle time costs
/// nothing.
///
/// Units:   picoseconds; the kernel's time resolution must be 1 ps.
/// Errors:  post() into the past throws ModelError.
/// Timing:  posting and taking a task cost a few nanoseconds, whatever the number of ports.
class Agenda : public sc_core::sc_module {
 public:
  using ActorId = std::uint32_t;

  explicit Agenda(const sc_core::sc_module_name& name);

  /// Gives `actor` its number in the order of tasks of one moment and rank.
  ActorId enroll(Actor& actor);

  /// `actor` is to act at `when`. Range: not before now().
  void post(Picoseconds when, Rank rank, ActorId actor, std::uint32_t what,
            std::uint64_t argument = 0) {
    const std::uint64_t slot = when.count() >> slot_shift;
    const std::uint64_t order =
        static_cast<std::uint64_t>(rank) << rank_shift | orders_[actor] | what;
    // The usual case: posted from within a task, for a slot of the calendar.
    if (slot - first_slot_ < reach && free_ != none)
      store(when.count(), order, argument, actor);
    else
      post_elsewhere(when.count(), order, argument, actor);
  }

  /// Local time: the moment of the task being run; between tasks, the earliest that may be posted.
  [[nodiscard]] Picoseconds now() const noexcept {
    const std::uint64_t kernel = kernel_now();
    return Picoseconds{now_ < kernel ? kernel : now_};
  }

  /// Tasks may be run at most this far ahead of kernel time; the least of all calls counts.
  /// A task posted from outside must be for a later time than that.
  void limit_lookahead(Picoseconds limit) noexcept;

  /// Runs what is due up to and including the kernel's now, so that a process of the kernel sees
  /// the same state whichever of the two wakes first. Range: not from within a task.
  void catch_up();

  /// No task at or after `end` is run.
  void stop_at(Picoseconds end) noexcept { end_ = decided_to_ = end.count(); }
  /// An actor that decides ahead decides nothing at or after `moment`, until the next call.
  void decide_up_to(Picoseconds moment) noexcept { decided_to_ = std::min(end_, moment.count()); }

  /// From within a task: it is the last one. Tasks that wait are dropped.
  void stop();

  /// The kernel may start, but no task is run until let_go().
  void hold() noexcept { held_ = true; }
  void let_go();

  /// How many actors are enrolled: the next one gets this number.
  [[nodiscard]] ActorId enrolled() const noexcept { return static_cast<ActorId>(actors_.size()); }
  /// Tasks of `actor` do nothing from now on.
  void silence(ActorId actor);
  /// Runs what is due before `horizon`, with the agenda held and the kernel where it is: the caller
  /// knows that nothing earlier can still come from outside. Range: not from within a task.
  void run_before(Picoseconds horizon);
  /// When the next task is due; none: nothing waits.
  [[nodiscard]] std::optional<Picoseconds> next() const;
  /// The task that runs, or ran last, in the order of all tasks.
  struct Place {
    std::uint64_t time{0}, order{0};
  };
  [[nodiscard]] Place place() const noexcept { return {now_, order_}; }

  /// Calls `wanted` every few thousand tasks from now on; after it has returned true no task runs.
  /// Results up to then are those of a run without it.
  void interrupt_when(std::function<bool()> wanted);
  /// The same from a caller of run_before(): the run ends at `moment`.
  void interrupt_at(Picoseconds moment) noexcept { interrupted_at_ = moment; }
  /// How far the tasks had come when `wanted` returned true.
  [[nodiscard]] std::optional<Picoseconds> interrupted_at() const noexcept {
    return interrupted_at_;
  }

  /// Local time as a delay from the kernel's, for the timing annotation of a transport call.
  [[nodiscard]] sc_core::sc_time ahead_of_kernel() const { return ahead_of_kernel(now()); }
  /// The same for a later moment.
  [[nodiscard]] sc_core::sc_time ahead_of_kernel(Picoseconds moment) const {
    return sc_core::sc_time::from_value(moment.count() - kernel_now());
  }
  [[nodiscard]] Picoseconds lookahead() const noexcept { return Picoseconds{lookahead_}; }
  /// The moment that lies `delay` after the kernel's now: what an annotated call means.
  [[nodiscard]] Picoseconds moment(const sc_core::sc_time& delay) const noexcept {
    return Picoseconds{kernel_now() + delay.value()};
  }

  /// For the test of order independence: tasks of one moment and rank run in another order.
  void permute_ties(std::uint64_t seed);

  [[nodiscard]] Picoseconds end() const noexcept { return Picoseconds{end_}; }
  [[nodiscard]] Picoseconds decided_to() const noexcept { return Picoseconds{decided_to_}; }
  [[nodiscard]] std::uint64_t tasks_run() const noexcept { return tasks_run_; }
  [[nodiscard]] std::uint64_t wake_ups() const noexcept { return wake_ups_; }

 private:
  struct Task {
    std::uint64_t time;
    std::uint64_t order;  // rank, actor, what: compared as one number
    std::uint64_t argument;
    std::uint32_t actor;
    std::uint32_t next;  // index into nodes_; the list of a slot
  };
  static constexpr unsigned actor_shift = 32, rank_shift = 56;
  static constexpr unsigned slot_shift = 8;       // a slot is 256 ps wide
  static constexpr std::size_t slots = 1U << 14;  // 4.2 us ahead; what is later waits in far_
  // Tasks may be in this many slots after the open one: one word of occupied_ fewer than there are
  // slots. So the first and the last of them never share a word, and the lowest bit of a word is
  // its earliest slot.
  static constexpr std::size_t reach = slots - 64;
  static constexpr std::uint32_t none = 0xffff'ffffU;
  static constexpr std::uint64_t never = ~std::uint64_t{0};
  static constexpr std::uint64_t far_off = std::uint64_t{1} << 63;  // further than any slot

  void wake_up();
  void run_until(std::uint64_t horizon);
  void run_current();
  void run_slots();
  void open(std::uint64_t slot) noexcept;
  bool open_carefully();
  void be_careful() noexcept;
  [[nodiscard]] std::uint32_t take_slot(std::uint64_t slot) noexcept;
  void prefetch(const Task& task) const noexcept;
  void gather(std::uint32_t head);
  void sort_all(std::uint32_t rest);
  void run(std::uint32_t node);
  void post_elsewhere(std::uint64_t time, std::uint64_t order, std::uint64_t argument,
                      ActorId actor);
  void add_node();
  // Into the calendar. Range: a node is free.
  void store(std::uint64_t time, std::uint64_t order, std::uint64_t argument, ActorId actor) {
    const std::uint32_t node = free_;
    Task& task = nodes_[node];
    free_ = task.next;
    const std::size_t index = (time >> slot_shift) % slots;
    const std::uint32_t head = head_[index];
    task = {time, order, argument, actor, head};
    head_[index] = node;
    if (head == none) mark(index);
  }
  void mark(std::size_t index) noexcept {
    const std::uint64_t word = occupied_[index / 64];
    occupied_[index / 64] = word | std::uint64_t{1} << (index % 64);
    if (word == 0) occupied_words_[index / 4096] |= std::uint64_t{1} << (index / 64 % 64);
  }
  void insert_into_current(const Task& task);
  void bring_near();
  void arm(std::uint64_t time);
  void adapt_stride(std::uint64_t tasks) noexcept;
  [[nodiscard]] std::uint64_t next_occupied_slot() const noexcept;
  [[nodiscard]] std::uint64_t next_occupied_word() const noexcept;
  [[nodiscard]] std::uint64_t next_time() const;
  /// Kernel time; it does not change while tasks run.
  [[nodiscard]] std::uint64_t kernel_now() const noexcept {
    return running_ ? kernel_ : sc_core::sc_time_stamp().value();
  }
  [[nodiscard]] static bool before(const Task& a, const Task& b) noexcept {
    return a.time != b.time ? a.time < b.time : a.order < b.order;
  }

  sc_core::sc_event wake_;
  std::vector<Actor*> actors_;
  std::vector<std::uint64_t> orders_;  // by actor: its part of Task::order
  std::vector<Task> nodes_;
  std::uint32_t free_{none};
  std::array<std::uint32_t, slots> head_;
  std::array<std::uint64_t, slots / 64> occupied_{};
  std::array<std::uint64_t, slots / 64 / 64> occupied_words_{};
  std::vector<std::uint32_t> current_;      // nodes of the open slot, sorted: the last runs first
  std::uint64_t open_slot_{0};              // absolute number of the open slot
  std::uint64_t first_slot_{far_off};       // while tasks run: the slot after it
  std::uint64_t horizon_{0};                // no task at or after it is run now
  std::uint64_t careful_from_{0};           // see be_careful()
  std::multimap<std::uint64_t, Task> far_;  // by time; beyond the calendar
  std::uint64_t far_slot_{never};           // slot of the first of them
  std::uint64_t now_{0}, order_{0}, kernel_{0};
  std::uint64_t end_{never}, decided_to_{never}, lookahead_;
  std::uint64_t armed_{never};  // kernel wake-up asked for
  std::uint64_t permutation_{0};
  std::uint64_t tasks_run_{0}, wake_ups_{0};
  bool running_{false}, held_{false};
  std::function<bool()> wanted_;  // see interrupt_when()
  std::optional<Picoseconds> interrupted_at_;
  std::uint64_t stride_{never};  // simulated time from one call of wanted_ to the next
};

}  // namespace weir

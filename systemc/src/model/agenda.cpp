// SPDX-License-Identifier: Apache-2.0
#include "weir/model/agenda.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "weir/core/bits.hpp"
#include "weir/core/errors.hpp"

namespace weir {
namespace {

// Run ahead of the kernel at most this far even when no outside module is attached, so that a run
// can be watched and interrupted.
constexpr std::uint64_t quantum_ps = 10'000'000;

// Tasks between two questions whether the run is to be interrupted: some milliseconds, or some tens
// of them where RTL decides.
constexpr std::uint64_t tasks_per_stride = 4096;
constexpr std::uint64_t first_stride_ps = 4096;

// Up to so many tasks of a slot, insertion is faster than std::stable_sort.
constexpr std::size_t few = 24;

// Bijective on 24 bits: another order of the actors, still a total one.
std::uint64_t permuted(std::uint64_t actor, std::uint64_t seed) {
  return seed == 0 ? actor : ((actor ^ seed) * (2 * (seed >> 24) + 1)) & 0xff'ffffU;
}

}  // namespace

Agenda::Agenda(const sc_core::sc_module_name& name)
    : sc_core::sc_module{name}, lookahead_{quantum_ps} {
  head_.fill(none);
  SC_HAS_PROCESS(Agenda);
  SC_METHOD(wake_up);
  sensitive << wake_;
  dont_initialize();
}

Agenda::ActorId Agenda::enroll(Actor& actor) {
  const auto id = static_cast<ActorId>(actors_.size());
  actors_.push_back(&actor);
  orders_.push_back(permuted(id, permutation_) << actor_shift);
  return id;
}

void Agenda::permute_ties(std::uint64_t seed) {
  permutation_ = seed;
  for (std::size_t id = 0; id < orders_.size(); ++id)
    orders_[id] = permuted(id, seed) << actor_shift;
}

void Agenda::limit_lookahead(Picoseconds limit) noexcept {
  lookahead_ = std::min(lookahead_, limit.count());
}

// Not inlined where it is called: a post then needs no registers saved.
[[gnu::noinline]] void Agenda::post_elsewhere(std::uint64_t time, std::uint64_t order,
                                              std::uint64_t argument, ActorId actor) {
  if (time < now_ || (!running_ && time < kernel_now()))
    throw ModelError("task for " + std::to_string(time) + " ps posted at " +
                     std::to_string(now().count()) + " ps");
  if (free_ == none) add_node();
  const std::uint64_t slot = time >> slot_shift;
  if (slot <= open_slot_) {
    insert_into_current({time, order, argument, actor, none});
  } else if (slot <= open_slot_ + reach) {
    store(time, order, argument, actor);
  } else {
    far_.emplace(time, Task{time, order, argument, actor, none});
    far_slot_ = std::min(far_slot_, slot);
    be_careful();
  }
  if (!running_) arm(time);
}

// After those of its moment, rank and actor that are there already. Range: a node is free.
void Agenda::insert_into_current(const Task& task) {
  auto place = current_.end();
  while (place != current_.begin() && !before(task, nodes_[*(place - 1)])) --place;
  current_.insert(place, free_);
  free_ = std::exchange(nodes_[free_], task).next;
}

void Agenda::add_node() {
  nodes_.push_back({0, 0, 0, 0, free_});
  free_ = static_cast<std::uint32_t>(nodes_.size() - 1);
}

// The first slot after the open one that holds tasks, as an absolute number; never: none does.
inline std::uint64_t Agenda::next_occupied_slot() const noexcept {
  const std::uint64_t from = open_slot_ + 1;
  const std::uint64_t here = occupied_[from / 64 % occupied_.size()];
  return here != 0 ? from / 64 * 64 + lowest_bit(here) : next_occupied_word();
}

// The same where it is in none of the 64 slots of this word: found through the summary.
std::uint64_t Agenda::next_occupied_word() const noexcept {
  const auto first_in = [&](std::uint64_t word) {
    return word * 64 + lowest_bit(occupied_[word % occupied_.size()]);
  };
  const std::uint64_t next = (open_slot_ + 1) / 64 + 1;
  const std::uint64_t part = next / 64;
  const std::uint64_t near_words = occupied_words_[part % occupied_words_.size()] >> (next % 64);
  if (near_words != 0) return first_in(next + lowest_bit(near_words));
  // The words after those of this part of the summary, round to its beginning.
  for (std::uint64_t later = part + 1; later <= part + occupied_words_.size(); ++later) {
    const std::uint64_t words = occupied_words_[later % occupied_words_.size()];
    if (words != 0) return first_in(later * 64 + lowest_bit(words));
  }
  return never;
}

// Takes the tasks of a slot out of the calendar: the list of nodes, newest first. Range: it is the
// first that holds some, so its bit is the lowest of its word.
inline std::uint32_t Agenda::take_slot(std::uint64_t slot) noexcept {
  const std::size_t index = slot % slots;
  const std::uint64_t here = occupied_[index / 64];
  const std::uint64_t left = here & (here - 1);
  occupied_[index / 64] = left;
  if (left == 0) occupied_words_[index / 4096] &= ~(std::uint64_t{1} << (index / 64 % 64));
  return std::exchange(head_[index], none);
}

// Of several tasks of a slot each but the first has time to bring its actor, and what it is about,
// into the caches. The argument may be no address: then nothing happens.
inline void Agenda::prefetch(const Task& task) const noexcept {
  const auto* const actor = reinterpret_cast<const char*>(actors_[task.actor]);
  __builtin_prefetch(actor);
  __builtin_prefetch(actor + 64);
  __builtin_prefetch(actor + 128);
  __builtin_prefetch(reinterpret_cast<const void*>(task.argument));
}

// Puts the nodes of a list into current_, in the order in which they run. The list has the newest
// first, so that each runs before all that are there, unless its time or rank says otherwise.
void Agenda::gather(std::uint32_t head) {
  for (std::uint32_t node = head; node != none; node = nodes_[node].next) {
    prefetch(nodes_[node]);
    std::size_t place = current_.size();
    current_.push_back(node);
    if (place == few) return sort_all(nodes_[node].next);
    for (; place != 0 && before(nodes_[current_[place - 1]], nodes_[node]); --place)
      current_[place] = current_[place - 1];
    current_[place] = node;
  }
}

// The same for a long list, of which `rest` is still to come.
void Agenda::sort_all(std::uint32_t rest) {
  for (std::uint32_t node = rest; node != none; node = nodes_[node].next) current_.push_back(node);
  std::stable_sort(current_.begin(), current_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return before(nodes_[b], nodes_[a]); });
}

void Agenda::bring_near() {
  while (far_slot_ <= open_slot_ + reach) {
    const Task task = far_.begin()->second;
    far_.erase(far_.begin());
    far_slot_ = far_.empty() ? never : far_.begin()->first >> slot_shift;
    be_careful();
    if (free_ == none) add_node();
    if ((task.time >> slot_shift) <= open_slot_)
      insert_into_current(task);
    else
      store(task.time, task.order, task.argument, task.actor);
  }
}

std::uint64_t Agenda::next_time() const {
  if (!current_.empty()) return nodes_[current_.back()].time;
  std::uint64_t earliest = far_.empty() ? never : far_.begin()->first;
  const std::uint64_t slot = next_occupied_slot();
  if (slot == never) return earliest;
  for (std::uint32_t node = head_[slot % slots]; node != none; node = nodes_[node].next)
    earliest = std::min(earliest, nodes_[node].time);
  return earliest;
}

void Agenda::stop() {
  end_ = decided_to_ = now_;
  current_.clear();
  head_.fill(none);
  occupied_.fill(0);
  occupied_words_.fill(0);
  nodes_.clear();
  free_ = none;
  far_.clear();
  far_slot_ = never;
  be_careful();
}

// The node is free before its task runs, which may post another or drop all.
inline void Agenda::run(std::uint32_t node) {
  Task& task = nodes_[node];
  const std::uint64_t argument = task.argument;
  const auto what = static_cast<std::uint32_t>(task.order);
  Actor& actor = *actors_[task.actor];
  task.next = free_;
  free_ = node;
  now_ = task.time;
  order_ = task.order;
  ++tasks_run_;
  actor.act(Picoseconds{now_}, what, argument);
}

// What is in current_ before the horizon.
inline void Agenda::run_current() {
  while (!current_.empty() && nodes_[current_.back()].time < horizon_) {
    const std::uint32_t node = current_.back();
    current_.pop_back();
    run(node);
  }
}

inline void Agenda::open(std::uint64_t slot) noexcept {
  open_slot_ = slot;
  first_slot_ = slot + 1;
}

// Opens slots and runs their tasks, as long as they lie before careful_from_.
void Agenda::run_slots() {
  for (;;) {
    const std::uint64_t slot = next_occupied_slot();
    if (careful_from_ <= slot) return;
    open(slot);
    const std::uint32_t head = take_slot(slot);
    // One task, the usual case: it need not lie in current_ to be run.
    if (nodes_[head].next == none) {
      run(head);
      if (current_.empty()) continue;
    } else {
      gather(head);
    }
    run_current();
  }
}

// Opens the next slot that has something before the horizon; false when there is none. The slot may
// be empty yet: then it is opened for a task that waits in far_.
bool Agenda::open_carefully() {
  const std::uint64_t next = next_occupied_slot();
  const std::uint64_t slot = next != never ? next : far_slot_;
  if (horizon_ >> slot_shift < slot || horizon_ <= slot << slot_shift) return false;
  open(slot);
  if (next != never) gather(take_slot(slot));
  bring_near();
  return true;
}

// Slots from this one on have tasks beyond the horizon, or bring tasks of far_ near.
void Agenda::be_careful() noexcept {
  const std::uint64_t brings_near = far_slot_ < reach ? 0 : far_slot_ - reach;
  careful_from_ = std::min(horizon_ >> slot_shift, brings_near);
}

void Agenda::run_until(std::uint64_t horizon) {
  kernel_ = sc_core::sc_time_stamp().value();
  running_ = true;
  horizon_ = horizon;
  be_careful();
  open(open_slot_);
  do {
    run_current();
    if (current_.empty()) run_slots();
  } while (current_.empty() && open_carefully());
  running_ = false;
  first_slot_ = far_off;
}

void Agenda::arm(std::uint64_t time) {
  if (end_ <= time || armed_ <= time) return;
  const std::uint64_t kernel = sc_core::sc_time_stamp().value();
  armed_ = time;
  wake_.notify(sc_core::sc_time::from_value(time < kernel ? 0 : time - kernel));
}

void Agenda::let_go() {
  held_ = false;
  const std::uint64_t next = next_time();
  if (next != never) arm(next);
}

void Agenda::silence(ActorId actor) {
  static class NoActor final : public Actor {
    void act(Picoseconds, std::uint32_t, std::uint64_t) override {}
  } no_actor;
  actors_[actor] = &no_actor;
}

void Agenda::run_before(Picoseconds horizon) {
  if (running_) throw ModelError("agenda: run_before() from within a task");
  run_until(std::min(end_, horizon.count()));
}

std::optional<Picoseconds> Agenda::next() const {
  const std::uint64_t time = next_time();
  if (time == never) return std::nullopt;
  return Picoseconds{time};
}

void Agenda::interrupt_when(std::function<bool()> wanted) {
  wanted_ = std::move(wanted);
  stride_ = first_stride_ps;
}

// Counted in tasks, not in seconds, so that the same run always takes the same steps.
void Agenda::adapt_stride(std::uint64_t tasks) noexcept {
  if (tasks < tasks_per_stride / 2)
    stride_ = std::min(stride_ * 2, quantum_ps);
  else if (tasks_per_stride < tasks)
    stride_ = std::max<std::uint64_t>(stride_ / 2, 1);
}

void Agenda::wake_up() {
  ++wake_ups_;
  armed_ = never;
  if (held_) return;
  const std::uint64_t kernel = sc_core::sc_time_stamp().value();
  if (!interrupted_at_ && wanted_ && wanted_())
    interrupted_at_ = Picoseconds{std::max(now_, kernel)};
  if (interrupted_at_) return;
  const std::uint64_t run_before = tasks_run_;
  run_until(std::min(end_, kernel + 1 + std::min(lookahead_, stride_)));
  if (wanted_) adapt_stride(tasks_run_ - run_before);
  const std::uint64_t next = next_time();
  if (next != never) arm(next);
}

// The kernel's wake-up stays armed: it finds its tasks done and arms the next one.
void Agenda::catch_up() {
  if (running_) throw ModelError("agenda: catch_up() from within a task");
  const std::uint64_t kernel = sc_core::sc_time_stamp().value();
  run_until(std::min(end_, kernel + 1));
}

}  // namespace weir

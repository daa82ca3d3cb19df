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

// Up to so many tasks, insertion sort is faster than std::stable_sort.
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

void Agenda::post_elsewhere(const Task& task) {
  if (task.time < now_ || (!running_ && task.time < kernel_now()))
    throw ModelError("task for " + std::to_string(task.time) + " ps posted at " +
                     std::to_string(now().count()) + " ps");
  const std::uint64_t slot = task.time >> slot_shift;
  if (slot <= open_slot_) {
    insert_into_current(task);
  } else if (slot < open_slot_ + slots) {
    store(task);
  } else {
    far_.emplace(task.time, task);
    far_slot_ = std::min(far_slot_, slot);
  }
  if (!running_) arm(task.time);
}

void Agenda::insert_into_current(const Task& task) {
  auto place = current_.end();
  const auto first = current_.begin() + static_cast<std::ptrdiff_t>(next_in_current_);
  while (place != first && before(task, *(place - 1))) --place;
  current_.insert(place, task);
}

// The first slot after the open one that holds tasks, as an absolute number. Range: stored_ != 0.
std::uint64_t Agenda::next_occupied_slot() const {
  const std::size_t from = (open_slot_ + 1) % slots;
  const auto found = [&](std::size_t index) {
    return open_slot_ + 1 + (index + slots - from) % slots;
  };
  const std::uint64_t here = occupied_[from / 64] & (~std::uint64_t{0} << (from % 64));
  if (here != 0) return found(from / 64 * 64 + lowest_bit(here));
  // Whole words after this one, found through the summary; then round to the start.
  const std::size_t next_word = from / 64 + 1;
  for (std::size_t turn = 0; turn <= occupied_words_.size(); ++turn) {
    const std::size_t summary = (next_word / 64 + turn) % occupied_words_.size();
    std::uint64_t words = occupied_words_[summary];
    if (turn == 0 && next_word / 64 < occupied_words_.size())
      words &= ~std::uint64_t{0} << (next_word % 64);
    if (words == 0) continue;
    const std::size_t word = summary * 64 + lowest_bit(words);
    return found(word * 64 + lowest_bit(occupied_[word]));
  }
  throw ModelError("agenda: no occupied slot although tasks are stored");
}

// Takes the tasks of a slot out of the calendar: the list of nodes, newest first.
std::uint32_t Agenda::take_slot(std::uint64_t slot) {
  const std::size_t index = slot % slots;
  const std::uint32_t head = head_[index];
  head_[index] = none;
  occupied_[index / 64] &= ~(std::uint64_t{1} << (index % 64));
  if (occupied_[index / 64] == 0)
    occupied_words_[index / 4096] &= ~(std::uint64_t{1} << (index / 64 % 64));
  return head;
}

// Moves a list of nodes into current_, in the order in which they run.
void Agenda::gather(std::uint32_t head) {
  std::uint32_t last = head;
  for (std::uint32_t node = head; node != none; node = nodes_[node].next) {
    current_.push_back(nodes_[node]);
    last = node;
  }
  nodes_[last].next = free_;  // the whole list goes back at once
  free_ = head;
  stored_ -= current_.size();
  sort_current();
}

// Stable, on a list that came last in, first out.
void Agenda::sort_current() {
  std::reverse(current_.begin(), current_.end());
  if (current_.size() > few) {
    std::stable_sort(current_.begin(), current_.end(), before);
    return;
  }
  for (std::size_t i = 1; i < current_.size(); ++i) {
    if (!before(current_[i], current_[i - 1])) continue;
    const Task task = current_[i];
    std::size_t place = i;
    for (; place != 0 && before(task, current_[place - 1]); --place)
      current_[place] = current_[place - 1];
    current_[place] = task;
  }
}

void Agenda::bring_near() {
  while (far_slot_ < open_slot_ + slots) {
    const Task task = far_.begin()->second;
    far_.erase(far_.begin());
    far_slot_ = far_.empty() ? never : far_.begin()->first >> slot_shift;
    if ((task.time >> slot_shift) <= open_slot_)
      insert_into_current(task);
    else
      store(task);
  }
}

std::uint64_t Agenda::next_time() const {
  if (next_in_current_ < current_.size()) return current_[next_in_current_].time;
  std::uint64_t earliest = far_.empty() ? never : far_.begin()->first;
  if (stored_ != 0)
    for (std::uint32_t node = head_[next_occupied_slot() % slots]; node != none;
         node = nodes_[node].next)
      earliest = std::min(earliest, nodes_[node].time);
  return earliest;
}

void Agenda::stop() {
  end_ = decided_to_ = now_;
  current_.clear();
  next_in_current_ = 0;
  head_.fill(none);
  occupied_.fill(0);
  occupied_words_.fill(0);
  nodes_.clear();
  free_ = none;
  stored_ = 0;
  far_.clear();
  far_slot_ = never;
}

// Opens the next slot that has something before `horizon`; false when there is none. The slot may
// be empty yet: then it is opened for a task that waits in far_.
bool Agenda::open_next_slot(std::uint64_t horizon) {
  if (stored_ == 0 && far_slot_ == never) return false;
  const std::uint64_t slot = stored_ != 0 ? next_occupied_slot() : far_slot_;
  if (horizon <= slot << slot_shift) return false;
  open_slot_ = slot;
  current_.clear();
  next_in_current_ = 0;
  const std::uint32_t head = stored_ != 0 ? take_slot(slot) : none;
  if (head != none && nodes_[head].next != none) {
    gather(head);
  } else if (head != none) {
    // One task, the usual case: it need not lie in current_ to be run.
    const Task task = nodes_[head];
    nodes_[head].next = free_;
    free_ = head;
    --stored_;
    if (task.time < horizon && open_slot_ + slots <= far_slot_) {
      run(task);
      return true;
    }
    current_.push_back(task);
  }
  bring_near();
  return true;
}

void Agenda::run(const Task& task) {
  now_ = task.time;
  order_ = task.order;
  ++tasks_run_;
  actors_[task.actor]->act(Picoseconds{task.time}, task.order & 0xffff'ffffU, task.argument);
}

void Agenda::run_until(std::uint64_t horizon) {
  kernel_ = sc_core::sc_time_stamp().value();
  running_ = true;
  do {
    while (next_in_current_ < current_.size() && current_[next_in_current_].time < horizon) {
      const Task task = current_[next_in_current_++];  // a copy: the task may post another
      run(task);
    }
  } while (next_in_current_ == current_.size() && open_next_slot(horizon));
  running_ = false;
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
  static class Nobody final : public Actor {
    void act(Picoseconds, std::uint32_t, std::uint64_t) override {}
  } nobody;
  actors_[actor] = &nobody;
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

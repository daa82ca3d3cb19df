// SPDX-License-Identifier: Apache-2.0
#include "wave_signals.hpp"

#include <algorithm>

#include "weir/model/network/frame.hpp"

namespace weir {

void WaveSignals::flush() {
  if (writing_)
    tree_.write_changes(Picoseconds{now_});
  else
    tree_.drop_changes();
}

void WaveSignals::start_writing(std::uint64_t time) {
  advance(time);
  writing_ = true;
  tree_.write_all(Picoseconds{time});
}

void WaveSignals::stop_writing(std::uint64_t time) {
  advance(time);
  flush();
  writing_ = false;
}

void WaveSignals::run_until(std::uint64_t time) {
  while (futures_.any_until(time)) {
    const WaveFuture next = futures_.take();
    move_to(next.time);
    run(next);
  }
}

void WaveSignals::apply(const WaveRecord& record) {
  advance(record.time);
  Node& node = nodes_[record.node];
  switch (record.event) {
    case WaveEvent::step:
      return step(node, record.node, record);
    case WaveEvent::limit:
      return show_limit(node, record);
    case WaveEvent::queued: {
      Port& port = ports_[node.ports[record.index / priorities]];
      const std::size_t queue = record.index % priorities;
      return tree_.set(port.depth[queue], ++port.depths[queue]);
    }
    case WaveEvent::data:
    case WaveEvent::control:
      return start_frame(node.ports[record.index], record);
    case WaveEvent::pause:
      return load_timer(node.ports[record.index / priorities],
                        priority_id(record.index % priorities), record);
    case WaveEvent::left: {
      Port& port = ports_[node.ports[record.index / priorities]];
      const std::size_t queue = record.index % priorities;
      return tree_.set(port.depth[queue], --port.depths[queue]);
    }
    case WaveEvent::waiting: {
      const Waiting& waiting = node.waiting[QueueIndex{record.index}];
      queues_[waiting.name].most = std::max(queues_[waiting.name].most, record.a);
      return tree_.set(waiting.variable, record.a);
    }
    case WaveEvent::rtl:
      return tree_.set(record.index, std::uint64_t{record.b} << 32 | record.a);
    case WaveEvent::drop:
      if (record.a != 0) groups_[node.groups[PgIndex{record.a - 1}].name].drops = true;
      return;
    case WaveEvent::deadlock:
    case WaveEvent::watchdog:
    case WaveEvent::mismatch:
      return;
  }
}

void WaveSignals::step(Node& node, std::uint32_t number, const WaveRecord& record) {
  Group& group = node.groups[PgIndex{record.index}];
  Row& row = node.rows[group.row];
  const std::uint64_t shared = row.shared + record.b - group.held.shared.count();
  row.headroom += record.c - std::uint64_t{group.held.headroom.count()};
  group.held = {Cells{record.a}, Cells{record.b}, Cells{record.c}};
  WaveGroup& named = groups_[group.name];
  named.used = true;
  named.used_headroom |= record.c != 0;
  if (record.flag) named.first_xoff = std::min(named.first_xoff, record.time);
  tree_.set(group.private_cells, record.a);
  tree_.set(group.shared, record.b);
  tree_.set(group.headroom, record.c);
  tree_.set(group.xoff, record.flag ? 1 : 0);
  tree_.set(row.headroom_variable, row.headroom);
  if (shared != row.shared) show_shared(node, number, group, record, shared);
  // What decides XOFF: T follows every group, but a group is only looked at in its own steps.
  tree_.set(group.at_limit, row.thresholds[group.threshold].value <= record.b ? 1 : 0);
}

void WaveSignals::show_shared(Node& node, std::uint32_t number, Group& group,
                              const WaveRecord& record, std::uint64_t shared) {
  Row& row = node.rows[group.row];
  row.shared = shared;
  tree_.set(row.shared_variable, shared);
  tree_.set(row.free_variable, row.limit - std::min(row.limit, shared));
  if (node.lag == 0) return show_thresholds(row, shared);
  futures_.add(record.time + node.lag, Due::threshold,
               number << 8 | static_cast<std::uint32_t>(group.row.value()),
               static_cast<std::uint32_t>(shared));
}

void WaveSignals::show_thresholds(Row& row, std::uint64_t shared) {
  for (Limit& limit : row.thresholds) {
    if (limit.is_by_steps) continue;
    limit.value = limit.line.at(Cells{static_cast<std::uint32_t>(shared)}).count();
    tree_.set(limit.variable, limit.value);
  }
}

// From here on the limit is what steps say; of a profile, what its last step said.
void WaveSignals::show_limit(Node& node, const WaveRecord& record) {
  const Group& group = node.groups[PgIndex{record.index}];
  Limit& limit = node.rows[group.row].thresholds[group.threshold];
  limit.is_by_steps = true;
  limit.value = std::min<std::uint64_t>(record.a, limit.most);
  tree_.set(limit.variable, limit.value);
  tree_.set(group.at_limit, record.a <= group.held.shared.count() ? 1 : 0);
}

void WaveSignals::start_frame(std::uint32_t index, const WaveRecord& record) {
  Port& port = ports_[index];
  const bool control = record.event == WaveEvent::control;
  const std::uint64_t length = control ? pfc_frame_bytes.count() : record.a;
  tree_.set(port.frame,
            control ? control_frame(record.a, record.b) : data_frame(record.a, record.b));
  if (!control && !port.is_host) tree_.set(port.depth[record.c], --port.depths[record.c]);
  if (port.frame != WaveTree::none)
    futures_.add(record.time + frame_time(length, Picoseconds{port.byte}).count(), Due::frame_end,
                 index);
}

void WaveSignals::load_timer(std::uint32_t index, Priority priority, const WaveRecord& record) {
  Port& port = ports_[index];
  if (!port.obeys) return;
  const std::uint32_t number = priority.count();
  const auto load = [&](auto& timer) {
    const Picoseconds now{record.time};
    const Quanta quanta{static_cast<std::uint16_t>(record.a)};
    timer.load(priority, quanta, now);
    const Picoseconds loaded = timer.time_base().load_time(now);
    const std::uint32_t generation = ++port.generation[number];
    futures_.add(loaded.count(), Due::timer_load, index, number << 16 | quanta.count(), generation);
    if (quanta.count() != 0)
      futures_.add(timer.time_base().expiry(loaded, quanta).count(), Due::timer_end, index, number,
                   generation);
  };
  if (port.is_host)
    load(host_timers_[port.timers]);
  else
    load(switch_timers_[port.timers]);
  look_at_pauses(index, record.time);
}

// Which classes are paused now. Schedules its next call at the next change that time alone makes.
void WaveSignals::look_at_pauses(std::uint32_t index, std::uint64_t now) {
  Port& port = ports_[index];
  const auto look = [&](auto& timer) {
    port.paused = timer.paused_mask(Picoseconds{now});
    const auto change = timer.next_change(Picoseconds{now});
    if (!change || change->count() == port.look_at) return;
    port.look_at = change->count();
    futures_.add(port.look_at, Due::pause_change, index);
  };
  if (port.is_host)
    look(host_timers_[port.timers]);
  else
    look(switch_timers_[port.timers]);
  show_pause(port);
}

void WaveSignals::show_pause(Port& port) {
  std::array<PauseState, priorities> states{};
  for (std::size_t n = 0; n < priorities; ++n) {
    PauseState& state = states[port.queue_of[n]];
    if ((port.paused >> n & 1U) != 0)
      state = PauseState::paused;
    else if ((port.running >> n & 1U) != 0 && state == PauseState::open)
      state = PauseState::closing;
  }
  for (std::size_t n = 0; n < priorities; ++n)
    tree_.set(port.pause[n], static_cast<std::uint64_t>(states[n]));
}

void WaveSignals::run(const WaveFuture& future) {
  if (future.due == Due::threshold)
    return show_thresholds(nodes_[future.port >> 8].rows[PoolIndex{future.port & 0xffU}],
                           future.number);
  Port& port = ports_[future.port];
  if (future.due == Due::frame_end) return tree_.set(port.frame, 0);
  if (future.due == Due::pause_change) {
    if (port.look_at != future.time) return;  // overtaken
    port.look_at = never;
    return look_at_pauses(future.port, future.time);
  }
  const std::uint32_t number = future.due == Due::timer_load ? future.number >> 16 : future.number;
  if (port.generation[number] != future.generation) return;
  const std::uint32_t quanta = future.due == Due::timer_load ? future.number & 0xffffU : 0;
  const auto bit = static_cast<std::uint8_t>(1U << number);
  port.running = static_cast<std::uint8_t>(quanta != 0 ? port.running | bit : port.running & ~bit);
  tree_.set(port.timer[number], quanta);
  look_at_pauses(future.port, future.time);
}

}  // namespace weir

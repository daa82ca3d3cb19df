// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/ranks/call_recorder.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <type_traits>
#include <utility>

#include "ranks/call_records.hpp"
#include "weir/config/format/names.hpp"

namespace weir {

using namespace records;

CallRecorder::CallRecorder(Network& network, const CallsWanted& wanted)
    : network_{network},
      order_{network.rank()->order()},
      wanted_{wanted},
      first_rank_{network.rank()->transport().rank() == 0},
      mmus_(network.switch_count()) {
  std::vector<std::string> names;
  for (const SwitchSpec& spec : network.scenario().switches) names.push_back(spec.name);
  for (const HostSpec& spec : network.scenario().hosts) names.push_back(spec.name);
  std::vector<std::uint32_t> by_turn(names.size());
  std::iota(by_turn.begin(), by_turn.end(), 0U);
  std::sort(by_turn.begin(), by_turn.end(),
            [&](std::uint32_t a, std::uint32_t b) { return natural_less(names[a], names[b]); });
  turn_.resize(names.size());
  for (std::uint32_t i = 0; i < by_turn.size(); ++i) {
    turn_[by_turn[i]] = i;
    numbers_.emplace(names[i], i);
  }
}

CallRecorder::~CallRecorder() = default;

template <class Record>
void CallRecorder::write_at(const CallPlace& place, const Record& record) {
  static_assert(std::is_trivially_copyable_v<Record>);
  const Head head{place, kind_of<Record>()};
  std::array<char, sizeof head + sizeof record> bytes;
  std::memcpy(bytes.data(), &head, sizeof head);
  std::memcpy(bytes.data() + sizeof head, &record, sizeof record);
  message_.insert(message_.end(), bytes.begin(), bytes.end());
}

template <class Record>
void CallRecorder::write(const Record& record) {
  write_at(order_.next(), record);
}

std::uint32_t CallRecorder::number_of(const std::string& name) {
  const auto known = by_address_.find(&name);
  if (known != by_address_.end()) return known->second;
  return by_address_.emplace(&name, numbers_.at(name)).first->second;
}

bool CallRecorder::runs(std::uint32_t node) const {
  return node < network_.switch_count() ? network_.runs_switch(node)
                                        : network_.runs_host(node - network_.switch_count());
}

// A monitor takes all samples of one kind before those of the next, node by node.
CallPlace CallRecorder::place_of_sample(SampleKind kind, std::uint32_t node) {
  constexpr unsigned kind_shift = 28;
  return order_.at(static_cast<std::uint32_t>(kind) << kind_shift | turn_[node]);
}

void CallRecorder::write_own(std::function<void(Observer&)> call) {
  if (!first_rank_) return;
  own_calls_.push_back(std::move(call));
  write(Own{own_calls_.size() - 1});
}

void CallRecorder::verdict(const std::string& switch_name, const Frame& frame,
                           const Verdict& verdict, Picoseconds time) {
  const std::uint32_t node = node_of(switch_name);
  const Mmu& mmu = network_.switch_at(node).mmu.core();
  write(
      VerdictGiven{node, FrameFields::of(frame), verdict, time, mmu.port_off(frame.ingress_port)});
}

void CallRecorder::copy_queued(const std::string& switch_name, const Frame& copy,
                               Picoseconds visible) {
  write(CopyQueued{node_of(switch_name), FrameFields::of(copy), visible});
}

void CallRecorder::refused(const std::string& switch_name, const Frame& frame,
                           const Verdict& verdict, Picoseconds time) {
  write(Refused{node_of(switch_name), FrameFields::of(frame), verdict, time});
}

void CallRecorder::mac_drop(const std::string& switch_name, const Frame& frame, PortId port,
                            MacDrop reason, Picoseconds time) {
  write(MacDropped{node_of(switch_name), FrameFields::of(frame), port, reason, time});
}

void CallRecorder::fcs_error(const std::string& node, PortId port, Picoseconds time) {
  write(FcsError{node_of(node), port, time});
}

void CallRecorder::watchdog(const std::string& node, PortId port, std::uint8_t classes,
                            WatchdogEvent event, Picoseconds time) {
  write(WatchdogActed{node_of(node), port, classes, event, time});
}

void CallRecorder::level(const std::string& switch_name, PortId port, Priority pg, bool xoff,
                         Picoseconds time) {
  const std::uint32_t node = node_of(switch_name);
  Cells threshold;
  if (xoff && mmus_[node] != nullptr)
    threshold = mmus_[node]->threshold(pg_index(port, pg),
                                       edge_at_or_after(time, mmus_[node]->chip().clock));
  write(Level{node, port, pg, xoff, time, threshold});
}

void CallRecorder::pfc_sent(const std::string& node, PortId port, const PfcFrame& frame,
                            Picoseconds time) {
  write(PfcSent{node_of(node), port, frame, time});
}

void CallRecorder::pfc_received(const std::string& node, PortId port, const PfcFrame& frame,
                                Picoseconds time) {
  write(PfcReceived{node_of(node), port, frame, time});
}

void CallRecorder::delivered(const std::string& host, const Frame& frame, Picoseconds last_bit) {
  if (wanted_.deliveries) write(Delivered{node_of(host), FrameFields::of(frame), last_bit});
}

void CallRecorder::deadlock(const DeadlockReport& report, Picoseconds found) {
  write_own([report, found](Observer& o) { o.deadlock(report, found); });
}

void CallRecorder::drift(const DriftReport& report) {
  write_own([report](Observer& o) { o.drift(report); });
}

void CallRecorder::port_sample(const PortSample& sample, Picoseconds time) {
  const std::uint32_t node = node_of(sample.node);
  if (!runs(node)) return;
  write_at(place_of_sample(SampleKind::port, node),
           PortSampled{node, sample.port, sample.priority, sample.counts, sample.pause,
                       sample.queue_frames, sample.held, time});
}

void CallRecorder::pool_sample(const PoolSample& sample, Picoseconds time) {
  const std::uint32_t node = node_of(sample.node);
  if (!runs(node)) return;
  const Chip& chip = network_.scenario().switches[node].chip;
  PoolIndex row;
  while (chip.ingress_pools[pool_number(chip, row)].name != sample.pool ||
         domain_of(chip, row) != sample.domain)
    ++row;
  write_at(place_of_sample(SampleKind::pool, node), PoolSampled{node, row, sample.use, time});
}

void CallRecorder::queue_sample(const QueueSample& sample, Picoseconds time) {
  const std::uint32_t node = node_of(sample.node);
  if (!runs(node)) return;
  write_at(place_of_sample(SampleKind::queue, node),
           QueueSampled{node, sample.queue, sample.waiting, sample.counters, time});
}

void CallRecorder::rate_sample(const RateSample& sample, Picoseconds time) {
  const std::uint32_t node = node_of(sample.host);
  if (!runs(node)) return;
  write_at(place_of_sample(SampleKind::rate, node), RateSampled{node, sample.rate, time});
}

void CallRecorder::stepped(const std::string& switch_name, const Mmu& mmu, PgIndex pg,
                           Picoseconds edge) {
  const std::uint32_t node = node_of(switch_name);
  mmus_[node] = &mmu;
  write(Stepped{node, pg, mmu.ingress().pg(pg), mmu.ingress().pool(mmu.settings_of(pg).pool_domain),
                mmu.pfc().xoff(pg), edge});
}

void CallRecorder::waiting(const std::string& switch_name, QueueIndex queue, Cells q,
                           Picoseconds time) {
  write(Waiting{node_of(switch_name), queue, q, time});
}

void CallRecorder::frame_started(const std::string& node, PortId port, const Frame& frame,
                                 Picoseconds start) {
  write(FrameStarted{node_of(node), port, FrameFields::of(frame), start});
}

void CallRecorder::begins(std::uint32_t flow, HostId sender, const MessageStart& message) {
  write(MessageBegins{flow, sender, message});
}

void CallRecorder::begins_on_connection(std::uint32_t flow, Picoseconds created) {
  write(BeginsOnConnection{flow, created});
}

void CallRecorder::completes(const Frame& last, Bytes size, Picoseconds when) {
  write(Completes{FrameFields::of(last), size, when});
}

void CallRecorder::requested(std::uint32_t way, Picoseconds due) { write(PingRequested{way, due}); }

void CallRecorder::answered(HostId host, const PingRequest& request) {
  write(PingAnswered{host, request});
}

}  // namespace weir

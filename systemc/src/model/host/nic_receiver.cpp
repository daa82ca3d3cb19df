// SPDX-License-Identifier: Apache-2.0
#include "weir/model/host/nic_receiver.hpp"

#include <algorithm>

#include "weir/model/switch/drop_counters.hpp"

namespace weir {
namespace {

constexpr std::uint64_t bit_picoseconds = 8 * picoseconds_per_second;  // of a byte at 1 bit/s
constexpr Picoseconds refresh_clock{1000};                             // edges of the refresh timer

// A server without a watchdog has one that never trips.
constexpr Picoseconds no_watchdog{std::uint64_t{1} << 62};

// Rounded up: the pipeline is never faster than its rate.
Picoseconds pipeline_time(Bytes length, BitRate rate) noexcept {
  return Picoseconds{(length.count() * bit_picoseconds + rate.count() - 1) / rate.count()};
}

PfcGenerator::Address octets_of(MacAddress mac) noexcept {
  PfcGenerator::Address octets{};
  for (std::size_t i = 0; i < octets.size(); ++i)
    octets[i] = static_cast<std::uint8_t>(mac.count() >> 8 * (octets.size() - 1 - i));
  return octets;
}

}  // namespace

NicReceiver::NicReceiver(const sc_core::sc_module_name& name, const HostContext& host,
                         const NicSpec& spec, TransmitterIf& mac, DeliveryIf& deliveries)
    : sc_core::sc_module{name},
      spec_{spec},
      agenda_{host.port.model.agenda},
      actor_{host.actor},
      mac_{mac},
      deliveries_{deliveries},
      port_counters_{host.port.counters},
      observers_{host.port.model.observers},
      label_{host.port.node},
      memory_{host, spec},
      generator_{spec.quanta, CycleTimeBase{host.port.rate, refresh_clock}, octets_of(host.mac)},
      watchdog_{spec.watchdog.value_or(no_watchdog)} {}

void NicReceiver::add_fault(const HostFaultSpec& fault) { faults_.push_back(fault); }

void NicReceiver::start() {
  for (std::size_t i = 0; i < faults_.size(); ++i)
    agenda_.post(faults_[i].at, Rank::input, actor_, fault_task, i);
}

void NicReceiver::act(Picoseconds now, std::uint32_t what, std::uint64_t argument) {
  switch (what) {
    case done_task:
      return finish_one(argument, now);
    case arrival_task:
      return take(*reinterpret_cast<Frame*>(static_cast<std::uintptr_t>(argument)), now);
    case fault_task:
      return strike(faults_[argument], now);
    case refresh_task:
      return argument == 0 ? refresh(now) : storm_again(argument, now);
    default:
      watch_at_.reset();
      return watch(now);
  }
}

void NicReceiver::take(Frame& frame, Picoseconds now) {
  const Bytes length{frame.length};
  if (spec_.buffer < held_ + length) {
    drop(frame, now);
    return;
  }
  buffer_.push(&frame);
  held_ += length;
  counts_.max_held = std::max(counts_.max_held, held_);
  serve(now);
  set_level(now);
}

void NicReceiver::drop(Frame& frame, Picoseconds now) {
  ++counts_.dropped;
  count_drop(port_counters_, MacDrop::nic_buffer, frame.priority);
  observers_.notify(
      [&](Observer& o) { o.mac_drop(label_, frame, PortId{0}, MacDrop::nic_buffer, now); });
  frame.release();
}

// The first frame of the buffer goes into the pipeline; it keeps its place there until it is done.
void NicReceiver::serve(Picoseconds now) {
  if (busy_since_ || buffer_.empty() || broken_since_) return;
  const Frame& frame = *buffer_.front();
  busy_since_ = now;
  const Picoseconds done = now + pipeline_time(Bytes{frame.length}, spec_.pipeline) +
                           spec_.miss_time * memory_.write(frame);
  agenda_.post(done, Rank::input, actor_, done_task, turn_);
}

void NicReceiver::finish_one(std::uint64_t turn, Picoseconds now) {
  if (turn != turn_ || broken_since_) return;  // the pipeline broke, or was emptied, meanwhile
  ++turn_;
  busy_since_.reset();
  Frame& frame = *buffer_.pop();
  held_ -= Bytes{frame.length};
  deliveries_.handled(frame, now);
  serve(now);
  set_level(now);
}

void NicReceiver::strike(const HostFaultSpec& fault, Picoseconds now) {
  if (fault.kind == HostFaultKind::reboot) return reboot(now);
  if (!broken_since_) broken_since_ = now;
  if (fault.kind == HostFaultKind::storm && !storm_) {
    storm_ = true;
    storm_interval_ = fault.interval;
    if (paced_storm()) storm_again(++storm_number_, now);
  }
  set_level(now);
  watch(now);
}

void NicReceiver::reboot(Picoseconds now) {
  ++turn_;
  broken_since_.reset();
  busy_since_.reset();
  storm_ = false;
  while (!buffer_.empty()) drop(*buffer_.pop(), now);
  held_ = Bytes{};
  memory_.forget_messages();
  watchdog_.reset();
  set_level(now);
}

std::uint8_t NicReceiver::paused_classes() const noexcept {
  return storm_ || over_xoff_ ? spec_.classes : std::uint8_t{0};
}

void NicReceiver::set_level(Picoseconds now) {
  if (!over_xoff_ && spec_.xoff <= held_) {
    over_xoff_ = true;
    watch(now);
  } else if (over_xoff_ && held_ <= spec_.xon) {
    over_xoff_ = false;
  }
  if (generator_.request_needed(paused_classes())) request(now);
}

void NicReceiver::request(Picoseconds now) {
  if (requested_ || watchdog_.tripped()) return;
  requested_ = true;
  mac_.pfc_requested(now);
}

std::optional<PfcFrame> NicReceiver::start_frame(PortId, Picoseconds now) {
  requested_ = false;
  if (watchdog_.tripped()) return std::nullopt;
  std::optional<PfcFrame> frame = generator_.build(now, paused_classes());
  const std::optional<Picoseconds> due = generator_.refresh_at();
  if (due && !refresh_armed_ && !paced_storm()) {
    refresh_armed_ = true;
    agenda_.post(*due, Rank::input, actor_, refresh_task, 0);
  }
  return frame;
}

// A frame sent since the task was posted moves the refresh: then the task is posted again.
void NicReceiver::refresh(Picoseconds now) {
  refresh_armed_ = false;
  const std::optional<Picoseconds> due = generator_.refresh_at();
  if (!due || watchdog_.tripped() || paced_storm()) return;
  if (*due <= now) return request(now);
  refresh_armed_ = true;
  agenda_.post(*due, Rank::input, actor_, refresh_task, 0);
}

// A storm with a time of its own from PAUSE to PAUSE.
void NicReceiver::storm_again(std::uint64_t number, Picoseconds now) {
  if (!paced_storm() || number != storm_number_) return;
  request(now);
  agenda_.post(now + storm_interval_, Rank::input, actor_, refresh_task, number);
}

void NicReceiver::watch(Picoseconds now) {
  if (watch_at_) return;
  std::optional<Picoseconds> still = broken_since_;
  if (!still) still = busy_since_;
  const NicWatchdog::Look look = watchdog_.look(now, {paused_classes() != 0, still});
  if (look.tripped) {
    ++counts_.watchdog_trips;
    observers_.notify([&](Observer& o) {
      o.watchdog(label_, PortId{0}, spec_.classes, WatchdogEvent::pauses_off, now);
    });
  }
  if (!look.again || agenda_.end() <= *look.again) return;
  watch_at_ = *look.again;
  agenda_.post(*look.again, Rank::input, actor_, watchdog_task);
}

}  // namespace weir

// SPDX-License-Identifier: Apache-2.0
#include "weir/core/congestion/ecn_marker.hpp"

#include <string>

#include "weir/core/errors.hpp"
#include "weir/core/random.hpp"

namespace weir {

WredLine::WredLine(const WredProfile& profile) noexcept : min_{profile.min} {
  const std::uint64_t width = (profile.max - profile.min).count();
  if (width == 0) return;  // no q lies between the thresholds
  const std::uint64_t rise = std::uint64_t{profile.probability} << fraction_bits;
  slope_ = (rise + width / 2) / width;
}

DrawStep::DrawStep(std::uint32_t polynomial) noexcept : of_byte_{} {
  for (std::uint32_t byte = 0; byte < of_byte_.size(); ++byte) {
    std::uint32_t state = byte;
    for (int shift = 0; shift < 8; ++shift) state = draw_shift(state, polynomial);
    of_byte_[byte] = state;
  }
}

namespace {

// A state as a polynomial over GF(2), modulo that of the register: the top bit is 1, the next one
// x, and a shift multiplies by x.
constexpr std::uint32_t one = 0x8000'0000U, x = one >> 1;

std::uint32_t product(std::uint32_t a, std::uint32_t b, std::uint32_t polynomial) noexcept {
  std::uint32_t result = 0;
  for (int bit = 0; bit < 32; ++bit)
    result = draw_shift(result, polynomial) ^ ((b >> bit & 1U) != 0 ? a : 0U);
  return result;
}

std::uint32_t power_of_x(std::uint32_t exponent, std::uint32_t polynomial) noexcept {
  std::uint32_t result = one;
  for (std::uint32_t square = x; exponent != 0; exponent >>= 1) {
    if ((exponent & 1U) != 0) result = product(result, square, polynomial);
    square = product(square, square, polynomial);
  }
  return result;
}

}  // namespace

// The order of x is 2^32 - 1: it divides it, and none of its largest divisors.
bool is_primitive_polynomial(std::uint32_t polynomial) noexcept {
  constexpr std::uint32_t states = 0xffff'ffffU;
  if (polynomial < one) return false;  // of a lower degree: states are lost
  if (power_of_x(states, polynomial) != one) return false;
  for (const std::uint32_t prime : {3U, 5U, 17U, 257U, 65537U})
    if (power_of_x(states / prime, polynomial) == one) return false;
  return true;
}

std::uint32_t first_draw_state(std::uint64_t seed, PortId port) noexcept {
  RandomStream stream{seed, "first draw", port.count()};
  return static_cast<std::uint32_t>(1 + stream.uniform(0xffff'ffffU));
}

EcnMarker::EcnMarker(const Chip& chip, std::uint64_t seed)
    : profile_of_queue_(chip.wred_profiles.empty() ? 0 : chip.ports.size() * priorities,
                        no_profile),
      queues_(profile_of_queue_.size()),
      step_{chip.draw_polynomial} {
  for (const WredProfile& profile : chip.wred_profiles)
    settings_.push_back(
        {profile.min, profile.max, profile.mark, profile.mark && profile.at == WredPoint::enqueue,
         profile.mark && profile.at == WredPoint::dequeue, profile.drop, WredLine{profile}});
  for (QueueIndex queue; queue < profile_of_queue_.end_index(); ++queue)
    if (const auto& profile = chip.wred_of_queue[queue])
      profile_of_queue_[queue] = static_cast<std::uint16_t>(profile->value());
  for (std::size_t port = 0; port < chip.ports.size(); ++port)
    firsts_.push_back(first_draw_state(chip.draw_seed.value_or(seed), port_id(port)));
  draws_ = firsts_;
}

namespace {

// Of its own, so that the check is small enough to be compiled into its callers.
[[noreturn]] void refuse_to_leave(QueueIndex queue, Cells n, Cells waiting) {
  throw ModelError(std::to_string(n.count()) + " cells leave port " +
                   std::to_string(port_of(queue).count()) + " queue " +
                   std::to_string(number_in_port(queue).count()) + ", where " +
                   std::to_string(waiting.count()) + " wait");
}

}  // namespace

bool EcnMarker::hits(QueueIndex queue, const Setting& setting, Cells q) noexcept {
  if (q < setting.min) return false;
  if (setting.max <= q) return true;
  std::uint32_t& state = draws_[port_of(queue).count()];
  state = step_(state);
  return drawn(state) < setting.line.at(q);
}

bool EcnMarker::drops(QueueIndex queue, Ecn ecn, bool lossless) noexcept {
  const Setting& setting = setting_of(queue);
  if (!setting.drop || lossless || (setting.mark && is_ect(ecn))) return false;
  const bool dropped = hits(queue, setting, queues_[queue].waiting);
  if (dropped) ++queues_[queue].counters.dropped;
  return dropped;
}

bool EcnMarker::marks_entry(QueueIndex queue, Bytes length, Ecn ecn) noexcept {
  Queue& entry = queues_[queue];
  const bool marked = is_ect(ecn) && hits(queue, setting_of(queue), entry.waiting);
  if (marked) count_mark(entry, length);
  return marked;
}

bool EcnMarker::leaves(QueueIndex queue, Cells n, Bytes length, Ecn ecn) {
  const Setting& setting = setting_of(queue);
  discards(queue, n);
  if (!setting.marks_at_dequeue || !is_ect(ecn)) return false;
  Queue& entry = queues_[queue];
  const bool marked = hits(queue, setting, entry.waiting);
  if (marked) count_mark(entry, length);
  return marked;
}

void EcnMarker::discards(QueueIndex queue, Cells n) {
  Queue& entry = queues_[queue];
  if (entry.waiting < n) refuse_to_leave(queue, n, entry.waiting);
  entry.waiting -= n;
}

bool EcnMarker::has_profile_at(PortId port) const noexcept {
  for (std::uint8_t number = 0; number < priorities; ++number)
    if (has_profile(queue_index(port, Priority{number}))) return true;
  return false;
}

WredCounters EcnMarker::of_port(PortId port) const noexcept {
  WredCounters sum;
  for (std::uint8_t number = 0; number < priorities; ++number) {
    const QueueIndex queue = queue_index(port, Priority{number});
    if (has_profile(queue)) sum += queues_[queue].counters;
  }
  return sum;
}

WredCounters EcnMarker::total() const noexcept {
  WredCounters sum;
  for (const Queue& queue : queues_) sum += queue.counters;
  return sum;
}

void EcnMarker::clear() noexcept {
  for (Queue& queue : queues_) queue.counters = {};
}

}  // namespace weir

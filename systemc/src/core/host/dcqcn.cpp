// SPDX-License-Identifier: Apache-2.0
#include "weir/core/host/dcqcn.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "weir/core/bits.hpp"

namespace weir {
namespace {

constexpr std::uint32_t max_counted = std::numeric_limits<std::uint32_t>::max();

constexpr Picoseconds us(std::uint64_t n) { return Picoseconds{n * 1'000'000}; }

DcqcnSettings with_timers(Picoseconds increase, Picoseconds decrease) {
  DcqcnSettings settings;
  settings.increase_time = increase;
  settings.cnp_interval = decrease;
  return settings;
}

// (1 - g) alpha, rounded down.
std::uint64_t lowered(std::uint64_t alpha, std::uint64_t g) noexcept {
  return static_cast<std::uint64_t>(Wide{alpha} * (DcqcnSettings::whole - g) >> 32);
}

void add_counts(std::uint32_t& count, std::uint64_t more) noexcept {
  count = static_cast<std::uint32_t>(std::min<std::uint64_t>(max_counted, count + more));
}

}  // namespace

const std::array<DcqcnPreset, 3>& dcqcn_presets() noexcept {
  // [HPCC] names the timers T_i and T_d; a CNP every T_d cuts the rate every T_d.
  static const std::array<DcqcnPreset, 3> presets{{
      {"paper", "[DCQCN], table of 6.1", {}},
      {"hpcc_vendor", "[HPCC], 2.3: default of a NIC vendor", with_timers(us(300), us(4))},
      {"hpcc_operator", "[HPCC], 2.3: of an operator", with_timers(us(900), us(4))},
  }};
  return presets;
}

void DcqcnRate::notified(Picoseconds now) noexcept {
  if (next_increase_ <= now) increase_until(now);
  alpha_ = decayed_alpha(now);
  cut();
  alpha_ = lowered(alpha_, settings_->g) + settings_->g;
  last_cnp_ = now;
  next_increase_ = now + settings_->increase_time;
  next_bytes_ = sent_ + settings_->increase_bytes.count();
  time_count_ = byte_count_ = 0;
  ++cnps_;
}

// R_T = R_C; R_C = R_C (1 - alpha / 2).
void DcqcnRate::cut() noexcept {
  constexpr std::uint64_t twice = 2 * DcqcnSettings::whole;
  target_ = current_;
  const BitRate less{static_cast<std::uint64_t>(Wide{current_.count()} * (twice - alpha_) / twice)};
  current_ = std::max(less, std::min(settings_->min_rate, line_));
}

// At the line rate an increase only counts, so that a long silence costs no more than a short one.
void DcqcnRate::increase_until(Picoseconds now) noexcept {
  while (next_increase_ <= now && current_ != line_) {
    add_counts(time_count_, 1);
    next_increase_ += settings_->increase_time;
    increase();
  }
  if (now < next_increase_) return;
  const std::uint64_t period = settings_->increase_time.count();
  const std::uint64_t due = (now - next_increase_).count() / period + 1;
  add_counts(time_count_, due);
  next_increase_ += Picoseconds{due * period};
}

void DcqcnRate::count_bytes() noexcept {
  while (next_bytes_ <= sent_) {
    add_counts(byte_count_, 1);
    next_bytes_ += settings_->increase_bytes.count();
    increase();
  }
}

void DcqcnRate::increase() noexcept {
  const auto [fewer, more] = std::minmax(time_count_, byte_count_);
  if (settings_->fast_recovery <= more) {
    const bool hyper = settings_->fast_recovery < fewer;
    const Wide step = hyper ? Wide{fewer - settings_->fast_recovery} * settings_->hyper_rate.count()
                            : Wide{settings_->additive_rate.count()};
    const Wide room = (line_ - target_).count();
    target_ += BitRate{static_cast<std::uint64_t>(std::min(step, room))};
  }
  current_ += BitRate{((target_ - current_).count() + 1) / 2};
}

BitRate DcqcnRate::rate(Picoseconds now) const noexcept {
  DcqcnRate later = *this;
  later.increase_until(now);
  return later.current_;
}

BitRate DcqcnRate::target(Picoseconds now) const noexcept {
  DcqcnRate later = *this;
  later.increase_until(now);
  return later.target_;
}

std::uint64_t DcqcnRate::alpha(Picoseconds now) const noexcept { return decayed_alpha(now); }

// One (1 - g) for every K since the last CNP. Before the first, alpha is 1.
std::uint64_t DcqcnRate::decayed_alpha(Picoseconds now) const noexcept {
  if (cnps_ == 0) return alpha_;
  std::uint64_t alpha = alpha_;
  for (std::uint64_t left = (now - last_cnp_).count() / settings_->alpha_time.count();
       left != 0 && alpha != 0; --left)
    alpha = lowered(alpha, settings_->g);
  return alpha;
}

}  // namespace weir

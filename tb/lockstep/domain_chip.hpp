// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/pins.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/chip_memory.hpp"
#include "weir/core/pipeline_latency.hpp"
#include "weir/core/random.hpp"
#include "weir/model/rtl/mmu_pins.hpp"

namespace weir::test {

/// Bits needed for `count` different values; at least one.
constexpr unsigned bits_for(std::uint64_t count) {
  unsigned width = 1;
  while ((std::uint64_t{1} << width) < count) ++width;
  return width;
}

/// Parameters that the RTL of a test was built with.
struct RtlShape {
  unsigned ports{2}, domains{1}, lanes{1}, copies{1};
  unsigned profiles{4}, queue_profiles{2}, pools{2}, egress_pools{2};
  unsigned cell_w{17}, len_w{8}, byte_w{14}, stat_w{48};
  unsigned admit{pipeline::admit.usual}, pfc{pipeline::pfc.usual}, lag{0};
  unsigned wred_profiles{0}, wred_drops{0}, mark{pipeline::mark.usual};
  unsigned axis_w{512}, fcs{1};

  [[nodiscard]] constexpr unsigned rows() const { return ports * priorities; }
  [[nodiscard]] constexpr unsigned row_w() const { return bits_for(rows()); }
  /// The same for the table of pins.
  [[nodiscard]] constexpr weir_rtl_shape built() const {
    return {0,     ports,        domains,       lanes,      copies, profiles, queue_profiles,
            pools, egress_pools, cell_w,        len_w,      byte_w, stat_w,   admit,
            pfc,   lag,          wred_profiles, wred_drops, mark,   axis_w,   fcs};
  }
};

/// How many policies the RTL has: those of the first numbers.
inline std::size_t rtl_policies() { return policy_names(true).size(); }

/// A random legal chip that fits `shape`, usually so small that every limit is met often. `round`
/// cycles through all pairs of XOFF trigger and XON rule, all threshold policies and all powers of
/// two of alpha.
class RandomChip {
 public:
  RandomChip(const RtlShape& shape, RandomStream& random, std::uint64_t round)
      : shape_{shape}, random_{random}, round_{round} {}

  [[nodiscard]] Chip make() {
    constexpr Size sizes[]{Size::large, Size::wide,  Size::wide,
                           Size::small, Size::small, Size::small};
    size_ = sizes[draw(0, 5)];
    chip_.name = "random";
    chip_.cell = Bytes{64};
    const std::uint32_t longest = (1U << shape_.len_w) - 1;
    chip_.mtu = Bytes{64 * (size_ == Size::small ? draw(2, std::min(60U, longest)) : longest)};
    chip_.domains = shape_.domains;
    chip_.lanes = shape_.lanes;
    chip_.admit_latency = shape_.admit;
    chip_.pfc_latency = shape_.pfc;
    chip_.threshold_lag = shape_.lag;
    draw_ports();
    draw_pools();
    draw_profiles();
    draw_maps();
    if (shape_.wred_profiles != 0) draw_marking();
    if (size_ == Size::wide || shape_.cell_w < narrow) shrink_to_memory();
    chip_.check();
    return std::move(chip_);
  }

  /// Some chips are so large that the counts reach their widths: `large` in the pools, `wide` in
  /// every field, with few PGs. A wide chip needs traffic in waves.
  [[nodiscard]] bool wide() const noexcept { return size_ == Size::wide; }

 private:
  enum class Size : std::uint8_t { small, large, wide };
  static constexpr unsigned mark_w = 24;  // of values that no memory bounds: up to 2^24
  static constexpr unsigned narrow = 12;  // a small chip may need more than 2^11 cells

  std::uint32_t draw(std::uint64_t low, std::uint64_t high) {
    return static_cast<std::uint32_t>(low + random_.uniform(high - low + 1));
  }
  // Half of the values with every magnitude equally often, up to 2^width.
  std::uint32_t draw_bits(unsigned width) {
    if (draw(0, 15) == 0) return 1U << width;
    return draw(0, (1U << (draw(0, 1) == 0 ? width : draw(1, width))) - 1);
  }
  std::uint32_t draw_cells(std::uint32_t high) {
    switch (draw(0, 4)) {
      case 0:
        return 0;
      case 1:
        return draw(1, 4);
      case 2:
        return draw(1, 20);
      default:
        return draw(1, high);
    }
  }
  // Of a segment that the memory holds, and of the values compared with one.
  Cells segment(std::uint32_t high) {
    return Cells{size_ == Size::wide ? draw_bits(shape_.cell_w - 1) : draw_cells(high)};
  }
  Cells mark(std::uint32_t high) {
    return Cells{size_ == Size::wide ? draw_bits(mark_w) : draw_cells(high)};
  }
  Cells pool_cells(std::uint32_t small, std::uint32_t share) {
    if (size_ != Size::large) return segment(small);
    const std::uint32_t most = (1U << shape_.cell_w) / 100 * share / shape_.pools;
    return Cells{draw(most / 2, most)};
  }
  ThresholdSetting threshold(std::uint64_t n) {
    ThresholdSetting setting;
    const std::uint64_t in_turn = n % 2 == 0 ? 0 : n / 2 % rtl_policies();
    setting.policy = policy_table()[size_ == Size::wide ? wide_policy() : in_turn].policy;
    setting.alpha = draw_alpha();
    setting.static_limit = mark(size_ == Size::large ? 40'000 : 120);
    return setting;
  }

  Alpha draw_alpha() {
    if (size_ == Size::wide && draw(0, 3) == 0) return {draw(1U << 15, 65535), 0};  // T saturates
    if (draw(0, 2) != 0) return Alpha::power_of_two(static_cast<int>(round_ % 16) - 8);
    return {draw(1, 65535), static_cast<std::uint8_t>(draw(0, 16))};
  }

  // Of a wide chip: half of them use [DT], which comes first.
  std::uint64_t wide_policy() { return draw(0, 1) == 0 ? 0 : draw(0, rtl_policies() - 1); }

  // Wide: steps of up to 21 bits, responses that no round is long enough for.
  void draw_ports() {
    if (size_ == Size::wide) chip_.clock = Picoseconds{draw(100, 10'000)};
    const std::uint32_t first = draw(0, shape_.domains - 1);  // the domain of port 0
    for (unsigned port = 0; port < shape_.ports; ++port) {
      constexpr std::uint64_t gbps[]{10, 25, 100, 400, 800};
      const std::uint64_t response = size_ == Size::wide
                                         ? chip_.clock.min_time(Cycle{draw_response()}).count()
                                         : draw(0, 3) * draw(0, 30'000);
      chip_.ports.push_back({BitRate{gbps[draw(0, 4)] * 1'000'000'000},
                             DomainId{static_cast<std::uint8_t>((first + port) % shape_.domains)},
                             Picoseconds{response}});
    }
    chip_.quanta = Quanta{static_cast<std::uint16_t>(draw(1, draw(0, 7) == 0 ? 65535 : 200))};
  }

  // Cycles, up to 24 bits.
  std::uint32_t draw_response() {
    return draw(0, 2) == 0 ? draw(0, (1U << 24) - 1) : draw_bits(draw(1, 23));
  }

  void draw_pools() {
    for (unsigned pool = 0; pool < shape_.pools; ++pool) {
      const bool dedicated = draw(0, 1) == 0;
      chip_.ingress_pools.push_back({"in" + std::to_string(pool), pool_cells(400, 55),
                                     dedicated ? Cells{0} : pool_cells(150, 10), dedicated});
    }
    for (unsigned pool = 0; pool < shape_.egress_pools; ++pool)
      chip_.egress_pools.push_back(
          {"out" + std::to_string(pool), pool_cells(300, 55), Cells{0}, true});
  }

  void draw_profiles() {
    for (unsigned p = 0; p < shape_.profiles; ++p) {
      Profile profile;
      profile.name = "profile" + std::to_string(p);
      profile.lossless = draw(0, 3) != 0;
      profile.pool = PoolNumber{draw(0, shape_.pools - 1)};
      profile.private_cells = segment(40);
      if (profile.lossless)
        profile.headroom = segment(size_ == Size::large && shape_.ports <= 4 ? 800 : 120);
      profile.threshold = threshold(round_ + p);
      profile.xon = mark(30);
      profile.xon_offset = mark(30);
      profile.xoff_trigger =
          (round_ + p) % 2 == 0 ? XoffTrigger::on_crossing : XoffTrigger::on_headroom;
      profile.xon_rule = (round_ + p) / 2 % 2 == 0 ? XonRule::sai : XonRule::paper;
      chip_.profiles.push_back(profile);
    }
    for (unsigned q = 0; q < shape_.queue_profiles; ++q)
      chip_.queue_profiles.push_back({"queue" + std::to_string(q),
                                      EgressPoolNumber{draw(0, shape_.egress_pools - 1)},
                                      segment(30), threshold(round_ + q)});
  }

  // Wide: one PG of each port and few queues with a limit, so that each gets large; in one of three
  // a single queue, which may hold everything.
  void draw_maps() {
    const bool few = size_ == Size::wide, lone = few && draw(0, 2) == 0;
    for (std::uint8_t& pg : chip_.pg_of_priority) pg = static_cast<std::uint8_t>(draw(0, 7));
    if (few) chip_.pg_of_priority.fill(chip_.pg_of_priority[0]);
    const std::size_t lone_queue =
        draw(0, shape_.ports - 1) * priorities + draw(priorities / 2, priorities - 1);
    for (std::size_t slot = 0; slot < std::size_t{shape_.ports} * priorities; ++slot) {
      const bool used = !few || slot % priorities == chip_.pg_of_priority[0];
      const bool limited =
          lone ? slot == lone_queue
               : slot % priorities >= priorities / 2 && (few ? draw(0, 3) == 0 : draw(0, 7) != 0);
      chip_.profile_of_pg.push_back(one_of<ProfileIndex>(used, shape_.profiles));
      chip_.profile_of_queue.push_back(one_of<QueueProfileIndex>(limited, shape_.queue_profiles));
    }
  }
  // Half of all queues have a profile, whose thresholds are near.
  void draw_marking() {
    chip_.mark_latency = shape_.mark;
    for (unsigned n = 0; n < shape_.wred_profiles; ++n) {
      const Cells min{draw_cells(40)};
      const WredPoint at = draw(0, 1) == 0 ? WredPoint::enqueue : WredPoint::dequeue;
      const bool drop = shape_.wred_drops != 0 && draw(0, 1) == 0;
      chip_.wred_profiles.push_back({"wred" + std::to_string(n), min,
                                     std::max(Cells{1}, min + Cells{draw(0, 40)}), draw(1, 65536),
                                     !drop || draw(0, 1) == 0, drop, at});
    }
    for (std::size_t slot = 0; slot < std::size_t{shape_.ports} * priorities; ++slot)
      chip_.wred_of_queue.push_back(
          one_of<WredProfileIndex>(draw(0, 1) == 0, shape_.wred_profiles));
  }
  template <class P>
  std::optional<P> one_of(bool any, unsigned profiles) {
    return any ? std::optional{P{draw(0, profiles - 1)}} : std::nullopt;
  }

  // Halves random amounts until all cells of each domain fit; one amount of each side keeps its
  // size as long as possible.
  void shrink_to_memory() {
    const std::uint64_t most = low_bits(shape_.cell_w);
    Profile& profile = chip_.profiles[ProfileIndex{draw(0, shape_.profiles - 1)}];
    Pool& pool = chip_.ingress_pools[PoolNumber{draw(0, shape_.pools - 1)}];
    std::vector<Cells*> amounts{&profile.private_cells, &pool.shared};
    if (profile.lossless) amounts.push_back(&profile.headroom);
    if (!pool.dedicated_headroom) amounts.push_back(&pool.headroom);
    Cells& favourite = draw(0, 1) == 0 ? pool.shared : *amounts[draw(0, amounts.size() - 1)];
    favourite = Cells{draw(most / 2, most)};
    while (!ingress_fits(most)) {
      Profile& of = chip_.profiles[ProfileIndex{draw(0, shape_.profiles - 1)}];
      Pool& in = chip_.ingress_pools[PoolNumber{draw(0, shape_.pools - 1)}];
      halve({&of.private_cells, &of.headroom, &in.shared, &in.headroom}, favourite);
    }
    QueueProfile& queue =
        chip_.queue_profiles[QueueProfileIndex{draw(0, shape_.queue_profiles - 1)}];
    Pool& out = chip_.egress_pools[EgressPoolNumber{draw(0, shape_.egress_pools - 1)}];
    Cells& large = draw(0, 1) == 0 ? queue.minimum : out.shared;
    large = Cells{draw(most / 2, most)};
    while (egress_cells() > most)
      halve({&chip_.queue_profiles[QueueProfileIndex{draw(0, shape_.queue_profiles - 1)}].minimum,
             &chip_.egress_pools[EgressPoolNumber{draw(0, shape_.egress_pools - 1)}].shared},
            large);
  }
  // One of `amounts`; usually not `favourite`.
  void halve(const std::vector<Cells*>& amounts, const Cells& favourite) {
    Cells& cells = *amounts[draw(0, amounts.size() - 1)];
    if (&cells == &favourite && draw(0, 15) != 0) return;
    cells = Cells{cells.count() / 2};
  }
  [[nodiscard]] bool ingress_fits(std::uint64_t most) const {
    for (unsigned d = 0; d < shape_.domains; ++d)
      if (cells_taken(chip_, DomainId{static_cast<std::uint8_t>(d)}) > most) return false;
    return true;
  }
  [[nodiscard]] std::uint64_t egress_cells() const {
    std::uint64_t cells = 0;
    for (const Pool& pool : chip_.egress_pools) cells += pool.shared.count();
    for (const auto& profile : chip_.profile_of_queue)
      if (profile) cells += chip_.queue_profiles[*profile].minimum.count();
    return cells;
  }

  const RtlShape& shape_;
  RandomStream& random_;
  const std::uint64_t round_;
  Size size_{Size::small};
  Chip chip_;
};

}  // namespace weir::test

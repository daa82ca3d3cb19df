// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "weir/config/chip/chip_file.hpp"
#include "weir/core/accounting/sai_counters.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/congestion/ecn_marker.hpp"
#include "weir/core/mmu.hpp"
#include "weir/core/random.hpp"
#include "weir_mmu.h"

namespace weir::test {

/// The answers of a trace as bytes, in the order of the calls.
class Answers {
 public:
  template <class T>
  void add(const T& value) {
    static_assert(std::has_unique_object_representations_v<T>, "padding has no value");
    const std::size_t end = bytes_.size();
    bytes_.resize(end + sizeof value);
    std::memcpy(&bytes_[end], &value, sizeof value);
  }
  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }

 private:
  std::string bytes_;
};

/// How often something occurred; a test fails when it never did.
struct Occurred {
  std::array<std::uint64_t, reasons> verdicts{};
  std::uint64_t marks{0}, entry_marks{0}, pauses{0}, resumes{0}, port_offs{0}, partly_taken{0};
};

/// When a packet that was admitted enters the queues that took it.
enum class Entry { at_arrival, later };

/// One chip through weir_mmu.h and, next to it, as the classes of the core: the same legal steps.
class TwoSides {
 public:
  TwoSides(const std::string& chip_text, std::uint64_t seed, Entry entry)
      : entry_{entry},
        chip_{parse_chip(chip_text, "small.toml")},
        mmu_{chip_},
        marker_{chip_, 0},
        random_{seed, "trace"} {
    mmu_.set_marker_owner(marker_owner_);
    EXPECT_EQ(weir_mmu_open_text(chip_text.data(), chip_text.size(), "small.toml", &number_),
              WEIR_MMU_OK)
        << weir_mmu_last_error();
    if (entry_ == Entry::later) expect_ok(weir_mmu_enter_later(number_));
  }
  TwoSides(const TwoSides&) = delete;
  TwoSides& operator=(const TwoSides&) = delete;
  ~TwoSides() { EXPECT_EQ(weir_mmu_close(number_), WEIR_MMU_OK) << weir_mmu_last_error(); }

  /// One legal step.
  void step() {
    now_ += draw(3);
    const std::uint32_t kind = draw(20);
    if (!admitted_.empty() && kind % 2 == 0) return enter();
    if (!held_.empty() && (kind < 9 || held_.size() > 120)) return leave();
    if (kind == 19) return arrive_copies();
    arrive();
  }

  /// Priority groups, limits, levels and statistics.
  void look() {
    look_at_groups();
    for (std::uint32_t queue = 0; queue < groups(); ++queue)
      for (std::uint32_t domain = 0; domain < chip_.domains; ++domain) {
        std::uint32_t limit = 0;
        expect_ok(weir_mmu_queue_threshold(number_, queue, domain, now_, &limit));
        const DomainId of{static_cast<DomainId::rep>(domain)};
        const bool limited = mmu_.egress().limited(QueueIndex{queue});
        note(limit, limited ? mmu_.queue_threshold(QueueIndex{queue}, of, Cycle{now_}).count()
                            : ~std::uint32_t{0});
      }
    for (std::uint32_t port = 0; port < chip_.ports.size(); ++port) {
      std::uint8_t classes = 0;
      expect_ok(weir_mmu_xoff_classes(number_, port, &classes));
      note(classes, mmu_.xoff_classes(port_id(port)));
    }
    look_at_counters();
  }

  [[nodiscard]] weir_mmu number() const noexcept { return number_; }
  [[nodiscard]] const Chip& chip() const noexcept { return chip_; }
  [[nodiscard]] const Mmu& mmu() const noexcept { return mmu_; }
  [[nodiscard]] std::uint64_t now() const noexcept { return now_; }
  [[nodiscard]] std::uint32_t draw(std::uint32_t below) {
    return static_cast<std::uint32_t>(random_.next() % below);
  }
  [[nodiscard]] std::uint32_t groups() const noexcept {
    return static_cast<std::uint32_t>(chip_.ports.size() * priorities);
  }
  [[nodiscard]] const std::string& in_c() const noexcept { return c_.bytes(); }
  [[nodiscard]] const std::string& in_cpp() const noexcept { return cpp_.bytes(); }
  [[nodiscard]] const Occurred& occurred() const noexcept { return occurred_; }

 private:
  struct Packet {
    std::uint32_t pg, cells, bytes, ecn;
    std::vector<std::uint32_t> queues;  // copies still to leave
  };

  static void expect_ok(weir_mmu_status status) {
    EXPECT_EQ(status, WEIR_MMU_OK) << weir_mmu_last_error();
  }
  template <class T>
  void note(T in_c, T in_cpp) {
    c_.add(in_c);
    cpp_.add(in_cpp);
  }

  Packet some_packet() {
    Packet packet{draw(groups()), 0, 64 + draw(1455), draw(4), {}};
    packet.cells = chip_.cells(Bytes{packet.bytes}).count();
    return packet;
  }
  weir_mmu_arrival arrival_of(const Packet& packet, std::uint32_t queue) const {
    weir_mmu_arrival arrival{};
    arrival.size = sizeof arrival;
    arrival.pg = packet.pg;
    arrival.queue = queue;
    arrival.cells = packet.cells;
    arrival.bytes = packet.bytes;
    arrival.ecn = packet.ecn;
    arrival.now = now_;
    return arrival;
  }

  // What the interface should answer to the verdict of the core.
  void note_verdict(const weir_mmu_verdict& answer, const Verdict& verdict, PgIndex pg,
                    bool marked) {
    weir_mmu_verdict expected{};
    expected.size = sizeof expected;
    expected.reason = static_cast<std::uint32_t>(verdict.reason);
    expected.private_cells = verdict.placement.private_cells.count();
    expected.shared_cells = verdict.placement.shared.count();
    expected.headroom_cells = verdict.placement.headroom.count();
    expected.threshold = verdict.threshold.count();
    expected.xoff = verdict.pfc.xoff;
    expected.changed = verdict.pfc.changed;
    expected.port_off = mmu_.port_off(port_of(pg));
    expected.marked = marked;
    note(answer, expected);
    ++occurred_.verdicts[expected.reason];
    occurred_.marks += expected.marked;
    occurred_.port_offs += expected.port_off;
    if (verdict.pfc.changed) ++(verdict.pfc.xoff ? occurred_.pauses : occurred_.resumes);
  }

  void arrive() {
    Packet packet = some_packet();
    const std::uint32_t number = draw(groups());
    const weir_mmu_arrival arrival = arrival_of(packet, number);
    weir_mmu_verdict answer{};
    answer.size = sizeof answer;
    expect_ok(weir_mmu_arrive(number_, &arrival, &answer));

    const PgIndex pg{packet.pg};
    const QueueIndex queue{number};
    const Ecn ecn = static_cast<Ecn>(packet.ecn);
    Verdict verdict;
    bool marked = false;
    if (marker_.has_profile(queue) && marker_.drops(queue, ecn, mmu_.settings_of(pg).lossless)) {
      verdict.reason = Reason::wred;
      verdict.threshold = mmu_.threshold(pg, Cycle{now_});
      verdict.pfc.xoff = mmu_.pfc().xoff(pg);
    } else {
      verdict = mmu_.arrive(pg, Cells{packet.cells}, Bytes{packet.bytes}, queue, Cycle{now_});
      if (verdict.admitted() && marker_.has_profile(queue))
        marked = enters_at_arrival(packet, queue);
    }
    note_verdict(answer, verdict, pg, marked);
    packet.queues = {number};
    if (verdict.admitted()) keep(packet);
  }
  bool enters_at_arrival(const Packet& packet, QueueIndex queue) {
    return entry_ == Entry::at_arrival && marker_.has_profile(queue) &&
           marker_.enters(queue, Cells{packet.cells}, Bytes{packet.bytes},
                          static_cast<Ecn>(packet.ecn));
  }
  void keep(const Packet& packet) {
    (entry_ == Entry::later ? admitted_ : held_).push_back(packet);
  }

  // Any packet that was admitted, to all its queues.
  void enter() {
    const std::uint32_t index = draw(static_cast<std::uint32_t>(admitted_.size()));
    const Packet packet = admitted_[index];
    for (const std::uint32_t number : packet.queues) {
      std::uint8_t marked = 0;
      expect_ok(
          weir_mmu_enter(number_, number, packet.cells, packet.bytes, packet.ecn, now_, &marked));
      const QueueIndex queue{number};
      const bool expected = marker_.has_profile(queue) &&
                            marker_.enters(queue, Cells{packet.cells}, Bytes{packet.bytes},
                                           static_cast<Ecn>(packet.ecn));
      note(marked, static_cast<std::uint8_t>(expected));
      occurred_.entry_marks += marked;
    }
    held_.push_back(packet);
    admitted_.erase(admitted_.begin() + index);
  }

  void arrive_copies() {
    Packet packet = some_packet();
    const std::uint32_t count = 1 + draw(5), first = draw(groups());
    std::vector<weir_mmu_copy> copies(count);
    std::vector<QueueIndex> queues;
    for (std::uint32_t i = 0; i < count; ++i) {
      copies[i].size = sizeof copies[i];
      copies[i].queue = (first + i * 7) % groups();
      queues.emplace_back(copies[i].queue);
    }
    const weir_mmu_arrival arrival = arrival_of(packet, 0);
    weir_mmu_verdict answer{};
    answer.size = sizeof answer;
    expect_ok(weir_mmu_arrive_copies(number_, &arrival, copies.data(), count, &answer));

    const PgIndex pg{packet.pg};
    const Verdict verdict =
        mmu_.arrive(pg, Cells{packet.cells}, Bytes{packet.bytes}, queues, Cycle{now_});
    for (const weir_mmu_copy& copy : copies) {
      const QueueIndex queue{copy.queue};
      const bool taken = std::find(queues.begin(), queues.end(), queue) != queues.end();
      const bool marked = taken && enters_at_arrival(packet, queue);
      note(copy.accepted, static_cast<std::uint8_t>(taken));
      note(copy.marked, static_cast<std::uint8_t>(marked));
      if (taken) packet.queues.push_back(copy.queue);
    }
    note_verdict(answer, verdict, pg, false);
    if (!queues.empty() && queues.size() < count) ++occurred_.partly_taken;
    if (verdict.admitted()) keep(packet);
  }

  void leave() {
    const std::uint32_t index = draw(static_cast<std::uint32_t>(held_.size()));
    Packet& packet = held_[index];
    const std::uint32_t number = packet.queues.back();
    packet.queues.pop_back();
    const QueueIndex queue{number};
    leave_queue(packet, queue);
    weir_mmu_departure departure{};
    departure.size = sizeof departure;
    departure.pg = packet.pg;
    departure.queue = number;
    departure.cells = packet.cells;
    departure.last = packet.queues.empty();
    departure.now = now_;
    weir_mmu_level answer{};
    answer.size = sizeof answer;
    expect_ok(weir_mmu_release(number_, &departure, &answer));
    const PgIndex pg{packet.pg};
    const PfcLevel level =
        mmu_.release(pg, Cells{packet.cells}, queue, packet.queues.empty(), Cycle{now_});
    weir_mmu_level wanted{};
    wanted.size = sizeof wanted;
    wanted.xoff = level.xoff;
    wanted.changed = level.changed;
    wanted.port_off = mmu_.port_off(port_of(pg));
    note(answer, wanted);
    if (level.changed) ++occurred_.resumes;
    if (packet.queues.empty()) held_.erase(held_.begin() + index);
  }

  // Its queue sends it, or throws it away.
  void leave_queue(const Packet& packet, QueueIndex queue) {
    const auto number = static_cast<std::uint32_t>(queue.value());
    if (draw(8) == 0) {
      expect_ok(weir_mmu_discard(number_, number, packet.cells, now_));
      if (marker_.has_profile(queue)) marker_.discards(queue, Cells{packet.cells});
      return;
    }
    std::uint8_t marked = 0;
    expect_ok(
        weir_mmu_mark(number_, number, packet.cells, packet.bytes, packet.ecn, now_, &marked));
    const bool expected = marker_.has_profile(queue) &&
                          marker_.leaves(queue, Cells{packet.cells}, Bytes{packet.bytes},
                                         static_cast<Ecn>(packet.ecn));
    note(marked, static_cast<std::uint8_t>(expected));
    occurred_.marks += marked;
  }

  void look_at_groups() {
    std::vector<weir_mmu_group> all(groups());
    std::uint32_t count = groups();
    expect_ok(weir_mmu_snapshot(number_, now_, all.data(), sizeof(weir_mmu_group), &count));
    note(count, groups());
    for (PgIndex pg; pg < PgIndex{groups()}; ++pg) {
      const Placement& held = mmu_.ingress().pg(pg);
      const std::uint32_t limit = mmu_.threshold(pg, Cycle{now_}).count();
      note(all[pg.value()],
           weir_mmu_group{held.private_cells.count(), held.shared.count(), held.headroom.count(),
                          limit, mmu_.pfc().xoff(pg) ? 1U : 0U});
      std::uint32_t alone = 0;
      expect_ok(weir_mmu_threshold(number_, static_cast<std::uint32_t>(pg.value()), now_, &alone));
      note(alone, limit);
    }
  }

  void look_at_counters() {
    for (const SaiCounter& counter : sai_counters())
      for (std::uint32_t i = 0; i < sai_instances(mmu_, counter.object); ++i) {
        std::uint64_t value = 0;
        expect_ok(weir_mmu_counter(number_, std::string{counter.name}.c_str(), i, &value));
        note(value, counter.read(mmu_, i));
      }
  }

  const Entry entry_;
  const Chip chip_;
  Mmu mmu_;
  EcnMarker marker_;
  PlainMarkerOwner marker_owner_{marker_};
  weir_mmu number_{0};
  RandomStream random_;
  std::uint64_t now_{0};
  std::vector<Packet> admitted_;  // that are to enter their queues
  std::vector<Packet> held_;
  Answers c_, cpp_;
  Occurred occurred_;
};

}  // namespace weir::test

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "weir/model/host/message_log.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/network/ping_account.hpp"
#include "weir/model/observer.hpp"
#include "weir/model/ranks/call_order.hpp"
#include "weir/model/ranks/network_rank.hpp"

namespace weir {

/// What the observers of a run over ranks want to see.
struct CallsWanted {
  bool verdicts{false}, details{false}, steps{false}, deliveries{false};
};

/// Observes one rank, and writes what happens there into a message for rank 0, where the observers
/// of the whole network are (CallReplay). What all ranks find alike, rank 0 alone writes.
class CallRecorder final : public Observer, public MessageLog, public PingLog {
 public:
  CallRecorder(Network& network, const CallsWanted& wanted);
  ~CallRecorder() override;

  /// All calls since the last time. The message is the caller's to empty.
  [[nodiscard]] RankMessage& message() noexcept { return message_; }
  /// The calls that are not bytes: those of rank 0 alone, by number.
  [[nodiscard]] const std::function<void(Observer&)>& own_call(std::uint64_t number) const {
    return own_calls_[number];
  }

  [[nodiscard]] bool wants_verdicts() const override { return wanted_.verdicts; }
  [[nodiscard]] bool wants_details() const override { return wanted_.details; }
  [[nodiscard]] bool wants_steps() const override { return wanted_.steps; }
  void verdict(const std::string& switch_name, const Frame& frame, const Verdict& verdict,
               Picoseconds time) override;
  void copy_queued(const std::string& switch_name, const Frame& copy, Picoseconds visible) override;
  void refused(const std::string& switch_name, const Frame& frame, const Verdict& verdict,
               Picoseconds time) override;
  void mac_drop(const std::string& switch_name, const Frame& frame, PortId port, MacDrop reason,
                Picoseconds time) override;
  void fcs_error(const std::string& node, PortId port, Picoseconds time) override;
  void watchdog(const std::string& node, PortId port, std::uint8_t classes, WatchdogEvent event,
                Picoseconds time) override;
  void level(const std::string& switch_name, PortId port, Priority pg, bool xoff,
             Picoseconds time) override;
  void pfc_sent(const std::string& node, PortId port, const PfcFrame& frame,
                Picoseconds time) override;
  void pfc_received(const std::string& node, PortId port, const PfcFrame& frame,
                    Picoseconds time) override;
  void delivered(const std::string& host, const Frame& frame, Picoseconds last_bit) override;
  void deadlock(const DeadlockReport& report, Picoseconds found) override;
  void port_sample(const PortSample& sample, Picoseconds time) override;
  void pool_sample(const PoolSample& sample, Picoseconds time) override;
  void queue_sample(const QueueSample& sample, Picoseconds time) override;
  void rate_sample(const RateSample& sample, Picoseconds time) override;
  void drift(const DriftReport& report) override;
  void stepped(const std::string& switch_name, const Mmu& mmu, PgIndex pg,
               Picoseconds edge) override;
  void waiting(const std::string& switch_name, QueueIndex queue, Cells q,
               Picoseconds time) override;
  void frame_started(const std::string& node, PortId port, const Frame& frame,
                     Picoseconds start) override;

  void begins(std::uint32_t flow, HostId sender, const MessageStart& message) override;
  void begins_on_connection(std::uint32_t flow, Picoseconds created) override;
  void completes(const Frame& last, Bytes size, Picoseconds when) override;

  void requested(std::uint32_t way, Picoseconds due) override;
  void answered(HostId host, const PingRequest& request) override;

 private:
  // Kinds of samples, in the order in which a monitor takes them.
  enum class SampleKind : std::uint32_t { port, pool, queue, rate };

  template <class Record>
  void write(const Record& record);
  template <class Record>
  void write_at(const CallPlace& place, const Record& record);
  // Names of modules live as long as the network: the address of one identifies it.
  [[nodiscard]] std::uint32_t node_of(const std::string& name) {
    const auto address = reinterpret_cast<std::uintptr_t>(&name);
    Known& known = known_[address * 0x9e37'79b9'7f4a'7c15ULL >> (64 - known_bits)];
    if (known.name != &name) known = {&name, number_of(name)};
    return known.node;
  }
  [[nodiscard]] std::uint32_t number_of(const std::string& name);
  [[nodiscard]] bool runs(std::uint32_t node) const;
  [[nodiscard]] CallPlace place_of_sample(SampleKind kind, std::uint32_t node);
  void write_own(std::function<void(Observer&)> call);

  Network& network_;
  CallOrder& order_;
  const CallsWanted wanted_;
  const bool first_rank_;
  RankMessage message_;
  std::unordered_map<std::string, std::uint32_t> numbers_;  // switches, then hosts
  std::unordered_map<const std::string*, std::uint32_t> by_address_;
  struct Known {
    const std::string* name{nullptr};
    std::uint32_t node{0};
  };
  static constexpr unsigned known_bits = 8;
  std::array<Known, 1U << known_bits> known_{};  // the last ones, by a hash of the address
  std::vector<std::uint32_t> turn_;              // by node: its turn among the samples of a moment
  std::vector<const Mmu*> mmus_;                 // of switches that have stepped
  std::deque<std::function<void(Observer&)>> own_calls_;
};

}  // namespace weir

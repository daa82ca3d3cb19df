// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "weir/config/scenario/scenario.hpp"
#include "weir/model/agenda.hpp"
#include "weir/model/host/nic.hpp"
#include "weir/model/model_context.hpp"
#include "weir/model/network/ping_account.hpp"
#include "weir/model/observer.hpp"

namespace weir {

/// Probes between servers of a network, as [pingmesh] asks for: each pair sends one every interval,
/// from a moment of its own, and the other end answers. Round-trip times and error codes.
///
/// Probe and answer are frames like all others: they wait in queues, are paused, dropped and
/// counted. Their flow numbers follow those of [[traffic]].
///
/// Timing:  the answer is due `turnaround` after the last bit of the probe.
/// Source:  [RDMA16] section 5.
class Pingmesh final : public Observer, private Actor {
 public:
  /// `hosts` get the sources. The first moment of a pair is drawn from the stream named by its
  /// hosts, so it does not depend on other pairs. `header` is that of the first class.
  Pingmesh(const ModelContext& context, const Scenario& scenario,
           std::vector<std::unique_ptr<Nic>>& hosts, FlowHeader header);
  ~Pingmesh() override;

  /// The run has ended at `now`: probes that were due and still wait in their hosts count, too, of
  /// hosts that `counts`. Call it once, before the account is finished.
  void finish(Picoseconds now, const std::function<bool(HostId)>& counts);

  /// What became of the probes.
  [[nodiscard]] PingAccount& account() noexcept { return account_; }
  [[nodiscard]] const PingAccount& account() const noexcept { return account_; }
  /// `log` receives packets in the place of the account.
  void report_to(PingLog& log) noexcept { log_ = &log; }

  void delivered(const std::string& host, const Frame& frame, Picoseconds last_bit) override;

 private:
  class Requests;
  class Answers;
  /// The ends of a host in one class; none where it neither probes nor answers.
  struct End {
    Requests* requests{nullptr};
    Answers* answers{nullptr};
  };

  /// An answer that a host owes.
  struct AnswerDue {
    HostId host{0};
    PingRequest request;
  };

  void add_sources(const Scenario& scenario, FlowHeader header);
  void add_source(HostId host, std::size_t number, bool answers, std::uint8_t dscp,
                  const FlowHeader& header);
  void act(Picoseconds now, std::uint32_t what, std::uint64_t argument) override;
  [[nodiscard]] std::vector<PingWay> ways_of(const Scenario& scenario) const;

  const PingmeshSpec spec_;
  Agenda& agenda_;
  Agenda::ActorId actor_;
  std::vector<std::unique_ptr<Nic>>& hosts_;
  const std::uint32_t first_flow_;  // two for each class: probes, answers
  const std::vector<PingWay> ways_;
  std::vector<std::vector<End>> ends_;  // [class][host]
  std::vector<AnswerDue> due_;          // all so far
  PingAccount account_;
  PingLog* log_{&account_};
};

}  // namespace weir

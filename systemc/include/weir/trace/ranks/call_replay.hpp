// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "weir/model/observer.hpp"
#include "weir/trace/ranks/call_recorder.hpp"

namespace weir {

/// Rank 0: the observers of the whole network see what the recorders of all ranks have written, in
/// the order in which one process calls them.
class CallReplay {
 public:
  explicit CallReplay(Network& network);
  ~CallReplay();
  CallReplay(const CallReplay&) = delete;
  CallReplay& operator=(const CallReplay&) = delete;

  /// The observers; Network::divert() sends them here.
  [[nodiscard]] Observers& observers() noexcept { return observers_; }
  /// What they want, once all are there.
  [[nodiscard]] CallsWanted wanted() const;

  /// One message a rank, all up to the same moment. `own` wrote that of rank 0.
  void replay(const std::vector<RankMessage>& messages, const CallRecorder& own);

 private:
  class Player;

  Network& network_;
  Observers observers_;
  std::unique_ptr<Player> player_;
};

}  // namespace weir

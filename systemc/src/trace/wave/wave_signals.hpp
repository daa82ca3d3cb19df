// SPDX-License-Identifier: Apache-2.0
// The state that a waveform shows, kept up to date from records in ascending order of time.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "wave_futures.hpp"
#include "wave_record.hpp"
#include "wave_tree.hpp"
#include "weir/config/scenario/scenario.hpp"
#include "weir/core/mmu.hpp"
#include "weir/core/pfc/pause_timer.hpp"

namespace weir {

/// Names of a priority group of a switch, for the list of signals next to the waveform.
struct WaveGroup {
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  std::string path;                 ///< "tor.port[3].pg[3]"
  bool used{false};                 ///< It has held a cell.
  bool used_headroom{false};        ///< It has held a cell in headroom.
  bool drops{false};                ///< The MMU has refused a packet of it.
  std::uint64_t first_xoff{never};  ///< ps
};

/// An egress queue with a WRED profile, likewise.
struct WaveQueue {
  std::string path;       ///< "tor.port[3].queue[3]"
  std::uint32_t most{0};  ///< Cells that have waited in it.
};

/// Every value in the waveform. Names and times: docs/guide/waveforms.md.
class WaveSignals {
 public:
  /// Declares all variables in `tree`; `inside_mmu` may declare more in the MMU of a switch.
  WaveSignals(const Scenario& scenario, WaveTree& tree,
              const std::function<void(const std::string& node)>& inside_mmu);

  /// Applies all changes due before `time`, then `record`. `time` never goes back.
  void apply(const WaveRecord& record);
  /// Applies all changes due up to and including `time`.
  void advance(std::uint64_t time) {
    if (futures_.any_until(time)) run_until(time);
    move_to(time);
  }
  /// From now on changes are written; all values first.
  void start_writing(std::uint64_t time);
  void stop_writing(std::uint64_t time);

  [[nodiscard]] const std::vector<WaveGroup>& groups() const noexcept { return groups_; }
  [[nodiscard]] const std::vector<WaveQueue>& queues() const noexcept { return queues_; }

 private:
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  using Due = WaveFuture::Due;
  /// One end of a link: switch port or host.
  struct Port {
    std::uint64_t byte{0};
    std::uint32_t frame{WaveTree::none};
    std::array<std::uint32_t, priorities> timer{}, pause{}, depth{};
    std::array<std::uint32_t, priorities> depths{}, generation{};
    std::array<std::uint8_t, priorities> queue_of{0, 1, 2, 3, 4, 5, 6, 7};
    std::uint8_t running{0}, paused{0};  // by class
    std::uint64_t look_at{never};        // when `paused` may change by itself
    bool obeys{true};
    std::uint32_t timers{0};  // into switch_timers_ or host_timers_
    bool is_host{false};
  };
  struct Group {
    Placement held;
    std::uint32_t private_cells{0}, shared{0}, headroom{0}, xoff{0}, at_limit{0};  // variables
    Packed<PoolIndex> row;
    std::uint32_t threshold{0};  // into the thresholds of its row
    std::uint32_t name{0};       // into groups_
  };
  /// q of an egress queue with a WRED profile.
  struct Waiting {
    std::uint32_t variable{0};
    std::uint32_t name{0};  // into queues_
  };
  /// T of a profile.
  struct Limit {
    Threshold line;
    std::uint32_t variable{0};
    std::uint64_t most{0};    // that the variable can show
    std::uint64_t value{0};   // that it shows, where it is in the waveform
    bool is_by_steps{false};  // a rule of a user's own
  };
  /// A (pool, domain).
  struct Row {
    std::uint64_t shared{0}, headroom{0}, limit{0};
    std::uint32_t shared_variable{0}, headroom_variable{0}, free_variable{0};
    std::vector<Limit> thresholds;
  };
  struct Node {
    IndexedVector<PgIndex, Group> groups;
    IndexedVector<PoolIndex, Row> rows;
    std::vector<std::uint32_t> ports;            // into ports_
    IndexedVector<QueueIndex, Waiting> waiting;  // empty: no queue has a profile
    std::uint64_t lag{0};                        // ps
  };

  void add_switch(const SwitchSpec& spec, const std::vector<bool>& linked, WaveTree& tree,
                  const std::function<void(const std::string& node)>& inside_mmu);
  void add_rows(Node& node, const SwitchSpec& spec, const Mmu& mmu, WaveTree& tree);
  void add_port(Node& node, const SwitchSpec& spec, const Mmu& mmu, std::size_t port,
                WaveTree& tree);
  void add_waiting(Node& node, const Chip& chip, QueueIndex queue, const std::string& path,
                   unsigned bits, WaveTree& tree);
  void add_host(const HostSpec& spec, WaveTree& tree);
  void step(Node& node, std::uint32_t node_number, const WaveRecord& record);
  void show_shared(Node& node, std::uint32_t node_number, Group& group, const WaveRecord& record,
                   std::uint64_t shared);
  void show_limit(Node& node, const WaveRecord& record);
  void show_thresholds(Row& row, std::uint64_t shared);
  // `index`: in ports_.
  void start_frame(std::uint32_t index, const WaveRecord& record);
  void load_timer(std::uint32_t index, Priority priority, const WaveRecord& record);
  void look_at_pauses(std::uint32_t index, std::uint64_t now);
  void show_pause(Port& port);
  void run_until(std::uint64_t time);
  void run(const WaveFuture& future);
  void flush();
  void move_to(std::uint64_t time) {
    if (time == now_) return;
    flush();
    now_ = time;
  }

  WaveTree& tree_;
  std::vector<Node> nodes_;  // switches, then hosts
  std::vector<Port> ports_;
  std::vector<SwitchPauseTimer> switch_timers_;
  std::vector<HostPauseTimer> host_timers_;
  std::vector<WaveGroup> groups_;
  std::vector<WaveQueue> queues_;
  WaveFutures futures_;
  std::uint64_t now_{0};
  bool writing_{false};
};

}  // namespace weir

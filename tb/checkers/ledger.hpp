// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// An independent model of the MMU: a list of packets with the segment of each of their cells.
///
/// Written from the decision rules alone (docs/blocks/mmu.md). It includes no header of the core
/// and keeps no counter: every figure is recounted from the list when it is needed, so it cannot
/// repeat a wrong increment of the core. Slow on purpose.
namespace ledger {

using Count = std::int64_t;  ///< Cells. Signed, so that a negative count is visible.

enum class Policy {
  dynamic,
  fixed,
  complete_sharing,
  complete_partitioning,
  two_level,
  dsh,
  abm,
  edt
};
enum class Trigger { on_crossing, on_headroom };
enum class Resume { sai, paper };

struct Limit {
  Policy policy{Policy::dynamic};
  Count numerator{1};  ///< alpha = numerator / 2^shift: `dynamic` and what builds on it
  int shift{0};
  Count fixed{0};           ///< `fixed` only
  Count port_numerator{1};  ///< alpha of the port: `two_level`
  int port_shift{0};
  Count window{1}, line_cells{1};  ///< `abm`: cycles, and the cells that the line carries in them
  Count burst{1};                  ///< `edt`: cycles
};

struct IngressPool {
  Count shared{0};    ///< B of every domain
  Count headroom{0};  ///< H of every domain
  bool dedicated{true};
};

struct EgressPool {
  Count shared{0};  ///< B_e of every domain
};

struct Pg {
  bool lossless{false};
  std::size_t pool{0};
  Count reserved{0};  ///< phi
  Count headroom{0};  ///< eta
  Limit limit;
  Count xon{0}, xon_offset{0};
  Trigger trigger{Trigger::on_crossing};
  Resume resume{Resume::sai};
};

struct Queue {
  std::size_t pool{0};
  Count minimum{0};
  Limit limit;
};

/// A chip in whole cells. PGs and queues are numbered port * 8 + index; none: unused (PG) or
/// without a limit of its own (queue).
struct Chip {
  std::size_t domains{1};
  Count lag{0};
  std::vector<std::size_t> domain_of_port;
  std::vector<IngressPool> ingress_pools;
  std::vector<EgressPool> egress_pools;
  std::vector<std::optional<Pg>> pgs;
  std::vector<std::optional<Queue>> queues;
};

/// Content of the ingress side of one PG, or of a whole (pool, domain).
struct Held {
  Count reserved{0}, shared{0}, headroom{0};
  [[nodiscard]] Count total() const { return reserved + shared + headroom; }
};

struct QueueHeld {
  Count minimum{0}, shared{0};
};

/// Every figure at once, from one walk over the list.
struct Census {
  std::vector<Held> pgs;          ///< [port * 8 + pg]
  std::vector<Held> pools;        ///< [pool * domains + domain]
  std::vector<QueueHeld> queues;  ///< [domain * queues + port * 8 + queue]
  std::vector<Count> egress;      ///< S_e, [pool * domains + domain]
};

/// Outcome of one step. `reason` is spelled as in the summaries.
struct Outcome {
  std::string reason{"admitted"};
  Held placed;                              ///< Arrival: zero when refused.
  Count threshold{0};                       ///< T that admitted or refused it.
  bool xoff{false};                         ///< Level of the PG after the step.
  std::vector<std::size_t> queues;          ///< Queues that took the packet.
  std::vector<std::size_t> refused_queues;  ///< Queues whose limit refused it.
  std::size_t packet{0};                    ///< Name of the packet in the list, when admitted.
};

class Ledger {
 public:
  explicit Ledger(Chip chip);

  Outcome arrive(std::size_t pg, Count cells, const std::vector<std::size_t>& queues,
                 Count cycle = 0);
  /// One copy of `packet` leaves through `queue`; the last one frees the ingress cells. Returns the
  /// XOFF level of its PG.
  bool release(std::size_t packet, std::size_t queue, bool last, Count cycle = 0);

  [[nodiscard]] Held pg(std::size_t pg) const;
  [[nodiscard]] Held pool(std::size_t pool, std::size_t domain) const;
  [[nodiscard]] QueueHeld queue(std::size_t queue, std::size_t domain) const;
  [[nodiscard]] Count egress_shared(std::size_t pool, std::size_t domain) const;
  [[nodiscard]] Census census() const;
  [[nodiscard]] bool xoff(std::size_t pg) const { return xoff_[pg]; }
  /// The part of T that depends on S alone.
  [[nodiscard]] Count line(std::size_t pg, Count cycle = 0) const {
    return line_of(sight_of(pg, cycle));
  }
  /// Whether the whole port is paused (`dsh`).
  [[nodiscard]] bool port_off(std::size_t port) const;
  [[nodiscard]] Count queue_threshold(std::size_t queue, std::size_t domain, Count cycle = 0) const;
  [[nodiscard]] Count threshold(std::size_t pg, Count cycle = 0) const;

 private:
  enum class Place : std::uint8_t { reserved, shared, headroom };
  enum class Share : std::uint8_t { minimum, shared };
  struct Copy {  ///< of a packet in a queue that counts it
    std::size_t queue;
    std::vector<Share> cells;
  };
  struct Packet {
    std::size_t name, pg;
    std::vector<Place> cells;  ///< Empty once the last copy has left.
    std::vector<Copy> copies;
  };
  struct Moment {  ///< S of every (pool, domain) after a step
    Count cycle;
    std::vector<Count> shared;
  };

  /// What T of a PG, or of a queue's part of a domain, depends on in addition to S; kept between
  /// steps.
  struct Memory {
    enum class Phase : std::uint8_t { ready, burst, spent };
    Count held{0};                                ///< w after the last move
    Count busy_since{0};                          ///< `abm`
    std::vector<std::pair<Count, Count>> left{};  ///< `abm`: (cycle, cells)
    bool congested{false};                        ///< `abm`
    Phase phase{Phase::ready};                    ///< `edt`
    Count burst_start{0};
  };
  /// Everything T may depend on, at one time.
  struct Sight {
    const Limit& limit;
    const Memory& memory;
    Count pool{0}, used{0}, sharers{0};
    Count own{0};        ///< w
    Count of_port{0};    ///< shared cells of the port in that pool
    Count congested{0};  ///< of the same class, pool and domain
    Count bursts{0};     ///< of the same pool and domain
    Count headroom{0};   ///< eta
    Count cycle{0};
  };
  /// The PGs of a port that are under `dsh` in one pool.
  struct Port {
    Count groups{0}, insurance{0}, shared{0}, headroom{0}, total{0};
  };

  [[nodiscard]] static Count line_of(const Sight& sight);
  [[nodiscard]] static Count limit_of(const Sight& sight);
  [[nodiscard]] static Count drained_of(const Sight& sight);
  [[nodiscard]] static Memory::Phase phase_of(const Sight& sight, Count line);
  [[nodiscard]] Sight sight_of(std::size_t pg, Count cycle) const;
  [[nodiscard]] Sight sight_of_queue(std::size_t queue, std::size_t domain, Count cycle) const;
  [[nodiscard]] Port port_of(std::size_t pg) const;
  static void note(Memory& memory, Count left, Count cycle);
  static void settle(Memory& memory, const Sight& after);
  void move_pg(std::size_t pg, Count left, Count cycle);
  void move_queue(std::size_t queue, std::size_t domain, Count left, Count cycle);
  void judge_port(std::size_t pg, bool arrival, bool pressed, Count cycle);
  [[nodiscard]] std::size_t slot_of(std::size_t queue, std::size_t domain) const {
    return domain * chip_.queues.size() + queue;
  }

  [[nodiscard]] std::size_t domain_of(std::size_t pg) const { return chip_.domain_of_port[pg / 8]; }
  [[nodiscard]] Count shared_at(std::size_t pool, std::size_t domain, Count cycle) const;
  [[nodiscard]] bool queue_takes(std::size_t queue, std::size_t domain, Count cells,
                                 Count cycle) const;
  [[nodiscard]] std::string place(const Pg& settings, std::size_t pg, Count cells, Count threshold,
                                  Count cycle, std::vector<Place>& places) const;
  [[nodiscard]] Copy copy_in(std::size_t queue, std::size_t domain, Count cells) const;
  [[nodiscard]] Copy* find_cell(std::size_t queue, std::size_t domain, Share share);
  void vacate_queue(Packet& packet, std::size_t queue);
  void vacate_ingress(Packet& packet);
  void judge(std::size_t pg, bool arrival, bool pressed, Count cycle);
  void remember(Count cycle);

  Chip chip_;
  std::vector<Packet> packets_;
  std::vector<bool> xoff_;
  std::vector<Memory> memories_;        // of each PG
  std::vector<Memory> queue_memories_;  // [domain * queues + queue]
  std::vector<bool> off_;               // of each (port, pool), `dsh`
  std::vector<Moment> history_;         // only with a lag
  std::size_t next_name_{1};
};

}  // namespace ledger

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "weir/config/scenario/scenario.hpp"
#include "weir/core/latency.hpp"
#include "weir/core/units.hpp"
#include "weir/model/host/message_log.hpp"
#include "weir/model/network/empty_network.hpp"
#include "weir/model/observer.hpp"

namespace weir {

struct ThousandthsTag {
  static constexpr const char* suffix = " thousandths";
};
/// A ratio: 1000 is 1.
using Thousandths = Quantity<ThousandthsTag, std::uint64_t>;

/// What is known of the messages, or the incasts, of a traffic entry that were completed.
class CompletionTimes {
 public:
  /// Took `time`; it is `unloaded` in an empty network, or 0 where nothing is known of that.
  void add(Picoseconds time, Picoseconds unloaded);
  /// As if each of `other` had been added, in any order.
  void merge(const CompletionTimes& other);

  /// From the beginning to the last bit at the last host.
  [[nodiscard]] const Latency& times() const noexcept { return times_; }
  /// Time over that in an empty network: the least ratio that `thousandths` of 1000 did not exceed.
  /// 0: of none it is known.
  /// Rounding: up, as Latency::percentile() does.
  [[nodiscard]] Thousandths slowdown(std::uint64_t thousandths) const noexcept;
  /// All of these ratios, in parts of a million where Latency counts picoseconds.
  [[nodiscard]] const Latency& ratios() const noexcept { return ratios_; }

 private:
  Latency times_;
  Latency ratios_;
};

/// Messages or incasts of a traffic entry.
struct Completions {
  CompletionTimes done;
  std::uint64_t unfinished{0};  ///< Begun, and not whole at their hosts.

  void merge(const Completions& other) {
    done.merge(other.done);
    unfinished += other.unfinished;
  }
};

/// Times messages: from the creation at the source to the last bit of the last packet at the host
/// (FCT). With bursts of `kind = "incast"` also incasts: from the first sender's beginning until
/// the last packet of all senders is there (ICT).
///
/// What begins before Scenario::warm_up does not count. Packets to groups of hosts are not
/// messages.
///
/// Timing: some instructions for a delivered packet of a source without connections, none for
///         packets of connections and of entries without messages.
class MessageMeter final : public Observer, public MessageLog {
 public:
  /// Whether `scenario` has messages at all.
  [[nodiscard]] static bool has_work(const Scenario& scenario);
  /// Whether an entry has messages; whether its bursts are incasts.
  [[nodiscard]] static bool has_messages(const TrafficSpec& traffic);
  [[nodiscard]] static bool has_incasts(const TrafficSpec& traffic) {
    return has_messages(traffic) && traffic.kind == TrafficKind::incast;
  }

  MessageMeter(const Scenario& scenario, const std::vector<std::unique_ptr<Switch>>& switches);

  /// Whether packets have to be seen: not those of connections.
  [[nodiscard]] bool wants_packets() const noexcept { return wants_packets_; }

  void begins(std::uint32_t flow, HostId sender, const MessageStart& message) override;
  void begins_on_connection(std::uint32_t flow, Picoseconds created) override;
  void completes(const Frame& last, Bytes size, Picoseconds when) override;

  void delivered(const std::string& host, const Frame& frame, Picoseconds last_bit) override;
  void refused(const std::string& node, const Frame& frame, const Verdict&, Picoseconds) override;
  void mac_drop(const std::string& node, const Frame& frame, PortId, MacDrop reason,
                Picoseconds) override;

  /// Of the traffic entry `flow`, for a run that has come to `now`.
  [[nodiscard]] Completions messages(std::uint32_t flow, Picoseconds now) const;
  [[nodiscard]] Completions incasts(std::uint32_t flow, Picoseconds now) const;

 private:
  /// All senders' bursts of one number.
  struct Incast {
    Picoseconds begin;
    std::uint64_t bursts{0};   // expected
    std::uint64_t settled{0};  // there, or lost
    bool lost{false};
    Picoseconds end;           // of those that are there
    Picoseconds unloaded_end;  // of each alone
    struct Funnel {            // the last link to a receiver
      Picoseconds from;        // no frame starts on it before
      Picoseconds slots;       // of all frames
      Picoseconds after;       // from the end of the last slot to the last bit
    };
    std::map<HostId, Funnel> funnels;
    bool known{true};  // the way of each burst is
  };
  struct Message {
    MessageStart start;
    std::uint64_t starts{0};   // more than one where several began at once
    std::uint64_t packets{0};  // neither there nor dropped yet
    bool lost{false};
    Picoseconds last_bit;
    std::unordered_set<std::uint64_t>
        seen;  // where a packet may come twice: numbers of those there
  };
  struct Stream {
    std::map<Picoseconds, Message> open;  // by creation
    Message* current{nullptr};            // of open, that of the last packet
  };
  struct Entry {
    bool timed{false};  // packet by packet
    std::uint16_t source_port{0};
    CompletionTimes messages, incasts;
    std::uint64_t lost_messages{0}, lost_incasts{0};
    std::uint64_t on_connections{0};  // begun, not completed
    std::unordered_map<HostId, Stream> streams;
    std::map<std::uint64_t, Incast> open_incasts;
  };

  [[nodiscard]] Message* message_of(const Frame& frame);
  [[nodiscard]] std::optional<std::vector<Hop>> way_of(std::uint32_t flow, HostId sender,
                                                       const MessageStart& message) const;
  void count_drop(const Frame& frame);
  void settle(Entry& entry, std::uint32_t flow, HostId sender, Message& message);
  void join_incast(std::uint32_t flow, HostId sender, const MessageStart& message);
  void settle_burst(Entry& entry, const Message& message);
  void finish(Entry& entry, const Incast& incast);

  const Scenario& scenario_;
  const EmptyNetwork empty_;
  std::vector<Entry> entries_;
  bool wants_packets_{false};
  bool floods_{false};  // a packet may come twice, and a dropped copy says nothing
};

}  // namespace weir

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "weir/model/observer.hpp"

namespace weir::test {

/// Records every call of an observer.
class EventLog final : public Observer {
 public:
  struct Delivery {
    std::string host;
    std::uint64_t sequence{0};
    std::uint32_t flow{0}, length{0};
    Priority priority;
    Picoseconds created, last_bit;
  };
  struct Pfc {
    std::string node;
    PortId port;
    PfcFrame frame;
    Picoseconds time;
  };
  struct Level {
    PortId port;
    Priority pg;
    bool xoff{false};
    Picoseconds time;
  };
  struct Refusal {
    Reason reason{Reason::admitted};
    Picoseconds time;
  };
  struct Drop {
    PortId port;
    MacDrop reason{MacDrop::oversize};
    Picoseconds time;
    std::string node;
    HostId destination{0};
  };

  struct Watchdog {
    std::string node;
    PortId port;
    std::uint8_t classes{0};
    WatchdogEvent event{WatchdogEvent::drop};
    Picoseconds time;
  };

  std::vector<Watchdog> watchdogs;
  std::vector<Delivery> deliveries;
  std::vector<Pfc> sent, received;
  std::vector<Level> levels;
  std::vector<Refusal> verdicts, refusals;
  std::vector<Drop> drops;

  void verdict(const std::string&, const Frame&, const Verdict& verdict,
               Picoseconds time) override {
    verdicts.push_back({verdict.reason, time});
  }
  [[nodiscard]] bool wants_verdicts() const override { return true; }
  void refused(const std::string&, const Frame&, const Verdict& verdict,
               Picoseconds time) override {
    refusals.push_back({verdict.reason, time});
  }
  void mac_drop(const std::string& node, const Frame& frame, PortId port, MacDrop reason,
                Picoseconds time) override {
    drops.push_back({port, reason, time, node, frame.destination});
  }
  void watchdog(const std::string& node, PortId port, std::uint8_t classes, WatchdogEvent event,
                Picoseconds time) override {
    watchdogs.push_back({node, port, classes, event, time});
  }
  void level(const std::string&, PortId port, Priority pg, bool xoff, Picoseconds time) override {
    levels.push_back({port, pg, xoff, time});
  }
  void pfc_sent(const std::string& node, PortId port, const PfcFrame& frame,
                Picoseconds time) override {
    sent.push_back({node, port, frame, time});
  }
  void pfc_received(const std::string& node, PortId port, const PfcFrame& frame,
                    Picoseconds time) override {
    received.push_back({node, port, frame, time});
  }
  void delivered(const std::string& host, const Frame& frame, Picoseconds last_bit) override {
    deliveries.push_back(
        {host, frame.sequence, frame.flow, frame.length, frame.priority, frame.created, last_bit});
  }
};

}  // namespace weir::test

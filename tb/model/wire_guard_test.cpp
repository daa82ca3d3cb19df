// SPDX-License-Identifier: Apache-2.0
// What a module of the user's may do at a port of a switch or a host, and what ends the run with an
// error that names the port.
#include "weir/model/network/wire_guard.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>

#include "support/small_chip.hpp"
#include "support/small_network.hpp"
#include "weir/core/errors.hpp"
#include "weir/model/host/nic.hpp"
#include "weir/model/network/link.hpp"
#include "weir/model/switch/switch.hpp"

namespace weir::wire_guard_test {
namespace {

using namespace test;

/// Sends one frame at 10 ns, made as the test says, in the way the interface allows.
class Sender final : public sc_core::sc_module, public FrameReceiver, private FrameSender {
 public:
  FrameInitiator tx{"tx"};
  FrameTarget rx{"rx"};
  std::function<void(Frame&)> change;
  FramePhase phase{FramePhase::start};
  sc_core::sc_time delay{sc_core::SC_ZERO_TIME};
  Frame* instead{nullptr};  ///< Sent in place of one of the pool.

  Sender(const sc_core::sc_module_name& name, FramePool& frames)
      : sc_core::sc_module{name}, frames_{frames} {
    tx.bind(static_cast<FrameBackwardIf&>(*this));
    rx.bind(static_cast<FrameForwardIf&>(*this));
    SC_HAS_PROCESS(Sender);
    SC_METHOD(send);
    sensitive << due_;
    dont_initialize();
    due_.notify(10, sc_core::SC_NS);
  }

 private:
  void send() {
    Frame& frame = instead != nullptr ? *instead : *frames_.take();
    frame.length = 100;
    frame.destination = 0;
    if (change) change(frame);
    sc_core::sc_time annotated = delay;
    tx->nb_transport_fw(frame, phase, annotated);
  }
  void receive(Frame& frame, const sc_core::sc_time&) override { frame.release(); }

  FramePool& frames_;
  sc_core::sc_event due_;
};

/// Host 0 at port 0 of a switch, a Sender at port 1: directly, or through a link.
struct Bench {
  FramePool frames;
  Observers no_observers;
  Agenda agenda{"agenda"};
  const ModelContext context{agenda, frames, no_observers, 1};
  Switch node{"sw", context, small_chip(3, gbps(100))};
  Nic host{"host", context, host_spec(), 0};
  Sender sender{"sender", frames};
  std::optional<Link> link;

  explicit Bench(bool linked = false) {
    host.tx.bind(node.port(PortId{0}).rx.wire);
    node.port(PortId{0}).tx.wire.bind(host.rx);
    node.add_route(0, PortId{0});
    SwitchPort& port = node.port(PortId{1});
    if (!linked) {
      sender.tx.bind(port.rx.wire);
      port.tx.wire.bind(sender.rx);
      return;
    }
    link.emplace("link", ns(50));
    sender.tx.bind(link->a_to_b.in);
    link->a_to_b.out.bind(port.rx.wire);
    port.tx.wire.bind(link->b_to_a.in);
    link->b_to_a.out.bind(sender.rx);
  }
  static HostSpec host_spec() {
    HostSpec spec;
    spec.rate = gbps(100);
    return spec;
  }
  // What the run ends with; "" when it ends well. The kernel wraps what a process throws.
  std::string error() {
    try {
      sc_core::sc_start(10, sc_core::SC_US);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  }
  // The error names the port and says `words`.
  void expect_error(const std::string& words, const std::string& where = "sw.port[1]: ") {
    const std::string text = error();
    EXPECT_NE(text.find(where), std::string::npos) << "no port in: " << text;
    EXPECT_NE(text.find(words), std::string::npos) << "no \"" << words << "\" in: " << text;
  }
};

TEST(WireGuard, TakesWhatIsLegal) {
  Bench bench;
  bench.sender.change = [](Frame& frame) { frame.priority = Priority{7}; };
  EXPECT_EQ(bench.error(), "");
  EXPECT_EQ(bench.host.counters().priority[7].rx_packets, 1U);
}

TEST(WireGuard, RefusesAPriorityThatThereIsNot) {
  Bench bench;
  bench.sender.change = [](Frame& frame) { frame.priority = Priority{8}; };
  bench.expect_error("a frame of priority 8 came in; priorities are 0 to 7");
}

TEST(WireGuard, RefusesAPriorityAfterALink) {
  Bench bench{true};
  bench.sender.change = [](Frame& frame) { frame.priority = Priority{255}; };
  bench.expect_error("a frame of priority 255 came in");
}

TEST(WireGuard, RefusesAKindThatThereIsNot) {
  Bench bench;
  bench.sender.change = [](Frame& frame) { frame.kind = static_cast<FrameKind>(77); };
  bench.expect_error("a frame of kind 77 came in; there is no such kind");
}

TEST(WireGuard, RefusesAPhaseThatThereIsNot) {
  Bench bench;
  bench.sender.phase = static_cast<FramePhase>(5);
  bench.expect_error("phase 5 came in; the protocol has FramePhase::start alone");
}

TEST(WireGuard, RefusesAPhaseAfterALink) {
  Bench bench{true};
  bench.sender.phase = static_cast<FramePhase>(5);
  bench.expect_error("phase 5 came in", "FramePhase::start alone");  // the link says so
}

TEST(WireGuard, RefusesAFrameThatHasBeenReleased) {
  Bench bench;
  bench.sender.change = [](Frame& frame) { frame.release(); };
  bench.expect_error("a frame came in that has been released");
}

TEST(WireGuard, RefusesAFrameOfAnotherPool) {
  FramePool others;
  Bench bench;
  bench.sender.instead = others.take();
  bench.expect_error("or was not taken from this simulation's pool");
}

TEST(WireGuard, RefusesAFrameOfNoPool) {
  Frame own;
  Bench bench;
  bench.sender.instead = &own;
  bench.expect_error("or was not taken from this simulation's pool");
}

TEST(WireGuard, RefusesADelayBeyondTheEndOfTimeWithTheTimesAsTheyAre) {
  Bench bench;
  bench.sender.delay = sc_core::sc_max_time();
  bench.expect_error(
      "a frame starts 18446744073709551615 ps after 10000 ps, beyond the end of time");
}

TEST(WireGuard, GuardsAHost) {
  FramePool frames;
  Observers no_observers;
  Agenda agenda{"agenda"};
  const ModelContext context{agenda, frames, no_observers, 1};
  Nic host{"host", context, Bench::host_spec(), 0};
  Sender sender{"sender", frames};
  sender.tx.bind(host.rx);
  host.tx.bind(sender.rx);
  sender.change = [](Frame& frame) { frame.priority = Priority{9}; };
  try {
    sc_core::sc_start(10, sc_core::SC_US);
    FAIL() << "priority 9 was taken";
  } catch (const std::exception& error) {
    EXPECT_NE(std::string{error.what()}.find("host: a frame of priority 9 came in"),
              std::string::npos)
        << error.what();
  }
}

TEST(WireGuard, AHostTakesWhatIsLegal) {
  FramePool frames;
  Observers no_observers;
  Agenda agenda{"agenda"};
  const ModelContext context{agenda, frames, no_observers, 1};
  Nic host{"host", context, Bench::host_spec(), 0};
  Sender sender{"sender", frames};
  sender.tx.bind(host.rx);
  host.tx.bind(sender.rx);
  EXPECT_NO_THROW(sc_core::sc_start(10, sc_core::SC_US));
  EXPECT_EQ(host.counters().priority[0].rx_packets, 1U);
  EXPECT_EQ(frames.in_use(), 0U);
}

TEST(Switch, HasThePortsOfItsChipAndNoOther) {
  Bench bench;
  EXPECT_NO_THROW(static_cast<void>(bench.node.port(PortId{2})));
  EXPECT_THROW(static_cast<void>(bench.node.port(PortId{3})), ModelError);
  EXPECT_THROW(static_cast<void>(bench.node.counters(PortId{7})), ModelError);
}

TEST(Switch, PauseOfALosslessPortMustGoSomewhere) {
  FramePool frames;
  Observers no_observers;
  Agenda agenda{"agenda"};
  Switch node{"sw", {agenda, frames, no_observers, 1}, small_chip(2, gbps(100))};
  Sender sender{"sender", frames};
  sender.tx.bind(node.port(PortId{1}).rx.wire);
  try {
    sc_core::sc_start(1, sc_core::SC_NS);
    FAIL() << "taken";
  } catch (const std::exception& error) {
    EXPECT_NE(std::string{error.what()}.find("sw.port[1]: frames come in at rx.wire, but tx.wire"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace weir::wire_guard_test

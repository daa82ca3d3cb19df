// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "weir/core/accounting/admission.hpp"
#include "weir/core/index.hpp"
#include "weir/core/mmu.hpp"
#include "weir/core/units.hpp"
#include "weir/model/network/frame.hpp"
#include "weir/model/observed.hpp"
#include "weir/model/switch/mac_drop.hpp"

namespace weir {

struct DeadlockReport;
struct DriftReport;
struct PingResult;
struct PoolSample;
struct PortSample;
struct QueueSample;
struct RateSample;
/// What a watchdog did.
enum class WatchdogEvent : std::uint8_t {
  drop,        ///< A switch: storm found, lossless packets of the class are dropped from now on.
  forward,     ///< A switch: storm found, the peer's pauses are not obeyed from now on.
  alert,       ///< A switch: storm found, nothing done.
  restored,    ///< A switch: the storm is over, the class is lossless again.
  pauses_off,  ///< A NIC: it sends no pauses any more.
};

/// Sees what happens and changes nothing: traces, event databases and tests derive from it.
///
/// Timing:  called at the moment the thing happens; `time` is that moment. Calls of one agenda come
///          in ascending time.
class Observer {
 public:
  virtual ~Observer() = default;

  /// A verdict at `switch_name`; the frame is still alive. Only called when wants_verdicts().
  virtual void verdict(const std::string& /*switch_name*/, const Frame&, const Verdict&,
                       Picoseconds /*time*/) {}
  [[nodiscard]] virtual bool wants_verdicts() const { return false; }
  /// A further copy of the frame of the last verdict is in its egress queue. Like verdict().
  virtual void copy_queued(const std::string& /*switch_name*/, const Frame& /*copy*/,
                           Picoseconds /*visible*/) {}
  /// The MMU refused a frame.
  virtual void refused(const std::string& /*switch_name*/, const Frame&, const Verdict&,
                       Picoseconds /*time*/) {}
  /// A frame was dropped outside an MMU: at `port` of a switch (before it, or as a stray copy or by
  /// a watchdog after it), or in a host.
  virtual void mac_drop(const std::string& /*switch_name*/, const Frame&, PortId, MacDrop,
                        Picoseconds /*time*/) {}
  /// A frame with a wrong FCS came in at a port of `node`; it was ignored.
  virtual void fcs_error(const std::string& /*node*/, PortId, Picoseconds /*time*/) {}
  /// A watchdog at a port of `node` (bit n of `classes`: class n) has acted.
  virtual void watchdog(const std::string& /*node*/, PortId, std::uint8_t /*classes*/,
                        WatchdogEvent, Picoseconds /*time*/) {}
  /// The XOFF level of a PG as the PFC generator sees it (after `admit` cycles).
  virtual void level(const std::string& /*switch_name*/, PortId, Priority /*pg*/, bool /*xoff*/,
                     Picoseconds /*time*/) {}
  /// A PFC frame begins on the wire of a port of `node`.
  virtual void pfc_sent(const std::string& /*node*/, PortId, const PfcFrame&,
                        Picoseconds /*time*/) {}
  /// The last bit of a PFC frame came in at a port of `node`.
  virtual void pfc_received(const std::string& /*node*/, PortId, const PfcFrame&,
                            Picoseconds /*time*/) {}
  /// A host has a frame with all its bits. Called when the frame starts on the last link, with the
  /// time of its last bit.
  virtual void delivered(const std::string& /*host*/, const Frame&, Picoseconds /*last_bit*/) {}

  /// Queues that wait for each other in a circle and can never drain; reported once (deadlock
  /// detector).
  virtual void deadlock(const DeadlockReport&, Picoseconds /*found*/) {}
  /// What a class of a port, a pool, a queue that marks, or the rate of a connection has come to:
  /// the time series of a monitor.
  virtual void port_sample(const PortSample&, Picoseconds /*time*/) {}
  virtual void pool_sample(const PoolSample&, Picoseconds /*time*/) {}
  virtual void queue_sample(const QueueSample&, Picoseconds /*time*/) {}
  virtual void rate_sample(const RateSample&, Picoseconds /*time*/) {}
  /// What became of a probe of the pingmesh, and a setting that was not as desired; both are
  /// reported when the run is over.
  virtual void probe(const PingResult&) {}
  virtual void drift(const DriftReport&) {}

  /// Whether waiting() and frame_started() are to be called: some calls a packet.
  [[nodiscard]] virtual bool wants_details() const { return false; }
  /// The same of stepped(): two calls a packet and switch.
  [[nodiscard]] virtual bool wants_steps() const { return wants_details(); }
  /// A step of the MMU at PG `pg` at the clock edge `edge`; `mmu` is as it left it.
  virtual void stepped(const std::string& /*switch_name*/, const Mmu& /*mmu*/, PgIndex /*pg*/,
                       Picoseconds /*edge*/) {}
  /// The cells that wait in an egress queue with a WRED profile have changed.
  virtual void waiting(const std::string& /*switch_name*/, QueueIndex, Cells /*q*/,
                       Picoseconds /*time*/) {}
  /// The first bit of a frame, PFC frames included, leaves a port of `node`. A host decides ahead:
  /// its frames may start later than what is reported next.
  virtual void frame_started(const std::string& /*node*/, PortId, const Frame&,
                             Picoseconds /*start*/) {}
};

/// The observers of one simulation; shared by all its modules. Order of calls = order of adding.
class Observers {
 public:
  void add(Observer& observer) {
    all_.add(observer);
    if (observer.wants_verdicts()) verdict_readers_.add(observer);
    if (observer.wants_details()) detail_readers_.add(observer);
    if (observer.wants_steps()) step_readers_.add(observer);
  }
  /// Whether notify() calls anyone.
  [[nodiscard]] bool has_readers() const noexcept { return all_.any(); }
  template <class F>
  void notify(F&& f) const {
    all_.notify(f);
  }
  template <class F>
  void notify_verdict_readers(F&& f) const {
    verdict_readers_.notify(f);
  }
  /// Whether notify_detail_readers() calls anyone.
  [[nodiscard]] bool has_detail_readers() const noexcept { return detail_readers_.any(); }
  [[nodiscard]] bool has_verdict_readers() const noexcept { return verdict_readers_.any(); }
  template <class F>
  void notify_detail_readers(F&& f) const {
    detail_readers_.notify(f);
  }
  [[nodiscard]] bool has_step_readers() const noexcept { return step_readers_.any(); }
  template <class F>
  void notify_step_readers(F&& f) const {
    step_readers_.notify(f);
  }
  /// The reader of steps where there is one; nullptr where there are none or several.
  [[nodiscard]] Observer* only_step_reader() const noexcept { return step_readers_.only(); }

 private:
  /// Asked a dozen times a packet and mostly empty: one byte says so.
  class List {
   public:
    void add(Observer& observer) {
      observers_.push_back(&observer);
      only_ = any_ ? nullptr : &observer;
      any_ = true;
    }
    [[nodiscard]] Observer* only() const noexcept { return observed ? only_ : nullptr; }
    [[nodiscard]] bool any() const noexcept { return observed && any_; }
    template <class F>
    void notify(F&& f) const {
      if (!any()) return;
      for (Observer* observer : observers_) f(*observer);
    }

   private:
    bool any_{false};
    Observer* only_{nullptr};
    std::vector<Observer*> observers_;
  };
  List all_, verdict_readers_, detail_readers_, step_readers_;
};

}  // namespace weir

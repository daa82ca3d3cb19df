// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/core/accounting/admission.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// A priority group under test.
struct ProbePg {
  PortId port;
  Priority pg;
};

/// What ends a stage. A refusal always does, so that no stage is without end.
enum class ProbeUntil : std::uint8_t {
  xoff,     ///< The packet that made its PG XOFF.
  refused,  ///< The first packet that was dropped.
};

/// Packets into some PGs, one each in turn.
struct ProbeStage {
  std::vector<std::size_t> turn;  ///< Indices into ProbeRun::pgs.
  ProbeUntil until{ProbeUntil::refused};
};

/// One run of the silicon test: what is sent into a chip whose egress port does not transmit.
struct ProbeRun {
  std::vector<ProbePg> pgs;
  PortId egress;
  Bytes packet{64};
  std::vector<ProbeStage> stages;
  /// The run ends with the first packet that the shared headroom pool refuses.
  bool stop_when_pool_is_empty{false};
  /// After the last stage the transmitter lets packets go, one by one, until the first PG is XON.
  bool release_to_xon{false};
};

/// What a PG went through. Packets are counted from 1; 0: it did not happen.
struct ProbePgResult {
  std::uint64_t sent{0};
  std::uint64_t xoff{0};            ///< The packet that made it XOFF.
  std::uint64_t first_drop{0};      ///< The first packet refused.
  Reason reason{Reason::admitted};  ///< Why that one was refused.
  std::uint64_t headroom{0};        ///< Packets that went to headroom.
};

struct ProbeResult {
  std::vector<ProbePgResult> pgs;
  bool pool_was_empty{false};                ///< The shared headroom pool refused a packet.
  std::optional<std::uint64_t> xon_dismiss;  ///< Packets released until XON.
};

/// Each PG to its first drop before the next begins.
[[nodiscard]] ProbeRun probe_each_to_first_drop(std::vector<ProbePg> pgs, PortId egress,
                                                Bytes packet);
/// Each PG to its XOFF, one after the other.
[[nodiscard]] ProbeRun probe_each_to_xoff(std::vector<ProbePg> pgs, PortId egress, Bytes packet);
/// Each PG to its XOFF, one after the other; then each on until it is refused, while the shared
/// headroom pool has cells.
[[nodiscard]] ProbeRun probe_each_to_xoff_then_headroom(std::vector<ProbePg> pgs, PortId egress,
                                                        Bytes packet);
/// One packet each in turn until the first XOFF of any.
[[nodiscard]] ProbeRun probe_equal_fill(std::vector<ProbePg> pgs, PortId egress, Bytes packet);
/// One PG to its XOFF, then released until its XON.
[[nodiscard]] ProbeRun probe_to_xon(ProbePg pg, PortId egress, Bytes packet);

/// Runs a test on the SystemC model, packet by packet: switch, links, and one host a port that
/// ignores PFC and sends its next packet once the verdict on the last one is known. The simulation
/// decides everything; nothing is computed in its place. This is the one elaboration of the process
/// (see run_in_child).
///
/// Errors:  ConfigError when the chip is impossible, a PG gets no priority, egress is not a port,
///          or there may be too many packets (check_probe_size);
///          ModelError when the model answers no packet any more.
[[nodiscard]] ProbeResult run_probe(const Chip& chip, const ProbeRun& run);

/// Errors: ConfigError when `packet` is not a legal frame for `chip`.
void check_probe_packet(const Chip& chip, Bytes packet);

/// A result as text, for its way out of a child process, and back.
[[nodiscard]] std::string to_text(const ProbeResult& result);
[[nodiscard]] ProbeResult probe_result_from(const std::string& text);

}  // namespace weir

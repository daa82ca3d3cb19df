// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "weir/config/scenario/scenario.hpp"
#include "weir/model/network/frame.hpp"
#include "weir/model/observer.hpp"
#include "weir/trace/events/frame_octets.hpp"

namespace weir {

/// The frames that a capture contains.
struct CaptureFilter {
  enum class Kind : std::uint8_t { pfc, all, port } kind{Kind::pfc};
  std::string port;  ///< Kind::port: "tor.port[3]" or a host; frames both ways.
};

/// The filter `text`: pfc, all or port:NAME.
/// Errors: ConfigError (key "--pcap-frames"), also for a port that has no link.
[[nodiscard]] CaptureFilter capture_filter(const std::string& text, const Scenario& scenario);

/// Writes frames as pcapng: one interface for each port with a link, stamps in picoseconds of the
/// first bit, every frame outbound at the port that sends it. The comment of an interface has what
/// a pause timer of the port needs: "weir delay_ps=15000 response_ps=604160 clock_ps=1000
/// peer=NAME", where a host has no clock. The statistics of the interfaces have the end of the run.
///
/// A file that ends in .pcap has the format of libpcap instead, with nanoseconds, rounded down: no
/// interfaces, so it does not say which port sent a frame.
///
/// The same run gives the same bytes.
///
/// Errors:  ConfigError (key "--pcap") when the file cannot be made; ModelError from finish() when
///          it cannot be written.
/// Range:   at most 128 octets of a frame are kept, with its full length.
/// Source:  draft-ietf-opsawg-pcapng, draft-ietf-opsawg-pcap.
class Capture final : public Observer {
 public:
  Capture(const std::filesystem::path& file, const CaptureFilter& filter, const Scenario& scenario);
  ~Capture() override;

  /// Completes the file after the run; call it once. `time`: end of the simulated time.
  void finish(Picoseconds time);

  [[nodiscard]] bool wants_details() const override { return filter_.kind != Kind::pfc; }
  void pfc_sent(const std::string& node, PortId port, const PfcFrame& frame,
                Picoseconds time) override;
  void stepped(const std::string& switch_name, const Mmu& mmu, PgIndex pg,
               Picoseconds edge) override;
  void frame_started(const std::string& node, PortId port, const Frame& frame,
                     Picoseconds start) override;

 private:
  using Kind = CaptureFilter::Kind;
  class File;

  const CaptureFilter filter_;
  std::unique_ptr<File> file_;
};

}  // namespace weir

// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/events/capture.hpp"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <utility>

#include "weir/config/files/output_file.hpp"
#include "weir/config/format/addresses.hpp"
#include "weir/config/format/port_name.hpp"
#include "weir/core/errors.hpp"

namespace weir {
namespace {

constexpr std::size_t snap_length = 128;
constexpr std::size_t pending_packets = 8192;
constexpr std::uint64_t ps_per_ns = 1000, ns_per_s = 1'000'000'000;

struct End {
  std::string node;
  PortId port;
  BitRate rate;
};

std::string name_of(const End& end, const Scenario& scenario) {
  for (const HostSpec& host : scenario.hosts)
    if (host.name == end.node) return end.node;
  return port_name(end.node, end.port);
}

End end_of(const LinkEnd& end, const Scenario& scenario) {
  if (end.is_host) return {scenario.hosts[end.node].name, PortId{0}, scenario.hosts[end.node].rate};
  const SwitchSpec& spec = scenario.switches[end.node];
  return {spec.name, end.port, spec.chip.ports[end.port.count()].rate};
}

// What a reader needs to follow the pause timers of this end to the picosecond
// (trace/forensics/pfc_forensics.hpp).
std::string comment_of(const LinkSpec& link, const LinkEnd& end, const std::string& peer,
                       const Scenario& scenario) {
  std::string text = "weir delay_ps=" + std::to_string(link.delay.count());
  if (end.is_host) {
    text += " response_ps=" + std::to_string(scenario.hosts[end.node].response.count());
  } else {
    const Chip& chip = scenario.switches[end.node].chip;
    text += " response_ps=" + std::to_string(chip.ports[end.port.count()].response.count()) +
            " clock_ps=" + format_parts(chip.clock);
  }
  return text + " peer=" + peer;
}

/// Blocks of the format; numbers are in the byte order of the writer, here always the same.
class Block {
 public:
  explicit Block(std::uint32_t type) {
    number(type, 4);
    number(0, 4);
  }
  void number(std::uint64_t value, std::size_t octets) {
    for (std::size_t k = 0; k < octets; ++k)
      octets_.push_back(static_cast<char>(value >> 8 * k & 0xffU));
  }
  template <class Octets>
  void padded(const Octets& octets) {
    octets_.insert(octets_.end(), octets.begin(), octets.end());
    while (octets_.size() % 4 != 0) octets_.push_back('\0');
  }
  void option(std::uint16_t code, const std::string& value) {
    number(code, 2);
    number(value.size(), 2);
    padded(value);
  }
  void option(std::uint16_t code, std::uint64_t value, std::uint16_t octets) {
    number(code, 2);
    number(octets, 2);
    number(value, octets);
    padded(std::string{});
  }
  /// As it is, without the lengths of pcapng.
  static void write_plain(OutputFile& out,
                          std::initializer_list<std::pair<std::uint64_t, std::size_t>> numbers) {
    Block plain{0};
    plain.octets_.clear();
    for (const auto& [value, octets] : numbers) plain.number(value, octets);
    out.write({plain.octets_.data(), plain.octets_.size()});
  }
  void write(OutputFile& out) {
    number(0, 4);  // end of options
    const std::size_t length = octets_.size() + 4;
    number(length, 4);
    for (std::size_t k = 0; k < 4; ++k) octets_[4 + k] = octets_[length - 4 + k];
    out.write({octets_.data(), octets_.size()});
  }

 private:
  std::vector<char> octets_;
};

}  // namespace

CaptureFilter capture_filter(const std::string& text, const Scenario& scenario) {
  if (text.empty() || text == "pfc") return {};
  if (text == "all") return {CaptureFilter::Kind::all, ""};
  constexpr std::string_view prefix = "port:";
  if (text.compare(0, prefix.size(), prefix) != 0)
    throw ConfigError("--pcap-frames", text, "must be pfc, all or port:NAME");
  const CaptureFilter filter{CaptureFilter::Kind::port, text.substr(prefix.size())};
  for (const LinkSpec& link : scenario.links)
    for (const LinkEnd& end : {link.a, link.b})
      if (name_of(end_of(end, scenario), scenario) == filter.port) return filter;
  const std::string example =
      scenario.links.empty() ? "" : name_of(end_of(scenario.links.front().b, scenario), scenario);
  throw ConfigError("--pcap-frames", text,
                    "no port of that name has a link; names look like port:" + example);
}

class Capture::File {
 public:
  File(const std::filesystem::path& file, const CaptureFilter& filter, const Scenario& scenario)
      : classic_{file.extension() == ".pcap"},
        out_{"--pcap", file},
        addresses_{plan_addresses(scenario).hosts} {
    if (classic_)
      write_classic_header();
    else
      write_section();
    for (const LinkSpec& link : scenario.links) add_link(link, filter, scenario);
  }

  /// `now`: no earlier frame can follow.
  void now(Picoseconds time) noexcept { complete_ = time; }
  void add(const std::string& node, PortId port, const Frame& frame, Picoseconds start) {
    const auto interface = interfaces_.find({node, port.count()});
    if (interface == interfaces_.end()) return;
    pending_.push_back(
        {start, interface->second, frame.length - 4, wire_octets(frame, addresses_, snap_length)});
    if (pending_.size() % pending_packets == 0) write();
  }
  void finish(Picoseconds end) {
    complete_ = end;
    write();
    if (!classic_) write_end(end);
    out_.commit();
  }

 private:
  struct Packet {
    Picoseconds start;
    std::uint32_t interface;
    std::uint32_t length;
    std::vector<std::uint8_t> octets;
  };

  // Nanoseconds, version 2.4, UTC, Ethernet.
  void write_classic_header() {
    Block::write_plain(
        out_, {{0xa1b2'3c4d, 4}, {2, 2}, {4, 2}, {0, 4}, {0, 4}, {snap_length, 4}, {1, 4}});
  }
  void write_section() {
    Block section{0x0a0d'0d0a};
    section.number(0x1a2b'3c4d, 4);
    section.number(1, 2);
    section.number(0, 2);
    section.number(~std::uint64_t{0}, 8);  // length: not given
    section.option(4, "Weir");
    section.write(out_);
  }
  void add_link(const LinkSpec& link, const CaptureFilter& filter, const Scenario& scenario) {
    const End ends[] = {end_of(link.a, scenario), end_of(link.b, scenario)};
    const std::string names[] = {name_of(ends[0], scenario), name_of(ends[1], scenario)};
    const bool wanted = filter.kind != CaptureFilter::Kind::port || names[0] == filter.port ||
                        names[1] == filter.port;
    if (!wanted) return;
    for (const std::size_t i : {0U, 1U}) {
      interfaces_.emplace(std::pair{ends[i].node, ends[i].port.count()},
                          static_cast<std::uint32_t>(interfaces_.size()));
      if (classic_) continue;
      Block interface { 1 };
      interface.number(1, 2);  // Ethernet
      interface.number(0, 2);
      interface.number(snap_length, 4);
      interface.option(1, comment_of(link, i == 0 ? link.a : link.b, names[1 - i], scenario));
      interface.option(2, names[i]);
      interface.option(8, ends[i].rate.count(), 8);
      interface.option(9, 12, 1);  // stamps in 10^-12 s
      interface.write(out_);
    }
  }
  // Statistics of each interface: the capture ends with the run, not with its last frame.
  void write_end(Picoseconds end) {
    const std::uint64_t upper = end.count() >> 32, lower = end.count() & 0xffff'ffffU;
    for (std::size_t interface = 0; interface < interfaces_.size(); ++interface) {
      Block statistics{5};
      statistics.number(interface, 4);
      statistics.number(upper, 4);
      statistics.number(lower, 4);
      statistics.option(3, lower << 32 | upper, 8);  // as a stamp, the upper word first
      statistics.write(out_);
    }
  }
  void write_classic(const Packet& packet, std::uint64_t stamp) {
    Block::write_plain(out_, {{stamp / ns_per_s, 4},
                              {stamp % ns_per_s, 4},
                              {packet.octets.size(), 4},
                              {packet.length, 4}});
    out_.write({reinterpret_cast<const char*>(packet.octets.data()), packet.octets.size()});
  }
  // In the order of time, because hosts decide ahead of it.
  void write() {
    std::stable_sort(pending_.begin(), pending_.end(),
                     [](const Packet& a, const Packet& b) { return a.start < b.start; });
    auto next = pending_.begin();
    for (; next != pending_.end() && next->start < complete_; ++next) {
      const std::uint64_t stamp = next->start.count();
      if (classic_) {
        write_classic(*next, stamp / ps_per_ns);
        continue;
      }
      Block packet{6};
      packet.number(next->interface, 4);
      packet.number(stamp >> 32, 4);
      packet.number(stamp & 0xffff'ffffU, 4);
      packet.number(next->octets.size(), 4);
      packet.number(next->length, 4);
      packet.padded(next->octets);
      packet.option(2, 2, 4);  // outbound
      packet.write(out_);
    }
    pending_.erase(pending_.begin(), next);
  }

  const bool classic_;  // libpcap's format, which has no interfaces
  OutputFile out_;
  const std::vector<Ipv4> addresses_;
  std::map<std::pair<std::string, std::uint16_t>, std::uint32_t> interfaces_;
  std::vector<Packet> pending_;
  Picoseconds complete_;
};

Capture::Capture(const std::filesystem::path& file, const CaptureFilter& filter,
                 const Scenario& scenario)
    : filter_{filter}, file_{std::make_unique<File>(file, filter, scenario)} {}

Capture::~Capture() = default;

void Capture::finish(Picoseconds time) { file_->finish(time); }

void Capture::pfc_sent(const std::string& node, PortId port, const PfcFrame& contents,
                       Picoseconds time) {
  file_->now(time);
  if (filter_.kind != Kind::pfc) return;  // captured as a frame
  Frame frame;
  frame.kind = FrameKind::pfc;
  frame.length = static_cast<std::uint32_t>(pfc_frame_bytes.count());
  frame.pfc = contents;
  file_->add(node, port, frame, time);
}

void Capture::stepped(const std::string&, const Mmu&, PgIndex, Picoseconds edge) {
  file_->now(edge);
}

void Capture::frame_started(const std::string& node, PortId port, const Frame& frame,
                            Picoseconds start) {
  file_->add(node, port, frame, start);
}

}  // namespace weir

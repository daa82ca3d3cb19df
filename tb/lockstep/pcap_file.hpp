// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace weir::test {

/// A capture of Ethernet frames that end with their FCS, in the classic pcap format.
class PcapFile {
 public:
  /// Errors: std::runtime_error when the file cannot be written.
  explicit PcapFile(const std::string& path) : file_{path, std::ios::binary} {
    constexpr std::uint32_t ethernet = 1, fcs_is_there = 1U << 26, fcs_words = 2U << 28;
    put(0xa1b2'c3d4);  // times in microseconds
    put(4U << 16 | 2U);
    put(0);
    put(0);
    put(0xffff);
    put(ethernet | fcs_is_there | fcs_words);
  }

  /// Frames are one microsecond apart.
  void write(const std::uint8_t* octets, std::size_t length) {
    put(static_cast<std::uint32_t>(frames_ / 1'000'000));
    put(static_cast<std::uint32_t>(frames_ % 1'000'000));
    put(static_cast<std::uint32_t>(length));
    put(static_cast<std::uint32_t>(length));
    file_.write(reinterpret_cast<const char*>(octets), static_cast<std::streamsize>(length));
    if (!file_) throw std::runtime_error{"cannot write the capture"};
    ++frames_;
  }

 private:
  void put(std::uint32_t value) {
    file_.write(reinterpret_cast<const char*>(&value), sizeof value);
  }

  std::ofstream file_;
  std::uint64_t frames_{0};
};

/// A station address as tshark writes it.
inline std::string address_text(const std::array<std::uint8_t, 6>& octets) {
  std::string text;
  for (const std::uint8_t octet : octets) {
    constexpr char digits[] = "0123456789abcdef";
    if (!text.empty()) text += ':';
    text += {digits[octet >> 4], digits[octet & 15U]};
  }
  return text;
}

/// The fields of a PFC frame as tshark reads them.
struct PfcFields {
  std::string destination, source;
  bool fcs_good{false};
  unsigned class_enable{0};
  std::array<unsigned, 8> time{};
};

/// All frames of a capture that tshark recognises as PFC, in order.
/// Errors: std::runtime_error when tshark is missing or ends with an error.
inline std::vector<PfcFields> tshark_pfc_fields(const std::string& path) {
  std::string command =
      "tshark -n -r '" + path +
      "' -o eth.check_fcs:TRUE -Y 'macc.opcode == 0x0101' -T fields -E separator=/s"
      " -e eth.dst -e eth.src -e eth.fcs.status -e macc.cbfc.enbv";
  for (int n = 0; n < 8; ++n) command += " -e macc.cbfc.pause_time.c" + std::to_string(n);
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error{"cannot start: " + command};
  std::string text;
  std::array<char, 4096> part{};
  for (std::size_t got = 0; (got = std::fread(part.data(), 1, part.size(), pipe)) != 0;)
    text.append(part.data(), got);
  if (pclose(pipe) != 0) throw std::runtime_error{"ended with an error: " + command};

  std::vector<PfcFields> frames;
  std::istringstream lines{text};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words{line};
    PfcFields frame;
    std::string status, enable;
    words >> frame.destination >> frame.source >> status >> enable;
    frame.fcs_good = status == "1";
    frame.class_enable = static_cast<unsigned>(std::strtoul(enable.c_str(), nullptr, 0));
    for (unsigned& time : frame.time) words >> time;
    if (!words) throw std::runtime_error{"fields are missing: " + line};
    frames.push_back(frame);
  }
  return frames;
}

}  // namespace weir::test

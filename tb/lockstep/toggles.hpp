// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <verilated_vcd_c.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace weir::test {

/// Which bits of a Verilated model have gone from 0 to 1 and from 1 to 0, from the waveform that
/// the model writes at each sample(). Every counted change has happened; changes between samples
/// are missed.
///
/// Errors: none; a line of the waveform that is not understood is skipped.
class ToggleCounter {
 public:
  /// `model` was made with --trace, in a context with traceEverOn().
  template <class Model>
  explicit ToggleCounter(Model& model) {
    model.trace(&trace_, 99);
    trace_.open("toggles");
  }

  /// Cycles between samples; short enough that 10^5 cycles also catch values that last one cycle.
  static constexpr std::uint64_t every = 5;

  void sample(std::uint64_t cycle) { trace_.dump(cycle); }

  /// One line per signal: path, and for each bit, the highest first, 1: has risen, 2: has fallen,
  /// 3: both.
  void write(const std::string& path) {
    trace_.close();
    std::ofstream file{path};
    for (const auto& [code, signal] : sink_.signals)
      for (const std::string& name : signal.names) file << name << " " << signal.seen << "\n";
  }

 private:
  struct Signal {
    std::vector<std::string> names;  // one wire may have several
    std::string last, seen;
  };

  // Receives the waveform while it is written.
  class Sink : public VerilatedVcdFile {
   public:
    bool open(const std::string&) override { return true; }
    void close() override {}
    ssize_t write(const char* text, ssize_t length) override {
      const char* const end = text + length;
      for (const char* at = text; at != end; ++at)
        if (*at == '\n') {
          rest_.append(text, at);
          take(rest_);
          rest_.clear();
          text = at + 1;
        }
      rest_.append(text, end);
      return length;
    }

    std::unordered_map<std::string, Signal> signals;  // by their code in the waveform

   private:
    void take(const std::string& line) {
      const std::size_t begin = line.find_first_not_of(' ');
      if (begin == std::string::npos) return;
      if (line[begin] == '$')
        declare(line.substr(begin));
      else if (line[0] == 'b')
        change(line.substr(line.find(' ') + 1), line.data() + 1, line.find(' ') - 1);
      else if (line[0] == '0' || line[0] == '1')
        change(line.substr(1), line.data(), 1);
    }

    // `$scope module u_csr $end`, `$upscope $end`, `$var wire 8 #a name [7:0] $end`
    void declare(const std::string& line) {
      std::vector<std::string> words;
      for (std::size_t at = 0; at < line.size();) {
        const std::size_t end = std::min(line.find(' ', at), line.size());
        if (end != at) words.push_back(line.substr(at, end - at));
        at = end + 1;
      }
      if (words.size() > 2 && words[0] == "$scope") scopes_.push_back(words[2]);
      if (words[0] == "$upscope" && !scopes_.empty()) scopes_.pop_back();
      if (words.size() < 6 || words[0] != "$var") return;
      std::string name;
      for (const std::string& scope : scopes_) name += scope + ".";
      signals[words[3]].names.push_back(name + words[4]);
    }

    void change(const std::string& code, const char* bits, std::size_t width) {
      Signal& signal = signals[code];
      if (signal.last.size() != width) {  // its first value
        signal.last.assign(bits, width);
        signal.seen.assign(width, '0');
        return;
      }
      for (std::size_t i = 0; i < width; ++i) {
        if (signal.last[i] == bits[i]) continue;
        signal.last[i] = bits[i];
        signal.seen[i] = static_cast<char>(signal.seen[i] | (bits[i] == '1' ? 1 : 2));
      }
    }

    std::string rest_;
    std::vector<std::string> scopes_;
  };

  Sink sink_;
  VerilatedVcdC trace_{&sink_};
};

}  // namespace weir::test

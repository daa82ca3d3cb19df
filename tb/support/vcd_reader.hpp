// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace weir::test {

/// A value change dump, read as a whole. Numbers as decimal text, strings unchanged.
class VcdReader {
 public:
  struct Change {
    std::uint64_t time;
    std::string value;
  };

  explicit VcdReader(std::istream& in) {
    std::vector<std::string> scopes;
    std::uint64_t now = 0;
    for (std::string word; in >> word;) {
      if (word == "$scope") {
        std::string name;
        in >> word >> name;
        scopes.push_back(name);
        skip(in);
      } else if (word == "$upscope") {
        scopes.pop_back();
        skip(in);
      } else if (word == "$var") {
        std::string type, bits, code, name;
        in >> type >> bits >> code >> name;
        std::string path;
        for (const std::string& scope : scopes) path += scope + ".";
        codes_[path + name] = code;
        skip(in);
      } else if (word == "$enddefinitions" || word == "$date" || word == "$version" ||
                 word == "$timescale" || word == "$comment" || word == "$attrbegin") {
        skip(in);
      } else if (word[0] == '#') {
        now = std::stoull(word.substr(1));
        times_.push_back(now);
      } else if (word[0] == 'b') {
        std::string code;
        in >> code;
        if (word.find_first_of("xz") == std::string::npos)
          changes_[code].push_back({now, std::to_string(std::stoull(word.substr(1), nullptr, 2))});
      } else if (word[0] == 's') {
        std::string code;
        in >> code;
        changes_[code].push_back({now, word.substr(1)});
      } else if (word[0] == '0' || word[0] == '1') {
        changes_[word.substr(1)].push_back({now, word.substr(0, 1)});
      }
    }
  }

  [[nodiscard]] static VcdReader from_file(const std::string& file) {
    std::ifstream in{file};
    return VcdReader{in};
  }
  /// Converts with GTKWave's own converter.
  [[nodiscard]] static VcdReader from_fst(const std::string& file) {
    FILE* pipe = popen(("fst2vcd '" + file + "' 2>/dev/null").c_str(), "r");
    std::string text;
    char buffer[65536];
    for (std::size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) != 0;) text.append(buffer, n);
    pclose(pipe);
    std::istringstream in{text};
    return VcdReader{in};
  }

  [[nodiscard]] bool has(const std::string& name) const { return codes_.count(name) != 0; }
  [[nodiscard]] const std::map<std::string, std::string>& codes() const { return codes_; }
  [[nodiscard]] const std::string& code(const std::string& name) const { return codes_.at(name); }
  [[nodiscard]] std::vector<Change> changes(const std::string& name) const {
    const auto found = changes_.find(codes_.at(name));
    return found == changes_.end() ? std::vector<Change>{} : found->second;
  }
  /// The value at `time`, changes of that moment included; "?" before the first.
  [[nodiscard]] std::string at(const std::string& name, std::uint64_t time) const {
    const auto found = changes_.find(codes_.at(name));
    if (found == changes_.end()) return "?";
    const std::vector<Change>& all = found->second;
    std::size_t low = 0, high = all.size();
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (all[middle].time <= time)
        low = middle + 1;
      else
        high = middle;
    }
    return low == 0 ? "?" : all[low - 1].value;
  }
  [[nodiscard]] const std::vector<std::uint64_t>& times() const { return times_; }

 private:
  static void skip(std::istream& in) {
    for (std::string word; in >> word && word != "$end";) {
    }
  }

  std::map<std::string, std::string> codes_;  // by full name
  std::map<std::string, std::vector<Change>> changes_;
  std::vector<std::uint64_t> times_;
};

}  // namespace weir::test

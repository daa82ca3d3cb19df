// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "measurement.hpp"

namespace weir::bench {

/// Cost of each run, by name of the benchmark ("model/incast"): the least of all repetitions,
/// because disturbances only make a run longer.
class Results {
 public:
  void add(const std::string& name, const Measurement& measurement);
  [[nodiscard]] bool has(const std::string& name) const { return best_.count(name) != 0; }
  [[nodiscard]] const Measurement& of(const std::string& name) const { return best_.at(name); }
  [[nodiscard]] double ns(const std::string& name) const { return of(name).ns_per_packet(); }

 private:
  std::map<std::string, Measurement> best_;
};

/// One line of the table of ratios.
struct Figure {
  enum class Kind { at_most, at_least, information };
  std::string name;
  double value{0};
  Kind kind{Kind::information};
  double bound{0};

  [[nodiscard]] bool good() const {
    return kind == Kind::information || (kind == Kind::at_most ? value <= bound : value >= bound);
  }
};

/// All figures that the results allow (a filtered run has fewer), with their bounds. Every bounded
/// figure is a size or a ratio within the run, never a time.
[[nodiscard]] std::vector<Figure> figures_of(const Results& results);

/// Prints the table; returns whether every bound holds.
bool print(std::ostream& out, const std::vector<Figure>& figures);

}  // namespace weir::bench

// SPDX-License-Identifier: Apache-2.0
#include "figures.hpp"

#include <algorithm>
#include <iomanip>

namespace weir::bench {
namespace {

using Kind = Figure::Kind;

// Figures of other simulators, per packet through one PFC switch, measured on a machine where the
// bare loop takes 7 ns (docs/measurements/performance.md). Divided by that time they hold on any
// machine.
constexpr double reference_bare_ns = 7;
constexpr double ns3_ns = 4440;
constexpr double htsim_ns = 715;  // the least of 715 to 837

constexpr double kilobytes_per_megabyte = 1024;

void compare_forms(const Results& results, const Traffic& traffic, std::vector<Figure>& figures) {
  const std::string name{traffic.name};
  if (!results.has("model/" + name)) return;
  const double model = results.ns("model/" + name);
  if (results.has("bare/" + name)) {
    const double ratio = model / results.ns("bare/" + name);
    figures.push_back({"model / bare loop, " + name, ratio, Kind::at_most, 20});
    figures.push_back(
        {"ns-3 / model, " + name, ns3_ns / reference_bare_ns / ratio, Kind::at_least, 17});
    figures.push_back(
        {"htsim / model, " + name, htsim_ns / reference_bare_ns / ratio, Kind::at_least, 2.8});
    if (results.has("core/" + name))
      figures.push_back(
          {"core / bare loop, " + name, results.ns("core/" + name) / results.ns("bare/" + name)});
  }
  if (results.has("clocked/" + name)) {
    const double ratio = results.ns("clocked/" + name) / model;
    if (traffic.incast)
      figures.push_back({"clocked form / model, " + name, ratio, Kind::at_least, 40});
    else if (traffic.packet == line_rate.packet)
      figures.push_back({"clocked form / model, " + name, ratio, Kind::at_least, 0.7});
    else
      figures.push_back({"clocked form / model, " + name, ratio});
  }
}

void compare_port_counts(const Results& results, std::vector<Figure>& figures) {
  const auto name = [](const Traffic& traffic) { return "model/" + std::string{traffic.name}; };
  const std::string least = name(port_counts.front());
  for (const Traffic& traffic : port_counts) {
    if (&traffic == &port_counts.front()) continue;
    if (!results.has(least) || !results.has(name(traffic))) continue;
    figures.push_back({"a packet of " + std::to_string(traffic.ports) + " ports / of 32 ports",
                       results.ns(name(traffic)) / results.ns(least), Kind::at_most, 1.1});
  }
}

}  // namespace

void Results::add(const std::string& name, const Measurement& measurement) {
  const auto [place, fresh] = best_.emplace(name, measurement);
  if (fresh) return;
  const std::uint64_t peak = std::max(place->second.peak_kilobytes, measurement.peak_kilobytes);
  if (measurement.ns_per_packet() < place->second.ns_per_packet()) place->second = measurement;
  place->second.peak_kilobytes = peak;
}

std::vector<Figure> figures_of(const Results& results) {
  std::vector<Figure> figures;
  for (const Traffic& traffic : patterns) compare_forms(results, traffic, figures);
  compare_port_counts(results, figures);
  if (results.has("model/leaf_spine") && results.has("model/full_load"))
    figures.push_back(
        {"a packet-hop of 128 hosts / of one switch",
         results.ns("model/leaf_spine") / leaf_spine.hops() / results.ns("model/full_load"),
         Kind::at_most, 1.3});
  if (results.has("model/ten_ms")) {
    const double factor = results.of("model/ten_ms").seconds / 10e-3;
    figures.push_back({"10 ms of 32 x 100G: times real time, here", factor});
    if (results.has("bare/full_load"))
      figures.push_back({"the same where the bare loop takes 7 ns",
                         factor * reference_bare_ns / results.ns("bare/full_load"), Kind::at_most,
                         60});
  }
  if (results.has("model/memory") && results.has("model/memory_x8")) {
    const double once = double(results.of("model/memory").peak_kilobytes) / kilobytes_per_megabyte;
    const double more =
        double(results.of("model/memory_x8").peak_kilobytes) / kilobytes_per_megabyte;
    figures.push_back({"peak memory of a 64 x 8 switch, MB", more, Kind::at_most, 64});
    figures.push_back(
        {"the same, above a run of 1/8 of the packets, MB", more - once, Kind::at_most, 0.5});
  }
  return figures;
}

bool print(std::ostream& out, const std::vector<Figure>& figures) {
  bool good = true;
  out << std::fixed << std::setprecision(2);
  for (const Figure& figure : figures) {
    good = good && figure.good();
    out << std::left << std::setw(48) << figure.name << std::right << std::setw(9) << figure.value;
    if (figure.kind == Kind::information)
      out << "\n";
    else
      out << (figure.kind == Kind::at_most ? "   at most  " : "   at least ") << std::setw(7)
          << figure.bound << (figure.good() ? "   good\n" : "   MISSED\n");
  }
  return good;
}

}  // namespace weir::bench

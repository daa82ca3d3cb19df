// SPDX-License-Identifier: Apache-2.0
#include "weir/model/probe/silicon_prediction.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>

#include "probe/probe_job.hpp"
#include "weir/config/silicon/silicon_bounds.hpp"
#include "weir/core/errors.hpp"

namespace weir {
namespace {

// The kinds of run. Several quantities may be read from one.
enum class Test : std::uint8_t { first_drop, headroom_pool, equal_fill, lossy, xon };

// One simulation of a case.
struct TestOfCase {
  Test test{Test::first_drop};
  std::size_t pgs{1};
  friend bool operator<(const TestOfCase& a, const TestOfCase& b) {
    return std::tie(a.test, a.pgs) < std::tie(b.test, b.pgs);
  }
};

// PGs that it takes to empty the shared headroom pool: as many as fit into it, and one more.
std::size_t pgs_to_empty_pool(const SiliconConfig& config) {
  const std::uint64_t per_pg =
      (config.headroom.count() + config.cell.count() - 1) / config.cell.count();
  if (config.shared_headroom_pool == Bytes{0} || per_pg == 0) return 1;
  const std::uint64_t pool = config.shared_headroom_pool.count() / config.cell.count();
  return static_cast<std::size_t>(pool / config.domains / per_pg + 1);
}

TestOfCase test_for(const SiliconConfig& config, const SiliconQuantityName& name, bool is_list) {
  switch (name.quantity) {
    case SiliconQuantity::xoff:
      return is_list ? TestOfCase{Test::headroom_pool, name.pgs} : TestOfCase{};
    case SiliconQuantity::first_drop:
      return {Test::first_drop, name.pgs};
    case SiliconQuantity::headroom:
      return is_list ? TestOfCase{Test::headroom_pool, name.pgs} : TestOfCase{};
    case SiliconQuantity::headroom_last:
    case SiliconQuantity::headroom_total:
      return {Test::headroom_pool, pgs_to_empty_pool(config)};
    case SiliconQuantity::equal_fill:
      return {Test::equal_fill, name.pgs};
    case SiliconQuantity::lossy_drop:
      return {Test::lossy, 1};
    case SiliconQuantity::xon:
      break;
  }
  return {Test::xon, 1};
}

// The run, or nothing when the chip has no such PGs.
std::optional<ProbeRun> run_of(const TestOfCase& test, const ProbeBench& bench, Bytes packet) {
  if (test.test == Test::lossy) {
    if (!bench.lossy) return std::nullopt;
    return probe_each_to_first_drop({*bench.lossy}, bench.egress, packet);
  }
  if (bench.lossless.size() < test.pgs) return std::nullopt;
  const auto end = bench.lossless.begin() + static_cast<std::ptrdiff_t>(test.pgs);
  std::vector<ProbePg> pgs{bench.lossless.begin(), end};
  switch (test.test) {
    case Test::first_drop:
      return probe_each_to_first_drop(std::move(pgs), bench.egress, packet);
    case Test::headroom_pool:
      return probe_each_to_xoff_then_headroom(std::move(pgs), bench.egress, packet);
    case Test::equal_fill:
      return probe_equal_fill(std::move(pgs), bench.egress, packet);
    default:
      return probe_to_xon(pgs.front(), bench.egress, packet);
  }
}

std::optional<std::int64_t> happened(std::uint64_t packet) {
  if (packet == 0) return std::nullopt;
  return static_cast<std::int64_t>(packet);
}

// Packets of the PG that was the first to go XOFF.
std::optional<std::int64_t> first_xoff(const ProbeResult& result) {
  for (const ProbePgResult& pg : result.pgs)
    if (pg.xoff != 0) return happened(pg.xoff);
  return std::nullopt;
}

std::int64_t headroom_total(const ProbeResult& result) {
  std::uint64_t sum = 0;
  for (const ProbePgResult& pg : result.pgs) sum += pg.headroom;
  return static_cast<std::int64_t>(sum);
}

// Headroom of the last PG that got any.
std::optional<std::int64_t> headroom_last(const ProbeResult& result) {
  for (auto pg = result.pgs.rbegin(); pg != result.pgs.rend(); ++pg)
    if (pg->headroom != 0) return happened(pg->headroom);
  return std::nullopt;
}

// What a run counted of a quantity; `entry` is the PG where there are several.
std::optional<std::int64_t> read_off(SiliconQuantity quantity, const ProbeResult& result,
                                     std::size_t entry) {
  const ProbePgResult& pg = result.pgs.at(entry);
  switch (quantity) {
    case SiliconQuantity::xoff:
      return happened(pg.xoff);
    case SiliconQuantity::first_drop:
      return happened(pg.first_drop);
    case SiliconQuantity::equal_fill:
      return first_xoff(result);
    case SiliconQuantity::headroom:
      return static_cast<std::int64_t>(pg.headroom);
    case SiliconQuantity::headroom_last:
      return result.pool_was_empty ? headroom_last(result) : std::nullopt;
    case SiliconQuantity::headroom_total:
      if (!result.pool_was_empty) return std::nullopt;
      return headroom_total(result);
    case SiliconQuantity::lossy_drop:
      return pg.reason == Reason::egress_queue ? happened(pg.first_drop) : std::nullopt;
    case SiliconQuantity::xon:
      break;
  }
  if (!result.xon_dismiss) return std::nullopt;
  return static_cast<std::int64_t>(*result.xon_dismiss);
}

std::string verdict_of(const SiliconBound& bound, std::int64_t predicted, std::int64_t measured) {
  if (!bound.accepts(predicted, measured)) return "outside";
  if (predicted == measured) return "exact";
  if (bound.upper_only) return "bound holds";
  return "within " + std::to_string(std::abs(predicted - measured));
}

// A case with its chip and the runs that its published counts call for.
class CasePrediction {
 public:
  explicit CasePrediction(const SiliconCase& silicon)
      : silicon_{silicon}, chip_{silicon_chip(silicon, pgs_needed())} {
    const ProbeBench bench = bench_in_largest_domain();
    for (const PublishedCount& count : silicon.expected) {
      const auto name = silicon_quantity(count);
      if (!name) continue;
      const TestOfCase test = test_for(silicon.config, *name, count.is_list);
      if (auto run = run_of(test, bench, silicon.config.packet))
        runs_.emplace(test, std::move(*run));
    }
  }

  void add_jobs(std::vector<ChildJob>& jobs) const {
    try {
      for (const auto& [test, run] : runs_) jobs.push_back(probe_job(chip_, run));
    } catch (const ConfigError& error) {
      throw FileError{silicon_.origin, silicon_.path, "",
                      "is too large for the test (case " + silicon_.id + "): " + error.what()};
    }
  }

  void take_results(std::vector<ChildResult>::const_iterator& next) {
    for (const auto& [test, run] : runs_) {
      static_cast<void>(run);
      results_.emplace(test, probe_result_of(*next++, "case " + silicon_.id));
    }
  }

  void compare(std::vector<SiliconComparison>& figures) const {
    for (const PublishedCount& count : silicon_.expected) {
      const auto name = silicon_quantity(count);
      for (std::size_t entry = 0; entry < count.measured.size(); ++entry)
        figures.push_back(compare_entry(count, name, entry));
    }
  }

 private:
  [[nodiscard]] std::size_t pgs_needed() const {
    std::size_t most = 1;
    for (const PublishedCount& count : silicon_.expected)
      if (const auto name = silicon_quantity(count))
        most = std::max(most, test_for(silicon_.config, *name, count.is_list).pgs);
    return most;
  }

  [[nodiscard]] ProbeBench bench_in_largest_domain() const {
    std::map<std::uint8_t, std::size_t> ports;  // by domain
    for (const PortSetting& port : chip_.ports) ++ports[port.domain.count()];
    const auto largest =
        std::max_element(ports.begin(), ports.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    std::size_t first = 0;
    while (chip_.ports[first].domain.count() != largest->first) ++first;
    return probe_bench(chip_, PortId{static_cast<std::uint16_t>(first)});
  }

  [[nodiscard]] SiliconComparison compare_entry(const PublishedCount& count,
                                                const std::optional<SiliconQuantityName>& name,
                                                std::size_t entry) const {
    SiliconComparison figure;
    figure.case_id = silicon_.id;
    figure.quantity = count.quantity;
    if (count.is_list) figure.quantity += "[" + std::to_string(entry) + "]";
    figure.measured = count.measured[entry];
    figure.verdict = name ? "not run" : "unknown";
    if (!name) return figure;
    const auto result = results_.find(test_for(silicon_.config, *name, count.is_list));
    if (result == results_.end()) return figure;
    figure.predicted = read_off(name->quantity, result->second, count.is_list ? entry : 0);
    if (!figure.predicted) return figure;
    const SiliconBound bound = silicon_bound(silicon_, count, name->quantity, entry);
    figure.accepted = bound.accepts(*figure.predicted, figure.measured);
    figure.verdict = verdict_of(bound, *figure.predicted, figure.measured);
    return figure;
  }

  const SiliconCase& silicon_;
  const Chip chip_;
  std::map<TestOfCase, ProbeRun> runs_;
  std::map<TestOfCase, ProbeResult> results_;
};

bool is_lossless(const Chip& chip, PgIndex pg) {
  const auto& profile = chip.profile_of_pg[pg];
  return profile && chip.profiles[*profile].lossless;
}

bool has_priority(const Chip& chip, std::size_t pg) {
  const auto& map = chip.pg_of_priority;
  return std::find(map.begin(), map.end(), pg) != map.end();
}

// The last port of another domain, else the last port but `first`, else `first`.
std::size_t egress_for(const Chip& chip, std::size_t first) {
  for (std::size_t port = chip.ports.size(); port-- != 0;)
    if (chip.ports[port].domain != chip.ports[first].domain) return port;
  return first + 1 == chip.ports.size() && first != 0 ? first - 1 : chip.ports.size() - 1;
}

// Of `in`, towards the egress port of the bench.
std::optional<ProbePg> lossy_pg(const Chip& chip, PortId in, const ProbeBench& bench) {
  for (std::size_t n = 0; n < priorities; ++n) {
    const Priority pg{chip.pg_of_priority[n]}, queue{chip.queue_of_priority[n]};
    const bool limited = chip.profile_of_queue[queue_index(bench.egress, queue)].has_value();
    if (limited && !is_lossless(chip, pg_index(in, pg))) return ProbePg{in, pg};
  }
  return std::nullopt;
}

}  // namespace

ProbeBench probe_bench(const Chip& chip, PortId first, std::optional<Priority> pg) {
  const std::size_t count = chip.ports.size();
  const std::size_t start = first.count();
  if (count <= start)
    throw ConfigError{"--port", std::to_string(start),
                      "must be from 0 to " + std::to_string(count - 1)};
  const std::size_t egress = egress_for(chip, start);
  // Round the domain from `first` on, the egress port last.
  std::vector<std::size_t> ports;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t port = (start + i) % count;
    const bool here = chip.ports[port].domain == chip.ports[start].domain;
    if (here && port != egress) ports.push_back(port);
  }
  if (chip.ports[egress].domain == chip.ports[start].domain) ports.push_back(egress);

  ProbeBench bench;
  bench.egress = PortId{static_cast<std::uint16_t>(egress)};
  for (const std::size_t port : ports)
    for (std::uint8_t n = 0; n < priorities; ++n) {
      const ProbePg at{PortId{static_cast<std::uint16_t>(port)}, Priority{n}};
      if (is_lossless(chip, pg_index(at.port, at.pg)) && has_priority(chip, n))
        bench.lossless.push_back(at);
    }
  const auto wanted = std::find_if(
      bench.lossless.begin(), bench.lossless.end(),
      [&](const ProbePg& each) { return each.port == first && (!pg || each.pg == *pg); });
  if (wanted == bench.lossless.end())
    throw ConfigError{"--pg", pg ? std::to_string(pg->count()) : "none",
                      "must be a lossless priority group of port " + std::to_string(start)};
  std::rotate(bench.lossless.begin(), wanted, wanted + 1);
  bench.lossy = lossy_pg(chip, first, bench);
  return bench;
}

std::vector<SiliconComparison> predict_silicon(const std::vector<SiliconCase>& cases,
                                               unsigned jobs) {
  std::vector<CasePrediction> predictions;
  predictions.reserve(cases.size());  // jobs refer to the chips
  std::vector<ChildJob> work;
  for (const SiliconCase& silicon : cases) predictions.emplace_back(silicon);
  for (const CasePrediction& prediction : predictions) prediction.add_jobs(work);
  const std::vector<ChildResult> results = run_in_children(work, jobs);
  std::vector<SiliconComparison> figures;
  auto next = results.begin();
  for (CasePrediction& prediction : predictions) {
    prediction.take_results(next);
    prediction.compare(figures);
  }
  return figures;
}

ChipProbe probe_chip(const Chip& chip, const ProbeBench& bench, Bytes packet, unsigned jobs) {
  check_probe_packet(chip, packet);
  const std::vector<ProbePg>& all = bench.lossless;
  std::vector<ChildJob> work{
      probe_job(chip, probe_each_to_first_drop({all.front()}, bench.egress, packet)),
      probe_job(chip, probe_to_xon(all.front(), bench.egress, packet)),
      probe_job(chip, probe_each_to_xoff_then_headroom(all, bench.egress, packet)),
      probe_job(chip, probe_each_to_first_drop(all, bench.egress, packet)),
      probe_job(chip, probe_equal_fill(all, bench.egress, packet))};
  if (bench.lossy)
    work.push_back(probe_job(chip, probe_each_to_first_drop({*bench.lossy}, bench.egress, packet)));
  const std::vector<ChildResult> results = run_in_children(work, jobs);
  ChipProbe probe;
  probe.bench = bench;
  probe.one_pg = probe_result_of(results[0], "one PG");
  probe.to_xon = probe_result_of(results[1], "XON");
  probe.to_xoff_then_headroom = probe_result_of(results[2], "headroom pool");
  probe.to_first_drop = probe_result_of(results[3], "each PG to its first drop");
  probe.equal_fill = probe_result_of(results[4], "equal fill");
  if (bench.lossy) probe.lossy = probe_result_of(results[5], "lossy queue");
  return probe;
}

}  // namespace weir

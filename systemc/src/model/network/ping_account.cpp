// SPDX-License-Identifier: Apache-2.0
#include "weir/model/network/ping_account.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "weir/config/format/names.hpp"
#include "weir/config/format/port_name.hpp"

namespace weir {
namespace {

std::string text_of(const std::string& node, PortId port, std::string_view reason) {
  return port_name(node, port) + " " + std::string{reason};
}

}  // namespace

Picoseconds nearest_rank(const std::vector<Picoseconds>& ascending, unsigned per_mille) noexcept {
  if (ascending.empty()) return {};
  return ascending[(ascending.size() * per_mille + 999) / 1000 - 1];
}

std::string_view to_string(PingLevel level) noexcept {
  constexpr std::array<std::string_view, ping_levels> names{"tor", "podset", "data_centre"};
  return names[static_cast<std::size_t>(level)];
}

std::string_view to_string(PingCode code) noexcept {
  constexpr std::array<std::string_view, ping_codes> names{"ok", "timeout", "request_dropped",
                                                           "answer_dropped", "pending"};
  return names[static_cast<std::size_t>(code)];
}

PingAccount::PingAccount(const Scenario& scenario, std::vector<PingWay> ways,
                         std::uint32_t first_flow)
    : spec_{*scenario.pingmesh},
      counted_from_{scenario.warm_up},
      until_{scenario.until},
      ways_{std::move(ways)},
      first_flow_{first_flow},
      ends_(spec_.classes.size(), std::vector<End>(scenario.hosts.size())) {
  for (const HostSpec& host : scenario.hosts) names_.push_back(host.name);
}

void PingAccount::requested(std::uint32_t way, Picoseconds due) {
  ends_[way / spec_.pairs.size()][ways_[way].source].requests.push_back(
      static_cast<std::uint32_t>(probes_.size()));
  Probe probe;
  probe.way = way;
  probe.sent = due;
  probes_.push_back(std::move(probe));
}

void PingAccount::answered(HostId host, const PingRequest& request) {
  std::vector<End>& ends = ends_[request.class_number];
  ends[host].answers.push_back(ends[request.source].requests.at(request.sequence));
}

// The probe that a frame is, or answers; none: it is not of the mesh.
PingAccount::Probe* PingAccount::probe_of(const Frame& frame) {
  const std::uint32_t index = frame.flow - first_flow_;
  if (frame.flow < first_flow_ || 2 * ends_.size() <= index) return nullptr;
  const End& end = ends_[index / 2][frame.source];
  return &probes_[(is_answer(frame.flow) ? end.answers : end.requests).at(frame.sequence)];
}

void PingAccount::delivered(const std::string&, const Frame& frame, Picoseconds last_bit) {
  Probe* const probe = probe_of(frame);
  if (probe != nullptr && is_answer(frame.flow)) probe->last_bit = last_bit;
}

void PingAccount::refused(const std::string& switch_name, const Frame& frame,
                          const Verdict& verdict, Picoseconds) {
  drop(frame, text_of(switch_name, frame.ingress_port, to_string(verdict.reason)));
}

void PingAccount::mac_drop(const std::string& switch_name, const Frame& frame, PortId port,
                           MacDrop reason, Picoseconds) {
  if (reason == MacDrop::stray_copy) return;  // another copy goes where the address matches
  drop(frame, text_of(switch_name, port, to_string(reason)));
}

void PingAccount::drop(const Frame& frame, const std::string& where) {
  Probe* const probe = probe_of(frame);
  if (probe == nullptr) return;
  probe->code = is_answer(frame.flow) ? PingCode::answer_dropped : PingCode::request_dropped;
  probe->where = where;
}

// A delivery is known when the frame starts on the last link: the run may end before its last bit.
void PingAccount::judge(Probe& probe, Picoseconds now) const {
  if (probe.last_bit && (*probe.last_bit < now || (*probe.last_bit == now && now < until_)))
    probe.rtt = *probe.last_bit - probe.sent;
  if (probe.rtt)
    probe.code = *probe.rtt <= spec_.timeout ? PingCode::ok : PingCode::timeout;
  else if (probe.code == PingCode::pending && probe.sent + spec_.timeout <= now)
    probe.code = PingCode::timeout;
}

bool PingAccount::is_due_before(const Probe& a, const Probe& b) const {
  const PingWay &x = ways_[a.way], &y = ways_[b.way];
  if (a.sent != b.sent) return a.sent < b.sent;
  if (x.source != y.source) return natural_less(names_[x.source], names_[y.source]);
  if (x.destination != y.destination)
    return natural_less(names_[x.destination], names_[y.destination]);
  return x.priority < y.priority;
}

void PingAccount::finish(Picoseconds now, const std::function<void(const PingResult&)>& report) {
  for (Probe& probe : probes_) judge(probe, now);
  std::sort(probes_.begin(), probes_.end(),
            [&](const Probe& a, const Probe& b) { return is_due_before(a, b); });
  for (const Probe& probe : probes_) {
    const PingWay& way = ways_[probe.way];
    report({names_[way.source], names_[way.destination], way.priority, way.level, probe.code,
            probe.sent, probe.rtt, probe.where});
  }
}

PingStatistics PingAccount::summed(const std::vector<const Probe*>& probes) {
  PingStatistics sum;
  std::vector<Picoseconds> times;
  for (const Probe* probe : probes) {
    ++sum.by_code[static_cast<std::size_t>(probe->code)];
    if (probe->rtt) times.push_back(*probe->rtt);
  }
  std::sort(times.begin(), times.end());
  sum.rtt = {times.size(),
             nearest_rank(times, 1),
             nearest_rank(times, 500),
             nearest_rank(times, 900),
             nearest_rank(times, 990),
             nearest_rank(times, 999),
             nearest_rank(times, 1000)};
  if (!times.empty()) sum.rtt.least = times.front();
  return sum;
}

std::vector<PingStatistics> PingAccount::statistics() const {
  std::vector<PingStatistics> rows;
  for (std::size_t level = 0; level < ping_levels; ++level)
    for (const Priority priority : spec_.classes) {
      std::vector<const Probe*> some;
      for (const Probe& probe : probes_) {
        const PingWay& way = ways_[probe.way];
        if (way.level == static_cast<PingLevel>(level) && way.priority == priority &&
            counted_from_ <= probe.sent)
          some.push_back(&probe);
      }
      if (some.empty()) continue;
      rows.push_back(summed(some));
      rows.back().level = static_cast<PingLevel>(level);
      rows.back().priority = priority;
    }
  return rows;
}

PingStatistics PingAccount::total() const {
  std::vector<const Probe*> all;
  for (const Probe& probe : probes_)
    if (counted_from_ <= probe.sent) all.push_back(&probe);
  return summed(all);
}

}  // namespace weir

// SPDX-License-Identifier: Apache-2.0
// Parts of a summary as bytes: what walk() names, both ways.
#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/core/accounting/sai_counters.hpp"
#include "weir/model/ranks/rank_message.hpp"
#include "weir/trace/summary/summary.hpp"

namespace weir::summary_message {

// Each names all members of its structure: one that is new does not compile until it is sent, too.
template <class Way>
void walk(Way& way, PgSummary& s) {
  auto& [pg, profile, lossless, counters, held, threshold, xoff, private_limit, headroom_limit,
         sai] = s;
  way(pg, profile, lossless, counters, held, threshold, xoff, private_limit, headroom_limit, sai);
}
template <class Way>
void walk(Way& way, WredSummary& s) {
  auto& [profile, counters, waiting] = s;
  way(profile, counters, waiting);
}
template <class Way>
void walk(Way& way, QueueSummary& s) {
  auto& [queue, limited, depth, counters, sai, wred] = s;
  way(queue, limited, depth, counters, sai, wred);
}
template <class Way>
void walk(Way& way, PortSummary& s) {
  auto& [port, rate, peer, counters, classes, pgs, queues, sai] = s;
  way(port, rate, peer, counters, classes, pgs, queues, sai);
}
template <class Way>
void walk(Way& way, PoolSummary& s) {
  auto& [pool, domain, shared_limit, headroom_limit, dedicated_headroom, held, peak, sai] = s;
  way(pool, domain, shared_limit, headroom_limit, dedicated_headroom, held, peak, sai);
}
template <class Way>
void walk(Way& way, SwitchSummary& s) {
  auto& [name, chip, source, cell, ports, memory, pools, linked_ports, waiting, neighbours] = s;
  way(name, chip, source, cell, ports, memory, pools, linked_ports, waiting, neighbours);
}
template <class Way>
void walk(Way& way, HostClassSummary& s) {
  auto& [priority, counts, pause, latency] = s;
  way(priority, counts, pause, latency);
}
template <class Way>
void walk(Way& way, HostSummary& s) {
  auto& [name, peer, rate, nic, rate_control, classes] = s;
  way(name, peer, rate, nic, rate_control, classes);
}
template <class Way>
void walk(Way& way, PauseOrigin& s) {
  auto& [node, port, priority, first, pauses] = s;
  way(node, port, priority, first, pauses);
}

class Writer {
 public:
  explicit Writer(RankMessage& message) : out_{message} {}
  template <class... Members>
  void operator()(Members&... members) {
    (item(members), ...);
  }

 private:
  template <class T>
  void item(T& value) {
    if constexpr (std::is_trivially_copyable_v<T>)
      out_.raw(value);
    else
      walk(*this, value);
  }
  void item(std::string& value) { out_.text(value); }
  template <class T>
  void item(std::optional<T>& value) {
    out_.raw(value.has_value());
    if (value) item(*value);
  }
  template <class T>
  void item(std::vector<T>& values) {
    out_.raw(values.size());
    for (T& value : values) item(value);
  }
  void item(std::pair<std::string_view, std::uint64_t>& value) {
    out_.text(value.first);
    out_.raw(value.second);
  }
  void item(Latency& value) {
    const Latency least = value;  // without buckets beyond the first and the last
    (*this)(value.packets, value.sum, value.longest);
    out_.raw(least.first_bucket());
    out_.raw(least.buckets().size());
    for (const std::uint64_t count : least.buckets()) out_.raw(count);
  }

  RankWriter out_;
};

class Reader {
 public:
  explicit Reader(const RankMessage& message) : in_{message} {}
  template <class... Members>
  void operator()(Members&... members) {
    (item(members), ...);
  }

 private:
  template <class T>
  void item(T& value) {
    if constexpr (std::is_trivially_copyable_v<T>)
      value = in_.raw<T>();
    else
      walk(*this, value);
  }
  void item(std::string& value) { value = in_.text(); }
  template <class T>
  void item(std::optional<T>& value) {
    value.reset();
    if (in_.raw<bool>()) item(value.emplace());
  }
  template <class T>
  void item(std::vector<T>& values) {
    values.clear();
    for (auto left = in_.raw<std::size_t>(); left != 0; --left) item(values.emplace_back());
  }
  // The names are those of the table.
  void item(std::pair<std::string_view, std::uint64_t>& value) {
    const std::string name = in_.text();
    const auto& all = sai_counters();
    value.first = std::find_if(all.begin(), all.end(), [&](const SaiCounter& counter) {
                    return counter.name == name;
                  })->name;
    value.second = in_.raw<std::uint64_t>();
  }
  void item(Latency& value) {
    std::uint64_t packets = 0;
    Picoseconds sum, longest;
    (*this)(packets, sum, longest);
    const auto first = in_.raw<std::size_t>();
    std::vector<std::uint64_t> buckets;
    item(buckets);
    value = Latency::of_parts(packets, sum, longest, first, std::move(buckets));
  }

  RankReader in_;
};

}  // namespace weir::summary_message

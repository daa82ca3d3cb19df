// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string_view>
#include <utility>

#include "weir/config/format/names.hpp"
#include "weir/config/format/reader.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/pipeline_latency.hpp"

/// The keys of a chip file whose value is a member: one row each. The reader sets the members,
/// [[desired]] compares them (chip_drift.cpp).
///
/// A row is row(name, member, convert, legal, unit). `convert` makes the value, and states unit and
/// range when it refuses one. `legal` is the text for a key that must be given; without it the
/// member's initial value is the default. `unit` is that of a plain number, for the text of a
/// drift.
namespace weir::chip_sections {

/// In place of `convert`: the key is read by hand, because its default or range depends on others.
struct ReadByHand {};

/// Names of the values of an enum, which convert a node as well.
template <class Value, std::size_t count>
struct Choices {
  std::array<std::pair<std::string_view, Value>, count> rows;

  [[nodiscard]] Value operator()(const Node& value) const { return to_choice(value, rows); }
  [[nodiscard]] std::string_view name_of(Value value) const {
    for (const auto& [name, meaning] : rows)
      if (meaning == value) return name;
    return {};
  }
};

[[nodiscard]] Bytes to_cell(const Node& value);
/// A share above 0 in 2^-16, rounded to nearest: "5 %" or "1/20".
[[nodiscard]] std::uint32_t to_probability(const Node& value);
constexpr std::string_view legal_probability =
    "must be a probability above 0 and up to 1, such as \"5 %\" or \"1/20\"";
/// A number for each of the 8 priorities.
[[nodiscard]] std::array<std::uint8_t, priorities> to_map(const Node& value);
[[nodiscard]] std::array<std::uint32_t, priorities> to_weights(const Node& value);
/// Numbers of queues: bit q is queue q.
[[nodiscard]] std::uint8_t to_queues(const Node& value);
[[nodiscard]] Priority to_priority(const Node& value);

/// [chip]
template <class Row>
void for_each_chip_key(Row&& row) {
  constexpr std::string_view cycles = " cycles";
  row("name", &Chip::name, to_title, "what the chip is called");
  row("source", &Chip::source, to_text);
  row("cell", &Chip::cell, to_cell, "the cell size, such as \"208 B\"");
  row("cell_overhead", &Chip::cell_overhead, to_bytes);
  row("domains", &Chip::domains, ReadByHand{});
  row("clock", &Chip::clock, to_clock);
  row("lanes", &Chip::lanes, ReadByHand{});
  row(pipeline::admit.key, &Chip::admit_latency, to_cycles, "", cycles);
  row(pipeline::pfc.key, &Chip::pfc_latency, to_cycles, "", cycles);
  row(pipeline::threshold_lag.key, &Chip::threshold_lag, to_cycles, "", cycles);
  row(pipeline::mark.key, &Chip::mark_latency, to_cycles, "", cycles);
  row("quanta", &Chip::quanta, to_quanta);
  row("mtu", &Chip::mtu, to_bytes);
  row("port_fifo", &Chip::port_fifo, integer_from(1, max_port_fifo));
  row("memory", &Chip::memory, ReadByHand{});
}

/// [profile.NAME], without the keys of its policy.
template <class Row>
void for_each_profile_key(Bytes cell, Row&& row) {
  constexpr Choices<XoffTrigger, 2> triggers{
      {{{"on_crossing", XoffTrigger::on_crossing}, {"on_headroom", XoffTrigger::on_headroom}}}};
  constexpr Choices<XonRule, 2> rules{{{{"sai", XonRule::sai}, {"paper", XonRule::paper}}}};
  row("xon", &Profile::xon, cells_down(cell));
  row("xon_offset", &Profile::xon_offset, cells_up(cell));
  row("xoff_trigger", &Profile::xoff_trigger, triggers);
  row("xon_rule", &Profile::xon_rule, rules);
}

/// [queue.NAME], without the keys of its policy.
template <class Row>
void for_each_queue_key(Bytes cell, Row&& row) {
  row("minimum", &QueueProfile::minimum, cells_up(cell));
}

/// [wred.NAME]
template <class Row>
void for_each_wred_key(Bytes cell, Row&& row) {
  constexpr Choices<WredPoint, 2> points{
      {{{"dequeue", WredPoint::dequeue}, {"enqueue", WredPoint::enqueue}}}};
  row("min", &WredProfile::min, cells_down(cell), legal::buffer_size);
  row("max", &WredProfile::max, cells_down(cell), legal::buffer_size);
  row("probability", &WredProfile::probability, to_probability, legal_probability, "/65536");
  row("mark", &WredProfile::mark, to_boolean);
  row("drop", &WredProfile::drop, to_boolean);
  row("at", &WredProfile::at, points);
}

/// [draw]
template <class Row>
void for_each_draw_key(Row&& row) {
  row("polynomial", &Chip::draw_polynomial, integer_from(1, 0xffff'ffff));
  row("seed", &Chip::draw_seed, ReadByHand{});
}

/// [map]
template <class Row>
void for_each_map_key(Row&& row) {
  row("pg_of_priority", &Chip::pg_of_priority, to_map);
  row("queue_of_priority", &Chip::queue_of_priority, to_map);
}

/// [scheduler]
template <class Row>
void for_each_scheduler_key(Row&& row) {
  constexpr Choices<SchedulerKind, 2> kinds{
      {{{"dwrr", SchedulerKind::dwrr}, {"strict", SchedulerKind::strict}}}};
  row("kind", &Chip::scheduler, kinds);
  row("weights", &Chip::dwrr_weight, to_weights);
  row("strict", &Chip::strict_queues, to_queues);
}

/// [classify], without its table of DSCPs.
template <class Row>
void for_each_classifier_key(Row&& row) {
  constexpr Choices<ClassTrust, 2> fields{{{{"pcp", ClassTrust::pcp}, {"dscp", ClassTrust::dscp}}}};
  row("trust", &ClassifierSettings::trust, fields);
  row("untagged", &ClassifierSettings::untagged, to_priority);
  row("group", &ClassifierSettings::group_priority, to_priority);
}

/// [neighbours]
template <class Row>
void for_each_neighbour_key(Row&& row) {
  constexpr Choices<IncompleteArp, 3> choices{{{{"flood", IncompleteArp::flood},
                                                {"to_cpu", IncompleteArp::to_cpu},
                                                {"drop_lossless", IncompleteArp::drop_lossless}}}};
  row("arp_timeout", &NeighbourSettings::arp_timeout, to_positive_time);
  row("mac_timeout", &NeighbourSettings::mac_timeout, to_positive_time);
  row("incomplete", &NeighbourSettings::incomplete, choices);
  row("cpu_queue", &NeighbourSettings::cpu_queue, integer_from(1, max_port_fifo));
  row("cpu_packet_time", &NeighbourSettings::cpu_packet_time, to_positive_time);
}

/// Reads a row into its member.
template <class Object>
[[nodiscard]] auto reads_into(Object& object, TableReader& reader) {
  return [&](std::string_view name, auto member, const auto& convert, std::string_view legal = {},
             std::string_view = {}) {
    using Convert = std::decay_t<decltype(convert)>;
    if constexpr (!std::is_same_v<Convert, ReadByHand>) {
      if (!legal.empty()) reader.require(name, legal);
      reader.set(name, convert, object.*member);  // a refused one keeps its initial value
    }
  };
}

}  // namespace weir::chip_sections

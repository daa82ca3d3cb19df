// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "scenario_sections.hpp"

namespace weir::scenario_sections {
namespace {

constexpr std::uint32_t highest_nth = 1'000'000;

// A link is named by the host at its end, or by the port of a switch.
struct NamedLink {
  std::size_t link{0};
  bool by_host{false}, by_end_a{false};
};

NamedLink to_link(const Node& value, const Scenario& scenario) {
  const std::string name = to_text(value);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < scenario.links.size(); ++i) {
    const LinkSpec& link = scenario.links[i];
    for (const bool is_a : {true, false}) {
      const LinkEnd& end = is_a ? link.a : link.b;
      names.push_back(name_of(end, scenario));
      if (names.back() == name) return {i, end.is_host, is_a};
    }
  }
  const std::string meant = nearest(name, names);
  value.fail("must be a host (the link to it) or a port with a link" +
             (meant.empty() ? "" : "; did you mean " + meant + "?"));
}

// Relative to the host or port that names the link.
FaultDirection to_direction(const Node& value, const NamedLink& named) {
  const FaultDirection away = named.by_end_a ? FaultDirection::a_to_b : FaultDirection::b_to_a;
  const FaultDirection back = named.by_end_a ? FaultDirection::b_to_a : FaultDirection::a_to_b;
  const std::array<std::pair<const char*, FaultDirection>, 3> choices{
      {{"both", FaultDirection::both},
       {named.by_host ? "to_switch" : "out", away},
       {named.by_host ? "to_host" : "in", back}}};
  return to_choice(value, choices);
}

std::vector<std::uint32_t> to_nth(const Node& value) {
  std::vector<std::uint32_t> nth = to_numbers(value, highest_nth + 1);
  if (nth.empty() || std::find(nth.begin(), nth.end(), 0U) != nth.end()) {
    value.fail("must be numbers from 1 to " + std::to_string(highest_nth) +
               ", such as 1, \"1-3,7\" or [1, 4]");
  }
  std::sort(nth.begin(), nth.end());
  return nth;
}

// "1/1000", "0.1 %".
void read_share(const Node& value, FaultSpec& fault) {
  const auto share = value.kind == Node::Kind::text ? parse_fraction(value.text) : std::nullopt;
  if (!share || share->part == 0) {
    value.fail(
        "must be more than 0 and at most 1, such as \"1/1000\" or \"0.1 %\", with at most "
        "1000000000 below the line");
  }
  fault.share = share->part;
  fault.share_of = share->whole;
}

// `by` is that of the table, or none.
void read_by(const Node* by, TableReader& reader, FaultSpec& fault) {
  if (fault.action != FaultAction::delay) {
    if (by != nullptr) by->fail("needs action = \"delay\"");
    return;
  }
  if (by == nullptr) reader.node().fail_missing("by", "how much later, such as \"2 us\"");
  fault.by = to_short_time(*by);
}

void read_fault(const TableReader& document, const Node& node, Scenario& scenario) {
  constexpr std::array<std::pair<const char*, FaultFrames>, 3> kinds{
      {{"pfc", FaultFrames::pfc}, {"data", FaultFrames::data}, {"all", FaultFrames::all}}};
  constexpr std::array<std::pair<const char*, FaultAction>, 3> actions{
      {{"lose", FaultAction::lose},
       {"corrupt", FaultAction::corrupt},
       {"delay", FaultAction::delay}}};
  TableReader reader = document.table(node);
  FaultSpec fault;
  const NamedLink named = reader.get(
      "link", [&](const Node& v) { return to_link(v, scenario); },
      "a host (the link to it), or a port such as \"T0.port[2]\"");
  fault.link = named.link;
  // Its words depend on the link.
  const bool link_is_known = reader.good();
  if (const Node* const direction = reader.find("direction"); direction != nullptr && link_is_known)
    reader.attempt([&] { fault.direction = to_direction(*direction, named); });
  fault.frames = reader.get(
      "frames", [&](const Node& v) { return to_choice(v, kinds); }, "pfc, data or all");
  const bool action_is_known = reader.find("action") != nullptr;
  fault.action = reader.get(
      "action", [&](const Node& v) { return to_choice(v, actions); }, "lose, corrupt or delay");
  const Node* const nth = reader.find("nth");
  const Node* const share = reader.find("share");
  reader.attempt([&] {
    if (nth != nullptr && share != nullptr) share->fail("must not be given with nth");
    if (nth == nullptr && share == nullptr)
      node.fail_missing("nth", "which frames, such as 1, or a share such as \"1/1000\"");
    if (nth != nullptr) fault.nth = to_nth(*nth);
    if (share != nullptr) read_share(*share, fault);
  });
  const Node* const by = reader.find("by");
  if (action_is_known) reader.attempt([&] { read_by(by, reader, fault); });
  reader.finish();
  if (reader.good()) scenario.faults.push_back(fault);
}

}  // namespace

void read_faults(TableReader& document, Scenario& scenario) {
  const HostIndex index{scenario};
  for (const Node& node : document.tables("fault")) {
    document.attempt([&] {
      if (node.find("kind") != nullptr)
        read_host_fault(document, node, index, scenario);
      else
        read_fault(document, node, scenario);
    });
  }
}

}  // namespace weir::scenario_sections

// SPDX-License-Identifier: Apache-2.0
#include "policies/abm.hpp"
#include "policies/complete_partitioning.hpp"
#include "policies/complete_sharing.hpp"
#include "policies/dsh.hpp"
#include "policies/dynamic.hpp"
#include "policies/edt.hpp"
#include "policies/fixed.hpp"
#include "policies/two_level.hpp"
#include "weir/core/policies/sharing_policy.hpp"

namespace weir {
namespace {

using namespace policies;

// In the order of their numbers; { of a line, in the RTL } first.
std::vector<PolicyRow> make_table() {
  const auto in_rtl = [](PolicyRow row) {
    row.in_rtl = true;
    return row;
  };
  const auto insured = [](PolicyRow row) {
    row.insured = true;
    row.for_lossy = false;
    return row;
  };
  return {
      in_rtl({Policy::dynamic,
              "dynamic",
              "T = floor(alpha x (B - S)): a share of what is free",
              {&alpha_key},
              dynamic_line}),
      in_rtl({Policy::fixed,
              "static",
              "T = the limit of the profile, whatever is in use",
              {&limit_key},
              fixed_line}),
      in_rtl({Policy::complete_sharing,
              "complete_sharing",
              "T = B: first come, first served",
              {},
              complete_sharing_line}),
      in_rtl({Policy::complete_partitioning,
              "complete_partitioning",
              "T = floor(B / number of sharers): each has its own part",
              {},
              complete_partitioning_line}),
      {Policy::two_level,
       "two_level",
       "dynamic, and all of a port below floor(port_alpha x (B - S))",
       {&alpha_key, &port_alpha_key},
       dynamic_line,
       make_two_level},
      insured({Policy::dsh,
               "dsh",
               "headroom inside the shared segment: XOFF at T - eta, the port at N_q x T, eta a "
               "port",
               {&alpha_key},
               dynamic_line,
               make_dsh}),
      {Policy::abm,
       "abm",
       "dynamic x share of the line that drains / congested ones of the class",
       {&alpha_key, &window_key},
       dynamic_line,
       make_abm},
      {Policy::edt,
       "edt",
       "dynamic, but for a burst: B / number of bursts",
       {&alpha_key, &burst_key},
       dynamic_line,
       make_edt},
  };
}

}  // namespace

const std::vector<PolicyRow>& policy_table() {
  static const std::vector<PolicyRow> table = make_table();
  return table;
}

}  // namespace weir

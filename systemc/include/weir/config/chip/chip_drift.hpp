// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "weir/core/chip.hpp"

namespace weir {

/// A setting that differs from the desired one.
struct Drift {
  std::string key;      ///< Key in the chip file: "profile.lossless.alpha".
  std::string desired;  ///< Value as written there; "none" where the setting does not exist.
  std::string running;

  friend bool operator==(const Drift& a, const Drift& b) {
    return a.key == b.key && a.desired == b.desired && a.running == b.running;
  }
};

/// Every setting of a chip, key and value as text, in the order of the chip file. Settings that all
/// ports share are listed once; `port[3].rate` and the like are for ports that differ from port 0.
/// Sizes are in cells, as they take effect: of the `size` of a pool, what is shared in a domain.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> settings_of(const Chip& chip);

/// Settings in which `running` differs from `desired`; empty when they agree.
[[nodiscard]] std::vector<Drift> drift_between(const Chip& desired, const Chip& running);

/// Whether what software may change while a chip runs is the same in both: threshold, xon and
/// xon_offset of every profile. Cheap.
[[nodiscard]] bool same_running_settings(const Chip& a, const Chip& b);

}  // namespace weir

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/config/format/node.hpp"
#include "weir/config/silicon/silicon_bounds.hpp"

namespace weir {

/// A key of a qos_params file and its number, or list of numbers.
struct QosParam {
  std::string key;
  std::vector<std::int64_t> values;
  bool is_list{false};
  std::optional<SiliconQuantity> quantity;  ///< What it counts; none: it is not a prediction.
};

/// The keys that one test reads, such as `xoff_1`.
struct QosSection {
  std::string name;  ///< Empty: keys outside of a section.
  std::vector<QosParam> params;
  /// Keys that say what is counted: it is compared with a file only where they are the same there.
  std::vector<std::string> conditions;
};

/// What the tests read for a speed and a cable.
struct QosBlock {
  std::string name;                  ///< "40000_300m"
  std::vector<std::string> sources;  ///< Lines of the configuration that made it.
  std::vector<QosSection> sections;
};

/// A qos_params.*.yaml of sonic-net/sonic-mgmt (tests/qos/files).
struct QosParams {
  std::string folder, asic;  ///< `asic`: the key of the chip, such as "td2".
  std::uint64_t cells_per_packet{1};
  std::vector<QosSection> topology;  ///< What they read for all speeds and cables.
  std::vector<QosBlock> blocks;
};

/// The file, in topology `topo-any`.
[[nodiscard]] std::string to_yaml(const QosParams& params);

/// A number of a file, with the keys above it.
struct QosFileLine {
  Origin place;
  std::vector<std::string> path;  ///< "qos_params", "td2", "topo-any", "40000_300m", "xoff_1", ...
  std::vector<std::int64_t> values;
};

/// The numbers of a qos_params.*.yaml: mappings by indentation, numbers and lists of numbers in
/// brackets. Other values are passed over.
/// Errors: FileError with the line: no such file, a tab in the indentation, a line that is neither
/// a key nor an entry of a list.
[[nodiscard]] std::vector<QosFileLine> read_qos_params(const std::filesystem::path& file);

/// A number that is not what it was compared with.
struct QosDifference {
  Origin place;
  std::string path;
  std::int64_t published{0}, predicted{0};
};

struct QosComparison {
  std::size_t compared{0};
  std::vector<QosDifference> stale;  ///< Outside of usual_bound().
};

/// Compares the numbers of a file that `params` has as well: of its chip, or of any where the file
/// has no block of that chip; of every topology; in blocks of the same speed and cable, and in
/// sections outside of such blocks: those of `topology`, or of the only block.
[[nodiscard]] QosComparison compare_qos(const QosParams& params,
                                        const std::vector<QosFileLine>& lines);

}  // namespace weir

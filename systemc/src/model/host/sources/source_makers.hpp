// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "weir/model/host/source.hpp"

namespace weir {

// One for each kind of traffic; the table is in source.cpp.
[[nodiscard]] std::unique_ptr<Source> make_constant_source(const TrafficSpec& traffic,
                                                           const SourcePlace& place);
[[nodiscard]] std::unique_ptr<Source> make_poisson_source(const TrafficSpec& traffic,
                                                          const SourcePlace& place);
[[nodiscard]] std::unique_ptr<Source> make_on_off_source(const TrafficSpec& traffic,
                                                         const SourcePlace& place);
[[nodiscard]] std::unique_ptr<Source> make_incast_source(const TrafficSpec& traffic,
                                                         const SourcePlace& place);
[[nodiscard]] std::unique_ptr<Source> make_message_source(const TrafficSpec& traffic,
                                                          const SourcePlace& place);
[[nodiscard]] std::unique_ptr<Source> make_replay_source(const TrafficSpec& traffic,
                                                         const SourcePlace& place);

}  // namespace weir

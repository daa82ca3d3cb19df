// SPDX-License-Identifier: Apache-2.0
#include "policies/two_level.hpp"

#include <algorithm>

#include "policies/shares.hpp"

namespace weir::policies {
namespace {

class TwoLevel final : public SharingPolicy {
 public:
  [[nodiscard]] std::unique_ptr<SharingPolicy> clone() const override {
    return std::make_unique<TwoLevel>(*this);
  }
  [[nodiscard]] Cells limit(const SharingSlot& slot,
                            const SharingView& view) const noexcept override {
    const Threshold port_line{slot.pool, slot.setting.port_alpha, Cells{}};
    return std::min(slot.line.at(view.used),
                    own_part(slot.held.shared, port_line.at(view.used).count(), view.port_shared));
  }
};

}  // namespace

std::unique_ptr<SharingPolicy> make_two_level(const SharingShape&) {
  return std::make_unique<TwoLevel>();
}

}  // namespace weir::policies

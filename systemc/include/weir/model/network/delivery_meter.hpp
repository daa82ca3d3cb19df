// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "weir/core/units.hpp"
#include "weir/model/observer.hpp"

namespace weir {

/// Counts what hosts receive from a moment on: frames whose last bit comes in then or later.
class DeliveryMeter final : public Observer {
 public:
  explicit DeliveryMeter(Picoseconds from) : from_{from} {}

  void delivered(const std::string&, const Frame& frame, Picoseconds last_bit) override {
    if (last_bit < from_) return;
    wire_bytes_ += Bytes{frame.length + preamble_bytes.count() + interframe_gap_bytes.count()};
  }
  /// Their bytes, preamble and gap counted.
  [[nodiscard]] Bytes wire_bytes() const noexcept { return wire_bytes_; }

 private:
  const Picoseconds from_;
  Bytes wire_bytes_;
};

}  // namespace weir

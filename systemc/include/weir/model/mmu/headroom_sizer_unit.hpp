// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "weir/core/chip.hpp"
#include "weir/model/mmu/block_interfaces.hpp"

namespace weir {

/// Sizes the headroom of a switch: when the MMU is elaborated, what profiles ask for by
/// `headroom = { cable, method }`; while the model runs, whatever it is asked.
///
/// Source: docs/blocks/headroom_sizer.md.
class HeadroomSizerUnit : public MmuBlock<HeadroomSizerIf> {
 public:
  HeadroomSizerUnit(const sc_core::sc_module_name& name, const Chip& chip)
      : MmuBlock{name}, chip_{chip} {
    for (ProfileIndex profile; profile < chip.profiles.end_index(); ++profile)
      profiles_.push_back(profile_headroom(chip, profile));
  }

  [[nodiscard]] HeadroomResult need(std::string_view method, PortId port,
                                    Millimetres cable) const override {
    return size_headroom(method, headroom_port(chip_, port, cable));
  }
  [[nodiscard]] IndexedVector<ProfileIndex, Cells> profiles() const override { return profiles_; }

 private:
  const Chip chip_;
  IndexedVector<ProfileIndex, Cells> profiles_;
};

}  // namespace weir

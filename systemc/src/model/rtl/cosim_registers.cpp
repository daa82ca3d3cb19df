// SPDX-License-Identifier: Apache-2.0
// What Cosim writes through the registers while requests go on.
#include <fmt/format.h>

#include "weir/model/rtl/cosim.hpp"
#include "weir/model/rtl/register_shelf.hpp"

namespace weir {
namespace {

constexpr std::uint64_t max_apb_cycles = 100'000;

}  // namespace

void Cosim::list_settings() {
  settings_.clear();
  const RegisterTarget target = registers_->target(*mmu_, 0);
  for (const RegisterBlock& block : register_map())
    for (const Register& reg : block.registers) {
      const bool written = reg.access == RegisterAccess::rw || reg.access == RegisterAccess::w1c;
      if (!written || reg.outside) continue;
      for (std::size_t index = 0; index < block.instances(chip_); ++index)
        settings_.push_back(
            {&block, &reg, index, static_cast<std::uint32_t>(reg.read(target, index))});
    }
}

// Small values more often than large ones: those are where packets come and go.
std::uint32_t Cosim::draw_value(const Setting& setting) {
  std::uint64_t value = 0;
  for (const LegalField& field : setting.reg->legal) {
    const std::uint64_t span = std::uint64_t{field.most} - field.least;
    const std::uint64_t most = std::uint64_t{1} << traffic_->draw(field.width + 1);
    value |= (field.least + traffic_->draw(std::min(most, span + 1))) << field.low;
  }
  return static_cast<std::uint32_t>(value);
}

// Every third time the setting of the chip file comes back.
void Cosim::begin_write() {
  const Setting& setting = settings_[traffic_->draw(settings_.size())];
  Write write{&setting, setting.original};
  if (traffic_->draw(3) != 0) write.value = draw_value(setting);
  if (!is_legal(*setting.reg, chip_, write.value)) return;
  writing_ = write;
  rtl_->begin_write(rtl_->address_of(*setting.block, *setting.reg, setting.index), write.value);
}

// It acts on the requests of the cycle that answers.
void Cosim::take_write() {
  if (!writing_) return;
  const Setting& setting = *writing_->setting;
  if (!rtl_->answers()) {
    if (++writing_->waited < max_apb_cycles) return;
    throw ModelError(fmt::format("{}: a write of {}.{}[{}] is never answered", library_.path(),
                                 setting.block->name, setting.reg->name, setting.index));
  }
  ++compared_;
  if (rtl_->refuses() && comparing_)
    differ(
        {fmt::format("register {}.{}[{}]", setting.block->name, setting.reg->name, setting.index),
         "pslverr_o", "0", "1"});
  RegisterTarget target = registers_->target(*mmu_, rtl_->cycle());
  setting.reg->write(target, setting.index, writing_->value);
  ++writes_;
  writing_.reset();
}

}  // namespace weir

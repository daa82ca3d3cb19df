// SPDX-License-Identifier: Apache-2.0
#include "weir/core/host/mtt_cache.hpp"

namespace weir {

MttCache::MttCache(std::uint32_t entries, Bytes page, MttReplacement replacement,
                   RandomStream draws)
    : entries_{entries}, page_{page}, replacement_{replacement}, draws_{draws} {}

std::uint32_t MttCache::translate(std::uint64_t address, Bytes length) {
  const std::uint64_t last = (address + length.count() - 1) / page_.count();
  std::uint32_t missed = 0;
  for (std::uint64_t page = address / page_.count(); page <= last; ++page)
    if (!look_up(page)) ++missed;
  return missed;
}

bool MttCache::look_up(std::uint64_t page) {
  const auto found = slot_of_page_.find(page);
  if (found != slot_of_page_.end()) {
    ++hits_;
    if (replacement_ == MttReplacement::lru && found->second != newest_) {
      unlink(found->second);
      link_newest(found->second);
    }
    return true;
  }
  ++misses_;
  std::uint32_t slot = 0;
  if (slots_.size() < entries_) {
    slot = static_cast<std::uint32_t>(slots_.size());
    slots_.emplace_back();
  } else {
    slot = victim();
    slot_of_page_.erase(slots_[slot].page);
    unlink(slot);
  }
  slots_[slot].page = page;
  slot_of_page_.emplace(page, slot);
  link_newest(slot);
  return false;
}

std::uint32_t MttCache::victim() noexcept {
  if (replacement_ != MttReplacement::random) return oldest_;
  return static_cast<std::uint32_t>(draws_.uniform(slots_.size()));
}

void MttCache::unlink(std::uint32_t slot) noexcept {
  const Slot& gone = slots_[slot];
  (gone.newer == none ? newest_ : slots_[gone.newer].older) = gone.older;
  (gone.older == none ? oldest_ : slots_[gone.older].newer) = gone.newer;
}

void MttCache::link_newest(std::uint32_t slot) noexcept {
  slots_[slot].newer = none;
  slots_[slot].older = newest_;
  (newest_ == none ? oldest_ : slots_[newest_].newer) = slot;
  newest_ = slot;
}

}  // namespace weir

// SPDX-License-Identifier: Apache-2.0
// The border between C and the core: numbers instead of objects, codes instead of exceptions.
#include "weir_mmu.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "numbered_objects.hpp"
#include "reference_mmu.hpp"
#include "refused.hpp"
#include "weir/config/chip/chip_file.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/policies/sharing_policy.hpp"

namespace weir::c {
namespace {

static_assert(static_cast<int>(Reason::wred) == WEIR_MMU_WRED);
static_assert(static_cast<int>(Reason::egress_queue) == WEIR_MMU_EGRESS_QUEUE);
static_assert(static_cast<int>(Reason::headroom_pool) == WEIR_MMU_HEADROOM_POOL);
static_assert(static_cast<int>(Reason::headroom_limit) == WEIR_MMU_HEADROOM_LIMIT);
static_assert(static_cast<int>(Reason::shared_pool) == WEIR_MMU_SHARED_POOL);
static_assert(static_cast<int>(Reason::shared_threshold) == WEIR_MMU_SHARED_THRESHOLD);
static_assert(static_cast<int>(Reason::admitted) == WEIR_MMU_ADMITTED);

using OpenMmus = NumberedObjects<ReferenceMmu, WEIR_MMU_MAX_OPEN>;

// A caller in C holds a number and nothing else, so what it means is kept here.
OpenMmus& open_mmus() {
  static OpenMmus all;
  return all;
}

// Of this thread. Not a string: it must be written even where memory is used up.
std::array<char, 4096>& last_error() noexcept {
  thread_local std::array<char, 4096> text{};
  return text;
}

weir_mmu_status fail(const char* function, weir_mmu_status status, std::string_view why) noexcept {
  std::array<char, 4096>& text = last_error();
  std::size_t length = 0;
  for (const std::string_view part : {std::string_view{function}, std::string_view{": "}, why}) {
    const std::size_t fits = std::min(part.size(), text.size() - 1 - length);
    std::memcpy(text.data() + length, part.data(), fits);
    length += fits;
  }
  text[length] = '\0';
  return status;
}

// Calls `f`; an exception becomes a code.
template <class F>
weir_mmu_status guarded(const char* function, F&& f) noexcept {
  try {
    f();
    return WEIR_MMU_OK;
  } catch (const Refused& refused) {
    return fail(function, refused.status(), refused.what());
  } catch (const ConfigError& error) {
    return fail(function, WEIR_MMU_CONFIG, error.what());
  } catch (const std::bad_alloc&) {
    return fail(function, WEIR_MMU_FULL, "memory is used up");
  } catch (const std::exception& error) {
    return fail(function, WEIR_MMU_INTERNAL, error.what());
  } catch (...) {
    return fail(function, WEIR_MMU_INTERNAL, "an unknown exception");
  }
}

// The same with the MMU of a number.
template <class F>
weir_mmu_status with(weir_mmu mmu, const char* function, F&& f) noexcept {
  return guarded(function, [&] {
    ReferenceMmu* const open = open_mmus().find(mmu);
    if (open == nullptr) throw Refused{WEIR_MMU_HANDLE, std::to_string(mmu) + " is not open"};
    f(*open);
  });
}

void open(const Chip& chip, weir_mmu& mmu) {
  const weir_mmu number = open_mmus().put(std::make_unique<ReferenceMmu>(chip));
  if (number == 0)
    throw Refused{WEIR_MMU_FULL, std::to_string(WEIR_MMU_MAX_OPEN) + " MMUs are open"};
  mmu = number;
}

}  // namespace
}  // namespace weir::c

using weir::c::given;
using weir::c::guarded;
using weir::c::ReferenceMmu;
using weir::c::sized;
using weir::c::with;

extern "C" {

uint32_t weir_mmu_version(void) { return WEIR_MMU_VERSION_MAJOR << 16 | WEIR_MMU_VERSION_MINOR; }

const char* weir_mmu_last_error(void) { return weir::c::last_error().data(); }

weir_mmu_status weir_mmu_open(const char* chip_file, weir_mmu* mmu) {
  return guarded(__func__, [&] {
    static_cast<void>(given("chip_file", chip_file));
    weir::c::open(weir::load_chip(chip_file), given("mmu", mmu));
  });
}

weir_mmu_status weir_mmu_open_text(const char* text, size_t length, const char* name,
                                   weir_mmu* mmu) {
  return guarded(__func__, [&] {
    static_cast<void>(given("text", text));
    static_cast<void>(given("name", name));
    weir::c::open(weir::parse_chip({text, length}, name), given("mmu", mmu));
  });
}

weir_mmu_status weir_mmu_close(weir_mmu mmu) {
  return guarded(__func__, [&] {
    if (!weir::c::open_mmus().remove(mmu))
      throw weir::c::Refused{WEIR_MMU_HANDLE, std::to_string(mmu) + " is not open"};
  });
}

weir_mmu_status weir_mmu_chip(weir_mmu mmu, weir_mmu_chip_info* chip) {
  return with(mmu, __func__, [&](ReferenceMmu& m) { sized("chip", chip) = m.chip(); });
}

weir_mmu_status weir_mmu_cells(weir_mmu mmu, uint32_t bytes, uint32_t* cells) {
  return with(mmu, __func__, [&](ReferenceMmu& m) { given("cells", cells) = m.cells(bytes); });
}

weir_mmu_status weir_mmu_arrive(weir_mmu mmu, const weir_mmu_arrival* arrival,
                                weir_mmu_verdict* verdict) {
  return with(mmu, __func__, [&](ReferenceMmu& m) {
    weir_mmu_verdict& result = sized("verdict", verdict);
    result = m.arrive(sized("arrival", arrival));
  });
}

weir_mmu_status weir_mmu_arrive_copies(weir_mmu mmu, const weir_mmu_arrival* arrival,
                                       weir_mmu_copy* copies, uint32_t count,
                                       weir_mmu_verdict* verdict) {
  return with(mmu, __func__, [&](ReferenceMmu& m) {
    weir_mmu_verdict& result = sized("verdict", verdict);
    static_cast<void>(given("copies", copies));
    result = m.arrive(sized("arrival", arrival), copies, count);
  });
}

weir_mmu_status weir_mmu_mark(weir_mmu mmu, uint32_t queue, uint32_t cells, uint32_t bytes,
                              uint32_t ecn, uint64_t now, uint8_t* marked) {
  return with(mmu, __func__, [&](ReferenceMmu& m) {
    uint8_t& result = given("marked", marked);
    result = m.mark(queue, cells, bytes, ecn, now) ? 1 : 0;
  });
}

weir_mmu_status weir_mmu_discard(weir_mmu mmu, uint32_t queue, uint32_t cells, uint64_t now) {
  return with(mmu, __func__, [&](ReferenceMmu& m) { m.discard(queue, cells, now); });
}

weir_mmu_status weir_mmu_enter_later(weir_mmu mmu) {
  return with(mmu, __func__, [&](ReferenceMmu& m) { m.enter_later(); });
}

weir_mmu_status weir_mmu_enter(weir_mmu mmu, uint32_t queue, uint32_t cells, uint32_t bytes,
                               uint32_t ecn, uint64_t now, uint8_t* marked) {
  return with(mmu, __func__, [&](ReferenceMmu& m) {
    uint8_t& result = given("marked", marked);
    result = m.enter(queue, cells, bytes, ecn, now) ? 1 : 0;
  });
}

weir_mmu_status weir_mmu_release(weir_mmu mmu, const weir_mmu_departure* departure,
                                 weir_mmu_level* level) {
  return with(mmu, __func__, [&](ReferenceMmu& m) {
    weir_mmu_level& result = sized("level", level);
    result = m.release(sized("departure", departure));
  });
}

weir_mmu_status weir_mmu_threshold(weir_mmu mmu, uint32_t pg, uint64_t now, uint32_t* cells) {
  return with(mmu, __func__,
              [&](ReferenceMmu& m) { given("cells", cells) = m.threshold(pg, now); });
}

weir_mmu_status weir_mmu_queue_threshold(weir_mmu mmu, uint32_t queue, uint32_t domain,
                                         uint64_t now, uint32_t* cells) {
  return with(mmu, __func__, [&](ReferenceMmu& m) {
    given("cells", cells) = m.queue_threshold(queue, domain, now);
  });
}

weir_mmu_status weir_mmu_xoff_classes(weir_mmu mmu, uint32_t port, uint8_t* classes) {
  return with(mmu, __func__,
              [&](ReferenceMmu& m) { given("classes", classes) = m.xoff_classes(port); });
}

weir_mmu_status weir_mmu_counter(weir_mmu mmu, const char* sai_name, uint32_t index,
                                 uint64_t* value) {
  return with(mmu, __func__, [&](ReferenceMmu& m) {
    given("value", value) = m.counter(&given("sai_name", sai_name), index);
  });
}

weir_mmu_status weir_mmu_register(weir_mmu mmu, const char* name, uint32_t index,
                                  uint32_t* address) {
  return with(mmu, __func__, [&](ReferenceMmu& m) {
    given("address", address) = m.register_at(&given("name", name), index);
  });
}

weir_mmu_status weir_mmu_read32(weir_mmu mmu, uint32_t address, uint64_t now, uint32_t* value) {
  return with(mmu, __func__, [&](ReferenceMmu& m) {
    uint32_t& result = given("value", value);  // before the read, which may latch
    result = m.read(address, now);
  });
}

weir_mmu_status weir_mmu_write32(weir_mmu mmu, uint32_t address, uint64_t now, uint32_t value) {
  return with(mmu, __func__, [&](ReferenceMmu& m) { m.write(address, now, value); });
}

weir_mmu_status weir_mmu_snapshot(weir_mmu mmu, uint64_t now, weir_mmu_group* groups,
                                  size_t group_size, uint32_t* count) {
  return with(mmu, __func__, [&](ReferenceMmu& m) {
    uint32_t& room = given("count", count);
    weir::c::require_size("group_size", group_size, sizeof(weir_mmu_group));
    const std::vector<weir_mmu_group> all = m.snapshot(now);
    if (groups != nullptr && room < all.size())
      throw weir::c::Refused{WEIR_MMU_SIZE, "*count = " + std::to_string(room) + ": there are " +
                                                std::to_string(all.size()) + " priority groups"};
    if (groups != nullptr) std::copy(all.begin(), all.end(), groups);
    room = m.groups();
  });
}

}  // extern "C"

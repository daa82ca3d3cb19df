// SPDX-License-Identifier: Apache-2.0
#include "rtl_block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "weir/core/errors.hpp"

namespace weir {
namespace {

constexpr unsigned cycles_of_reset = 4;

}  // namespace

RtlBlock::RtlBlock(const RtlBlockLibrary& library, std::string node, std::string path,
                   std::function<void(Picoseconds now)> run_to, Picoseconds lag)
    : library_{library},
      block_{library_.api().create(library_.api().module)},
      node_{std::move(node)},
      path_{std::move(path)},
      run_to_{std::move(run_to)},
      lag_{lag} {}

RtlBlock::~RtlBlock() {
  close_wave();
  library_.api().destroy(block_);
}

RtlPin RtlBlock::pin(const char* name, std::uint32_t bits, bool input) {
  std::uint32_t count = 0;
  const weir_block_pin* const pins = library_.api().pins(block_, &count);
  const weir_block_pin* const found = std::find_if(
      pins, pins + count, [&](const weir_block_pin& p) { return std::strcmp(p.name, name) == 0; });
  const std::string wanted = fmt::format("must have the {} {} of {} bits, as rtl/files.f's {} has",
                                         input ? "input" : "output", name, bits, library_.block());
  if (found == pins + count)
    throw ConfigError("--block", library_.path() + ": no pin " + name, wanted);
  if (found->bits != bits || (found->input != 0) != input)
    throw ConfigError("--block",
                      fmt::format("{}: {} {} of {} bits", library_.path(),
                                  found->input != 0 ? "input" : "output", name, found->bits),
                      wanted);
  asked_.emplace_back(name);
  return {found->data, found->bytes};
}

void RtlBlock::require_no_other_pins() const {
  std::uint32_t count = 0;
  const weir_block_pin* const pins = library_.api().pins(block_, &count);
  for (std::uint32_t i = 0; i < count; ++i)
    if (std::find(asked_.begin(), asked_.end(), pins[i].name) == asked_.end())
      throw ConfigError("--block", fmt::format("{}: pin {}", library_.path(), pins[i].name),
                        fmt::format("must not be there: {} has no such pin", library_.block()));
}

void RtlBlock::reset(RtlPin& clock, RtlPin& reset) {
  for (unsigned i = 0; i < cycles_of_reset; ++i) {
    clock.set(0, 1, 1);
    settle();
    clock.set(0, 1, 0);
    settle();
  }
  reset.set(0, 1, 1);
  settle();
}

void RtlBlock::rise(RtlPin& clock, Picoseconds middle, Picoseconds edge) {
  settle();
  show(middle);
  clock.set(0, 1, 1);
  settle();
  show(edge);
  clock.set(0, 1, 0);
}

void RtlBlock::show(Picoseconds time) {
  if (!waving() || hidden_ || (any_shown_ && time <= shown_)) return;
  any_shown_ = true;
  shown_ = time;
  library_.api().wave_dump(block_, time.count());
  taker_(time, text_);
  text_.clear();
}

std::string RtlBlock::open_wave(Taker taker) {
  taker_ = std::move(taker);
  const auto write = [](void* text, const char* more, std::uint64_t length) {
    static_cast<std::string*>(text)->append(more, length);
  };
  text_.clear();
  library_.api().wave_open(block_, write, &text_);
  return std::exchange(text_, {});
}

void RtlBlock::close_wave() {
  if (waving()) library_.api().wave_close(block_);
  taker_ = nullptr;
}

void require_counts(const RtlBlockLibrary& library, const std::string& node, std::uint64_t cells) {
  const std::uint64_t most = (std::uint64_t{1} << library.parameter("CellW")) - 1;
  if (most < cells)
    throw ConfigError(node + ": cells", std::to_string(cells),
                      fmt::format("must be up to {} with --block {}", most, library.block()));
}

std::string place_of(PgIndex pg) {
  return fmt::format("port {}, PG {}", port_of(pg).count(), number_in_port(pg).count());
}
std::string place_of(QueueIndex queue) {
  return fmt::format("port {}, queue {}", port_of(queue).count(), number_in_port(queue).count());
}
std::string place_of(PoolNumber pool) { return fmt::format("pool {}", pool.value()); }
std::string place_of(EgressPoolNumber pool) { return fmt::format("egress pool {}", pool.value()); }

}  // namespace weir

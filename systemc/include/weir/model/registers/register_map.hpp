// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/core/mmu.hpp"
#include "weir/model/registers/pfc_registers.hpp"
#include "weir/model/switch/port_counters.hpp"

namespace weir {

/// What the registers show and change. Borrowed from the MMU module.
struct RegisterTarget {
  Mmu& mmu;
  PfcGeneratorRegisters& pfc_generator;
  PfcReceiverRegisters& pfc_receiver;
  std::vector<PortCounters>& ports;
  Cycle now;  ///< Of the access; matters to pause times, and to T with a threshold_lag.
};

/// What software may do with a register.
enum class RegisterAccess : std::uint8_t {
  ro,   ///< Read only.
  rw,   ///< Read and write.
  w1c,  ///< Writing 1 clears what the description says, 0 does nothing; reads as 0.
  cfg,  ///< Configuration: read only in the model, writable in the RTL until chip.start.
  w1s,  ///< Writing 1 sets it for good, 0 does nothing.
};

/// What a chip has several of.
enum class RegisterCount : std::uint8_t {
  none,
  ports,
  domains,
  profiles,
  pools,
  queue_profiles,
  egress_pools,
  wred_profiles,
  wred_ports,  ///< Ports of a chip that has WRED profiles; else none.
};
constexpr std::size_t register_counts = 9;

/// How many of `count` a chip has. Range: not none.
[[nodiscard]] std::size_t count_of(const Chip& chip, RegisterCount count);

/// What one field of a written word may be.
struct LegalField {
  unsigned low{0}, width{32};  ///< Bits [low + width - 1 : low].
  std::uint32_t least{0}, most{0xffff'ffffU};
  RegisterCount below{RegisterCount::none};  ///< Not none: the value is below this count, too.
  bool or_none{false};                       ///< All ones is legal, too, and means none.
  std::string_view name{"value"};            ///< Name of the field in descriptions for tools.
};

/// One register of a block: a word of 32 bit, or a counter of 64 bit in two words, low word first.
struct Register {
  std::string_view name;
  std::uint32_t offset{0};  ///< Within its block, bytes.
  unsigned words{1};        ///< 1 or 2.
  RegisterAccess access{RegisterAccess::ro};
  std::string_view reset;  ///< As the document says it: a number, or where the value comes from.
  std::string_view meaning;
  std::function<std::uint64_t(const RegisterTarget& target, std::size_t index)> read{};
  /// The legal fields of a written word, which cover all bits; empty for ro.
  std::vector<LegalField> legal{};
  /// Writes a rw, w1c or w1s register. Range: a legal value.
  void (*write)(RegisterTarget& target, std::size_t index, std::uint32_t value){nullptr};
  /// Counted at the MACs, outside of the MMU: RTL of the MMU alone shows 0.
  bool outside{false};
};

/// Whether `value` may be written to a register of `chip`. Range: not ro.
[[nodiscard]] bool is_legal(const Register& reg, const Chip& chip, std::uint32_t value);

/// Registers that exist once for each of a kind of thing: instance i starts at base + i * stride.
struct RegisterBlock {
  std::string_view name;
  std::uint32_t base{0}, stride{0};
  std::string_view index;  ///< What counts the instances.
  /// The number of instances is the product of these and, with `by_priority`, 8.
  std::vector<RegisterCount> counts;
  bool by_priority{false};
  std::vector<Register> registers;
  /// The instances as they lie in memory, for direct access; none: no direct access.
  const void* (*memory)(const Mmu& mmu){nullptr};

  [[nodiscard]] std::size_t instances(const Chip& chip) const;
};

/// All registers that model and RTL share, in one place: the CSR block, docs/reference/registers.md
/// and the tests walk this table.
///
/// Units:  whole cells, packets, bytes, as each register says. Addresses are bytes.
/// Source: docs/design/contract.md, 4; meanings follow SAI [SAI] where it has a name for them.
[[nodiscard]] const std::vector<RegisterBlock>& register_map();

/// A word of the map.
struct RegisterWord {
  const RegisterBlock* block{nullptr};
  const Register* reg{nullptr};
  std::size_t index{0};  ///< Instance of the block.
  unsigned word{0};      ///< 0 low, 1 high.
};

/// The word at `address` of `chip`; none where nothing is. Range: a multiple of 4.
[[nodiscard]] std::optional<RegisterWord> find_register(const Chip& chip, std::uint64_t address);

/// Address of a register by its name, "block.register"; none when there is no such register.
[[nodiscard]] std::optional<std::uint64_t> register_address(std::string_view name,
                                                            std::size_t index = 0);

/// What software may do with a register, as the document says it: RO, RW, W1C, CFG or W1S.
[[nodiscard]] std::string_view to_string(RegisterAccess access);

/// The map as the document docs/reference/registers.md.
[[nodiscard]] std::string registers_markdown();

}  // namespace weir

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "weir/core/index.hpp"

/// Indices as tests write them: 11_pg is PG 3 of port 1.
namespace weir::test::index_literals {

constexpr PgIndex operator""_pg(unsigned long long value) noexcept { return PgIndex{value}; }
constexpr QueueIndex operator""_queue(unsigned long long value) noexcept {
  return QueueIndex{value};
}
constexpr PoolIndex operator""_pool(unsigned long long value) noexcept { return PoolIndex{value}; }
constexpr EgressPoolIndex operator""_egress_pool(unsigned long long value) noexcept {
  return EgressPoolIndex{value};
}

}  // namespace weir::test::index_literals

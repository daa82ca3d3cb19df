// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <utility>
#include <vector>

#include "weir/core/units.hpp"

namespace weir {

/// A place in lists of one kind. Kinds never mix: a queue where a PG is due does not compile, nor
/// does a bare integer.
///
/// Errors: none. IndexedVector takes only the index of its kind.
template <class Tag>
class Index {
 public:
  constexpr Index() noexcept = default;
  constexpr explicit Index(std::size_t value) noexcept : value_{value} {}
  [[nodiscard]] constexpr std::size_t value() const noexcept { return value_; }

  constexpr Index& operator++() noexcept {
    ++value_;
    return *this;
  }
  friend constexpr bool operator==(Index a, Index b) noexcept { return a.value_ == b.value_; }
  friend constexpr bool operator!=(Index a, Index b) noexcept { return a.value_ != b.value_; }
  friend constexpr bool operator<(Index a, Index b) noexcept { return a.value_ < b.value_; }
  friend std::ostream& operator<<(std::ostream& out, Index index) { return out << index.value_; }

 private:
  std::size_t value_{0};
};

using PgIndex = Index<struct PgTag>;                         ///< port x 8 + PG
using QueueIndex = Index<struct QueueTag>;                   ///< port x 8 + queue
using PoolIndex = Index<struct PoolTag>;                     ///< ingress pool x domains + domain
using EgressPoolIndex = Index<struct EgressPoolTag>;         ///< egress pool x domains + domain
using PoolNumber = Index<struct PoolNumberTag>;              ///< of Chip::ingress_pools
using EgressPoolNumber = Index<struct EgressPoolNumberTag>;  ///< of Chip::egress_pools
using ProfileIndex = Index<struct ProfileTag>;               ///< of Chip::profiles
using QueueProfileIndex = Index<struct QueueProfileTag>;     ///< of Chip::queue_profiles
using WredProfileIndex = Index<struct WredProfileTag>;       ///< of Chip::wred_profiles

/// An index in 4 bytes, for records of which there are many. It is read and set as its Index.
///
/// Range: below 2^32.
template <class I>
class Packed {
 public:
  constexpr Packed() noexcept = default;
  // NOLINTNEXTLINE(google-explicit-constructor): the same index, of the same kind
  constexpr Packed(I index) noexcept : value_{static_cast<std::uint32_t>(index.value())} {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  constexpr operator I() const noexcept { return I{value_}; }
  [[nodiscard]] constexpr std::size_t value() const noexcept { return value_; }

 private:
  std::uint32_t value_{0};
};

/// The port of a loop over all ports of a chip.
[[nodiscard]] constexpr PortId port_id(std::size_t index) noexcept {
  return PortId{static_cast<PortId::rep>(index)};
}

/// The priority, PG or queue of a loop over all eight.
[[nodiscard]] constexpr Priority priority_id(std::size_t index) noexcept {
  return Priority{static_cast<Priority::rep>(index)};
}

/// Of a PgIndex or a QueueIndex, for what treats both alike.
template <class I>
[[nodiscard]] constexpr I index_in_port(PortId port, Priority number) noexcept {
  return I{port.count() * priorities + number.count()};
}
[[nodiscard]] constexpr PgIndex pg_index(PortId port, Priority pg) noexcept {
  return index_in_port<PgIndex>(port, pg);
}
[[nodiscard]] constexpr QueueIndex queue_index(PortId port, Priority queue) noexcept {
  return index_in_port<QueueIndex>(port, queue);
}
[[nodiscard]] constexpr PortId port_of(PgIndex pg) noexcept {
  return port_id(pg.value() / priorities);
}
[[nodiscard]] constexpr PortId port_of(QueueIndex queue) noexcept {
  return port_id(queue.value() / priorities);
}
/// The PG, or the queue, of its port: 0 to 7.
[[nodiscard]] constexpr Priority number_in_port(PgIndex pg) noexcept {
  return priority_id(pg.value() % priorities);
}
[[nodiscard]] constexpr Priority number_in_port(QueueIndex queue) noexcept {
  return priority_id(queue.value() % priorities);
}

/// The entries of an IndexedVector by their address alone, for code that reads them at every step:
/// no indirection through the vector. Range: valid until the vector is resized.
template <class I, class T>
class Rows {
 public:
  explicit Rows(T* first) noexcept : first_{first} {}
  [[nodiscard]] T& operator[](I index) const noexcept { return first_[index.value()]; }

 private:
  T* first_;
};

/// A vector that takes only the index of its kind.
template <class I, class T>
class IndexedVector {
 public:
  using Reference = typename std::vector<T>::reference;
  using ConstReference = typename std::vector<T>::const_reference;

  IndexedVector() = default;
  explicit IndexedVector(std::size_t size, const T& value = T{}) : values_(size, value) {}
  explicit IndexedVector(std::vector<T> values) : values_{std::move(values)} {}
  IndexedVector& operator=(std::initializer_list<T> values) {
    values_ = values;
    return *this;
  }

  [[nodiscard]] Reference operator[](I index) noexcept { return values_[index.value()]; }
  [[nodiscard]] ConstReference operator[](I index) const noexcept { return values_[index.value()]; }
  [[nodiscard]] Rows<I, T> rows() noexcept { return Rows<I, T>{values_.data()}; }
  /// Errors: std::out_of_range.
  [[nodiscard]] T& at(I index) { return values_.at(index.value()); }
  [[nodiscard]] const T& at(I index) const { return values_.at(index.value()); }
  [[nodiscard]] T& front() noexcept { return values_.front(); }
  [[nodiscard]] const T& front() const noexcept { return values_.front(); }
  [[nodiscard]] T& back() noexcept { return values_.back(); }
  [[nodiscard]] const T& back() const noexcept { return values_.back(); }
  [[nodiscard]] bool empty() const noexcept { return values_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return values_.size(); }
  void resize(std::size_t size) { values_.resize(size); }
  void assign(std::size_t size, const T& value) { values_.assign(size, value); }
  void push_back(const T& value) { values_.push_back(value); }
  /// One past the last index.
  [[nodiscard]] I end_index() const noexcept { return I{values_.size()}; }
  [[nodiscard]] auto begin() noexcept { return values_.begin(); }
  [[nodiscard]] auto end() noexcept { return values_.end(); }
  [[nodiscard]] auto begin() const noexcept { return values_.begin(); }
  [[nodiscard]] auto end() const noexcept { return values_.end(); }

 private:
  std::vector<T> values_;
};

}  // namespace weir

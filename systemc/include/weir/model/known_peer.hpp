// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace weir {

/// The module that a port is bound to, called at every packet. It is nearly always the model's own
/// `Known`, a final class: then there is no virtual call, so that a compiler can inline it. A
/// user's module, or RTL, in its place is called through `Interface`.
///
/// `Known` must be a complete type where a KnownPeer is constructed and where call() is used.
template <class Interface, class Known>
class KnownPeer {
 public:
  KnownPeer() = default;
  /// With `through_interface` the peer is called through `Interface`, whatever it is.
  explicit KnownPeer(Interface* peer, bool through_interface)
      : peer_{peer}, known_{through_interface ? nullptr : dynamic_cast<Known*>(peer)} {}

  /// What `f` returns of the peer. Range: there is one.
  template <class F>
  decltype(auto) call(F&& f) const {
    return known_ != nullptr ? f(*known_) : f(*peer_);
  }

  /// The same where it is a `Known`; nullptr otherwise.
  [[nodiscard]] Known* known() const noexcept { return known_; }

 private:
  Interface* peer_{nullptr};
  Known* known_{nullptr};
};

}  // namespace weir

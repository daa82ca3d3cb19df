// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace weir {

/// What a port of a module is bound to, called at every packet: nearly always the model's own
/// `Known`, a final class, and then without a virtual call, so that a compiler may inline it. A
/// module of a user's own, or RTL, in its place is called through `Interface`.
///
/// Where it is made, `Known` has to be complete; so it has where call() is used.
template <class Interface, class Known>
class KnownPeer {
 public:
  KnownPeer() = default;
  explicit KnownPeer(Interface* peer) : peer_{peer}, known_{dynamic_cast<Known*>(peer)} {}
  /// The peer is called through `Interface` whatever it is.
  void use_interface() noexcept { known_ = nullptr; }

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

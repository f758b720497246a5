// The owners' bonds: up to three, oldest first, stored over reboots.
//
// This list, beside the BLE host's store, holds the accepted bonds: the host stores a bond before
// the sketch can refuse it, and drops one when a device with its address pairs again. A bond that
// the host dropped stays on this list as lost, so the lock still has an owner.
#pragma once

#include <cstddef>
#include <cstdint>

#include "Ports.h"

class BondList {
 public:
  static constexpr size_t capacity = 3;

  explicit BondList(Store& store) : _store(store) {}

  void begin();
  size_t size() const { return _size; }
  bool isEmpty() const { return _size == 0; }
  bool contains(const Peer& peer) const { return find(peer) < _size; }

  /// Adds `peer` as the youngest. True when the oldest had to go, which is put into `evicted`.
  bool add(const Peer& peer, Peer& evicted);
  void clear();

  /// The next bond that `radio` has lost and that has not been reported yet.
  bool findLost(Radio& radio, Peer& lost);
  /// False when there is no such bond, or it was lost already.
  bool setLost(const Peer& peer);
  bool isLost(const Peer& peer) const;
  /// The next bond of `radio` from number `index` on that is not on this list, or is lost; its
  /// number, or -1.
  int findUnlisted(Radio& radio, int index, Peer& stray) const;

 private:
  size_t find(const Peer& peer) const;
  void remove(size_t index);
  void save();

  Store& _store;
  size_t _size = 0;
  Peer _peers[capacity];
  bool _isLost[capacity] = {};
};

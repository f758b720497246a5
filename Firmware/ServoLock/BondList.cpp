#include "BondList.h"

static const char* kBondsKey = "bonds";

static bool holds(Radio& radio, const Peer& peer) {
  for (int i = 0; i < radio.bondCount(); i++) {
    if (radio.bondedPeer(i) == peer) return true;
  }
  return false;
}

void BondList::begin() {
  // Peer is seven bytes without padding: the array is stored.
  static_assert(sizeof(Peer) == 7, "the stored form of a peer");
  const size_t length = _store.bytes(kBondsKey, _peers, sizeof _peers);
  _size = length <= sizeof _peers && length % sizeof(Peer) == 0 ? length / sizeof(Peer) : 0;
}

bool BondList::add(const Peer& peer, Peer& evicted) {
  const size_t known = find(peer);
  bool isFull = false;
  if (known < _size) {
    remove(known);
  } else if (_size == capacity) {
    isFull = true;
    evicted = _peers[0];
    remove(0);
  }
  _isLost[_size] = false;
  _peers[_size++] = peer;
  save();
  return isFull;
}

void BondList::clear() {
  _size = 0;
  save();
}

bool BondList::findLost(Radio& radio, Peer& lost) {
  for (size_t i = 0; i < _size; i++) {
    if (_isLost[i] || holds(radio, _peers[i])) continue;
    _isLost[i] = true;
    lost = _peers[i];
    return true;
  }
  return false;
}

bool BondList::setLost(const Peer& peer) {
  const size_t index = find(peer);
  if (index == _size || _isLost[index]) return false;
  return _isLost[index] = true;
}

bool BondList::isLost(const Peer& peer) const {
  const size_t index = find(peer);
  return index < _size && _isLost[index];
}

int BondList::findUnlisted(Radio& radio, int index, Peer& stray) const {
  for (; index < radio.bondCount(); index++) {
    stray = radio.bondedPeer(index);
    if (!contains(stray) || isLost(stray)) return index;
  }
  return -1;
}

size_t BondList::find(const Peer& peer) const {
  size_t index = 0;
  while (index < _size && _peers[index] != peer) index++;
  return index;
}

void BondList::remove(size_t index) {
  for (_size--; index < _size; index++) {
    _peers[index] = _peers[index + 1];
    _isLost[index] = _isLost[index + 1];
  }
}

void BondList::save() { _store.setBytes(kBondsKey, _peers, _size * sizeof(Peer)); }

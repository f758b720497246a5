// A board for the lock's logic: flash, a recorded console, and a BLE host.
#ifndef SERVO_LOCK_FAKES_H
#define SERVO_LOCK_FAKES_H

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "Ports.h"

/// Outlives the objects that use it, as flash does.
class FakeStore : public Store {
 public:
  uint32_t number(const char* key, uint32_t fallback) override {
    const auto found = numbers.find(key);
    return found == numbers.end() ? fallback : found->second;
  }
  void setNumber(const char* key, uint32_t value) override { numbers[key] = value; }
  size_t bytes(const char* key, void* bytes, size_t capacity) override {
    const std::string& value = values[key];
    if (value.size() > capacity) return 0;
    memcpy(bytes, value.data(), value.size());
    return value.size();
  }
  void setBytes(const char* key, const void* bytes, size_t length) override {
    values[key] = std::string(static_cast<const char*>(bytes), length);
  }

  std::map<std::string, uint32_t> numbers;
  std::map<std::string, std::string> values;
};

class FakeConsole : public Console {
 public:
  void line(const char* text) override { lines.push_back(text); }

  /// The lines since the last call.
  std::vector<std::string> take() {
    std::vector<std::string> taken;
    taken.swap(lines);
    return taken;
  }
  bool has(const std::string& text) const {
    for (const std::string& line : lines) {
      if (line == text) return true;
    }
    return false;
  }

  std::vector<std::string> lines;
};

inline Peer peerNumber(uint8_t number) {
  Peer peer;
  peer.type = 1;
  peer.address[0] = number;
  peer.address[5] = 0xc0;
  return peer;
}

/// A BLE host: as in NimBLE, records remain when a bond is removed too early.
class FakeRadio : public Radio {
 public:
  void setPairable(bool value) override { isPairable = value; }
  size_t links(Link* links, size_t capacity) override {
    const size_t count = std::min(capacity, connections.size());
    std::copy(connections.begin(), connections.begin() + count, links);
    return count;
  }
  void disconnect(uint16_t connection) override { disconnected.push_back(connection); }
  int bondCount() override { return static_cast<int>(bonds.size()); }
  Peer bondedPeer(int index) override { return bonds[index]; }
  void removeBond(const Peer& peer) override {
    if (refusesToRemove || std::find(bonds.begin(), bonds.end(), peer) == bonds.end()) return;
    bonds.erase(std::find(bonds.begin(), bonds.end(), peer));
    erase(peer);
  }
  void removeOrphans() override {
    for (const Peer& peer : std::vector<Peer>(records)) {
      if (std::find(bonds.begin(), bonds.end(), peer) == bonds.end()) erase(peer);
    }
  }
  void rewriteIdentities() override {
    rewrites++;
    hasRewrittenTooEarly = hasRewrittenTooEarly || !connections.empty();
  }
  Link* find(uint16_t connection) {
    for (Link& link : connections) {
      if (link.connection == connection) return &link;
    }
    return nullptr;
  }

  bool isPairable = false;
  bool refusesToRemove = false;
  std::vector<Link> connections;
  std::vector<uint16_t> disconnected;
  std::vector<Peer> bonds;
  int rewrites = 0;
  bool hasRewrittenTooEarly = false;
  /// The peers whose supported features are stored.
  std::vector<Peer> records;

 private:
  void erase(const Peer& peer) {
    records.erase(std::remove(records.begin(), records.end(), peer), records.end());
  }
};

#endif

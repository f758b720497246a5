// The interfaces of the lock's logic to the board: on the chip NVS, the console and NimBLE; in
// tests, fakes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "Peer.h"

/// Persistent storage of small values.
class Store {
 public:
  virtual ~Store() = default;
  /// The value under `key`, `fallback` when there is none.
  virtual uint32_t number(const char* key, uint32_t fallback) = 0;
  virtual void setNumber(const char* key, uint32_t value) = 0;
  /// Reads at most `capacity` bytes; returns the value's length, 0 when there is no such value.
  virtual size_t bytes(const char* key, void* bytes, size_t capacity) = 0;
  virtual void setBytes(const char* key, const void* bytes, size_t length) = 0;
};

/// Prints one line of plain text at a time.
class Console {
 public:
  virtual ~Console() = default;
  virtual void line(const char* text) = 0;

  /// As printf, truncated at 127 characters.
  __attribute__((format(printf, 2, 3))) void print(const char* format, ...);
};

/// A connection of the BLE host.
struct Link {
  uint16_t connection = 0;
  Peer peer;
  LinkSecurity security;
};

/// The BLE host.
class Radio {
 public:
  virtual ~Radio() = default;
  /// Sets whether later Pairing Requests may result in an authenticated, stored bond.
  virtual void setPairable(bool isPairable) = 0;
  /// Writes the current connections, at most `capacity`, also those before onConnect(); returns
  /// their number.
  virtual size_t links(Link* links, size_t capacity) = 0;
  virtual void disconnect(uint16_t connection) = 0;
  /// The number of the host's bonds, and their peers.
  virtual int bondCount() = 0;
  virtual Peer bondedPeer(int index) = 0;
  /// Removes a bond and all its records.
  virtual void removeBond(const Peer& peer) = 0;
  /// Removes the records of clients without a bond.
  virtual void removeOrphans() = 0;
  /// Stores the bonds' private identities again. Only while no client is connected.
  virtual void rewriteIdentities() = 0;
};

/// 32 bits, cryptographically random.
typedef uint32_t (*RandomSource)();

// What the lock's logic needs of the board: on the chip NVS, the console and NimBLE; in tests,
// fakes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "Peer.h"

/// Small values that survive reboots and power cuts.
class Store {
 public:
  virtual ~Store() = default;
  /// The value under `key`, `fallback` when there is none.
  virtual uint32_t number(const char* key, uint32_t fallback) = 0;
  virtual void setNumber(const char* key, uint32_t value) = 0;
  /// Reads at most `capacity` bytes; how many there were, 0 when there is no such value.
  virtual size_t bytes(const char* key, void* bytes, size_t capacity) = 0;
  virtual void setBytes(const char* key, const void* bytes, size_t length) = 0;
};

/// Prints one line of plain text at a time.
class Console {
 public:
  virtual ~Console() = default;
  virtual void line(const char* text) = 0;

  /// As printf, cut at 127 characters.
  __attribute__((format(printf, 2, 3))) void print(const char* format, ...);
};

/// A connection as the BLE host knows it.
struct Link {
  uint16_t connection = 0;
  Peer peer;
  LinkSecurity security;
};

/// The BLE host.
class Radio {
 public:
  virtual ~Radio() = default;
  /// Whether a Pairing Request that comes from now on may end in an authenticated, stored bond.
  virtual void setPairable(bool isPairable) = 0;
  /// Writes the connections of this moment, `capacity` at most, also those that onConnect() has not
  /// told of or never will; how many.
  virtual size_t links(Link* links, size_t capacity) = 0;
  virtual void disconnect(uint16_t connection) = 0;
  /// How many bonds the host holds, and who they are with.
  virtual int bondCount() = 0;
  virtual Peer bondedPeer(int index) = 0;
  /// Removes a bond and all that is stored with it.
  virtual void removeBond(const Peer& peer) = 0;
  /// Removes what is stored for clients without a bond.
  virtual void removeOrphans() = 0;
  /// Stores the bonds' private identities once more. For when nobody is connected.
  virtual void rewriteIdentities() = 0;
};

/// 32 bits that nobody can guess.
typedef uint32_t (*RandomSource)();

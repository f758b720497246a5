// Who is at the other end of a link, and how well the link is secured.
#pragma once

#include <cstdint>
#include <cstring>

/// An identity address: what a bond is known by, also while the peer shows private addresses.
struct Peer {
  uint8_t type = 0;
  /// Least significant byte first, as over the air.
  uint8_t address[6] = {};

  bool operator==(const Peer& other) const {
    return type == other.type && memcmp(address, other.address, sizeof address) == 0;
  }
  bool operator!=(const Peer& other) const { return !(*this == other); }

  static constexpr int textSize = 18;
  /// Writes "c0:00:00:00:00:01".
  const char* write(char (&text)[textSize]) const;
};

/// What the host says of a link's encryption.
struct LinkSecurity {
  bool isEncrypted = false;
  bool isAuthenticated = false;
  bool isBonded = false;
  uint8_t keySize = 0;

  /// The only links that get anything. That the key came from LE Secure Connections is the host's
  /// to see to (Secure Connections only): it does not tell.
  bool isTrustworthy() const { return isEncrypted && isAuthenticated && isBonded && keySize == 16; }
};

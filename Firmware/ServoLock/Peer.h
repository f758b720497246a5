// The peer of a link, and the link's security.
#pragma once

#include <cstdint>
#include <cstring>

/// An identity address, which identifies a bond, also while the peer uses private addresses.
struct Peer {
  uint8_t type = 0;
  /// Least significant byte first, as on air.
  uint8_t address[6] = {};

  bool operator==(const Peer& other) const {
    return type == other.type && memcmp(address, other.address, sizeof address) == 0;
  }
  bool operator!=(const Peer& other) const { return !(*this == other); }

  static constexpr int textSize = 18;
  /// Writes "c0:00:00:00:00:01".
  const char* write(char (&text)[textSize]) const;
};

/// The host's state of a link's encryption.
struct LinkSecurity {
  bool isEncrypted = false;
  bool isAuthenticated = false;
  bool isBonded = false;
  uint8_t keySize = 0;

  /// Required for any access. The host ensures that the key is from LE Secure Connections (Secure
  /// Connections only): it does not report that.
  bool isTrustworthy() const { return isEncrypted && isAuthenticated && isBonded && keySize == 16; }
};

#pragma once

#include <string>

#include "NimBLEAddress.h"

/// A connection as it was when the callback was called, or asked for.
class NimBLEConnInfo {
 public:
  NimBLEAddress getAddress() const { return m_peerOverTheAir; }
  NimBLEAddress getIdAddress() const { return m_peerIdentity; }
  uint16_t getConnHandle() const { return m_handle; }
  uint16_t getConnInterval() const { return m_interval; }
  uint16_t getConnTimeout() const { return m_timeout; }
  uint16_t getConnLatency() const { return m_latency; }
  /// The MTU of now; 0 when the connection has ended.
  uint16_t getMTU() const;
  bool isMaster() const { return false; }
  bool isSlave() const { return true; }
  bool isBonded() const;
  bool isEncrypted() const;
  bool isAuthenticated() const;
  uint8_t getSecKeySize() const { return m_keySize; }
  std::string toString() const;

 private:
  friend class NimBLEServer;

  NimBLEConnInfo() = default;

  uint16_t m_handle = 0;
  uint16_t m_interval = 0;
  uint16_t m_latency = 0;
  uint16_t m_timeout = 0;
  uint8_t m_security = 0;
  uint8_t m_keySize = 0;
  NimBLEAddress m_peerOverTheAir;
  NimBLEAddress m_peerIdentity;
};

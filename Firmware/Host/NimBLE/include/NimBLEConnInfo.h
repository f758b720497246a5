#pragma once

#include <string>

#include "NimBLEAddress.h"
#include "nimble/nimble/host/include/host/ble_gap.h"

/// A connection at the time of the callback or of the query.
class NimBLEConnInfo {
 public:
  NimBLEAddress getAddress() const { return m_desc.peer_ota_addr; }
  NimBLEAddress getIdAddress() const { return m_desc.peer_id_addr; }
  uint16_t getConnHandle() const { return m_desc.conn_handle; }
  /// In units of 1.25 ms.
  uint16_t getConnInterval() const { return m_desc.conn_itvl; }
  /// In units of 10 ms.
  uint16_t getConnTimeout() const { return m_desc.supervision_timeout; }
  uint16_t getConnLatency() const { return m_desc.conn_latency; }
  /// The current MTU; 0 when the connection has ended.
  uint16_t getMTU() const;
  bool isMaster() const { return m_desc.role == BLE_GAP_ROLE_MASTER; }
  bool isSlave() const { return m_desc.role == BLE_GAP_ROLE_SLAVE; }
  bool isBonded() const { return m_desc.sec_state.bonded; }
  bool isEncrypted() const { return m_desc.sec_state.encrypted; }
  bool isAuthenticated() const { return m_desc.sec_state.authenticated; }
  uint8_t getSecKeySize() const { return m_desc.sec_state.key_size; }
  std::string toString() const;

 private:
  friend class NimBLEServer;
  friend class NimBLECharacteristic;

  NimBLEConnInfo() = default;
  explicit NimBLEConnInfo(const ble_gap_conn_desc& desc) : m_desc{desc} {}

  ble_gap_conn_desc m_desc{};
};

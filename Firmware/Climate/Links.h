// The current connections in the host's list: NimBLEServer counts a client only after onConnect().
#pragma once

#include <NimBLEDevice.h>

inline bool isConnected(uint16_t connection) { return ble_gap_conn_find(connection, nullptr) == 0; }

/// Handles are small: NimBLE has tables of this size.
inline int connectionCount() {
  int count = 0;
  for (uint16_t handle = 0; handle <= CONFIG_BT_NIMBLE_MAX_CONNECTIONS; handle++) {
    if (isConnected(handle)) count++;
  }
  return count;
}

// The connections there are, by the host's own list: NimBLEServer counts a client only once it has
// called onConnect().
#pragma once

#include <NimBLEDevice.h>

inline bool isConnected(uint16_t connection) { return ble_gap_conn_find(connection, nullptr) == 0; }

/// Handles are small: NimBLE itself has tables of so many.
inline int connectionCount() {
  int count = 0;
  for (uint16_t handle = 0; handle <= CONFIG_BT_NIMBLE_MAX_CONNECTIONS; handle++) {
    if (isConnected(handle)) count++;
  }
  return count;
}

// The C host's connections: the part of NimBLE's host/ble_gap.h that a peripheral's sketch uses,
// under the library's path.
//
// The host has a link from the controller's Connection Complete on, thus before onConnect(), which
// is called after the exchange of versions and features, or never. NimBLEServer::getPeerDevices()
// and getConnectedCount() count from onConnect() on.
#pragma once

#include <cstdint>

#include "NimBLETypes.h"

struct ble_gap_sec_state {
  unsigned encrypted : 1;
  unsigned authenticated : 1;
  unsigned bonded : 1;
  unsigned key_size : 5;  ///< in bytes
  unsigned authorize : 1;
};

struct ble_gap_conn_desc {
  struct ble_gap_sec_state sec_state;
  ble_addr_t our_id_addr;
  ble_addr_t peer_id_addr;
  ble_addr_t our_ota_addr;
  ble_addr_t peer_ota_addr;
  uint16_t conn_handle;
  uint16_t conn_itvl;            ///< unit 1.25 ms
  uint16_t conn_latency;         ///< in connection events
  uint16_t supervision_timeout;  ///< unit 10 ms
  uint8_t role;                  ///< BLE_GAP_ROLE_...
  uint8_t master_clock_accuracy;
};

#ifdef __cplusplus
extern "C" {
#endif

/// Any return value other than 0 ends the search.
typedef int ble_gap_conn_foreach_handle_fn(uint16_t conn_handle, void* arg);

/// Finds a link by handle; `out_desc` may be NULL. Returns 0 or BLE_HS_ENOTCONN.
int ble_gap_conn_find(uint16_t handle, struct ble_gap_conn_desc* out_desc);
/// Finds the link with a peer, by the address used for the connection or by the peer's identity.
int ble_gap_conn_find_by_addr(const ble_addr_t* addr, struct ble_gap_conn_desc* out_desc);
/// Calls `cb` for each link, the latest first.
void ble_gap_conn_foreach_handle(ble_gap_conn_foreach_handle_fn* cb, void* arg);
/// Disconnects a link. Returns 0, BLE_HS_ENOTCONN, BLE_HS_EALREADY if it is already disconnecting,
/// or BLE_HS_EDISABLED before NimBLEDevice::init().
int ble_gap_terminate(uint16_t conn_handle, uint8_t hci_reason);

#ifdef __cplusplus
}  // extern "C"
#endif

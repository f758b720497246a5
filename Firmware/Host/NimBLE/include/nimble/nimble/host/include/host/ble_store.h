// The C host's store: the part of NimBLE's host/ble_store.h with which a sketch manages the
// clients' settings in the GATT server, under the library's path.
#pragma once

#include <cstdint>

#include "NimBLETypes.h"

#define BLE_STORE_OBJ_TYPE_CCCD 3
#define BLE_STORE_OBJ_TYPE_CSFC 8

/// A Client Characteristic Configuration.
struct ble_store_value_cccd {
  ble_addr_t peer_addr;  ///< identity
  uint16_t chr_val_handle;
  uint16_t flags;
  unsigned value_changed : 1;
};

/// The Client Supported Features of a client.
struct ble_store_value_csfc {
  ble_addr_t peer_addr;  ///< identity
  uint8_t csfc[1];
};

union ble_store_value {
  struct ble_store_value_cccd cccd;
  struct ble_store_value_csfc csfc;
};

#ifdef __cplusplus
extern "C" {
#endif

/// Any return value other than 0 ends the search.
typedef int ble_store_iterator_fn(int obj_type, union ble_store_value* val, void* cookie);

/// Calls `callback` for each record of a type (BLE_STORE_OBJ_TYPE_...). Returns 0, or BLE_HS_EINVAL
/// for another type.
int ble_store_iterate(int obj_type, ble_store_iterator_fn* callback, void* cookie);
/// Deletes all records of a peer, including its keys. Also returns 0 when no record exists.
int ble_store_util_delete_peer(const ble_addr_t* peer_id_addr);

#ifdef __cplusplus
}  // extern "C"
#endif

// Deletes bonds by the library's own functions: it keeps its records in memory and would continue
// to use records that are only erased from NVS.
#include "Bonds.h"

#include <cstring>

#include "../Runtime/Runtime.h"

// Declared in NimBLE's host/ble_store.h, with its definition of ble_addr_t. Absent from a build in
// which neither role has connections.
extern "C" {
struct ble_addr_t {
  uint8_t type;
  uint8_t val[6];
};
int ble_store_util_delete_peer(const ble_addr_t* peer) __attribute__((weak));
int ble_store_util_bonded_peers(ble_addr_t* peers, int* count, int maximum) __attribute__((weak));
}

namespace {

constexpr int kNoMemory = 6;  // BLE_HS_ENOMEM: more peers than asked for

void forgetAll() {
  if (ble_store_util_bonded_peers == nullptr) return;
  int result = kNoMemory;
  while (result == kNoMemory) {
    ble_addr_t peers[CFC_MAXIMUM_BONDS];
    int count = 0;
    result = ble_store_util_bonded_peers(peers, &count, CFC_MAXIMUM_BONDS);
    if (result == kNoMemory) count = CFC_MAXIMUM_BONDS;
    for (int i = 0; i < count; i++) {
      if (ble_store_util_delete_peer(&peers[i]) != 0) return;
    }
  }
}

}  // namespace

void espbench::forgetBonds(const uint8_t* payload, size_t length) {
  if (length < sizeof(cfc_address)) {
    forgetAll();
  } else if (ble_store_util_delete_peer != nullptr) {
    cfc_address peer;
    memcpy(&peer, payload, sizeof peer);
    ble_addr_t address;
    address.type = peer.type;
    memcpy(address.val, peer.bytes, sizeof address.val);
    ble_store_util_delete_peer(&address);
  }
  send(CFC_BONDS_FORGOTTEN);
}

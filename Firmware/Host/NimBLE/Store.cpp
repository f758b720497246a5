// Records that the C host stores for its peers; the board keeps them.
#include <vector>

#include "../Runtime/Runtime.h"
#include "ChannelAddress.h"
#include "HostTask.h"
#include "NimBLEDevice.h"

namespace {

/// Reads record `index` of a type; returns whether it exists.
bool readRecord(int type, uint32_t index, cfc_record& record) {
  cfc_record_query query = {static_cast<uint32_t>(type), index};
  return espbench::call(CFC_RECORD, &query, sizeof query, nullptr, 0, &record, sizeof record) == 0;
}

}  // namespace

int ble_store_iterate(int obj_type, ble_store_iterator_fn* callback, void* cookie) {
  if (obj_type != BLE_STORE_OBJ_TYPE_CCCD && obj_type != BLE_STORE_OBJ_TYPE_CSFC) {
    return BLE_HS_EINVAL;
  }
  espbench::lockHost();
  cfc_record record;
  for (uint32_t index = 0; readRecord(obj_type, index, record); index++) {
    const ble_addr_t peer = *espbench::makeAddress(record.peer).getBase();
    ble_store_value value = {};
    if (obj_type == BLE_STORE_OBJ_TYPE_CCCD) {
      value.cccd.peer_addr = peer;
      value.cccd.chr_val_handle = record.handle;
      value.cccd.flags = record.value;
      value.cccd.value_changed = record.has_changed & 1;
    } else {
      value.csfc.peer_addr = peer;
      value.csfc.csfc[0] = static_cast<uint8_t>(record.value);
    }
    if (callback != nullptr && callback(obj_type, &value, cookie) != 0) break;
  }
  return 0;
}

int ble_store_util_delete_peer(const ble_addr_t* peer_id_addr) {
  espbench::lockHost();
  cfc_address peer = espbench::makeAddress(NimBLEAddress(*peer_id_addr));
  return espbench::call(CFC_DELETE_RECORDS, &peer, sizeof peer);
}

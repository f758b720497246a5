// The C host's list of links.
#include <Arduino.h>
#include <NimBLEDevice.h>

static int printLink(uint16_t handle, void* count) {
  ble_gap_conn_desc desc;
  if (ble_gap_conn_find(handle, &desc) != 0) return 1;
  Serial.printf("link %u %s interval %u encrypted %u\r\n", desc.conn_handle,
                NimBLEAddress(desc.peer_ota_addr).toString().c_str(), desc.conn_itvl,
                desc.sec_state.encrypted);
  return ++*static_cast<int*>(count) < 2 ? 0 : 1;
}

/// Prints the C host's links, its first two, the server's count, and the advertising state.
static void printLinks() {
  int count = 0;
  ble_gap_conn_foreach_handle(printLink, &count);
  Serial.printf("links %d count %u advertising %d unknown %d\r\n", count,
                NimBLEDevice::getServer()->getConnectedCount(),
                NimBLEDevice::getAdvertising()->isAdvertising(), ble_gap_conn_find(99, nullptr));
}

/// 'l' prints the links; 't' disconnects number 1, twice, and an unknown one.
void obey(int command) {
  if (command == 'l') printLinks();
  if (command != 't') return;
  int first = ble_gap_terminate(1, BLE_ERR_AUTH_FAIL);
  int second = ble_gap_terminate(1, BLE_ERR_AUTH_FAIL);
  bool again = NimBLEDevice::getServer()->disconnect(1);
  Serial.printf("terminate %d %d %d %d\r\n", first, second, again, ble_gap_terminate(99, 0x13));
}

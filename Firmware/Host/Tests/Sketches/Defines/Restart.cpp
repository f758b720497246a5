#define MYNEWT_VAL_BLE_STORE_MAX_BONDS 7
#include <NimBLEDevice.h>

void restartBluetooth() {
  NimBLEDevice::deinit();
  NimBLEDevice::init("defines");
}

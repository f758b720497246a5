// Defines settings of NimBLE in its sources, which has no effect.
#undef MYNEWT_VAL_BLE_SM_SC_ONLY
#define MYNEWT_VAL_BLE_SM_SC_ONLY 1
#include <NimBLEDevice.h>

void restartBluetooth();

void setup() {
  NimBLEDevice::init("defines");
  restartBluetooth();
}

void loop() {}

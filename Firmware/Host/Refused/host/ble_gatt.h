#error "host/ble_gatt.h is not in espbench's host core: use the classes of NimBLEDevice.h"

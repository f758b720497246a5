#error "host/ble_store.h is not in espbench's host core: use the classes of NimBLEDevice.h"

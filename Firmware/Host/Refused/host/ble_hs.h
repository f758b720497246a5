#error "host/ble_hs.h is not in espbench's host core: use the classes of NimBLEDevice.h"

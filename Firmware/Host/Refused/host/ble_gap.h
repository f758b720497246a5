#error "host/ble_gap.h is not in espbench's host core: use the classes of NimBLEDevice.h"

#error "host/ble_uuid.h is not in espbench's host core: use the classes of NimBLEDevice.h"

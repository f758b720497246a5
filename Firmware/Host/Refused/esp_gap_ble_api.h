#error "esp_gap_ble_api.h is not in espbench's host core: use the classes of NimBLEDevice.h"

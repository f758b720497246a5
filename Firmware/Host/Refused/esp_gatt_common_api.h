#error "esp_gatt_common_api.h is not in espbench's host core: use the classes of NimBLEDevice.h"

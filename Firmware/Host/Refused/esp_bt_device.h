#error "esp_bt_device.h is not in espbench's host core: use the classes of NimBLEDevice.h"

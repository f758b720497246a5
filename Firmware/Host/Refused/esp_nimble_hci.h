#error "esp_nimble_hci.h is not in espbench's host core: use the classes of NimBLEDevice.h"

#error "BLEDevice.h is not in espbench's host core: the library is NimBLE-Arduino 2.5: NimBLEDevice.h"

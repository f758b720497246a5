#error "BLEEddystoneTLM.h is not in espbench's host core: of NimBLE-Arduino 2.5 there is the peripheral role: NimBLEDevice.h"

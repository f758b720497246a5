#error "NimBLEEddystoneURL.h is not in espbench's host core: of NimBLE-Arduino 2.5 there are GATT server, advertising and security"

#error "nimble/nimble_port.h is not in espbench's host core: use the classes of NimBLEDevice.h"

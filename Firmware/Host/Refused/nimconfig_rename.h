#error "nimconfig_rename.h is not in espbench's host core: ask NimBLEDevice::getVersion()"

#error "NimBLEBeacon.h is not in espbench's host core: set the bytes with NimBLEAdvertisementData::setManufacturerData() or setServiceData()"

// A beacon, not connectable, that is an iBeacon and an Eddystone in turn.
#include <NimBLEDevice.h>

static NimBLEAdvertisementData iBeacon, eddystone;

static void advertise(const NimBLEAdvertisementData& data) {
  NimBLEDevice::stopAdvertising();
  NimBLEDevice::getAdvertising()->setAdvertisementData(data);
  NimBLEDevice::startAdvertising();
}

void setup() {
  Serial.begin(115200);
  NimBLEDevice::init("");
  NimBLEDevice::getAdvertising()->setConnectableMode(BLE_GAP_CONN_MODE_NON);
  iBeacon.setManufacturerData(std::string("\x4c\x00\x02\x15", 4) + std::string(21, 'b'));
  eddystone.setCompleteServices16({NimBLEUUID("FEAA")});
  eddystone.setServiceData(NimBLEUUID("FEAA"), std::string("\x10\xeb\x03", 3) + "espressif");
  advertise(iBeacon);
  Serial.println("BLE Service is advertising");
}

void loop() {
  delay(1000);
  advertise(eddystone);
  delay(1000);
  advertise(iBeacon);
}

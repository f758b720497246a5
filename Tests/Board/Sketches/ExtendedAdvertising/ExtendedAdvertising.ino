// A peripheral that uses extended advertising only: more data than a legacy advertisement holds.
// For the NimBLE-Arduino library; the built-in NimBLE has legacy advertising.
#include <NimBLEDevice.h>

void setup() {
  Serial.begin(115200);
  NimBLEDevice::init("Extended");
  NimBLEService* service = NimBLEDevice::createServer()->createService("A000");
  service->createCharacteristic("A001", NIMBLE_PROPERTY::READ)->setValue(0x2a);
  NimBLEDevice::getServer()->start();
  NimBLEExtAdvertisement advertisement(BLE_HCI_LE_PHY_1M, BLE_HCI_LE_PHY_2M);
  advertisement.setConnectable(true);
  advertisement.setScannable(false);
  advertisement.setManufacturerData(std::string("\xff\xff") + std::string(60, 'm'));
  advertisement.setCompleteServices16({NimBLEUUID("A000")});
  advertisement.setName("Extended");
  NimBLEExtAdvertising* advertising = NimBLEDevice::getAdvertising();
  Serial.printf("advertises %d\n",
                advertising->setInstanceData(0, advertisement) && advertising->start(0));
}

void loop() { delay(1000); }

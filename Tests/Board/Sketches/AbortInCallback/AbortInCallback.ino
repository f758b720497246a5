// A peripheral whose write callback calls abort().
#include <NimBLEDevice.h>

class Input : public NimBLECharacteristicCallbacks {
  void onWrite(NimBLECharacteristic*, NimBLEConnInfo&) override { abort(); }
};

void setup() {
  Serial.begin(115200);
  Serial.printf("reset reason %d\n", esp_reset_reason());
  NimBLEDevice::init("Aborts");
  NimBLEServer* server = NimBLEDevice::createServer();
  NimBLEService* service = server->createService("A000");
  service->createCharacteristic("A001", NIMBLE_PROPERTY::WRITE)->setCallbacks(new Input());
  NimBLEDevice::getAdvertising()->addServiceUUID("A000");
  NimBLEDevice::startAdvertising();
  Serial.println("ready");
}

void loop() { delay(1000); }

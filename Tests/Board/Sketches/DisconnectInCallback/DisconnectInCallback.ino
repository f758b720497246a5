// A peripheral whose write callback notifies and then ends the connection.
#include <NimBLEDevice.h>

class Input : public NimBLECharacteristicCallbacks {
  void onWrite(NimBLECharacteristic* input, NimBLEConnInfo& client) override {
    uint8_t last = 0xA1;
    input->notify(&last, 1, client.getConnHandle());
    NimBLEDevice::getServer()->disconnect(client);
    Serial.println("disconnecting");
  }
};

void setup() {
  Serial.begin(115200);
  NimBLEDevice::init("Leaves");
  NimBLEServer* server = NimBLEDevice::createServer();
  NimBLEService* service = server->createService("A000");
  service->createCharacteristic("A001", NIMBLE_PROPERTY::WRITE | NIMBLE_PROPERTY::NOTIFY)
      ->setCallbacks(new Input());
  NimBLEDevice::getAdvertising()->addServiceUUID("A000");
  NimBLEDevice::startAdvertising();
}

void loop() { delay(1000); }

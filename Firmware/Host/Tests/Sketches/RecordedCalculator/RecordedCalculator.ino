// The application behind Tests/Traces/nimble-calculator.jsonl: the same database, the same answers.
#include <NimBLEDevice.h>

static NimBLECharacteristic* output;

class InputCallbacks : public NimBLECharacteristicCallbacks {
  void onWrite(NimBLECharacteristic* input, NimBLEConnInfo&) override {
    NimBLEAttValue value = input->getValue();
    if (value.size() != 3) return;
    const uint8_t a = value[0], b = value[1];
    uint8_t result = 0;
    if (value[2] == 0) result = a + b;
    if (value[2] == 1) result = a - b;
    if (value[2] == 2) result = a * b;
    output->setValue(result);
    output->notify();
  }
};

void setup() {
  NimBLEDevice::init("Test Peripheral");
  NimBLEServer* server = NimBLEDevice::createServer();
  server->advertiseOnDisconnect(true);
  NimBLEService* service = server->createService("EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079");
  service
      ->createCharacteristic("C1AB2C55-7914-4140-B85B-879C5E252FE5",
                             NIMBLE_PROPERTY::WRITE | NIMBLE_PROPERTY::WRITE_NR)
      ->setCallbacks(new InputCallbacks());
  output = service->createCharacteristic("643954A4-A6CC-455C-825C-499190CE7DB0",
                                         NIMBLE_PROPERTY::READ | NIMBLE_PROPERTY::NOTIFY);
  output->setValue(static_cast<uint8_t>(0));
  NimBLEAdvertising* advertising = NimBLEDevice::getAdvertising();
  advertising->setName("Test Peripheral");
  advertising->enableScanResponse(true);
  advertising->addServiceUUID(service->getUUID());
  advertising->start();
}

void loop() { delay(1000); }

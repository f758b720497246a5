// The peripheral behind Tests/Bluetooth/Traces/nimble-calculator.jsonl: the recorded application's
// database and behaviour.
#include <NimBLEDevice.h>

static NimBLECharacteristic* output;

class Input : public NimBLECharacteristicCallbacks {
  void onWrite(NimBLECharacteristic* input, NimBLEConnInfo&) override {
    NimBLEAttValue request = input->getValue();
    if (request.size() != 3) return;
    uint8_t a = request[0], b = request[1], answer = 0;
    switch (request[2]) {
      case 0:
        answer = a + b;
        break;
      case 1:
        answer = a - b;
        break;
      case 2:
        answer = a * b;
        break;
    }
    output->setValue(&answer, 1);
    output->notify();
  }
};

class Server : public NimBLEServerCallbacks {
  void onDisconnect(NimBLEServer*, NimBLEConnInfo&, int) override {
    NimBLEDevice::startAdvertising();
  }
};

void setup() {
  NimBLEDevice::init("Test Peripheral");
  NimBLEServer* server = NimBLEDevice::createServer();
  server->setCallbacks(new Server());
  NimBLEService* service = server->createService("EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079");
  NimBLECharacteristic* input = service->createCharacteristic(
      "C1AB2C55-7914-4140-B85B-879C5E252FE5", NIMBLE_PROPERTY::WRITE | NIMBLE_PROPERTY::WRITE_NR);
  input->setCallbacks(new Input());
  output = service->createCharacteristic("643954A4-A6CC-455C-825C-499190CE7DB0",
                                         NIMBLE_PROPERTY::READ | NIMBLE_PROPERTY::NOTIFY);
  uint8_t zero = 0;
  output->setValue(&zero, 1);
  // The name stays in the advertisement, since it comes before the scan response; the UUID does not
  // fit in addition.
  NimBLEAdvertising* advertising = NimBLEDevice::getAdvertising();
  advertising->setName("Test Peripheral");
  advertising->enableScanResponse(true);
  advertising->addServiceUUID(service->getUUID());
  advertising->start();
}

void loop() { delay(1000); }

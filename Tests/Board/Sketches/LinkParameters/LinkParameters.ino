// Asks for 30 ms, latency 1 and 4 s; notifies of each written value, from the callback for 1, else
// later.
#include <NimBLEDevice.h>

NimBLECharacteristic* echo;
uint8_t later;

struct Server : NimBLEServerCallbacks {
  void onConnect(NimBLEServer* server, NimBLEConnInfo& link) override {
    server->updateConnParams(link.getConnHandle(), 24, 24, 1, 400);
  }
};

struct Echo : NimBLECharacteristicCallbacks {
  void onWrite(NimBLECharacteristic* characteristic, NimBLEConnInfo&) override {
    const uint8_t value = characteristic->getValue()[0];
    if (value == 1) {
      characteristic->notify();
    } else {
      later = value;
    }
  }
};

void setup() {
  NimBLEDevice::init("Link");
  NimBLEServer* server = NimBLEDevice::createServer();
  server->setCallbacks(new Server);
  NimBLEService* service = server->createService("1234");
  echo = service->createCharacteristic(
      "5678", NIMBLE_PROPERTY::WRITE | NIMBLE_PROPERTY::WRITE_NR | NIMBLE_PROPERTY::NOTIFY);
  echo->setCallbacks(new Echo);
  NimBLEAdvertising* advertising = server->getAdvertising();
  advertising->addServiceUUID("1234");
  server->advertiseOnDisconnect(true);
  advertising->start();
}

void loop() {
  delay(500);
  if (later == 0) return;
  later = 0;
  echo->notify();
}

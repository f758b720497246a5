// A peripheral whose write callback changes the white list, then takes as many seconds as the
// client writes.
#include <NimBLEDevice.h>

static const NimBLEAddress kOther("c0:11:22:33:44:55", BLE_ADDR_RANDOM);

class Input : public NimBLECharacteristicCallbacks {
  void onWrite(NimBLECharacteristic* input, NimBLEConnInfo&) override {
    // The controller's answer to a command comes while the host's task waits in this callback.
    if (!NimBLEDevice::whiteListAdd(kOther) || !NimBLEDevice::whiteListRemove(kOther)) return;
    Serial.println("begin");
    delay(1000 * input->getValue()[0]);
    Serial.println("end");
  }
};

class Server : public NimBLEServerCallbacks {
  void onConnect(NimBLEServer*, NimBLEConnInfo&) override { Serial.println("connected"); }
  void onDisconnect(NimBLEServer*, NimBLEConnInfo&, int reason) override {
    Serial.printf("disconnected %d\r\n", reason);
  }
};

void setup() {
  Serial.begin(115200);
  NimBLEDevice::init("Blocks");
  NimBLEServer* server = NimBLEDevice::createServer();
  server->setCallbacks(new Server());
  server->advertiseOnDisconnect(true);
  NimBLEService* service = server->createService("A000");
  service
      ->createCharacteristic(
          "A001", NIMBLE_PROPERTY::READ | NIMBLE_PROPERTY::WRITE | NIMBLE_PROPERTY::WRITE_NR)
      ->setCallbacks(new Input());
  NimBLEDevice::getAdvertising()->addServiceUUID("A000");
  NimBLEDevice::startAdvertising();
}

void loop() { delay(1000); }

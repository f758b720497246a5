// The application behind the lock's recordings in Tests/Traces: the same database, the same
// answers.
#include <NimBLEDevice.h>

static NimBLECharacteristic* state;

class Commands : public NimBLECharacteristicCallbacks {
  void onWrite(NimBLECharacteristic* command, NimBLEConnInfo&) override {
    std::string value = command->getValue();
    if (value != "ON" && value != "OFF") return;
    state->setValue(value);
    state->notify();
  }
};

void setup() {
  NimBLEDevice::init("esp-test-device");
  NimBLEDevice::setSecurityAuth(true, true, true);
  NimBLEDevice::setSecurityIOCap(BLE_HS_IO_DISPLAY_ONLY);
  NimBLEDevice::setSecurityPasskey(123456);
  NimBLEServer* server = NimBLEDevice::createServer();
  server->advertiseOnDisconnect(true);
  NimBLEService* service = server->createService("3c3996e0-4d2c-11ed-bdc3-0242ac120002");
  service
      ->createCharacteristic(
          "3c399a64-4d2c-11ed-bdc3-0242ac120002",
          NIMBLE_PROPERTY::WRITE | NIMBLE_PROPERTY::WRITE_ENC | NIMBLE_PROPERTY::WRITE_AUTHEN)
      ->setCallbacks(new Commands());
  state =
      service->createCharacteristic("3c399c44-4d2c-11ed-bdc3-0242ac120002",
                                    NIMBLE_PROPERTY::READ | NIMBLE_PROPERTY::NOTIFY |
                                        NIMBLE_PROPERTY::READ_ENC | NIMBLE_PROPERTY::READ_AUTHEN);
  state->setValue("0");
  NimBLEAdvertising* advertising = NimBLEDevice::getAdvertising();
  advertising->setName("esp-test-device");
  advertising->enableScanResponse(true);
  advertising->addServiceUUID(service->getUUID());
  advertising->start();
}

void loop() { delay(1000); }

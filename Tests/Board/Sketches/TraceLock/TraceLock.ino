// The peripheral behind Tests/Bluetooth/Traces/nimble-lock.jsonl and the other recordings
// of the lock: the recorded application's database and behaviour.
#include <NimBLEDevice.h>

static NimBLECharacteristic* state;

class Command : public NimBLECharacteristicCallbacks {
  void onWrite(NimBLECharacteristic* command, NimBLEConnInfo&) override {
    std::string value = command->getValue();
    if (value != "ON" && value != "OFF") return;
    state->setValue(value);
    state->notify();
  }
};

class Server : public NimBLEServerCallbacks {
  void onDisconnect(NimBLEServer*, NimBLEConnInfo&, int) override {
    NimBLEDevice::startAdvertising();
  }
  uint32_t onPassKeyDisplay() override { return 123456; }
};

void setup() {
  NimBLEDevice::init("esp-test-device");
  NimBLEDevice::setSecurityAuth(true, true, true);
  NimBLEDevice::setSecurityIOCap(BLE_HS_IO_DISPLAY_ONLY);
  NimBLEDevice::setSecurityPasskey(123456);
  NimBLEServer* server = NimBLEDevice::createServer();
  server->setCallbacks(new Server());
  NimBLEService* service = server->createService("3C3996E0-4D2C-11ED-BDC3-0242AC120002");
  NimBLECharacteristic* command = service->createCharacteristic(
      "3C399A64-4D2C-11ED-BDC3-0242AC120002",
      NIMBLE_PROPERTY::WRITE | NIMBLE_PROPERTY::WRITE_ENC | NIMBLE_PROPERTY::WRITE_AUTHEN);
  command->setCallbacks(new Command());
  state =
      service->createCharacteristic("3C399C44-4D2C-11ED-BDC3-0242AC120002",
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

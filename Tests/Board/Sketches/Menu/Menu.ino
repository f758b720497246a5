// The calls of NimBLE-Arduino's examples NimBLE_Server and NimBLE_Secure_Server: a value
// for encrypted links, one that is notified every second, and a note for encrypted links to write.
#include <NimBLEDevice.h>

static NimBLEServer* server;
static NimBLECharacteristic* announced;

static struct ServerCallbacks : NimBLEServerCallbacks {
  void onConnect(NimBLEServer* pServer, NimBLEConnInfo& info) override {
    Serial.printf("connected\n%s", info.toString().c_str());
    pServer->updateConnParams(info.getConnHandle(), 24, 48, 0, 180);
  }
  void onDisconnect(NimBLEServer*, NimBLEConnInfo&, int) override {
    NimBLEDevice::startAdvertising();
  }
  void onMTUChange(uint16_t mtu, NimBLEConnInfo&) override { Serial.printf("MTU %u\n", mtu); }
  void onAuthenticationComplete(NimBLEConnInfo& info) override {
    Serial.printf("secured %d %s\n", info.isEncrypted(), info.getAddress().toString().c_str());
  }
} serverCallbacks;

static struct CharacteristicCallbacks : NimBLECharacteristicCallbacks {
  void onRead(NimBLECharacteristic* characteristic, NimBLEConnInfo&) override {
    print("read", characteristic);
  }
  void onWrite(NimBLECharacteristic* characteristic, NimBLEConnInfo&) override {
    print("written", characteristic);
  }
  void onStatus(NimBLECharacteristic*, int code) override {
    Serial.printf("status %d, [%s]\n", code, NimBLEUtils::returnCodeToString(code));
  }
  void onSubscribe(NimBLECharacteristic* characteristic, NimBLEConnInfo&, uint16_t value) override {
    Serial.printf("subscribed %u to %s\n", value, std::string(characteristic->getUUID()).c_str());
  }
  static void print(const char* what, NimBLECharacteristic* characteristic) {
    Serial.printf("%s %s: %s\n", characteristic->getUUID().toString().c_str(), what,
                  characteristic->getValue().c_str());
  }
} characteristicCallbacks;

static struct DescriptorCallbacks : NimBLEDescriptorCallbacks {
  void onWrite(NimBLEDescriptor* descriptor, NimBLEConnInfo&) override {
    std::string value = descriptor->getValue();
    Serial.printf("note: %s\n", value.c_str());
  }
  void onRead(NimBLEDescriptor* descriptor, NimBLEConnInfo&) override {
    Serial.printf("%s read\n", descriptor->getUUID().toString().c_str());
  }
} descriptorCallbacks;

void setup() {
  Serial.begin(115200);
  NimBLEDevice::init("Menu");
  NimBLEDevice::setPower(3);
  NimBLEDevice::setSecurityAuth(true, true, false);
  NimBLEDevice::setSecurityPasskey(123456);
  NimBLEDevice::setSecurityIOCap(BLE_HS_IO_DISPLAY_ONLY);
  server = NimBLEDevice::createServer();
  server->setCallbacks(&serverCallbacks, false);

  NimBLEService* hidden = server->createService("DEAD");
  NimBLECharacteristic* dish = hidden->createCharacteristic(
      "BEEF", NIMBLE_PROPERTY::READ | NIMBLE_PROPERTY::WRITE | NIMBLE_PROPERTY::READ_ENC |
                  NIMBLE_PROPERTY::READ_AUTHEN | NIMBLE_PROPERTY::WRITE_ENC);
  dish->setValue("Burger");
  dish->setCallbacks(&characteristicCallbacks);
  NimBLE2904* format = dish->create2904();
  format->setFormat(NimBLE2904::FORMAT_UTF8);
  format->setCallbacks(&descriptorCallbacks);

  NimBLEService* open = server->createService("BAAD");
  announced = open->createCharacteristic(
      "F00D", NIMBLE_PROPERTY::READ | NIMBLE_PROPERTY::WRITE | NIMBLE_PROPERTY::NOTIFY);
  announced->setValue("Fries");
  announced->setCallbacks(&characteristicCallbacks);
  NimBLEDescriptor* note = announced->createDescriptor(
      "C01D", NIMBLE_PROPERTY::READ | NIMBLE_PROPERTY::WRITE | NIMBLE_PROPERTY::WRITE_ENC, 20);
  note->setValue("Send it back!");
  note->setCallbacks(&descriptorCallbacks);

  NimBLEAdvertising* advertising = NimBLEDevice::getAdvertising();
  advertising->addServiceUUID(hidden->getUUID());
  advertising->addServiceUUID(open->getUUID());
  advertising->enableScanResponse(true);
  advertising->setName("Menu of the day, in full");
  advertising->start();
  Serial.println("open");
}

void loop() {
  delay(1000);
  if (server->getConnectedCount() == 0) return;
  NimBLEService* open = server->getServiceByUUID("BAAD");
  NimBLECharacteristic* dish = open != nullptr ? open->getCharacteristic("F00D") : nullptr;
  if (dish == announced) dish->notify();
}

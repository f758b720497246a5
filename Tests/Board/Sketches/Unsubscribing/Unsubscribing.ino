// Prints the start and end of subscriptions. The console: after 's' each
// onSubscribe(0) also requests security.
#include <NimBLEDevice.h>

static bool asksForSecurity = false;

static void report(const char* callback, const NimBLEConnInfo& info) {
  Serial.printf("%s %u encrypted %d mtu %u known %d\n", callback, info.getConnHandle(),
                info.isEncrypted(), info.getMTU(),
                ble_gap_conn_find(info.getConnHandle(), nullptr) == 0);
}

static struct ServerPrinter : NimBLEServerCallbacks {
  void onConnect(NimBLEServer*, NimBLEConnInfo& info) override { report("connect", info); }
  void onDisconnect(NimBLEServer*, NimBLEConnInfo& info, int) override {
    report("disconnect", info);
  }
  void onAuthenticationComplete(NimBLEConnInfo& info) override { report("authentication", info); }
} serverPrinter;

static struct Printer : NimBLECharacteristicCallbacks {
  void onWrite(NimBLECharacteristic*, NimBLEConnInfo& info) override { report("write", info); }
  void onSubscribe(NimBLECharacteristic* characteristic, NimBLEConnInfo& info,
                   uint16_t value) override {
    Serial.printf("%s to %u ", characteristic->getUUID().toString().c_str(), value);
    report("subscribe", info);
    if (value != 0 || !asksForSecurity) return;
    int result = -1;
    bool isAsked = NimBLEDevice::startSecurity(info.getConnHandle(), &result);
    Serial.printf("security %d %d\n", isAsked, result);
  }
} printer;

void setup() {
  Serial.begin(115200);
  NimBLEDevice::init("unsubscribing");
  NimBLEDevice::setSecurityAuth(true, false, true);
  NimBLEServer* server = NimBLEDevice::createServer();
  server->setCallbacks(&serverPrinter, false);
  server->advertiseOnDisconnect(true);
  NimBLEService* service = server->createService("aa00");
  // Value 0x0010, CCCD 0x0011.
  service
      ->createCharacteristic(
          "aa01", NIMBLE_PROPERTY::READ | NIMBLE_PROPERTY::WRITE | NIMBLE_PROPERTY::NOTIFY)
      ->setCallbacks(&printer);
  // Value 0x0013, CCCD 0x0014.
  service
      ->createCharacteristic(
          "aa02", NIMBLE_PROPERTY::READ | NIMBLE_PROPERTY::READ_ENC | NIMBLE_PROPERTY::NOTIFY)
      ->setCallbacks(&printer);
  // Value 0x0016, CCCD 0x0017.
  service
      ->createCharacteristic(
          "aa03", NIMBLE_PROPERTY::READ | NIMBLE_PROPERTY::READ_AUTHEN | NIMBLE_PROPERTY::INDICATE)
      ->setCallbacks(&printer);
  NimBLEDevice::startAdvertising();
}

void loop() {
  while (Serial.available()) {
    int command = Serial.read();
    if (command == 'a') NimBLEDevice::startAdvertising();
    if (command == 's') asksForSecurity = true;
  }
  delay(1);
}

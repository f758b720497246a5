// Prints the callbacks of pairings. Console commands: 's' requests security,
// 'd' deletes the bonds, 'p' uses a private address, 'r' a static random one,
// 'y' compares numbers, 'a' advertises.
#include <NimBLEDevice.h>

static uint16_t connection;

static struct Callbacks : NimBLEServerCallbacks {
  void onConnect(NimBLEServer*, NimBLEConnInfo& info) override {
    connection = info.getConnHandle();
    Serial.printf("connected bonded %d\n", info.isBonded());
  }
  void onDisconnect(NimBLEServer*, NimBLEConnInfo&, int reason) override {
    Serial.printf("disconnected %d\n", reason);
  }
  uint32_t onPassKeyDisplay() override {
    Serial.println("display");
    return 4711;
  }
  void onConfirmPassKey(NimBLEConnInfo& info, uint32_t pin) override {
    Serial.printf("compare %06u\n", static_cast<unsigned>(pin));
    NimBLEDevice::injectConfirmPasskey(info, true);
  }
  void onAuthenticationComplete(NimBLEConnInfo& info) override {
    Serial.printf("complete encrypted %d authenticated %d bonded %d key %u bonds %d\n",
                  info.isEncrypted(), info.isAuthenticated(), info.isBonded(), info.getSecKeySize(),
                  NimBLEDevice::getNumBonds());
  }
  void onIdentity(NimBLEConnInfo& info) override {
    Serial.printf("identity %s of %s\n", info.getIdAddress().toString().c_str(),
                  info.getAddress().toString().c_str());
  }
} callbacks;

void setup() {
  Serial.begin(115200);
  NimBLEDevice::init("pairing");
  NimBLEDevice::setSecurityAuth(true, true, true);
  NimBLEDevice::setSecurityIOCap(BLE_HS_IO_DISPLAY_ONLY);
  NimBLEDevice::createServer()->setCallbacks(&callbacks, false);
  NimBLEDevice::startAdvertising();
  Serial.println("ready");
}

static void obey(int command) {
  int result = 0;
  switch (command) {
    case 's':
      NimBLEDevice::startSecurity(connection, &result);
      Serial.printf("asked %d\n", result);
      break;
    case 'd':
      Serial.printf("deleted %d\n", NimBLEDevice::deleteAllBonds());
      break;
    case 'y':
      NimBLEDevice::setSecurityIOCap(BLE_HS_IO_DISPLAY_YESNO);
      break;
    case 'a':
      NimBLEDevice::startAdvertising();
      break;
    case 'p':
    case 'r':
      NimBLEDevice::stopAdvertising();
      NimBLEDevice::setOwnAddrType(command == 'p' ? BLE_OWN_ADDR_RPA_PUBLIC_DEFAULT
                                                  : BLE_OWN_ADDR_RANDOM);
      NimBLEDevice::startAdvertising();
      Serial.printf("address %s\n", NimBLEDevice::toString().c_str());
      break;
  }
}

void loop() {
  while (Serial.available()) obey(Serial.read());
  delay(10);
}

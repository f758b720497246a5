// Pairs as the console's commands select, and prints each callback.
#include <NimBLEDevice.h>

static uint16_t lastConnection;

static void printLink(const char* what, NimBLEConnInfo& info) {
  Serial.printf("%s %u encrypted %d authenticated %d bonded %d key %u identity %s\r\n", what,
                info.getConnHandle(), info.isEncrypted(), info.isAuthenticated(), info.isBonded(),
                info.getSecKeySize(), info.getIdAddress().toString().c_str());
}

struct Callbacks : NimBLEServerCallbacks {
  void onConnect(NimBLEServer*, NimBLEConnInfo& info) override {
    lastConnection = info.getConnHandle();
  }
  uint32_t onPassKeyDisplay() override {
    Serial.println("display");
    return 654321;
  }
  void onPassKeyEntry(NimBLEConnInfo& info) override {
    Serial.printf("entry %d\r\n", NimBLEDevice::injectPassKey(info, 1234));
  }
  void onConfirmPassKey(NimBLEConnInfo& info, uint32_t pin) override {
    Serial.printf("confirm %06u %d\r\n", pin, NimBLEDevice::injectConfirmPasskey(info, pin != 1));
  }
  void onAuthenticationComplete(NimBLEConnInfo& info) override { printLink("complete", info); }
  void onIdentity(NimBLEConnInfo& info) override { printLink("identity", info); }
};

struct Writes : NimBLECharacteristicCallbacks {
  void onWrite(NimBLECharacteristic*, NimBLEConnInfo& info) override { printLink("write", info); }
};

void setup() {
  Serial.begin(115200);
  NimBLEDevice::setSecurityAuth(true, true, true);  // No effect before init().
  NimBLEDevice::init("security");
  NimBLEServer* server = NimBLEDevice::createServer();
  server->setCallbacks(new Callbacks());
  server->createService("1000")
      ->createCharacteristic("1001", NIMBLE_PROPERTY::WRITE | NIMBLE_PROPERTY::WRITE_AUTHEN)
      ->setCallbacks(new Writes());
  NimBLEDevice::startAdvertising();
}

static int printRecord(int type, union ble_store_value* value, void*) {
  if (type == BLE_STORE_OBJ_TYPE_CCCD) {
    const ble_store_value_cccd& cccd = value->cccd;
    Serial.printf("subscription %s %u %u %u\r\n", NimBLEAddress(cccd.peer_addr).toString().c_str(),
                  cccd.chr_val_handle, cccd.flags, cccd.value_changed);
    return 0;
  }
  Serial.printf("features %s %u\r\n", NimBLEAddress(value->csfc.peer_addr).toString().c_str(),
                value->csfc.csfc[0]);
  return 1;  // The first is enough.
}

static void obey(char command) {
  int result = -1;
  switch (command) {
    case 'a':
      NimBLEDevice::setSecurityAuth(true, true, true);
      NimBLEDevice::setSecurityIOCap(BLE_HS_IO_DISPLAY_ONLY);
      NimBLEDevice::setSecurityInitKey(BLE_SM_PAIR_KEY_DIST_ENC);
      NimBLEDevice::setSecurityRespKey(BLE_SM_PAIR_KEY_DIST_ID);
      NimBLEDevice::setSecurityAuth(BLE_SM_PAIR_AUTHREQ_BOND | BLE_SM_PAIR_AUTHREQ_SC);
      break;
    case 'p':
      NimBLEDevice::setSecurityPasskey(777777);
      Serial.printf("passkey %u\r\n", NimBLEDevice::getSecurityPasskey());
      break;
    case 's':
      Serial.printf("start %d", NimBLEDevice::startSecurity(lastConnection, &result));
      Serial.printf(" %d\r\n", result);
      break;
    case 'b':
      Serial.printf("bonds %d first %s none %s\r\n", NimBLEDevice::getNumBonds(),
                    NimBLEDevice::getBondedAddress(0).toString().c_str(),
                    NimBLEDevice::getBondedAddress(9).toString().c_str());
      Serial.printf("bonded %d %d\r\n",
                    NimBLEDevice::isBonded(NimBLEAddress("c1:02:03:04:05:01", BLE_ADDR_RANDOM)),
                    NimBLEDevice::isBonded(NimBLEAddress("c1:02:03:04:05:01", BLE_ADDR_PUBLIC)));
      break;
    case 'd':
      Serial.printf("deleted %d\r\n", NimBLEDevice::deleteAllBonds());
      break;
    case 'l':
      result = ble_store_iterate(BLE_STORE_OBJ_TYPE_CCCD, printRecord, nullptr);
      result = result * 10 + ble_store_iterate(BLE_STORE_OBJ_TYPE_CSFC, printRecord, nullptr);
      Serial.printf("listed %d %d\r\n", result, ble_store_iterate(99, printRecord, nullptr));
      break;
    case 'f': {
      const NimBLEAddress peer("c1:02:03:04:05:02", BLE_ADDR_RANDOM);
      Serial.printf("forgotten %d\r\n", ble_store_util_delete_peer(peer.getBase()));
      break;
    }
    case 'r':
      result = NimBLEDevice::setOwnAddrType(BLE_OWN_ADDR_RPA_PUBLIC_DEFAULT);
      Serial.printf("private %d %s\r\n", result, NimBLEDevice::toString().c_str());
      NimBLEDevice::stopAdvertising();
      NimBLEDevice::startAdvertising();
      break;
  }
}

void loop() {
  while (Serial.available() > 0) obey(static_cast<char>(Serial.read()));
  delay(10);
}

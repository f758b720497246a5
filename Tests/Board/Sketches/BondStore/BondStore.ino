// A small store of bonds. The console: 'a' starts and 'q' stops advertising, 'r' refuses the next
// pairing in the authentication callback, 'k' stops requesting identity keys of peers, 's' lists
// the stored records, 'n' notifies both values.
#include <NimBLEDevice.h>

static bool refusesNext = false;
static NimBLECharacteristic* values[2];

static struct Server : NimBLEServerCallbacks {
  void onDisconnect(NimBLEServer*, NimBLEConnInfo&, int reason) override {
    Serial.printf("disconnected %d\n", reason);
  }
  void onAuthenticationComplete(NimBLEConnInfo& info) override {
    Serial.printf("complete encrypted %d bonded %d bonds %d\n", info.isEncrypted(), info.isBonded(),
                  NimBLEDevice::getNumBonds());
    if (!refusesNext) return;
    refusesNext = false;
    Serial.printf("deleted %d\n", NimBLEDevice::deleteBond(info.getIdAddress()));
  }
} server;

static struct : NimBLECharacteristicCallbacks {
  void onSubscribe(NimBLECharacteristic* characteristic, NimBLEConnInfo&, uint16_t value) override {
    Serial.printf("subscribe %u %u\n", characteristic->getHandle(), value);
  }
} printer;

static int printRecord(int type, union ble_store_value* value, void*) {
  if (type == BLE_STORE_OBJ_TYPE_CSFC) {
    Serial.printf("features %s\n", NimBLEAddress(value->csfc.peer_addr).toString().c_str());
  } else {
    Serial.printf("subscription %s %u\n", NimBLEAddress(value->cccd.peer_addr).toString().c_str(),
                  value->cccd.chr_val_handle);
  }
  return 0;
}

static void list() {
  for (int i = 0; i < NimBLEDevice::getNumBonds(); i++) {
    Serial.printf("bond %s\n", NimBLEDevice::getBondedAddress(i).toString().c_str());
  }
  ble_store_iterate(BLE_STORE_OBJ_TYPE_CCCD, printRecord, nullptr);
  ble_store_iterate(BLE_STORE_OBJ_TYPE_CSFC, printRecord, nullptr);
  Serial.println("listed");
}

void setup() {
  Serial.begin(115200);
  NimBLEDevice::init("store");
  NimBLEDevice::setSecurityAuth(true, false, true);
  NimBLEServer* host = NimBLEDevice::createServer();
  host->setCallbacks(&server, false);
  NimBLEService* service = host->createService("aa00");
  // Values 0x0010 and 0x0013, each followed by its CCCD.
  values[0] = service->createCharacteristic("aa01", NIMBLE_PROPERTY::NOTIFY);
  values[1] = service->createCharacteristic("aa02", NIMBLE_PROPERTY::NOTIFY);
  for (NimBLECharacteristic* value : values) value->setCallbacks(&printer);
  NimBLEDevice::startAdvertising();
  Serial.println("ready");
}

void loop() {
  while (Serial.available()) {
    switch (Serial.read()) {
      case 'a':
        Serial.printf("advertising %d\n", NimBLEDevice::startAdvertising());
        break;
      case 'q':
        Serial.printf("stopped %d\n", NimBLEDevice::stopAdvertising());
        break;
      case 'r':
        refusesNext = true;
        break;
      case 'k':
        NimBLEDevice::setSecurityRespKey(BLE_SM_PAIR_KEY_DIST_ENC);
        break;
      case 's':
        list();
        break;
      case 'n':
        for (NimBLECharacteristic* value : values) value->notify();
        break;
    }
  }
  delay(1);
}

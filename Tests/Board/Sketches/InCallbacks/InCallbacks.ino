// Makes calls in one callback, which the console names by a letter before Bluetooth starts, and
// prints what they return. Later letters: 'N' notifies, 'U' updates the connection's parameters,
// 'A' advertises for 100 ms.
#include <NimBLEDevice.h>
#include <Preferences.h>

static char chosen;
static NimBLECharacteristic* value;
static const NimBLEAddress kOther("c0:11:22:33:44:55", BLE_ADDR_RANDOM);

template <typename Result>
static void print(const char* call, Result result) {
  Serial.printf("%s: %ld\n", call, static_cast<long>(result));
}

/// The calls of which each waits for the host, its controller or its store.
static void makeCalls(uint16_t connection) {
  const uint8_t bytes[] = {1, 2, 3};
  print("getAddress", !NimBLEDevice::getAddress().isNull());
  print("whiteListAdd", NimBLEDevice::whiteListAdd(kOther));
  print("whiteListRemove", NimBLEDevice::whiteListRemove(kOther));
  print("getNumBonds", NimBLEDevice::getNumBonds());
  print("isBonded", NimBLEDevice::isBonded(kOther));
  print("deleteBond", NimBLEDevice::deleteBond(kOther));
  print("ble_store_util_delete_peer", ble_store_util_delete_peer(kOther.getBase()));
  print("generateAddr", NimBLEUtils::generateAddr(false).isNull());
  print("setMTU", NimBLEDevice::setMTU(200));
  print("getPeerMTU", NimBLEDevice::getServer()->getPeerMTU(connection));
  print("ble_gap_conn_find", ble_gap_conn_find(connection, nullptr));
  value->notify();  // When the callback has returned.
  print("notify", value->notify(bytes, sizeof bytes, connection));
  int code = -1;
  NimBLEDevice::startSecurity(connection, &code);
  print("startSecurity", code);
  print("start advertising", NimBLEDevice::startAdvertising());
  print("stop advertising", NimBLEDevice::stopAdvertising());
  NimBLEDevice::getServer()->createService("A0F0")->createCharacteristic("A0F1");
  print("server start", NimBLEDevice::getServer()->start());
  Preferences preferences;
  print("Preferences", preferences.begin("calls") && preferences.putInt("number", 7) == 4);
}

static void visit(char callback, uint16_t connection) {
  if (callback != chosen) return;
  chosen = 0;
  makeCalls(connection);
}

static struct ServerVisitor : NimBLEServerCallbacks {
  void visit(char callback, NimBLEConnInfo& info) { ::visit(callback, info.getConnHandle()); }
  void onConnect(NimBLEServer*, NimBLEConnInfo& info) override { visit('c', info); }
  void onDisconnect(NimBLEServer*, NimBLEConnInfo& info, int) override { visit('x', info); }
  void onMTUChange(uint16_t, NimBLEConnInfo& info) override { visit('m', info); }
  void onConnParamsUpdate(NimBLEConnInfo& info) override { visit('u', info); }
  void onAuthenticationComplete(NimBLEConnInfo& info) override { visit('a', info); }
  uint32_t onPassKeyDisplay() override {
    ::visit('p', NimBLEDevice::getServer()->getPeerDevices().front());
    return 4711;
  }
  void onPassKeyEntry(NimBLEConnInfo& info) override {
    visit('e', info);
    print("injectPassKey", NimBLEDevice::injectPassKey(info, 4711));
  }
  void onConfirmPassKey(NimBLEConnInfo& info, uint32_t) override {
    visit('n', info);
    print("injectConfirmPasskey", NimBLEDevice::injectConfirmPasskey(info, true));
  }
} server;

static struct Visitor : NimBLECharacteristicCallbacks, NimBLEDescriptorCallbacks {
  void onRead(NimBLECharacteristic*, NimBLEConnInfo& i) override { visit('r', i.getConnHandle()); }
  void onWrite(NimBLECharacteristic*, NimBLEConnInfo& i) override { visit('w', i.getConnHandle()); }
  void onStatus(NimBLECharacteristic*, int) override { visit('t', 0); }
  void onSubscribe(NimBLECharacteristic*, NimBLEConnInfo& info, uint16_t) override {
    visit('s', info.getConnHandle());
  }
  void onRead(NimBLEDescriptor*, NimBLEConnInfo& info) override {
    visit('d', info.getConnHandle());
  }
  void onWrite(NimBLEDescriptor*, NimBLEConnInfo& i) override { visit('D', i.getConnHandle()); }
} visitor;

static void start() {
  NimBLEDevice::init("In callbacks");
  NimBLEDevice::setSecurityAuth(true, true, true);
  NimBLEDevice::setSecurityIOCap(chosen == 'e'   ? BLE_HS_IO_KEYBOARD_ONLY
                                 : chosen == 'n' ? BLE_HS_IO_DISPLAY_YESNO
                                                 : BLE_HS_IO_DISPLAY_ONLY);
  NimBLEDevice::createServer()->setCallbacks(&server, false);
  value = NimBLEDevice::getServer()->createService("A000")->createCharacteristic(
      "A001", NIMBLE_PROPERTY::READ | NIMBLE_PROPERTY::WRITE | NIMBLE_PROPERTY::NOTIFY |
                  NIMBLE_PROPERTY::INDICATE);
  value->setCallbacks(&visitor);
  value->createDescriptor("A002", NIMBLE_PROPERTY::READ | NIMBLE_PROPERTY::WRITE)
      ->setCallbacks(&visitor);
  NimBLEDevice::getAdvertising()->setAdvertisingCompleteCallback(
      [](NimBLEAdvertising*) { visit('A', BLE_HS_CONN_HANDLE_NONE); });
  NimBLEDevice::startAdvertising();
  Serial.println("ready");
}

void setup() {
  Serial.begin(115200);
  Serial.println("which?");
}

void loop() {
  delay(1);
  const int letter = Serial.read();
  if (letter < 0) return;
  if (value == nullptr) {
    chosen = static_cast<char>(letter);
    return start();
  }
  if (letter == 'N') value->notify();
  if (letter == 'U') NimBLEDevice::getServer()->updateConnParams(0, 40, 40, 0, 400);
  if (letter == 'A') NimBLEDevice::startAdvertising(100);
}

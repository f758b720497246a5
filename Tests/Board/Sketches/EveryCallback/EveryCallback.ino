// Prints every callback of a connection, and each change of NimBLE's links and
// advertising. The console: 'a' starts advertising, after 'd' the next callback
// disconnects its link.
#include <NimBLEDevice.h>

static bool endsNext = false;

static void report(const char* callback, const NimBLEConnInfo& info) {
  Serial.printf("%s %u encrypted %d known %d\n", callback, info.getConnHandle(), info.isEncrypted(),
                ble_gap_conn_find(info.getConnHandle(), nullptr) == 0);
  if (!endsNext) return;
  endsNext = false;
  Serial.printf("end %d\n", NimBLEDevice::getServer()->disconnect(info));
}

static struct ServerPrinter : NimBLEServerCallbacks {
  void onConnect(NimBLEServer*, NimBLEConnInfo& info) override { report("connect", info); }
  void onDisconnect(NimBLEServer*, NimBLEConnInfo& info, int reason) override {
    Serial.printf("reason %d ", reason);
    report("disconnect", info);
  }
  void onMTUChange(uint16_t, NimBLEConnInfo& info) override { report("mtu", info); }
  void onAuthenticationComplete(NimBLEConnInfo& info) override { report("authentication", info); }
} serverPrinter;

static struct Printer : NimBLECharacteristicCallbacks {
  void onRead(NimBLECharacteristic*, NimBLEConnInfo& info) override { report("read", info); }
  void onWrite(NimBLECharacteristic*, NimBLEConnInfo& info) override { report("write", info); }
  void onSubscribe(NimBLECharacteristic*, NimBLEConnInfo& info, uint16_t value) override {
    Serial.printf("to %u ", value);
    report("subscribe", info);
  }
} printer;

static int countLink(uint16_t, void* count) {
  ++*static_cast<int*>(count);
  return 0;
}

/// Prints the state when it has changed.
static void printChanges() {
  static int last = -1;
  int links = 0;
  ble_gap_conn_foreach_handle(countLink, &links);
  bool isAdvertising = NimBLEDevice::getAdvertising()->isAdvertising();
  int peers = NimBLEDevice::getServer()->getConnectedCount();
  int state = links * 100 + peers * 10 + isAdvertising;
  if (state == last) return;
  last = state;
  Serial.printf("links %d peers %d advertising %d\n", links, peers, isAdvertising);
}

void setup() {
  Serial.begin(115200);
  NimBLEDevice::init("callbacks");
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
  NimBLEDevice::startAdvertising();
}

void loop() {
  while (Serial.available()) {
    int command = Serial.read();
    if (command == 'a') Serial.printf("start %d\n", NimBLEDevice::startAdvertising());
    if (command == 'd') endsNext = true;
  }
  printChanges();
  delay(1);
}

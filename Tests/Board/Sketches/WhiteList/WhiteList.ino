// For three seconds only the last client may reconnect, then any client may connect, as in
// NimBLE-Arduino's example NimBLE_Server_Whitelist. The console: 's' filters scan requests, too;
// 'r' removes the first entry of the list; 'f' fills it.
#include <NimBLEDevice.h>

static volatile bool hasLeft;
static bool filtersScans;

static struct Callbacks : NimBLEServerCallbacks {
  void onConnect(NimBLEServer*, NimBLEConnInfo&) override { Serial.println("connected"); }
  void onDisconnect(NimBLEServer*, NimBLEConnInfo& info, int) override {
    NimBLEDevice::whiteListAdd(info.getAddress());
    hasLeft = true;
  }
} callbacks;

void onComplete(NimBLEAdvertising* advertising) {
  advertising->setScanFilter(false, false);
  advertising->start();
  Serial.println("open to all");
}

void setup() {
  Serial.begin(115200);
  NimBLEDevice::init("list");
  NimBLEServer* server = NimBLEDevice::createServer();
  server->setCallbacks(&callbacks, false);
  server->advertiseOnDisconnect(false);
  NimBLEAdvertising* advertising = NimBLEDevice::getAdvertising();
  NimBLEAdvertisementData response;
  response.setName("response");
  advertising->enableScanResponse(true);
  advertising->setScanResponseData(response);
  advertising->setAdvertisingCompleteCallback(onComplete);
  advertising->start();
  Serial.println("open to all");
}

void loop() {
  if (hasLeft) {
    hasLeft = false;
    NimBLEAdvertising* advertising = NimBLEDevice::getAdvertising();
    advertising->setScanFilter(filtersScans, true);
    advertising->start(3000);
    Serial.printf("open to %u\n", static_cast<unsigned>(NimBLEDevice::getWhiteListCount()));
  }
  switch (Serial.read()) {
    case 's':
      filtersScans = true;
      break;
    case 'r': {
      const NimBLEAddress first = NimBLEDevice::getWhiteListAddress(0);
      const bool isRemoved = NimBLEDevice::whiteListRemove(first);
      Serial.printf("removed %d listed %d\n", isRemoved, NimBLEDevice::onWhiteList(first));
      break;
    }
    case 'f': {
      uint64_t number = 0xc00000000100;
      while (NimBLEDevice::whiteListAdd(NimBLEAddress(number, BLE_ADDR_RANDOM))) number++;
      Serial.printf("full with %u\n", static_cast<unsigned>(NimBLEDevice::getWhiteListCount()));
      break;
    }
  }
  delay(10);
}

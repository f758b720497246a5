// A peripheral that notifies faster than the radio sends.
#include <NimBLEDevice.h>

static volatile bool isAsked;
static int sent, refused;
static NimBLECharacteristic* output;

class Output : public NimBLECharacteristicCallbacks {
  void onWrite(NimBLECharacteristic*, NimBLEConnInfo&) override { isAsked = true; }
  void onStatus(NimBLECharacteristic*, int code) override {
    if (code == 0) sent++;
    if (code == BLE_HS_ENOMEM) refused++;
  }
};

void setup() {
  Serial.begin(115200);
  NimBLEDevice::init("Floods");
  NimBLEServer* server = NimBLEDevice::createServer();
  NimBLEService* service = server->createService("A000");
  output = service->createCharacteristic("A001", NIMBLE_PROPERTY::WRITE | NIMBLE_PROPERTY::NOTIFY);
  output->setCallbacks(new Output());
  NimBLEDevice::getAdvertising()->addServiceUUID("A000");
  NimBLEDevice::startAdvertising();
}

void loop() {
  delay(1);
  if (!isAsked) return;
  isAsked = false;
  uint8_t value[200] = {};
  int accepted = 0;
  for (int i = 0; i < 300; i++) {
    value[0] = static_cast<uint8_t>(i);
    accepted += output->notify(value, sizeof value);
  }
  delay(1000);
  Serial.printf("accepted %d, sent %d, refused %d\r\n", accepted, sent, refused);
}

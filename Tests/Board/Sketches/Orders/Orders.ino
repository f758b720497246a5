// Does in onWrite() what each written letter says: 'n' notifies of the value,
// 'N' sends one as a notification, 'I' as an indication, 'd' waits so long that
// more writes come meanwhile.
#include <NimBLEDevice.h>

static struct Visitor : NimBLECharacteristicCallbacks {
  void onWrite(NimBLECharacteristic* value, NimBLEConnInfo& info) override {
    const std::string letters = value->getValue();
    for (size_t i = 0; i < letters.size(); i++) {
      const std::string own = letters + "/" + letters[i];
      const auto* bytes = reinterpret_cast<const uint8_t*>(own.data());
      if (letters[i] == 'n') value->notify();
      if (letters[i] == 'N') value->notify(bytes, own.size(), info.getConnHandle());
      if (letters[i] == 'I') value->indicate(bytes, own.size(), info.getConnHandle());
      if (letters[i] == 'd') delay(100);
    }
  }
} visitor;

void setup() {
  Serial.begin(115200);
  NimBLEDevice::init("Orders");
  NimBLEDevice::createServer()
      ->createService("A000")
      ->createCharacteristic("A001", NIMBLE_PROPERTY::WRITE | NIMBLE_PROPERTY::WRITE_NR |
                                         NIMBLE_PROPERTY::NOTIFY | NIMBLE_PROPERTY::INDICATE)
      ->setCallbacks(&visitor);
  NimBLEDevice::startAdvertising();
  Serial.println("ready");
}

void loop() { delay(10); }

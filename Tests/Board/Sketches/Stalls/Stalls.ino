// Does not answer, each time for another reason: buttons choose it (StallTests).
#include <NimBLEDevice.h>

class Callbacks : public NimBLECharacteristicCallbacks {
  void onWrite(NimBLECharacteristic* characteristic, NimBLEConnInfo&) override {
    const std::string* missing = nullptr;
    if (characteristic->getValue()[0] == 9) Serial.println(missing->c_str());
    delay(3000);
  }
};
Callbacks callbacks;

void waitForPin() {
  while (digitalRead(5) == LOW)
    ;
}

void blink(void*) {
  for (;;) vTaskDelay(portMAX_DELAY);
}

void setup() {
  pinMode(5, INPUT_PULLUP);
  pinMode(15, INPUT_PULLUP);
  if (digitalRead(15) == HIGH) Serial.begin(115200);
  Serial.println("begun");
  waitForPin();
  xTaskCreate(blink, "blink", 4096, nullptr, 1, nullptr);
  NimBLEDevice::init("Stalls");
  NimBLEService* service = NimBLEDevice::createServer()->createService("180F");
  service->createCharacteristic("2A19", NIMBLE_PROPERTY::WRITE)->setCallbacks(&callbacks);
  NimBLEDevice::getAdvertising()->addServiceUUID("180F");
  NimBLEDevice::startAdvertising();
  Serial.println("ready");
}

void loop() { delay(100); }

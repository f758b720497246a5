// A characteristic with a descriptor of each kind of access.
#include <Arduino.h>
#include <NimBLEDevice.h>

static struct Printer : NimBLEDescriptorCallbacks {
  void onRead(NimBLEDescriptor* descriptor, NimBLEConnInfo&) override {
    Serial.printf("read %s\n", descriptor->getUUID().toString().c_str());
  }
  void onWrite(NimBLEDescriptor* descriptor, NimBLEConnInfo&) override {
    Serial.printf("written %u\n", static_cast<unsigned>(descriptor->getLength()));
  }
} printer;

void setup() {
  Serial.begin(115200);
  NimBLEDevice::init("descriptors");
  NimBLEService* service = NimBLEDevice::createServer()->createService("aa00");
  // Declaration 0x000f, value 0x0010, descriptors from 0x0011 on.
  NimBLECharacteristic* value = service->createCharacteristic("aa01", NIMBLE_PROPERTY::READ);
  value->createDescriptor("2901", NIMBLE_PROPERTY::READ, 20)->setValue("a value");
  value->create2904()->setFormat(NimBLE2904::FORMAT_UINT16);
  NimBLEDescriptor* note =
      value->createDescriptor("aa02", NIMBLE_PROPERTY::READ | NIMBLE_PROPERTY::WRITE, 8);
  note->setValue("note");
  note->setCallbacks(&printer);
  value->createDescriptor("aa03", NIMBLE_PROPERTY::WRITE_NR, 4);
  value->createDescriptor("aa04", NIMBLE_PROPERTY::READ | NIMBLE_PROPERTY::READ_ENC, 4);
  value->createDescriptor("aa05", NIMBLE_PROPERTY::READ | NIMBLE_PROPERTY::READ_AUTHEN, 4);
  value->createDescriptor("aa06", NIMBLE_PROPERTY::READ | NIMBLE_PROPERTY::READ_AUTHOR, 4);
  value->createDescriptor("aa07", NIMBLE_PROPERTY::WRITE | NIMBLE_PROPERTY::WRITE_ENC, 4);
  value->createDescriptor("aa08", NIMBLE_PROPERTY::WRITE | NIMBLE_PROPERTY::WRITE_AUTHEN, 4);
  value->createDescriptor("aa09", NIMBLE_PROPERTY::WRITE | NIMBLE_PROPERTY::WRITE_AUTHOR, 4);
  // As with characteristics: security properties alone permit nothing.
  value->createDescriptor("aa0a", NIMBLE_PROPERTY::READ_ENC | NIMBLE_PROPERTY::WRITE_ENC, 4);
  NimBLEDevice::startAdvertising();
}

void loop() { delay(100); }

// A peripheral on a random address, with neither name nor service. The console says of which kind:
// 's' static, 'n' non-resolvable. For the NimBLE-Arduino library: the built-in NimBLE has no
// setOwnAddr().
#include <NimBLEDevice.h>

void setup() {
  Serial.begin(115200);
  NimBLEDevice::init("");
  NimBLEDevice::createServer()->createService("A000")->createCharacteristic("A001",
                                                                            NIMBLE_PROPERTY::READ);
  Serial.println("ready");
}

void loop() {
  delay(1);
  const int kind = Serial.read();
  if (kind != 's' && kind != 'n') return;
  const NimBLEAddress address = NimBLEUtils::generateAddr(kind == 'n');
  Serial.printf("advertises %d\n", NimBLEDevice::setOwnAddr(address) &&
                                       NimBLEDevice::setOwnAddrType(BLE_OWN_ADDR_RANDOM) &&
                                       NimBLEDevice::startAdvertising());
}

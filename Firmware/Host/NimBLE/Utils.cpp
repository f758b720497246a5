#include "HostTask.h"
#include "NimBLEDevice.h"
#include "NimBLEUtils.h"
#include "esp_random.h"

std::string NimBLEUtils::dataToHexString(const uint8_t* source, uint8_t length) {
  const char digits[] = "0123456789abcdef";
  std::string text;
  for (uint8_t i = 0; i < length; i++) {
    text += digits[source[i] >> 4];
    text += digits[source[i] & 0xf];
  }
  return text;
}

NimBLEAddress NimBLEUtils::generateAddr(bool nrpa) {
  ble_addr_t address = {BLE_ADDR_RANDOM, {}};
  espbench::lockHost();
  espbench::requireController(NimBLEDevice::isInitialized());
  esp_fill_random(address.val, sizeof address.val);
  constexpr uint8_t kKind = 0xc0;  // The two highest bits: Core 5.4, Vol 6 Part B 1.3.2.
  address.val[5] = nrpa ? address.val[5] & ~kKind : address.val[5] | kKind;
  return NimBLEAddress(address);
}

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "NimBLEAddress.h"

NimBLEAddress::NimBLEAddress(const uint8_t address[BLE_DEV_ADDR_LEN], uint8_t type) : ble_addr_t{} {
  std::reverse_copy(address, address + BLE_DEV_ADDR_LEN, val);
  this->type = type;
}

NimBLEAddress::NimBLEAddress(const std::string& stringAddress, uint8_t type) : ble_addr_t{} {
  if (stringAddress.length() == BLE_DEV_ADDR_LEN) {
    std::reverse_copy(stringAddress.begin(), stringAddress.end(), val);
  } else if (stringAddress.length() == 17) {
    std::string digits = stringAddress;
    digits.erase(std::remove(digits.begin(), digits.end(), ':'), digits.end());
    // Throws if the text has no number, as in the library.
    uint64_t number = std::stoull(digits, nullptr, 16);
    memcpy(val, &number, sizeof val);
  } else {
    return;  // Neither form: the null address.
  }
  this->type = type;
}

NimBLEAddress::NimBLEAddress(const uint64_t& address, uint8_t type) : ble_addr_t{} {
  memcpy(val, &address, sizeof val);
  this->type = type;
}

std::string NimBLEAddress::toString() const {
  char text[18];
  snprintf(text, sizeof text, "%02x:%02x:%02x:%02x:%02x:%02x", val[5], val[4], val[3], val[2],
           val[1], val[0]);
  return text;
}

const NimBLEAddress& NimBLEAddress::reverseByteOrder() {
  std::reverse(val, val + BLE_DEV_ADDR_LEN);
  return *this;
}

bool NimBLEAddress::operator==(const NimBLEAddress& rhs) const {
  return type == rhs.type && memcmp(val, rhs.val, sizeof val) == 0;
}

NimBLEAddress::operator uint64_t() const {
  uint64_t number = 0;
  memcpy(&number, val, sizeof val);
  return number;
}

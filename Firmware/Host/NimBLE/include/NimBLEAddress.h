#pragma once

#include <string>

#include "NimBLETypes.h"

/// A device address with its type.
class NimBLEAddress : private ble_addr_t {
 public:
  NimBLEAddress() : ble_addr_t{} {}
  NimBLEAddress(const ble_addr_t address) : ble_addr_t{address} {}
  /// Most significant byte first.
  NimBLEAddress(const uint8_t address[BLE_DEV_ADDR_LEN], uint8_t type);
  NimBLEAddress(const std::string& stringAddress, uint8_t type);
  NimBLEAddress(const uint64_t& address, uint8_t type);

  bool isRpa() const { return type == BLE_ADDR_RANDOM && (val[5] & 0xc0) == 0x40; }
  bool isNrpa() const { return type == BLE_ADDR_RANDOM && (val[5] & 0xc0) == 0x00; }
  bool isStatic() const { return type == BLE_ADDR_RANDOM && (val[5] & 0xc0) == 0xc0; }
  bool isPublic() const { return type == BLE_ADDR_PUBLIC; }
  bool isNull() const { return *this == NimBLEAddress{}; }
  bool equals(const NimBLEAddress& otherAddress) const { return *this == otherAddress; }
  const ble_addr_t* getBase() const { return this; }
  std::string toString() const;
  uint8_t getType() const { return type; }
  const uint8_t* getVal() const { return val; }
  const NimBLEAddress& reverseByteOrder();
  bool operator==(const NimBLEAddress& rhs) const;
  bool operator!=(const NimBLEAddress& rhs) const { return !(*this == rhs); }
  operator std::string() const { return toString(); }
  operator uint64_t() const;
};

#pragma once

#include <cstddef>
#include <string>

#include "NimBLETypes.h"

/// A UUID of 16, 32 or 128 bits, or none (bitSize() 0).
class NimBLEUUID {
 public:
  NimBLEUUID() = default;
  NimBLEUUID(const ble_uuid_any_t& uuid) : m_uuid{uuid} {}
  NimBLEUUID(const ble_uuid_t* uuid);
  /// Text of 4, 8 or 36 characters, or 16 raw bytes.
  NimBLEUUID(const std::string& uuid);
  NimBLEUUID(uint16_t uuid);
  NimBLEUUID(uint32_t uuid);
  NimBLEUUID(const ble_uuid128_t* uuid);
  NimBLEUUID(const uint8_t* pData, size_t size);
  NimBLEUUID(uint32_t first, uint16_t second, uint16_t third, uint64_t fourth);

  uint8_t bitSize() const { return m_uuid.u.type; }
  const uint8_t* getValue() const;
  const ble_uuid_t* getBase() const { return &m_uuid.u; }
  bool equals(const NimBLEUUID& uuid) const { return *this == uuid; }
  std::string toString() const;
  static NimBLEUUID fromString(const std::string& uuid);
  const NimBLEUUID& to128();
  const NimBLEUUID& to16();
  const NimBLEUUID& reverseByteOrder();

  /// A short UUID equals its 128-bit form; an invalid UUID equals no UUID.
  bool operator==(const NimBLEUUID& rhs) const;
  bool operator!=(const NimBLEUUID& rhs) const { return !(*this == rhs); }
  operator std::string() const { return toString(); }

 private:
  void assign(const uint8_t* bytes, size_t size);

  ble_uuid_any_t m_uuid{};
};

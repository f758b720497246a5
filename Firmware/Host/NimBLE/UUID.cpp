#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "NimBLEUUID.h"

namespace {

/// The Bluetooth base UUID, least significant byte first; a short UUID replaces its last 4 bytes.
const uint8_t kBase[16] = {0xfb, 0x34, 0x9b, 0x5f, 0x80, 0, 0, 0x80, 0, 0x10, 0, 0, 0, 0, 0, 0};
constexpr size_t kBasePart = 12;

}  // namespace

void NimBLEUUID::assign(const uint8_t* bytes, size_t size) {
  m_uuid.u.type = static_cast<uint8_t>(size * 8);
  switch (size) {
    case 2:
      memcpy(&m_uuid.u16.value, bytes, size);
      break;
    case 4:
      memcpy(&m_uuid.u32.value, bytes, size);
      break;
    case 16:
      memcpy(m_uuid.u128.value, bytes, size);
      break;
    default:
      m_uuid.u.type = 0;
  }
}

NimBLEUUID::NimBLEUUID(const ble_uuid_t* uuid) {
  if (uuid == nullptr) return;
  ble_uuid_any_t any = {};
  size_t size = uuid->type == BLE_UUID_TYPE_16   ? sizeof(ble_uuid16_t)
                : uuid->type == BLE_UUID_TYPE_32 ? sizeof(ble_uuid32_t)
                                                 : sizeof(ble_uuid128_t);
  memcpy(&any, uuid, size);
  m_uuid = any;
}

NimBLEUUID::NimBLEUUID(const std::string& uuid) {
  if (uuid.length() == 4) {
    *this = NimBLEUUID(static_cast<uint16_t>(strtoul(uuid.c_str(), nullptr, 16)));
  } else if (uuid.length() == 8) {
    *this = NimBLEUUID(static_cast<uint32_t>(strtoul(uuid.c_str(), nullptr, 16)));
  } else if (uuid.length() == 16) {
    assign(reinterpret_cast<const uint8_t*>(uuid.data()), 16);
  } else if (uuid.length() == 36) {
    uint64_t group[5];
    char* at = const_cast<char*>(uuid.c_str());
    for (uint64_t& value : group) value = strtoull(at, &at, 16), at += *at != 0;
    *this = NimBLEUUID(static_cast<uint32_t>(group[0]), static_cast<uint16_t>(group[1]),
                       static_cast<uint16_t>(group[2]), (group[3] << 48) + group[4]);
  }
}

NimBLEUUID::NimBLEUUID(uint16_t uuid) { assign(reinterpret_cast<uint8_t*>(&uuid), 2); }
NimBLEUUID::NimBLEUUID(uint32_t uuid) { assign(reinterpret_cast<uint8_t*>(&uuid), 4); }
NimBLEUUID::NimBLEUUID(const ble_uuid128_t* uuid) { assign(uuid->value, 16); }
NimBLEUUID::NimBLEUUID(const uint8_t* pData, size_t size) { assign(pData, size); }

NimBLEUUID::NimBLEUUID(uint32_t first, uint16_t second, uint16_t third, uint64_t fourth) {
  uint8_t bytes[16];
  memcpy(bytes, &fourth, 8);
  memcpy(bytes + 8, &third, 2);
  memcpy(bytes + 10, &second, 2);
  memcpy(bytes + 12, &first, 4);
  assign(bytes, 16);
}

const uint8_t* NimBLEUUID::getValue() const {
  switch (bitSize()) {
    case BLE_UUID_TYPE_16:
      return reinterpret_cast<const uint8_t*>(&m_uuid.u16.value);
    case BLE_UUID_TYPE_32:
      return reinterpret_cast<const uint8_t*>(&m_uuid.u32.value);
    case BLE_UUID_TYPE_128:
      return m_uuid.u128.value;
    default:
      return nullptr;
  }
}

std::string NimBLEUUID::toString() const {
  char text[37] = "";
  if (bitSize() == BLE_UUID_TYPE_16) {
    snprintf(text, sizeof text, "0x%04x", m_uuid.u16.value);
  } else if (bitSize() == BLE_UUID_TYPE_32) {
    snprintf(text, sizeof text, "0x%08x", m_uuid.u32.value);
  } else if (bitSize() == BLE_UUID_TYPE_128) {
    size_t length = 0;
    for (int i = 15; i >= 0; i--) {
      bool endsGroup = i == 12 || i == 10 || i == 8 || i == 6;
      length += static_cast<size_t>(snprintf(text + length, sizeof text - length,
                                             endsGroup ? "%02x-" : "%02x", m_uuid.u128.value[i]));
    }
  }
  return text;
}

NimBLEUUID NimBLEUUID::fromString(const std::string& uuid) {
  std::string digits = uuid.find("0x") != std::string::npos ? uuid.substr(2) : uuid;
  bool isKnown = digits.length() == 4 || digits.length() == 8 || digits.length() == 36;
  return isKnown ? NimBLEUUID(digits) : NimBLEUUID();
}

const NimBLEUUID& NimBLEUUID::to128() {
  if (bitSize() == BLE_UUID_TYPE_16 || bitSize() == BLE_UUID_TYPE_32) {
    uint8_t bytes[16];
    memcpy(bytes, kBase, sizeof bytes);
    memcpy(bytes + kBasePart, getValue(), bitSize() / 8u);
    assign(bytes, 16);
  }
  return *this;
}

const NimBLEUUID& NimBLEUUID::to16() {
  if (bitSize() == BLE_UUID_TYPE_128 && memcmp(getValue(), kBase, kBasePart) == 0) {
    uint8_t bytes[2];
    memcpy(bytes, getValue() + kBasePart, sizeof bytes);
    assign(bytes, 2);
  }
  return *this;
}

const NimBLEUUID& NimBLEUUID::reverseByteOrder() {
  if (bitSize() != 0) {
    uint8_t bytes[16];
    size_t size = bitSize() / 8u;
    std::reverse_copy(getValue(), getValue() + size, bytes);
    assign(bytes, size);
  }
  return *this;
}

bool NimBLEUUID::operator==(const NimBLEUUID& rhs) const {
  if (bitSize() == 0 || rhs.bitSize() == 0) return false;
  if (bitSize() == rhs.bitSize()) return memcmp(getValue(), rhs.getValue(), bitSize() / 8u) == 0;
  if (bitSize() != BLE_UUID_TYPE_128 && rhs.bitSize() != BLE_UUID_TYPE_128) return false;
  NimBLEUUID left = *this, right = rhs;
  return memcmp(left.to128().getValue(), right.to128().getValue(), 16) == 0;
}

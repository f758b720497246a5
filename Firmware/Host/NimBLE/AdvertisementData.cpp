#include <algorithm>
#include <cstring>

#include "NimBLEAdvertisementData.h"
#include "NimBLEDevice.h"

namespace {

uint8_t low(uint16_t value) { return static_cast<uint8_t>(value); }
uint8_t high(uint16_t value) { return static_cast<uint8_t>(value >> 8); }

/// The AD type of a list of UUIDs of `bytes` bytes (Core Specification Supplement, Part A, 1.1);
/// 0 for other sizes.
uint8_t listType(size_t bytes, bool complete) {
  switch (bytes) {
    case 2:
      return complete ? BLE_HS_ADV_TYPE_COMP_UUIDS16 : BLE_HS_ADV_TYPE_INCOMP_UUIDS16;
    case 4:
      return complete ? BLE_HS_ADV_TYPE_COMP_UUIDS32 : BLE_HS_ADV_TYPE_INCOMP_UUIDS32;
    case 16:
      return complete ? BLE_HS_ADV_TYPE_COMP_UUIDS128 : BLE_HS_ADV_TYPE_INCOMP_UUIDS128;
    default:
      return 0;
  }
}

uint8_t serviceDataType(size_t bytes) {
  switch (bytes) {
    case 2:
      return BLE_HS_ADV_TYPE_SVC_DATA_UUID16;
    case 4:
      return BLE_HS_ADV_TYPE_SVC_DATA_UUID32;
    case 16:
      return BLE_HS_ADV_TYPE_SVC_DATA_UUID128;
    default:
      return 0;
  }
}

const uint8_t* bytesOf(const std::string& text) {
  return reinterpret_cast<const uint8_t*>(text.data());
}

}  // namespace

bool NimBLEAdvertisementData::addData(const uint8_t* data, size_t length) {
  if (m_payload.size() + length > BLE_HS_ADV_MAX_SZ) return false;
  m_payload.insert(m_payload.end(), data, data + length);
  return true;
}

bool NimBLEAdvertisementData::addStructure(uint8_t type, const uint8_t* data, size_t length) {
  if (length > BLE_HS_ADV_MAX_FIELD_SZ) return false;
  uint8_t structure[BLE_HS_ADV_MAX_SZ];
  structure[0] = static_cast<uint8_t>(length + 1);
  structure[1] = type;
  if (length > 0) memcpy(structure + 2, data, length);
  return addData(structure, length + 2);
}

int NimBLEAdvertisementData::getDataLocation(uint8_t type) const {
  for (size_t at = 0; at + 1 < m_payload.size(); at += m_payload[at] + 1u) {
    if (m_payload[at + 1] == type) return static_cast<int>(at);
  }
  return -1;
}

bool NimBLEAdvertisementData::removeData(uint8_t type) {
  int at = getDataLocation(type);
  if (at < 0) return false;
  auto start = m_payload.begin() + at;
  auto length = std::min<ptrdiff_t>(*start + 1, m_payload.end() - start);
  m_payload.erase(start, start + length);
  return true;
}

bool NimBLEAdvertisementData::setAppearance(uint16_t appearance) {
  if (appearance == 0) return removeData(BLE_HS_ADV_TYPE_APPEARANCE);
  const uint8_t data[] = {low(appearance), high(appearance)};
  return addStructure(BLE_HS_ADV_TYPE_APPEARANCE, data, sizeof data);
}

bool NimBLEAdvertisementData::setFlags(uint8_t flag) {
  const uint8_t value = flag | BLE_HS_ADV_F_BREDR_UNSUP;
  int at = getDataLocation(BLE_HS_ADV_TYPE_FLAGS);
  if (at < 0) return addStructure(BLE_HS_ADV_TYPE_FLAGS, &value, 1);
  if (flag == 0) return removeData(BLE_HS_ADV_TYPE_FLAGS);
  m_payload[static_cast<size_t>(at) + 2] = value;
  return true;
}

bool NimBLEAdvertisementData::addTxPower() {
  auto power = static_cast<uint8_t>(NimBLEDevice::getPower(NimBLETxPowerType::Advertise));
  return addStructure(BLE_HS_ADV_TYPE_TX_PWR_LVL, &power, 1);
}

bool NimBLEAdvertisementData::setPreferredParams(uint16_t minInterval, uint16_t maxInterval) {
  // Connection intervals are 7.5 ms to 4 s, in units of 1.25 ms.
  minInterval = std::min<uint16_t>(std::max<uint16_t>(minInterval, 0x6), 0xc80);
  maxInterval = std::min<uint16_t>(std::max<uint16_t>(maxInterval, 0x6), 0xc80);
  maxInterval = std::max(maxInterval, minInterval);
  const uint8_t data[] = {low(minInterval), high(minInterval), low(maxInterval), high(maxInterval)};
  return addStructure(BLE_HS_ADV_TYPE_SLAVE_ITVL_RANGE, data, sizeof data);
}

bool NimBLEAdvertisementData::addServiceUUID(const NimBLEUUID& serviceUUID) {
  const uint8_t bytes = serviceUUID.bitSize() / 8;
  const uint8_t type = listType(bytes, true);
  if (type == 0) return false;
  int found = getDataLocation(type);
  if (found < 0) return addStructure(type, serviceUUID.getValue(), bytes);
  if (m_payload.size() + bytes > BLE_HS_ADV_MAX_SZ) return false;
  // Append to the existing list.
  auto list = static_cast<size_t>(found);
  auto end = m_payload.begin() + found + m_payload[list] + 1;
  m_payload.insert(end, serviceUUID.getValue(), serviceUUID.getValue() + bytes);
  m_payload[list] = static_cast<uint8_t>(m_payload[list] + bytes);
  return true;
}

bool NimBLEAdvertisementData::removeServiceUUID(const NimBLEUUID& serviceUUID) {
  const uint8_t bytes = serviceUUID.bitSize() / 8;
  const uint8_t type = listType(bytes, true);
  if (type == 0) return false;
  int found = getDataLocation(type);
  if (found < 0) return true;
  auto list = static_cast<size_t>(found);
  for (size_t at = list + 2; at + bytes <= list + 1 + m_payload[list]; at += bytes) {
    if (memcmp(&m_payload[at], serviceUUID.getValue(), bytes) != 0) continue;
    if (m_payload[list] == bytes + 1) return removeData(type);
    auto start = m_payload.begin() + static_cast<ptrdiff_t>(at);
    m_payload.erase(start, start + bytes);
    m_payload[list] = static_cast<uint8_t>(m_payload[list] - bytes);
    break;
  }
  return true;
}

bool NimBLEAdvertisementData::setManufacturerData(const uint8_t* data, size_t length) {
  return addStructure(BLE_HS_ADV_TYPE_MFG_DATA, data, length);
}
bool NimBLEAdvertisementData::setManufacturerData(const std::string& data) {
  return setManufacturerData(bytesOf(data), data.length());
}
bool NimBLEAdvertisementData::setManufacturerData(const std::vector<uint8_t>& data) {
  return setManufacturerData(data.data(), data.size());
}

bool NimBLEAdvertisementData::setURI(const std::string& uri) {
  return addStructure(BLE_HS_ADV_TYPE_URI, bytesOf(uri), uri.length());
}

bool NimBLEAdvertisementData::setName(const std::string& name, bool isComplete) {
  size_t length = std::min<size_t>(name.length(), BLE_HS_ADV_MAX_FIELD_SZ);
  bool isWhole = isComplete && length == name.length();
  return addStructure(isWhole ? BLE_HS_ADV_TYPE_COMP_NAME : BLE_HS_ADV_TYPE_INCOMP_NAME,
                      bytesOf(name), length);
}

bool NimBLEAdvertisementData::setServices(bool complete, uint8_t size,
                                          const std::vector<NimBLEUUID>& uuids) {
  const size_t bytes = size / 8u;
  if (listType(bytes, complete) == 0) return false;
  std::vector<uint8_t> list;
  for (const NimBLEUUID& uuid : uuids) {
    if (uuid.bitSize() != size) continue;
    // NimBLE-Arduino never fills the last of the 31 bytes here.
    if (2 + list.size() + bytes >= BLE_HS_ADV_MAX_SZ) {
      complete = false;
      break;
    }
    list.insert(list.end(), uuid.getValue(), uuid.getValue() + bytes);
  }
  return addStructure(listType(bytes, complete), list.data(), list.size());
}
bool NimBLEAdvertisementData::setCompleteServices(const NimBLEUUID& uuid) {
  return setServices(true, uuid.bitSize(), {uuid});
}
bool NimBLEAdvertisementData::setCompleteServices16(const std::vector<NimBLEUUID>& uuids) {
  return setServices(true, 16, uuids);
}
bool NimBLEAdvertisementData::setCompleteServices32(const std::vector<NimBLEUUID>& uuids) {
  return setServices(true, 32, uuids);
}
bool NimBLEAdvertisementData::setPartialServices(const NimBLEUUID& uuid) {
  return setServices(false, uuid.bitSize(), {uuid});
}
bool NimBLEAdvertisementData::setPartialServices16(const std::vector<NimBLEUUID>& uuids) {
  return setServices(false, 16, uuids);
}
bool NimBLEAdvertisementData::setPartialServices32(const std::vector<NimBLEUUID>& uuids) {
  return setServices(false, 32, uuids);
}

bool NimBLEAdvertisementData::setServiceData(const NimBLEUUID& uuid, const uint8_t* data,
                                             size_t length) {
  const size_t bytes = uuid.bitSize() / 8u;
  const uint8_t type = serviceDataType(bytes);
  if (2 + bytes + length > BLE_HS_ADV_MAX_SZ || type == 0) return false;
  if (length == 0) {
    removeData(type);
    return true;
  }
  std::vector<uint8_t> content(uuid.getValue(), uuid.getValue() + bytes);
  content.insert(content.end(), data, data + length);
  return addStructure(type, content.data(), content.size());
}
bool NimBLEAdvertisementData::setServiceData(const NimBLEUUID& uuid, const std::string& data) {
  return setServiceData(uuid, bytesOf(data), data.length());
}
bool NimBLEAdvertisementData::setServiceData(const NimBLEUUID& uuid,
                                             const std::vector<uint8_t>& data) {
  return setServiceData(uuid, data.data(), data.size());
}

std::string NimBLEAdvertisementData::toString() const {
  std::string text;
  for (uint8_t byte : m_payload) {
    if (!text.empty()) text += ' ';
    text += NimBLEUtils::dataToHexString(&byte, 1);
  }
  return text;
}

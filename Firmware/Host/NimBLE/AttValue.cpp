#include <algorithm>

#include "../Runtime/Runtime.h"
#include "NimBLEAttValue.h"
#include "NimBLEDevice.h"

NimBLEAttValue::NimBLEAttValue(uint16_t init_len, uint16_t max_len)
    : m_bytes(init_len + 1u),
      m_maxLength(std::min<uint16_t>(BLE_ATT_ATTR_MAX_LEN, max_len)),
      m_capacity(init_len) {}

NimBLEAttValue::NimBLEAttValue(const uint8_t* value, uint16_t len, uint16_t max_len)
    : NimBLEAttValue(len, max_len) {
  std::copy(value, value + len, m_bytes.begin());
  m_length = len;
}

bool NimBLEAttValue::setValue(const uint8_t* value, uint16_t len) {
  if (value >= data() && value < data() + m_bytes.size()) {
    std::vector<uint8_t> copy(value, value + len);
    return setValue(copy.data(), len);
  }
  m_length = 0;
  m_bytes[0] = 0;
  append(value, len);
  return m_length == len;
}

NimBLEAttValue& NimBLEAttValue::append(const uint8_t* value, uint16_t len) {
  size_t newLength = static_cast<size_t>(m_length) + len;
  if (len == 0 || newLength > m_maxLength) return *this;
  if (newLength > m_capacity) {
    m_capacity = static_cast<uint16_t>(newLength);
    m_bytes.resize(newLength + 1);
  }
  std::copy(value, value + len, m_bytes.begin() + m_length);
  m_length = static_cast<uint16_t>(newLength);
  m_bytes[m_length] = 0;
  return *this;
}

uint8_t NimBLEAttValue::operator[](int pos) const {
  return pos >= 0 && pos < m_length ? m_bytes[static_cast<size_t>(pos)] : 0;
}

void NimBLELocalValueAttribute::publishValue() const {
  if (m_handle == 0) return;
  cfc_gatt_value message = {m_handle, {}};
  espbench::send(CFC_GATT_VALUE, &message, sizeof message, m_value.data(), m_value.size());
}

void NimBLELocalValueAttribute::publishCallbacks() const {
  if (m_handle == 0) return;
  cfc_gatt_callbacks message = {m_handle, callbackMask(), 0};
  espbench::send(CFC_GATT_CALLBACKS, &message, sizeof message);
}

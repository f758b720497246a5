#include <cstdio>

#include "NimBLEDescriptor.h"
#include "NimBLEServer.h"
#include "Overrides.h"
#include "firmware_channel.h"

namespace {

NimBLEDescriptorCallbacks noCallbacks;

/// A descriptor's permissions, from the corresponding characteristic properties.
uint16_t permissions(uint16_t properties) {
  const struct {
    uint16_t property, permission;
  } table[] = {
      {NIMBLE_PROPERTY::READ, BLE_ATT_F_READ},
      {NIMBLE_PROPERTY::WRITE | NIMBLE_PROPERTY::WRITE_NR, BLE_ATT_F_WRITE},
      {NIMBLE_PROPERTY::READ_ENC, BLE_ATT_F_READ_ENC},
      {NIMBLE_PROPERTY::READ_AUTHEN, BLE_ATT_F_READ_AUTHEN},
      {NIMBLE_PROPERTY::READ_AUTHOR, BLE_ATT_F_READ_AUTHOR},
      {NIMBLE_PROPERTY::WRITE_ENC, BLE_ATT_F_WRITE_ENC},
      {NIMBLE_PROPERTY::WRITE_AUTHEN, BLE_ATT_F_WRITE_AUTHEN},
      {NIMBLE_PROPERTY::WRITE_AUTHOR, BLE_ATT_F_WRITE_AUTHOR},
  };
  uint16_t result = 0;
  for (const auto& row : table) {
    if (properties & row.property) result |= row.permission;
  }
  return result;
}

}  // namespace

NimBLEDescriptor::NimBLEDescriptor(const NimBLEUUID& uuid, uint16_t properties, uint16_t maxLen,
                                   NimBLECharacteristic* pCharacteristic)
    : NimBLELocalValueAttribute{uuid, 0, maxLen},
      m_pCallbacks{&noCallbacks},
      m_pCharacteristic{pCharacteristic} {
  // The server adds the CCCD: one created by the sketch has no function.
  if (uuid == NimBLEUUID(static_cast<uint16_t>(0x2902))) setRemoved(NIMBLE_ATT_REMOVE_HIDE);
  setProperties(permissions(properties));
}

std::string NimBLEDescriptor::toString() const {
  char handle[16];
  snprintf(handle, sizeof handle, "0x%04x", getHandle());
  return "UUID: " + m_uuid.toString() + ", handle: " + handle;
}

void NimBLEDescriptor::setCallbacks(NimBLEDescriptorCallbacks* pCallbacks) {
  m_pCallbacks = pCallbacks != nullptr ? pCallbacks : &noCallbacks;
  publishCallbacks();
}

void NimBLEDescriptor::readEvent(NimBLEConnInfo& connInfo) { m_pCallbacks->onRead(this, connInfo); }
void NimBLEDescriptor::writeEvent(NimBLEConnInfo& connInfo) {
  m_pCallbacks->onWrite(this, connInfo);
}

uint16_t NimBLEDescriptor::callbackMask() const {
  uint16_t mask = 0;
  using Callbacks = NimBLEDescriptorCallbacks;
  if (espbench::overrides(m_pCallbacks, &noCallbacks, &Callbacks::onRead)) mask |= CFC_ON_READ;
  if (espbench::overrides(m_pCallbacks, &noCallbacks, &Callbacks::onWrite)) mask |= CFC_ON_WRITE;
  return mask;
}

void NimBLEDescriptorCallbacks::onRead(NimBLEDescriptor*, NimBLEConnInfo&) {}
void NimBLEDescriptorCallbacks::onWrite(NimBLEDescriptor*, NimBLEConnInfo&) {}

NimBLE2904::NimBLE2904(NimBLECharacteristic* pChr)
    : NimBLEDescriptor(NimBLEUUID(static_cast<uint16_t>(0x2904)), NIMBLE_PROPERTY::READ,
                       sizeof(NimBLE2904Data), pChr) {
  setValue(m_data);
}

void NimBLE2904::setDescription(uint16_t description) {
  m_data.m_description = description;
  setValue(m_data);
}
void NimBLE2904::setExponent(int8_t exponent) {
  m_data.m_exponent = exponent;
  setValue(m_data);
}
void NimBLE2904::setFormat(uint8_t format) {
  m_data.m_format = format;
  setValue(m_data);
}
void NimBLE2904::setNamespace(uint8_t namespace_value) {
  m_data.m_namespace = namespace_value;
  setValue(m_data);
}
void NimBLE2904::setUnit(uint16_t unit) {
  m_data.m_unit = unit;
  setValue(m_data);
}

#include <algorithm>
#include <cstdio>

#include "NimBLEDevice.h"
#include "NimBLEService.h"

NimBLEService::~NimBLEService() {
  for (NimBLECharacteristic* characteristic : m_vChars) delete characteristic;
}

NimBLEServer* NimBLEService::getServer() const { return NimBLEDevice::getServer(); }

std::string NimBLEService::toString() const {
  char handle[16];
  snprintf(handle, sizeof handle, "0x%04x", getHandle());
  return "UUID: " + getUUID().toString() + ", handle: " + handle;
}

NimBLECharacteristic* NimBLEService::createCharacteristic(const NimBLEUUID& uuid,
                                                          uint32_t properties, uint16_t max_len) {
  auto* characteristic =
      new NimBLECharacteristic(uuid, static_cast<uint16_t>(properties), max_len, this);
  addCharacteristic(characteristic);
  return characteristic;
}

void NimBLEService::addCharacteristic(NimBLECharacteristic* pCharacteristic) {
  auto found = std::find(m_vChars.begin(), m_vChars.end(), pCharacteristic);
  pCharacteristic->setService(this);
  if (found != m_vChars.end()) {
    pCharacteristic->setRemoved(0);
    return;
  }
  m_vChars.push_back(pCharacteristic);
  getServer()->setServiceChanged();
}

void NimBLEService::removeCharacteristic(NimBLECharacteristic* pCharacteristic, bool deleteChr) {
  if (pCharacteristic->getRemoved() == 0) {
    pCharacteristic->setRemoved(deleteChr ? NIMBLE_ATT_REMOVE_DELETE : NIMBLE_ATT_REMOVE_HIDE);
    getServer()->setServiceChanged();
    return;
  }
  auto found = std::find(m_vChars.begin(), m_vChars.end(), pCharacteristic);
  if (deleteChr && found != m_vChars.end()) {
    m_vChars.erase(found);
    delete pCharacteristic;
  }
}

NimBLECharacteristic* NimBLEService::getCharacteristic(const NimBLEUUID& uuid,
                                                       uint16_t instanceId) const {
  for (NimBLECharacteristic* characteristic : m_vChars) {
    if (characteristic->getUUID() == uuid && instanceId-- == 0) return characteristic;
  }
  return nullptr;
}

NimBLECharacteristic* NimBLEService::getCharacteristicByHandle(uint16_t handle) const {
  for (NimBLECharacteristic* characteristic : m_vChars) {
    if (characteristic->getHandle() == handle) return characteristic;
  }
  return nullptr;
}

std::vector<NimBLECharacteristic*> NimBLEService::getCharacteristics(const NimBLEUUID& uuid) const {
  std::vector<NimBLECharacteristic*> found;
  for (NimBLECharacteristic* characteristic : m_vChars) {
    if (characteristic->getUUID() == uuid) found.push_back(characteristic);
  }
  return found;
}

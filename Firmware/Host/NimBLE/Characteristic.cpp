#include <algorithm>
#include <cstdio>

#include "../Runtime/Runtime.h"
#include "../Settings/BuildSettings.h"
#include "HostTask.h"
#include "Links.h"
#include "NimBLECharacteristic.h"
#include "NimBLEDevice.h"
#include "Overrides.h"

namespace {

NimBLECharacteristicCallbacks noCallbacks;

}  // namespace

NimBLECharacteristic::NimBLECharacteristic(const NimBLEUUID& uuid, uint16_t properties,
                                           uint16_t maxLen, NimBLEService* pService)
    : NimBLELocalValueAttribute{uuid, 0, maxLen}, m_pCallbacks{&noCallbacks}, m_pService{pService} {
  setProperties(properties);
}

NimBLECharacteristic::~NimBLECharacteristic() {
  for (NimBLEDescriptor* descriptor : m_vDescriptors) delete descriptor;
}

std::string NimBLECharacteristic::toString() const {
  char handle[16];
  snprintf(handle, sizeof handle, "0x%04x ", getHandle());
  std::string text = "UUID: " + m_uuid.toString() + ", handle : " + handle;
  if (m_properties & BLE_GATT_CHR_F_READ) text += "Read ";
  if (m_properties & BLE_GATT_CHR_F_WRITE) text += "Write ";
  if (m_properties & BLE_GATT_CHR_F_WRITE_NO_RSP) text += "WriteNoResponse ";
  if (m_properties & BLE_GATT_CHR_F_BROADCAST) text += "Broadcast ";
  if (m_properties & BLE_GATT_CHR_F_NOTIFY) text += "Notify ";
  if (m_properties & BLE_GATT_CHR_F_INDICATE) text += "Indicate ";
  return text;
}

// Descriptors

NimBLEDescriptor* NimBLECharacteristic::createDescriptor(const NimBLEUUID& uuid,
                                                         uint32_t properties, uint16_t maxLen) {
  if (uuid == NimBLEUUID(static_cast<uint16_t>(0x2904))) return create2904();
  auto* descriptor = new NimBLEDescriptor(uuid, static_cast<uint16_t>(properties), maxLen, this);
  addDescriptor(descriptor);
  return descriptor;
}

NimBLE2904* NimBLECharacteristic::create2904() {
  auto* descriptor = new NimBLE2904(this);
  addDescriptor(descriptor);
  return descriptor;
}

void NimBLECharacteristic::addDescriptor(NimBLEDescriptor* pDescriptor) {
  auto found = std::find(m_vDescriptors.begin(), m_vDescriptors.end(), pDescriptor);
  pDescriptor->setCharacteristic(this);
  if (found != m_vDescriptors.end()) {
    pDescriptor->setRemoved(0);
    return;
  }
  m_vDescriptors.push_back(pDescriptor);
  NimBLEDevice::getServer()->setServiceChanged();
}

void NimBLECharacteristic::removeDescriptor(NimBLEDescriptor* pDescriptor, bool deleteDsc) {
  if (pDescriptor->getRemoved() == 0) {
    pDescriptor->setRemoved(deleteDsc ? NIMBLE_ATT_REMOVE_DELETE : NIMBLE_ATT_REMOVE_HIDE);
    NimBLEDevice::getServer()->setServiceChanged();
    return;
  }
  auto found = std::find(m_vDescriptors.begin(), m_vDescriptors.end(), pDescriptor);
  if (deleteDsc && found != m_vDescriptors.end()) {
    m_vDescriptors.erase(found);
    delete pDescriptor;
  }
}

NimBLEDescriptor* NimBLECharacteristic::getDescriptorByUUID(const NimBLEUUID& uuid,
                                                            uint16_t index) const {
  for (NimBLEDescriptor* descriptor : m_vDescriptors) {
    if (descriptor->getUUID() == uuid && index-- == 0) return descriptor;
  }
  return nullptr;
}

NimBLEDescriptor* NimBLECharacteristic::getDescriptorByHandle(uint16_t handle) const {
  for (NimBLEDescriptor* descriptor : m_vDescriptors) {
    if (descriptor->getHandle() == handle) return descriptor;
  }
  return nullptr;
}

// Notifications and indications

bool NimBLECharacteristic::indicate(uint16_t connHandle) const {
  return sendValue(nullptr, 0, false, connHandle);
}
bool NimBLECharacteristic::notify(uint16_t connHandle) const {
  return sendValue(nullptr, 0, true, connHandle);
}
bool NimBLECharacteristic::indicate(const uint8_t* value, size_t length,
                                    uint16_t connHandle) const {
  return sendValue(value, length, false, connHandle);
}
bool NimBLECharacteristic::notify(const uint8_t* value, size_t length, uint16_t connHandle) const {
  return sendValue(value, length, true, connHandle);
}

bool NimBLECharacteristic::sendValue(const uint8_t* value, size_t length, bool isNotification,
                                     uint16_t connHandle) const {
  bool hasValue = value != nullptr && length > 0;
  if (connHandle != BLE_HS_CONN_HANDLE_NONE) {
    return sendTo(connHandle, hasValue ? value : nullptr, length, isNotification) == 0;
  }
  if (!hasValue) {
    if (m_handle == 0 || !(m_properties & (NIMBLE_PROPERTY::NOTIFY | NIMBLE_PROPERTY::INDICATE))) {
      return true;
    }
    espbench::lockHost();
    cfc_gatt_notify message = {m_handle, CFC_NO_CONNECTION, !isNotification, 0, 0};
    espbench::send(CFC_GATT_NOTIFY, &message, sizeof message);
    return true;
  }
  int result = 0;
  for (uint16_t peer : NimBLEDevice::getServer()->getPeerDevices()) {
    result = sendTo(peer, value, length, isNotification);
  }
  return result == 0;
}

/// ble_gattc_notify_custom and ble_gattc_indicate_custom. As in the library, onStatus() is called
/// in the current task before this function returns, but not for an unknown connection.
int NimBLECharacteristic::sendTo(uint16_t connHandle, const uint8_t* value, size_t length,
                                 bool isNotification) const {
  // The library first copies a value to buffers, which do not exist before init().
  if (value != nullptr && !NimBLEDevice::isInitialized()) return BLE_HS_ENOMEM;
  espbench::lockHost();
  if (espbench::findLink(connHandle) == nullptr) return BLE_HS_ENOTCONN;
  int status = BLE_HS_EINVAL;
  if (m_handle != 0) {
    cfc_gatt_notify message = {m_handle, connHandle, !isNotification, value != nullptr, 0};
    size_t sent = value != nullptr ? length : 0;
    uint32_t blocks =
        cfc_notification_blocks(static_cast<uint32_t>(value != nullptr ? length : getLength()),
                                espbench::buildSettings.blockSize);
    if (isNotification && espbench::takeTransmitBlocks(blocks)) {
      espbench::send(CFC_GATT_NOTIFY, &message, sizeof message, value, sent);
      status = 0;
    } else {
      cfc_number left = {};
      status = espbench::call(CFC_GATT_NOTIFY_CALL, &message, sizeof message, value, sent, &left,
                              sizeof left);
      espbench::setTransmitBlocks(static_cast<uint32_t>(left.value));
      // The library itself allocates the buffers of a value, and gives up when too few are free.
      const bool hasBuffers = value == nullptr || static_cast<uint32_t>(left.value) + 1 >= blocks;
      if (status == BLE_HS_ENOMEM && !hasBuffers) return status;
    }
  }
  // An indication that was sent is reported when it is confirmed.
  if (isNotification || status != 0) reportStatus(status);
  return status;
}

/// BLE_GAP_EVENT_NOTIFY_TX, which in NimBLE-Arduino 2.5.1 does not identify the connection.
void NimBLECharacteristic::reportStatus(int status) const {
  auto* self = const_cast<NimBLECharacteristic*>(this);
  NimBLEConnInfo nobody;
  m_pCallbacks->onStatus(self, status);
  m_pCallbacks->onStatus(self, nobody, status);
}

// Callbacks

void NimBLECharacteristic::setCallbacks(NimBLECharacteristicCallbacks* pCallbacks) {
  m_pCallbacks = pCallbacks != nullptr ? pCallbacks : &noCallbacks;
  publishCallbacks();
}

void NimBLECharacteristic::readEvent(NimBLEConnInfo& connInfo) {
  m_pCallbacks->onRead(this, connInfo);
}
void NimBLECharacteristic::writeEvent(NimBLEConnInfo& connInfo) {
  m_pCallbacks->onWrite(this, connInfo);
}

uint16_t NimBLECharacteristic::callbackMask() const {
  using Callbacks = NimBLECharacteristicCallbacks;
  using PlainStatus = void (Callbacks::*)(NimBLECharacteristic*, int);
  using Status = void (Callbacks::*)(NimBLECharacteristic*, NimBLEConnInfo&, int);
  auto has = [this](auto method) {
    return espbench::overrides(m_pCallbacks, &noCallbacks, method);
  };
  uint16_t mask = 0;
  if (has(&Callbacks::onRead)) mask |= CFC_ON_READ;
  if (has(&Callbacks::onWrite)) mask |= CFC_ON_WRITE;
  if (has(static_cast<PlainStatus>(&Callbacks::onStatus)) ||
      has(static_cast<Status>(&Callbacks::onStatus))) {
    mask |= CFC_ON_STATUS;
  }
  if (has(&Callbacks::onSubscribe)) mask |= CFC_ON_SUBSCRIBE;
  return mask;
}

void NimBLECharacteristicCallbacks::onRead(NimBLECharacteristic*, NimBLEConnInfo&) {}
void NimBLECharacteristicCallbacks::onWrite(NimBLECharacteristic*, NimBLEConnInfo&) {}
void NimBLECharacteristicCallbacks::onStatus(NimBLECharacteristic*, int) {}
void NimBLECharacteristicCallbacks::onStatus(NimBLECharacteristic*, NimBLEConnInfo&, int) {}
void NimBLECharacteristicCallbacks::onSubscribe(NimBLECharacteristic*, NimBLEConnInfo&, uint16_t) {}

#include <algorithm>
#include <cstring>

#include "../Runtime/Runtime.h"
#include "HostTask.h"
#include "Links.h"
#include "NimBLEDevice.h"
#include "NimBLEServer.h"
#include "Passkey.h"

namespace {

NimBLEServerCallbacks noCallbacks;

}  // namespace

NimBLEServer::NimBLEServer() : m_pServerCallbacks{&noCallbacks} {
  m_connectedPeers.fill(BLE_HS_CONN_HANDLE_NONE);
}

NimBLEServer::~NimBLEServer() {
  for (NimBLEService* service : m_svcVec) delete service;
  if (m_deleteCallbacks) delete m_pServerCallbacks;
}

void NimBLEServer::setCallbacks(NimBLEServerCallbacks* pCallbacks, bool deleteCallbacks) {
  m_pServerCallbacks = pCallbacks != nullptr ? pCallbacks : &noCallbacks;
  m_deleteCallbacks = pCallbacks != nullptr && deleteCallbacks;
}

// Services

NimBLEService* NimBLEServer::createService(const NimBLEUUID& uuid) {
  auto* service = new NimBLEService(uuid);
  m_svcVec.push_back(service);
  setServiceChanged();
  return service;
}

NimBLEService* NimBLEServer::getServiceByUUID(const NimBLEUUID& uuid, uint16_t instanceId) const {
  for (NimBLEService* service : m_svcVec) {
    if (service->getUUID() == uuid && instanceId-- == 0) return service;
  }
  return nullptr;
}

NimBLEService* NimBLEServer::getServiceByHandle(uint16_t handle) const {
  for (NimBLEService* service : m_svcVec) {
    if (service->getHandle() == handle) return service;
  }
  return nullptr;
}

void NimBLEServer::setServiceChanged() {
  if (m_gattsStarted) m_svcChanged = true;
}

bool NimBLEServer::start() {
  if (m_svcChanged && getConnectedCount() == 0) m_gattsStarted = false;
  if (m_gattsStarted) return true;
  NimBLEDevice::stopAdvertising();
  espbench::lockHost();
  dropRemoved();
  // After deinit(), the library registers the services with a host that does not run.
  if (NimBLEDevice::isInitialized() && !registerServices()) return false;
  m_svcChanged = false;
  m_gattsStarted = true;
  return true;
}

/// Deletes the services that were removed with NIMBLE_ATT_REMOVE_DELETE.
void NimBLEServer::dropRemoved() {
  auto drop = [](auto& all) {
    auto end = std::remove_if(all.begin(), all.end(), [](auto* attribute) {
      bool isDropped = attribute->getRemoved() == NIMBLE_ATT_REMOVE_DELETE;
      if (isDropped) delete attribute;
      return isDropped;
    });
    all.erase(end, all.end());
  };
  for (NimBLEService* service : m_svcVec) {
    drop(service->m_vChars);
    for (NimBLECharacteristic* characteristic : service->m_vChars) {
      drop(characteristic->m_vDescriptors);
    }
  }
}

bool NimBLEServer::registerServices() {
  std::vector<cfc_attribute> table;
  std::vector<uint16_t*> handles;
  std::vector<const NimBLELocalValueAttribute*> values;
  auto add = [&](uint8_t kind, const NimBLEUUID& uuid, uint16_t properties, uint16_t maximum,
                 uint16_t& handle) {
    cfc_attribute attribute = {};
    attribute.kind = kind;
    attribute.uuid_length = uuid.bitSize() / 8;
    attribute.properties = properties;
    attribute.maximum_length = maximum;
    if (attribute.uuid_length > 0) memcpy(attribute.uuid, uuid.getValue(), attribute.uuid_length);
    table.push_back(attribute);
    handles.push_back(&handle);
    handle = 0;
  };
  for (NimBLEService* service : m_svcVec) {
    add(CFC_SERVICE, service->getUUID(), 0, 0, service->m_handle);
    for (NimBLECharacteristic* characteristic : service->m_vChars) {
      characteristic->m_handle = 0;
      if (characteristic->getRemoved() != 0) continue;
      add(CFC_CHARACTERISTIC, characteristic->getUUID(), characteristic->getProperties(),
          characteristic->getAttVal().max_size(), characteristic->m_handle);
      values.push_back(characteristic);
      for (NimBLEDescriptor* descriptor : characteristic->m_vDescriptors) {
        descriptor->m_handle = 0;
        if (descriptor->getRemoved() != 0) continue;
        add(CFC_DESCRIPTOR, descriptor->getUUID(), descriptor->getProperties(),
            descriptor->getAttVal().max_size(), descriptor->m_handle);
        values.push_back(descriptor);
      }
    }
  }

  cfc_gatt_register message = {static_cast<uint32_t>(table.size()), 0};
  std::vector<uint16_t> answers(table.size());
  int32_t result = espbench::call(CFC_GATT_REGISTER, &message, sizeof message, table.data(),
                                  table.size() * sizeof(cfc_attribute), answers.data(),
                                  answers.size() * sizeof(uint16_t));
  if (result != 0) return false;
  for (size_t i = 0; i < handles.size(); i++) *handles[i] = answers[i];
  for (const NimBLELocalValueAttribute* attribute : values) {
    attribute->publishValue();
    attribute->publishCallbacks();
  }
  for (NimBLEService* service : m_svcVec) service->m_started = true;
  return true;
}

// Connections

uint8_t NimBLEServer::getConnectedCount() const {
  return static_cast<uint8_t>(getPeerDevices().size());
}

std::vector<uint16_t> NimBLEServer::getPeerDevices() const {
  std::vector<uint16_t> peers;
  for (uint16_t peer : m_connectedPeers) {
    if (peer != BLE_HS_CONN_HANDLE_NONE) peers.push_back(peer);
  }
  return peers;
}

/// As in NimBLE-Arduino 2.5.1 the index includes free slots: after the first of two connections has
/// ended, index 0 returns no connection.
NimBLEConnInfo NimBLEServer::getPeerInfo(uint8_t index) const {
  if (index >= getPeerDevices().size()) return NimBLEConnInfo{};
  return getPeerInfoByHandle(m_connectedPeers[index]);
}

NimBLEConnInfo NimBLEServer::getPeerInfo(const NimBLEAddress& address) const {
  NimBLEConnInfo info;
  ble_gap_conn_find_by_addr(address.getBase(), &info.m_desc);
  return info;
}

NimBLEConnInfo NimBLEServer::getPeerInfoByHandle(uint16_t connHandle) const {
  NimBLEConnInfo info;
  ble_gap_conn_find(connHandle, &info.m_desc);
  return info;
}

uint16_t NimBLEServer::getPeerMTU(uint16_t connHandle) const {
  espbench::lockHost();
  const espbench::Link* link = espbench::findLink(connHandle);
  return link != nullptr ? link->connection.mtu : 0;
}

bool NimBLEServer::disconnect(uint16_t connHandle, uint8_t reason) const {
  int result = ble_gap_terminate(connHandle, reason);
  return result == 0 || result == BLE_HS_ENOTCONN || result == BLE_HS_EALREADY;
}

void NimBLEServer::updateConnParams(uint16_t connHandle, uint16_t minInterval, uint16_t maxInterval,
                                    uint16_t latency, uint16_t timeout) const {
  if (!espbench::isHostEnabled) return;
  espbench::lockHost();
  if (espbench::findLink(connHandle) == nullptr) return;
  cfc_update_connection message = {connHandle, minInterval, maxInterval, latency, timeout, {}};
  espbench::send(CFC_UPDATE_CONNECTION, &message, sizeof message);
}

// Advertising

NimBLEAdvertising* NimBLEServer::getAdvertising() const { return NimBLEDevice::getAdvertising(); }
bool NimBLEServer::startAdvertising(uint32_t duration) const {
  return getAdvertising()->start(duration);
}
bool NimBLEServer::stopAdvertising() const { return getAdvertising()->stop(); }

// Callbacks that the sketch does not override

void NimBLEServerCallbacks::onConnect(NimBLEServer*, NimBLEConnInfo&) {}
void NimBLEServerCallbacks::onDisconnect(NimBLEServer*, NimBLEConnInfo&, int) {}
void NimBLEServerCallbacks::onMTUChange(uint16_t, NimBLEConnInfo&) {}
uint32_t NimBLEServerCallbacks::onPassKeyDisplay() { return espbench::kDefaultPasskey; }
void NimBLEServerCallbacks::onPassKeyEntry(NimBLEConnInfo& connInfo) {
  NimBLEDevice::injectPassKey(connInfo, espbench::kDefaultPasskey);
}
void NimBLEServerCallbacks::onConfirmPassKey(NimBLEConnInfo& connInfo, uint32_t) {
  NimBLEDevice::injectConfirmPasskey(connInfo, true);
}
void NimBLEServerCallbacks::onAuthenticationComplete(NimBLEConnInfo&) {}
void NimBLEServerCallbacks::onIdentity(NimBLEConnInfo&) {}
void NimBLEServerCallbacks::onConnParamsUpdate(NimBLEConnInfo&) {}
void NimBLEServerCallbacks::onPhyUpdate(NimBLEConnInfo&, uint8_t, uint8_t) {}

#include <cstring>

#include "../Runtime/Runtime.h"
#include "HostTask.h"
#include "Links.h"
#include "NimBLEAdvertising.h"
#include "NimBLEDevice.h"

NimBLEAdvertising::NimBLEAdvertising()
    : m_connectableMode{BLE_GAP_CONN_MODE_UND}, m_discoverableMode{BLE_GAP_DISC_MODE_GEN} {
  m_advData.setFlags(BLE_HS_ADV_F_DISC_GEN);
}

bool NimBLEAdvertising::start(uint32_t duration, const NimBLEAddress* dirAddr) {
  if (!espbench::isHostEnabled) return false;
  if (NimBLEDevice::m_advertising) return true;
  NimBLEServer* server = NimBLEDevice::getServer();
  if (server != nullptr && !server->start()) return false;
  if (!m_advDataSet) {
    if (!setAdvertisementData(m_advData)) return false;
    bool hasScanData = m_scanResp && !m_scanData.getPayload().empty();
    if (hasScanData && !setScanResponseData(m_scanData)) return false;
  }

  // As in ble_gap_adv_start: non-connectable advertising has no discoverability flags.
  bool isConnectable = m_connectableMode != BLE_GAP_CONN_MODE_NON;
  if (isConnectable && espbench::links.size() >= CONFIG_BT_NIMBLE_MAX_CONNECTIONS) return false;
  espbench::lockHost();
  cfc_advertising message = {};
  message.connectable_mode = m_connectableMode;
  message.discoverable_mode = m_discoverableMode;
  message.own_address_type = NimBLEDevice::m_ownAddrType;
  message.filter_policy = m_filterPolicy;
  message.interval_minimum = m_minInterval;
  message.interval_maximum = m_maxInterval;
  message.duration_ms = duration;
  if (dirAddr != nullptr) {
    message.peer.type = dirAddr->getType();
    memcpy(message.peer.bytes, dirAddr->getVal(), sizeof message.peer.bytes);
  } else if (m_connectableMode == BLE_GAP_CONN_MODE_DIR) {
    return false;
  }
  int32_t result = espbench::call(CFC_ADVERTISING_START, &message, sizeof message);
  if (result != 0 && result != BLE_HS_EALREADY) return false;
  NimBLEDevice::m_advertising = true;
  return true;
}

bool NimBLEAdvertising::stop() {
  if (!espbench::isHostEnabled) return false;
  espbench::lockHost();
  // As in NimBLE, the command is sent even when the controller does not advertise.
  NimBLEDevice::m_advertising = false;
  int32_t result = espbench::call(CFC_ADVERTISING_STOP);
  return result == 0 || result == BLE_HS_EALREADY;
}

bool NimBLEAdvertising::isAdvertising() {
  espbench::spend(espbench::kPollNanoseconds);
  return NimBLEDevice::m_advertising;
}

bool NimBLEAdvertising::reset() {
  if (!stop()) return false;
  *this = NimBLEAdvertising();
  return true;
}

void NimBLEAdvertising::handleComplete() {
  NimBLEDevice::m_advertising = false;
  if (m_advCompCb) m_advCompCb(this);
}

bool NimBLEAdvertising::setConnectableMode(uint8_t mode) {
  if (mode > BLE_GAP_CONN_MODE_UND) return false;
  if (mode == BLE_GAP_CONN_MODE_NON) m_advData.setFlags(0);
  m_connectableMode = mode;
  return true;
}

bool NimBLEAdvertising::setDiscoverableMode(uint8_t mode) {
  if (mode > BLE_GAP_DISC_MODE_GEN) return false;
  const uint8_t flags[] = {BLE_HS_ADV_F_BREDR_UNSUP, BLE_HS_ADV_F_DISC_LTD, BLE_HS_ADV_F_DISC_GEN};
  m_advData.setFlags(flags[mode]);
  m_discoverableMode = mode;
  return true;
}

// Data

bool NimBLEAdvertising::setAdvertisementData(const NimBLEAdvertisementData& advertisementData) {
  std::vector<uint8_t> payload = advertisementData.getPayload();
  if (!espbench::isHostEnabled || payload.size() > BLE_HS_ADV_MAX_SZ) return false;
  espbench::lockHost();
  espbench::send(CFC_ADVERTISING_DATA, payload.data(), payload.size());
  m_advData = advertisementData;
  m_advDataSet = true;
  return true;
}

bool NimBLEAdvertising::setScanResponseData(const NimBLEAdvertisementData& advertisementData) {
  std::vector<uint8_t> payload = advertisementData.getPayload();
  if (!espbench::isHostEnabled || payload.size() > BLE_HS_ADV_MAX_SZ) return false;
  espbench::lockHost();
  espbench::send(CFC_SCAN_RESPONSE_DATA, payload.data(), payload.size());
  m_scanData = advertisementData;
  return true;
}

bool NimBLEAdvertising::refreshAdvertisingData() {
  bool success = setAdvertisementData(m_advData);
  if (m_scanResp) success = setScanResponseData(m_scanData);
  return success;
}

void NimBLEAdvertising::clearData() {
  m_advData.clearData();
  m_advData.setFlags(BLE_HS_ADV_F_DISC_GEN);
  m_scanData.clearData();
  m_advDataSet = false;
}

void NimBLEAdvertising::enableScanResponse(bool enable) {
  m_scanResp = enable;
  m_advDataSet = false;
}

bool NimBLEAdvertising::addTo(const std::function<bool(NimBLEAdvertisementData&)>& add) {
  if (!add(m_advData) && !add(m_scanData)) return false;
  m_advDataSet = false;
  return true;
}

bool NimBLEAdvertising::addServiceUUID(const NimBLEUUID& serviceUUID) {
  return addTo([&](auto& data) { return data.addServiceUUID(serviceUUID); });
}
bool NimBLEAdvertising::removeServiceUUID(const NimBLEUUID& serviceUUID) {
  m_advData.removeServiceUUID(serviceUUID);
  m_advDataSet = false;
  return m_scanData.removeServiceUUID(serviceUUID);
}
bool NimBLEAdvertising::removeServices() {
  m_advData.removeServices();
  m_advDataSet = false;
  return m_scanData.removeServices();
}
bool NimBLEAdvertising::setAppearance(uint16_t appearance) {
  return addTo([&](auto& data) { return data.setAppearance(appearance); });
}
bool NimBLEAdvertising::setPreferredParams(uint16_t minInterval, uint16_t maxInterval) {
  return addTo([&](auto& data) { return data.setPreferredParams(minInterval, maxInterval); });
}
bool NimBLEAdvertising::addTxPower() {
  return addTo([](auto& data) { return data.addTxPower(); });
}
bool NimBLEAdvertising::setName(const std::string& name) {
  bool isSet = (m_scanResp && m_scanData.setName(name)) || m_advData.setName(name);
  if (isSet) m_advDataSet = false;
  return isSet;
}
bool NimBLEAdvertising::setManufacturerData(const uint8_t* data, size_t length) {
  return addTo([&](auto& to) { return to.setManufacturerData(data, length); });
}
bool NimBLEAdvertising::setManufacturerData(const std::string& data) {
  return addTo([&](auto& to) { return to.setManufacturerData(data); });
}
bool NimBLEAdvertising::setManufacturerData(const std::vector<uint8_t>& data) {
  return addTo([&](auto& to) { return to.setManufacturerData(data); });
}
bool NimBLEAdvertising::setURI(const std::string& uri) {
  return addTo([&](auto& data) { return data.setURI(uri); });
}
bool NimBLEAdvertising::setServiceData(const NimBLEUUID& uuid, const uint8_t* data, size_t length) {
  return addTo([&](auto& to) { return to.setServiceData(uuid, data, length); });
}
bool NimBLEAdvertising::setServiceData(const NimBLEUUID& uuid, const std::string& data) {
  return addTo([&](auto& to) { return to.setServiceData(uuid, data); });
}
bool NimBLEAdvertising::setServiceData(const NimBLEUUID& uuid, const std::vector<uint8_t>& data) {
  return addTo([&](auto& to) { return to.setServiceData(uuid, data); });
}

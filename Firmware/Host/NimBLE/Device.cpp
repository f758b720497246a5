#include <algorithm>
#include <cstring>

#include "../Runtime/Runtime.h"
#include "ChannelAddress.h"
#include "HostTask.h"
#include "Links.h"
#include "NimBLEDevice.h"

bool NimBLEDevice::m_initialized = false;
bool NimBLEDevice::m_advertising = false;
NimBLEAddress NimBLEDevice::m_ownAddress;
uint8_t NimBLEDevice::m_ownAddrType = BLE_OWN_ADDR_PUBLIC;
uint16_t NimBLEDevice::m_preferredMTU = 0;
NimBLEServer* NimBLEDevice::m_pServer = nullptr;
NimBLEAdvertising* NimBLEDevice::m_bleAdvertising = nullptr;

bool NimBLEDevice::init(const std::string& deviceName) {
  if (m_initialized) return true;
  setDeviceName(deviceName);
  resetSecurity();
  cfc_address address = {};
  if (!espbench::startHostTask()) return false;
  if (espbench::call(CFC_BLE_INIT, nullptr, 0, nullptr, 0, &address, sizeof address) != 0) {
    return false;
  }
  m_ownAddress = espbench::makeAddress(address);
  m_initialized = espbench::isHostEnabled = true;
  // As ble_att_init(): settings made before deinit() are lost.
  if (m_preferredMTU != 0) setMTU(CONFIG_BT_NIMBLE_ATT_PREFERRED_MTU);
  m_preferredMTU = CONFIG_BT_NIMBLE_ATT_PREFERRED_MTU;
  if (m_ownAddrType == BLE_OWN_ADDR_RANDOM) setOwnAddrType(BLE_OWN_ADDR_RANDOM);
  // As with the library: services that were registered before deinit() no longer exist, and start()
  // does not register them again unless they have changed.
  return true;
}

bool NimBLEDevice::deinit(bool clearAll) {
  bool success = true;
  if (m_initialized) {
    espbench::lockHost();
    espbench::isHostEnabled = false;
    success = espbench::call(CFC_BLE_DEINIT) == 0;
    // As ble_gap_preempt_done().
    if (m_advertising) m_bleAdvertising->handleComplete();
    espbench::awaitEndOfLinks();
    espbench::stopHostTask();
    m_initialized = m_advertising = false;
    espbench::links.clear();
    if (m_pServer != nullptr) {
      m_pServer->m_connectedPeers.fill(BLE_HS_CONN_HANDLE_NONE);
    }
    if (m_bleAdvertising != nullptr) m_bleAdvertising->m_advDataSet = false;
  }
  if (clearAll) {
    delete m_pServer;
    m_pServer = nullptr;
    delete m_bleAdvertising;
    m_bleAdvertising = nullptr;
  }
  return success;
}

bool NimBLEDevice::setDeviceName(const std::string& deviceName) {
  if (deviceName.length() > CONFIG_BT_NIMBLE_GAP_DEVICE_NAME_MAX_LEN) return false;
  espbench::send(CFC_BLE_NAME, deviceName.data(), deviceName.length());
  return true;
}

NimBLEAddress NimBLEDevice::getAddress() {
  espbench::lockHost();
  return m_ownAddress;
}

bool NimBLEDevice::setOwnAddrType(uint8_t type) {
  if (type > BLE_OWN_ADDR_RPA_RANDOM_DEFAULT) return false;
  espbench::lockHost();
  if (!m_initialized && type <= BLE_OWN_ADDR_RANDOM) {
    m_ownAddrType = type;
    return true;
  }
  espbench::requireController(m_initialized);
  cfc_number message = {type};
  cfc_address address = {};
  if (espbench::call(CFC_OWN_ADDRESS_TYPE, &message, sizeof message, nullptr, 0, &address,
                     sizeof address) != 0) {
    return false;
  }
  // On an ESP32 the host generates private addresses; the controller treats them as random
  // addresses.
  m_ownAddrType = type == BLE_OWN_ADDR_PUBLIC ? BLE_OWN_ADDR_PUBLIC : BLE_OWN_ADDR_RANDOM;
  m_ownAddress = espbench::makeAddress(address);
  return true;
}

bool NimBLEDevice::setMTU(uint16_t mtu) {
  if (mtu < BLE_ATT_MTU_DFLT || mtu > BLE_ATT_MTU_MAX) return false;
  espbench::lockHost();
  if (mtu == m_preferredMTU) return true;
  m_preferredMTU = mtu;
  cfc_number message = {mtu};
  espbench::send(CFC_BLE_PREFERRED_MTU, &message, sizeof message);
  return true;
}

NimBLEServer* NimBLEDevice::createServer() {
  if (m_pServer == nullptr) m_pServer = new NimBLEServer();
  return m_pServer;
}

NimBLEAdvertising* NimBLEDevice::getAdvertising() {
  if (m_bleAdvertising == nullptr) m_bleAdvertising = new NimBLEAdvertising();
  return m_bleAdvertising;
}

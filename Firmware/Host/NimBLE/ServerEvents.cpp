// Events of the board for the GATT server, and their callbacks.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "../Runtime/Runtime.h"
#include "HostTask.h"
#include "Links.h"
#include "NimBLEDevice.h"
#include "Passkey.h"

namespace {

template <typename T>
T readPayload(const uint8_t* payload, size_t length) {
  T value = {};
  memcpy(&value, payload, std::min(length, sizeof value));
  return value;
}

}  // namespace

uint32_t espbench::runCallback(uint16_t type, const uint8_t* payload, size_t length) {
  NimBLEServer* server = NimBLEDevice::getServer();
  return server != nullptr ? server->handleEvent(type, payload, length)
                           : NimBLEServer::handleWithoutServer(type, payload, length);
}

/// NimBLEAdvertising::handleGapEvent: the sketch is not notified of a client's connection.
uint32_t NimBLEServer::handleWithoutServer(uint16_t type, const uint8_t* payload, size_t length) {
  if (type == CFC_BLE_ADVERTISING_COMPLETE) {
    NimBLEDevice::getAdvertising()->handleComplete();
  } else if (length >= sizeof(cfc_connection_event)) {
    updateLink(type, readPayload<cfc_connection_event>(payload, length).connection);
  }
  return readPayload<cfc_ble_event>(payload, length).token;
}

/// Updates the C host's connections with an event of one connection.
void NimBLEServer::updateLink(uint16_t type, const cfc_connection& connection) {
  if (type == CFC_BLE_DISCONNECTED || type == CFC_BLE_LINK_ENDED) {
    espbench::removeLink(connection.handle);
  } else if (espbench::updateLink(connection)) {
    // The controller stops advertising at a connection; the host updates its state at Connection
    // Complete.
    NimBLEDevice::m_advertising = false;
  }
}

uint32_t NimBLEServer::handleEvent(uint16_t type, const uint8_t* payload, size_t length) {
  switch (type) {
    case CFC_BLE_CONNECTED:
    case CFC_BLE_DISCONNECTED:
    case CFC_BLE_MTU:
    case CFC_BLE_CONNECTION_PARAMETERS:
    case CFC_BLE_PASSKEY_ACTION:
    case CFC_BLE_ENCRYPTION:
    case CFC_BLE_IDENTITY:
    case CFC_BLE_LINK_STATE:
    case CFC_BLE_LINK_ENDED:
      return handleConnectionEvent(type, payload, length);
    case CFC_BLE_ADVERTISING_COMPLETE:
      NimBLEDevice::getAdvertising()->handleComplete();
      return readPayload<cfc_ble_event>(payload, length).token;
    default:
      return handleGattEvent(type, payload, length);
  }
}

uint32_t NimBLEServer::handleConnectionEvent(uint16_t type, const uint8_t* payload, size_t length) {
  auto event = readPayload<cfc_connection_event>(payload, length);
  uint16_t handle = event.connection.handle;
  auto place = [this](uint16_t value) {
    return std::find(m_connectedPeers.begin(), m_connectedPeers.end(), value);
  };
  updateLink(type, event.connection);
  NimBLEConnInfo info(espbench::makeDescriptor(event.connection));
  switch (type) {
    case CFC_BLE_CONNECTED:
      if (auto free = place(BLE_HS_CONN_HANDLE_NONE); free != m_connectedPeers.end()) {
        *free = handle;
      }
      m_pServerCallbacks->onConnect(this, info);
      break;
    case CFC_BLE_DISCONNECTED:
      if (auto taken = place(handle); taken != m_connectedPeers.end()) {
        *taken = BLE_HS_CONN_HANDLE_NONE;
      }
      m_pServerCallbacks->onDisconnect(this, info, event.value);
      if (m_advertiseOnDisconnect) startAdvertising();
      break;
    case CFC_BLE_MTU:
      m_pServerCallbacks->onMTUChange(static_cast<uint16_t>(event.value), info);
      break;
    case CFC_BLE_PASSKEY_ACTION:
      handlePasskeyAction(event.detail, info, static_cast<uint32_t>(event.value));
      break;
    case CFC_BLE_ENCRYPTION:
      // Also called for a failure, which the sketch recognises by isEncrypted().
      m_pServerCallbacks->onAuthenticationComplete(info);
      break;
    case CFC_BLE_IDENTITY:
      m_pServerCallbacks->onIdentity(info);
      break;
    case CFC_BLE_LINK_STATE:
    case CFC_BLE_LINK_ENDED:
      break;
    default:
      m_pServerCallbacks->onConnParamsUpdate(info);
  }
  return event.token;
}

void NimBLEServer::handlePasskeyAction(uint32_t action, NimBLEConnInfo& connInfo, uint32_t number) {
  switch (action) {
    case CFC_PASSKEY_DISPLAY: {
      // The callback is called until the sketch has set a passkey.
      uint32_t passkey = NimBLEDevice::getSecurityPasskey();
      if (passkey == espbench::kDefaultPasskey) passkey = m_pServerCallbacks->onPassKeyDisplay();
      espbench::answerPasskey(connInfo.getConnHandle(), CFC_PASSKEY_DISPLAY, passkey);
      break;
    }
    case CFC_PASSKEY_INPUT:
      m_pServerCallbacks->onPassKeyEntry(connInfo);
      break;
    case CFC_PASSKEY_COMPARE:
      m_pServerCallbacks->onConfirmPassKey(connInfo, number);
      break;
    default:
      break;  // Out of band: the library provides no data either.
  }
}

uint32_t NimBLEServer::handleGattEvent(uint16_t type, const uint8_t* payload, size_t length) {
  auto event = readPayload<cfc_gatt_event>(payload, length);
  NimBLEConnInfo info = getPeerInfoByHandle(event.connection);
  for (NimBLEService* service : m_svcVec) {
    for (NimBLECharacteristic* characteristic : service->m_vChars) {
      NimBLELocalValueAttribute* attribute = nullptr;
      if (characteristic->getHandle() == event.attribute) {
        attribute = characteristic;
      } else {
        attribute = characteristic->getDescriptorByHandle(event.attribute);
      }
      if (attribute == nullptr || event.attribute == 0) continue;
      if (type == CFC_GATT_READ) {
        attribute->readEvent(info);
      } else if (type == CFC_GATT_WRITE && length >= sizeof event) {
        attribute->m_value.setValue(payload + sizeof event,
                                    static_cast<uint16_t>(length - sizeof event));
        attribute->writeEvent(info);
      } else if (attribute == characteristic) {
        handleCharacteristicEvent(type, characteristic, info, event.value);
      }
      return event.token;
    }
  }
  return event.token;
}

void NimBLEServer::handleCharacteristicEvent(uint16_t type, NimBLECharacteristic* characteristic,
                                             NimBLEConnInfo& connInfo, int32_t value) {
  NimBLECharacteristicCallbacks* callbacks = characteristic->getCallbacks();
  if (type == CFC_GATT_SUBSCRIBE) {
    callbacks->onSubscribe(characteristic, connInfo, static_cast<uint16_t>(value));
  } else if (type == CFC_GATT_STATUS) {
    characteristic->reportStatus(value);
  }
}

// Connection information

uint16_t NimBLEConnInfo::getMTU() const {
  espbench::lockHost();
  const espbench::Link* link = espbench::findLink(getConnHandle());
  return link != nullptr ? link->connection.mtu : 0;
}

std::string NimBLEConnInfo::toString() const {
  auto yesOrNo = [](bool value) { return value ? "Yes" : "No"; };
  char text[400];
  snprintf(text, sizeof text,
           "  Address: %s\n"
           "  ID Address: %s\n"
           "  Connection Handle: %u\n"
           "  Connection Interval: %.1f ms\n"
           "  Connection Timeout: %u ms\n"
           "  Connection Latency: %u\n"
           "  MTU: %u bytes\n"
           "  Role: %s\n"
           "  Bonded: %s\n"
           "  Encrypted: %s\n"
           "  Authenticated: %s\n"
           "  Security Key Size: %u\n",
           getAddress().toString().c_str(), getIdAddress().toString().c_str(), getConnHandle(),
           getConnInterval() * 1.25, getConnTimeout() * 10, getConnLatency(), getMTU(),
           isMaster() ? "Master" : "Slave", yesOrNo(isBonded()), yesOrNo(isEncrypted()),
           yesOrNo(isAuthenticated()), getSecKeySize());
  return text;
}

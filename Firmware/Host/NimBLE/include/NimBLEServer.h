#pragma once

#include <array>
#include <vector>

#include "NimBLEAddress.h"
#include "NimBLEConnInfo.h"
#include "NimBLEService.h"

#define NIMBLE_ATT_REMOVE_HIDE 1
#define NIMBLE_ATT_REMOVE_DELETE 2

struct cfc_connection;
class NimBLEAdvertising;
class NimBLEServerCallbacks;

namespace espbench {
uint32_t runCallback(uint16_t type, const uint8_t* payload, size_t length);
}

class NimBLEServer {
 public:
  /// Registers the services; starting advertising does so, too.
  bool start();
  uint8_t getConnectedCount() const;
  /// Also valid before onConnect(). Also true for an unknown connection, or one that is already
  /// ending.
  bool disconnect(uint16_t connHandle, uint8_t reason = BLE_ERR_REM_USER_CONN_TERM) const;
  bool disconnect(const NimBLEConnInfo& connInfo,
                  uint8_t reason = BLE_ERR_REM_USER_CONN_TERM) const {
    return disconnect(connInfo.getConnHandle(), reason);
  }
  void setCallbacks(NimBLEServerCallbacks* pCallbacks, bool deleteCallbacks = true);
  void updateConnParams(uint16_t connHandle, uint16_t minInterval, uint16_t maxInterval,
                        uint16_t latency, uint16_t timeout) const;
  NimBLEService* createService(const char* uuid) { return createService(NimBLEUUID(uuid)); }
  NimBLEService* createService(const NimBLEUUID& uuid);
  NimBLEService* getServiceByUUID(const char* uuid, uint16_t instanceId = 0) const {
    return getServiceByUUID(NimBLEUUID(uuid), instanceId);
  }
  NimBLEService* getServiceByUUID(const NimBLEUUID& uuid, uint16_t instanceId = 0) const;
  NimBLEService* getServiceByHandle(uint16_t handle) const;
  uint16_t getPeerMTU(uint16_t connHandle) const;
  std::vector<uint16_t> getPeerDevices() const;
  NimBLEConnInfo getPeerInfo(uint8_t index) const;
  NimBLEConnInfo getPeerInfo(const NimBLEAddress& address) const;
  NimBLEConnInfo getPeerInfoByHandle(uint16_t connHandle) const;
  void advertiseOnDisconnect(bool enable) { m_advertiseOnDisconnect = enable; }
  NimBLEAdvertising* getAdvertising() const;
  bool startAdvertising(uint32_t duration = 0) const;
  bool stopAdvertising() const;

  ESPBENCH_NOT_YET("NimBLEServer::removeService")
  void removeService(NimBLEService* service, bool deleteSvc = false);
  ESPBENCH_NOT_YET("NimBLEServer::addService") void addService(NimBLEService* service);
  ESPBENCH_NOT_YET("NimBLEServer::setDataLen")
  void setDataLen(uint16_t connHandle, uint16_t tx_octets) const;
  ESPBENCH_NOT_YET("NimBLEServer::updatePhy")
  bool updatePhy(uint16_t connHandle, uint8_t txPhysMask, uint8_t rxPhysMask, uint16_t phyOptions);
  ESPBENCH_NOT_YET("NimBLEServer::getPhy")
  bool getPhy(uint16_t connHandle, uint8_t* txPhy, uint8_t* rxPhy);
  ESPBENCH_NOT_YET("NimBLEServer::getClient") class NimBLEClient* getClient(uint16_t connHandle);
  ESPBENCH_NOT_YET("NimBLEServer::getClient")
  class NimBLEClient* getClient(const NimBLEConnInfo& connInfo);
  ESPBENCH_NOT_YET("NimBLEServer::deleteClient") void deleteClient();
  ESPBENCH_NOT_YET("NimBLEServer::sendServiceChangedIndication")
  void sendServiceChangedIndication() const;

 private:
  friend class NimBLEDevice;
  friend class NimBLEService;
  friend class NimBLECharacteristic;
  friend class NimBLEAdvertising;
  friend class NimBLEConnInfo;
  friend uint32_t espbench::runCallback(uint16_t type, const uint8_t* payload, size_t length);

  NimBLEServer();
  ~NimBLEServer();

  /// Handles the board's events. Returns the event's token.
  static uint32_t handleWithoutServer(uint16_t type, const uint8_t* payload, size_t length);
  static void updateLink(uint16_t type, const cfc_connection& connection);
  uint32_t handleEvent(uint16_t type, const uint8_t* payload, size_t length);
  uint32_t handleConnectionEvent(uint16_t type, const uint8_t* payload, size_t length);
  uint32_t handleGattEvent(uint16_t type, const uint8_t* payload, size_t length);
  void handlePasskeyAction(uint32_t action, NimBLEConnInfo& connInfo, uint32_t number);
  void handleCharacteristicEvent(uint16_t type, NimBLECharacteristic* characteristic,
                                 NimBLEConnInfo& connInfo, int32_t value);
  void setServiceChanged();
  void dropRemoved();
  bool registerServices();

  bool m_gattsStarted = false;
  bool m_svcChanged = false;
  bool m_deleteCallbacks = false;
  bool m_advertiseOnDisconnect = false;
  NimBLEServerCallbacks* m_pServerCallbacks;
  std::vector<NimBLEService*> m_svcVec{};
  /// Connections from onConnect() to onDisconnect(); the host's links last longer
  /// (ble_gap_conn_find).
  std::array<uint16_t, espbench::kMaximumConnections> m_connectedPeers;
};

class NimBLEServerCallbacks {
 public:
  virtual ~NimBLEServerCallbacks() = default;
  virtual void onConnect(NimBLEServer* pServer, NimBLEConnInfo& connInfo);
  /// `reason`: 0x200 + the HCI error code.
  virtual void onDisconnect(NimBLEServer* pServer, NimBLEConnInfo& connInfo, int reason);
  virtual void onMTUChange(uint16_t MTU, NimBLEConnInfo& connInfo);
  /// The passkey for the central's user to enter, if none was set.
  virtual uint32_t onPassKeyDisplay();
  virtual void onPassKeyEntry(NimBLEConnInfo& connInfo);
  virtual void onConfirmPassKey(NimBLEConnInfo& connInfo, uint32_t pin);
  /// Encryption started, or pairing failed.
  virtual void onAuthenticationComplete(NimBLEConnInfo& connInfo);
  virtual void onIdentity(NimBLEConnInfo& connInfo);
  virtual void onConnParamsUpdate(NimBLEConnInfo& connInfo);
  virtual void onPhyUpdate(NimBLEConnInfo& connInfo, uint8_t txPhy, uint8_t rxPhy);
};

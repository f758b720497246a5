// NimBLE-Arduino 2.5 for espbench's virtual board: the peripheral role.
//
// Signatures and behaviour are NimBLE-Arduino's 2.5.1; the board contains the GATT server itself.
// Missing parts fail to compile with a message that names them.
#pragma once

#include <esp_bt.h>
#include <esp_timer.h>
#include <freertos/FreeRTOS.h>
#include <freertos/semphr.h>
#include <freertos/task.h>
#include <inttypes.h>

#include <string>
#include <vector>

#include "NimBLEAddress.h"
#include "NimBLEAdvertising.h"
#include "NimBLECharacteristic.h"
#include "NimBLEConnInfo.h"
#include "NimBLEDescriptor.h"
#include "NimBLEServer.h"
#include "NimBLEService.h"
#include "NimBLEStream.h"
#include "NimBLEUtils.h"
#include "nimble/nimble/host/include/host/ble_store.h"
#include "nimconfig.h"

#define BLEDevice NimBLEDevice
#define BLEUUID NimBLEUUID
#define BLEAddress NimBLEAddress
#define BLEUtils NimBLEUtils
#define BLEServer NimBLEServer
#define BLEService NimBLEService
#define BLECharacteristic NimBLECharacteristic
#define BLEAdvertising NimBLEAdvertising
#define BLEServerCallbacks NimBLEServerCallbacks
#define BLECharacteristicCallbacks NimBLECharacteristicCallbacks
#define BLEAdvertisementData NimBLEAdvertisementData
#define BLEDescriptor NimBLEDescriptor
#define BLE2904 NimBLE2904
#define BLEDescriptorCallbacks NimBLEDescriptorCallbacks
#define BLEConnInfo NimBLEConnInfo
#define BLEClient NimBLEClient
#define BLEClientCallbacks NimBLEClientCallbacks
#define BLERemoteService NimBLERemoteService
#define BLERemoteCharacteristic NimBLERemoteCharacteristic
#define BLERemoteDescriptor NimBLERemoteDescriptor
#define BLEAdvertisedDevice NimBLEAdvertisedDevice
#define BLEAdvertisedDeviceCallbacks NimBLEScanCallbacks
#define BLEScan NimBLEScan
#define BLEScanResults NimBLEScanResults
#define BLEBeacon NimBLEBeacon
#define BLEEddystoneTLM NimBLEEddystoneTLM

// The central's and the observer's classes.
class ESPBENCH_NOT_YET("NimBLEClient") NimBLEClient;
class ESPBENCH_NOT_YET("NimBLEClientCallbacks") NimBLEClientCallbacks;
class ESPBENCH_NOT_YET("NimBLERemoteService") NimBLERemoteService;
class ESPBENCH_NOT_YET("NimBLERemoteCharacteristic") NimBLERemoteCharacteristic;
class ESPBENCH_NOT_YET("NimBLERemoteDescriptor") NimBLERemoteDescriptor;
class ESPBENCH_NOT_YET("NimBLEAdvertisedDevice") NimBLEAdvertisedDevice;
class ESPBENCH_NOT_YET("NimBLEScan") NimBLEScan;
class ESPBENCH_NOT_YET("NimBLEScanCallbacks") NimBLEScanCallbacks;
class ESPBENCH_NOT_YET("NimBLEScanResults") NimBLEScanResults;
class ESPBENCH_NOT_YET("NimBLEDeviceCallbacks") NimBLEDeviceCallbacks;
struct ble_gap_event;
typedef int (*gap_event_handler)(struct ble_gap_event* event, void* arg);

enum class NimBLETxPowerType { All = 0, Advertise = 1, Scan = 2, Connection = 3 };

class NimBLEDevice {
 public:
  /// Starts controller and host and waits for them. The name is the GAP Device Name; it is not
  /// advertised.
  static bool init(const std::string& deviceName);
  static bool deinit(bool clearAll = false);
  static bool setDeviceName(const std::string& deviceName);
  static bool isInitialized() { return m_initialized; }
  static NimBLEAddress getAddress();
  static std::string toString() { return getAddress().toString(); }
  static const char* getVersion() { return "NimBLE-Arduino 2.5.1"; }
  /// The server's receive MTU, 23 to 527.
  static bool setMTU(uint16_t mtu);
  static uint16_t getMTU() { return m_preferredMTU; }
  /// In dBm; the chip has steps of 3.
  static int getPower(NimBLETxPowerType type = NimBLETxPowerType::All);
  static bool setPower(int8_t dbm, NimBLETxPowerType type = NimBLETxPowerType::All);
  static esp_power_level_t getPowerLevel(esp_ble_power_type_t powerType = ESP_BLE_PWR_TYPE_DEFAULT);
  static bool setPowerLevel(esp_power_level_t powerLevel,
                            esp_ble_power_type_t powerType = ESP_BLE_PWR_TYPE_DEFAULT);
  static NimBLEServer* createServer();
  static NimBLEServer* getServer() { return m_pServer; }
  static NimBLEAdvertising* getAdvertising();
  static bool startAdvertising(uint32_t duration = 0) { return getAdvertising()->start(duration); }
  static bool stopAdvertising() { return getAdvertising()->stop(); }
  /// BLE_OWN_ADDR_...; with an RPA the host generates and rotates resolvable private addresses.
  static bool setOwnAddrType(uint8_t type);

  // The white list (the controller's filter accept list), used by
  // NimBLEAdvertising::setScanFilter(). It has 12 entries, and cannot change while advertising uses
  // it.
  static bool whiteListAdd(const NimBLEAddress& address);
  /// Also true for an address that is not on the list.
  static bool whiteListRemove(const NimBLEAddress& address);
  static bool onWhiteList(const NimBLEAddress& address);
  static size_t getWhiteListCount() { return m_whiteList.size(); }
  /// Returns the null address if `index` is too large.
  static NimBLEAddress getWhiteListAddress(size_t index);

  // Security. init() resets these settings to the defaults: no bonding, no MITM protection, legacy
  // pairing, no input or output, and distribution of both keys.
  static void setSecurityAuth(bool bonding, bool mitm, bool sc);
  /// BLE_SM_PAIR_AUTHREQ_...
  static void setSecurityAuth(uint8_t auth);
  /// BLE_HS_IO_...
  static void setSecurityIOCap(uint8_t iocap);
  /// BLE_SM_PAIR_KEY_DIST_...: the keys that this device distributes.
  static void setSecurityInitKey(uint8_t initKey);
  /// BLE_SM_PAIR_KEY_DIST_...: the keys that it requests.
  static void setSecurityRespKey(uint8_t respKey);
  /// Six digits. While it is 123456, onPassKeyDisplay is called.
  static void setSecurityPasskey(uint32_t passKey) { m_passkey = passKey; }
  static uint32_t getSecurityPasskey() { return m_passkey; }
  /// Requests security from the central. Also true while a procedure is running.
  static bool startSecurity(uint16_t connHandle, int* rcPtr = nullptr);
  static bool injectConfirmPasskey(const NimBLEConnInfo& peer, bool accept);
  static bool injectPassKey(const NimBLEConnInfo& peerInfo, uint32_t pin);

  // Bonds, by the peer's identity address; the oldest is number 0.
  /// deleteBond() also ends the peer's connection. It returns false while advertising, if the peer
  /// has distributed its identity key, as in the library.
  static bool deleteBond(const NimBLEAddress& address);
  static int getNumBonds();
  static bool isBonded(const NimBLEAddress& address);
  /// Stops at the first bond that cannot be deleted.
  static bool deleteAllBonds();
  static NimBLEAddress getBondedAddress(int index);

#define ESPBENCH_DEVICE_NOT_YET(result, name, ...) \
  ESPBENCH_NOT_YET("NimBLEDevice::" #name) static result name(__VA_ARGS__)
  ESPBENCH_DEVICE_NOT_YET(bool, setOwnAddr, const NimBLEAddress& addr);
  ESPBENCH_DEVICE_NOT_YET(bool, setOwnAddr, const uint8_t* addr);
  ESPBENCH_DEVICE_NOT_YET(void, setDeviceCallbacks, NimBLEDeviceCallbacks* cb);
  ESPBENCH_DEVICE_NOT_YET(bool, setDefaultPhy, uint8_t txPhyMask, uint8_t rxPhyMask);
  ESPBENCH_DEVICE_NOT_YET(bool, setCustomGapHandler, gap_event_handler handler,
                          void* arg = nullptr);
  ESPBENCH_DEVICE_NOT_YET(void, setScanDuplicateCacheSize, uint16_t cacheSize);
  ESPBENCH_DEVICE_NOT_YET(void, setScanFilterMode, uint8_t type);
  ESPBENCH_DEVICE_NOT_YET(void, setScanDuplicateCacheResetTime, uint16_t time);
  ESPBENCH_DEVICE_NOT_YET(NimBLEScan*, getScan);
  ESPBENCH_DEVICE_NOT_YET(NimBLEClient*, createClient);
  ESPBENCH_DEVICE_NOT_YET(NimBLEClient*, createClient, const NimBLEAddress& peerAddress);
  ESPBENCH_DEVICE_NOT_YET(bool, deleteClient, NimBLEClient* pClient);
  ESPBENCH_DEVICE_NOT_YET(NimBLEClient*, getClientByHandle, uint16_t connHandle);
  ESPBENCH_DEVICE_NOT_YET(NimBLEClient*, getClientByPeerAddress, const NimBLEAddress& peerAddress);
  ESPBENCH_DEVICE_NOT_YET(NimBLEClient*, getDisconnectedClient);
  ESPBENCH_DEVICE_NOT_YET(size_t, getCreatedClientCount);
  ESPBENCH_DEVICE_NOT_YET(size_t, getConnectedClients);
#undef ESPBENCH_DEVICE_NOT_YET

 private:
  friend class NimBLEAdvertising;
  friend class NimBLEServer;
  friend class NimBLELocalValueAttribute;

  static void resetSecurity();

  static bool m_initialized;
  static bool m_advertising;
  static NimBLEAddress m_ownAddress;
  static uint8_t m_ownAddrType;
  static uint16_t m_preferredMTU;
  static uint32_t m_passkey;
  static std::vector<NimBLEAddress> m_whiteList;
  static NimBLEServer* m_pServer;
  static NimBLEAdvertising* m_bleAdvertising;
};

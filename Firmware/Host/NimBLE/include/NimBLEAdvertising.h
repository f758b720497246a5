#pragma once

#include <functional>
#include <string>
#include <vector>

#include "NimBLEAddress.h"
#include "NimBLEAdvertisementData.h"
#include "NimBLEUUID.h"

class NimBLEAdvertising;
typedef std::function<void(NimBLEAdvertising*)> advCompleteCB_t;

/// Advertising. Structures that do not fit into the advertisement are put into the scan response,
/// which is sent only if it is enabled.
class NimBLEAdvertising {
 public:
  NimBLEAdvertising();
  /// `duration` in milliseconds, 0: unlimited.
  bool start(uint32_t duration = 0, const NimBLEAddress* dirAddr = nullptr);
  void setAdvertisingCompleteCallback(advCompleteCB_t callback) { m_advCompCb = callback; }
  bool stop();
  bool setConnectableMode(uint8_t mode);
  bool setDiscoverableMode(uint8_t mode);
  bool reset();
  bool isAdvertising();
  /// Restricts the scan requests or connections that the controller accepts to devices on
  /// NimBLEDevice's white list, from the next start on.
  void setScanFilter(bool scanRequestWhitelistOnly, bool connectWhitelistOnly) {
    m_filterPolicy = scanRequestWhitelistOnly | connectWhitelistOnly << 1;
  }
  void enableScanResponse(bool enable);
  /// In units of 0.625 ms, 0: the default.
  void setAdvertisingInterval(uint16_t interval) { m_minInterval = m_maxInterval = interval; }
  void setMaxInterval(uint16_t maxInterval) { m_maxInterval = maxInterval; }
  void setMinInterval(uint16_t minInterval) { m_minInterval = minInterval; }

  bool setAdvertisementData(const NimBLEAdvertisementData& advertisementData);
  bool setScanResponseData(const NimBLEAdvertisementData& advertisementData);
  const NimBLEAdvertisementData& getAdvertisementData() { return m_advData; }
  /// In NimBLE-Arduino 2.5.1, this also returns the advertisement's data.
  const NimBLEAdvertisementData& getScanData() { return m_advData; }
  void clearData();
  bool refreshAdvertisingData();

  bool addServiceUUID(const NimBLEUUID& serviceUUID);
  bool addServiceUUID(const char* serviceUUID) { return addServiceUUID(NimBLEUUID(serviceUUID)); }
  bool removeServiceUUID(const NimBLEUUID& serviceUUID);
  bool removeServiceUUID(const char* serviceUUID) {
    return removeServiceUUID(NimBLEUUID(serviceUUID));
  }
  bool removeServices();
  bool setAppearance(uint16_t appearance);
  bool setPreferredParams(uint16_t minInterval, uint16_t maxInterval);
  bool addTxPower();
  bool setName(const std::string& name);
  bool setManufacturerData(const uint8_t* data, size_t length);
  bool setManufacturerData(const std::string& data);
  bool setManufacturerData(const std::vector<uint8_t>& data);
  bool setURI(const std::string& uri);
  bool setServiceData(const NimBLEUUID& uuid, const uint8_t* data, size_t length);
  bool setServiceData(const NimBLEUUID& uuid, const std::string& data);
  bool setServiceData(const NimBLEUUID& uuid, const std::vector<uint8_t>& data);

 private:
  friend class NimBLEDevice;
  friend class NimBLEServer;

  /// Adds to the advertisement, or, if that is full, to the scan response.
  bool addTo(const std::function<bool(NimBLEAdvertisementData&)>& add);
  void handleComplete();

  NimBLEAdvertisementData m_advData;
  NimBLEAdvertisementData m_scanData;
  advCompleteCB_t m_advCompCb;
  uint8_t m_connectableMode;
  uint8_t m_discoverableMode;
  uint8_t m_filterPolicy = 0;  // BLE_HCI_ADV_FILT_...
  uint16_t m_minInterval = 0;
  uint16_t m_maxInterval = 0;
  bool m_scanResp = false;
  bool m_advDataSet = false;
};

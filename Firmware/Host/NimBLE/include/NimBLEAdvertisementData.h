#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "NimBLEUUID.h"

/// The AD structures of an advertisement or a scan response, in the order in which they were added.
/// Each function returns false, and changes nothing, when the 31 bytes are not enough.
class NimBLEAdvertisementData {
 public:
  bool addData(const uint8_t* data, size_t length);
  bool addData(const std::vector<uint8_t>& data) { return addData(data.data(), data.size()); }
  bool setAppearance(uint16_t appearance);
  bool setFlags(uint8_t flag);
  bool addTxPower();
  bool setPreferredParams(uint16_t minInterval, uint16_t maxInterval);
  bool addServiceUUID(const NimBLEUUID& serviceUUID);
  bool addServiceUUID(const char* serviceUUID) { return addServiceUUID(NimBLEUUID(serviceUUID)); }
  bool removeServiceUUID(const NimBLEUUID& serviceUUID);
  bool removeServiceUUID(const char* serviceUUID) {
    return removeServiceUUID(NimBLEUUID(serviceUUID));
  }
  /// In NimBLE-Arduino 2.5.1 this removes nothing.
  bool removeServices() { return true; }
  bool setManufacturerData(const uint8_t* data, size_t length);
  bool setManufacturerData(const std::string& data);
  bool setManufacturerData(const std::vector<uint8_t>& data);
  bool setURI(const std::string& uri);
  /// A name of more than 29 bytes is truncated and marked as shortened.
  bool setName(const std::string& name, bool isComplete = true);
  bool setShortName(const std::string& name) { return setName(name, false); }
  bool setCompleteServices(const NimBLEUUID& uuid);
  bool setCompleteServices16(const std::vector<NimBLEUUID>& uuids);
  bool setCompleteServices32(const std::vector<NimBLEUUID>& uuids);
  bool setPartialServices(const NimBLEUUID& uuid);
  bool setPartialServices16(const std::vector<NimBLEUUID>& uuids);
  bool setPartialServices32(const std::vector<NimBLEUUID>& uuids);
  bool setServiceData(const NimBLEUUID& uuid, const uint8_t* data, size_t length);
  bool setServiceData(const NimBLEUUID& uuid, const std::string& data);
  bool setServiceData(const NimBLEUUID& uuid, const std::vector<uint8_t>& data);
  bool removeData(uint8_t type);
  void clearData() { m_payload.clear(); }
  /// The offset of the first structure of a type; -1 when there is none.
  int getDataLocation(uint8_t type) const;

  std::string toString() const;
  std::vector<uint8_t> getPayload() const { return m_payload; }

 private:
  bool addStructure(uint8_t type, const uint8_t* data, size_t length);
  bool setServices(bool complete, uint8_t size, const std::vector<NimBLEUUID>& uuids);

  std::vector<uint8_t> m_payload{};
};

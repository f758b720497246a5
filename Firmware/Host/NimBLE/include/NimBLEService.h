#pragma once

#include <string>
#include <vector>

#include "NimBLEAttribute.h"
#include "NimBLECharacteristic.h"

class NimBLEServer;

class NimBLEService : public NimBLELocalAttribute {
 public:
  NimBLEService(const char* uuid) : NimBLEService(NimBLEUUID(uuid)) {}
  NimBLEService(const NimBLEUUID& uuid) : NimBLELocalAttribute{uuid, 0} {}
  ~NimBLEService();

  NimBLEServer* getServer() const;
  std::string toString() const;
  /// Writes to the debug log of the library, which is off in its default configuration.
  void dump() const {}
  bool isStarted() const { return m_started; }
  __attribute__((
      deprecated("NimBLEService::start() has no effect. Services are started when the "
                 "server is started."))) bool
  start() {
    return true;
  }

  NimBLECharacteristic* createCharacteristic(const char* uuid,
                                             uint32_t properties = NIMBLE_PROPERTY::READ |
                                                                   NIMBLE_PROPERTY::WRITE,
                                             uint16_t max_len = BLE_ATT_ATTR_MAX_LEN) {
    return createCharacteristic(NimBLEUUID(uuid), properties, max_len);
  }
  NimBLECharacteristic* createCharacteristic(const NimBLEUUID& uuid,
                                             uint32_t properties = NIMBLE_PROPERTY::READ |
                                                                   NIMBLE_PROPERTY::WRITE,
                                             uint16_t max_len = BLE_ATT_ATTR_MAX_LEN);
  void addCharacteristic(NimBLECharacteristic* pCharacteristic);
  void removeCharacteristic(NimBLECharacteristic* pCharacteristic, bool deleteChr = false);
  NimBLECharacteristic* getCharacteristic(const char* uuid, uint16_t instanceId = 0) const {
    return getCharacteristic(NimBLEUUID(uuid), instanceId);
  }
  NimBLECharacteristic* getCharacteristic(const NimBLEUUID& uuid, uint16_t instanceId = 0) const;
  NimBLECharacteristic* getCharacteristicByHandle(uint16_t handle) const;
  const std::vector<NimBLECharacteristic*>& getCharacteristics() const { return m_vChars; }
  std::vector<NimBLECharacteristic*> getCharacteristics(const char* uuid) const {
    return getCharacteristics(NimBLEUUID(uuid));
  }
  std::vector<NimBLECharacteristic*> getCharacteristics(const NimBLEUUID& uuid) const;

 private:
  friend class NimBLEServer;

  std::vector<NimBLECharacteristic*> m_vChars{};
  bool m_started = false;
};

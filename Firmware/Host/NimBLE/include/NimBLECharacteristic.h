#pragma once

#include <string>
#include <vector>

#include "NimBLEDescriptor.h"
#include "NimBLELocalValueAttribute.h"

class NimBLECharacteristicCallbacks;
class NimBLEService;

class NimBLECharacteristic : public NimBLELocalValueAttribute {
 public:
  NimBLECharacteristic(const char* uuid,
                       uint16_t properties = NIMBLE_PROPERTY::READ | NIMBLE_PROPERTY::WRITE,
                       uint16_t maxLen = BLE_ATT_ATTR_MAX_LEN, NimBLEService* pService = nullptr)
      : NimBLECharacteristic(NimBLEUUID(uuid), properties, maxLen, pService) {}
  NimBLECharacteristic(const NimBLEUUID& uuid,
                       uint16_t properties = NIMBLE_PROPERTY::READ | NIMBLE_PROPERTY::WRITE,
                       uint16_t maxLen = BLE_ATT_ATTR_MAX_LEN, NimBLEService* pService = nullptr);
  ~NimBLECharacteristic();

  std::string toString() const;
  void addDescriptor(NimBLEDescriptor* pDescriptor);
  void removeDescriptor(NimBLEDescriptor* pDescriptor, bool deleteDsc = false);
  void setCallbacks(NimBLECharacteristicCallbacks* pCallbacks);
  NimBLECharacteristicCallbacks* getCallbacks() const { return m_pCallbacks; }

  /// Sends the stored value to all subscribers, as notification or indication, or to one client.
  bool indicate(uint16_t connHandle = BLE_HS_CONN_HANDLE_NONE) const;
  bool notify(uint16_t connHandle = BLE_HS_CONN_HANDLE_NONE) const;
  /// Sends a value at once to all connected clients, subscribed or not, or to one client. Returns
  /// true when it was passed to the host; onStatus() reports the result.
  bool indicate(const uint8_t* value, size_t length,
                uint16_t connHandle = BLE_HS_CONN_HANDLE_NONE) const;
  bool notify(const uint8_t* value, size_t length,
              uint16_t connHandle = BLE_HS_CONN_HANDLE_NONE) const;
  template <typename T>
  typename std::enable_if<!std::is_pointer<T>::value && !std::is_array<T>::value, bool>::type
  notify(const T& value, uint16_t connHandle = BLE_HS_CONN_HANDLE_NONE) const {
    return sendThing(value, true, connHandle);
  }
  template <typename T>
  typename std::enable_if<!std::is_pointer<T>::value && !std::is_array<T>::value, bool>::type
  indicate(const T& value, uint16_t connHandle = BLE_HS_CONN_HANDLE_NONE) const {
    return sendThing(value, false, connHandle);
  }

  NimBLEDescriptor* createDescriptor(const char* uuid,
                                     uint32_t properties = NIMBLE_PROPERTY::READ |
                                                           NIMBLE_PROPERTY::WRITE,
                                     uint16_t maxLen = BLE_ATT_ATTR_MAX_LEN) {
    return createDescriptor(NimBLEUUID(uuid), properties, maxLen);
  }
  NimBLEDescriptor* createDescriptor(const NimBLEUUID& uuid,
                                     uint32_t properties = NIMBLE_PROPERTY::READ |
                                                           NIMBLE_PROPERTY::WRITE,
                                     uint16_t maxLen = BLE_ATT_ATTR_MAX_LEN);
  NimBLE2904* create2904();
  NimBLEDescriptor* getDescriptorByUUID(const char* uuid, uint16_t index = 0) const {
    return getDescriptorByUUID(NimBLEUUID(uuid), index);
  }
  NimBLEDescriptor* getDescriptorByUUID(const NimBLEUUID& uuid, uint16_t index = 0) const;
  NimBLEDescriptor* getDescriptorByHandle(uint16_t handle) const;
  NimBLEService* getService() const { return m_pService; }

 private:
  friend class NimBLEServer;
  friend class NimBLEService;

  template <typename T>
  bool sendThing(const T& value, bool isNotification, uint16_t connHandle) const {
    if constexpr (Has_data_size<T>::value) {
      size_t element = 1;
      if constexpr (Has_value_type<T>::value) element = sizeof(typename T::value_type);
      return sendValue(reinterpret_cast<const uint8_t*>(value.data()), value.size() * element,
                       isNotification, connHandle);
    } else if constexpr (Has_c_str_length<T>::value) {
      return sendValue(reinterpret_cast<const uint8_t*>(value.c_str()), value.length(),
                       isNotification, connHandle);
    } else {
      return sendValue(reinterpret_cast<const uint8_t*>(&value), sizeof(value), isNotification,
                       connHandle);
    }
  }
  bool sendValue(const uint8_t* value, size_t length, bool isNotification,
                 uint16_t connHandle) const;
  int sendTo(uint16_t connHandle, const uint8_t* value, size_t length, bool isNotification) const;
  void reportStatus(int status) const;
  void setService(NimBLEService* pService) { m_pService = pService; }
  void readEvent(NimBLEConnInfo& connInfo) override;
  void writeEvent(NimBLEConnInfo& connInfo) override;
  uint16_t callbackMask() const override;

  NimBLECharacteristicCallbacks* m_pCallbacks;
  NimBLEService* m_pService;
  std::vector<NimBLEDescriptor*> m_vDescriptors{};
};

class NimBLECharacteristicCallbacks {
 public:
  virtual ~NimBLECharacteristicCallbacks() = default;
  virtual void onRead(NimBLECharacteristic* pCharacteristic, NimBLEConnInfo& connInfo);
  virtual void onWrite(NimBLECharacteristic* pCharacteristic, NimBLEConnInfo& connInfo);
#include "NimBLEOnStatus.inc"
  virtual void onSubscribe(NimBLECharacteristic* pCharacteristic, NimBLEConnInfo& connInfo,
                           uint16_t subValue);
};

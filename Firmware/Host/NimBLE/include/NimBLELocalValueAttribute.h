#pragma once

#include "NimBLEAttValue.h"
#include "NimBLEAttribute.h"

typedef enum {
  READ = BLE_GATT_CHR_F_READ,
  READ_ENC = BLE_GATT_CHR_F_READ_ENC,
  READ_AUTHEN = BLE_GATT_CHR_F_READ_AUTHEN,
  READ_AUTHOR = BLE_GATT_CHR_F_READ_AUTHOR,
  WRITE = BLE_GATT_CHR_F_WRITE,
  WRITE_NR = BLE_GATT_CHR_F_WRITE_NO_RSP,
  WRITE_ENC = BLE_GATT_CHR_F_WRITE_ENC,
  WRITE_AUTHEN = BLE_GATT_CHR_F_WRITE_AUTHEN,
  WRITE_AUTHOR = BLE_GATT_CHR_F_WRITE_AUTHOR,
  BROADCAST = BLE_GATT_CHR_F_BROADCAST,
  NOTIFY = BLE_GATT_CHR_F_NOTIFY,
  INDICATE = BLE_GATT_CHR_F_INDICATE
} NIMBLE_PROPERTY;

class NimBLEConnInfo;

/// A characteristic or descriptor of this device: an attribute with a value.
class NimBLELocalValueAttribute : public NimBLELocalAttribute {
 public:
  uint16_t getProperties() const { return m_properties; }

  NimBLEAttValue getValue(time_t* timestamp) const { return m_value.getValue(timestamp); }
  NimBLEAttValue getValue() const { return m_value; }
  size_t getLength() const { return m_value.size(); }
  template <typename T>
  typename std::enable_if<std::is_trivially_copyable<T>::value, T>::type getValue(
      time_t* timestamp = nullptr, bool skipSizeCheck = false) const {
    return m_value.getValue<T>(timestamp, skipSizeCheck);
  }
  template <typename T>
  typename std::enable_if<!std::is_trivially_copyable<T>::value &&
                              std::is_convertible<T, NimBLEAttValue>::value,
                          T>::type
  getValue(time_t* timestamp = nullptr, bool = false) const {
    return m_value.getValue(timestamp);
  }

  void setValue(const uint8_t* data, size_t size) {
    m_value.setValue(data, static_cast<uint16_t>(size));
    publishValue();
  }
  void setValue(const char* str) {
    m_value.setValue(str);
    publishValue();
  }
  void setValue(const std::vector<uint8_t>& vec) {
    m_value.setValue(vec);
    publishValue();
  }
  template <typename T>
  void setValue(const T& val) {
    m_value.setValue<T>(val);
    publishValue();
  }

 protected:
  friend class NimBLEServer;

  NimBLELocalValueAttribute(const NimBLEUUID& uuid, uint16_t handle, uint16_t maxLen,
                            uint16_t initLen = CONFIG_NIMBLE_CPP_ATT_VALUE_INIT_LENGTH)
      : NimBLELocalAttribute(uuid, handle), m_value(initLen, maxLen) {}
  virtual ~NimBLELocalValueAttribute() = default;

  virtual void readEvent(NimBLEConnInfo& connInfo) = 0;
  virtual void writeEvent(NimBLEConnInfo& connInfo) = 0;
  /// The callbacks that the sketch has overridden (CFC_ON_...).
  virtual uint16_t callbackMask() const = 0;

  const NimBLEAttValue& getAttVal() const { return m_value; }
  void setProperties(uint16_t properties) { m_properties = properties; }
  /// Sends the new value to the board, if the attribute is registered.
  void publishValue() const;
  void publishCallbacks() const;

  uint16_t m_properties{0};
  NimBLEAttValue m_value;
};

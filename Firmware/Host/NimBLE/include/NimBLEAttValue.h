#pragma once

#include <WString.h>

#include <cstdint>
#include <cstring>
#include <ctime>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "NimBLETypes.h"

/// True if T has data() and size().
template <typename T, typename = void, typename = void>
struct Has_data_size : std::false_type {};
template <typename T>
struct Has_data_size<T, decltype(void(std::declval<T&>().data())),
                     decltype(void(std::declval<T&>().size()))> : std::true_type {};

/// True if T has c_str() and length().
template <typename T, typename = void, typename = void>
struct Has_c_str_length : std::false_type {};
template <typename T>
struct Has_c_str_length<T, decltype(void(std::declval<T&>().c_str())),
                        decltype(void(std::declval<T&>().length()))> : std::true_type {};

/// True if T has a value_type.
template <typename T, typename = void>
struct Has_value_type : std::false_type {};
template <typename T>
struct Has_value_type<T, decltype(void(sizeof(typename T::value_type)))> : std::true_type {};

/// An attribute's value: bytes up to a maximum length, always followed by a zero byte.
class NimBLEAttValue {
 public:
  NimBLEAttValue(uint16_t init_len = CONFIG_NIMBLE_CPP_ATT_VALUE_INIT_LENGTH,
                 uint16_t max_len = BLE_ATT_ATTR_MAX_LEN);
  NimBLEAttValue(const uint8_t* value, uint16_t len, uint16_t max_len = BLE_ATT_ATTR_MAX_LEN);
  NimBLEAttValue(const char* value, uint16_t max_len = BLE_ATT_ATTR_MAX_LEN)
      : NimBLEAttValue(reinterpret_cast<const uint8_t*>(value),
                       static_cast<uint16_t>(strlen(value)), max_len) {}
  NimBLEAttValue(std::initializer_list<uint8_t> list, uint16_t max_len = BLE_ATT_ATTR_MAX_LEN)
      : NimBLEAttValue(list.begin(), static_cast<uint16_t>(list.size()), max_len) {}
  NimBLEAttValue(const std::string str, uint16_t max_len = BLE_ATT_ATTR_MAX_LEN)
      : NimBLEAttValue(reinterpret_cast<const uint8_t*>(str.data()),
                       static_cast<uint16_t>(str.length()), max_len) {}
  NimBLEAttValue(const std::vector<uint8_t> vec, uint16_t max_len = BLE_ATT_ATTR_MAX_LEN)
      : NimBLEAttValue(vec.data(), static_cast<uint16_t>(vec.size()), max_len) {}
  NimBLEAttValue(const String str, uint16_t max_len = BLE_ATT_ATTR_MAX_LEN)
      : NimBLEAttValue(reinterpret_cast<const uint8_t*>(str.c_str()),
                       static_cast<uint16_t>(str.length()), max_len) {}

  uint16_t max_size() const { return m_maxLength; }
  uint16_t capacity() const { return m_capacity; }
  uint16_t length() const { return m_length; }
  uint16_t size() const { return m_length; }
  const uint8_t* data() const { return m_bytes.data(); }
  const char* c_str() const { return reinterpret_cast<const char*>(data()); }
  const uint8_t* begin() const { return data(); }
  const uint8_t* end() const { return data() + m_length; }
  // Time stamps are off in NimBLE-Arduino's default configuration.
  time_t getTimeStamp() const { return 0; }
  void setTimeStamp() {}
  void setTimeStamp(time_t) {}

  /// Sets the value. A value that is too long is replaced by an empty one.
  bool setValue(const uint8_t* value, uint16_t len);
  bool setValue(const char* s, uint16_t len = 0) {
    if (len == 0) len = static_cast<uint16_t>(strlen(s));
    return setValue(reinterpret_cast<const uint8_t*>(s), len);
  }
  /// Sets the value to the bytes of a container or a text, or to the memory of another type.
  template <typename T>
  typename std::enable_if<!std::is_pointer<T>::value, bool>::type setValue(const T& s) {
    if constexpr (Has_data_size<T>::value) {
      size_t element = 1;
      if constexpr (Has_value_type<T>::value) element = sizeof(typename T::value_type);
      return setBytes(s.data(), s.size() * element);
    } else if constexpr (Has_c_str_length<T>::value) {
      return setBytes(s.c_str(), s.length());
    } else if constexpr (std::is_array<T>::value &&
                         std::is_same<typename std::remove_extent<T>::type, char>::value) {
      return setBytes(s, strnlen(s, sizeof(s)));
    } else {
      return setBytes(&s, sizeof(s));
    }
  }
  const NimBLEAttValue& getValue(time_t* timestamp = nullptr) const {
    if (timestamp != nullptr) *timestamp = 0;
    return *this;
  }
  /// The first bytes as a T; T() if the value is shorter, unless `skipSizeCheck`.
  template <typename T>
  T getValue(time_t* timestamp = nullptr, bool skipSizeCheck = false) const {
    if (timestamp != nullptr) *timestamp = 0;
    T value = T();
    if (size() >= sizeof(T)) {
      memcpy(static_cast<void*>(&value), data(), sizeof(T));
    } else if (skipSizeCheck) {
      memcpy(static_cast<void*>(&value), data(), size());
    }
    return value;
  }
  /// Appends to the value, unless that would make it too long.
  NimBLEAttValue& append(const uint8_t* value, uint16_t len);

  uint8_t operator[](int pos) const;
  operator std::vector<uint8_t>() const { return std::vector<uint8_t>(begin(), end()); }
  operator std::string() const { return std::string(c_str(), m_length); }
  operator const uint8_t*() const { return data(); }
  /// As in NimBLE-Arduino the text ends at the first zero byte.
  operator String() const { return String(c_str()); }
  NimBLEAttValue& operator+=(const NimBLEAttValue& source) {
    return append(source.data(), source.size());
  }
  NimBLEAttValue& operator=(const std::string& source) {
    setBytes(source.data(), source.size());
    return *this;
  }
  bool operator==(const NimBLEAttValue& source) const {
    return m_length == source.m_length && memcmp(data(), source.data(), m_length) == 0;
  }
  bool operator!=(const NimBLEAttValue& source) const { return !(*this == source); }

 private:
  bool setBytes(const void* bytes, size_t length) {
    return setValue(static_cast<const uint8_t*>(bytes), static_cast<uint16_t>(length));
  }

  std::vector<uint8_t> m_bytes;  // m_capacity + 1
  uint16_t m_maxLength;
  uint16_t m_length = 0;
  uint16_t m_capacity;
};

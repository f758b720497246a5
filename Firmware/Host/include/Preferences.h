// arduino-esp32 3.x Preferences: values by key in the board's flash, in ESP-IDF's format.
//
// Names of namespaces and keys have at most 15 characters. Put functions return the number of
// bytes, 0 on failure; the value is in flash when they return, which takes the flash's write time.
#pragma once

#include "Arduino.h"

typedef enum {
  PT_I8,
  PT_U8,
  PT_I16,
  PT_U16,
  PT_I32,
  PT_U32,
  PT_I64,
  PT_U64,
  PT_STR,
  PT_BLOB,
  PT_INVALID
} PreferenceType;

class Preferences {
 public:
  Preferences() = default;
  ~Preferences() { end(); }

  /// Opens a namespace; false when one is already open, or when a read-only namespace does not
  /// exist.
  bool begin(const char* name, bool readOnly = false, const char* partition_label = NULL);
  void end();

  bool clear();
  bool remove(const char* key);

  size_t putChar(const char* key, int8_t value);
  size_t putUChar(const char* key, uint8_t value);
  size_t putShort(const char* key, int16_t value);
  size_t putUShort(const char* key, uint16_t value);
  size_t putInt(const char* key, int32_t value);
  size_t putUInt(const char* key, uint32_t value);
  size_t putLong(const char* key, int32_t value) { return putInt(key, value); }
  size_t putULong(const char* key, uint32_t value) { return putUInt(key, value); }
  size_t putLong64(const char* key, int64_t value);
  size_t putULong64(const char* key, uint64_t value);
  size_t putFloat(const char* key, float_t value) { return putBytes(key, &value, sizeof value); }
  size_t putDouble(const char* key, double_t value) { return putBytes(key, &value, sizeof value); }
  size_t putBool(const char* key, bool value) { return putUChar(key, value ? 1 : 0); }
  size_t putString(const char* key, const char* value);
  size_t putString(const char* key, String value) { return putString(key, value.c_str()); }
  size_t putBytes(const char* key, const void* value, size_t len);

  bool isKey(const char* key) { return getType(key) != PT_INVALID; }
  PreferenceType getType(const char* key);
  int8_t getChar(const char* key, int8_t defaultValue = 0);
  uint8_t getUChar(const char* key, uint8_t defaultValue = 0);
  int16_t getShort(const char* key, int16_t defaultValue = 0);
  uint16_t getUShort(const char* key, uint16_t defaultValue = 0);
  int32_t getInt(const char* key, int32_t defaultValue = 0);
  uint32_t getUInt(const char* key, uint32_t defaultValue = 0);
  int32_t getLong(const char* key, int32_t defaultValue = 0) { return getInt(key, defaultValue); }
  uint32_t getULong(const char* key, uint32_t defaultValue = 0) {
    return getUInt(key, defaultValue);
  }
  int64_t getLong64(const char* key, int64_t defaultValue = 0);
  uint64_t getULong64(const char* key, uint64_t defaultValue = 0);
  float_t getFloat(const char* key, float_t defaultValue = NAN);
  double_t getDouble(const char* key, double_t defaultValue = NAN);
  bool getBool(const char* key, bool defaultValue = false) {
    return getUChar(key, defaultValue ? 1 : 0) == 1;
  }
  /// Returns the length with the NUL; 0 when the value does not exist or is longer than `maxLen`.
  size_t getString(const char* key, char* value, size_t maxLen);
  String getString(const char* key, String defaultValue = String());
  /// The length with the NUL.
  size_t getStringLength(const char* key);
  size_t getBytesLength(const char* key);
  /// Returns 0 when the value does not exist or is longer than `maxLen`.
  size_t getBytes(const char* key, void* buf, size_t maxLen);
  size_t freeEntries();

 private:
  template <typename T>
  size_t put(const char* key, uint32_t type, T value);
  template <typename T>
  T get(const char* key, uint32_t type, T defaultValue);
  size_t put(const char* key, uint32_t type, const void* value, size_t length);

  uint32_t _handle = 0;
  bool _started = false;
  bool _readOnly = false;
};

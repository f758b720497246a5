#include "Preferences.h"

#include <alloca.h>

#include "NVS.h"

using espbench::nvsGet;

bool Preferences::begin(const char* name, bool readOnly, const char* partition_label) {
  if (_started) return false;
  // Only the default partition has a label.
  if (partition_label != nullptr && strcmp(partition_label, "nvs") != 0) {
    log_e("nvs_flash_init_partition failed: %s", partition_label);
    return false;
  }
  if (esp_err_t error = espbench::nvsOpen(name, !readOnly, _handle)) {
    log_e("nvs_open failed: %#x", error);
    return false;
  }
  _readOnly = readOnly;
  _started = true;
  return true;
}

void Preferences::end() { _started = false; }

bool Preferences::clear() {
  if (!_started || _readOnly) return false;
  esp_err_t error = espbench::nvsEraseAll(_handle);
  if (error != ESP_OK) log_e("nvs_erase_all fail: %#x", error);
  return error == ESP_OK;
}

bool Preferences::remove(const char* key) {
  if (!_started || key == nullptr || _readOnly) return false;
  esp_err_t error = espbench::nvsErase(_handle, key);
  if (error != ESP_OK) log_e("nvs_erase_key fail: %s %#x", key, error);
  return error == ESP_OK;
}

// Putting

size_t Preferences::put(const char* key, uint32_t type, const void* value, size_t length) {
  if (!_started || key == nullptr || _readOnly) return 0;
  esp_err_t error = espbench::nvsSet(_handle, type, key, value, length);
  if (error != ESP_OK) log_e("nvs_set fail: %s %#x", key, error);
  return error == ESP_OK ? length : 0;
}

template <typename T>
size_t Preferences::put(const char* key, uint32_t type, T value) {
  return put(key, type, &value, sizeof value);
}

size_t Preferences::putChar(const char* key, int8_t v) { return put(key, CFC_NVS_I8, v); }
size_t Preferences::putUChar(const char* key, uint8_t v) { return put(key, CFC_NVS_U8, v); }
size_t Preferences::putShort(const char* key, int16_t v) { return put(key, CFC_NVS_I16, v); }
size_t Preferences::putUShort(const char* key, uint16_t v) { return put(key, CFC_NVS_U16, v); }
size_t Preferences::putInt(const char* key, int32_t v) { return put(key, CFC_NVS_I32, v); }
size_t Preferences::putUInt(const char* key, uint32_t v) { return put(key, CFC_NVS_U32, v); }
size_t Preferences::putLong64(const char* key, int64_t v) { return put(key, CFC_NVS_I64, v); }
size_t Preferences::putULong64(const char* key, uint64_t v) { return put(key, CFC_NVS_U64, v); }

size_t Preferences::putString(const char* key, const char* value) {
  if (value == nullptr) return 0;
  size_t stored = put(key, CFC_NVS_STRING, value, strlen(value) + 1);
  return stored > 0 ? stored - 1 : 0;
}

size_t Preferences::putBytes(const char* key, const void* value, size_t len) {
  if (value == nullptr || len == 0) return 0;
  return put(key, CFC_NVS_BLOB, value, len);
}

// Getting

PreferenceType Preferences::getType(const char* key) {
  static const uint32_t types[] = {CFC_NVS_I8,     CFC_NVS_U8,  CFC_NVS_I16, CFC_NVS_U16,
                                   CFC_NVS_I32,    CFC_NVS_U32, CFC_NVS_I64, CFC_NVS_U64,
                                   CFC_NVS_STRING, CFC_NVS_BLOB};
  if (!_started || key == nullptr) return PT_INVALID;
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
    size_t length;
    if (nvsGet(_handle, types[i], key, nullptr, 0, length) == ESP_OK) {
      return static_cast<PreferenceType>(i);
    }
  }
  return PT_INVALID;
}

template <typename T>
T Preferences::get(const char* key, uint32_t type, T defaultValue) {
  T value = defaultValue;
  size_t length;
  if (!_started || key == nullptr) return defaultValue;
  esp_err_t error = nvsGet(_handle, type, key, &value, sizeof value, length);
  if (error != ESP_OK) log_v("nvs_get fail: %s %#x", key, error);
  return error == ESP_OK ? value : defaultValue;
}

int8_t Preferences::getChar(const char* key, int8_t d) { return get(key, CFC_NVS_I8, d); }
uint8_t Preferences::getUChar(const char* key, uint8_t d) { return get(key, CFC_NVS_U8, d); }
int16_t Preferences::getShort(const char* key, int16_t d) { return get(key, CFC_NVS_I16, d); }
uint16_t Preferences::getUShort(const char* key, uint16_t d) { return get(key, CFC_NVS_U16, d); }
int32_t Preferences::getInt(const char* key, int32_t d) { return get(key, CFC_NVS_I32, d); }
uint32_t Preferences::getUInt(const char* key, uint32_t d) { return get(key, CFC_NVS_U32, d); }
int64_t Preferences::getLong64(const char* key, int64_t d) { return get(key, CFC_NVS_I64, d); }
uint64_t Preferences::getULong64(const char* key, uint64_t d) { return get(key, CFC_NVS_U64, d); }

float_t Preferences::getFloat(const char* key, float_t defaultValue) {
  float_t value = defaultValue;
  getBytes(key, &value, sizeof value);
  return value;
}

double_t Preferences::getDouble(const char* key, double_t defaultValue) {
  double_t value = defaultValue;
  getBytes(key, &value, sizeof value);
  return value;
}

size_t Preferences::getStringLength(const char* key) {
  size_t length = 0;
  if (!_started || key == nullptr) return 0;
  esp_err_t error = nvsGet(_handle, CFC_NVS_STRING, key, nullptr, 0, length);
  if (error != ESP_OK) log_e("nvs_get_str len fail: %s %#x", key, error);
  return error == ESP_OK ? length : 0;
}

size_t Preferences::getString(const char* key, char* value, size_t maxLen) {
  if (value == nullptr || maxLen == 0) return 0;
  size_t length = getStringLength(key);
  if (length == 0) return 0;
  if (length > maxLen) {
    log_e("not enough space in value: %u < %u", (unsigned)maxLen, (unsigned)length);
    return 0;
  }
  return nvsGet(_handle, CFC_NVS_STRING, key, value, maxLen, length) == ESP_OK ? length : 0;
}

String Preferences::getString(const char* key, String defaultValue) {
  size_t length = getStringLength(key);
  if (length == 0) return defaultValue;
  // On the stack, as on the chip.
  auto* text = static_cast<char*>(alloca(length + 1));
  return getString(key, text, length) > 0 ? String(text) : defaultValue;
}

size_t Preferences::getBytesLength(const char* key) {
  size_t length = 0;
  if (!_started || key == nullptr) return 0;
  esp_err_t error = nvsGet(_handle, CFC_NVS_BLOB, key, nullptr, 0, length);
  if (error != ESP_OK) log_e("nvs_get_blob len fail: %s %#x", key, error);
  return error == ESP_OK ? length : 0;
}

size_t Preferences::getBytes(const char* key, void* buf, size_t maxLen) {
  size_t length = getBytesLength(key);
  if (length == 0 || buf == nullptr || maxLen == 0) return length;
  if (length > maxLen) {
    log_e("not enough space in buffer: %u < %u", (unsigned)maxLen, (unsigned)length);
    return 0;
  }
  return nvsGet(_handle, CFC_NVS_BLOB, key, buf, maxLen, length) == ESP_OK ? length : 0;
}

size_t Preferences::freeEntries() {
  size_t count = 0;
  if (espbench::nvsFreeEntries(count) != ESP_OK) {
    log_e("Failed to get nvs statistics");
    return 0;
  }
  return count;
}

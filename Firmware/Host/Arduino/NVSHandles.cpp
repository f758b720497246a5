// ESP-IDF's nvs.h and nvs_flash.h, implemented with the board's storage.
#include <algorithm>
#include <cstring>
#include <new>
#include <vector>

#include "../Runtime/Heap.h"
#include "NVS.h"
#include "nvs_flash.h"

namespace {

using espbench::HostScope;

struct Handle {
  nvs_handle_t number;
  uint32_t nameSpace;
  bool isReadOnly;
};

/// arduino-esp32 has initialised the partition before setup().
bool isInitialized = true;
nvs_handle_t lastHandle;

std::vector<Handle>& handles() {
  static std::vector<Handle> open;  // constructors of the sketch's globals may open some
  return open;
}

const Handle* find(nvs_handle_t number) {
  for (const Handle& handle : handles()) {
    if (handle.number == number) return &handle;
  }
  return nullptr;
}

/// Sets `nameSpace` to the namespace of a handle; returns an error if the handle does not permit
/// writing.
esp_err_t writable(nvs_handle_t number, uint32_t& nameSpace) {
  const Handle* handle = find(number);
  if (handle == nullptr) return ESP_ERR_NVS_INVALID_HANDLE;
  if (handle->isReadOnly) return ESP_ERR_NVS_READ_ONLY;
  nameSpace = handle->nameSpace;
  return ESP_OK;
}

esp_err_t set(nvs_handle_t number, uint32_t type, const char* key, const void* value,
              size_t length) {
  uint32_t nameSpace;
  esp_err_t error = writable(number, nameSpace);
  return error != ESP_OK ? error : espbench::nvsSet(nameSpace, type, key, value, length);
}

template <typename T>
esp_err_t set(nvs_handle_t number, uint32_t type, const char* key, T value) {
  return set(number, type, key, &value, sizeof value);
}

template <typename T>
esp_err_t get(nvs_handle_t number, uint32_t type, const char* key, T* value) {
  const Handle* handle = find(number);
  if (handle == nullptr) return ESP_ERR_NVS_INVALID_HANDLE;
  size_t length;
  T found;
  esp_err_t error = espbench::nvsGet(handle->nameSpace, type, key, &found, sizeof found, length);
  if (error == ESP_OK) *value = found;
  return error;
}

esp_err_t getBytes(nvs_handle_t number, uint32_t type, const char* key, void* value,
                   size_t* length) {
  const Handle* handle = find(number);
  if (handle == nullptr) return ESP_ERR_NVS_INVALID_HANDLE;
  const uint32_t nameSpace = handle->nameSpace;
  size_t size;
  esp_err_t error = espbench::nvsGet(nameSpace, type, key, nullptr, 0, size);
  if (error != ESP_OK) return error;
  if (length == nullptr) return ESP_ERR_NVS_INVALID_LENGTH;
  const size_t capacity = *length;
  *length = size;
  if (value == nullptr) return ESP_OK;
  if (capacity < size) return ESP_ERR_NVS_INVALID_LENGTH;
  return espbench::nvsGet(nameSpace, type, key, value, size, size);
}

bool isThePartition(const char* name) {
  return name != nullptr && strcmp(name, NVS_DEFAULT_PART_NAME) == 0;
}

void closeAll() {
  HostScope own;
  handles().clear();
}

}  // namespace

extern "C" {

esp_err_t nvs_flash_init(void) { return nvs_flash_init_partition(NVS_DEFAULT_PART_NAME); }

esp_err_t nvs_flash_init_partition(const char* partition_label) {
  if (!isThePartition(partition_label)) return ESP_ERR_NOT_FOUND;
  isInitialized = true;
  return ESP_OK;
}

esp_err_t nvs_flash_deinit(void) { return nvs_flash_deinit_partition(NVS_DEFAULT_PART_NAME); }

esp_err_t nvs_flash_deinit_partition(const char* partition_label) {
  if (!isInitialized || !isThePartition(partition_label)) return ESP_ERR_NVS_NOT_INITIALIZED;
  closeAll();
  isInitialized = false;
  return ESP_OK;
}

esp_err_t nvs_flash_erase(void) { return nvs_flash_erase_partition(NVS_DEFAULT_PART_NAME); }

esp_err_t nvs_flash_erase_partition(const char* part_name) {
  if (!isThePartition(part_name)) return ESP_ERR_NOT_FOUND;
  closeAll();
  isInitialized = false;
  return espbench::nvsErasePartition();
}

esp_err_t nvs_open(const char* namespace_name, nvs_open_mode_t open_mode,
                   nvs_handle_t* out_handle) {
  return nvs_open_from_partition(NVS_DEFAULT_PART_NAME, namespace_name, open_mode, out_handle);
}

esp_err_t nvs_open_from_partition(const char* part_name, const char* namespace_name,
                                  nvs_open_mode_t open_mode, nvs_handle_t* out_handle) {
  if (!isInitialized) return ESP_ERR_NVS_NOT_INITIALIZED;
  if (!isThePartition(part_name)) return ESP_ERR_NVS_PART_NOT_FOUND;
  Handle handle = {++lastHandle, 0, open_mode == NVS_READONLY};
  esp_err_t error = espbench::nvsOpen(namespace_name, !handle.isReadOnly, handle.nameSpace);
  if (error != ESP_OK) return error;
  HostScope own;
  handles().push_back(handle);
  *out_handle = handle.number;
  return ESP_OK;
}

void nvs_close(nvs_handle_t handle) {
  HostScope own;
  auto& all = handles();
  all.erase(std::remove_if(all.begin(), all.end(),
                           [=](const Handle& one) { return one.number == handle; }),
            all.end());
}

esp_err_t nvs_set_i8(nvs_handle_t handle, const char* key, int8_t value) {
  return set(handle, NVS_TYPE_I8, key, value);
}
esp_err_t nvs_set_u8(nvs_handle_t handle, const char* key, uint8_t value) {
  return set(handle, NVS_TYPE_U8, key, value);
}
esp_err_t nvs_set_i16(nvs_handle_t handle, const char* key, int16_t value) {
  return set(handle, NVS_TYPE_I16, key, value);
}
esp_err_t nvs_set_u16(nvs_handle_t handle, const char* key, uint16_t value) {
  return set(handle, NVS_TYPE_U16, key, value);
}
esp_err_t nvs_set_i32(nvs_handle_t handle, const char* key, int32_t value) {
  return set(handle, NVS_TYPE_I32, key, value);
}
esp_err_t nvs_set_u32(nvs_handle_t handle, const char* key, uint32_t value) {
  return set(handle, NVS_TYPE_U32, key, value);
}
esp_err_t nvs_set_i64(nvs_handle_t handle, const char* key, int64_t value) {
  return set(handle, NVS_TYPE_I64, key, value);
}
esp_err_t nvs_set_u64(nvs_handle_t handle, const char* key, uint64_t value) {
  return set(handle, NVS_TYPE_U64, key, value);
}
esp_err_t nvs_set_str(nvs_handle_t handle, const char* key, const char* value) {
  return set(handle, NVS_TYPE_STR, key, value, strlen(value) + 1);
}
esp_err_t nvs_set_blob(nvs_handle_t handle, const char* key, const void* value, size_t length) {
  return set(handle, NVS_TYPE_BLOB, key, value, length);
}

esp_err_t nvs_get_i8(nvs_handle_t handle, const char* key, int8_t* out_value) {
  return get(handle, NVS_TYPE_I8, key, out_value);
}
esp_err_t nvs_get_u8(nvs_handle_t handle, const char* key, uint8_t* out_value) {
  return get(handle, NVS_TYPE_U8, key, out_value);
}
esp_err_t nvs_get_i16(nvs_handle_t handle, const char* key, int16_t* out_value) {
  return get(handle, NVS_TYPE_I16, key, out_value);
}
esp_err_t nvs_get_u16(nvs_handle_t handle, const char* key, uint16_t* out_value) {
  return get(handle, NVS_TYPE_U16, key, out_value);
}
esp_err_t nvs_get_i32(nvs_handle_t handle, const char* key, int32_t* out_value) {
  return get(handle, NVS_TYPE_I32, key, out_value);
}
esp_err_t nvs_get_u32(nvs_handle_t handle, const char* key, uint32_t* out_value) {
  return get(handle, NVS_TYPE_U32, key, out_value);
}
esp_err_t nvs_get_i64(nvs_handle_t handle, const char* key, int64_t* out_value) {
  return get(handle, NVS_TYPE_I64, key, out_value);
}
esp_err_t nvs_get_u64(nvs_handle_t handle, const char* key, uint64_t* out_value) {
  return get(handle, NVS_TYPE_U64, key, out_value);
}
esp_err_t nvs_get_str(nvs_handle_t handle, const char* key, char* out_value, size_t* length) {
  return getBytes(handle, NVS_TYPE_STR, key, out_value, length);
}
esp_err_t nvs_get_blob(nvs_handle_t handle, const char* key, void* out_value, size_t* length) {
  return getBytes(handle, NVS_TYPE_BLOB, key, out_value, length);
}

esp_err_t nvs_find_key(nvs_handle_t handle, const char* key, nvs_type_t* out_type) {
  static const nvs_type_t types[] = {NVS_TYPE_U8,  NVS_TYPE_I8,  NVS_TYPE_U16, NVS_TYPE_I16,
                                     NVS_TYPE_U32, NVS_TYPE_I32, NVS_TYPE_U64, NVS_TYPE_I64,
                                     NVS_TYPE_STR, NVS_TYPE_BLOB};
  const Handle* open = find(handle);
  if (open == nullptr) return ESP_ERR_NVS_INVALID_HANDLE;
  const uint32_t nameSpace = open->nameSpace;
  for (nvs_type_t type : types) {
    size_t length;
    if (espbench::nvsGet(nameSpace, type, key, nullptr, 0, length) != ESP_OK) continue;
    if (out_type != nullptr) *out_type = type;
    return ESP_OK;
  }
  return ESP_ERR_NVS_NOT_FOUND;
}

esp_err_t nvs_erase_key(nvs_handle_t handle, const char* key) {
  uint32_t nameSpace;
  esp_err_t error = writable(handle, nameSpace);
  return error != ESP_OK ? error : espbench::nvsErase(nameSpace, key);
}

esp_err_t nvs_erase_all(nvs_handle_t handle) {
  uint32_t nameSpace;
  esp_err_t error = writable(handle, nameSpace);
  return error != ESP_OK ? error : espbench::nvsEraseAll(nameSpace);
}

esp_err_t nvs_commit(nvs_handle_t handle) {
  return find(handle) == nullptr ? ESP_ERR_NVS_INVALID_HANDLE : ESP_OK;
}

}  // extern "C"

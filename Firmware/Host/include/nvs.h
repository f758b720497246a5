// ESP-IDF 5 nvs.h: the non-volatile storage in the board's partition "nvs".
//
// As on the chip, each nvs_open() gives a new handle; values are in flash when nvs_set_...()
// returns; nvs_commit() only checks its handle. Not available: other partitions, entry iterators,
// and statistics other than the free entries.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "esp_attr.h"
#include "esp_err.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t nvs_handle_t;
typedef nvs_handle_t nvs_handle __attribute__((deprecated("Replace with nvs_handle_t")));

#define NVS_DEFAULT_PART_NAME "nvs"
/// Sizes including the NUL.
#define NVS_PART_NAME_MAX_SIZE 16
#define NVS_KEY_NAME_MAX_SIZE 16
#define NVS_NS_NAME_MAX_SIZE NVS_KEY_NAME_MAX_SIZE

typedef enum { NVS_READONLY, NVS_READWRITE } nvs_open_mode_t;
typedef nvs_open_mode_t nvs_open_mode __attribute__((deprecated("Replace with nvs_open_mode_t")));

typedef enum {
  NVS_TYPE_U8 = 0x01,
  NVS_TYPE_I8 = 0x11,
  NVS_TYPE_U16 = 0x02,
  NVS_TYPE_I16 = 0x12,
  NVS_TYPE_U32 = 0x04,
  NVS_TYPE_I32 = 0x14,
  NVS_TYPE_U64 = 0x08,
  NVS_TYPE_I64 = 0x18,
  NVS_TYPE_STR = 0x21,
  NVS_TYPE_BLOB = 0x42,
  NVS_TYPE_ANY = 0xff
} nvs_type_t;

/// Names of up to 15 characters. With NVS_READWRITE a missing namespace is created; with
/// NVS_READONLY, the result is ESP_ERR_NVS_NOT_FOUND. After nvs_flash_deinit(), it is
/// ESP_ERR_NVS_NOT_INITIALIZED.
esp_err_t nvs_open(const char* namespace_name, nvs_open_mode_t open_mode, nvs_handle_t* out_handle);
/// Returns ESP_ERR_NVS_NOT_INITIALIZED for a partition other than "nvs".
esp_err_t nvs_open_from_partition(const char* part_name, const char* namespace_name,
                                  nvs_open_mode_t open_mode, nvs_handle_t* out_handle);
void nvs_close(nvs_handle_t handle);

/// Store a value under `key`, of up to 15 characters. Errors: ESP_ERR_NVS_KEY_TOO_LONG for longer
/// keys, ESP_ERR_NVS_READ_ONLY with a handle for reading, ESP_ERR_NVS_NOT_ENOUGH_SPACE when the
/// partition is full, ESP_ERR_NVS_INVALID_HANDLE after nvs_close().
esp_err_t nvs_set_i8(nvs_handle_t handle, const char* key, int8_t value);
esp_err_t nvs_set_u8(nvs_handle_t handle, const char* key, uint8_t value);
esp_err_t nvs_set_i16(nvs_handle_t handle, const char* key, int16_t value);
esp_err_t nvs_set_u16(nvs_handle_t handle, const char* key, uint16_t value);
esp_err_t nvs_set_i32(nvs_handle_t handle, const char* key, int32_t value);
esp_err_t nvs_set_u32(nvs_handle_t handle, const char* key, uint32_t value);
esp_err_t nvs_set_i64(nvs_handle_t handle, const char* key, int64_t value);
esp_err_t nvs_set_u64(nvs_handle_t handle, const char* key, uint64_t value);
esp_err_t nvs_set_str(nvs_handle_t handle, const char* key, const char* value);
esp_err_t nvs_set_blob(nvs_handle_t handle, const char* key, const void* value, size_t length);

/// Return ESP_ERR_NVS_NOT_FOUND, and leave *out_value unchanged, when no such value exists.
esp_err_t nvs_get_i8(nvs_handle_t handle, const char* key, int8_t* out_value);
esp_err_t nvs_get_u8(nvs_handle_t handle, const char* key, uint8_t* out_value);
esp_err_t nvs_get_i16(nvs_handle_t handle, const char* key, int16_t* out_value);
esp_err_t nvs_get_u16(nvs_handle_t handle, const char* key, uint16_t* out_value);
esp_err_t nvs_get_i32(nvs_handle_t handle, const char* key, int32_t* out_value);
esp_err_t nvs_get_u32(nvs_handle_t handle, const char* key, uint32_t* out_value);
esp_err_t nvs_get_i64(nvs_handle_t handle, const char* key, int64_t* out_value);
esp_err_t nvs_get_u64(nvs_handle_t handle, const char* key, uint64_t* out_value);
/// *length: the capacity of out_value, then the value's length (a string's with its NUL). If
/// out_value is NULL, only the length is returned. ESP_ERR_NVS_INVALID_LENGTH: the capacity is too
/// small.
esp_err_t nvs_get_str(nvs_handle_t handle, const char* key, char* out_value, size_t* length);
esp_err_t nvs_get_blob(nvs_handle_t handle, const char* key, void* out_value, size_t* length);

/// Finds a value, and its type (`out_type` may be NULL).
esp_err_t nvs_find_key(nvs_handle_t handle, const char* key, nvs_type_t* out_type);
esp_err_t nvs_erase_key(nvs_handle_t handle, const char* key);
/// Erases all values of the handle's namespace.
esp_err_t nvs_erase_all(nvs_handle_t handle);
esp_err_t nvs_commit(nvs_handle_t handle);

#define ESPBENCH_UNAVAILABLE(name) \
  __attribute__((unavailable(name " is not in espbench's host core")))
typedef struct nvs_opaque_iterator_t* nvs_iterator_t;
ESPBENCH_UNAVAILABLE("nvs_entry_find")
esp_err_t nvs_entry_find(const char* part_name, const char* namespace_name, nvs_type_t type,
                         nvs_iterator_t* output_iterator);
ESPBENCH_UNAVAILABLE("nvs_get_used_entry_count")
esp_err_t nvs_get_used_entry_count(nvs_handle_t handle, size_t* used_entries);
#undef ESPBENCH_UNAVAILABLE

#ifdef __cplusplus
}
#endif

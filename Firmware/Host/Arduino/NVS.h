// The board's non-volatile storage, used by ESP-IDF's nvs.h and by Preferences.
#ifndef ESPBENCH_NVS_H
#define ESPBENCH_NVS_H

#include <cstddef>
#include <cstdint>

#include "esp_err.h"
#include "firmware_channel.h"

namespace espbench {

/// Opens a namespace; creates it if `mayWrite`.
esp_err_t nvsOpen(const char* name, bool mayWrite, uint32_t& nameSpace);
/// `type`: CFC_NVS_... The value is in flash when this returns.
esp_err_t nvsSet(uint32_t nameSpace, uint32_t type, const char* key, const void* value,
                 size_t length);
/// Sets `length` to the value's length, and copies at most `capacity` bytes of the value.
esp_err_t nvsGet(uint32_t nameSpace, uint32_t type, const char* key, void* value, size_t capacity,
                 size_t& length);
esp_err_t nvsErase(uint32_t nameSpace, const char* key);
esp_err_t nvsEraseAll(uint32_t nameSpace);
esp_err_t nvsFreeEntries(size_t& count);
/// Erases the whole partition; no namespace is open afterwards.
esp_err_t nvsErasePartition();

}  // namespace espbench

#endif

// The board's non-volatile storage, as ESP-IDF's nvs.h offers it: what Preferences stands on.
#ifndef ESPBENCH_NVS_H
#define ESPBENCH_NVS_H

#include <cstddef>
#include <cstdint>

#include "esp_err.h"
#include "firmware_channel.h"

namespace espbench {

/// Opens a namespace; one that is not there is made if `mayWrite`.
esp_err_t nvsOpen(const char* name, bool mayWrite, uint32_t& nameSpace);
/// `type`: CFC_NVS_... It is in flash when this returns.
esp_err_t nvsSet(uint32_t nameSpace, uint32_t type, const char* key, const void* value,
                 size_t length);
/// Sets `length` to the value's, and copies at most `capacity` bytes of it.
esp_err_t nvsGet(uint32_t nameSpace, uint32_t type, const char* key, void* value, size_t capacity,
                 size_t& length);
esp_err_t nvsErase(uint32_t nameSpace, const char* key);
esp_err_t nvsEraseAll(uint32_t nameSpace);
esp_err_t nvsFreeEntries(size_t& count);

}  // namespace espbench

#endif

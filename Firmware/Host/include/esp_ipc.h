// ESP-IDF 5 esp_ipc.h: functions called on a core, in its task "ipc0" or "ipc1".
#pragma once

#include <stdint.h>

#include "esp_err.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*esp_ipc_func_t)(void* arg);

/// Returns when the function runs.
esp_err_t esp_ipc_call(uint32_t cpu_id, esp_ipc_func_t func, void* arg);
/// Returns after the function.
esp_err_t esp_ipc_call_blocking(uint32_t cpu_id, esp_ipc_func_t func, void* arg);

#ifdef __cplusplus
}
#endif

// ESP-IDF 5 esp_timer.h: the time since boot.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Microseconds since boot.
int64_t esp_timer_get_time(void);

#ifdef __cplusplus
}
#endif

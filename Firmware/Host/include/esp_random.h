// ESP-IDF 5 esp_random.h. The numbers derive from the board's seed: the same seed gives the same
// numbers.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

uint32_t esp_random(void);
void esp_fill_random(void* buf, size_t len);

#ifdef __cplusplus
}
#endif

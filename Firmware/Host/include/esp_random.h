// ESP-IDF 5 esp_random.h. The numbers come from a seed of the board: the same seed, the same run.
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

// arduino-esp32 3.x esp32-hal-psram.h: external memory. The virtual board has none.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

bool psramInit(void);
bool psramFound(void);
bool psramAddToHeap(void);
/// Without external memory these return NULL.
void* ps_malloc(size_t size);
void* ps_calloc(size_t n, size_t size);
void* ps_realloc(void* ptr, size_t size);

#ifdef __cplusplus
}
#endif

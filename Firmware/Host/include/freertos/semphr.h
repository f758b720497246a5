// FreeRTOS mutexes, between the loop's task and the callbacks' task.
#pragma once

#include "FreeRTOS.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct QueueDefinition* SemaphoreHandle_t;

SemaphoreHandle_t xSemaphoreCreateMutex(void);
/// While the loop's task holds it, callbacks wait. A task that takes it again blocks forever.
BaseType_t xSemaphoreTake(SemaphoreHandle_t semaphore, TickType_t ticks);
/// pdFALSE when it is not held.
BaseType_t xSemaphoreGive(SemaphoreHandle_t semaphore);
void vSemaphoreDelete(SemaphoreHandle_t semaphore);

__attribute__((unavailable("xSemaphoreCreateBinary is not in espbench's host core")))
SemaphoreHandle_t
xSemaphoreCreateBinary(void);
__attribute__((unavailable("xSemaphoreCreateRecursiveMutex is not in espbench's host core")))
SemaphoreHandle_t
xSemaphoreCreateRecursiveMutex(void);

#ifdef __cplusplus
}
#endif

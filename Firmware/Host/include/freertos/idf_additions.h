// ESP-IDF's additions to FreeRTOS: objects in memory with capabilities (esp_heap_caps.h). Other
// additions are in the headers of FreeRTOS itself.
#pragma once

#include "../esp_heap_caps.h"
#include "FreeRTOS.h"
#include "event_groups.h"
#include "message_buffer.h"
#include "queue.h"
#include "semphr.h"
#include "stream_buffer.h"
#include "task.h"

#ifdef __cplusplus
extern "C" {
#endif

// An object created here is deleted with the function of the same name, which frees its memory.
// NULL or pdFAIL: memory of that kind has no room.

BaseType_t xTaskCreatePinnedToCoreWithCaps(TaskFunction_t pvTaskCode, const char* pcName,
                                           configSTACK_DEPTH_TYPE usStackDepth, void* pvParameters,
                                           UBaseType_t uxPriority, TaskHandle_t* pvCreatedTask,
                                           BaseType_t xCoreID, UBaseType_t uxMemoryCaps);
static inline BaseType_t xTaskCreateWithCaps(TaskFunction_t pvTaskCode, const char* pcName,
                                             configSTACK_DEPTH_TYPE usStackDepth,
                                             void* pvParameters, UBaseType_t uxPriority,
                                             TaskHandle_t* pvCreatedTask,
                                             UBaseType_t uxMemoryCaps) {
  return xTaskCreatePinnedToCoreWithCaps(pvTaskCode, pcName, usStackDepth, pvParameters, uxPriority,
                                         pvCreatedTask, tskNO_AFFINITY, uxMemoryCaps);
}
/// To delete itself, a task creates another task; abort() if the heap has no room. After
/// vTaskDelete(), the memory is lost, as on the chip.
void vTaskDeleteWithCaps(TaskHandle_t xTaskToDelete);

QueueHandle_t xQueueCreateWithCaps(UBaseType_t uxQueueLength, UBaseType_t uxItemSize,
                                   UBaseType_t uxMemoryCaps);
void vQueueDeleteWithCaps(QueueHandle_t xQueue);

SemaphoreHandle_t xSemaphoreCreateGenericWithCaps(UBaseType_t uxMaxCount,
                                                  UBaseType_t uxInitialCount, uint8_t ucQueueType,
                                                  UBaseType_t uxMemoryCaps);
static inline SemaphoreHandle_t xSemaphoreCreateBinaryWithCaps(UBaseType_t uxMemoryCaps) {
  return xSemaphoreCreateGenericWithCaps(0, 0, queueQUEUE_TYPE_BINARY_SEMAPHORE, uxMemoryCaps);
}
static inline SemaphoreHandle_t xSemaphoreCreateCountingWithCaps(UBaseType_t uxMaxCount,
                                                                 UBaseType_t uxInitialCount,
                                                                 UBaseType_t uxMemoryCaps) {
  return xSemaphoreCreateGenericWithCaps(uxMaxCount, uxInitialCount,
                                         queueQUEUE_TYPE_COUNTING_SEMAPHORE, uxMemoryCaps);
}
static inline SemaphoreHandle_t xSemaphoreCreateMutexWithCaps(UBaseType_t uxMemoryCaps) {
  return xSemaphoreCreateGenericWithCaps(0, 0, queueQUEUE_TYPE_MUTEX, uxMemoryCaps);
}
static inline SemaphoreHandle_t xSemaphoreCreateRecursiveMutexWithCaps(UBaseType_t uxMemoryCaps) {
  return xSemaphoreCreateGenericWithCaps(0, 0, queueQUEUE_TYPE_RECURSIVE_MUTEX, uxMemoryCaps);
}
void vSemaphoreDeleteWithCaps(SemaphoreHandle_t xSemaphore);

StreamBufferHandle_t xStreamBufferGenericCreateWithCaps(size_t xBufferSizeBytes,
                                                        size_t xTriggerLevelBytes,
                                                        BaseType_t xIsMessageBuffer,
                                                        UBaseType_t uxMemoryCaps);
void vStreamBufferGenericDeleteWithCaps(StreamBufferHandle_t xStreamBuffer,
                                        BaseType_t xIsMessageBuffer);
static inline StreamBufferHandle_t xStreamBufferCreateWithCaps(size_t xBufferSizeBytes,
                                                               size_t xTriggerLevelBytes,
                                                               UBaseType_t uxMemoryCaps) {
  return xStreamBufferGenericCreateWithCaps(xBufferSizeBytes, xTriggerLevelBytes, pdFALSE,
                                            uxMemoryCaps);
}
static inline void vStreamBufferDeleteWithCaps(StreamBufferHandle_t xStreamBuffer) {
  vStreamBufferGenericDeleteWithCaps(xStreamBuffer, pdFALSE);
}
static inline MessageBufferHandle_t xMessageBufferCreateWithCaps(size_t xBufferSizeBytes,
                                                                 UBaseType_t uxMemoryCaps) {
  return xStreamBufferGenericCreateWithCaps(xBufferSizeBytes, 0, pdTRUE, uxMemoryCaps);
}
static inline void vMessageBufferDeleteWithCaps(MessageBufferHandle_t xMessageBuffer) {
  vStreamBufferGenericDeleteWithCaps(xMessageBuffer, pdTRUE);
}

EventGroupHandle_t xEventGroupCreateWithCaps(UBaseType_t uxMemoryCaps);
void vEventGroupDeleteWithCaps(EventGroupHandle_t xEventGroup);

#ifdef __cplusplus
}
#endif

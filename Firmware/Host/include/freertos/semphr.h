// FreeRTOS semaphores and mutexes. As in FreeRTOS, they are queues of items of size 0.
#pragma once

#define SEMAPHORE_H

#include "queue.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef QueueHandle_t SemaphoreHandle_t;

#define semGIVE_BLOCK_TIME ((TickType_t)0U)

QueueHandle_t xQueueCreateMutex(uint8_t type);
QueueHandle_t xQueueCreateMutexStatic(uint8_t type, StaticQueue_t* queue);
QueueHandle_t xQueueCreateCountingSemaphore(UBaseType_t maximum, UBaseType_t initial);
QueueHandle_t xQueueCreateCountingSemaphoreStatic(UBaseType_t maximum, UBaseType_t initial,
                                                  StaticQueue_t* queue);

/// Initially not given.
#define xSemaphoreCreateBinary() xQueueGenericCreate(1, 0, queueQUEUE_TYPE_BINARY_SEMAPHORE)
#define xSemaphoreCreateBinaryStatic(buffer) \
  xQueueGenericCreateStatic(1, 0, NULL, (buffer), queueQUEUE_TYPE_BINARY_SEMAPHORE)
/// Initially given.
#define vSemaphoreCreateBinary(semaphore)                                      \
  do {                                                                         \
    (semaphore) = xQueueGenericCreate(1, 0, queueQUEUE_TYPE_BINARY_SEMAPHORE); \
    if ((semaphore) != NULL) {                                                 \
      (void)xSemaphoreGive((semaphore));                                       \
    }                                                                          \
  } while (0)
#define xSemaphoreCreateCounting(maximum, initial) \
  xQueueCreateCountingSemaphore((maximum), (initial))
#define xSemaphoreCreateCountingStatic(maximum, initial, buffer) \
  xQueueCreateCountingSemaphoreStatic((maximum), (initial), (buffer))

/// The holder of a mutex has at least the priority of the tasks that wait for it. If another task
/// gives it, an assertion fails. Not for interrupts.
#define xSemaphoreCreateMutex() xQueueCreateMutex(queueQUEUE_TYPE_MUTEX)
#define xSemaphoreCreateMutexStatic(buffer) xQueueCreateMutexStatic(queueQUEUE_TYPE_MUTEX, (buffer))
#define xSemaphoreCreateRecursiveMutex() xQueueCreateMutex(queueQUEUE_TYPE_RECURSIVE_MUTEX)
#define xSemaphoreCreateRecursiveMutexStatic(buffer) \
  xQueueCreateMutexStatic(queueQUEUE_TYPE_RECURSIVE_MUTEX, (buffer))
#define vSemaphoreDelete(semaphore) vQueueDelete((QueueHandle_t)(semaphore))

BaseType_t xQueueSemaphoreTake(QueueHandle_t queue, TickType_t ticks);
BaseType_t xQueueTakeMutexRecursive(QueueHandle_t mutex, TickType_t ticks);
BaseType_t xQueueGiveMutexRecursive(QueueHandle_t mutex);
BaseType_t xQueueGiveFromISR(QueueHandle_t queue, BaseType_t* higherPriorityTaskWoken);
TaskHandle_t xQueueGetMutexHolder(QueueHandle_t mutex);
TaskHandle_t xQueueGetMutexHolderFromISR(QueueHandle_t mutex);

/// A task that takes a non-recursive mutex again blocks.
#define xSemaphoreTake(semaphore, ticks) xQueueSemaphoreTake((semaphore), (ticks))
#define xSemaphoreTakeRecursive(mutex, ticks) xQueueTakeMutexRecursive((mutex), (ticks))
#define xSemaphoreTakeFromISR(semaphore, woken) \
  xQueueReceiveFromISR((QueueHandle_t)(semaphore), NULL, (woken))
/// Returns pdFALSE when the semaphore has its maximum count.
#define xSemaphoreGive(semaphore) \
  xQueueGenericSend((QueueHandle_t)(semaphore), NULL, semGIVE_BLOCK_TIME, queueSEND_TO_BACK)
#define xSemaphoreGiveRecursive(mutex) xQueueGiveMutexRecursive((mutex))
#define xSemaphoreGiveFromISR(semaphore, woken) \
  xQueueGiveFromISR((QueueHandle_t)(semaphore), (woken))
#define xSemaphoreGetMutexHolder(mutex) xQueueGetMutexHolder((mutex))
#define xSemaphoreGetMutexHolderFromISR(mutex) xQueueGetMutexHolderFromISR((mutex))
#define uxSemaphoreGetCount(semaphore) uxQueueMessagesWaiting((QueueHandle_t)(semaphore))
#define uxSemaphoreGetCountFromISR(semaphore) \
  uxQueueMessagesWaitingFromISR((QueueHandle_t)(semaphore))

#ifdef __cplusplus
}
#endif

// FreeRTOS mutexes. Everything runs on one thread: a callback never starts while the loop's task
// holds a mutex, and the loop's task never continues while a callback holds one.
#include "../Runtime/Runtime.h"
#include "freertos/semphr.h"

struct QueueDefinition {
  bool isTaken = false;
};

SemaphoreHandle_t xSemaphoreCreateMutex(void) { return new QueueDefinition; }

BaseType_t xSemaphoreTake(SemaphoreHandle_t semaphore, TickType_t ticks) {
  if (semaphore->isTaken) {
    // The holder is always the calling task.
    const bool isForEver = ticks == portMAX_DELAY;
    const uint64_t nanoseconds = uint64_t{ticks} * espbench::kTickNanoseconds;
    espbench::sleepUntil(isForEver ? CFC_NEVER : espbench::now() + nanoseconds);
    return pdFALSE;
  }
  semaphore->isTaken = true;
  espbench::holdCallbacks();
  return pdTRUE;
}

BaseType_t xSemaphoreGive(SemaphoreHandle_t semaphore) {
  if (!semaphore->isTaken) return pdFALSE;
  semaphore->isTaken = false;
  espbench::releaseCallbacks();
  return pdTRUE;
}

void vSemaphoreDelete(SemaphoreHandle_t semaphore) { delete semaphore; }

// Mutual exclusion of the loop and the BLE host's callbacks, which run in NimBLE's task: each holds
// this mutex while it uses bridge and client. NimBLE calls no callback while it holds its own lock,
// so its functions may be called with the mutex.
#pragma once

#include <freertos/FreeRTOS.h>
#include <freertos/semphr.h>

class Guard {
 public:
  Guard() { xSemaphoreTake(mutex(), portMAX_DELAY); }
  ~Guard() { xSemaphoreGive(mutex()); }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

 private:
  static SemaphoreHandle_t mutex() {
    static const SemaphoreHandle_t handle = xSemaphoreCreateMutex();
    return handle;
  }
};

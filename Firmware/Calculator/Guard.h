// Mutual exclusion of the loop and the BLE host's callbacks, which run in NimBLE's task: each holds
// this mutex, and does not block while it holds it.
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

// Keeps the loop and the BLE host's callbacks, which come in a task of NimBLE's own, apart: each
// holds this mutex, and waits for nothing while it does.
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

// Mutual exclusion of the loop and the BLE host.
//
// NimBLE calls back from its own task, on an ESP32 on the other core. Every callback and every
// iteration of the loop holds this mutex, so the lock's objects have one user at a time. An
// iteration reads the host's list of connections first: a handle can belong to another client
// before it is used only if one connection ends and another begins within that iteration, without a
// callback (which would wait for the mutex). A value notified then is one that the former client
// was authorized for. Nothing blocks while the mutex is held (no delay, no callback), and NimBLE
// calls no callback with a lock held, so there is no deadlock.
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

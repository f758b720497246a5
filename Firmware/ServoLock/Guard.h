// Keeps the loop and the BLE host apart.
//
// NimBLE calls back from a task of its own, on an ESP32 on the other core. Every callback and every
// turn of the loop holds this mutex, so the lock's objects are only ever in one hand. A turn looks
// at the host's list of connections first: a handle can come to mean another client before it is
// used only if one connection ends and another begins within that turn, and no callback tells of
// either (it would wait for the mutex). A value that is notified then is one that the former client
// had proven itself for. Nothing is waited for while the mutex is held (no delay, no callback), and
// NimBLE calls no callback with a lock of its own held, so the two cannot wait for each other.
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

// Objects that several tasks share: a static variable, `errno`, a mutex.
#pragma once

#include <Arduino.h>
#include <errno.h>

#include <mutex>

/// Prints the task that constructs it, and waits during construction.
struct Slow {
  int made = 0;
  Slow() {
    delay(20);
    made = errno;
  }
};

__attribute__((noinline)) inline Slow& slow() {
  static Slow one;
  return one;
}

inline std::mutex mutex;
inline volatile uint32_t lockedAfter = 0;

inline void lockMutex(void*) {
  const uint32_t start = millis();
  std::lock_guard<std::mutex> lock(mutex);
  lockedAfter = millis() - start;
  vTaskDelete(nullptr);
}

inline volatile int answered = 0;

inline void askSlow(void*) {
  errno = 2;
  answered = slow().made;
  vTaskDelete(nullptr);
}

/// Two tasks reach a static variable whose constructor waits.
inline void makeTwice() {
  errno = 1;
  xTaskCreatePinnedToCore(askSlow, "asks", 4096, nullptr, 2, nullptr, 0);
  const int made = slow().made;
  delay(100);
  Serial.printf("made by %d and %d, errno %d\r\n", made, static_cast<int>(answered), errno);
}

/// Two tasks lock a `std::mutex`.
inline void lockTwice() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    xTaskCreatePinnedToCore(lockMutex, "locks", 4096, nullptr, 2, nullptr, 0);
    delay(50);
  }
  delay(10);
  Serial.printf("locked after %lu\r\n", static_cast<unsigned long>(lockedAfter));
}

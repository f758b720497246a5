// When the sensor sleeps: a few seconds after its start, unless a central is connected, and then a
// few seconds after that has gone, so that it can come back.
#pragma once

#include <cstdint>

class Schedule {
 public:
  /// From measurement to measurement, and for how long a central can connect, in milliseconds.
  static constexpr uint32_t period = 60 * 1000;
  static constexpr uint32_t window = 4 * 1000;

  void stayAwake(uint32_t now) { _since = now; }
  bool isSleepDue(uint32_t now) const { return now - _since >= window; }
  /// The time to sleep until the next whole period of a clock that sleep does not stop, so that
  /// the time for which it was awake does not add up.
  static uint32_t sleepTime(uint64_t clock) {
    return period - static_cast<uint32_t>(clock % period);
  }

 private:
  uint32_t _since = 0;
};

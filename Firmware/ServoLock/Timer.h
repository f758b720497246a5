// A time span on a 32-bit millisecond clock, which wraps around every 49.7 days.
#pragma once

#include <cstdint>

class Timer {
 public:
  /// Runs for `length` milliseconds from `now` on; at most 2^31, and polled more often than that.
  void start(uint32_t now, uint32_t length) {
    _isRunning = true;
    _start = now;
    _length = length;
  }
  void stop() { _isRunning = false; }

  bool isRunning() const { return _isRunning; }
  /// Unsigned subtraction: correct across the wrap-around.
  bool isDue(uint32_t now) const { return _isRunning && now - _start >= _length; }
  uint32_t remaining(uint32_t now) const {
    return _isRunning && !isDue(now) ? _length - (now - _start) : 0;
  }

 private:
  bool _isRunning = false;
  uint32_t _start = 0;
  uint32_t _length = 0;
};

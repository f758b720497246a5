#pragma once

#include <Arduino.h>

/// Bytes between two tasks: one puts, the other takes.
class Ring {
 public:
  static constexpr size_t kCapacity = 8192;

  size_t count() const { return _put - _taken; }
  size_t room() const { return kCapacity - count(); }

  /// Puts as many of the bytes as there is room for; returns how many.
  size_t put(const uint8_t* bytes, size_t length) {
    size_t part = min(length, room());
    for (size_t i = 0; i < part; i++) _bytes[(_put + i) % kCapacity] = bytes[i];
    _put += part;
    return part;
  }

  /// Copies the oldest bytes, at most `length`, without taking them; returns how many.
  size_t peek(uint8_t* bytes, size_t length) const {
    size_t part = min(length, count());
    for (size_t i = 0; i < part; i++) bytes[i] = _bytes[(_taken + i) % kCapacity];
    return part;
  }

  /// Takes the oldest bytes.
  void drop(size_t length) { _taken += min(length, count()); }

 private:
  uint8_t _bytes[kCapacity];
  // Each is written by one task; both count modulo 2^32, of which the capacity is a divisor.
  volatile uint32_t _put = 0, _taken = 0;
};

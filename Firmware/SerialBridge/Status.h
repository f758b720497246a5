#pragma once

#include <Arduino.h>

/// What clients can know of the bridge: README.md has the meaning of each. Little-endian, as the
/// chip is.
struct __attribute__((packed)) Status {
  uint32_t sent = 0;
  uint32_t capacity = 0;
  uint32_t lostFromClient = 0;
  uint32_t lostFromUART = 0;
  uint32_t baudRate = 0;

  static constexpr uint32_t kFlowControl = 0x80000000;
};

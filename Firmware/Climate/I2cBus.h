// An I2C bus, as the drivers use it: WireBus.h is the chip's, the tests have one of their own.
#pragma once

#include <cstddef>
#include <cstdint>

class I2cBus {
 public:
  virtual ~I2cBus() = default;
  /// Each is one transaction; false if the device does not acknowledge.
  virtual bool write(uint8_t device, const uint8_t* bytes, size_t length) = 0;
  virtual bool read(uint8_t device, uint8_t reg, uint8_t* bytes, size_t length) = 0;
  virtual void wait(uint32_t milliseconds) = 0;
};

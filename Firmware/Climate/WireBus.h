// The I2C bus on the chip.
#pragma once

#include <Arduino.h>
#include <Wire.h>

#include "I2cBus.h"

class WireBus : public I2cBus {
 public:
  void begin(int sda, int scl) { Wire.begin(sda, scl, 400000); }

  bool write(uint8_t device, const uint8_t* bytes, size_t length) override {
    Wire.beginTransmission(device);
    const size_t stored = Wire.write(bytes, length);
    return Wire.endTransmission() == 0 && stored == length;
  }

  bool read(uint8_t device, uint8_t reg, uint8_t* bytes, size_t length) override {
    Wire.beginTransmission(device);
    Wire.write(reg);
    // Without STOP nothing is sent yet, so this result says nothing: requestFrom() has the answer.
    Wire.endTransmission(false);
    if (Wire.requestFrom(device, length) != length) return false;
    for (size_t i = 0; i < length; i++) bytes[i] = static_cast<uint8_t>(Wire.read());
    return true;
  }

  void wait(uint32_t milliseconds) override { delay(milliseconds); }
};

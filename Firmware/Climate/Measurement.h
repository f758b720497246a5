// One measurement, as the console, the display and the services say it.
//
// Unknown values are those of the specification (GATT Specification Supplement: Temperature 0x8000,
// Humidity 0xFFFF). It has none for Pressure, which is empty then.
#pragma once

#include <cstddef>
#include <cstdint>

#include "Compensation.h"

struct Measurement {
  bool hasAir = false;
  Air air;
  uint32_t batteryMillivolts = 0;

  /// The values of the characteristics, little-endian.
  uint16_t temperatureValue() const;
  uint16_t humidityValue() const;
  uint32_t pressureValue() const;
  size_t pressureLength() const { return hasAir ? sizeof(uint32_t) : 0; }
  uint8_t batteryPercent() const;
};

/// Writes hundredths with `decimals` (0 to 2) digits after the point, rounded: "-0.05".
void writeHundredths(int32_t value, int decimals, char* text, size_t capacity);

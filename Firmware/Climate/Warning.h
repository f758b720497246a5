// The warning: an LED that is the brighter the more the temperature exceeds the limit.
#pragma once

#include <cstdint>

#include "Measurement.h"

class Warning {
 public:
  /// In 0.01 degrees, as in the service.
  static constexpr int16_t defaultLimit = 3000;
  /// Those that the sensor can measure; others are refused.
  static constexpr int16_t lowestLimit = -4000;
  static constexpr int16_t highestLimit = 8500;
  static constexpr uint8_t resolution = 10;
  static constexpr uint32_t fullDuty = (1 << resolution) - 1;
  /// From this excess on it is fully bright.
  static constexpr int32_t fullExcess = 500;

  static constexpr bool isLimit(int16_t limit) {
    return limit >= lowestLimit && limit <= highestLimit;
  }

  /// The LED's duty. An unknown temperature is no warning: the console reports it.
  static uint32_t duty(const Measurement& measurement, int16_t limit) {
    const int32_t excess = measurement.air.temperature - limit;
    if (!measurement.hasAir || excess <= 0) return 0;
    return excess >= fullExcess ? fullDuty : fullDuty * static_cast<uint32_t>(excess) / fullExcess;
  }
};

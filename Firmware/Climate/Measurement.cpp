#include "Measurement.h"

#include <cstdio>
#include <cstdlib>

static const uint16_t kUnknownTemperature = 0x8000;
static const uint16_t kUnknownHumidity = 0xFFFF;

uint16_t Measurement::temperatureValue() const {
  return hasAir ? static_cast<uint16_t>(air.temperature) : kUnknownTemperature;
}

uint16_t Measurement::humidityValue() const {
  return hasAir ? static_cast<uint16_t>(air.humidity) : kUnknownHumidity;
}

uint32_t Measurement::pressureValue() const { return static_cast<uint32_t>(air.pressure); }

/// A lithium cell with a light load: between these points its charge is taken as a straight line.
uint8_t Measurement::batteryPercent() const {
  static const struct {
    uint32_t millivolts, percent;
  } curve[] = {{3300, 0}, {3600, 10}, {3700, 30}, {3800, 55}, {4000, 85}, {4200, 100}};
  if (batteryMillivolts <= curve[0].millivolts) return 0;
  for (size_t i = 1; i < sizeof curve / sizeof curve[0]; i++) {
    const auto low = curve[i - 1], high = curve[i];
    if (batteryMillivolts > high.millivolts) continue;
    const uint32_t part = (batteryMillivolts - low.millivolts) * (high.percent - low.percent);
    return static_cast<uint8_t>(low.percent + part / (high.millivolts - low.millivolts));
  }
  return 100;
}

void writeHundredths(int32_t value, int decimals, char* text, size_t capacity) {
  const int32_t unit = decimals == 0 ? 100 : decimals == 1 ? 10 : 1;
  const int32_t rounded = (std::abs(value) + unit / 2) / unit;
  // -0.004 is 0.0, without a sign.
  const char* sign = value < 0 && rounded > 0 ? "-" : "";
  const int whole = static_cast<int>(rounded * unit / 100);
  if (decimals == 0) {
    snprintf(text, capacity, "%s%d", sign, whole);
  } else {
    snprintf(text, capacity, "%s%d.%0*d", sign, whole, decimals,
             static_cast<int>(rounded % (100 / unit)));
  }
}

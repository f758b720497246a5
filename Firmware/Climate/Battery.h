// The battery's voltage.
#pragma once

#include <Arduino.h>

#include "Wiring.h"

inline void beginBattery() { analogSetPinAttenuation(kBatteryPin, ADC_11db); }

inline uint32_t batteryMillivolts() {
  // A mean, since the converter is noisy.
  const uint32_t samples = 8;
  uint32_t sum = 0;
  for (uint32_t i = 0; i < samples; i++) sum += analogReadMilliVolts(kBatteryPin);
  return sum * kDivider / samples;
}

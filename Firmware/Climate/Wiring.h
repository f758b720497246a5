// The pins and addresses, on each chip.
#pragma once

#include <cstdint>

#include "sdkconfig.h"

#if defined(CONFIG_IDF_TARGET_ESP32)
static constexpr uint8_t kBatteryPin = 34;
static constexpr uint8_t kWarningPin = 26;
static constexpr int kSdaPin = 21;
static constexpr int kSclPin = 22;
#elif defined(CONFIG_IDF_TARGET_ESP32S3)
static constexpr uint8_t kBatteryPin = 4;
static constexpr uint8_t kWarningPin = 5;
static constexpr int kSdaPin = 8;
static constexpr int kSclPin = 9;
#else
// ESP32-C3 and -C6: their ADC has pins 0 to 4 (0 to 6).
static constexpr uint8_t kBatteryPin = 3;
static constexpr uint8_t kWarningPin = 4;
static constexpr int kSdaPin = 6;
static constexpr int kSclPin = 7;
#endif

static constexpr uint8_t kSensorAddress = 0x76;
static constexpr uint8_t kDisplayAddress = 0x3C;
/// Two equal resistors: the pin has half of the battery's voltage.
static constexpr uint32_t kDivider = 2;

// Continuous conversions (esp32-hal-adc.h). The converter fills a frame in the background; its
// values are those at the time of analogContinuousRead(), so that nothing is asked for frames that
// nobody reads.
#include <algorithm>
#include <cstdlib>

#include "Analog.h"
#include "Pins.h"
#include "esp32-hal-adc.h"

using espbench::PinUse;

namespace {

constexpr uint32_t kMinimumFrequency = 20000, kMaximumFrequency = 2000000;
/// Bytes of a conversion's result, and the longest frame of the driver.
constexpr uint32_t kResultSize = 2, kMaximumFrame = 4092;
/// The frames that the driver keeps.
constexpr uint32_t kFrames = 2;
constexpr uint64_t kSecond = 1000000000, kNanosecondsPerMillisecond = 1000000;

bool isPrepared;
adc_continuous_data_t* results;
size_t resultCount;
uint32_t conversions;
uint64_t framePeriod;
void (*frameHandler)();
uint8_t attenuation = ADC_11db;
espbench::Alarm frameAlarm;
uint32_t completeFrames;
espbench::WaitList readers;

void completeFrame(void*) {
  setAlarm(frameAlarm, frameAlarm.time + framePeriod);
  completeFrames = std::min(completeFrames + 1, kFrames);
  espbench::wakeFirst(readers);
  if (frameHandler != nullptr) frameHandler();
}

/// One of the pins has another use: as in the core, that ends the conversions of all.
void release(unsigned) { analogContinuousDeinit(); }

bool isReady() {
  if (!isPrepared) log_e("ADC Continuous is not initialized!");
  return isPrepared;
}

bool isOneShotRunning() {
  for (unsigned pin = 32; pin < espbench::kPins; pin++) {
    if (espbench::useOf(pin) == PinUse::adc) return true;
  }
  return false;
}

}  // namespace

extern "C" {

bool analogContinuous(const uint8_t numbers[], size_t pins_count, uint32_t conversions_per_pin,
                      uint32_t sampling_freq_hz, void (*userFunc)(void)) {
  for (size_t i = 0; i < pins_count; i++) {
    const int channel = digitalPinToAnalogChannel(numbers[i]);
    if (channel < 0) {
      log_e("Pin %u is not ADC pin!", numbers[i]);
      return false;
    }
    if (channel >= espbench::kChannelsOfConverter) {
      log_e("Only ADC1 pins are supported in continuous mode!");
      return false;
    }
  }
  if (isOneShotRunning()) {
    log_e("ADC%d is running in oneshot mode. Aborting.", 1);
    return false;
  }
  if (isPrepared) {
    log_e(
        "ADC%d continuous is already initialized. To reconfigure call analogContinuousDeinit() "
        "first.",
        1);
    return false;
  }
  if (sampling_freq_hz < kMinimumFrequency || sampling_freq_hz > kMaximumFrequency) {
    log_e("Sampling frequency is out of range. Supported sampling frequencies are %u - %u",
          kMinimumFrequency, kMaximumFrequency);
    return false;
  }
  if (conversions_per_pin * pins_count * kResultSize > kMaximumFrame) {
    log_e("Buffers are too big. Please set lower conversions per pin.");
    return false;
  }
  results = static_cast<adc_continuous_data_t*>(calloc(pins_count, sizeof(adc_continuous_data_t)));
  if (results == nullptr) return false;
  resultCount = pins_count;
  for (size_t i = 0; i < pins_count; i++) {
    results[i].pin = numbers[i];
    results[i].channel = static_cast<uint8_t>(digitalPinToAnalogChannel(numbers[i]));
    espbench::usePin(numbers[i], PinUse::continuousADC);
    espbench::makeAnalog(numbers[i]);
  }
  espbench::setRelease(PinUse::continuousADC, release);
  conversions = conversions_per_pin;
  framePeriod =
      std::max<uint64_t>(1, conversions_per_pin * pins_count * kSecond / sampling_freq_hz);
  frameHandler = userFunc;
  isPrepared = true;
  return true;
}

bool analogContinuousStart() {
  if (!isReady() || frameAlarm.isSet) return false;
  completeFrames = 0;
  frameAlarm.handler = completeFrame;
  frameAlarm.core = espbench::currentCore();
  setAlarm(frameAlarm, espbench::now() + framePeriod);
  return true;
}

bool analogContinuousStop() {
  if (!isReady() || !frameAlarm.isSet) return false;
  clearAlarm(frameAlarm);
  return true;
}

bool analogContinuousRead(adc_continuous_data_t** buffer, uint32_t timeout_ms) {
  if (!isReady()) return false;
  const uint64_t deadline = espbench::now() + timeout_ms * kNanosecondsPerMillisecond;
  while (completeFrames == 0) {
    if (espbench::inInterrupt() || !waitIn(readers, deadline)) {
      log_e("Reading data failed: No data, increase timeout");
      *buffer = nullptr;
      return false;
    }
  }
  completeFrames--;
  for (size_t i = 0; i < resultCount; i++) {
    const cfc_analog mean = espbench::convert(results[i].pin, attenuation, conversions);
    results[i].avg_read_raw = mean.raw;
    results[i].avg_read_mvolts = mean.millivolts;
  }
  *buffer = results;
  return true;
}

bool analogContinuousDeinit() {
  if (!isPrepared) return true;
  isPrepared = false;
  clearAlarm(frameAlarm);
  for (size_t i = 0; i < resultCount; i++) {
    const uint8_t pin = results[i].pin;
    if (espbench::useOf(pin) == PinUse::continuousADC) espbench::usePin(pin, PinUse::none);
  }
  free(results);
  results = nullptr;
  return true;
}

void analogContinuousSetAtten(adc_attenuation_t value) { attenuation = value & 3; }
void analogContinuousSetWidth(uint8_t) {}

}  // extern "C"

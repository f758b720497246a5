// Touch pins (esp32-hal-touch.h). The sensors measure periodically; the board is asked only when
// the sketch reads a value or has attached an interrupt.
#include "Analog.h"
#include "Pins.h"
#include "esp32-hal-touch.h"

using espbench::PinUse;

namespace {

constexpr int kSensors = 10;
constexpr uint8_t kPinsOfSensors[kSensors] = {T0, T1, T2, T3, T4, T5, T6, T7, T8, T9};
/// The core's settings: a measurement of 4096 cycles at 8 MHz, then a pause of as many at 150 kHz.
constexpr uint64_t kPeriodNanoseconds = 512000 + 27306667;
/// After a sensor's first use.
constexpr uint32_t kSettlingMilliseconds = 20;

struct Sensor {
  bool isUsed;
  uint8_t pin;
  void (*handler)(void*);
  void* argument;
  touch_value_t threshold;
  espbench::Alarm alarm;
};

Sensor sensors[kSensors];
bool triggersBelow = true;

touch_value_t measure(uint8_t pin) {
  const cfc_number number = {pin};
  cfc_number value = {};
  espbench::call(CFC_TOUCH_READ, &number, sizeof number, nullptr, 0, &value, sizeof value);
  return static_cast<touch_value_t>(value.value);
}

void finishMeasurement(void* argument) {
  auto& sensor = *static_cast<Sensor*>(argument);
  setAlarm(sensor.alarm, sensor.alarm.time + kPeriodNanoseconds);
  const touch_value_t value = measure(sensor.pin);
  const bool isOver = triggersBelow ? value < sensor.threshold : value > sensor.threshold;
  if (isOver) sensor.handler(sensor.argument);
}

void callWithoutArgument(void* handler) { reinterpret_cast<void (*)()>(handler)(); }

void release(unsigned pin) {
  Sensor& sensor = sensors[digitalPinToTouchChannel(static_cast<uint8_t>(pin))];
  sensor.isUsed = false;
  clearAlarm(sensor.alarm);
}

/// The sensor of a pin; nullptr, with the core's message: it has none.
Sensor* sensorOf(uint8_t pin) {
  const int channel = digitalPinToTouchChannel(pin);
  if (channel >= 0) return &sensors[channel];
  log_e(" No touch pad on selected pin!");
  return nullptr;
}

void prepare(Sensor& sensor, uint8_t pin) {
  if (sensor.isUsed) return;
  espbench::setRelease(PinUse::touch, release);
  espbench::usePin(pin, PinUse::touch);
  espbench::makeAnalog(pin);
  sensor.isUsed = true;
  sensor.pin = pin;
  sensor.handler = nullptr;
  clearAlarm(sensor.alarm);
  delay(kSettlingMilliseconds);
}

}  // namespace

extern "C" {

int8_t digitalPinToTouchChannel(uint8_t pin) {
  for (int8_t channel = 0; channel < kSensors; channel++) {
    if (kPinsOfSensors[channel] == pin) return channel;
  }
  return -1;
}

touch_value_t touchRead(uint8_t pin) {
  Sensor* sensor = sensorOf(pin);
  if (sensor == nullptr) return 0;
  prepare(*sensor, pin);
  espbench::spend(espbench::kPollNanoseconds);
  return measure(pin);
}

void touchAttachInterruptArg(uint8_t pin, void (*userFunc)(void*), void* arg,
                             touch_value_t threshold) {
  Sensor* sensor = sensorOf(pin);
  if (sensor == nullptr) return;
  if (userFunc == nullptr) {
    clearAlarm(sensor->alarm);
    return;
  }
  prepare(*sensor, pin);
  sensor->handler = userFunc;
  sensor->argument = arg;
  sensor->threshold = threshold;
  sensor->alarm.handler = finishMeasurement;
  sensor->alarm.argument = sensor;
  sensor->alarm.core = espbench::currentCore();
  setAlarm(sensor->alarm, espbench::now() + kPeriodNanoseconds);
}

void touchAttachInterrupt(uint8_t pin, void (*userFunc)(void), touch_value_t threshold) {
  touchAttachInterruptArg(pin, userFunc == nullptr ? nullptr : callWithoutArgument,
                          reinterpret_cast<void*>(userFunc), threshold);
}

void touchDetachInterrupt(uint8_t pin) { touchAttachInterruptArg(pin, nullptr, nullptr, 0); }

void touchInterruptSetThresholdDirection(bool mustbeLower) { triggersBelow = mustbeLower; }

}  // extern "C"

// ledcFade(): the steps that ESP-IDF's driver chooses for the peripheral, of which the board gets
// one each 10 ms at most. The ESP32 cannot stop a fade: changes of the duty wait for its end.
#include <algorithm>
#include <cstdlib>

#include "LEDC.h"
#include "Pins.h"
#include "esp32-hal-ledc.h"

using espbench::kLEDCChannels;

namespace {

constexpr uint64_t kReportNanoseconds = 10000000;
/// The longest step, in periods, and the largest, in units of the duty.
constexpr uint64_t kLongestStep = 1023, kLargestStep = 1023;

struct Fade {
  bool isRunning;
  uint32_t from, to;
  uint32_t scale;
  uint64_t start, step, end;  ///< ns; `step` is its length
  void (*handler)(void*);
  void (*plainHandler)();
  void* argument;
  espbench::Alarm alarm;
};
Fade fades[kLEDCChannels];

void setNextReport(Fade& fade, uint64_t after) {
  const uint64_t reports = std::max<uint64_t>(1, (kReportNanoseconds + fade.step - 1) / fade.step);
  setAlarm(fade.alarm, std::min(after + reports * fade.step, fade.end));
}

void proceed(void* argument) {
  Fade& fade = *static_cast<Fade*>(argument);
  const auto channel = static_cast<unsigned>(&fade - fades);
  const uint64_t time = fade.alarm.time;
  const bool isOver = time >= fade.end;
  const auto change = static_cast<uint32_t>((time - fade.start) / fade.step * fade.scale);
  espbench::setDuty(channel, isOver                ? fade.to
                             : fade.to > fade.from ? fade.from + change
                                                   : fade.from - change);
  espbench::tellPWM(channel);
  if (!isOver) return setNextReport(fade, time);
  fade.isRunning = false;
  if (fade.plainHandler != nullptr) fade.plainHandler();
  if (fade.handler != nullptr) fade.handler(fade.argument);
}

bool start(uint8_t pin, uint32_t from, uint32_t to, int milliseconds, void (*plainHandler)(),
           void (*handler)(void*), void* argument) {
  const int channel = espbench::channelOfPin(pin);
  if (channel < 0) {
    log_e("Pin %u is not attached to LEDC. Call ledcAttach first!", pin);
    return false;
  }
  Fade& fade = fades[channel];
  if (fade.isRunning) {
    log_e("LEDC Fade is still running on pin %u! SoC does not support stopping fade.", pin);
    return false;
  }
  const uint32_t bits = espbench::bitsOfPin(pin);
  // As in the core, only one of both is corrected.
  const uint32_t full = espbench::fullDuty(to, bits);
  if (full == to) from = espbench::fullDuty(from, bits);
  to = full;
  const uint64_t millihertz = espbench::signalOf(static_cast<unsigned>(channel)).millihertz;
  const uint64_t period = 1000000000000 / millihertz;
  espbench::setDuty(static_cast<unsigned>(channel), from);
  espbench::tellPWM(static_cast<unsigned>(channel));
  // The duty is effective from the next period on.
  espbench::spend(period);

  const uint64_t delta = from < to ? to - from : from - to;
  const uint64_t cycles = static_cast<uint64_t>(std::max(milliseconds, 0)) * millihertz / 1000000;
  fade.from = from;
  fade.to = to;
  fade.start = espbench::now();
  fade.step = period;
  fade.scale = 1;
  uint64_t steps = 1;
  if (delta > 0 && cycles > delta) {
    fade.step = std::min(cycles / delta, kLongestStep) * period;
    steps = delta;
  } else if (delta > 0 && cycles > 0) {
    fade.scale = static_cast<uint32_t>(std::min(delta / cycles, kLargestStep));
    steps = delta / fade.scale;
  }
  fade.end = fade.start + steps * fade.step;
  fade.plainHandler = plainHandler;
  fade.handler = handler;
  fade.argument = argument;
  fade.isRunning = true;
  fade.alarm.core = espbench::currentCore();
  fade.alarm.handler = proceed;
  fade.alarm.argument = &fade;
  setNextReport(fade, fade.start);
  return true;
}

}  // namespace

namespace espbench {

void awaitFade(unsigned channel) {
  const Fade& fade = fades[channel];
  while (fade.isRunning && !inInterrupt()) sleepUntil(std::max(fade.end, now() + kPollNanoseconds));
}

}  // namespace espbench

extern "C" {

bool ledcFade(uint8_t pin, uint32_t start_duty, uint32_t target_duty, int max_fade_time_ms) {
  return start(pin, start_duty, target_duty, max_fade_time_ms, nullptr, nullptr, nullptr);
}

bool ledcFadeWithInterrupt(uint8_t pin, uint32_t start_duty, uint32_t target_duty,
                           int max_fade_time_ms, void (*userFunc)(void)) {
  return start(pin, start_duty, target_duty, max_fade_time_ms, userFunc, nullptr, nullptr);
}

bool ledcFadeWithInterruptArg(uint8_t pin, uint32_t start_duty, uint32_t target_duty,
                              int max_fade_time_ms, void (*userFunc)(void*), void* arg) {
  return start(pin, start_duty, target_duty, max_fade_time_ms, nullptr, userFunc, arg);
}

}  // extern "C"

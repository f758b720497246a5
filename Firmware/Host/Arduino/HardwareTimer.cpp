// Hardware timers. A counter is computed from the virtual time; an alarm is an interrupt at an
// instant.
#include <algorithm>

#include "../Runtime/Kernel.h"
#include "../Runtime/Runtime.h"
#include "esp32-hal-log.h"
#include "esp32-hal-timer.h"
#include "esp_err.h"

using namespace espbench;

struct timer_struct_t {
  bool isTaken;
  uint32_t frequency;
  bool isRunning;
  uint64_t startTime;   ///< ns
  uint64_t startCount;  ///< count at startTime; if stopped, the current count
  void (*handler)(void*);
  void* argument;
  bool hasAlarm;
  bool reloads;
  uint64_t alarmCount;
  uint64_t reloadCount;
  Alarm alarm;
};

namespace {

constexpr uint64_t kSecond = 1000000000;
constexpr uint32_t kSource = 80000000;  // the APB clock
constexpr uint32_t kMinimumDivider = 2, kMaximumDivider = 65536;
constexpr int kTimers = 4;

timer_struct_t timers[kTimers];

uint64_t countsIn(uint64_t nanoseconds, uint32_t frequency) {
  return nanoseconds / kSecond * frequency + nanoseconds % kSecond * frequency / kSecond;
}

/// Rounded up: at that time the counter has reached the count.
uint64_t timeFor(uint64_t counts, uint32_t frequency) {
  const uint64_t part = counts % frequency * kSecond;
  return counts / frequency * kSecond + (part + frequency - 1) / frequency;
}

uint64_t count(const hw_timer_t* timer) {
  if (!timer->isRunning) return timer->startCount;
  return timer->startCount + countsIn(now() - timer->startTime, timer->frequency);
}

void updateAlarm(hw_timer_t* timer) {
  if (!timer->isRunning || !timer->hasAlarm) {
    clearAlarm(timer->alarm);
    return;
  }
  const uint64_t counts =
      timer->alarmCount > timer->startCount ? timer->alarmCount - timer->startCount : 0;
  const uint64_t due = timer->startTime + timeFor(counts, timer->frequency);
  setAlarm(timer->alarm, std::max(due, now()));
}

/// Continues to count from `value`, now.
void continueFrom(hw_timer_t* timer, uint64_t value) {
  timer->startCount = value;
  timer->startTime = now();
  updateAlarm(timer);
}

/// The alarm's interrupt. Alarms that were due while interrupts were off give one interrupt.
void fire(void* argument) {
  auto* timer = static_cast<hw_timer_t*>(argument);
  spend(kPollNanoseconds);
  if (!timer->hasAlarm) return;  // The alarm was cancelled while interrupts were off.
  if (timer->reloads && timer->alarmCount > timer->reloadCount) {
    const uint64_t period =
        std::max<uint64_t>(1, timeFor(timer->alarmCount - timer->reloadCount, timer->frequency));
    const uint64_t due = timer->alarm.time;
    timer->startTime = due + (std::max(now(), due) - due) / period * period;
    timer->startCount = timer->reloadCount;
  } else {
    timer->hasAlarm = false;
  }
  updateAlarm(timer);
  if (timer->handler != nullptr) timer->handler(timer->argument);
}

void callWithoutArgument(void* handler) { reinterpret_cast<void (*)(void)>(handler)(); }

}  // namespace

extern "C" {

hw_timer_t* timerBegin(uint32_t frequency) {
  const uint32_t divider = frequency > 0 ? kSource / frequency : 0;
  if (divider < kMinimumDivider || divider > kMaximumDivider) {
    log_e("Resolution cannot be reached with any clock source, aborting!");
    return nullptr;
  }
  hw_timer_t* timer = std::find_if(timers, timers + kTimers,
                                   [](const hw_timer_t& timer) { return !timer.isTaken; });
  if (timer == timers + kTimers) {
    log_e("Failed to create a new GPTimer, error num=%d", ESP_ERR_NOT_FOUND);
    return nullptr;
  }
  *timer = {};
  timer->isTaken = true;
  timer->frequency = kSource / divider;
  timer->alarm.handler = fire;
  timer->alarm.argument = timer;
  timer->alarm.core = currentCore();
  timerStart(timer);
  return timer;
}

void timerEnd(hw_timer_t* timer) {
  clearAlarm(timer->alarm);
  timer->hasAlarm = false;
  timer->isTaken = false;
}

void timerStart(hw_timer_t* timer) {
  if (timer->isRunning) return;
  timer->isRunning = true;
  continueFrom(timer, timer->startCount);
}

void timerStop(hw_timer_t* timer) {
  timer->startCount = count(timer);
  timer->isRunning = false;
  updateAlarm(timer);
}

void timerRestart(hw_timer_t* timer) { continueFrom(timer, 0); }
void timerWrite(hw_timer_t* timer, uint64_t val) { continueFrom(timer, val); }

uint64_t timerRead(hw_timer_t* timer) {
  spend(kPollNanoseconds);
  return count(timer);
}

uint64_t timerReadMicros(hw_timer_t* timer) {
  return timerRead(timer) * 1000000 / timer->frequency;
}

uint64_t timerReadMillis(hw_timer_t* timer) { return timerRead(timer) * 1000 / timer->frequency; }
uint64_t timerReadMilis(hw_timer_t* timer) { return timerReadMillis(timer); }

double timerReadSeconds(hw_timer_t* timer) {
  return static_cast<double>(timerRead(timer)) / timer->frequency;
}

uint32_t timerGetFrequency(hw_timer_t* timer) { return timer->frequency; }

void timerAttachInterrupt(hw_timer_t* timer, void (*userFunc)(void)) {
  timerAttachInterruptArg(timer, callWithoutArgument, reinterpret_cast<void*>(userFunc));
}

void timerAttachInterruptArg(hw_timer_t* timer, void (*userFunc)(void*), void* arg) {
  if (timer == nullptr) {
    log_e("Timer handle is NULL");
    return;
  }
  timer->handler = userFunc;
  timer->argument = arg;
  timer->alarm.core = currentCore();
}

void timerDetachInterrupt(hw_timer_t* timer) {
  timer->hasAlarm = false;
  timer->handler = nullptr;
  updateAlarm(timer);
}

void timerAlarm(hw_timer_t* timer, uint64_t alarm_value, bool autoreload, uint64_t reload_count) {
  timer->hasAlarm = true;
  timer->alarmCount = alarm_value;
  timer->reloads = autoreload;
  timer->reloadCount = reload_count;
  updateAlarm(timer);
}

}  // extern "C"

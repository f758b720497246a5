// Levels from outside: as they come, and announced for the future (CFC_PIN_LEVELS), as the answers
// of parts to what the chip drives (CFC_PIN_DRIVEN) are.
//
// An announced level is read from its instant on by any code, also where the core's clock has
// passed that instant within an interrupt's handler. Its interrupt occurs at that instant.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "../Runtime/Cores.h"
#include "../Runtime/Heap.h"
#include "../Runtime/StandStill.h"
#include "Pins.h"

namespace espbench {
namespace {

/// Both cores' clocks stand still in light sleep, while the board's time passes.
uint64_t currentTime() { return std::max(now(), boardTime()); }

/// The next level of a pin has been reached.
void reachLevel(void* argument) {
  Pin& pin = *static_cast<Pin*>(argument);
  LevelQueue& levels = pin.levels;
  const cfc_level level = levels.items[levels.first++];
  pin.outside = level.value;
  if (levels.first < levels.count) setAlarm(pin.nextLevel, levels.items[levels.first].time_ns);
  noticeLevel(pin, level.time_ns);
}

void append(Pin& pin, const cfc_level& level) {
  LevelQueue& levels = pin.levels;
  if (levels.count == levels.capacity) {
    HostScope own;
    levels.capacity = levels.capacity * 2 + 64;
    levels.items =
        static_cast<cfc_level*>(realloc(levels.items, levels.capacity * sizeof *levels.items));
    if (levels.items == nullptr) abort();
  }
  levels.items[levels.count++] = level;
}

/// The reply of CFC_PIN_DRIVEN.
void takeAnswer(const uint8_t* data, size_t length) {
  cfc_number count;
  if (length < sizeof count) return;
  memcpy(&count, data, sizeof count);
  const size_t size = static_cast<size_t>(std::max(count.value, 0)) * sizeof(cfc_level);
  pinLevels(data + sizeof count, std::min(size, length - sizeof count));
}

}  // namespace

uint32_t outsideOf(const Pin& pin) {
  const LevelQueue& levels = pin.levels;
  uint32_t value = pin.outside;
  if (levels.first == levels.count) return value;
  const uint64_t time = currentTime();
  for (uint32_t i = levels.first; i < levels.count && levels.items[i].time_ns <= time; i++) {
    value = levels.items[i].value;
  }
  return value;
}

bool levelOf(const Pin& pin) {
  const uint32_t drive = driveOf(pin);
  if (drive != CFC_PIN_FLOATING) return drive == CFC_PIN_HIGH;
  const uint32_t outside = outsideOf(pin);
  return outside == CFC_PIN_FLOATING ? (pin.mode & PULLUP) != 0 : outside == CFC_PIN_HIGH;
}

uint64_t nextLevelOf(unsigned number) {
  const LevelQueue& levels = pins[number].levels;
  const uint64_t time = now();
  for (uint32_t i = levels.first; i < levels.count; i++) {
    if (levels.items[i].time_ns > time) return levels.items[i].time_ns;
  }
  return kForEver;
}

void noticeDrive(unsigned number, uint32_t drive) {
  if (pins[number].isAnswered) {
    const cfc_pin driven = {number, drive};
    callAndTake(CFC_PIN_DRIVEN, &driven, sizeof driven, takeAnswer);
  }
  noticeLevel(pins[number], now());
  deliverInterrupts();
}

void observePin(unsigned number, Observer observer, Observe observe) {
  Pin& pin = pins[number];
  pin.observers[static_cast<size_t>(observer)] = observe;
  pin.isObserved = pin.observers[0] != nullptr || pin.observers[1] != nullptr;
}

void tellObservers(const Pin& pin, uint64_t time) {
  if (standsStill()) return;
  const auto number = static_cast<unsigned>(&pin - pins);
  const bool level = readPin(number);
  for (Observe observe : pin.observers) {
    if (observe != nullptr) observe(number, level, time);
  }
}

void takeLevels() { ringOutsideAlarms(now()); }

void pinInput(uint32_t number, uint32_t value) {
  if (number >= kPins) return;
  Pin& pin = pins[number];
  while (pin.nextLevel.isSet && pin.nextLevel.time <= boardTime()) {
    clearAlarm(pin.nextLevel);
    reachLevel(&pin);
  }
  pin.outside = value;
  noticeLevel(pin, boardTime());
}

void pinAnswered(uint32_t number, bool isAnswered) {
  if (number < kPins) pins[number].isAnswered = isAnswered;
}

void pinLevels(const uint8_t* levels, size_t length) {
  // Those that a pin has from an earlier message are replaced.
  uint64_t named = 0;
  cfc_level level;
  for (; length >= sizeof level; levels += sizeof level, length -= sizeof level) {
    memcpy(&level, levels, sizeof level);
    if (level.pin >= kPins) continue;
    Pin& pin = pins[level.pin];
    if ((named >> level.pin & 1) == 0) {
      named |= uint64_t{1} << level.pin;
      while (pin.nextLevel.isSet && pin.nextLevel.time <= boardTime()) {
        clearAlarm(pin.nextLevel);
        reachLevel(&pin);
      }
      pin.levels.first = pin.levels.count = 0;
    }
    append(pin, level);
  }
  for (unsigned number = 0; number < kPins; number++) {
    if ((named >> number & 1) == 0) continue;
    Alarm& alarm = pins[number].nextLevel;
    alarm.handler = reachLevel;
    alarm.argument = &pins[number];
    alarm.isOutside = true;
    setAlarm(alarm, pins[number].levels.items[0].time_ns);
  }
}

}  // namespace espbench

namespace {

/// Waits until the pin has a level; false: not before `deadline`.
bool awaitLevel(uint8_t pin, bool level, uint64_t deadline) {
  while (espbench::readPin(pin) != level) {
    const uint64_t now = espbench::now();
    if (now >= deadline) return false;
    // A level that is announced is met at its very instant; any other is polled for.
    const uint64_t next = std::min(deadline, espbench::nextLevelOf(pin));
    espbench::spend(std::min(espbench::kPollNanoseconds, next - now));
  }
  return true;
}

}  // namespace

extern "C" {

unsigned long pulseIn(uint8_t pin, uint8_t state, unsigned long timeout) {
  constexpr uint64_t kNanosecondsPerMicrosecond = 1000;
  digitalRead(pin);  // Tells the board of a pin that cannot be read.
  // The chip counts in cycles, of which a word holds this many microseconds.
  const uint64_t longest = UINT32_MAX / getCpuFrequencyMhz();
  const uint64_t deadline =
      espbench::now() + std::min<uint64_t>(timeout, longest) * kNanosecondsPerMicrosecond;
  const bool level = state != LOW;
  if (pin >= espbench::kPins || espbench::pins[pin].use != espbench::PinUse::gpio) {
    // digitalRead() is LOW for ever.
    espbench::spend(deadline - espbench::now());
    return 0;
  }
  if (!awaitLevel(pin, !level, deadline) || !awaitLevel(pin, level, deadline)) return 0;
  const uint64_t start = espbench::now();
  if (!awaitLevel(pin, !level, deadline)) return 0;
  return static_cast<unsigned long>((espbench::now() - start) / kNanosecondsPerMicrosecond);
}

unsigned long pulseInLong(uint8_t pin, uint8_t state, unsigned long timeout) {
  return pulseIn(pin, state, timeout);
}

}  // extern "C"

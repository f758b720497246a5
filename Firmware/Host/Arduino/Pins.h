// The state of the pins, for the files that implement them: modes and outputs (Pins.cpp), levels
// from outside (PinLevels.cpp), interrupts (PinInterrupts.cpp).
#ifndef ESPBENCH_PINS_H
#define ESPBENCH_PINS_H

#include <cstddef>
#include <cstdint>

#include "../Runtime/Runtime.h"
#include "Arduino.h"
#include "Sleep.h"
#include "driver/gpio.h"
#include "soc/soc_caps.h"

namespace espbench {

constexpr size_t kPins = SOC_GPIO_PIN_COUNT;
constexpr uint8_t kInput = INPUT, kDriven = OUTPUT & ~INPUT, kPulls = PULLUP | PULLDOWN;

/// Peripherals that follow the level of a pin which they do not own.
enum class Observer : uint8_t { counter, receiver };
/// The level of a pin's input, which may be the former one, at `time`.
using Observe = void (*)(unsigned pin, bool level, uint64_t time);

/// Announced levels of a pin that are not reached yet: [first, count) of `items`.
struct LevelQueue {
  cfc_level* items = nullptr;
  uint32_t first = 0;
  uint32_t count = 0;
  uint32_t capacity = 0;
};

// Statically initialized: levels arrive before constructors run.
struct Pin {
  uint8_t mode = 0;
  PinUse use = PinUse::none;
  bool outputLevel = false;
  bool isHeld = false;  ///< gpio_hold_en(): the two below take effect later
  bool laterLevel = false;
  uint8_t laterMode = 0;
  /// The drive from outside, as far as the queue of levels was passed: CFC_PIN_...
  uint32_t outside = CFC_PIN_FLOATING;
  /// Parts answer changes of the pin, or its interrupt is on: a change is more than a message.
  bool isAnswered = false;
  bool isListening = false;
  bool isObserved = false;
  Observe observers[2] = {};

  // Interrupts
  uint8_t interruptType = GPIO_INTR_DISABLE;
  bool isEnabled = false;
  bool isRaised = false;   ///< the interrupt of a level is pending or runs
  bool lastLevel = false;  ///< while it is listening
  voidFuncPtrArg handler = nullptr;
  void* argument = nullptr;
  /// The core on which the handler runs: the one that attached it.
  int core = 0;

  LevelQueue levels;
  Alarm nextLevel;
};

/// Plain data: used before constructors run.
extern Pin pins[kPins];

/// The chip's own drive of a pin: CFC_PIN_...
inline uint32_t driveOf(const Pin& pin) {
  if ((pin.mode & kDriven) == 0) return CFC_PIN_FLOATING;
  if (!pin.outputLevel) return CFC_PIN_LOW;
  return pin.mode & OPEN_DRAIN ? CFC_PIN_FLOATING : CFC_PIN_HIGH;
}
/// The level at a pin now, whether its input is on or not.
bool levelOf(const Pin& pin);
/// The present drive of a pin from outside: CFC_PIN_...
uint32_t outsideOf(const Pin& pin);
/// The time of the next announced level of a pin; kForEver: none.
uint64_t nextLevelOf(unsigned number);
/// The level of a pin may have changed at `time`: its interrupts occur.
void noticeLevel(Pin& pin, uint64_t time);
/// The chip drives another level: tells the parts that answer it, and the pin's interrupt.
void noticeDrive(unsigned number, uint32_t drive);
/// Sets or, with nullptr, ends the observation of a pin. Not while the chip sleeps lightly: then
/// the peripherals have no clock, and see the levels after it.
void observePin(unsigned number, Observer observer, Observe observe);
/// Tells the observers the level of a pin.
void tellObservers(const Pin& pin, uint64_t time);
/// The announced levels up to the core's clock take effect; for reads in a handler.
void takeLevels();
/// Follows a change of what decides if the pin's interrupt can occur.
void updateListening(Pin& pin);

}  // namespace espbench

#endif

// Pins, and their interrupts, which run on the core that attached them.
#include "../Runtime/Runtime.h"
#include "Arduino.h"
#include "Sleep.h"

using espbench::kPollNanoseconds;
using espbench::spend;

namespace {

constexpr size_t kPins = 64;

// Statically initialized: levels arrive before constructors run.
struct Pin {
  uint8_t mode = 0;
  bool outputLevel = false;
  uint32_t driven = CFC_PIN_FLOATING;
  int interruptMode = 0;
  voidFuncPtrArg handler = nullptr;
  void* argument = nullptr;
  /// Where the handler runs: on the core that attached it.
  int core = 0;
};

Pin pins[kPins];

bool inputLevel(const Pin& pin) {
  return pin.driven == CFC_PIN_FLOATING ? (pin.mode & PULLUP) != 0 : pin.driven == CFC_PIN_HIGH;
}

bool levelOf(const Pin& pin) {
  bool isOutput = (pin.mode & OUTPUT) == OUTPUT;
  return isOutput ? pin.outputLevel : inputLevel(pin);
}

void callWithoutArgument(void* handler) { reinterpret_cast<voidFuncPtr>(handler)(); }

void sendPin(uint16_t type, uint8_t number, uint32_t value) {
  cfc_pin pin = {number, value};
  espbench::send(type, &pin, sizeof pin);
}

}  // namespace

namespace espbench {

bool pinLevel(unsigned number) { return number < kPins && levelOf(pins[number]); }

uint8_t modeOf(unsigned number) { return number < kPins ? pins[number].mode : 0; }

void pinInput(uint32_t number, uint32_t value) {
  if (number >= kPins) return;
  Pin& pin = pins[number];
  bool before = inputLevel(pin);
  pin.driven = value;
  bool level = inputLevel(pin);
  // An edge before attachInterrupt(), such as the initial level, causes no interrupt.
  if (level == before || pin.handler == nullptr) return;
  if (pin.interruptMode & (level ? RISING : FALLING)) {
    runInterrupt(pin.core, pin.handler, pin.argument);
  }
}

}  // namespace espbench

extern "C" {

void pinMode(uint8_t pin, uint8_t mode) {
  if (pin >= kPins) return;
  pins[pin].mode = mode;
  sendPin(CFC_PIN_MODE, pin, mode);
}

void digitalWrite(uint8_t pin, uint8_t val) {
  if (pin >= kPins) return;
  pins[pin].outputLevel = val != LOW;
  sendPin(CFC_PIN_OUTPUT, pin, val != LOW);
}

int digitalRead(uint8_t pin) {
  spend(kPollNanoseconds);
  return pin < kPins && levelOf(pins[pin]) ? HIGH : LOW;
}

void attachInterrupt(uint8_t pin, voidFuncPtr handler, int mode) {
  attachInterruptArg(pin, callWithoutArgument, reinterpret_cast<void*>(handler), mode);
}

void attachInterruptArg(uint8_t pin, voidFuncPtrArg handler, void* arg, int mode) {
  if (pin >= kPins) return;
  pins[pin].handler = handler;
  pins[pin].argument = arg;
  pins[pin].interruptMode = mode;
  pins[pin].core = espbench::currentCore();
}

void detachInterrupt(uint8_t pin) {
  if (pin < kPins) pins[pin].handler = nullptr;
}

}  // extern "C"

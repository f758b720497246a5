// Pins, and their interrupts, which run on the core that attached them. As in arduino-esp32 3.x
// (esp32-hal-gpio.c), pinMode() assigns a pin to Arduino; before that, digitalWrite() and
// digitalRead() do nothing. The chip does not report it (log_e of the core is off by default), so
// the board gets a message.
#include "../Runtime/Fault.h"
#include "../Runtime/Runtime.h"
#include "Arduino.h"
#include "GPIOLog.h"
#include "PinOwners.h"
#include "Sleep.h"
#include "soc/soc_caps.h"

using espbench::configurePin;
using espbench::ignorePin;
using espbench::isPin;
using espbench::kPollNanoseconds;
using espbench::spend;

namespace {

constexpr size_t kPins = SOC_GPIO_PIN_COUNT;
constexpr uint8_t kInput = INPUT, kDriven = OUTPUT & ~INPUT, kPulls = PULLUP | PULLDOWN;
/// Modes from this value on belong to other functions of the pin, such as ANALOG.
constexpr uint8_t kFirstFunction = 0x20;
/// The number that means "no pin" (-1): a missing effect is not reported.
constexpr unsigned kNone = 255;

// Statically initialized: levels arrive before constructors run.
struct Pin {
  uint8_t mode = 0;
  bool isArduinos = false;  ///< pinMode() has made it a GPIO
  bool outputLevel = false;
  bool isHeld = false;  ///< gpio_hold_en(): the two below take effect later
  bool laterLevel = false;
  uint8_t laterMode = 0;
  uint32_t driven = CFC_PIN_FLOATING;
  int interruptMode = 0;
  voidFuncPtrArg handler = nullptr;
  void* argument = nullptr;
  /// The core on which the handler runs: the one that attached it.
  int core = 0;
};

Pin pins[kPins];
/// The reasons already reported to the board, one bit each, for each pin number that a sketch may
/// use.
uint8_t ignored[256];

bool isDriven(const Pin& pin) { return (pin.mode & kDriven) != 0; }

bool levelOf(const Pin& pin) {
  if (isDriven(pin)) return pin.outputLevel;
  return pin.driven == CFC_PIN_FLOATING ? (pin.mode & PULLUP) != 0 : pin.driven == CFC_PIN_HIGH;
}

/// The pins of a module's flash, from which the chip reads its code.
bool isOfFlash(unsigned number) { return number >= 6 && number <= 11; }

void callWithoutArgument(void* handler) { reinterpret_cast<voidFuncPtr>(handler)(); }

void sendPin(uint16_t type, uint8_t number, uint32_t value) {
  cfc_pin pin = {number, value};
  espbench::send(type, &pin, sizeof pin);
}

}  // namespace

namespace espbench {

bool pinLevel(unsigned number) { return number < kPins && levelOf(pins[number]); }

bool readPin(unsigned number) {
  return number < kPins && (pins[number].mode & kInput) != 0 && levelOf(pins[number]);
}

uint8_t modeOf(unsigned number) { return number < kPins ? pins[number].mode : 0; }

void configurePin(unsigned number, uint8_t mode) {
  // Neither core can fetch instructions any more (espressif/arduino-esp32 issue 2411).
  if (isOfFlash(number)) endFirmware(CFC_FAULT_INTERRUPT_WATCHDOG, "");
  if (!hasOutput(number)) {
    if (mode & kDriven) ignorePin(number, CFC_IGNORED_NO_OUTPUT);
    if (mode & kPulls) ignorePin(number, CFC_IGNORED_NO_PULL);
    mode &= kInput;
  }
  Pin& pin = pins[number];
  if (pin.isHeld) {
    pin.laterMode = mode;
    return;
  }
  const bool wasDriven = isDriven(pin);
  pin.mode = mode;
  sendPin(CFC_PIN_MODE, static_cast<uint8_t>(number), mode);
  if (wasDriven == isDriven(pin)) return;
  const uint32_t level = wasDriven         ? CFC_PIN_FLOATING
                         : pin.outputLevel ? CFC_PIN_HIGH
                                           : CFC_PIN_LOW;
  sendPin(CFC_PIN_OUTPUT, static_cast<uint8_t>(number), level);
}

void holdPin(unsigned number, bool isHeld) {
  Pin& pin = pins[number];
  if (pin.isHeld == isHeld) return;
  pin.isHeld = isHeld;
  if (isHeld) {
    pin.laterMode = pin.mode;
    pin.laterLevel = pin.outputLevel;
  } else {
    const bool isNew = pin.laterLevel != pin.outputLevel;
    if (pin.laterMode != pin.mode) configurePin(number, pin.laterMode);
    if (isNew && isDriven(pin)) setOutput(number, pin.laterLevel);
    pin.outputLevel = pin.laterLevel;
  }
}

void setOutput(unsigned number, bool level) {
  if (pins[number].isHeld) {
    pins[number].laterLevel = level;
    return;
  }
  pins[number].outputLevel = level;
  if (!isDriven(pins[number])) return ignorePin(number, CFC_IGNORED_NOT_DRIVEN);
  sendPin(CFC_PIN_OUTPUT, static_cast<uint8_t>(number), level);
}

void leaveArduino(unsigned number) { pins[number].isArduinos = false; }

void ignorePin(unsigned number, unsigned reason) {
  if (number >= kNone || (ignored[number] & 1u << reason) != 0) return;
  ignored[number] |= static_cast<uint8_t>(1u << reason);
  sendPin(CFC_PIN_IGNORED, static_cast<uint8_t>(number), reason);
}

esp_err_t logGPIOError(const char* function, int line, const char* text) {
  esp_log_write(ESP_LOG_ERROR, "gpio", "E (%" PRIu32 ") gpio: %s(%d): %s\n", esp_log_timestamp(),
                function, line, text);
  return ESP_ERR_INVALID_ARG;
}

void logMissingPull(unsigned number, uint8_t mode) {
  if (hasOutput(number)) return;
  if (mode & PULLUP) {
    logGPIOError("gpio_pullup_en", 78, "GPIO number error (input-only pad has no internal PU)");
  }
  if (mode & PULLDOWN) {
    logGPIOError("gpio_pulldown_en", 116, "GPIO number error (input-only pad has no internal PD)");
  }
}

void pinInput(uint32_t number, uint32_t value) {
  if (number >= kPins) return;
  Pin& pin = pins[number];
  bool before = levelOf(pin);
  pin.driven = value;
  bool level = levelOf(pin);
  // An edge before attachInterrupt(), such as the initial level, causes no interrupt.
  if (level == before || pin.handler == nullptr) return;
  if (pin.interruptMode & (level ? RISING : FALLING)) {
    runInterrupt(pin.core, pin.handler, pin.argument);
  }
}

}  // namespace espbench

extern "C" {

void pinMode(uint8_t pin, uint8_t mode) {
  if (!isPin(pin)) return ignorePin(pin, CFC_IGNORED_NO_PIN);
  if (mode >= kFirstFunction) mode = 0;
  if ((mode & kDriven) != 0 && !espbench::hasOutput(pin)) {
    esp_log_write(ESP_LOG_ERROR, "gpio",
                  "E (%" PRIu32 ") gpio: GPIO can only be used as input mode\n",
                  esp_log_timestamp());
    return ignorePin(pin, CFC_IGNORED_NO_OUTPUT);
  }
  espbench::releasePin(pin);
  espbench::logMissingPull(pin, mode);
  configurePin(pin, mode);
  pins[pin].isArduinos = true;
}

void digitalWrite(uint8_t pin, uint8_t val) {
  if (!isPin(pin)) return ignorePin(pin, CFC_IGNORED_NO_PIN);
  if (!pins[pin].isArduinos) return ignorePin(pin, CFC_IGNORED_WRITE);
  if (!espbench::hasOutput(pin)) {
    espbench::logGPIOError("gpio_set_level", 238, "GPIO output gpio_num error");
    return ignorePin(pin, CFC_IGNORED_NO_OUTPUT);
  }
  espbench::setOutput(pin, val != LOW);
}

int digitalRead(uint8_t pin) {
  spend(kPollNanoseconds);
  if (!isPin(pin)) {
    ignorePin(pin, CFC_IGNORED_NO_PIN);
  } else if (!pins[pin].isArduinos) {
    ignorePin(pin, CFC_IGNORED_READ);
  } else {
    return espbench::readPin(pin) ? HIGH : LOW;
  }
  return LOW;
}

void attachInterrupt(uint8_t pin, voidFuncPtr handler, int mode) {
  attachInterruptArg(pin, callWithoutArgument, reinterpret_cast<void*>(handler), mode);
}

void attachInterruptArg(uint8_t pin, voidFuncPtrArg handler, void* arg, int mode) {
  if (pin >= kPins) return ignorePin(pin, CFC_IGNORED_NO_PIN);
  if (!isPin(pin)) {
    espbench::logGPIOError("gpio_set_intr_type", 154, "GPIO number error");
    espbench::logGPIOError("gpio_isr_handler_add", 555, "GPIO number error");
    return ignorePin(pin, CFC_IGNORED_NO_PIN);
  }
  pins[pin].handler = handler;
  pins[pin].argument = arg;
  pins[pin].interruptMode = mode;
  pins[pin].core = espbench::currentCore();
  // As in arduino-esp32; on a pin of the flash, the input is already on.
  if ((pins[pin].mode & kInput) == 0 && !isOfFlash(pin)) {
    configurePin(pin, pins[pin].mode | kInput);
  }
}

void detachInterrupt(uint8_t pin) {
  if (pin < kPins) pins[pin].handler = nullptr;
}

}  // extern "C"

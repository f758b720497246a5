// Modes and outputs of pins. As in arduino-esp32 3.x (esp32-hal-gpio.c), pinMode() assigns a pin to
// Arduino; before that, digitalWrite() and digitalRead() do nothing. The chip does not report it
// (log_e of the core is off by default), so the board gets a message.
#include "Pins.h"

#include "../Runtime/Fault.h"
#include "GPIOLog.h"

using espbench::configurePin;
using espbench::ignorePin;
using espbench::isPin;
using espbench::kPollNanoseconds;
using espbench::spend;

namespace {

/// Modes from this value on belong to other functions of the pin, such as ANALOG.
constexpr uint8_t kFirstFunction = 0x20;
/// The number that means "no pin" (-1): a missing effect is not reported.
constexpr unsigned kNone = 255;

/// The reasons already reported to the board, one bit each, for each pin number that a sketch may
/// use.
uint8_t ignored[256];

void sendPin(uint16_t type, uint8_t number, uint32_t value) {
  cfc_pin pin = {number, value};
  espbench::send(type, &pin, sizeof pin);
}

/// Tells what the chip drives at a pin, `before` a change.
void tellDrive(unsigned number, uint32_t before, bool isEachWrite) {
  const espbench::Pin& pin = espbench::pins[number];
  const uint32_t drive = espbench::driveOf(pin);
  const bool isNew = drive != before;
  if ((isNew || isEachWrite) && !pin.isAnswered) {
    sendPin(CFC_PIN_OUTPUT, static_cast<uint8_t>(number), drive);
  }
  if (isNew && (pin.isAnswered || pin.isListening || pin.isObserved)) {
    espbench::noticeDrive(number, drive);
  }
}

void (*releases[static_cast<size_t>(espbench::PinUse::bus) + 1])(unsigned pin);

}  // namespace

namespace espbench {

constinit Pin pins[kPins] = {};

bool pinLevel(unsigned number) { return number < kPins && levelOf(pins[number]); }

bool readPin(unsigned number) {
  return number < kPins && (pins[number].mode & kInput) != 0 && levelOf(pins[number]);
}

uint8_t modeOf(unsigned number) { return number < kPins ? pins[number].mode : 0; }

PinUse useOf(unsigned number) { return number < kPins ? pins[number].use : PinUse::none; }

void usePin(unsigned number, PinUse use) {
  Pin& pin = pins[number];
  if (pin.use == use) return;
  const PinUse before = pin.use;
  pin.use = use;
  auto* release = releases[static_cast<size_t>(before)];
  if (release != nullptr) release(number);
}

void setRelease(PinUse use, void (*release)(unsigned pin)) {
  releases[static_cast<size_t>(use)] = release;
}

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
  const uint32_t before = driveOf(pin);
  pin.mode = mode;
  sendPin(CFC_PIN_MODE, static_cast<uint8_t>(number), mode);
  tellDrive(number, before, false);
  // A pull resistor that comes on, or goes, is an edge.
  noticeLevel(pin, now());
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
    if (isNew && (pin.mode & kDriven) != 0) setOutput(number, pin.laterLevel);
    pin.outputLevel = pin.laterLevel;
  }
}

void setOutput(unsigned number, bool level) {
  if (!pins[number].isHeld && (pins[number].mode & kDriven) == 0) {
    ignorePin(number, CFC_IGNORED_NOT_DRIVEN);
  }
  prepareOutput(number, level);
}

void prepareOutput(unsigned number, bool level) {
  Pin& pin = pins[number];
  if (pin.isHeld) {
    pin.laterLevel = level;
    return;
  }
  const uint32_t before = driveOf(pin);
  pin.outputLevel = level;
  if ((pin.mode & kDriven) != 0) tellDrive(number, before, true);
}

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

}  // namespace espbench

extern "C" {

void pinMode(uint8_t pin, uint8_t mode) {
  if (!isPin(pin)) return ignorePin(pin, CFC_IGNORED_NO_PIN);
  if (mode >= kFirstFunction) mode = 0;
  if ((mode & espbench::kDriven) != 0 && !espbench::hasOutput(pin)) {
    esp_log_write(ESP_LOG_ERROR, "gpio",
                  "E (%" PRIu32 ") gpio: GPIO can only be used as input mode\n",
                  esp_log_timestamp());
    return ignorePin(pin, CFC_IGNORED_NO_OUTPUT);
  }
  espbench::logMissingPull(pin, mode);
  espbench::usePin(pin, espbench::PinUse::gpio);
  configurePin(pin, mode);
}

void digitalWrite(uint8_t pin, uint8_t val) {
  if (!isPin(pin)) return ignorePin(pin, CFC_IGNORED_NO_PIN);
  if (espbench::useOf(pin) != espbench::PinUse::gpio) return ignorePin(pin, CFC_IGNORED_WRITE);
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
  } else if (espbench::useOf(pin) != espbench::PinUse::gpio) {
    ignorePin(pin, CFC_IGNORED_READ);
  } else {
    return espbench::readPin(pin) ? HIGH : LOW;
  }
  return LOW;
}

}  // extern "C"

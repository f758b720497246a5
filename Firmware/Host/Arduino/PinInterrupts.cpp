// Interrupts of pins: Arduino's functions, and those of ESP-IDF's service (driver/gpio.h), which
// share the handlers of the pins as on the chip.
#include "GPIOLog.h"
#include "Pins.h"

using espbench::Pin;
using espbench::pins;

namespace {

/// From the interrupt to the first instruction of a pin's handler, and back.
constexpr uint64_t kServiceNanoseconds = 2000;
/// attachInterrupt()'s modes: the type of the interrupt, and whether it ends light sleep.
constexpr int kTypes = 0x07, kWakes = 0x08;

bool isServiceInstalled;

void callWithoutArgument(void* handler) { reinterpret_cast<voidFuncPtr>(handler)(); }

/// True while a level interrupt of the pin occurs.
bool isLevelHeld(const Pin& pin) {
  if (pin.interruptType == GPIO_INTR_LOW_LEVEL) return !espbench::levelOf(pin);
  return pin.interruptType == GPIO_INTR_HIGH_LEVEL && espbench::levelOf(pin);
}

/// The interrupt of a level occurs again when the handler returns, and nothing else of the core
/// runs: for long it ends in the interrupt watchdog.
void serveLevel(void* argument) {
  Pin& pin = *static_cast<Pin*>(argument);
  while (pin.isListening && isLevelHeld(pin)) {
    espbench::spend(kServiceNanoseconds);
    pin.handler(pin.argument);
    espbench::giveTurnsInInterrupt();
  }
  pin.isRaised = false;
}

/// ESP_OK, or the error of a pin that the chip does not have.
esp_err_t check(gpio_num_t pin, const char* function, int line) {
  if (espbench::isPin(static_cast<unsigned>(pin))) return ESP_OK;
  espbench::ignorePin(static_cast<unsigned>(pin), CFC_IGNORED_NO_PIN);
  return espbench::logGPIOError(function, line, "GPIO number error");
}

esp_err_t checkService(gpio_num_t pin, const char* function, int line) {
  if (isServiceInstalled) return check(pin, function, line + 1);
  espbench::logGPIOError(
      function, line, "GPIO isr service is not installed, call gpio_install_isr_service() first");
  return ESP_ERR_INVALID_STATE;
}

void setHandler(Pin& pin, voidFuncPtrArg handler, void* argument) {
  pin.handler = handler;
  pin.argument = argument;
  pin.core = espbench::currentCore();
  pin.isEnabled = handler != nullptr;
}

}  // namespace

namespace espbench {

void noticeLevel(Pin& pin, uint64_t time) {
  if (pin.isObserved) tellObservers(pin, time);
  if (!pin.isListening) return;
  const bool level = levelOf(pin);
  const bool isNew = level != pin.lastLevel;
  pin.lastLevel = level;
  if (pin.interruptType >= GPIO_INTR_LOW_LEVEL) {
    if (pin.isRaised || !isLevelHeld(pin)) return;
    pin.isRaised = true;
    runInterrupt(pin.core, serveLevel, &pin, time);
  } else if (isNew && (pin.interruptType & (level ? RISING : FALLING)) != 0) {
    runInterrupt(pin.core, pin.handler, pin.argument, time);
  }
}

void updateListening(Pin& pin) {
  // An edge before, such as the initial level, causes no interrupt.
  pin.lastLevel = levelOf(pin);
  pin.isListening =
      pin.handler != nullptr && pin.isEnabled && pin.interruptType != GPIO_INTR_DISABLE;
  if (!pin.isListening || pin.isRaised || !isLevelHeld(pin)) return;
  pin.isRaised = true;
  raiseInterrupt(pin.core, serveLevel, &pin);
}

}  // namespace espbench

extern "C" {

void attachInterrupt(uint8_t pin, voidFuncPtr handler, int mode) {
  attachInterruptArg(pin, callWithoutArgument, reinterpret_cast<void*>(handler), mode);
}

void attachInterruptArg(uint8_t number, voidFuncPtrArg handler, void* arg, int mode) {
  if (number >= espbench::kPins) return espbench::ignorePin(number, CFC_IGNORED_NO_PIN);
  if (!espbench::isPin(number)) {
    espbench::logGPIOError("gpio_set_intr_type", 154, "GPIO number error");
    espbench::logGPIOError("gpio_isr_handler_add", 555, "GPIO number error");
    return espbench::ignorePin(number, CFC_IGNORED_NO_PIN);
  }
  isServiceInstalled = true;
  Pin& pin = pins[number];
  pin.interruptType = static_cast<uint8_t>(mode & kTypes);
  if (mode & kWakes)
    gpio_wakeup_enable(static_cast<gpio_num_t>(number),
                       static_cast<gpio_int_type_t>(mode & kTypes));
  setHandler(pin, handler, arg);
  // As in arduino-esp32; on a pin of the flash, the input is already on.
  if ((pin.mode & espbench::kInput) == 0 && !espbench::isOfFlash(number)) {
    espbench::configurePin(number, pin.mode | espbench::kInput);
  }
  espbench::updateListening(pin);
}

void detachInterrupt(uint8_t number) {
  if (number >= espbench::kPins) return;
  if (pins[number].handler == nullptr) return;
  espbench::setWakeupPin(number, false, false);
  pins[number].interruptType = GPIO_INTR_DISABLE;
  setHandler(pins[number], nullptr, nullptr);
  espbench::updateListening(pins[number]);
}

void enableInterrupt(uint8_t pin) { gpio_intr_enable(static_cast<gpio_num_t>(pin)); }
void disableInterrupt(uint8_t pin) { gpio_intr_disable(static_cast<gpio_num_t>(pin)); }

esp_err_t gpio_install_isr_service(int) {
  if (isServiceInstalled) {
    espbench::logGPIOError(__func__, 527, "GPIO isr service already installed");
    return ESP_ERR_INVALID_STATE;
  }
  isServiceInstalled = true;
  return ESP_OK;
}

void gpio_uninstall_isr_service() {
  isServiceInstalled = false;
  for (Pin& pin : pins) {
    pin.handler = nullptr;
    pin.isListening = false;
  }
}

esp_err_t gpio_isr_handler_add(gpio_num_t gpio_num, gpio_isr_t isr_handler, void* args) {
  const esp_err_t error = checkService(gpio_num, __func__, 554);
  if (error != ESP_OK) return error;
  setHandler(pins[gpio_num], isr_handler, args);
  espbench::updateListening(pins[gpio_num]);
  return ESP_OK;
}

esp_err_t gpio_isr_handler_remove(gpio_num_t gpio_num) {
  const esp_err_t error = checkService(gpio_num, __func__, 569);
  if (error != ESP_OK) return error;
  setHandler(pins[gpio_num], nullptr, nullptr);
  espbench::updateListening(pins[gpio_num]);
  return ESP_OK;
}

esp_err_t gpio_set_intr_type(gpio_num_t gpio_num, gpio_int_type_t intr_type) {
  const esp_err_t error = check(gpio_num, __func__, 154);
  if (error != ESP_OK) return error;
  if (intr_type >= GPIO_INTR_MAX) {
    return espbench::logGPIOError(__func__, 155, "GPIO interrupt type error");
  }
  pins[gpio_num].interruptType = static_cast<uint8_t>(intr_type);
  espbench::updateListening(pins[gpio_num]);
  return ESP_OK;
}

esp_err_t gpio_intr_enable(gpio_num_t gpio_num) {
  const esp_err_t error = check(gpio_num, __func__, 176);
  if (error != ESP_OK) return error;
  pins[gpio_num].isEnabled = true;
  espbench::updateListening(pins[gpio_num]);
  return ESP_OK;
}

esp_err_t gpio_intr_disable(gpio_num_t gpio_num) {
  const esp_err_t error = check(gpio_num, __func__, 187);
  if (error != ESP_OK) return error;
  pins[gpio_num].isEnabled = false;
  espbench::updateListening(pins[gpio_num]);
  return ESP_OK;
}

}  // extern "C"

// ESP-IDF's functions for pins (driver/gpio.h). They do not prepare a pin for Arduino:
// digitalWrite() and digitalRead() still need pinMode().
#include "driver/gpio.h"

#include "../Runtime/Runtime.h"
#include "Arduino.h"
#include "GPIOLog.h"
#include "Sleep.h"

using espbench::configurePin;
using espbench::hasOutput;
using espbench::ignorePin;
using espbench::logGPIOError;
using espbench::modeOf;

namespace {

constexpr uint8_t kPulls = PULLUP | PULLDOWN, kNotDirection = kPulls | OPEN_DRAIN;

unsigned number(gpio_num_t pin) { return static_cast<unsigned>(pin); }

/// ESP_OK, or the error of a pin that the chip does not have.
esp_err_t check(gpio_num_t pin, const char* function, int line) {
  if (espbench::isPin(number(pin))) return ESP_OK;
  ignorePin(number(pin), CFC_IGNORED_NO_PIN);
  return logGPIOError(function, line, "GPIO number error");
}

}  // namespace

extern "C" {

esp_err_t gpio_reset_pin(gpio_num_t gpio_num) {
  const esp_err_t error = check(gpio_num, __func__, 458);
  if (error == ESP_OK) configurePin(number(gpio_num), hasOutput(number(gpio_num)) ? PULLUP : 0);
  return error;
}

esp_err_t gpio_set_direction(gpio_num_t gpio_num, gpio_mode_t mode) {
  const esp_err_t error = check(gpio_num, __func__, 308);
  if (error != ESP_OK) return error;
  const unsigned pin = number(gpio_num);
  if ((mode & GPIO_MODE_OUTPUT) != 0 && !hasOutput(pin)) {
    esp_log_write(ESP_LOG_ERROR, "gpio", "E (%" PRIu32 ") gpio: io_num=%d can only be input\n",
                  esp_log_timestamp(), static_cast<int>(gpio_num));
    ignorePin(pin, CFC_IGNORED_NO_OUTPUT);
    return ESP_ERR_INVALID_ARG;
  }
  configurePin(pin, static_cast<uint8_t>(mode | (modeOf(pin) & kNotDirection)));
  return ESP_OK;
}

esp_err_t gpio_set_pull_mode(gpio_num_t gpio_num, gpio_pull_mode_t pull) {
  const esp_err_t error = check(gpio_num, __func__, 272);
  if (error != ESP_OK) return error;
  constexpr uint8_t kModes[] = {PULLUP, PULLDOWN, PULLUP, 0};
  if (pull > GPIO_FLOATING) return logGPIOError(__func__, 273, "GPIO pull mode error");
  const unsigned pin = number(gpio_num);
  if (pull == GPIO_PULLUP_PULLDOWN) espbench::logMissingPull(pin, PULLDOWN);
  espbench::logMissingPull(pin, kModes[pull]);
  configurePin(pin, static_cast<uint8_t>((modeOf(pin) & ~kPulls) | kModes[pull]));
  return ESP_OK;
}

esp_err_t gpio_set_level(gpio_num_t gpio_num, uint32_t level) {
  const unsigned pin = number(gpio_num);
  if (!hasOutput(pin)) {
    ignorePin(pin, espbench::isPin(pin) ? CFC_IGNORED_NO_OUTPUT : CFC_IGNORED_NO_PIN);
    return logGPIOError(__func__, 238, "GPIO output gpio_num error");
  }
  espbench::setOutput(pin, level != 0);
  return ESP_OK;
}

int gpio_get_level(gpio_num_t gpio_num) {
  espbench::spend(espbench::kPollNanoseconds);
  return espbench::readPin(number(gpio_num));
}

esp_err_t gpio_wakeup_enable(gpio_num_t gpio_num, gpio_int_type_t intr_type) {
  const esp_err_t error = check(gpio_num, __func__, 643);
  if (error != ESP_OK) return error;
  if (intr_type != GPIO_INTR_LOW_LEVEL && intr_type != GPIO_INTR_HIGH_LEVEL) {
    return ESP_ERR_INVALID_ARG;
  }
  espbench::setWakeupPin(number(gpio_num), true, intr_type == GPIO_INTR_HIGH_LEVEL);
  return ESP_OK;
}

esp_err_t gpio_wakeup_disable(gpio_num_t gpio_num) {
  const esp_err_t error = check(gpio_num, __func__, 674);
  if (error == ESP_OK) espbench::setWakeupPin(number(gpio_num), false, false);
  return error;
}

esp_err_t gpio_hold_en(gpio_num_t gpio_num) {
  if (!hasOutput(number(gpio_num))) return ESP_ERR_NOT_SUPPORTED;
  espbench::holdPin(number(gpio_num), true);
  return ESP_OK;
}

esp_err_t gpio_hold_dis(gpio_num_t gpio_num) {
  if (!hasOutput(number(gpio_num))) return ESP_ERR_NOT_SUPPORTED;
  espbench::holdPin(number(gpio_num), false);
  return ESP_OK;
}

void gpio_deep_sleep_hold_en() {}
void gpio_deep_sleep_hold_dis() {}

}  // extern "C"

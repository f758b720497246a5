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

constexpr uint8_t kPulls = PULLUP | PULLDOWN;
/// Of gpio_mode_t.
constexpr unsigned kOpenDrain = 4;

unsigned number(gpio_num_t pin) { return static_cast<unsigned>(pin); }

/// ESP_OK, or the error of a pin that the chip does not have.
esp_err_t check(gpio_num_t pin, const char* function, int line) {
  if (espbench::isPin(number(pin))) return ESP_OK;
  ignorePin(number(pin), CFC_IGNORED_NO_PIN);
  return logGPIOError(function, line, "GPIO number error");
}

/// A direction in the bits of pinMode().
uint8_t bitsOf(gpio_mode_t mode) {
  return static_cast<uint8_t>((mode & (INPUT | OUTPUT)) | (mode & kOpenDrain ? OPEN_DRAIN : 0));
}

/// Sets or clears bits of a pin's mode.
esp_err_t change(gpio_num_t pin, uint8_t bits, bool isOn) {
  const uint8_t mode = modeOf(number(pin));
  configurePin(number(pin), static_cast<uint8_t>(isOn ? mode | bits : mode & ~bits));
  return ESP_OK;
}

/// The same for a function of ESP-IDF that checks the pin in `line`.
esp_err_t change(gpio_num_t pin, uint8_t bits, bool isOn, const char* function, int line) {
  const esp_err_t error = check(pin, function, line);
  return error != ESP_OK ? error : change(pin, bits, isOn);
}

/// Switches a pull resistor on.
esp_err_t pull(gpio_num_t pin, uint8_t bit, const char* function, int line, const char* text) {
  if (hasOutput(number(pin))) return change(pin, bit, true);
  ignorePin(number(pin), espbench::isPin(number(pin)) ? CFC_IGNORED_NO_PULL : CFC_IGNORED_NO_PIN);
  return logGPIOError(function, line, text);
}

}  // namespace

extern "C" {

esp_err_t gpio_config(const gpio_config_t* pGPIOConfig) {
  const uint64_t mask = pGPIOConfig->pin_bit_mask;
  bool areValid = mask != 0 && mask >> GPIO_NUM_MAX == 0, areOutputs = true;
  for (unsigned pin = 0; pin < GPIO_NUM_MAX; pin++) {
    if ((mask >> pin & 1) == 0) continue;
    areValid = areValid && espbench::isPin(pin);
    areOutputs = areOutputs && hasOutput(pin);
  }
  if (!areValid) {
    esp_log_write(ESP_LOG_ERROR, "gpio", "E (%" PRIu32 ") gpio: GPIO_PIN mask error \n",
                  esp_log_timestamp());
    return ESP_ERR_INVALID_ARG;
  }
  const uint8_t direction = bitsOf(pGPIOConfig->mode);
  if ((direction & OUTPUT & ~INPUT) != 0 && !areOutputs) {
    esp_log_write(ESP_LOG_ERROR, "gpio",
                  "E (%" PRIu32 ") gpio: GPIO can only be used as input mode\n",
                  esp_log_timestamp());
    return ESP_ERR_INVALID_ARG;
  }
  const uint8_t pulls =
      static_cast<uint8_t>((pGPIOConfig->pull_up_en != GPIO_PULLUP_DISABLE ? PULLUP : 0) |
                           (pGPIOConfig->pull_down_en != GPIO_PULLDOWN_DISABLE ? PULLDOWN : 0));
  for (unsigned pin = 0; pin < GPIO_NUM_MAX; pin++) {
    if ((mask >> pin & 1) == 0) continue;
    espbench::logMissingPull(pin, pulls);
    configurePin(pin, direction | pulls);
    const auto gpio = static_cast<gpio_num_t>(pin);
    gpio_set_intr_type(gpio, pGPIOConfig->intr_type);
    if (pGPIOConfig->intr_type != GPIO_INTR_DISABLE) {
      gpio_intr_enable(gpio);
    } else {
      gpio_intr_disable(gpio);
    }
  }
  return ESP_OK;
}

esp_err_t gpio_pullup_en(gpio_num_t gpio_num) {
  return pull(gpio_num, PULLUP, __func__, 78,
              "GPIO number error (input-only pad has no internal PU)");
}
esp_err_t gpio_pullup_dis(gpio_num_t gpio_num) {
  return change(gpio_num, PULLUP, false, __func__, 97);
}
esp_err_t gpio_pulldown_en(gpio_num_t gpio_num) {
  return pull(gpio_num, PULLDOWN, __func__, 116,
              "GPIO number error (input-only pad has no internal PD)");
}
esp_err_t gpio_pulldown_dis(gpio_num_t gpio_num) {
  return change(gpio_num, PULLDOWN, false, __func__, 135);
}
esp_err_t gpio_input_enable(gpio_num_t gpio_num) {
  return change(gpio_num, INPUT, true, __func__, 201);
}
esp_err_t gpio_output_disable(gpio_num_t gpio_num) {
  return change(gpio_num, OUTPUT & ~INPUT, false, __func__, 208);
}
esp_err_t gpio_output_enable(gpio_num_t gpio_num) {
  if (hasOutput(number(gpio_num))) return change(gpio_num, OUTPUT & ~INPUT, true);
  ignorePin(number(gpio_num),
            espbench::isPin(number(gpio_num)) ? CFC_IGNORED_NO_OUTPUT : CFC_IGNORED_NO_PIN);
  return logGPIOError(__func__, 216, "GPIO output gpio_num error");
}
esp_err_t gpio_od_disable(gpio_num_t gpio_num) {
  return change(gpio_num, OPEN_DRAIN, false, __func__, 224);
}
esp_err_t gpio_od_enable(gpio_num_t gpio_num) {
  return change(gpio_num, OPEN_DRAIN, true, __func__, 231);
}

esp_err_t gpio_reset_pin(gpio_num_t gpio_num) {
  const esp_err_t error = check(gpio_num, __func__, 458);
  if (error != ESP_OK) return error;
  gpio_intr_disable(gpio_num);
  configurePin(number(gpio_num), hasOutput(number(gpio_num)) ? PULLUP : 0);
  return ESP_OK;
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
  configurePin(pin, static_cast<uint8_t>(bitsOf(mode) | (modeOf(pin) & kPulls)));
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

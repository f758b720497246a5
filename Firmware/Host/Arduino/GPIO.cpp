// ESP-IDF's functions for pins, by those of Arduino.
#include "driver/gpio.h"

#include "Arduino.h"
#include "Sleep.h"

namespace {

bool isPin(gpio_num_t pin) { return pin >= 0 && pin < GPIO_NUM_MAX; }

uint8_t number(gpio_num_t pin) { return static_cast<uint8_t>(pin); }

}  // namespace

extern "C" {

esp_err_t gpio_reset_pin(gpio_num_t gpio_num) {
  if (!isPin(gpio_num)) return ESP_ERR_INVALID_ARG;
  pinMode(number(gpio_num), INPUT_PULLUP);
  return ESP_OK;
}

esp_err_t gpio_set_direction(gpio_num_t gpio_num, gpio_mode_t mode) {
  if (!isPin(gpio_num)) return ESP_ERR_INVALID_ARG;
  pinMode(number(gpio_num), (mode & GPIO_MODE_OUTPUT) != 0 ? OUTPUT : INPUT);
  return ESP_OK;
}

esp_err_t gpio_set_pull_mode(gpio_num_t gpio_num, gpio_pull_mode_t pull) {
  if (!isPin(gpio_num)) return ESP_ERR_INVALID_ARG;
  constexpr uint8_t kModes[] = {INPUT_PULLUP, INPUT_PULLDOWN, INPUT_PULLUP, INPUT};
  if (pull > GPIO_FLOATING) return ESP_ERR_INVALID_ARG;
  pinMode(number(gpio_num), kModes[pull]);
  return ESP_OK;
}

esp_err_t gpio_set_level(gpio_num_t gpio_num, uint32_t level) {
  if (!isPin(gpio_num)) return ESP_ERR_INVALID_ARG;
  digitalWrite(number(gpio_num), level != 0 ? HIGH : LOW);
  return ESP_OK;
}

int gpio_get_level(gpio_num_t gpio_num) {
  return isPin(gpio_num) ? digitalRead(number(gpio_num)) : 0;
}

esp_err_t gpio_wakeup_enable(gpio_num_t gpio_num, gpio_int_type_t intr_type) {
  if (!isPin(gpio_num)) return ESP_ERR_INVALID_ARG;
  if (intr_type != GPIO_INTR_LOW_LEVEL && intr_type != GPIO_INTR_HIGH_LEVEL) {
    return ESP_ERR_INVALID_ARG;
  }
  espbench::setWakeupPin(number(gpio_num), true, intr_type == GPIO_INTR_HIGH_LEVEL);
  return ESP_OK;
}

esp_err_t gpio_wakeup_disable(gpio_num_t gpio_num) {
  if (!isPin(gpio_num)) return ESP_ERR_INVALID_ARG;
  espbench::setWakeupPin(number(gpio_num), false, false);
  return ESP_OK;
}

}  // extern "C"

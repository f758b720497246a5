// ESP-IDF 5 driver/gpio.h: the pins by their numbers, and wake-up from light sleep by pins.
// Interrupts are attached with attachInterrupt().
#pragma once

#include <stdint.h>

#include "esp_err.h"
#include "soc/gpio_num.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  GPIO_MODE_DISABLE = 0,
  GPIO_MODE_INPUT = 1,
  GPIO_MODE_OUTPUT = 2,
  GPIO_MODE_INPUT_OUTPUT = 3
} gpio_mode_t;

typedef enum {
  GPIO_PULLUP_ONLY,
  GPIO_PULLDOWN_ONLY,
  GPIO_PULLUP_PULLDOWN,
  GPIO_FLOATING
} gpio_pull_mode_t;

typedef enum {
  GPIO_INTR_DISABLE = 0,
  GPIO_INTR_POSEDGE = 1,
  GPIO_INTR_NEGEDGE = 2,
  GPIO_INTR_ANYEDGE = 3,
  GPIO_INTR_LOW_LEVEL = 4,
  GPIO_INTR_HIGH_LEVEL = 5,
  GPIO_INTR_MAX
} gpio_int_type_t;

// These return ESP_ERR_INVALID_ARG, and print a line on the console, for a pin that the chip lacks,
// or that cannot be an output. GPIO 34 to 39 have no pulls.

esp_err_t gpio_reset_pin(gpio_num_t gpio_num);
esp_err_t gpio_set_direction(gpio_num_t gpio_num, gpio_mode_t mode);
esp_err_t gpio_set_pull_mode(gpio_num_t gpio_num, gpio_pull_mode_t pull);
esp_err_t gpio_set_level(gpio_num_t gpio_num, uint32_t level);
/// Returns 0 unless the pin is also an input.
int gpio_get_level(gpio_num_t gpio_num);
/// The pin ends light sleep (esp_sleep_enable_gpio_wakeup) at a level: GPIO_INTR_LOW_LEVEL or
/// GPIO_INTR_HIGH_LEVEL, otherwise ESP_ERR_INVALID_ARG.
esp_err_t gpio_wakeup_enable(gpio_num_t gpio_num, gpio_int_type_t intr_type);
esp_err_t gpio_wakeup_disable(gpio_num_t gpio_num);
/// Keeps mode and level of an output-capable pin; changes take effect with gpio_hold_dis().
/// Otherwise ESP_ERR_NOT_SUPPORTED.
esp_err_t gpio_hold_en(gpio_num_t gpio_num);
esp_err_t gpio_hold_dis(gpio_num_t gpio_num);
/// Without effect: deep sleep does not hold pins here.
void gpio_deep_sleep_hold_en(void);
void gpio_deep_sleep_hold_dis(void);

#ifdef __cplusplus
}
#endif

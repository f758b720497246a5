// ESP-IDF 5 driver/gpio.h: the pins by their numbers, their interrupts, and wake-up from light
// sleep by pins.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "esp_err.h"
#include "esp_intr_alloc.h"
#include "soc/gpio_num.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  GPIO_MODE_DISABLE = 0,
  GPIO_MODE_INPUT = 1,
  GPIO_MODE_OUTPUT = 2,
  GPIO_MODE_OUTPUT_OD = 6,
  GPIO_MODE_INPUT_OUTPUT_OD = 7,
  GPIO_MODE_INPUT_OUTPUT = 3
} gpio_mode_t;

typedef enum { GPIO_PULLUP_DISABLE = 0, GPIO_PULLUP_ENABLE = 1 } gpio_pullup_t;
typedef enum { GPIO_PULLDOWN_DISABLE = 0, GPIO_PULLDOWN_ENABLE = 1 } gpio_pulldown_t;

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

typedef void (*gpio_isr_t)(void* arg);

typedef struct {
  uint64_t pin_bit_mask;
  gpio_mode_t mode;
  gpio_pullup_t pull_up_en;
  gpio_pulldown_t pull_down_en;
  gpio_int_type_t intr_type;
} gpio_config_t;

#define GPIO_IS_VALID_GPIO(gpio_num) \
  ((int)(gpio_num) >= 0 && (int)(gpio_num) < 40 && ((0xff0effffffull >> (int)(gpio_num)) & 1) != 0)
#define GPIO_IS_VALID_OUTPUT_GPIO(gpio_num) (GPIO_IS_VALID_GPIO(gpio_num) && (int)(gpio_num) < 34)

// These return ESP_ERR_INVALID_ARG, and print a line on the console, for a pin that the chip lacks,
// or that cannot be an output. GPIO 34 to 39 have no pulls.

/// Sets all pins of the mask alike, with their interrupt.
esp_err_t gpio_config(const gpio_config_t* pGPIOConfig);
esp_err_t gpio_reset_pin(gpio_num_t gpio_num);
esp_err_t gpio_set_direction(gpio_num_t gpio_num, gpio_mode_t mode);
esp_err_t gpio_set_pull_mode(gpio_num_t gpio_num, gpio_pull_mode_t pull);
esp_err_t gpio_pullup_en(gpio_num_t gpio_num);
esp_err_t gpio_pullup_dis(gpio_num_t gpio_num);
esp_err_t gpio_pulldown_en(gpio_num_t gpio_num);
esp_err_t gpio_pulldown_dis(gpio_num_t gpio_num);
esp_err_t gpio_input_enable(gpio_num_t gpio_num);
esp_err_t gpio_output_enable(gpio_num_t gpio_num);
esp_err_t gpio_output_disable(gpio_num_t gpio_num);
esp_err_t gpio_od_enable(gpio_num_t gpio_num);
esp_err_t gpio_od_disable(gpio_num_t gpio_num);
esp_err_t gpio_set_level(gpio_num_t gpio_num, uint32_t level);
/// Returns 0 unless the pin is also an input.
int gpio_get_level(gpio_num_t gpio_num);
/// Handlers of single pins, which attachInterrupt() uses, too: it installs the service. A handler
/// runs on the core that added it; an interrupt of a level recurs while the level holds.
esp_err_t gpio_install_isr_service(int intr_alloc_flags);
void gpio_uninstall_isr_service(void);
esp_err_t gpio_isr_handler_add(gpio_num_t gpio_num, gpio_isr_t isr_handler, void* args);
esp_err_t gpio_isr_handler_remove(gpio_num_t gpio_num);
esp_err_t gpio_set_intr_type(gpio_num_t gpio_num, gpio_int_type_t intr_type);
esp_err_t gpio_intr_enable(gpio_num_t gpio_num);
esp_err_t gpio_intr_disable(gpio_num_t gpio_num);
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

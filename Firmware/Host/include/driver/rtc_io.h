// ESP-IDF 5 driver/rtc_io.h for the ESP32: the pins that the RTC reads and pulls in deep sleep. For
// any other pin, functions return ESP_ERR_INVALID_ARG.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "esp_err.h"
#include "gpio.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  RTC_GPIO_MODE_INPUT_ONLY,
  RTC_GPIO_MODE_OUTPUT_ONLY,
  RTC_GPIO_MODE_INPUT_OUTPUT,
  RTC_GPIO_MODE_DISABLED,
  RTC_GPIO_MODE_OUTPUT_OD,
  RTC_GPIO_MODE_INPUT_OUTPUT_OD
} rtc_gpio_mode_t;

/// True for 0, 2, 4, 12 to 15, 25 to 27, 32 to 39.
bool rtc_gpio_is_valid_gpio(gpio_num_t gpio_num);
#define RTC_GPIO_IS_VALID_GPIO(gpio_num) rtc_gpio_is_valid_gpio(gpio_num)
/// The RTC's number of the pin, 0 to 17; -1 for any other pin.
int rtc_io_number_get(gpio_num_t gpio_num);

/// Assign the pin to the RTC, and back. Here, neither changes the pin.
esp_err_t rtc_gpio_init(gpio_num_t gpio_num);
esp_err_t rtc_gpio_deinit(gpio_num_t gpio_num);

uint32_t rtc_gpio_get_level(gpio_num_t gpio_num);
esp_err_t rtc_gpio_set_level(gpio_num_t gpio_num, uint32_t level);
/// Pulls are not changed.
esp_err_t rtc_gpio_set_direction(gpio_num_t gpio_num, rtc_gpio_mode_t mode);

/// Pins 34 to 39 have no pulls: accepted without effect, as on the chip.
esp_err_t rtc_gpio_pullup_en(gpio_num_t gpio_num);
esp_err_t rtc_gpio_pulldown_en(gpio_num_t gpio_num);
esp_err_t rtc_gpio_pullup_dis(gpio_num_t gpio_num);
esp_err_t rtc_gpio_pulldown_dis(gpio_num_t gpio_num);

/// Disables input, output and pulls. On the chip, rtc_gpio_hold_dis() and a new direction end this;
/// here, a new direction suffices.
esp_err_t rtc_gpio_isolate(gpio_num_t gpio_num);
/// No effect: no pin is held.
esp_err_t rtc_gpio_hold_dis(gpio_num_t gpio_num);
esp_err_t rtc_gpio_force_hold_dis_all(void);

/// The pin ends light sleep at a level, like gpio_wakeup_enable(). ESP_ERR_INVALID_ARG for edges.
esp_err_t rtc_gpio_wakeup_enable(gpio_num_t gpio_num, gpio_int_type_t intr_type);
esp_err_t rtc_gpio_wakeup_disable(gpio_num_t gpio_num);

// A pin's level is not kept in deep sleep: functions that depend on this do not compile.
#define ESPBENCH_UNAVAILABLE(name) \
  __attribute__((unavailable(name " is not in espbench's host core")))
ESPBENCH_UNAVAILABLE("rtc_gpio_hold_en") esp_err_t rtc_gpio_hold_en(gpio_num_t gpio_num);
ESPBENCH_UNAVAILABLE("rtc_gpio_force_hold_en_all") esp_err_t rtc_gpio_force_hold_en_all(void);
ESPBENCH_UNAVAILABLE("rtc_gpio_set_direction_in_sleep")
esp_err_t rtc_gpio_set_direction_in_sleep(gpio_num_t gpio_num, rtc_gpio_mode_t mode);
ESPBENCH_UNAVAILABLE("rtc_gpio_set_drive_capability")
esp_err_t rtc_gpio_set_drive_capability(gpio_num_t gpio_num, int strength);
ESPBENCH_UNAVAILABLE("rtc_gpio_get_drive_capability")
esp_err_t rtc_gpio_get_drive_capability(gpio_num_t gpio_num, int* strength);
ESPBENCH_UNAVAILABLE("rtc_gpio_iomux_func_sel")
esp_err_t rtc_gpio_iomux_func_sel(gpio_num_t gpio_num, int func);
#undef ESPBENCH_UNAVAILABLE

#ifdef __cplusplus
}
#endif

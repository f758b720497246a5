// ESP-IDF 5 esp_sleep.h for the ESP32: deep and light sleep, and their wake-up sources: a timer,
// RTC pins (EXT0, EXT1), and for light sleep any pin.
//
// In light sleep all tasks stop, and their waits are postponed by its duration; millis() continues.
// The virtual radio continues, too: on the chip, a connection is lost when light sleep is longer
// than its supervision time-out.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "esp_err.h"
#include "soc/gpio_num.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  ESP_EXT1_WAKEUP_ALL_LOW = 0,  ///< when all of the pins are low
  ESP_EXT1_WAKEUP_ANY_HIGH = 1  ///< when one of the pins is high
} esp_sleep_ext1_wakeup_mode_t;

typedef enum {
  ESP_SLEEP_WAKEUP_UNDEFINED,  ///< the reset did not end a sleep
  ESP_SLEEP_WAKEUP_ALL,        ///< all sources, for esp_sleep_disable_wakeup_source()
  ESP_SLEEP_WAKEUP_EXT0,
  ESP_SLEEP_WAKEUP_EXT1,
  ESP_SLEEP_WAKEUP_TIMER,
  ESP_SLEEP_WAKEUP_TOUCHPAD,
  ESP_SLEEP_WAKEUP_ULP,
  ESP_SLEEP_WAKEUP_GPIO,
  ESP_SLEEP_WAKEUP_UART,
  ESP_SLEEP_WAKEUP_WIFI,
  ESP_SLEEP_WAKEUP_COCPU,
  ESP_SLEEP_WAKEUP_COCPU_TRAP_TRIG,
  ESP_SLEEP_WAKEUP_BT,
  ESP_SLEEP_WAKEUP_VAD,
  ESP_SLEEP_WAKEUP_VBAT_UNDER_VOLT
} esp_sleep_source_t;
typedef esp_sleep_source_t esp_sleep_wakeup_cause_t;

enum {
  ESP_ERR_SLEEP_REJECT = ESP_ERR_INVALID_STATE,
  ESP_ERR_SLEEP_TOO_SHORT_SLEEP_DURATION = ESP_ERR_INVALID_ARG
};

typedef enum {
  ESP_PD_DOMAIN_RTC_PERIPH,
  ESP_PD_DOMAIN_RTC_SLOW_MEM,
  ESP_PD_DOMAIN_RTC_FAST_MEM,
  ESP_PD_DOMAIN_XTAL,
  ESP_PD_DOMAIN_RC_FAST,
  ESP_PD_DOMAIN_VDDSDIO,
  ESP_PD_DOMAIN_MAX
} esp_sleep_pd_domain_t;
typedef enum { ESP_PD_OPTION_OFF, ESP_PD_OPTION_ON, ESP_PD_OPTION_AUTO } esp_sleep_pd_option_t;

esp_err_t esp_sleep_enable_timer_wakeup(uint64_t time_in_us);
/// Returns ESP_ERR_INVALID_ARG for a pin that is not one of the RTC's, or a level that is not 0 or
/// 1.
esp_err_t esp_sleep_enable_ext0_wakeup(gpio_num_t gpio_num, int level);
esp_err_t esp_sleep_enable_ext1_wakeup(uint64_t io_mask, esp_sleep_ext1_wakeup_mode_t level_mode);
/// Adds pins; returns ESP_ERR_NOT_ALLOWED when `level_mode` differs from that of earlier pins.
esp_err_t esp_sleep_enable_ext1_wakeup_io(uint64_t io_mask,
                                          esp_sleep_ext1_wakeup_mode_t level_mode);
esp_err_t esp_sleep_disable_ext1_wakeup_io(uint64_t io_mask);
/// Light sleep is ended by the pins of gpio_wakeup_enable() (driver/gpio.h).
esp_err_t esp_sleep_enable_gpio_wakeup(void);
/// Returns ESP_ERR_INVALID_STATE for a source that is not enabled.
esp_err_t esp_sleep_disable_wakeup_source(esp_sleep_source_t source);
bool esp_sleep_is_valid_wakeup_gpio(gpio_num_t gpio_num);

/// The cause of the last wake-up; ESP_SLEEP_WAKEUP_UNDEFINED without a sleep since the reset.
esp_sleep_wakeup_cause_t esp_sleep_get_wakeup_cause(void);
/// The pins that ended the sleep, one bit for each, when the cause is EXT1; otherwise 0.
uint64_t esp_sleep_get_ext1_wakeup_status(void);
/// The virtual chip has no power domains: this is accepted, but has no effect.
esp_err_t esp_sleep_pd_config(esp_sleep_pd_domain_t domain, esp_sleep_pd_option_t option);

/// Ends the firmware; the chip boots again when a source wakes it up, at once if a source is
/// already active, and never without a source.
void esp_deep_sleep_start(void) __attribute__((noreturn));
void esp_deep_sleep(uint64_t time_in_us) __attribute__((noreturn));
esp_err_t esp_deep_sleep_try_to_start(void);
esp_err_t esp_deep_sleep_try(uint64_t time_in_us);
typedef void (*esp_deep_sleep_cb_t)(void);
/// Hooks are called before deep sleep, in the order of registration; at most three
/// (ESP_ERR_NO_MEM).
esp_err_t esp_deep_sleep_register_hook(esp_deep_sleep_cb_t new_dslp_cb);
void esp_deep_sleep_deregister_hook(esp_deep_sleep_cb_t old_dslp_cb);

/// Sleeps; returns when a source has ended the sleep.
esp_err_t esp_light_sleep_start(void);

#ifdef __cplusplus
}
#endif

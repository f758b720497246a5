// ESP-IDF 5.5 esp_timer.h: timers of microseconds. Callbacks run in the task "esp_timer" (core 0,
// priority 22, 8,704 bytes of stack), one after the other.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "esp_err.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct esp_timer* esp_timer_handle_t;
typedef void (*esp_timer_cb_t)(void* arg);

/// Callbacks in an interrupt (ESP_TIMER_ISR) are missing, as with arduino-esp32.
typedef enum { ESP_TIMER_TASK, ESP_TIMER_MAX } esp_timer_dispatch_t;

typedef struct {
  esp_timer_cb_t callback;
  void* arg;
  esp_timer_dispatch_t dispatch_method;
  const char* name;  ///< not used
  bool
      skip_unhandled_events;  ///< a periodic timer that is late is called once, not for each period
} esp_timer_create_args_t;

/// Returns ESP_ERR_NO_MEM when the heap has no room.
esp_err_t esp_timer_create(const esp_timer_create_args_t* create_args,
                           esp_timer_handle_t* out_handle);
/// Returns ESP_ERR_INVALID_STATE while the timer runs.
esp_err_t esp_timer_start_once(esp_timer_handle_t timer, uint64_t timeout_us);
/// `period`: values below 50 us count as 50 us.
esp_err_t esp_timer_start_periodic(esp_timer_handle_t timer, uint64_t period);
/// Returns ESP_ERR_INVALID_STATE unless the timer runs.
esp_err_t esp_timer_restart(esp_timer_handle_t timer, uint64_t timeout_us);
/// Returns ESP_ERR_INVALID_STATE unless the timer runs. A callback that has started continues.
esp_err_t esp_timer_stop(esp_timer_handle_t timer);
/// Returns ESP_ERR_INVALID_STATE while the timer runs.
esp_err_t esp_timer_delete(esp_timer_handle_t timer);
bool esp_timer_is_active(esp_timer_handle_t timer);
/// The period is 0 for a one-shot timer.
esp_err_t esp_timer_get_period(esp_timer_handle_t timer, uint64_t* period);
/// Microseconds since boot; ESP_ERR_NOT_SUPPORTED for a periodic timer.
esp_err_t esp_timer_get_expiry_time(esp_timer_handle_t timer, uint64_t* expiry);
/// The time at which the next timer expires; INT64_MAX: no timer runs.
int64_t esp_timer_get_next_alarm(void);
int64_t esp_timer_get_next_alarm_for_wake_up(void);
/// Microseconds since boot.
int64_t esp_timer_get_time(void);

/// Prints the timers that run: address, period and expiry. Returns ESP_ERR_NO_MEM when the heap has
/// no room for the text.
esp_err_t esp_timer_dump(FILE* stream);

#ifdef __cplusplus
}
#endif

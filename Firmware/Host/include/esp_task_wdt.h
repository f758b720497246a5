// ESP-IDF 5.5 esp_task_wdt.h: the task watchdog. arduino-esp32 starts it for the idle task of core
// 0, with a time-out of 5 s and a panic.
#pragma once

#include <stdbool.h>

#include "esp_err.h"
#include "freertos/FreeRTOS.h"
#include "freertos/task.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  uint32_t timeout_ms;
  uint32_t idle_core_mask;  ///< bit 0: watch the idle task of core 0; bit 1: of core 1
  bool trigger_panic;       ///< false: only log the tasks that did not reset it
} esp_task_wdt_config_t;

/// Returns ESP_ERR_INVALID_STATE if the watchdog runs already: it does so from the start.
esp_err_t esp_task_wdt_init(const esp_task_wdt_config_t* config);
esp_err_t esp_task_wdt_reconfigure(const esp_task_wdt_config_t* config);
/// Returns ESP_ERR_INVALID_STATE while tasks are subscribed, except the idle tasks of the
/// configuration.
esp_err_t esp_task_wdt_deinit(void);

/// NULL: the calling task. Returns ESP_ERR_INVALID_ARG if the task is subscribed already.
esp_err_t esp_task_wdt_add(TaskHandle_t task_handle);
/// Resets the watchdog of the calling task. Returns ESP_ERR_NOT_FOUND if it is not subscribed.
esp_err_t esp_task_wdt_reset(void);
esp_err_t esp_task_wdt_delete(TaskHandle_t task_handle);
/// ESP_OK: the task is subscribed; ESP_ERR_NOT_FOUND: it is not.
esp_err_t esp_task_wdt_status(TaskHandle_t task_handle);

/// A part of the program that is monitored like a task. `user_name` is not copied.
typedef struct esp_task_wdt_user_handle_s* esp_task_wdt_user_handle_t;
/// Returns ESP_ERR_NO_MEM when the heap has no room.
esp_err_t esp_task_wdt_add_user(const char* user_name, esp_task_wdt_user_handle_t* user_handle_ret);
/// Returns ESP_ERR_NOT_FOUND if the user has been deleted.
esp_err_t esp_task_wdt_reset_user(esp_task_wdt_user_handle_t user_handle);
esp_err_t esp_task_wdt_delete_user(esp_task_wdt_user_handle_t user_handle);

#ifdef __cplusplus
}
#endif

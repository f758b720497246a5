// arduino-esp32 3.x logging. Arduino's default is CORE_DEBUG_LEVEL 0: nothing is logged unless the
// sketch's build flags set another level.
#pragma once

#include <inttypes.h>

#include "esp_log.h"
#include "esp_timer.h"

#define ARDUHAL_LOG_LEVEL_NONE 0
#define ARDUHAL_LOG_LEVEL_ERROR 1
#define ARDUHAL_LOG_LEVEL_WARN 2
#define ARDUHAL_LOG_LEVEL_INFO 3
#define ARDUHAL_LOG_LEVEL_DEBUG 4
#define ARDUHAL_LOG_LEVEL_VERBOSE 5

#ifndef CORE_DEBUG_LEVEL
#define CORE_DEBUG_LEVEL ARDUHAL_LOG_LEVEL_NONE
#endif

#ifdef __cplusplus
extern "C" {
#endif
int log_printf(const char* format, ...) __attribute__((format(printf, 1, 2)));
const char* pathToFileName(const char* path);
#ifdef __cplusplus
}
#endif

#define ESPBENCH_LOG(level, letter, format, ...)                                              \
  do {                                                                                        \
    if (CORE_DEBUG_LEVEL >= level) {                                                          \
      log_printf("[%6u][" #letter "][%s:%u] %s(): " format "\r\n",                            \
                 (unsigned)(esp_timer_get_time() / 1000), pathToFileName(__FILE__), __LINE__, \
                 __FUNCTION__, ##__VA_ARGS__);                                                \
    }                                                                                         \
  } while (0)
#define log_e(format, ...) ESPBENCH_LOG(ARDUHAL_LOG_LEVEL_ERROR, E, format, ##__VA_ARGS__)
#define log_w(format, ...) ESPBENCH_LOG(ARDUHAL_LOG_LEVEL_WARN, W, format, ##__VA_ARGS__)
#define log_i(format, ...) ESPBENCH_LOG(ARDUHAL_LOG_LEVEL_INFO, I, format, ##__VA_ARGS__)
#define log_d(format, ...) ESPBENCH_LOG(ARDUHAL_LOG_LEVEL_DEBUG, D, format, ##__VA_ARGS__)
#define log_v(format, ...) ESPBENCH_LOG(ARDUHAL_LOG_LEVEL_VERBOSE, V, format, ##__VA_ARGS__)
/// Logged at every level, "none" too.
#define log_n(format, ...) ESPBENCH_LOG(ARDUHAL_LOG_LEVEL_NONE, E, format, ##__VA_ARGS__)

// The variants for interrupt handlers.
#define isr_log_e(format, ...) log_e(format, ##__VA_ARGS__)
#define isr_log_w(format, ...) log_w(format, ##__VA_ARGS__)
#define isr_log_i(format, ...) log_i(format, ##__VA_ARGS__)
#define isr_log_d(format, ...) log_d(format, ##__VA_ARGS__)
#define isr_log_v(format, ...) log_v(format, ##__VA_ARGS__)

// arduino-esp32's libraries are built with CONFIG_ARDUHAL_ESP_LOG.
#undef ESP_LOGE
#undef ESP_LOGW
#undef ESP_LOGI
#undef ESP_LOGD
#undef ESP_LOGV
#define ESP_LOGE(tag, ...) log_e(__VA_ARGS__)
#define ESP_LOGW(tag, ...) log_w(__VA_ARGS__)
#define ESP_LOGI(tag, ...) log_i(__VA_ARGS__)
#define ESP_LOGD(tag, ...) log_d(__VA_ARGS__)
#define ESP_LOGV(tag, ...) log_v(__VA_ARGS__)

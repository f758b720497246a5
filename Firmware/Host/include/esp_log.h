// ESP-IDF 5 esp_log.h, with the levels of arduino-esp32's libraries: only errors are compiled in,
// unless LOG_LOCAL_LEVEL is defined before. With Arduino.h, ESP_LOGE() etc. call log_e() etc.
// (esp32-hal-log.h).
#pragma once

#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  ESP_LOG_NONE,
  ESP_LOG_ERROR,
  ESP_LOG_WARN,
  ESP_LOG_INFO,
  ESP_LOG_DEBUG,
  ESP_LOG_VERBOSE
} esp_log_level_t;

#define CONFIG_LOG_DEFAULT_LEVEL 1
#define CONFIG_LOG_MAXIMUM_LEVEL 1
#ifndef LOG_LOCAL_LEVEL
#define LOG_LOCAL_LEVEL CONFIG_LOG_MAXIMUM_LEVEL
#endif

/// `tag` "*": all tags.
void esp_log_level_set(const char* tag, esp_log_level_t level);
esp_log_level_t esp_log_level_get(const char* tag);
/// Milliseconds since boot.
uint32_t esp_log_timestamp(void);
void esp_log_write(esp_log_level_t level, const char* tag, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
void esp_log_writev(esp_log_level_t level, const char* tag, const char* format, va_list args);

#define ESPBENCH_ESP_LOG(level, letter, tag, format, ...)                                       \
  do {                                                                                          \
    if (LOG_LOCAL_LEVEL >= level) {                                                             \
      esp_log_write(level, tag, #letter " (%" PRIu32 ") %s: " format "\n", esp_log_timestamp(), \
                    tag, ##__VA_ARGS__);                                                        \
    }                                                                                           \
  } while (0)
#define ESP_LOGE(tag, format, ...) ESPBENCH_ESP_LOG(ESP_LOG_ERROR, E, tag, format, ##__VA_ARGS__)
#define ESP_LOGW(tag, format, ...) ESPBENCH_ESP_LOG(ESP_LOG_WARN, W, tag, format, ##__VA_ARGS__)
#define ESP_LOGI(tag, format, ...) ESPBENCH_ESP_LOG(ESP_LOG_INFO, I, tag, format, ##__VA_ARGS__)
#define ESP_LOGD(tag, format, ...) ESPBENCH_ESP_LOG(ESP_LOG_DEBUG, D, tag, format, ##__VA_ARGS__)
#define ESP_LOGV(tag, format, ...) ESPBENCH_ESP_LOG(ESP_LOG_VERBOSE, V, tag, format, ##__VA_ARGS__)

#ifdef __cplusplus
}
#endif

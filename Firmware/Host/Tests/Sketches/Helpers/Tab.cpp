// A file without Arduino.h: here ESP_LOGE() is ESP-IDF's.
#include <esp_log.h>

[[maybe_unused]] static const bool isLogged = [] {
  ESP_LOGE("tab", "error %d", 1);
  ESP_LOGW("tab", "warning");
  esp_log_level_set("tab", ESP_LOG_NONE);
  ESP_LOGE("tab", "error %d", 2);
  return true;
}();

// ESP-IDF's log: esp_log.h.
#include <cstdio>
#include <cstring>
#include <map>
#include <string>

#include "esp_log.h"
#include "esp_timer.h"

namespace {

/// Levels by tag; other tags have the level of "*".
struct Levels {
  esp_log_level_t ofAll = static_cast<esp_log_level_t>(CONFIG_LOG_DEFAULT_LEVEL);
  std::map<std::string, esp_log_level_t> ofTags;
};

Levels& levels() {
  static Levels all;  // Constructors of the sketch's globals may log.
  return all;
}

}  // namespace

extern "C" {

void esp_log_level_set(const char* tag, esp_log_level_t level) {
  if (strcmp(tag, "*") == 0) {
    levels().ofAll = level;
    levels().ofTags.clear();
  } else {
    levels().ofTags[tag] = level;
  }
}

esp_log_level_t esp_log_level_get(const char* tag) {
  auto found = levels().ofTags.find(tag);
  return found == levels().ofTags.end() ? levels().ofAll : found->second;
}

uint32_t esp_log_timestamp() { return static_cast<uint32_t>(esp_timer_get_time() / 1000); }

void esp_log_writev(esp_log_level_t level, const char* tag, const char* format, va_list args) {
  if (level <= esp_log_level_get(tag)) vprintf(format, args);
}

void esp_log_write(esp_log_level_t level, const char* tag, const char* format, ...) {
  va_list args;
  va_start(args, format);
  esp_log_writev(level, tag, format, args);
  va_end(args);
}

}  // extern "C"

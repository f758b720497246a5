// driver/rtc_io.h: the RTC's pins, a subset of those in Pins.cpp.
#include "../Runtime/Runtime.h"
#include "Arduino.h"
#include "Sleep.h"
#include "driver/rtc_io.h"

using espbench::configurePin;

namespace {

/// The RTC's numbers of the ESP32's pins (soc/esp32/rtc_io_periph.c).
constexpr int8_t kNumbers[] = {11, -1, 12, -1, 10, -1, -1, -1, -1, -1, -1, -1, 15, 14,
                               16, 13, -1, -1, -1, -1, -1, -1, -1, -1, -1, 6,  7,  17,
                               -1, -1, -1, -1, 9,  8,  4,  5,  0,  1,  2,  3};
static_assert(sizeof kNumbers == GPIO_NUM_MAX);

/// The first pin that is input-only and has no pulls.
constexpr gpio_num_t kFirstInput = GPIO_NUM_34;

bool isRTC(gpio_num_t pin) { return pin >= 0 && pin < GPIO_NUM_MAX && kNumbers[pin] >= 0; }

unsigned number(gpio_num_t pin) { return static_cast<unsigned>(pin); }

/// ESP_OK, or the error of a pin that the RTC does not have, with ESP-IDF's message.
esp_err_t check(gpio_num_t pin, const char* function, int line) {
  if (isRTC(pin)) return ESP_OK;
  esp_log_write(ESP_LOG_ERROR, "RTCIO", "E (%" PRIu32 ") RTCIO: %s(%d): RTCIO number error\n",
                esp_log_timestamp(), function, line);
  return ESP_ERR_INVALID_ARG;
}

/// Sets one bit of a pin's mode, or clears it.
esp_err_t setPull(gpio_num_t pin, uint8_t pull, bool isOn, const char* function, int line) {
  const esp_err_t error = check(pin, function, line);
  if (error != ESP_OK) return error;
  if (pin >= kFirstInput) {
    if (isOn) espbench::ignorePin(number(pin), CFC_IGNORED_NO_PULL);
    return ESP_OK;
  }
  const uint8_t mode = espbench::modeOf(number(pin));
  configurePin(number(pin), static_cast<uint8_t>(isOn ? mode | INPUT | pull : mode & ~pull));
  return ESP_OK;
}

}  // namespace

extern "C" {

bool rtc_gpio_is_valid_gpio(gpio_num_t pin) { return isRTC(pin); }
int rtc_io_number_get(gpio_num_t pin) { return isRTC(pin) ? kNumbers[pin] : -1; }

esp_err_t rtc_gpio_init(gpio_num_t pin) { return check(pin, __func__, 46); }
esp_err_t rtc_gpio_deinit(gpio_num_t pin) { return check(pin, __func__, 59); }

uint32_t rtc_gpio_get_level(gpio_num_t pin) {
  const esp_err_t error = check(pin, __func__, 85);
  if (error != ESP_OK) return static_cast<uint32_t>(error);
  espbench::spend(espbench::kPollNanoseconds);
  return espbench::readPin(number(pin));
}

esp_err_t rtc_gpio_set_level(gpio_num_t pin, uint32_t level) {
  const esp_err_t error = check(pin, __func__, 75);
  if (error == ESP_OK) espbench::setOutput(number(pin), level != 0);
  return error;
}

esp_err_t rtc_gpio_set_direction(gpio_num_t pin, rtc_gpio_mode_t mode) {
  const esp_err_t error = check(pin, __func__, 113);
  if (error != ESP_OK) return error;
  constexpr uint8_t kModes[] = {INPUT, OUTPUT, OUTPUT, 0, OUTPUT_OPEN_DRAIN, OUTPUT_OPEN_DRAIN};
  if (mode > RTC_GPIO_MODE_INPUT_OUTPUT_OD) return ESP_OK;
  const uint8_t pulls = espbench::modeOf(number(pin)) & (PULLUP | PULLDOWN);
  configurePin(number(pin), static_cast<uint8_t>(kModes[mode] | pulls));
  return ESP_OK;
}

esp_err_t rtc_gpio_pullup_en(gpio_num_t pin) { return setPull(pin, PULLUP, true, __func__, 133); }
esp_err_t rtc_gpio_pullup_dis(gpio_num_t pin) { return setPull(pin, PULLUP, false, __func__, 143); }
esp_err_t rtc_gpio_pulldown_en(gpio_num_t pin) {
  return setPull(pin, PULLDOWN, true, __func__, 153);
}
esp_err_t rtc_gpio_pulldown_dis(gpio_num_t pin) {
  return setPull(pin, PULLDOWN, false, __func__, 163);
}

esp_err_t rtc_gpio_isolate(gpio_num_t pin) {
  const esp_err_t error = check(pin, __func__, 241);
  if (error == ESP_OK) configurePin(number(pin), 0);
  return error;
}

esp_err_t rtc_gpio_hold_dis(gpio_num_t pin) { return check(pin, __func__, 212); }
esp_err_t rtc_gpio_force_hold_dis_all(void) { return ESP_OK; }

esp_err_t rtc_gpio_wakeup_enable(gpio_num_t pin, gpio_int_type_t intr_type) {
  const esp_err_t error = check(pin, __func__, 256);
  return error != ESP_OK ? error : gpio_wakeup_enable(pin, intr_type);
}

esp_err_t rtc_gpio_wakeup_disable(gpio_num_t pin) {
  const esp_err_t error = check(pin, __func__, 270);
  return error != ESP_OK ? error : gpio_wakeup_disable(pin);
}

}  // extern "C"

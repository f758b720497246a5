// esp_sleep.h: deep sleep, which ends the process, and light sleep, which stops all tasks.
#include "Sleep.h"

#include "../Runtime/StandStill.h"
#include "Arduino.h"
#include "Esp.h"
#include "Pins.h"
#include "esp32-hal-log.h"
#include "esp_sleep.h"

namespace espbench {
void drainConsole();
}

namespace {

constexpr uint64_t kNanosecondsPerMicrosecond = 1000;
constexpr int kHooks = 3;
/// The pins of the ESP32 that its RTC reads while the chip sleeps.
constexpr uint64_t kRTCPins = 0xff0e00f015;

/// The sources that are enabled.
bool usesTimer, usesEXT0, usesPins;
uint64_t duration;  ///< us
unsigned ext0Pin;
bool ext0Level;
uint64_t ext1Pins;
bool ext1IsHigh;
bool usesEXT1;
/// The pins and levels of gpio_wakeup_enable(), one bit for each pin.
uint64_t wakeupPins, wakeupLevels;

/// How the last light sleep ended.
bool hasSleptLightly;
esp_sleep_wakeup_cause_t lightCause;
uint64_t lightPins;

esp_deep_sleep_cb_t hooks[kHooks];

bool isRTCPin(int pin) { return pin >= 0 && pin < 40 && (kRTCPins >> pin & 1) != 0; }

uint64_t levels(uint64_t pins) {
  uint64_t high = 0;
  for (unsigned pin = 0; pin < 40; pin++) {
    if ((pins >> pin & 1) != 0 && espbench::pinLevel(pin)) high |= uint64_t{1} << pin;
  }
  return high;
}

bool isEXT0() { return usesEXT0 && espbench::pinLevel(ext0Pin) == ext0Level; }

/// The pins that end the sleep by EXT1.
uint64_t ext1Status() {
  if (!usesEXT1 || ext1Pins == 0) return 0;
  uint64_t high = levels(ext1Pins);
  if (ext1IsHigh) return high;
  return high == 0 ? ext1Pins : 0;
}

bool isWakeupPin() { return usesPins && (wakeupPins & ~(levels(wakeupPins) ^ wakeupLevels)) != 0; }

bool isWoken() { return isEXT0() || ext1Status() != 0 || isWakeupPin(); }

esp_err_t disable(bool& source) {
  if (!source) {
    ESP_LOGE("sleep", "Incorrect wakeup source to disable.");
    return ESP_ERR_INVALID_STATE;
  }
  source = false;
  return ESP_OK;
}

}  // namespace

namespace espbench {

void setWakeupPin(unsigned pin, bool wakes, bool level) {
  uint64_t bit = uint64_t{1} << pin;
  wakeupPins = wakes ? wakeupPins | bit : wakeupPins & ~bit;
  wakeupLevels = level ? wakeupLevels | bit : wakeupLevels & ~bit;
}

}  // namespace espbench

extern "C" {

esp_err_t esp_sleep_enable_timer_wakeup(uint64_t time_in_us) {
  usesTimer = true;
  duration = time_in_us;
  return ESP_OK;
}

bool esp_sleep_is_valid_wakeup_gpio(gpio_num_t gpio_num) { return isRTCPin(gpio_num); }

esp_err_t esp_sleep_enable_ext0_wakeup(gpio_num_t gpio_num, int level) {
  if (level < 0 || level > 1 || !isRTCPin(gpio_num)) return ESP_ERR_INVALID_ARG;
  usesEXT0 = true;
  ext0Pin = static_cast<unsigned>(gpio_num);
  ext0Level = level == 1;
  return ESP_OK;
}

esp_err_t esp_sleep_enable_ext1_wakeup(uint64_t io_mask, esp_sleep_ext1_wakeup_mode_t level_mode) {
  if (io_mask == 0 && level_mode > ESP_EXT1_WAKEUP_ANY_HIGH) return ESP_ERR_INVALID_ARG;
  esp_sleep_disable_ext1_wakeup_io(0);
  return esp_sleep_enable_ext1_wakeup_io(io_mask, level_mode);
}

esp_err_t esp_sleep_enable_ext1_wakeup_io(uint64_t io_mask,
                                          esp_sleep_ext1_wakeup_mode_t level_mode) {
  if (io_mask == 0 && level_mode > ESP_EXT1_WAKEUP_ANY_HIGH) return ESP_ERR_INVALID_ARG;
  for (int pin = 0; pin < 64; pin++) {
    if ((io_mask >> pin & 1) == 0 || isRTCPin(pin)) continue;
    ESP_LOGE("sleep", "Not an RTC IO: GPIO%d", pin);
    return ESP_ERR_INVALID_ARG;
  }
  bool isHigh = level_mode == ESP_EXT1_WAKEUP_ANY_HIGH;
  if (ext1Pins != 0 && isHigh != ext1IsHigh) return ESP_ERR_NOT_ALLOWED;
  ext1Pins |= io_mask;
  ext1IsHigh = isHigh;
  usesEXT1 = true;
  return ESP_OK;
}

esp_err_t esp_sleep_disable_ext1_wakeup_io(uint64_t io_mask) {
  // 0: all pins.
  ext1Pins = io_mask == 0 ? 0 : ext1Pins & ~io_mask;
  if (ext1Pins == 0) usesEXT1 = false;
  return ESP_OK;
}

esp_err_t esp_sleep_enable_gpio_wakeup(void) {
  usesPins = true;
  return ESP_OK;
}

esp_err_t esp_sleep_disable_wakeup_source(esp_sleep_source_t source) {
  switch (source) {
    case ESP_SLEEP_WAKEUP_ALL:
      usesTimer = usesEXT0 = usesEXT1 = usesPins = false;
      return ESP_OK;
    case ESP_SLEEP_WAKEUP_TIMER:
      return disable(usesTimer);
    case ESP_SLEEP_WAKEUP_EXT0:
      return disable(usesEXT0);
    case ESP_SLEEP_WAKEUP_EXT1:
      ext1Pins = 0;
      return disable(usesEXT1);
    case ESP_SLEEP_WAKEUP_GPIO:
      return disable(usesPins);
    default:
      ESP_LOGE("sleep", "Incorrect wakeup source (%d) to disable.", static_cast<int>(source));
      return ESP_ERR_INVALID_STATE;
  }
}

esp_sleep_wakeup_cause_t esp_sleep_get_wakeup_cause(void) {
  if (hasSleptLightly) return lightCause;
  return static_cast<esp_sleep_wakeup_cause_t>(espbench::startInformation().wakeup_cause);
}

uint64_t esp_sleep_get_ext1_wakeup_status(void) {
  if (esp_sleep_get_wakeup_cause() != ESP_SLEEP_WAKEUP_EXT1) return 0;
  return hasSleptLightly ? lightPins : espbench::startInformation().wakeup_pins;
}

esp_err_t esp_sleep_pd_config(esp_sleep_pd_domain_t domain, esp_sleep_pd_option_t option) {
  return domain < ESP_PD_DOMAIN_MAX && option <= ESP_PD_OPTION_AUTO ? ESP_OK : ESP_ERR_INVALID_ARG;
}

esp_err_t esp_deep_sleep_register_hook(esp_deep_sleep_cb_t new_dslp_cb) {
  for (esp_deep_sleep_cb_t& hook : hooks) {
    if (hook == new_dslp_cb) return ESP_OK;
    if (hook != nullptr) continue;
    hook = new_dslp_cb;
    return ESP_OK;
  }
  ESP_LOGE("sleep", "Registered deepsleep callbacks exceeds MAX_DSLP_HOOKS");
  return ESP_ERR_NO_MEM;
}

void esp_deep_sleep_deregister_hook(esp_deep_sleep_cb_t old_dslp_cb) {
  for (esp_deep_sleep_cb_t& hook : hooks) {
    if (hook == old_dslp_cb) hook = nullptr;
  }
}

void esp_deep_sleep_start(void) {
  for (esp_deep_sleep_cb_t hook : hooks) {
    if (hook != nullptr) hook();
  }
  espbench::drainConsole();
  cfc_sleep sleep = {};
  sleep.timer_ns = usesTimer ? duration * kNanosecondsPerMicrosecond : CFC_NEVER;
  sleep.ext1_pins = usesEXT1 ? ext1Pins : 0;
  sleep.ext1_mode = ext1IsHigh;
  sleep.ext0_pin = usesEXT0 ? static_cast<int32_t>(ext0Pin) : -1;
  sleep.ext0_level = ext0Level;
  espbench::send(CFC_SLEEP, &sleep, sizeof sleep);
  espbench::endTurnAndExit(CFC_DEEP_SLEEP);
}

void esp_deep_sleep(uint64_t time_in_us) {
  esp_sleep_enable_timer_wakeup(time_in_us);
  esp_deep_sleep_start();
}

esp_err_t esp_deep_sleep_try_to_start(void) {
  // The chip refuses to sleep if an enabled source would wake it at once.
  if (isEXT0() || ext1Status() != 0) return ESP_ERR_SLEEP_REJECT;
  esp_deep_sleep_start();
}

esp_err_t esp_deep_sleep_try(uint64_t time_in_us) {
  esp_sleep_enable_timer_wakeup(time_in_us);
  return esp_deep_sleep_try_to_start();
}

esp_err_t esp_light_sleep_start(void) {
  hasSleptLightly = false;
  if (usesTimer && duration == 0) return ESP_ERR_SLEEP_TOO_SHORT_SLEEP_DURATION;
  // The RTC reads its pins regardless of pinMode().
  for (unsigned pin = 0; pin < NUM_DIGITAL_PINS; pin++) {
    const bool wakes = (usesEXT0 && pin == ext0Pin) || (usesEXT1 && (ext1Pins >> pin & 1) != 0);
    const uint8_t mode = espbench::modeOf(pin);
    if (wakes && (mode & INPUT) == 0) espbench::configurePin(pin, mode | INPUT);
  }
  espbench::drainConsole();
  uint64_t deadline =
      usesTimer ? espbench::now() + duration * kNanosecondsPerMicrosecond : CFC_NEVER;
  espbench::standStill(deadline, isWoken);
  hasSleptLightly = true;
  for (const espbench::Pin& pin : espbench::pins) {
    if (pin.isObserved) espbench::tellObservers(pin, espbench::now());
  }
  lightPins = ext1Status();
  // In the order in which ESP-IDF checks the causes of the wake-up.
  if (espbench::now() >= deadline) {
    lightCause = ESP_SLEEP_WAKEUP_TIMER;
  } else if (isWakeupPin()) {
    lightCause = ESP_SLEEP_WAKEUP_GPIO;
  } else if (isEXT0()) {
    lightCause = ESP_SLEEP_WAKEUP_EXT0;
  } else {
    lightCause = ESP_SLEEP_WAKEUP_EXT1;
  }
  return ESP_OK;
}

}  // extern "C"

void EspClass::deepSleep(uint64_t time_us) { esp_deep_sleep(time_us); }

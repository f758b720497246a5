// Sleeps as it is told, and says what has woken it and what it remembers.
#include <esp_sleep.h>

RTC_DATA_ATTR int starts;
RTC_NOINIT_ATTR int resets;

void setup() {
  Serial.begin(115200);
  if (esp_reset_reason() == ESP_RST_POWERON) resets = 0;
  starts++;
  resets++;
  Serial.printf(
      "reset %d, cause %d, pins %llx, starts %d, resets %d\r\n",
      static_cast<int>(esp_reset_reason()), static_cast<int>(esp_sleep_get_wakeup_cause()),
      static_cast<unsigned long long>(esp_sleep_get_ext1_wakeup_status()), starts, resets);
}

void loop() {
  delay(10);
  switch (Serial.read()) {
    case 't':
      esp_sleep_enable_timer_wakeup(5000000);
      esp_deep_sleep_start();
    case '0':
      esp_sleep_enable_ext0_wakeup(GPIO_NUM_33, 0);
      esp_deep_sleep_start();
    case '1':
      esp_sleep_enable_ext1_wakeup((1ull << 32) | (1ull << 33), ESP_EXT1_WAKEUP_ALL_LOW);
      esp_deep_sleep_start();
    case 'r':
      esp_restart();
  }
}

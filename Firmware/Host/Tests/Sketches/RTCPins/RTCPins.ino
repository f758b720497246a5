// The RTC's pins (driver/rtc_io.h), as sketches use them before deep sleep.
#include <driver/rtc_io.h>

void setup() {
  Serial.begin(115200);
  Serial.printf("numbers %d %d %d, valid %d %d\r\n", rtc_io_number_get(GPIO_NUM_4),
                rtc_io_number_get(GPIO_NUM_39), rtc_io_number_get(GPIO_NUM_5),
                rtc_gpio_is_valid_gpio(GPIO_NUM_33), RTC_GPIO_IS_VALID_GPIO(GPIO_NUM_16));
  Serial.printf("of the RTC %d, not %d, without pulls %d\r\n", rtc_gpio_pullup_en(GPIO_NUM_33),
                rtc_gpio_pullup_en(GPIO_NUM_5), rtc_gpio_pullup_en(GPIO_NUM_39));
  Serial.printf("pulled %u %u ", static_cast<unsigned>(rtc_gpio_get_level(GPIO_NUM_33)),
                static_cast<unsigned>(rtc_gpio_get_level(GPIO_NUM_39)));
  rtc_gpio_pullup_dis(GPIO_NUM_33);
  rtc_gpio_pulldown_en(GPIO_NUM_33);
  Serial.printf("then %u\r\n", static_cast<unsigned>(rtc_gpio_get_level(GPIO_NUM_33)));
  rtc_gpio_set_direction(GPIO_NUM_25, RTC_GPIO_MODE_OUTPUT_ONLY);
  rtc_gpio_set_level(GPIO_NUM_25, 1);
  Serial.printf("edge %d, level %d\r\n", rtc_gpio_wakeup_enable(GPIO_NUM_4, GPIO_INTR_POSEDGE),
                rtc_gpio_wakeup_enable(GPIO_NUM_4, GPIO_INTR_LOW_LEVEL));
  rtc_gpio_isolate(GPIO_NUM_12);
  rtc_gpio_hold_dis(GPIO_NUM_12);
  rtc_gpio_pullup_en(GPIO_NUM_4);
  esp_sleep_enable_gpio_wakeup();
  esp_light_sleep_start();
  Serial.printf("woken by %d\r\n", esp_sleep_get_wakeup_cause());
}

void loop() { delay(100); }

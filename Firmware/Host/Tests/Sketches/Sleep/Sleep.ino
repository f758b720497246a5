// Sleeps as the console asks for.
#include <driver/gpio.h>

RTC_DATA_ATTR int starts = 0;
RTC_SLOW_ATTR uint64_t stamp;
RTC_FAST_ATTR char word_[8] = "first";
RTC_NOINIT_ATTR uint32_t noinit[2];

struct Constructed {
  // Constructors see the kept memory.
  int seen = starts;
} constructed;

void sleepByPin() {
  esp_sleep_enable_ext0_wakeup(GPIO_NUM_33, 1);
  esp_sleep_enable_ext1_wakeup(1ULL << 25 | 1ULL << 26, ESP_EXT1_WAKEUP_ANY_HIGH);
}

void lightSleep() {
  uint32_t before = millis();
  esp_err_t result = esp_light_sleep_start();
  Serial.printf("slept %lu ms, result %d, cause %d, pins %llx\r\n",
                static_cast<unsigned long>(millis() - before), result, esp_sleep_get_wakeup_cause(),
                static_cast<unsigned long long>(esp_sleep_get_ext1_wakeup_status()));
}

void setup() {
  Serial.begin(115200);
  starts++;
  Serial.printf(
      "start %d, constructed %d, stamp %llu, word %s, noinit %08x, cause %d, pins %llx\r\n", starts,
      constructed.seen, static_cast<unsigned long long>(stamp), word_,
      static_cast<unsigned>(noinit[0]), esp_sleep_get_wakeup_cause(),
      static_cast<unsigned long long>(esp_sleep_get_ext1_wakeup_status()));
}

void loop() {
  String line = Serial.readStringUntil('\n');
  if (line == "keep") {
    stamp = 1234567890123;
    strcpy(word_, "kept");
    noinit[0] = 0xcafe;
  }
  if (line == "timer") esp_deep_sleep(2000000);
  if (line == "pins") {
    sleepByPin();
    esp_deep_sleep_start();
  }
  if (line == "ESP") ESP.deepSleep(1);
  if (line == "restart") ESP.restart();
  if (line == "crash") abort();
  if (line == "light timer") {
    esp_sleep_enable_timer_wakeup(500000);
    lightSleep();
  }
  if (line == "light pins") {
    sleepByPin();
    lightSleep();
  }
  if (line == "light gpio") {
    pinMode(5, INPUT_PULLUP);
    gpio_wakeup_enable(GPIO_NUM_5, GPIO_INTR_LOW_LEVEL);
    esp_sleep_enable_gpio_wakeup();
    lightSleep();
  }
  if (line == "wrong") {
    Serial.printf("%d %d %d %d\r\n", esp_sleep_enable_ext0_wakeup(GPIO_NUM_5, 1),
                  esp_sleep_enable_ext0_wakeup(GPIO_NUM_33, 2),
                  esp_sleep_enable_ext1_wakeup(1 << 5, ESP_EXT1_WAKEUP_ANY_HIGH),
                  esp_sleep_disable_wakeup_source(ESP_SLEEP_WAKEUP_TIMER));
  }
  delay(1);
}

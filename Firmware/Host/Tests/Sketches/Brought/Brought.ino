// Uses what the headers of arduino-esp32 bring, without further includes.
#include <driver/adc.h>
#include <driver/gpio.h>

#include "esp32-hal-gpio.h"

void* allocate();

void setup() {
  Serial.begin(115200);
  String sum = 12 + String(":30");
  sum = 'a' + sum + 5 + "x" + F("y") + 1.5;
  sum = F("w") + ("q" + sum);
  Serial.println(sum);
  Serial.println(2.5f + sum);

  char text[8];
  const size_t whole = strlcpy(text, "0123456789", sizeof text);
  Serial.printf("%u %s\r\n", static_cast<unsigned>(whole), text);
  strcpy(text, "ab");
  const size_t joined = strlcat(text, "cdefghijk", sizeof text);
  Serial.printf("%u %s\r\n", static_cast<unsigned>(joined), text);

  struct tm date = {};
  const timeval now = {1000, 0};
  settimeofday(&now, nullptr);
  Serial.printf("%ld %d %ld\r\n", static_cast<long>(time(nullptr)), date.tm_year,
                microsecondsToClockCycles(2));

  const FlashMode_t mode = ESP.getFlashChipMode();
  Serial.printf("%d %u %.2f %d\r\n", mode, static_cast<unsigned>(ESP.getFlashChipSpeed()),
                temperatureRead(), A0);
  Serial.println(allocate() != nullptr && heap_caps_get_free_size(MALLOC_CAP_8BIT) > 0);

  pinMode(4, OUTPUT);
  digitalWrite(4, HIGH);
  gpio_hold_en(GPIO_NUM_4);
  digitalWrite(4, LOW);
  const int held = digitalRead(4);
  gpio_hold_dis(GPIO_NUM_4);
  Serial.printf("held %d %d %d\r\n", held, digitalRead(4), gpio_hold_en(GPIO_NUM_36));

  pinMode(5, OUTPUT);
  shiftOut(4, 5, LSBFIRST, 0xB0);
}

void loop() { delay(1000); }

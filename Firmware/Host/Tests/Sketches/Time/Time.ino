// Reads the clock in every way.
#include <Arduino.h>

void setup() {
  Serial.begin(115200);
  Serial.printf("start %lu %lu\r\n", millis(), micros() / 1000);
  unsigned long before = millis();
  delay(250);
  Serial.printf("delay %lu\r\n", millis() - before);
  before = micros();
  delayMicroseconds(30);
  Serial.printf("microseconds %lu\r\n", micros() - before);
  before = millis();
  while (millis() - before < 50) {
  }
  Serial.printf("busy %lu\r\n", millis() - before);
  before = millis();
  while (millis() - before < 5) yield();
  Serial.printf("yield %lu\r\n", millis() - before);
  before = millis();
  vTaskDelay(pdMS_TO_TICKS(20));
  Serial.printf("ticks %lu\r\n", millis() - before);
  Serial.printf("random %d\r\n", random(10, 20) >= 10);
  Serial.printf("map %ld %d\r\n", map(5, 0, 10, 0, 100), constrain(7, 1, 5));
}

unsigned long loops;

void loop() {
  loops++;
  if (loops == 1000) Serial.printf("loops at %lu\r\n", millis());
}

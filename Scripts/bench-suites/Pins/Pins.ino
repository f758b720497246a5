// Toggles a pin, or reads two bytes of a sensor, as often as the console asks.
#include <Wire.h>

static const uint8_t kSensor = 0x23;

void setup() {
  Serial.begin(115200);
  pinMode(26, OUTPUT);
  Wire.begin();
  Serial.println("ready");
}

void loop() {
  if (Serial.available() == 0) return delay(10);
  const char what = Serial.read();
  const long count = Serial.parseInt();
  for (long i = 0; i < count; i++) {
    if (what == 't') {
      digitalWrite(26, i & 1);
    } else if (Wire.requestFrom(kSensor, 2) != 2) {
      Serial.println("no sensor");
    } else {
      Wire.read();
      Wire.read();
    }
  }
  if (count > 0) Serial.println("done");
}

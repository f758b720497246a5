#include <Arduino.h>
#include <Wire.h>

/// Uses a bus before begin(), and begins it on pins that it cannot have.
void misuse() {
  Wire.beginTransmission(0x40);
  Serial.printf("early %u %u %u ", Wire.write(1), Wire.endTransmission(),
                Wire.requestFrom(0x40, 2));
  Serial.printf("%d %d %u %d\r\n", Wire.read(), Wire.available(), Wire.getClock(),
                Wire.setClock(400000));
  Serial.printf("Wire1 %d\r\n", Wire1.begin());
  Serial.printf("buffer %u", Wire.setBufferSize(31));
  Serial.printf(" %u\r\n", Wire.setBufferSize(32));
  Serial.printf("input-only %d\r\n", Wire1.begin(34, 35));
}

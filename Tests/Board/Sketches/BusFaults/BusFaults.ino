// Over I2C to a BME280: 'i' reads its identification, 'w' writes two bytes, 'p' probes; 'd' is the
// level of SDA, 'b' blinks pin 26 three times, 'B' four times, for 100 ms each, 'h' leaves it high,
// and 't' sends a tone to it.
#include <Wire.h>

void setup() {
  Serial.begin(115200);
  Wire.begin();
  pinMode(26, OUTPUT);
  Serial.println("ready");
}

void blink(int count) {
  while (count-- > 0) {
    digitalWrite(26, HIGH);
    delay(100);
    digitalWrite(26, LOW);
    delay(100);
  }
}

void loop() {
  const int command = Serial.read();
  const uint32_t start = millis();
  switch (command) {
    case 'i': {
      Wire.beginTransmission(0x76);
      Wire.write(0xD0);
      Wire.endTransmission(false);
      const int count = static_cast<int>(Wire.requestFrom(0x76, 1));
      Serial.printf("id %02x ", count > 0 ? Wire.read() : 0);
      break;
    }
    case 'w':
      Wire.beginTransmission(0x76);
      Wire.write(0xF2);
      Wire.write(1);
      Serial.printf("wrote %d ", Wire.endTransmission());
      break;
    case 'p':
      Wire.beginTransmission(0x76);
      Serial.printf("probed %d ", Wire.endTransmission());
      break;
    case 'd':
      Wire.end();
      pinMode(SDA, INPUT_PULLUP);
      Serial.printf("sda %d ", digitalRead(SDA));
      Wire.begin();
      break;
    case 'b':
      blink(3);
      break;
    case 'B':
      blink(4);
      break;
    case 't':
      tone(26, 1000);
      delay(100);
      noTone(26);
      pinMode(26, OUTPUT);
      digitalWrite(26, LOW);
      break;
    case 'h':
      digitalWrite(26, HIGH);
      break;
    default:
      return;
  }
  Serial.printf("in %lu ms\n", static_cast<unsigned long>(millis() - start));
}

// Draws stripes on a display; a digit on the console moves them by as many
// columns.

#include <Wire.h>

static const uint8_t kDisplay = 0x3C;

static void command(uint8_t byte) {
  Wire.beginTransmission(kDisplay);
  Wire.write(0x00);
  Wire.write(byte);
  Wire.endTransmission();
}

static void draw(int shift) {
  // Horizontal addressing, from the first column and page.
  for (uint8_t byte : {0x20, 0x00, 0x21, 0, 127, 0x22, 0, 7}) command(byte);
  for (int start = 0; start < 1024; start += 16) {
    Wire.beginTransmission(kDisplay);
    Wire.write(0x40);
    for (int index = start; index < start + 16; ++index)
      Wire.write((index + shift) % 32 < 4 ? 0xF0 : 0x01);
    Wire.endTransmission();
  }
}

void setup() {
  Serial.begin(115200);
  Wire.begin();
  command(0xAF);
  draw(0);
}

void loop() {
  if (Serial.available()) {
    const int key = Serial.read();
    if (isDigit(key)) draw(key - '0');
  }
  delay(5);
}

// Prints the position of an encoder at pins 25 and 26, read in interrupts. The
// library counts up if the contact of its second pin closes first.
#include <RotaryEncoder.h>

static RotaryEncoder encoder(26, 25, RotaryEncoder::LatchMode::FOUR3);

static void IRAM_ATTR turned() { encoder.tick(); }

void setup() {
  Serial.begin(115200);
  attachInterrupt(digitalPinToInterrupt(25), turned, CHANGE);
  attachInterrupt(digitalPinToInterrupt(26), turned, CHANGE);
  Serial.println("ready");
}

void loop() {
  static long former;
  long position = encoder.getPosition();
  if (position != former) Serial.printf("position %ld\n", position);
  former = position;
  delay(5);
}

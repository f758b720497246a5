// Prints the positions of two encoders, which the pulse counter counts: one by all
// edges, and one with a limit that it passes, by half of them. The library counts up
// if the contact of its second pin closes first.
#include <ESP32Encoder.h>

static ESP32Encoder knob, wheel;

void setup() {
  Serial.begin(115200);
  ESP32Encoder::useInternalWeakPullResistors = puType::up;
  knob.attachFullQuad(26, 25);
  wheel.attachHalfQuad(33, 32);
  knob.clearCount();
  wheel.setCount(1000);
  Serial.println("ready");
}

void loop() {
  static int64_t former, formerWheel = 1000;
  int64_t position = knob.getCount(), wheelPosition = wheel.getCount();
  if (position != former) Serial.printf("knob %lld\n", position);
  if (wheelPosition != formerWheel) Serial.printf("wheel %lld\n", wheelPosition);
  former = position;
  formerWheel = wheelPosition;
  delay(400);
}

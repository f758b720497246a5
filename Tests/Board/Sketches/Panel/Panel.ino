// A servo that follows a button, another button that interrupts.
#include <ESP32Servo.h>

static Servo servo;
static volatile int edges;

static void IRAM_ATTR onEdge() { edges = edges + 1; }

void setup() {
  Serial.begin(115200);
  pinMode(0, INPUT);
  pinMode(4, INPUT_PULLUP);
  attachInterrupt(4, onEdge, FALLING);
  Serial.printf("boot %d button %d\n", digitalRead(0), digitalRead(4));
  servo.attach(13, 500, 2500);
}

void loop() {
  static int last = HIGH;
  int level = digitalRead(0);
  if (level != last) {
    servo.write(level == LOW ? 90 : 0);
    if (level == HIGH) servo.detach();
    Serial.printf("boot %d edges %d\n", level, edges);
  }
  last = level;
  delay(10);
}

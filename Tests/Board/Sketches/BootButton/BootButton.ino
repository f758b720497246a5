// Prints the state of the BOOT button, and a random number.
#include <Arduino.h>

static volatile int edges;

static void IRAM_ATTR onEdge() { edges = edges + 1; }

void setup() {
  Serial.begin(115200);
  pinMode(0, INPUT_PULLUP);
  attachInterrupt(0, onEdge, CHANGE);
  Serial.printf("drew %08x%08x\n", (unsigned)esp_random(), (unsigned)esp_random());
  Serial.printf("boot %d edges %d\n", digitalRead(0), edges);
}

void loop() {
  static int last = HIGH;
  int level = digitalRead(0);
  if (level != last) Serial.printf("boot %d edges %d\n", level, edges);
  last = level;
  delay(5);
}

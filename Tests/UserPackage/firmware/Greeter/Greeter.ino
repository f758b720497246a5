#include <Greetings.h>

void setup() {
  Serial.begin(115200);
  Serial.println(greeting("bench"));
}

void loop() { delay(1000); }

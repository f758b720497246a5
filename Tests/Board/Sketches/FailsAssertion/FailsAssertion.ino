// Fails an assertion in loop().
#include <assert.h>

void setup() { Serial.begin(115200); }

void loop() {
  int lamps = 3;
  assert(lamps == 4);
}

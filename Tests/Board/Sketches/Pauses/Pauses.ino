// Waits for a signal of the machine, outside the board's time.
#include <unistd.h>

void setup() { Serial.begin(115200); }

void loop() { pause(); }

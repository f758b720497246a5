// Waits for a signal of the machine, outside the board's time.
#include <unistd.h>

// The C library's functions have no frames: the caller of the caller is found.
__attribute__((noinline)) void waitForASignal() {
  pause();
  Serial.println("awake");
}

void setup() { Serial.begin(115200); }

void loop() {
  waitForASignal();
  Serial.println("again");
}

// Hangs in machine code, of which nobody counts what is executed.
void setup() { Serial.begin(115200); }

void loop() {
#if defined(__x86_64__) || defined(__i386__)
  asm volatile("1: nop; jmp 1b");
#else
  asm volatile("1: nop; b 1b");
#endif
}

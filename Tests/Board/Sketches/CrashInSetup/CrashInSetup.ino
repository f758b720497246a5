// Writes through a null pointer before anything else.
void setup() {
  Serial.begin(115200);
  Serial.println("about to crash");
  volatile int* nowhere = nullptr;
  *nowhere = 1;
}

void loop() {}

// Reads through a null pointer.
void setup() {
  Serial.begin(115200);
  const volatile int* nowhere = nullptr;
  const int value = *nowhere;
  Serial.println(value);
}

void loop() {}

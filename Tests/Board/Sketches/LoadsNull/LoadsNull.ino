// Reads through a null pointer.
void setup() {
  Serial.begin(115200);
  const volatile int* nowhere = nullptr;
  Serial.println(*nowhere);
}

void loop() {}

// The fault is in line 5.
void setup() { Serial.begin(115200); }

void loop() {
  undeclared = 1;
  delay(1000);
}
